//! gm-zig as a plug-in: SM3, and SM4 in the modes that it has. `race` puts this file into its `src` and builds it.

const sm3 = @import("sm3.zig");
const sm4 = @import("sm4.zig");
const std = @import("std");

/// The structures of fairlane_contestant.h.
const Contestant = extern struct {
    contest: [*:0]const u8,
    function: ?[*:0]const u8 = null,
    name: [*:0]const u8 = "gm-zig",
    library: [*:0]const u8 = "gm-zig",
    version: [*:0]const u8 = "cf07e2c",
    backend: [*:0]const u8 = "zig, native",
    labels: ?[*:0]const u8 = "not-constant-time",
    how_to_use: [*:0]const u8 = "github.com/zhaozg/gm-zig",
};

const Job = extern struct {
    contest: [*:0]const u8,
    function: [*:0]const u8,
    shape: u32,
    count: usize,
    bytes: usize,
    input_len: usize,
    output_len: usize,
    key: ?[*]const u8,
    key_len: usize,
    iv: ?[*]const u8,
    iv_len: usize,
    aad: ?[*]const u8,
    aad_len: usize,
};

const contestants = [_]Contestant{
    .{ .contest = "sm3/message", .labels = "constant-time" },
    .{ .contest = "sm4/ecb-encrypt" },
    .{ .contest = "sm4/ecb-decrypt" },
    .{ .contest = "sm4/cbc-encrypt" },
    .{ .contest = "sm4/cbc-decrypt" },
    .{ .contest = "sm4/ctr" },
};

/// What is made once: the key schedule is outside of what is timed, the IV inside.
const State = struct {
    job: usize,
    len: usize,
    iv: [16]u8,
    ecb: sm4.SM4_ECB,
    cbc: sm4.SM4_CBC,
    ctr: sm4.SM4_CTR,

    fn once(self: *State, input: []const u8, output: []u8) void {
        switch (self.job) {
            0 => sm3.SM3.hash(input, output[0..32], .{}),
            1 => self.ecb.encrypt(input, output),
            2 => self.ecb.decrypt(input, output),
            3 => {
                self.cbc.iv = self.iv;
                self.cbc.encrypt(input, output);
            },
            4 => {
                self.cbc.iv = self.iv;
                self.cbc.decrypt(input, output);
            },
            else => {
                self.ctr.counter = self.iv;
                self.ctr.encrypt(input, output);
            },
        }
    }
};

export fn fairlane_abi() u32 {
    return 1;
}

export fn fairlane_contestants(count: *usize) [*]const Contestant {
    count.* = contestants.len;
    return &contestants;
}

export fn fairlane_set_up(contestant: usize, job: *const Job) ?*State {
    const state = std.heap.page_allocator.create(State) catch return null;
    var key: [16]u8 = @splat(0);
    if (job.key) |bytes| key = bytes[0..16].*;
    state.job = contestant;
    state.len = job.input_len;
    state.iv = @splat(0);
    if (job.iv) |bytes| state.iv = bytes[0..16].*;
    state.ecb = sm4.SM4_ECB.init(&key);
    state.cbc = sm4.SM4_CBC.init(&key, &state.iv);
    state.ctr = sm4.SM4_CTR.init(&key, &state.iv);
    return state;
}

export fn fairlane_run(state: *State, input: [*]const u8, output: [*]u8, times: u64) c_int {
    const out = output[0..if (state.job == 0) 32 else state.len];
    var left = times;
    while (left > 0) : (left -= 1) {
        state.once(input[0..state.len], out);
        std.mem.doNotOptimizeAway(output); // every time in full
    }
    return 0;
}

export fn fairlane_tear_down(state: *State) void {
    std.heap.page_allocator.destroy(state);
}

export fn fairlane_error() ?[*:0]const u8 {
    return null;
}
