//! zig build-exe -lc example.zig $(pkg-config --cflags --libs fairlane) && ./example

const std = @import("std");

/// A pointer and a length; C's struct of each kind has a type of its own.
const Key = extern struct { bytes: [*]const u8, length: usize };
const Nonce = extern struct { bytes: [*]const u8, length: usize };
const Aead = opaque {};

extern fn fairlane_status_message(status: i32) [*:0]const u8;
extern fn fairlane_hash([*:0]const u8, [*]const u8, usize, [*]u8, usize, ?[*:0]const u8) i32;
extern fn fairlane_hash_rows([*:0]const u8, [*]const u8, usize, usize, usize, [*]u8, usize, ?[*:0]const u8) i32;
extern fn fairlane_aead_new(*?*Aead, [*:0]const u8, Key, ?[*:0]const u8) i32;
extern fn fairlane_aead_seal(?*const Aead, Nonce, ?[*]const u8, usize, [*]const u8, usize, [*]u8, usize) i32;
extern fn fairlane_aead_open(?*const Aead, Nonce, ?[*]const u8, usize, [*]const u8, usize, [*]u8, usize) i32;
extern fn fairlane_aead_free(?*Aead) void;
extern fn printf([*:0]const u8, ...) c_int;

fn must(status: i32) void {
    if (status != 0) @panic(std.mem.span(fairlane_status_message(status)));
}

fn print(what: [*:0]const u8, bytes: []const u8) void {
    _ = printf("%s: ", what);
    for (bytes) |byte| _ = printf("%02x", @as(c_uint, byte));
    _ = printf("\n");
}

pub fn main() void {
    var digest: [32]u8 = undefined;
    must(fairlane_hash("keccak256", "abc", 3, &digest, digest.len, null));
    print("keccak256 of abc", &digest);

    // A thousand rows of 32 bytes: the row's number, little-endian.
    var rows: [32000]u8 = @splat(0);
    var digests: [32000]u8 = undefined;
    for (0..1000) |i| std.mem.writeInt(u16, rows[32 * i ..][0..2], @intCast(i), .little);
    must(fairlane_hash_rows("keccak256", &rows, 32, 32, 1000, &digests, 32, null));
    must(fairlane_hash("keccak256", &digests, digests.len, &digest, digest.len, null));
    print("keccak256 of 1000 hashes", &digest);

    // A real key is random and secret, and a nonce is used once.
    var key: [32]u8 = undefined;
    for (&key, 0..) |*byte, i| byte.* = @intCast(i);
    const message = "a message";
    var sealed: [message.len + 16]u8 = undefined;
    var opened: [message.len]u8 = undefined;
    const once = Nonce{ .bytes = &key, .length = 24 };
    var aead: ?*Aead = null;
    must(fairlane_aead_new(&aead, "xchacha20-poly1305", .{ .bytes = &key, .length = key.len }, null));
    defer fairlane_aead_free(aead);
    must(fairlane_aead_seal(aead, once, null, 0, message, message.len, &sealed, sealed.len));
    must(fairlane_aead_open(aead, once, null, 0, &sealed, sealed.len, &opened, opened.len));
    print("sealed", &sealed);
    if (!std.mem.eql(u8, &opened, message)) @panic("the message has changed");
}
