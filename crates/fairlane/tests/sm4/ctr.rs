//! Where SM4-CTR's counter carries.

use super::{backends, check, random, rng};
use fairlane::cipher::{StreamCipher, StreamCipherSeek};
use fairlane::sm4::Sm4Ctr;
use fairlane_reference::sm4 as reference;
use rand::RngExt;

/// The bytes of 150 blocks and a part, with a carry into each byte of the counter, and out of the last one, after
/// `before` blocks: inside each kernel's batch, at its ends, and in what is left.
#[test]
fn the_counter_carries_into_every_byte() {
    for before in [0, 1, 2, 3, 4, 7, 8, 15, 16, 31, 33, 63, 64, 65, 127, 130, 150] {
        for bytes in 1..=16 {
            let mut rng = rng(16 * before + bytes);
            let key: [u8; 16] = rng.random();
            let mut iv: [u8; 16] = rng.random();
            iv[16 - bytes..].fill(0xff);
            // After the block whose last `bytes` bytes are 0xff comes the carry.
            let iv = u128::from_be_bytes(iv).wrapping_add(1).wrapping_sub(before as u128).to_be_bytes();
            let plain = random(&mut rng, 16 * 150 + bytes);
            let mut expected = plain.clone();
            reference::ctr(&key, &iv, &mut expected);
            for backend in backends() {
                let cipher = Sm4Ctr::with_backend(&key.into(), &iv.into(), backend).unwrap();
                let context = format!("{backend}, a carry into byte {bytes} from the end after {before} blocks");
                check(&context, &plain, &expected, |data| cipher.clone().apply_keystream_inout(data));

                // From a position on, and byte by byte.
                let from = rng.random_range(0..plain.len());
                let (mut rest, mut slow) = (cipher.clone(), cipher);
                rest.seek(from);
                check(&context, &plain[from..], &expected[from..], |data| rest.clone().apply_keystream_inout(data));
                let mut data = plain.clone();
                data.chunks_mut(1 + bytes).for_each(|piece| slow.apply_keystream(piece));
                assert!(data == expected, "{context}, in pieces");
            }
        }
    }
}

#[test]
fn shows_no_key() {
    use fairlane::cipher::KeyIvInit;
    assert_eq!(format!("{:?}", Sm4Ctr::new(&[0xab; 16].into(), &[0xcd; 16].into())), "Sm4Ctr { .. }");
}
