// K-PKE.Encrypt (FIPS 203, Algorithm 14) after its sampling, for many keys: 32 threads encrypt to one key. K, DU, DV,
// KEY_WORDS and ITEMS are set before this text.
//
// Products are reduced as by Plantard: for |p| < 1.5 * 2^30, reduce(p) is -p / 2^32 modulo q, at most q / 2 in absolute
// value. A constant factor c is held as the number nearest to zero that is -2^32 c modulo q, divided by q modulo 2^32:
// times(a, c) is ac modulo q, by one multiplication less.
// No sum needs a reduction of its own: NTT's grow from 3 to 12 000 and the inverse's from 3330 to 427 000.

// Appendix A's powers of zeta as constant factors.
@group(0) @binding(1) var<storage, read> zetas: array<i32, 128>;
@group(0) @binding(2) var<storage, read> keys: array<u32>;
@group(0) @binding(3) var<storage, read> seeds: array<u32>;
@group(0) @binding(4) var<storage, read> matrices: array<vec4<u32>>;
@group(0) @binding(5) var<storage, read> noise: array<u32>;
@group(0) @binding(6) var<storage, read_write> ciphertexts: array<u32>;
// The complement of the smallest index of an invalid key; 0 if all are valid.
@group(0) @binding(7) var<storage, read_write> invalid: atomic<u32>;

// For each key a polynomial, 32 coefficients after 32 with room for four between them, so that threads use different
// banks. The NTT of y stays with the threads that multiply it: with memory for it as well an NVIDIA H200 took twice as
// long.
const SIZE = 288u;
var<workgroup> memory: array<i32, ITEMS * SIZE>;
// How far from each other coefficients lie that are 32 apart.
const FAR = 36u;

fn times(x: vec4<i32>, factor: vec4<i32>) -> vec4<i32> {
    return ((((x * factor) >> vec4(16u)) + 8) * Q) >> vec4(16u);
}

fn reduce(product: vec4<i32>) -> vec4<i32> {
    return times(product, vec4(Q_INVERSE));
}

// The integer nearest to x * 2^d / q, modulo 2^d, for 0 <= x < q. The quotient is estimated and then corrected, for a
// division could take a time that depends on x.
fn compress(x: vec4<i32>, d: u32) -> vec4<i32> {
    let dividend = (vec4<u32>(x) << vec4(d)) + 1664u;
    let estimate = ((dividend >> vec4(8u)) * 80635u) >> vec4(20u);
    let rest = dividend - estimate * 3329u;
    return vec4<i32>((estimate + 1u - ((rest - 3329u) >> vec4(31u))) & vec4((1u << d) - 1u));
}

// x modulo q for -q <= x < 2q.
fn canonical(x: vec4<i32>) -> vec4<i32> {
    let y = x - Q + (vec4(Q) & (x >> vec4(31u)));
    return y + (vec4(Q) & (y >> vec4(31u)));
}

// Eight coefficients of a thread.
struct Eight {
    low: vec4<i32>,
    high: vec4<i32>,
}

// Words `first`, `first + step` and so on of the memory.
fn load(first: u32, step: u32) -> Eight {
    return Eight(
        vec4(memory[first], memory[first + step], memory[first + 2u * step], memory[first + 3u * step]),
        vec4(
            memory[first + 4u * step],
            memory[first + 5u * step],
            memory[first + 6u * step],
            memory[first + 7u * step],
        ),
    );
}

fn store(first: u32, step: u32, v: Eight) {
    memory[first] = v.low.x;
    memory[first + step] = v.low.y;
    memory[first + 2u * step] = v.low.z;
    memory[first + 3u * step] = v.low.w;
    memory[first + 4u * step] = v.high.x;
    memory[first + 5u * step] = v.high.y;
    memory[first + 6u * step] = v.high.z;
    memory[first + 7u * step] = v.high.w;
}

// The NTT of y, as far as it is a thread's.
alias Noise = array<Eight, K>;

// Coefficients thread, thread + 32 and so on of polynomial `n` of a key's noise.
fn load_noise(key: u32, n: u32, thread: u32) -> Eight {
    // Eight coefficients of all keys come before the next eight; 32 of all keys are `step` words.
    let step = 16u * parameters.count;
    let first = (8u * n * step) + (thread / 8u * parameters.count + key) * 4u + thread / 2u % 4u;
    let left = vec4(16u - 16u * (thread & 1u));
    let low = vec4(noise[first], noise[first + step], noise[first + 2u * step], noise[first + 3u * step]);
    let more = first + 4u * step;
    let high = vec4(noise[more], noise[more + step], noise[more + 2u * step], noise[more + 3u * step]);
    return Eight(vec4<i32>(low << left) >> vec4(16u), vec4<i32>(high << left) >> vec4(16u));
}

// Layers of butterflies between coefficients of a thread that are four, two and one apart. `forward_*` are those of
// Algorithm 9, `inverse_*` those of Algorithm 10.
fn forward_4(v: Eight, z: i32) -> Eight {
    let t = times(v.high, vec4(z));
    return Eight(v.low + t, v.low - t);
}

fn forward_2(v: Eight, z: vec2<i32>) -> Eight {
    let first = vec4(v.low.xy, v.high.xy);
    let t = times(vec4(v.low.zw, v.high.zw), z.xxyy);
    let sum = first + t;
    let difference = first - t;
    return Eight(vec4(sum.xy, difference.xy), vec4(sum.zw, difference.zw));
}

fn forward_1(v: Eight, z: vec4<i32>) -> Eight {
    let first = vec4(v.low.xz, v.high.xz);
    let t = times(vec4(v.low.yw, v.high.yw), z);
    return interleave(first + t, first - t);
}

fn inverse_4(v: Eight, z: i32) -> Eight {
    return Eight(v.low + v.high, times(v.high - v.low, vec4(z)));
}

fn inverse_2(v: Eight, z: vec2<i32>) -> Eight {
    let first = vec4(v.low.xy, v.high.xy);
    let second = vec4(v.low.zw, v.high.zw);
    let sum = first + second;
    let product = times(second - first, z.xxyy);
    return Eight(vec4(sum.xy, product.xy), vec4(sum.zw, product.zw));
}

fn inverse_1(v: Eight, z: vec4<i32>) -> Eight {
    let first = vec4(v.low.xz, v.high.xz);
    let second = vec4(v.low.yw, v.high.yw);
    return interleave(first + second, times(second - first, z));
}

// The coefficients with even indices and those with odd ones, in order.
fn interleave(even: vec4<i32>, odd: vec4<i32>) -> Eight {
    return Eight(vec4(even.x, odd.x, even.y, odd.y), vec4(even.z, odd.z, even.w, odd.w));
}

// The sums of products for four elements of MultiplyNTTs (Algorithm 11): of the even coefficients, of the odd ones, and
// across.
struct Products {
    even: vec4<i32>,
    odd: vec4<i32>,
    across: vec4<i32>,
}

fn add_products(sums: Products, factor: Eight, v: Eight) -> Products {
    let even = factor.low;
    let odd = factor.high;
    let v_even = vec4(v.low.xz, v.high.xz);
    let v_odd = vec4(v.low.yw, v.high.yw);
    return Products(
        sums.even + even * v_even,
        sums.odd + odd * v_odd,
        sums.across + even * v_odd + odd * v_even,
    );
}

fn coefficient_at(base: u32, n: u32) -> u32 {
    return u32(memory[base + n + (n >> 5u) * 4u]);
}

// 32 bits of coefficients of d bits each, from bit 32 * i on.
fn pack(base: u32, d: u32, i: u32) -> u32 {
    var coefficient = 32u * i / d;
    let skipped = 32u * i - coefficient * d;
    var word = coefficient_at(base, coefficient) >> skipped;
    for (var bits = d - skipped; bits < 32u; bits += d) {
        coefficient++;
        word |= coefficient_at(base, coefficient) << bits;
    }
    return word;
}

// An element of a key's matrix: the coefficients with even indices and those with odd ones.
fn matrix_element(key: u32, i: u32, j: u32, thread: u32) -> Eight {
    let words = matrices[((key * K + i) * K + j) * 32u + thread];
    return Eight(vec4<i32>(words & vec4(0xffffu)), vec4<i32>(words >> vec4(16u)));
}

// Algorithm 14, lines 2 and 3: ByteDecode of an element of t, and the check of FIPS 203, section 7.2.
fn key_element(key: u32, j: u32, thread: u32) -> Eight {
    let start = key * KEY_WORDS + j * 96u + 3u * thread;
    let words = vec3(keys[start], keys[start + 1u], keys[start + 2u]);
    let mask = vec4(0xfffu);
    let even = vec4(words.x, (words.x >> 24u) | (words.y << 8u), words.y >> 16u, words.z >> 8u) & mask;
    let across = (words.y >> 28u) | (words.z << 4u);
    let odd = vec4(words.x >> 12u, words.y >> 4u, across, words.z >> 20u) & mask;
    if any(max(even, odd) >= vec4(u32(Q))) {
        atomicMax(&invalid, ~(parameters.first + key));
    }
    return Eight(vec4<i32>(even), vec4<i32>(odd));
}

// Where a thread's coefficients are in the memory: those that are 32 apart, those of the middle layers, 4 apart, and
// those side by side.
struct Places {
    thread: u32,
    block: u32,
    far: u32,
    middle: u32,
    near: u32,
}

// Algorithm 9, of coefficients that are 32 apart; its results lie side by side.
fn ntt(input: Eight, at: Places) -> Eight {
    var v = forward_4(input, zetas[1]);
    v = forward_2(v, vec2(zetas[2], zetas[3]));
    v = forward_1(v, vec4(zetas[4], zetas[5], zetas[6], zetas[7]));
    store(at.far, FAR, v);
    workgroupBarrier();
    v = forward_4(load(at.middle, 4u), zetas[8u + at.block]);
    v = forward_2(v, vec2(zetas[16u + 2u * at.block], zetas[17u + 2u * at.block]));
    let z = 32u + 4u * at.block;
    v = forward_1(v, vec4(zetas[z], zetas[z + 1u], zetas[z + 2u], zetas[z + 3u]));
    store(at.middle, 4u, v);
    workgroupBarrier();
    v = forward_2(load(at.near, 1u), vec2(zetas[64u + 2u * at.thread], zetas[65u + 2u * at.thread]));
    workgroupBarrier();
    return v;
}

// Algorithm 10, the other way.
fn inverse_ntt(input: Eight, at: Places) -> Eight {
    var v = inverse_2(input, vec2(zetas[127u - 2u * at.thread], zetas[126u - 2u * at.thread]));
    store(at.near, 1u, v);
    workgroupBarrier();
    let z = 63u - 4u * at.block;
    v = inverse_1(load(at.middle, 4u), vec4(zetas[z], zetas[z - 1u], zetas[z - 2u], zetas[z - 3u]));
    v = inverse_2(v, vec2(zetas[31u - 2u * at.block], zetas[30u - 2u * at.block]));
    v = inverse_4(v, zetas[15u - at.block]);
    store(at.middle, 4u, v);
    workgroupBarrier();
    v = inverse_1(load(at.far, FAR), vec4(zetas[7], zetas[6], zetas[5], zetas[4]));
    v = inverse_2(v, vec2(zetas[3], zetas[2]));
    v = inverse_4(v, zetas[1]);
    return Eight(times(v.low, vec4(LAST_FACTOR)), times(v.high, vec4(LAST_FACTOR)));
}

@compute @workgroup_size(32, ITEMS)
fn encrypt(@builtin(local_invocation_id) local: vec3<u32>, @builtin(workgroup_id) group: vec3<u32>) {
    let thread = local.x;
    let index = (group.y * parameters.width + group.x) * ITEMS + local.y;
    // Where there is no key, the last one is processed again.
    let key = min(index, parameters.count - 1u);
    let base = local.y * SIZE;
    let block = thread / 4u;
    let at = Places(thread, block, base + thread, base + FAR * block + thread % 4u, base + 8u * thread + 4u * block);

    // Line 18: the NTT of y.
    var y: Noise;
    transform_noise(&y, key, at);

    // Lines 19 and 22: the elements of u, and v last.
    let z = vec2(zetas[64u + 2u * thread], zetas[65u + 2u * thread]);
    for (var i = 0u; i <= K; i++) {
        var sums: Products;
        if i < K {
            sums = multiply_row(&y, key, i, thread);
        } else {
            sums = multiply_key(&y, key, thread);
        }
        let even = reduce(sums.even) + times(reduce(sums.odd), vec4(z.x, -z.x, z.y, -z.y));
        let v = inverse_ntt(interleave(even, reduce(sums.across)), at);
        let e = load_noise(key, K + i, thread);
        var low = v.low + e.low;
        var high = v.high + e.high;
        var d = DU;
        if i == K {
            // Line 20: mu.
            let m = 8u * key;
            let bits = vec4<u32>(seeds[m], seeds[m + 1u], seeds[m + 2u], seeds[m + 3u]) >> vec4(thread);
            let more = vec4<u32>(seeds[m + 4u], seeds[m + 5u], seeds[m + 6u], seeds[m + 7u]) >> vec4(thread);
            low += vec4<i32>(bits & vec4(1u)) * 1665;
            high += vec4<i32>(more & vec4(1u)) * 1665;
            d = DV;
        }
        store(at.far, FAR, Eight(compress(canonical(low), d), compress(canonical(high), d)));
        workgroupBarrier();
        if index < parameters.count {
            let start = 8u * (key * (K * DU + DV) + i * DU);
            // A constant d saves divisions.
            if i < K {
                for (var w = thread; w < 8u * DU; w += 32u) {
                    ciphertexts[start + w] = pack(base, DU, w);
                }
            } else {
                for (var w = thread; w < 8u * DV; w += 32u) {
                    ciphertexts[start + w] = pack(base, DV, w);
                }
            }
        }
        workgroupBarrier();
    }
}
