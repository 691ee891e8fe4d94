//! Runs every operation that has a secret with the secret marked as undefined, for a checker that reports each branch
//! and each address that depends on undefined memory. The module `checker` is `valgrind.rs` or `msan.rs`.
//!
//! Verdicts, such as whether a tag was right, are public: each checker has a list of where the library branches on one.
//! Of ciphertexts, tags and public keys this program says itself that they are public.
//!
//! Exit status: 0 if no operation was reported and every control was, 1 if not, 2 without the checker.

use fairlane::Backend;
use fairlane::aead::{AeadInOut, Key, Nonce};
use fairlane::cipher::consts::U16;
use fairlane::cipher::{
    Block, BlockCipherDecrypt, BlockCipherEncrypt, BlockModeDecrypt, BlockModeEncrypt, BlockSizeUser, InnerIvInit,
    KeySizeUser, StreamCipher, StreamCipherSeek,
};
use fairlane::digest::{ExtendableOutput, FixedOutput, Update};
use fairlane::universal_hash::UniversalHash;
use fairlane::{HashMany, chacha, clwe, ghash, kalyna, keccak, kusumi, ml_kem, poly1305, sm3, sm4, threefish, x_wing};
use std::hint::black_box;
use std::process::ExitCode;

mod checker;
use checker::{public, secret};

/// Bytes that are secret.
fn secret_bytes<const N: usize>() -> [u8; N] {
    let mut bytes = std::array::from_fn(|i| (7 * i + 1) as u8);
    secret(&mut bytes);
    black_box(bytes)
}

/// What an operation says of secrets to everybody, such as whether a tag was right.
#[inline(never)]
fn verdict<E>(mut result: Result<(), E>) -> Result<(), E> {
    public(&mut result);
    black_box(result)
}

/// The lengths of messages: none, parts of blocks, and more than every kernel's batch.
const LENGTHS: &[usize] = &[0, 1, 15, 16, 63, 64, 65, 200, 1500, 4200];

fn message(len: usize) -> Vec<u8> {
    let mut message = vec![0x5a; len];
    secret(&mut message[..]);
    message
}

/// A secret key of a type.
fn key<T: KeySizeUser>() -> Key<T> {
    let mut key = Key::<T>::from_fn(|i| (5 * i + 3) as u8);
    secret(&mut key[..]);
    key
}

/// Counts the reports of each operation.
struct Checks {
    backend: &'static str,
    failed: usize,
    operations: usize,
}

impl Checks {
    /// Runs an operation, which must not be reported.
    fn operation(&mut self, name: &str, operation: impl FnOnce()) {
        let before = checker::reports();
        operation();
        let reports = checker::reports() - before;
        self.operations += 1;
        if reports > 0 {
            println!("  {name} on {}: {reports} reports", self.backend);
            self.failed += 1;
        }
    }

    /// Runs an operation which must be reported.
    fn control(&mut self, name: &str, operation: impl FnOnce()) {
        let before = checker::reports();
        operation();
        let reports = checker::reports() - before;
        println!("  control {name}: {reports} reports");
        self.failed += usize::from(reports == 0);
    }

    /// Sealing, and opening with the right tag and with wrong ones.
    fn aead<A: AeadInOut + KeySizeUser>(&mut self, name: &str, make: impl Fn(&Key<A>) -> Option<A>) {
        self.operation(name, || {
            let Some(cipher) = make(&key::<A>()) else { return };
            for &len in LENGTHS {
                let (nonce, mut data) = (Nonce::<A>::from_fn(|i| i as u8), message(len));
                let mut header = message(len.min(40));
                // Some modes take no message of this length.
                let sealed = cipher.encrypt_inout_detached(&nonce, &header, data.as_mut_slice().into());
                let Ok(mut tag) = sealed else { continue };
                public(&mut data[..]);
                public(&mut tag[..]);
                public(&mut header[..]);
                for wrong in [0, tag.len() - 1] {
                    let mut tag = tag.clone();
                    tag[wrong] ^= 0x80;
                    let opened = cipher.decrypt_inout_detached(&nonce, &header, data.as_mut_slice().into(), &tag);
                    assert!(verdict(opened).is_err());
                }
                let opened = cipher.decrypt_inout_detached(&nonce, &header, data.as_mut_slice().into(), &tag);
                assert!(verdict(opened).is_ok());
            }
        });
    }

    fn stream<C: StreamCipher + StreamCipherSeek>(&mut self, name: &str, make: impl FnOnce() -> Option<C>) {
        self.operation(name, || {
            let Some(mut cipher) = make() else { return };
            for &len in LENGTHS {
                cipher.apply_keystream(&mut message(len));
            }
            cipher.seek(100_u32);
            cipher.apply_keystream(&mut message(300));
        });
    }

    fn blocks<C>(&mut self, name: &str, make: impl FnOnce(&Key<C>) -> Option<C>)
    where
        C: BlockCipherEncrypt + BlockCipherDecrypt + BlockSizeUser + KeySizeUser,
    {
        self.operation(name, || {
            let Some(cipher) = make(&key::<C>()) else { return };
            for count in [1, 2, 3, 7, 64, 150] {
                let mut blocks = vec![Block::<C>::default(); count];
                blocks.iter_mut().for_each(|block| secret(&mut block[..]));
                cipher.encrypt_blocks(&mut blocks);
                cipher.decrypt_blocks(&mut blocks);
                black_box(&blocks);
            }
        });
    }

    fn kalyna<C: kalyna::Kalyna>(&mut self, backend: Backend, name: &str) {
        let iv = Block::<C>::default();
        self.aead(&format!("{name}-GCM"), |key| kalyna::Gcm::<C>::with_backend(key, backend).ok());
        self.aead(&format!("{name}-CCM"), |key| kalyna::Ccm::<C>::with_backend(key, backend).ok());
        self.stream(&format!("{name}-CTR"), || kalyna::Ctr::<C>::with_backend(&key::<C>(), &iv, backend).ok());
        self.operation(&format!("{name}-OFB"), || {
            let Ok(mut cipher) = kalyna::Ofb::<C>::with_backend(&key::<C>(), &iv, backend) else { return };
            cipher.apply_keystream(&mut message(300));
        });
        self.operation(&format!("{name}-CBC"), || {
            let Ok(mut cipher) = kalyna::CbcEncryptor::<C>::with_backend(&key::<C>(), &iv, backend) else { return };
            let mut blocks = vec![iv.clone(); 70];
            blocks.iter_mut().for_each(|block| secret(&mut block[..]));
            cipher.encrypt_blocks(&mut blocks);
            kalyna::CbcDecryptor::<C>::with_backend(&key::<C>(), &iv, backend).unwrap().decrypt_blocks(&mut blocks);
        });
        self.operation(&format!("{name}-CFB"), || {
            for step in [1, iv.len() / 2, iv.len()] {
                let Ok(cipher) = kalyna::Cfb::<C>::with_backend(&key::<C>(), step, backend) else { return };
                let mut data = message(500);
                cipher.encrypt(&iv, data.as_mut_slice().into());
                cipher.decrypt(&iv, data.as_mut_slice().into());
            }
        });
        self.operation(&format!("{name}-XTS"), || {
            let Ok(cipher) = kalyna::Xts::<C>::with_backend(&key::<C>(), backend) else { return };
            for &len in LENGTHS.iter().filter(|len| **len >= iv.len()) {
                let mut data = message(len);
                let _ = cipher.encrypt(&iv, data.as_mut_slice().into());
                let _ = cipher.decrypt(&iv, data.as_mut_slice().into());
            }
        });
        self.operation(&format!("{name}-KW"), || {
            let Ok(kw) = kalyna::Kw::<C>::with_backend(&key::<C>(), backend) else { return };
            let mut buffer = [0; 400];
            for len in [2 * iv.len(), iv.len() + 1, iv.len() + iv.len() / 2, 2 * iv.len() - 1] {
                let (message, padded) = (message(len), len != 2 * iv.len());
                let wrapped =
                    if padded { kw.wrap_padded(&message, &mut buffer) } else { kw.wrap(&message, &mut buffer) };
                let mut wrapped = wrapped.unwrap().to_vec();
                public(&mut wrapped[..]);
                let unwrap = |wrapped: &[u8], output: &mut [u8]| match padded {
                    true => verdict(kw.unwrap_padded(wrapped, output).map(drop)).is_ok(),
                    false => verdict(kw.unwrap(wrapped, output).map(drop)).is_ok(),
                };
                assert!(unwrap(&wrapped, &mut [0; 400]));
                for at in [0, wrapped.len() - 1] {
                    let mut wrong = wrapped.clone();
                    wrong[at] ^= 1;
                    assert!(!unwrap(&wrong, &mut [0; 400]));
                }
            }
        });
        self.operation(&format!("{name}-CMAC, GMAC"), || {
            let Ok(cmac) = kalyna::Cmac::<C>::with_backend(&key::<C>(), backend) else { return };
            for &len in LENGTHS {
                black_box(cmac.clone().chain(message(len)).finalize_fixed());
                let gmac = kalyna::Gmac::<C>::with_backend(&key::<C>(), backend).unwrap();
                black_box(gmac.chain(message(len)).finalize_fixed());
            }
        });
    }

    fn arx(&mut self, backend: Backend) {
        self.aead("ChaCha20-Poly1305", |key| chacha::ChaCha20Poly1305::with_backend(key, backend).ok());
        self.aead("XChaCha20-Poly1305", |key| chacha::XChaCha20Poly1305::with_backend(key, backend).ok());
        self.aead("Kusumi512-Poly1305", |key| kusumi::Kusumi512Poly1305::with_backend(key, backend).ok());
        self.stream("ChaCha20", || {
            chacha::ChaCha20::with_backend(&secret_bytes().into(), &[1; 12].into(), backend).ok()
        });
        self.stream("XChaCha20", || {
            chacha::XChaCha20::with_backend(&secret_bytes().into(), &[1; 24].into(), backend).ok()
        });
        self.stream("Kusumi-512", || {
            kusumi::Kusumi512::with_backend(&secret_bytes().into(), &[1; 12].into(), backend).ok()
        });
        self.stream("Threefish-512-CTR", || {
            threefish::Threefish512Ctr::with_backend(&secret_bytes().into(), &[1; 64].into(), backend).ok()
        });
        self.blocks("Threefish-256", |key| threefish::Threefish256::with_backend(key, backend).ok());
        self.blocks("Threefish-512", |key| threefish::Threefish512::with_backend(key, backend).ok());
        self.blocks("Threefish-1024", |key| threefish::Threefish1024::with_backend(key, backend).ok());
        self.operation("Poly1305", || {
            for &len in LENGTHS {
                let Ok(mut mac) = poly1305::Poly1305::with_backend(&secret_bytes(), backend) else { return };
                mac.update(&message(len));
                let mut tag = mac.clone().finalize();
                public(&mut tag);
                assert!(verdict(mac.clone().verify(&tag)).is_ok());
                tag[15] ^= 1;
                assert!(verdict(mac.verify(&tag)).is_err());
            }
        });
    }

    fn sm4(&mut self, backend: Backend) {
        let iv = [2; 16].into();
        self.blocks("SM4", |key| sm4::Sm4::with_backend(key, backend).ok());
        self.aead("SM4-GCM", |key| sm4::Sm4Gcm::with_backend(key, backend).ok());
        // The nonce is hashed, so that the first counter is secret.
        self.aead("SM4-GCM, nonces of 16 bytes", |key| sm4::Gcm::<U16>::with_backend(key, backend).ok());
        self.aead("SM4-CCM", |key| sm4::Sm4Ccm::with_backend(key, backend).ok());
        self.stream("SM4-CTR", || sm4::Sm4Ctr::with_backend(&secret_bytes().into(), &iv, backend).ok());
        self.operation("SM4-CBC", || {
            let Ok(cipher) = sm4::Sm4::with_backend(&secret_bytes().into(), backend) else { return };
            let mut blocks = [[3; 16].into(); 150];
            blocks.iter_mut().for_each(secret);
            sm4::cbc::Encryptor::inner_iv_init(&cipher, &iv).encrypt_blocks(&mut blocks);
            sm4::cbc::Decryptor::inner_iv_init(&cipher, &iv).decrypt_blocks(&mut blocks);
            sm4::cbc::encrypt_many_inout(blocks.chunks_mut(3).map(|blocks| sm4::cbc::Message {
                cipher: &cipher,
                iv: [2; 16],
                blocks: blocks.into(),
            }));
        });
        self.operation("SM4-XTS", || {
            let ieee = sm4::Sm4Xts::with_backend(&secret_bytes(), backend);
            let gb = sm4::Sm4XtsGb::with_backend(&secret_bytes(), backend);
            let (Ok(ieee), Ok(gb)) = (ieee, gb) else { return };
            for &len in LENGTHS.iter().filter(|len| **len >= 16) {
                let mut data = message(len);
                ieee.encrypt(&[2; 16], data.as_mut_slice().into()).unwrap();
                ieee.decrypt(&[2; 16], data.as_mut_slice().into()).unwrap();
                gb.encrypt(&[2; 16], data.as_mut_slice().into()).unwrap();
                gb.decrypt(&[2; 16], data.as_mut_slice().into()).unwrap();
            }
        });
        self.operation("GHASH", || {
            let Ok(mut hash) = ghash::GHash::with_backend(&secret_bytes(), backend) else { return };
            LENGTHS.iter().for_each(|len| hash.update_padded(&message(*len)));
            black_box(hash.finalize());
        });
    }

    /// Hashes of secret messages.
    fn hashes(&mut self, backend: Backend) {
        self.operation("Keccak", || {
            for &len in LENGTHS {
                let Ok(hasher) = keccak::Keccak256::with_backend(backend) else { return };
                black_box(hasher.chain(message(len)).finalize_fixed());
                let shake = keccak::Shake128::with_backend(backend).unwrap();
                shake.chain(message(len)).finalize_xof_into(&mut [0; 500]);
            }
            let kt128 = keccak::Kt128::with_backend(backend, b"").unwrap();
            kt128.chain(message(40_000)).finalize_xof_into(&mut [0; 100]);
            let messages: Vec<_> = LENGTHS.iter().map(|len| message(*len)).collect();
            keccak::Keccak256::hash_many_with(backend, &messages, &mut [[0; 32]; LENGTHS.len()]).unwrap();
        });
        self.operation("SM3", || {
            for &len in LENGTHS {
                let Ok(hasher) = sm3::Sm3::with_backend(backend) else { return };
                black_box(hasher.chain(message(len)).finalize_fixed());
            }
            let messages: Vec<_> = LENGTHS.iter().map(|len| message(*len)).collect();
            sm3::Sm3::hash_many_with(backend, &messages, &mut [[0; 32]; LENGTHS.len()]).unwrap();
        });
    }

    /// Key generation, encapsulation and decapsulation, also of damaged ciphertexts, with keys as seeds and as bytes.
    fn kem<P: ml_kem::ParameterSet>(&mut self, backend: Backend, name: &str) {
        let damaged = |ciphertext: &ml_kem::Ciphertext<P>, at: usize| {
            let mut damaged = ciphertext.clone();
            damaged[at] ^= 1;
            damaged
        };
        self.operation(name, || {
            let (d, z) = (secret_bytes(), secret_bytes());
            let Ok(key) = ml_kem::DecapsulationKey::<P>::with_backend(&d, &z, backend) else { return };
            let mut bytes = key.encapsulation_key().as_bytes().to_vec();
            public(&mut bytes[..]);
            let public_key = ml_kem::EncapsulationKey::<P>::with_backend(&bytes, backend).unwrap();
            let (mut ciphertext, shared) = public_key.encapsulate_deterministic(&secret_bytes());
            public(&mut ciphertext[..]);
            black_box(shared);
            // ŝ, the encapsulation key, its hash, and z: the second and the third are public.
            let mut expanded = key.to_expanded();
            let s_hat = 384 * ((expanded.len() - 96) / 768);
            let z = expanded.len() - 32;
            public(&mut expanded[s_hat..z]);
            let prepared = ml_kem::PreparedDecapsulationKey::<P>::with_backend(&expanded, backend).unwrap();
            let last = ciphertext.len() - 1;
            for ciphertext in [ciphertext.clone(), damaged(&ciphertext, 0), damaged(&ciphertext, last)] {
                black_box(prepared.decapsulate(&ciphertext));
                black_box(ml_kem::decapsulate_expanded_with_backend::<P>(&expanded, &ciphertext, backend).is_ok());
            }
            black_box(prepared.to_expanded());
        });
        self.operation(&format!("{name}, batches"), || {
            // A whole group of eight, and a part of one.
            const COUNT: usize = 11;
            let mut seeds = [ml_kem::Seeds::default(); COUNT];
            seeds.iter_mut().for_each(|seeds| secret(&mut seeds[..]));
            let (mut keys, mut workspace) = ([const { None }; COUNT], Box::<ml_kem::Workspace>::default());
            if ml_kem::keygen_many_with_backend::<P>(&seeds, &mut keys, &mut workspace, backend).is_err() {
                return;
            }
            let keys = keys.map(|key| key.expect("made"));
            let public_keys: Vec<_> = keys
                .iter()
                .map(|key| {
                    let mut bytes = key.encapsulation_key().as_bytes().to_vec();
                    public(&mut bytes[..]);
                    ml_kem::EncapsulationKey::<P>::with_backend(&bytes, backend).unwrap()
                })
                .collect();
            let messages = [(); COUNT].map(|()| secret_bytes());
            let mut ciphertexts = vec![ml_kem::Ciphertext::<P>::default(); COUNT];
            let mut secrets = [ml_kem::SharedSecret::default(); COUNT];
            ml_kem::encapsulate_many(&public_keys, &messages, &mut ciphertexts, &mut secrets, &mut workspace).unwrap();
            ciphertexts.iter_mut().for_each(|ciphertext| public(&mut ciphertext[..]));
            ciphertexts[3] = damaged(&ciphertexts[3], 0);
            ml_kem::decapsulate_many(&keys, &ciphertexts, &mut secrets, &mut workspace).unwrap();
            black_box(secrets);
        });
    }

    /// The same of X-Wing, whose keys are seeds.
    fn x_wing(&mut self, backend: Backend) {
        self.operation("X-Wing", || {
            let Ok(key) = x_wing::DecapsulationKey::with_backend(&secret_bytes(), backend) else { return };
            let mut bytes = key.encapsulation_key().as_bytes().to_vec();
            public(&mut bytes[..]);
            let public_key = x_wing::EncapsulationKey::with_backend(&bytes, backend).unwrap();
            let (mut ciphertext, shared) = public_key.encapsulate_deterministic(&secret_bytes());
            public(&mut ciphertext[..]);
            black_box(shared);
            black_box(key.decapsulate(&ciphertext));
            // A byte of ML-KEM's part, and one of X25519's.
            for at in [0, ciphertext.len() - 1] {
                let mut damaged = ciphertext.clone();
                damaged[at] ^= 1;
                black_box(key.decapsulate(&damaged));
            }
        });
    }
}

fn main() -> ExitCode {
    if !checker::is_running() {
        println!("this program is run by bash .ci/outside/memcheck");
        return ExitCode::from(2);
    }
    let mut checks = Checks { backend: "", failed: 0, operations: 0 };
    checks.control("branch", || {
        if black_box(secret_bytes::<1>()[0]) > 7 {
            black_box(());
        }
    });
    checks.control("address", || {
        let table: [u8; 256] = std::array::from_fn(|i| i as u8);
        black_box(black_box(&table)[usize::from(black_box(secret_bytes::<1>()[0]))]);
    });
    for &backend in Backend::ALL.iter().filter(|backend| backend.is_available()) {
        checks.backend = backend.name();
        checks.arx(backend);
        checks.sm4(backend);
        checks.hashes(backend);
        checks.kalyna::<kalyna::Kalyna128_128>(backend, "Kalyna-128/128");
        checks.kalyna::<kalyna::Kalyna128_256>(backend, "Kalyna-128/256");
        checks.kalyna::<kalyna::Kalyna256_256>(backend, "Kalyna-256/256");
        checks.kalyna::<kalyna::Kalyna256_512>(backend, "Kalyna-256/512");
        checks.kalyna::<kalyna::Kalyna512_512>(backend, "Kalyna-512/512");
        checks.kem::<ml_kem::MlKem512>(backend, "ML-KEM-512");
        checks.kem::<ml_kem::MlKem768>(backend, "ML-KEM-768");
        checks.kem::<ml_kem::MlKem1024>(backend, "ML-KEM-1024");
        checks.kem::<clwe::Clwe512>(backend, "CLWE-512");
        checks.kem::<clwe::Clwe768>(backend, "CLWE-768");
        checks.kem::<clwe::Clwe1024>(backend, "CLWE-1024");
        checks.x_wing(backend);
    }
    println!("  {} operations, {} failed", checks.operations, checks.failed);
    ExitCode::from(u8::from(checks.failed > 0))
}
