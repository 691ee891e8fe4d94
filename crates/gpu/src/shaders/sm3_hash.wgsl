// SM3 (GB/T 32905-2016) of rows.
fn rotl(x: u32, n: u32) -> u32 {
    return (x << n) | (x >> (32u - n));
}

fn p0(x: u32) -> u32 {
    return x ^ rotl(x, 9u) ^ rotl(x, 17u);
}

fn p1(x: u32) -> u32 {
    return x ^ rotl(x, 15u) ^ rotl(x, 23u);
}

fn reverse_bytes(x: u32) -> u32 {
    return (rotl(x, 8u) & 0x00ff00ffu) | (rotl(x, 24u) & 0xff00ff00u);
}

@compute @workgroup_size(64)
fn hash_rows(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
    let row = (group.y * parameters.width + group.x) * 64u + thread;
    if row >= parameters.count {
        return;
    }
    let start = row * parameters.length;
    let end = start + parameters.length;
    // The padding is a byte 0x80, zeros and eight bytes with the length.
    let blocks = (parameters.length + 9u + 63u) / 64u;
    var v = array<u32, 8>(
        0x7380166fu, 0x4914b2b9u, 0x172442d7u, 0xda8a0600u, 0xa96f30bcu, 0x163138aau, 0xe38dee4du, 0xb0fb0e4eu,
    );
    for (var block = 0u; block < blocks; block++) {
        var w: array<u32, 16>;
        load_block(&w, start + 64u * block, end);
        if block == blocks - 1u {
            w[14] = parameters.length >> 29u;
            w[15] = parameters.length << 3u;
        }
        compress(&v, &w);
    }
    outputs[2u * row] = vec4(reverse_bytes(v[0]), reverse_bytes(v[1]), reverse_bytes(v[2]), reverse_bytes(v[3]));
    outputs[2u * row + 1u] = vec4(reverse_bytes(v[4]), reverse_bytes(v[5]), reverse_bytes(v[6]), reverse_bytes(v[7]));
}
