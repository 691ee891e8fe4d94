//! SHA3-256 of Zig's standard library, as a plug-in of fairlane's race. Without a C compiler or a header:
//!
//!     zig build-lib -dynamic -O ReleaseFast -mcpu native -femit-bin=sha3.so sha3.zig
//!     fairlane race --plugin ./sha3.so

const std = @import("std");
const builtin = @import("builtin");

/// The structures of fairlane_contestant.h.
const Contestant = extern struct {
    contest: [*:0]const u8,
    function: ?[*:0]const u8 = null,
    name: [*:0]const u8,
    library: ?[*:0]const u8 = null,
    version: ?[*:0]const u8 = null,
    backend: ?[*:0]const u8 = null,
    labels: ?[*:0]const u8 = null,
    how_to_use: ?[*:0]const u8 = null,
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

const contestants = [_]Contestant{.{
    .contest = "sha3-256/message",
    .name = "zig std",
    .library = "Zig's standard library",
    .version = builtin.zig_version_string,
    .backend = @tagName(builtin.cpu.arch),
    .labels = "constant-time",
    .how_to_use = "std.crypto.hash.sha3.Sha3_256",
}};

export fn fairlane_abi() u32 {
    return 1;
}

export fn fairlane_contestants(count: *usize) [*]const Contestant {
    count.* = contestants.len;
    return &contestants;
}

/// All there is to know of a job is the length of a message: the state is that number, which is never 0.
export fn fairlane_set_up(_: usize, job: *const Job) ?*anyopaque {
    return @ptrFromInt(job.input_len);
}

export fn fairlane_run(state: ?*anyopaque, input: [*]const u8, output: *[32]u8, times: u64) c_int {
    const message = input[0..@intFromPtr(state)];
    var left = times;
    while (left > 0) : (left -= 1) {
        std.crypto.hash.sha3.Sha3_256.hash(message, output, .{});
        std.mem.doNotOptimizeAway(output); // every time in full
    }
    return 0;
}

export fn fairlane_tear_down(_: ?*anyopaque) void {}

export fn fairlane_error() ?[*:0]const u8 {
    return null;
}
