// Rows of `length` bytes, one after the other; one thread hashes one row.
struct Parameters {
    // How many rows there are.
    count: u32,
    // Bytes of a row.
    length: u32,
    // The byte that follows a message: the suffix and the first bit of the padding.
    suffix: u32,
    // Workgroups in a row of the grid, which has two dimensions.
    width: u32,
}

var<immediate> parameters: Parameters;
@group(0) @binding(1) var<uniform> round_constants: array<vec4<u32>, 24>;
@group(0) @binding(2) var<storage, read> messages: array<u32>;
@group(0) @binding(3) var<storage, read_write> outputs: array<vec4<u32>>;

// Four bytes, which may begin anywhere.
fn word_at(offset: u32) -> u32 {
    let shift = (offset & 3u) * 8u;
    let word = messages[offset >> 2u];
    if shift == 0u {
        return word;
    }
    return (word >> shift) | (messages[(offset >> 2u) + 1u] << (32u - shift));
}

// Four bytes of a message that ends with the byte before `end`, with what follows it: the suffix, then zeros.
fn padded_word_at(offset: u32, end: u32, suffix: u32) -> u32 {
    if offset + 4u <= end {
        return word_at(offset);
    }
    if offset > end {
        return 0u;
    }
    if offset == end {
        return suffix;
    }
    let bits = (end - offset) * 8u;
    return (word_at(offset) & ((1u << bits) - 1u)) | (suffix << bits);
}
