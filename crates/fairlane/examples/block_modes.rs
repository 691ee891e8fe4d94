//! Modes of block ciphers: SM4-CBC, SM4-XTS for the sectors of a disk, and DSTU 7624:2014's CTR over Kalyna.
//! `cargo run --example block_modes`
//!
//! None of them notices changes of the data: most programs want an AEAD.

use fairlane::cipher::{BlockModeDecrypt, BlockModeEncrypt, KeyIvInit, StreamCipher};
use fairlane::kalyna::{self, Kalyna256_512};
use fairlane::sm4::{CbcDecryptor, CbcEncryptor, Sm4Xts, XtsError};

fn main() -> Result<(), XtsError> {
    // CBC takes whole blocks. The IV is random, another one for each message.
    let (key, iv) = (rand::random::<[u8; 16]>(), rand::random::<[u8; 16]>());
    let mut blocks = [[3; 16].into(), [3; 16].into()];
    CbcEncryptor::new(&key.into(), &iv.into()).encrypt_blocks(&mut blocks);
    assert_ne!(blocks[0], blocks[1]);
    CbcDecryptor::new(&key.into(), &iv.into()).decrypt_blocks(&mut blocks);
    assert_eq!(blocks, [[3; 16], [3; 16]]);

    // XTS takes 16 bytes or more. The tweak is the number of the sector.
    let disk = Sm4Xts::new(&rand::random())?;
    let tweak = 7u128.to_le_bytes();
    let mut sector = [0; 512];
    disk.encrypt(&tweak, sector.as_mut_slice().into())?;
    disk.decrypt(&tweak, sector.as_mut_slice().into())?;
    assert_eq!(sector, [0; 512]);

    // Kalyna's own modes are generic over its five sizes. The IV of CTR is a block that is used once with a key.
    let (key, iv) = (rand::random::<[u8; 64]>(), rand::random::<[u8; 32]>());
    let mut message = *b"a message of any length";
    kalyna::Ctr::<Kalyna256_512>::new(&key.into(), &iv.into()).apply_keystream(&mut message);
    kalyna::Ctr::<Kalyna256_512>::new(&key.into(), &iv.into()).apply_keystream(&mut message);
    assert_eq!(&message, b"a message of any length");
    Ok(())
}
