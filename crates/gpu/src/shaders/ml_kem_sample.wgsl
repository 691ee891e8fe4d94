// The hashes and samples of ML-KEM.Encaps_internal (FIPS 203, Algorithm 17) and K-PKE.Encrypt (Algorithm 14) for many
// keys. K, ETA1 and KEY_WORDS are set before this text.

@group(0) @binding(1) var<uniform> round_constants: array<vec4<u32>, 24>;
// Encapsulation keys.
@group(0) @binding(2) var<storage, read> messages: array<u32>;
// The seeds m, 32 bytes each.
@group(0) @binding(3) var<storage, read> seeds: array<vec4<u32>>;
// The shared secrets K, 32 bytes each.
@group(0) @binding(4) var<storage, read_write> secrets: array<vec4<u32>>;
// The randomness r of encryption, 32 bytes each.
@group(0) @binding(5) var<storage, read_write> randomness: array<vec4<u32>>;
// The matrices, row by row: polynomials of 256 coefficients of 16 bits.
@group(0) @binding(6) var<storage, read_write> matrices: array<vec4<u32>>;
// y, e1 and e2: 2K + 1 polynomials of 256 signed coefficients of 16 bits. Eight coefficients of all keys come before
// the next eight, so that neighbouring threads write neighbouring bytes.
@group(0) @binding(7) var<storage, read_write> noise: array<vec4<u32>>;

// Keys are whole words.
fn word_at(offset: u32) -> u32 {
    return messages[offset / 4u];
}

fn padded_word_at(offset: u32, end: u32, suffix: u32) -> u32 {
    if offset < end {
        return word_at(offset);
    }
    return select(0u, suffix, offset == end);
}

// Algorithm 17, line 1: (K, r) = G(m || H(ek)). A thread for each key.
@compute @workgroup_size(64)
fn hash_keys(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
    let key = (group.y * parameters.width + group.x) * 64u + thread;
    if key >= parameters.count {
        return;
    }
    var h: State;
    absorb_message(&h, 4u * KEY_WORDS * key, 4u * KEY_WORDS * (key + 1u), 0x06u);
    var state: State;
    set_half(&state, seeds[2u * key], seeds[2u * key + 1u]);
    state[4] = h[0];
    state[5] = h[1];
    state[6] = h[2];
    state[7] = h[3];
    // SHA3-512's suffix and padding, in its rate of 72 bytes.
    state[8] = vec2(0x06u, 0x80000000u);
    permute(&state);
    secrets[2u * key] = vec4(state[0], state[1]);
    secrets[2u * key + 1u] = vec4(state[2], state[3]);
    randomness[2u * key] = vec4(state[4], state[5]);
    randomness[2u * key + 1u] = vec4(state[6], state[7]);
}

// The first 32 bytes of a state.
fn set_half(state: ptr<function, State>, low: vec4<u32>, high: vec4<u32>) {
    (*state)[0] = low.xy;
    (*state)[1] = low.zw;
    (*state)[2] = high.xy;
    (*state)[3] = high.zw;
}

// For each thread the last 16 coefficients that it accepted, in pairs, in a bank of its own. With memory for all 256 an
// NVIDIA H200 took three times as long: few workgroups have room at a time.
var<workgroup> pairs: array<u32, 8 * 64>;

// A sample in work: what SampleNTT (Algorithm 7) has accepted.
struct Sample {
    element: u32,
    thread: u32,
    // How many coefficients, and the last one.
    count: u32,
    last: u32,
}

// Takes a number of 12 bits as the next coefficient, if it is below q.
fn offer(sample: ptr<function, Sample>, number: u32) {
    // With an odd index it completes a pair; otherwise, and if it is not accepted, the next number replaces it.
    pairs[((*sample).count / 2u % 8u) * 64u + (*sample).thread] = (*sample).last | (number << 16u);
    let accepted = number < Q;
    (*sample).count += select(0u, 1u, accepted);
    (*sample).last = select((*sample).last, number, accepted);
}

// Eight numbers of 12 bits.
fn offer_eight(sample: ptr<function, Sample>, x: u32, y: u32, z: u32) {
    let eighth = (*sample).count / 8u;
    offer(sample, x & 0xfffu);
    offer(sample, (x >> 12u) & 0xfffu);
    offer(sample, ((x >> 24u) | (y << 8u)) & 0xfffu);
    offer(sample, (y >> 4u) & 0xfffu);
    offer(sample, (y >> 16u) & 0xfffu);
    offer(sample, ((y >> 28u) | (z << 4u)) & 0xfffu);
    offer(sample, (z >> 8u) & 0xfffu);
    offer(sample, z >> 20u);
    // At most one more eighth is complete.
    if (*sample).count / 8u != eighth && eighth < 32u {
        let first = eighth % 2u * 4u * 64u + (*sample).thread;
        matrices[(*sample).element * 32u + eighth] =
            vec4(pairs[first], pairs[first + 64u], pairs[first + 2u * 64u], pairs[first + 3u * 64u]);
    }
}

// Line 5, transposed: element (i, j) is SampleNTT(rho || i || j). A thread for each element of each matrix; the matrix
// is public, so the time and addresses may depend on it.
@compute @workgroup_size(64)
fn sample_matrices(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
    let element = (group.y * parameters.width + group.x) * 64u + thread;
    if element >= parameters.count * K * K {
        return;
    }
    let i = element / K % K;
    let j = element % K;
    // The key ends with rho.
    let rho = KEY_WORDS * (element / (K * K) + 1u) - 8u;
    var state: State;
    state[0] = vec2(messages[rho], messages[rho + 1u]);
    state[1] = vec2(messages[rho + 2u], messages[rho + 3u]);
    state[2] = vec2(messages[rho + 4u], messages[rho + 5u]);
    state[3] = vec2(messages[rho + 6u], messages[rho + 7u]);
    state[4].x = i | (j << 8u) | 0x1f0000u;
    state[20].y = 0x80000000u;
    var sample = Sample(element, thread, 0u, 0u);
    while sample.count < 256u {
        permute(&state);
        offer_block(&sample, &state);
    }
}

// Lines 9 to 17: PRF and SamplePolyCBD. A thread for each polynomial; neighbours do the same one of several keys.
@compute @workgroup_size(64)
fn sample_noise(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
    let i = (group.y * parameters.width + group.x) * 64u + thread;
    let n = i / parameters.count;
    if n >= 2u * K + 1u {
        return;
    }
    let key = i % parameters.count;
    var state: State;
    set_half(&state, randomness[2u * key], randomness[2u * key + 1u]);
    state[4].x = n | 0x1f00u;
    state[16].y = 0x80000000u;
    permute(&state);
    let start = 32u * parameters.count * n + key;
    if ETA1 == 3u && n < K {
        store_binomial_3(start, &state);
    } else {
        store_binomial_2(start, &state);
    }
}

// Eight coefficients of 32 bits.
fn binomial_2(word: u32) -> vec4<u32> {
    let sums = (word & 0x55555555u) + ((word >> 1u) & 0x55555555u);
    let x = vec4<u32>(sums, sums >> 8u, sums >> 16u, sums >> 24u);
    return (((x & vec4(3u)) - ((x >> vec4(2u)) & vec4(3u))) & vec4(0xffffu))
        | ((((x >> vec4(4u)) & vec4(3u)) - ((x >> vec4(6u)) & vec4(3u))) << vec4(16u));
}

// Four coefficients of 24 bits.
fn binomial_3(bits: u32) -> vec2<u32> {
    let sums = (bits & 0x249249u) + ((bits >> 1u) & 0x249249u) + ((bits >> 2u) & 0x249249u);
    let x = vec2<u32>(sums, sums >> 12u);
    return (((x & vec2(7u)) - ((x >> vec2(3u)) & vec2(7u))) & vec2(0xffffu))
        | ((((x >> vec2(6u)) & vec2(7u)) - ((x >> vec2(9u)) & vec2(7u))) << vec2(16u));
}

// Sixteen coefficients of 96 bits.
fn store_96(start: u32, x: u32, y: u32, z: u32) {
    noise[start] = vec4(binomial_3(x & 0xffffffu), binomial_3((x >> 24u) | ((y & 0xffffu) << 8u)));
    noise[start + parameters.count] = vec4(binomial_3((y >> 16u) | ((z & 0xffu) << 16u)), binomial_3(z >> 8u));
}
