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

// Coefficients of a polynomial, 32 after 32 with room for four between them, so that threads use different banks.
const SIZE = 288u;
// For each key ŷ and the polynomial in work.
var<workgroup> memory: array<i32, ITEMS * (K + 1u) * SIZE>;

fn at(coefficient: u32) -> u32 {
    return coefficient + (coefficient >> 5u) * 4u;
}

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

// Coefficients `first`, `first + step` and so on.
fn load(base: u32, first: u32, step: u32) -> Eight {
    return Eight(
        vec4(
            memory[base + at(first)],
            memory[base + at(first + step)],
            memory[base + at(first + 2u * step)],
            memory[base + at(first + 3u * step)],
        ),
        vec4(
            memory[base + at(first + 4u * step)],
            memory[base + at(first + 5u * step)],
            memory[base + at(first + 6u * step)],
            memory[base + at(first + 7u * step)],
        ),
    );
}

fn store(base: u32, first: u32, step: u32, v: Eight) {
    memory[base + at(first)] = v.low.x;
    memory[base + at(first + step)] = v.low.y;
    memory[base + at(first + 2u * step)] = v.low.z;
    memory[base + at(first + 3u * step)] = v.low.w;
    memory[base + at(first + 4u * step)] = v.high.x;
    memory[base + at(first + 5u * step)] = v.high.y;
    memory[base + at(first + 6u * step)] = v.high.z;
    memory[base + at(first + 7u * step)] = v.high.w;
}

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

fn add_products(sums: Products, even: vec4<i32>, odd: vec4<i32>, v: Eight) -> Products {
    let v_even = vec4(v.low.xz, v.high.xz);
    let v_odd = vec4(v.low.yw, v.high.yw);
    return Products(
        sums.even + even * v_even,
        sums.odd + odd * v_odd,
        sums.across + even * v_odd + odd * v_even,
    );
}

// 32 bits of coefficients of d bits each, from bit 32 * i on.
fn pack(base: u32, d: u32, i: u32) -> u32 {
    var coefficient = 32u * i / d;
    let skipped = 32u * i - coefficient * d;
    var word = u32(memory[base + at(coefficient)]) >> skipped;
    for (var bits = d - skipped; bits < 32u; bits += d) {
        coefficient++;
        word |= u32(memory[base + at(coefficient)]) << bits;
    }
    return word;
}

@compute @workgroup_size(32, ITEMS)
fn encrypt(@builtin(local_invocation_id) local: vec3<u32>, @builtin(workgroup_id) group: vec3<u32>) {
    let thread = local.x;
    let index = (group.y * parameters.width + group.x) * ITEMS + local.y;
    // Where there is no key, the last one is processed again.
    let key = min(index, parameters.count - 1u);
    let y_hat = local.y * (K + 1u) * SIZE;
    let work = y_hat + K * SIZE;
    // The thread's coefficients in the middle layers.
    let block = thread / 4u;
    let middle = 32u * block + thread % 4u;

    // Algorithm 14, line 18: the NTT of y.
    for (var j = 0u; j < K; j++) {
        var v = forward_4(load_noise(key, j, thread), zetas[1]);
        v = forward_2(v, vec2(zetas[2], zetas[3]));
        v = forward_1(v, vec4(zetas[4], zetas[5], zetas[6], zetas[7]));
        store(y_hat + j * SIZE, thread, 32u, v);
    }
    workgroupBarrier();
    for (var j = 0u; j < K; j++) {
        var v = forward_4(load(y_hat + j * SIZE, middle, 4u), zetas[8u + block]);
        v = forward_2(v, vec2(zetas[16u + 2u * block], zetas[17u + 2u * block]));
        let z = 32u + 4u * block;
        v = forward_1(v, vec4(zetas[z], zetas[z + 1u], zetas[z + 2u], zetas[z + 3u]));
        store(y_hat + j * SIZE, middle, 4u, v);
    }
    workgroupBarrier();
    let z = vec2(zetas[64u + 2u * thread], zetas[65u + 2u * thread]);
    for (var j = 0u; j < K; j++) {
        let v = forward_2(load(y_hat + j * SIZE, 8u * thread, 1u), z);
        store(y_hat + j * SIZE, 8u * thread, 1u, v);
    }

    // Lines 19 and 22: the elements of u, and v last.
    for (var i = 0u; i <= K; i++) {
        var sums = Products(vec4(0), vec4(0), vec4(0));
        for (var j = 0u; j < K; j++) {
            let v = load(y_hat + j * SIZE, 8u * thread, 1u);
            if i < K {
                let words = matrices[((key * K + i) * K + j) * 32u + thread];
                sums = add_products(sums, vec4<i32>(words & vec4(0xffffu)), vec4<i32>(words >> vec4(16u)), v);
            } else {
                // Lines 2 and 3: ByteDecode of t, and the check of FIPS 203, section 7.2.
                let start = key * KEY_WORDS + j * 96u + 3u * thread;
                let words = vec3(keys[start], keys[start + 1u], keys[start + 2u]);
                let mask = vec4(0xfffu);
                let even = vec4(words.x, (words.x >> 24u) | (words.y << 8u), words.y >> 16u, words.z >> 8u) & mask;
                let across = (words.y >> 28u) | (words.z << 4u);
                let odd = vec4(words.x >> 12u, words.y >> 4u, across, words.z >> 20u) & mask;
                if any(max(even, odd) >= vec4(u32(Q))) {
                    atomicMax(&invalid, ~(parameters.first + key));
                }
                sums = add_products(sums, vec4<i32>(even), vec4<i32>(odd), v);
            }
        }
        let even = reduce(sums.even) + times(reduce(sums.odd), vec4(z.x, -z.x, z.y, -z.y));
        var v = interleave(even, reduce(sums.across));
        v = inverse_2(v, vec2(zetas[127u - 2u * thread], zetas[126u - 2u * thread]));
        store(work, 8u * thread, 1u, v);
        workgroupBarrier();
        v = load(work, middle, 4u);
        let last = 63u - 4u * block;
        v = inverse_1(v, vec4(zetas[last], zetas[last - 1u], zetas[last - 2u], zetas[last - 3u]));
        v = inverse_2(v, vec2(zetas[31u - 2u * block], zetas[30u - 2u * block]));
        v = inverse_4(v, zetas[15u - block]);
        store(work, middle, 4u, v);
        workgroupBarrier();
        v = load(work, thread, 32u);
        v = inverse_1(v, vec4(zetas[7], zetas[6], zetas[5], zetas[4]));
        v = inverse_2(v, vec2(zetas[3], zetas[2]));
        v = inverse_4(v, zetas[1]);
        let e = load_noise(key, K + i, thread);
        var low = times(v.low, vec4(LAST_FACTOR)) + e.low;
        var high = times(v.high, vec4(LAST_FACTOR)) + e.high;
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
        store(work, thread, 32u, Eight(compress(canonical(low), d), compress(canonical(high), d)));
        workgroupBarrier();
        if index < parameters.count {
            let start = 8u * (key * (K * DU + DV) + i * DU);
            for (var w = thread; w < 8u * d; w += 32u) {
                ciphertexts[start + w] = pack(work, d, w);
            }
        }
        workgroupBarrier();
    }
}
