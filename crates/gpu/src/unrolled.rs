//! The parts of the shaders that are written out: in WGSL an array stays in registers only where every index is a
//! constant, and no loop is sure to be unrolled.

use std::fmt::Write;

/// Formats a line of a shader.
macro_rules! line {
    ($text:expr, $($line:tt)*) => {
        writeln!($text, $($line)*).expect("a string takes all text")
    };
}

/// Keccak-f\[1600\] (FIPS 202, section 3.3) of a state of 25 lanes, each a pair of words, low and high; and
/// the absorption of a message at a rate of 136 bytes.
pub(crate) fn keccak() -> String {
    let mut text = String::from(
        "alias State = array<vec2<u32>, 25>;\n\
         fn rotl64(a: vec2<u32>, n: u32) -> vec2<u32> { return (a << vec2(n)) | (a.yx >> vec2(32u - n)); }\n\
         fn permute(a: ptr<function, State>) {\n\
         for (var round = 0u; round < 24u; round++) {\n",
    );
    // θ
    for x in 0..5 {
        line!(text, "let c{x} = (*a)[{x}] ^ (*a)[{}] ^ (*a)[{}] ^ (*a)[{}] ^ (*a)[{}];", x + 5, x + 10, x + 15, x + 20);
    }
    for x in 0..5 {
        line!(text, "let d{x} = c{} ^ rotl64(c{}, 1u);", (x + 4) % 5, (x + 1) % 5);
    }
    // ρ and π: lane (x, y) goes to (y, 2x + 3y), rotated by the next triangular number.
    line!(text, "let b0 = (*a)[0] ^ d0;");
    let (mut x, mut y) = (1, 0);
    for t in 0..24 {
        let rotation = (t + 1) * (t + 2) / 2 % 64;
        let lane = format!("(*a)[{}] ^ d{x}", x + 5 * y);
        (x, y) = (y, (2 * x + 3 * y) % 5);
        let to = x + 5 * y;
        match rotation {
            1..32 => line!(text, "let b{to} = rotl64({lane}, {rotation}u);"),
            // A rotation by 32 exchanges the words.
            _ => line!(text, "let b{to} = rotl64(({lane}).yx, {}u);", rotation - 32),
        }
    }
    // χ
    for y in 0..5 {
        for x in 0..5 {
            let lane = |x: usize| x % 5 + 5 * y;
            line!(text, "(*a)[{}] = b{} ^ (~b{} & b{});", lane(x), lane(x), lane(x + 1), lane(x + 2));
        }
    }
    // ι
    line!(text, "(*a)[0] ^= round_constants[round].xy;\n}}\n}}");
    // The words of a block that lie in the message, and the last block with its padding.
    text.push_str("fn absorb_message(a: ptr<function, State>, start: u32, end: u32, suffix: u32) {\n");
    text.push_str("var offset = start;\nwhile offset + 136u <= end {\n");
    for lane in 0..17 {
        line!(text, "(*a)[{lane}] ^= vec2(word_at(offset + {}u), word_at(offset + {}u));", 8 * lane, 8 * lane + 4);
    }
    text.push_str("permute(a);\noffset += 136u;\n}\n");
    for lane in 0..17 {
        let word = |at| format!("padded_word_at(offset + {at}u, end, suffix)");
        line!(text, "(*a)[{lane}] ^= vec2({}, {});", word(8 * lane), word(8 * lane + 4));
    }
    text.push_str("(*a)[16].y ^= 0x80000000u;\npermute(a);\n}\n");
    text
}

/// The round constants of Keccak-f\[1600\], each in 16 bytes, from the shift register of FIPS 202, section 3.2.5.
pub(crate) fn round_constants() -> [u64; 48] {
    let (mut constants, mut register) = ([0; 48], 1_u32);
    for round in 0..24 {
        for j in 0..7 {
            constants[2 * round] |= u64::from(register & 1) << ((1 << j) - 1);
            register <<= 1;
            register ^= (register >> 8) * 0x171;
        }
    }
    constants
}

/// SM3's compression function CF (GB/T 32905-2016, 5.3), and a block's words.
pub(crate) fn sm3() -> String {
    let mut text = String::from("fn load_block(w: ptr<function, array<u32, 16>>, offset: u32, end: u32) {\n");
    for i in 0..16 {
        line!(text, "(*w)[{i}] = reverse_bytes(padded_word_at(offset + {}u, end, 0x80u));", 4 * i);
    }
    text.push_str("}\nfn compress(v: ptr<function, array<u32, 8>>, block: ptr<function, array<u32, 16>>) {\n");
    for i in 0..16 {
        line!(text, "let w{i} = (*block)[{i}];");
    }
    for (i, name) in "abcdefgh".chars().enumerate() {
        line!(text, "let {name}0 = (*v)[{i}];");
    }
    for j in 0..64_u32 {
        let (n, t) = (j + 1, if j < 16 { 0x79cc_4519_u32 } else { 0x7a87_9d8a }.rotate_left(j));
        let (ff, gg) = match j {
            0..16 => (format!("a{j} ^ b{j} ^ c{j}"), format!("e{j} ^ f{j} ^ g{j}")),
            _ => (format!("(a{j} & b{j}) | (a{j} & c{j}) | (b{j} & c{j})"), format!("(e{j} & f{j}) | (~e{j} & g{j})")),
        };
        line!(text, "let r{j} = rotl(a{j}, 12u);\nlet s{j} = rotl(r{j} + e{j} + {t}u, 7u);");
        if j >= 12 {
            let [w16, w13, w9, w6, w3] = [16, 13, 9, 6, 3].map(|before| format!("w{}", j + 4 - before));
            line!(text, "let w{} = p1({w16} ^ {w9} ^ rotl({w3}, 15u)) ^ rotl({w13}, 7u) ^ {w6};", j + 4);
        }
        line!(text, "let a{n} = ({ff}) + d{j} + (s{j} ^ r{j}) + (w{j} ^ w{});", j + 4);
        line!(text, "let e{n} = p0(({gg}) + h{j} + s{j} + w{j});");
        line!(text, "let b{n} = a{j};\nlet c{n} = rotl(b{j}, 9u);\nlet d{n} = c{j};");
        line!(text, "let f{n} = e{j};\nlet g{n} = rotl(f{j}, 19u);\nlet h{n} = g{j};");
    }
    for (i, name) in "abcdefgh".chars().enumerate() {
        line!(text, "(*v)[{i}] ^= {name}64;");
    }
    text.push_str("}\n");
    text
}

/// What ML-KEM's samples take from a state that has just been permuted (FIPS 203, section 4.2.2).
pub(crate) fn samples() -> String {
    let word = |i: usize| format!("(*a)[{}].{}", i / 2, ["x", "y"][i % 2]);
    // SampleNTT (Algorithm 7): a block of SHAKE128.
    let mut text = String::from("fn offer_block(sample: ptr<function, Sample>, a: ptr<function, State>) {\n");
    for i in (0..42).step_by(3) {
        line!(text, "offer_eight(sample, {}, {}, {});", word(i), word(i + 1), word(i + 2));
    }
    // SamplePolyCBD (Algorithm 8) of 128 bytes, from one block of SHAKE256, and of 192 bytes, from two.
    text.push_str("}\nfn store_binomial_2(start: u32, a: ptr<function, State>) {\n");
    for i in 0..32 {
        line!(text, "noise[start + {i}u * parameters.count] = binomial_2({});", word(i));
    }
    text.push_str("}\nfn store_binomial_3(start: u32, a: ptr<function, State>) {\n");
    const BLOCK_WORDS: usize = 34;
    for i in (0..48).step_by(3) {
        let [mut x, y, z] = [i, i + 1, i + 2].map(|i| word(i % BLOCK_WORDS));
        if i < BLOCK_WORDS && i + 2 >= BLOCK_WORDS {
            line!(text, "let before = {x};\npermute(a);");
            x = "before".into();
        }
        line!(text, "store_96(start + {}u * parameters.count, {x}, {y}, {z});", i / 3 * 2);
    }
    text.push_str("}\n");
    text
}

/// What ML-KEM's encryption does with each of the `rank` elements of y.
pub(crate) fn products(rank: usize) -> String {
    let mut text = String::from("fn transform_noise(y: ptr<function, Noise>, key: u32, at: Places) {\n");
    for j in 0..rank {
        line!(text, "(*y)[{j}] = ntt(load_noise(key, {j}u, at.thread), at);");
    }
    for (head, element) in [
        ("multiply_row(y: ptr<function, Noise>, key: u32, i: u32, thread: u32)", "matrix_element(key, i, "),
        ("multiply_key(y: ptr<function, Noise>, key: u32, thread: u32)", "key_element(key, "),
    ] {
        line!(text, "}}\nfn {head} -> Products {{\nvar sums = Products(vec4(0), vec4(0), vec4(0));");
        for j in 0..rank {
            line!(text, "sums = add_products(sums, {element}{j}u, thread), (*y)[{j}]);");
        }
        line!(text, "return sums;");
    }
    text + "}\n"
}
