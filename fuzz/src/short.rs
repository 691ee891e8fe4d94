//! Short messages on all backends at once: some microseconds an execution, so that hours are many millions of them.

use crate::input::Input;
use fairlane::Backend;
use fairlane::dynamic::{Aead, AeadAlgorithm, CipherAlgorithm, HashAlgorithm, KemAlgorithm};
use std::cell::RefCell;
use std::sync::LazyLock;

/// The longest message: more than a block of every algorithm, and more than some kernels' batches of blocks.
const LONGEST: usize = if cfg!(miri) { 70 } else { 320 };

/// The backends of each algorithm that this machine has.
struct Here<A>(Vec<(A, Vec<Backend>)>);

impl<A: Copy> Here<A> {
    fn of(all: &[A], backends: impl Fn(A) -> &'static [Backend]) -> Self {
        let here = |backends: &[Backend]| backends.iter().copied().filter(|backend| backend.is_available()).collect();
        Self(all.iter().map(|algorithm| (*algorithm, here(backends(*algorithm)))).collect())
    }
}

static HASHES: LazyLock<Here<HashAlgorithm>> = LazyLock::new(|| Here::of(HashAlgorithm::ALL, HashAlgorithm::backends));
static CIPHERS: LazyLock<Here<CipherAlgorithm>> =
    LazyLock::new(|| Here::of(CipherAlgorithm::ALL, CipherAlgorithm::backends));
static KEMS: LazyLock<Here<KemAlgorithm>> = LazyLock::new(|| Here::of(KemAlgorithm::ALL, KemAlgorithm::backends));

/// Fills a buffer of the stack, and says how much of it is the message; in half of the inputs, less than 64 bytes.
fn message<'b>(input: &mut Input<'_>, buffer: &'b mut [u8; LONGEST]) -> &'b [u8] {
    let longest = if input.byte().is_multiple_of(2) { 64 } else { LONGEST };
    let len = (usize::from(input.byte()) | usize::from(input.byte()) << 8) % (longest + 1);
    input.fill(&mut buffer[..len]);
    &buffer[..len]
}

/// One message on every backend, whole and in two pieces.
pub(crate) fn hashes(bytes: &[u8]) {
    let (mut input, mut buffer) = (Input(bytes), [0; LONGEST]);
    let (algorithm, backends) = input.choose(&HASHES.0);
    let len = algorithm.output_size().unwrap_or_else(|| usize::from(input.byte()));
    let message = message(&mut input, &mut buffer);
    let cut = usize::from(input.byte()) % (message.len() + 1);
    let [mut expected, mut output] = [[0; 256]; 2];
    algorithm.hash(message, &mut expected[..len], Some(backends[0])).unwrap();
    for backend in backends {
        let mut hasher = algorithm.hasher(Some(*backend)).unwrap();
        hasher.update(&message[..cut]);
        hasher.update(&message[cut..]);
        hasher.finalize_into(&mut output[..len]).unwrap();
        assert_eq!(output[..len], expected[..len], "{algorithm} on {backend} and {}", backends[0]);
    }
}

/// One piece of a keystream from any position on every backend, in place or from buffer to buffer.
pub(crate) fn ciphers(bytes: &[u8]) {
    let (mut input, mut buffer) = (Input(bytes), [0; LONGEST]);
    let (algorithm, backends) = input.choose(&CIPHERS.0);
    let [mut key, mut iv] = [[0; 64]; 2];
    let (key, iv) = (&mut key[..algorithm.key_size()], &mut iv[..algorithm.iv_size()]);
    input.fill(key);
    input.fill(iv);
    let position = u64::from(input.byte()) * 4 / 3;
    let in_place = input.byte() % 2 == 0;
    let message = message(&mut input, &mut buffer);
    let keystream = |backend: Backend, in_place: bool, output: &mut [u8]| {
        let mut cipher = algorithm.cipher(key, iv, Some(backend)).unwrap();
        cipher.seek(position)?;
        if in_place {
            output.copy_from_slice(message);
            cipher.apply(output)
        } else {
            cipher.apply_to(message, output)
        }
    };
    let [mut expected, mut output] = [[0; LONGEST]; 2];
    let (expected, output) = (&mut expected[..message.len()], &mut output[..message.len()]);
    // A counter may begin at the end of its range.
    let done = keystream(backends[0], !in_place, expected).is_ok();
    for backend in backends {
        assert_eq!(keystream(*backend, in_place, output).is_ok(), done, "{algorithm} on {backend}");
        assert!(!done || output == expected, "{algorithm} on {backend} and {}", backends[0]);
    }
}

/// AEADs under keys that stay for some executions, since making them takes longer than a short message. What fails is
/// found again with the seed of the whole run.
struct Keyed {
    aeads: Vec<(AeadAlgorithm, Vec<Box<dyn Aead>>)>,
    /// Executions until the next keys.
    left: u32,
}

thread_local! {
    static KEYED: RefCell<Keyed> = const { RefCell::new(Keyed { aeads: Vec::new(), left: 0 }) };
}

impl Keyed {
    fn make(&mut self, input: &mut Input<'_>) {
        let mut key = [0; 64];
        input.fill(&mut key);
        let on = |algorithm: AeadAlgorithm, backend: Backend| {
            algorithm.aead(&key[..algorithm.key_size()], Some(backend)).unwrap()
        };
        let all = Here::of(AeadAlgorithm::ALL, AeadAlgorithm::backends).0;
        let keyed = all.into_iter().map(|(algorithm, backends)| {
            (algorithm, backends.into_iter().map(|backend| on(algorithm, backend)).collect())
        });
        (self.aeads, self.left) = (keyed.collect(), 4096);
    }
}

/// One message sealed on every backend, opened on one, and opened with a changed bit.
pub(crate) fn aeads(bytes: &[u8]) {
    let (mut input, mut buffer) = (Input(bytes), [0; LONGEST]);
    KEYED.with_borrow_mut(|keyed| {
        if keyed.left == 0 {
            keyed.make(&mut Input(bytes));
        }
        keyed.left -= 1;
        let (algorithm, aeads) = input.choose(&keyed.aeads);
        let [mut nonce, mut header] = [[0; 64]; 2];
        let nonce = &mut nonce[..algorithm.nonce_size()];
        let header = &mut header[..usize::from(input.byte()) % 40];
        input.fill(nonce);
        input.fill(header);
        let message = message(&mut input, &mut buffer);
        let (len, whole) = (message.len(), message.len() + algorithm.tag_size());
        let [mut expected, mut sealed] = [[0; LONGEST + 64]; 2];
        let done = aeads[0].seal(nonce, header, message, &mut expected[..whole]).is_ok();
        for (i, aead) in aeads.iter().enumerate().skip(1) {
            sealed[..len].copy_from_slice(message);
            let (data, tag) = sealed[..whole].split_at_mut(len);
            assert_eq!(aead.seal_in_place(nonce, header, data, tag).is_ok(), done, "{algorithm}, backend {i}");
            assert!(!done || sealed[..whole] == expected[..whole], "{algorithm}, backends 0 and {i}");
        }
        if done {
            let (aead, mut opened) = (input.choose(aeads), [0x5a; LONGEST]);
            aead.open(nonce, header, &expected[..whole], &mut opened[..len]).unwrap();
            assert_eq!(opened[..len], *message, "{algorithm}");
            let bit = (usize::from(input.byte()) | usize::from(input.byte()) << 8) % (8 * whole);
            expected[bit / 8] ^= 1 << (bit % 8);
            opened.fill(0x5a);
            assert!(
                aead.open(nonce, header, &expected[..whole], &mut opened[..len]).is_err(),
                "{algorithm}, bit {bit}"
            );
            assert!(opened.iter().all(|byte| *byte == 0x5a), "nothing is written");
        }
    });
}

/// Encapsulation keys, in half of which one coefficient is not below q: these are refused on all backends, and the
/// others are taken.
pub(crate) fn kem_keys(bytes: &[u8]) {
    const Q: u16 = 3329;
    let (mut input, mut key) = (Input(bytes), [0; 1568]);
    let (algorithm, backends) = input.choose(&KEMS.0);
    let key = &mut key[..algorithm.encapsulation_key_size()];
    input.fill(key);
    let coefficients = match algorithm {
        KemAlgorithm::MlKem512 => 512,
        KemAlgorithm::MlKem768 => 768,
        KemAlgorithm::MlKem1024 => 1024,
        // What others take is said by `kems`.
        _ => return,
    };
    let wrong = (usize::from(input.byte()) | usize::from(input.byte()) << 8) % (2 * coefficients);
    for (i, pair) in key[..coefficients / 2 * 3].chunks_exact_mut(3).enumerate() {
        let number = u32::from_le_bytes([pair[0], pair[1], pair[2], 0]);
        let reduced = [number as u16 & 0xfff, (number >> 12) as u16].map(|x| if x < Q { x } else { x - Q });
        let [mut a, mut b] = reduced;
        if 2 * i == wrong {
            a = Q + reduced[1] % (4096 - Q);
        } else if 2 * i + 1 == wrong {
            b = Q + reduced[0] % (4096 - Q);
        }
        pair.copy_from_slice(&(u32::from(a) | u32::from(b) << 12).to_le_bytes()[..3]);
    }
    for backend in backends {
        let taken = algorithm.encapsulation_key_from_bytes(key, Some(*backend));
        assert_eq!(taken.is_ok(), wrong >= coefficients, "{algorithm} on {backend}, coefficient {wrong}");
        if let Ok(taken) = taken {
            assert_eq!(taken.as_bytes(), key, "{algorithm} on {backend}");
        }
    }
}

/// An encapsulation of every KEM on all backends. With a changed bit, the key in its document's own form decapsulates
/// the ciphertext to another secret.
pub(crate) fn every_kem(bytes: &[u8]) {
    let mut input = Input(bytes);
    let (seeds, m) = (input.bytes(64), input.bytes(64));
    let bit = usize::from(input.byte()) | usize::from(input.byte()) << 8;
    for (algorithm, backends) in &KEMS.0 {
        let (seeds, m) = (&seeds[..algorithm.seeds_size()], &m[..algorithm.randomness_size()]);
        let bit = bit % (8 * algorithm.ciphertext_size());
        let mut expected = None;
        for backend in backends {
            let on = Some(*backend);
            let own = algorithm.decapsulation_key_from_seeds(seeds, on).unwrap();
            let key = algorithm.encapsulation_key_from_bytes(own.encapsulation_key(), on).unwrap();
            let mut ciphertext = vec![0; algorithm.ciphertext_size()];
            let [mut sent, mut received, mut other] = [[0; 32]; 3];
            key.encapsulate(m, &mut ciphertext, &mut sent).unwrap();
            own.decapsulate(&ciphertext, &mut received).unwrap();
            assert_eq!(received, sent, "{algorithm} on {backend}");

            let mut expanded = vec![0; algorithm.expanded_size()];
            own.write_expanded(&mut expanded).unwrap();
            let own = algorithm.decapsulation_key_from_expanded(&expanded, on).unwrap();
            ciphertext[bit / 8] ^= 1 << (bit % 8);
            own.decapsulate(&ciphertext, &mut other).unwrap();
            assert_ne!(other, sent, "{algorithm} on {backend}, bit {bit}");
            if *algorithm != KemAlgorithm::XWing {
                // FIPS 203's J: SHAKE256 of z and the ciphertext.
                let mut rejected = [0; 32];
                HashAlgorithm::Shake256.hash(&[&seeds[32..], &ciphertext].concat(), &mut rejected, None).unwrap();
                assert_eq!(other, rejected, "{algorithm} on {backend}, bit {bit}");
            }
            let all = (expanded, ciphertext, sent, other);
            let expected = expected.get_or_insert_with(|| all.clone());
            assert!(*expected == all, "{algorithm} on {backend} and {}, bit {bit}", backends[0]);
        }
    }
}
