// Keccak-256 and SHA3-256 of rows: the sponge of FIPS 202, section 4, with a rate of 136 bytes.
@compute @workgroup_size(64)
fn hash_rows(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
    let row = (group.y * parameters.width + group.x) * 64u + thread;
    if row >= parameters.count {
        return;
    }
    let start = row * parameters.length;
    var state: State;
    absorb_message(&state, start, start + parameters.length, parameters.suffix);
    outputs[2u * row] = vec4(state[0], state[1]);
    outputs[2u * row + 1u] = vec4(state[2], state[3]);
}
