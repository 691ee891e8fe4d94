//! What algorithms by name leave behind: after each operation, the stack below the caller, the registers and all memory
//! that was given back to the allocator are searched for every secret that a KEM's operation had, and for the keys of
//! AEADs, ciphers, block modes and sealed files. A thread's stack is painted before, so that nothing else is found
//! there. The paint also shows how much of the stack an operation needs.

mod common;

use fairlane::Backend;
use fairlane::dynamic::{
    Aead, AeadAlgorithm, BlockMode, BlockModeAlgorithm, CipherAlgorithm, DecapsulationKey, EncapsulationKey,
    HashAlgorithm, KemAlgorithm, StreamCipher,
};
use fairlane::keccak::shake256;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::hint::black_box;
use std::mem::MaybeUninit;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Bytes of stack that are painted and searched: several times what any operation needs.
const SEARCHED: usize = 512 << 10;

/// Bytes of stack that one call of a hash, a cipher, a block mode or an AEAD may take.
const SMALL: usize = 16 << 10;

/// Bytes of stack that the making or copying of an object may take, which is moved several times.
const OF_AN_OBJECT: usize = 40 << 10;

/// Bytes of stack that one call for a KEM's key may take. Batches that are given a workspace take less: see `kems.rs`.
const OF_A_KEM: usize = 128 << 10;

/// What the stack is painted with.
const PAINT: u8 = 0xa5;

/// Bytes of a secret of which none may be found together.
const WINDOW: usize = 16;

#[inline(never)]
fn paint() {
    black_box(&mut [PAINT; SEARCHED]);
    // A thread begins with the vectors of the one that made it.
    fairlane_lanes::clear_registers();
}

/// Calls the operation, and copies what its last instructions left in registers.
#[inline(never)]
fn call(operation: impl FnOnce(), registers: &mut Registers) {
    operation();
    registers.copy();
}

/// The registers: vectors, and numbers.
struct Registers {
    vectors: [[u8; 64]; 32],
    numbers: [u64; 16],
}

impl Registers {
    const NONE: Self = Self { vectors: [[0; 64]; 32], numbers: [0; 16] };

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn copy(&mut self) {
        use std::arch::asm;
        macro_rules! vectors {
            ($instruction:literal, $kind:literal: $($i:literal)*) => {
                asm!($(concat!($instruction, " [{to} + 64 * ", $i, "], ", $kind, $i)),*,
                    to = in(reg) &raw mut self.vectors, options(nostack, preserves_flags))
            };
        }
        // SAFETY: `numbers` has room for 16 registers, and `vectors` for 32 of the longest; the CPU has those that are
        // stored.
        unsafe {
            asm!("mov [rdi], rax", "mov [rdi + 8], rbx", "mov [rdi + 16], rcx", "mov [rdi + 24], rdx",
                "mov [rdi + 32], rsi", "mov [rdi + 40], rbp", "mov [rdi + 48], r8", "mov [rdi + 56], r9",
                "mov [rdi + 64], r10", "mov [rdi + 72], r11", "mov [rdi + 80], r12", "mov [rdi + 88], r13",
                "mov [rdi + 96], r14", "mov [rdi + 104], r15",
                in("rdi") &raw mut self.numbers, options(nostack, preserves_flags));
            if is_x86_feature_detected!("avx512f") {
                vectors!("vmovdqu64", "zmm": 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27
                    28 29 30 31);
            } else if is_x86_feature_detected!("avx") {
                vectors!("vmovdqu", "ymm": 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
            } else {
                vectors!("movdqu", "xmm": 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
            }
        }
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn copy(&mut self) {}
}

/// Keeps the bytes of what is given back by a thread that asks for it.
struct Recorder;

#[global_allocator]
static RECORDER: Recorder = Recorder;

thread_local! {
    static RECORDING: Cell<bool> = const { Cell::new(false) };
}

/// The bytes, and how many they are.
static FREED: Mutex<([u8; 4 << 20], usize)> = Mutex::new(([0; 4 << 20], 0));

// SAFETY: the system's allocator does all the work.
unsafe impl GlobalAlloc for Recorder {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        if RECORDING.get() {
            let mut freed = FREED.lock().unwrap();
            let (bytes, len) = &mut *freed;
            for i in 0..layout.size() {
                // SAFETY: it is the caller's until it is given back below. Some of it may never have been written.
                bytes[*len + i] = unsafe { place.add(i).read_volatile() };
            }
            *len += layout.size();
        }
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(place, layout) }
    }
}

/// Copies the stack below this frame, from the lowest address on.
#[inline(never)]
fn copy_stack(into: &mut [u8]) {
    let here = 0_u64;
    let bottom = (&raw const here).expose_provenance() - into.len();
    let (words, rest) = into.as_chunks_mut();
    assert!(rest.is_empty());
    for (at, word) in words.iter_mut().enumerate() {
        // SAFETY: this thread's stack, which `paint` has used to this depth. Nobody writes there now; as it belongs to
        // no variable, Rust promises nothing of its value, which is what is asked for.
        *word = unsafe { std::ptr::with_exposed_provenance::<u64>(bottom + 8 * at).read_volatile() }.to_ne_bytes();
    }
    black_box(&here);
}

/// What an operation left behind.
struct Left {
    stack: Vec<u8>,
    registers: Registers,
    freed: Vec<u8>,
}

fn after(operation: impl FnOnce() + Send) -> Left {
    // One operation at a time: what is given back is written down in one place.
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let mut left = Left { stack: vec![0; SEARCHED - 4096], registers: Registers::NONE, freed: Vec::new() };
    thread::scope(|scope| {
        let copy = || {
            paint();
            RECORDING.set(true);
            call(operation, &mut left.registers);
            copy_stack(&mut left.stack);
            RECORDING.set(false);
        };
        thread::Builder::new().stack_size(4 * SEARCHED).spawn_scoped(scope, copy).unwrap().join().unwrap();
    });
    // What no call has reached takes most of the time to search.
    let untouched = 64 * left.stack.as_chunks().0.iter().take_while(|part| **part == [PAINT; 64]).count();
    left.stack.drain(..untouched.saturating_sub(WINDOW));
    let mut freed = FREED.lock().unwrap();
    let (bytes, len) = &mut *freed;
    left.freed = bytes[..std::mem::take(len)].to_vec();
    left
}

impl Left {
    /// How many bytes of the stack the operation has touched, and up to 63 more.
    fn depth(&self) -> usize {
        self.stack.len().saturating_sub(WINDOW)
    }

    /// Where a part of the secret was found.
    fn found(&self, secret: &[u8]) -> Vec<String> {
        let stack = places(&self.stack, secret).map(|at| format!("depth {}", self.stack.len() - at));
        let freed = places(&self.freed, secret).map(|at| format!("freed byte {at}"));
        let vectors = places(self.registers.vectors.as_flattened(), secret).map(|at| format!("vector {}", at / 64));
        let numbers =
            self.registers.numbers.iter().filter(|number| secret.as_chunks().0.contains(&number.to_le_bytes()));
        stack.chain(freed).chain(vectors).chain(numbers.map(|number| format!("number {number:x}"))).collect()
    }
}

fn places<'a>(bytes: &'a [u8], secret: &'a [u8]) -> impl Iterator<Item = usize> + 'a {
    let windows: Vec<&[u8]> = secret.chunks_exact(WINDOW).collect();
    // Most places differ from every window in the first byte.
    let mut first = [false; 256];
    windows.iter().for_each(|window| first[usize::from(window[0])] = true);
    let is_part = move |bytes: &[u8]| first[usize::from(bytes[0])] && windows.contains(&bytes);
    bytes.windows(WINDOW).enumerate().filter(move |(_, bytes)| is_part(bytes)).map(|(at, _)| at)
}

/// Checks that an operation has left no secret and, on x86-64, has taken no more than `most` bytes of stack.
#[track_caller]
fn assert_clean_within(most: usize, what: &str, left: &Left, secrets: &[(&str, &[u8])]) {
    assert!(left.depth() <= most || !cfg!(target_arch = "x86_64"), "{what}: {} bytes of stack", left.depth());
    assert_clean(what, left, secrets);
}

#[track_caller]
fn assert_clean(what: &str, left: &Left, secrets: &[(&str, &[u8])]) {
    for (name, secret) in secrets {
        let places = left.found(secret);
        assert!(places.is_empty(), "{what}: {name}: {places:?}");
    }
}

#[test]
fn a_secret_that_stays_is_found() {
    #[inline(never)]
    fn careless(secret: &[u8; 32]) {
        let mut copy = [0; 32];
        copy.copy_from_slice(secret);
        black_box(&copy);
    }
    let secret: Vec<u8> = (1..33).collect();
    let left = after(|| careless(secret[..].try_into().unwrap()));
    assert!(left.found(&secret).iter().any(|place| place.starts_with("depth")), "the search finds what is there");
    let left = after(|| drop(black_box(secret.clone())));
    assert!(left.found(&secret).iter().any(|place| place.starts_with("freed")), "the search finds what is there");
    assert!(after(|| ()).found(&secret).is_empty());
}

fn seeds(kem: KemAlgorithm, number: u8) -> Vec<u8> {
    let mut seeds = vec![0; kem.seeds_size()];
    shake256(&[kem.ciphertext_size() as u8, number], &mut seeds);
    seeds
}

#[test]
fn kems_by_name_leave_nothing() {
    for &kem in KemAlgorithm::ALL {
        for backend in common::backends("ml-kem") {
            leave_nothing(kem, backend);
        }
    }
}

fn leave_nothing(kem: KemAlgorithm, backend: Backend) {
    let seeds = seeds(kem, 1);
    // What X-Wing expands its seed to.
    let mut expanded_seed = vec![0; 96];
    shake256(&seeds, &mut expanded_seed);
    let mut own: Option<Box<dyn DecapsulationKey>> = None;
    let of_key = [("the seeds", &seeds[..]), ("the expanded seed", &expanded_seed)];
    let name = |what: &str| format!("{kem} on {backend}: {what}");

    let left = after(|| own = Some(kem.decapsulation_key_from_seeds(&seeds, Some(backend)).unwrap()));
    assert_clean_within(OF_A_KEM, &name("key generation"), &left, &of_key);
    let own = own.unwrap();
    let mut expanded = vec![0; kem.expanded_size()];
    let left = after(|| own.write_expanded(&mut expanded).unwrap());
    // The packed secret vector stands first; the end of a key of FIPS 203 is z.
    let packed = expanded[..32].to_vec();
    let of_key = [of_key[0], of_key[1], ("the packed secret vector", &packed)];
    assert_clean_within(OF_A_KEM, &name("the expanded key"), &left, &of_key);

    let key: Box<dyn EncapsulationKey> =
        kem.encapsulation_key_from_bytes(own.encapsulation_key(), Some(backend)).unwrap();
    let mut randomness = vec![0; kem.randomness_size()];
    shake256(b"randomness", &mut randomness);
    let (mut sent, mut secret, mut received) = (vec![0; kem.ciphertext_size()], vec![0; 32], vec![0; 32]);
    let left = after(|| key.encapsulate(&randomness, &mut sent, &mut secret).unwrap());
    let of_sending = [("the randomness", &randomness[..]), ("the shared secret", &secret)];
    assert_clean_within(OF_A_KEM, &name("encapsulation"), &left, &of_sending);

    let mut from_expanded: Option<Box<dyn DecapsulationKey>> = None;
    let bytes = &expanded;
    let make = || from_expanded = Some(kem.decapsulation_key_from_expanded(bytes, Some(backend)).unwrap());
    assert_clean_within(OF_A_KEM, &name("a key from its expanded form"), &after(make), &of_key);
    let [mut prepared, mut copied]: [Option<Box<dyn DecapsulationKey>>; 2] = [None, None];
    assert_clean_within(OF_A_KEM, &name("a prepared key"), &after(|| prepared = Some(own.prepare())), &of_key);
    assert_clean_within(OF_A_KEM, &name("a copy"), &after(|| copied = Some(own.clone())), &of_key);
    for own in [&own, &from_expanded.unwrap(), &prepared.unwrap(), &copied.unwrap()] {
        let of_receiving = [of_key[0], of_key[1], of_key[2], of_sending[0], of_sending[1]];
        assert_clean_within(
            OF_A_KEM,
            &name("decapsulation"),
            &after(|| own.decapsulate(&sent, &mut received).unwrap()),
            &of_receiving,
        );
        assert_eq!(received, secret);
        let mut damaged = sent.clone();
        damaged[7] ^= 1;
        let mut rejected = vec![0; 32];
        let left = after(|| own.decapsulate(&damaged, &mut rejected).unwrap());
        assert_clean_within(
            OF_A_KEM,
            &name("rejection"),
            &left,
            &[("the secret of rejection", &rejected), of_receiving[0]],
        );
    }

    let many: Vec<u8> = (0..11).flat_map(|number| self::seeds(kem, number)).collect();
    let mut made = Vec::new();
    let left = after(|| made = kem.generate_many(&many, Some(backend)).unwrap());
    assert_clean_within(OF_A_KEM, &name("many keys"), &left, &[("the seeds", &many)]);
    let own: Vec<_> = made.iter().map(|key| &**key).collect();
    let keys: Vec<_> = own
        .iter()
        .map(|key| kem.encapsulation_key_from_bytes(key.encapsulation_key(), Some(backend)).unwrap())
        .collect();
    let keys: Vec<_> = keys.iter().map(|key| &**key).collect();
    let mut randomness = vec![0; keys.len() * kem.randomness_size()];
    shake256(b"much randomness", &mut randomness);
    let (mut sent, mut secrets) = (vec![0; keys.len() * kem.ciphertext_size()], vec![0; 32 * keys.len()]);
    let left = after(|| kem.encapsulate_many(&keys, &randomness, &mut sent, &mut secrets).unwrap());
    let of_sending = [("the randomness", &randomness[..]), ("the shared secrets", &secrets)];
    assert_clean_within(OF_A_KEM, &name("many encapsulations"), &left, &of_sending);
    let mut received = vec![0; secrets.len()];
    let left = after(|| kem.decapsulate_many(&own, &sent, &mut received).unwrap());
    assert_clean_within(
        OF_A_KEM,
        &name("many decapsulations"),
        &left,
        &[of_sending[0], of_sending[1], ("the seeds", &many)],
    );
    assert_eq!(received, secrets);
}

/// A key without a pattern.
fn key(len: usize) -> Vec<u8> {
    let mut key = vec![0; len];
    shake256(b"key", &mut key);
    key
}

/// The lengths of messages: parts of blocks, numbers of blocks for which kernels differ, and more than any one's batch.
const LENGTHS: [usize; 9] = [13, 64, 128, 200, 256, 300, 700, 1000, 5000];

#[test]
fn aeads_by_name_leave_no_key() {
    for &algorithm in AeadAlgorithm::ALL {
        for &backend in algorithm.backends().iter().filter(|backend| backend.is_available()) {
            let name = |what: &str| format!("{algorithm} on {backend}: {what}");
            let (key, nonce) = (key(algorithm.key_size()), vec![9; algorithm.nonce_size()]);
            let mut secrets = vec![("the key", &key[..])];
            let one_time = poly1305_key(algorithm, &key, &nonce);
            secrets.extend(one_time.as_deref().map(|key| ("the key of Poly1305", key)));
            let mut aead: Option<Box<dyn Aead>> = None;
            let left = after(|| aead = Some(algorithm.aead(&key, Some(backend)).unwrap()));
            assert_clean_within(OF_AN_OBJECT, &name("its making"), &left, &secrets);
            let aead = aead.unwrap();
            for len in LENGTHS {
                let (message, mut sealed) = (vec![7; len], vec![0; len + algorithm.tag_size()]);
                let left = after(|| aead.seal(&nonce, b"header", &message, &mut sealed).unwrap());
                assert_clean_within(SMALL, &name("sealing"), &left, &secrets);
                let mut opened = vec![0; len];
                let left = after(|| aead.open(&nonce, b"header", &sealed, &mut opened).unwrap());
                assert_clean_within(SMALL, &name("opening"), &left, &secrets);
                sealed[len] ^= 1;
                let left = after(|| assert!(aead.open(&nonce, b"header", &sealed, &mut opened).is_err()));
                assert_clean_within(SMALL, &name("refusing"), &left, &secrets);
            }
            let mut copy = None;
            assert_clean_within(OF_AN_OBJECT, &name("a copy"), &after(|| copy = Some(aead.clone())), &secrets);
            assert_clean_within(SMALL, &name("its end"), &after(|| drop(aead)), &secrets);
            let (mut memory, mut placed) = (vec![MaybeUninit::uninit(); algorithm.memory_size()], None);
            let left = after(|| placed = Some(algorithm.aead_in(&key, Some(backend), &mut memory).unwrap()));
            assert_clean_within(OF_AN_OBJECT, &name("its making in memory of the caller's"), &left, &secrets);
            assert_clean_within(SMALL, &name("its end there"), &after(|| drop(placed)), &secrets);
        }
    }
}

/// The first 32 bytes of the keystream of an AEAD with Poly1305.
fn poly1305_key(algorithm: AeadAlgorithm, key: &[u8], nonce: &[u8]) -> Option<Vec<u8>> {
    let cipher = match algorithm {
        AeadAlgorithm::ChaCha20Poly1305 => CipherAlgorithm::ChaCha20,
        AeadAlgorithm::XChaCha20Poly1305 => CipherAlgorithm::XChaCha20,
        AeadAlgorithm::Kusumi512Poly1305 => CipherAlgorithm::Kusumi512,
        _ => return None,
    };
    let mut first = vec![0; 32];
    cipher.cipher(key, nonce, None).unwrap().apply(&mut first).unwrap();
    Some(first)
}

#[test]
fn ciphers_by_name_leave_no_key() {
    for &algorithm in CipherAlgorithm::ALL {
        for &backend in algorithm.backends().iter().filter(|backend| backend.is_available()) {
            let name = |what: &str| format!("{algorithm} on {backend}: {what}");
            let (key, iv) = (key(algorithm.key_size()), vec![9; algorithm.iv_size()]);
            let secrets = [("the key", &key[..])];
            let mut cipher: Option<Box<dyn StreamCipher>> = None;
            let left = after(|| cipher = Some(algorithm.cipher(&key, &iv, Some(backend)).unwrap()));
            assert_clean_within(OF_AN_OBJECT, &name("its making"), &left, &secrets);
            let mut cipher = cipher.unwrap();
            for len in LENGTHS {
                let mut data = vec![7; len];
                let mut left = after(|| cipher.apply(&mut data).unwrap());
                // Others keep what is in registers: clearing would take too much of the time of a short piece.
                if algorithm != CipherAlgorithm::Threefish512Ctr {
                    left.registers = Registers::NONE;
                }
                assert_clean_within(SMALL, &name(&format!("a piece of {len} bytes")), &left, &secrets);
            }
            assert_clean_within(SMALL, &name("seeking"), &after(|| cipher.seek(777).unwrap()), &secrets);
            assert_clean_within(SMALL, &name("its end"), &after(|| drop(cipher)), &secrets);
            let (mut memory, mut placed) = (vec![MaybeUninit::uninit(); algorithm.memory_size()], None);
            let left = after(|| placed = Some(algorithm.cipher_in(&key, &iv, Some(backend), &mut memory).unwrap()));
            assert_clean_within(OF_AN_OBJECT, &name("its making in memory of the caller's"), &left, &secrets);
            assert_clean_within(SMALL, &name("its end there"), &after(|| drop(placed)), &secrets);
        }
    }
}

#[test]
fn block_modes_by_name_leave_no_key() {
    for &algorithm in BlockModeAlgorithm::ALL {
        for &backend in algorithm.backends().iter().filter(|backend| backend.is_available()) {
            let name = |what: &str| format!("{algorithm} on {backend}: {what}");
            let (key, iv) = (key(algorithm.key_size()), vec![9; algorithm.iv_size()]);
            let secrets = [("the key", &key[..])];
            let mut mode: Option<Box<dyn BlockMode>> = None;
            let left = after(|| mode = Some(algorithm.mode(&key, Some(backend)).unwrap()));
            assert_clean_within(OF_AN_OBJECT, &name("its making"), &left, &secrets);
            let mode = mode.unwrap();
            for blocks in [1, 80] {
                let mut data = vec![7; blocks * algorithm.block_size()];
                let left = after(|| mode.encrypt_in_place(&iv, &mut data).unwrap());
                assert_clean_within(SMALL, &name("encryption"), &left, &secrets);
                let left = after(|| mode.decrypt_in_place(&iv, &mut data).unwrap());
                assert_clean_within(SMALL, &name("decryption"), &left, &secrets);
            }
            assert_clean_within(SMALL, &name("its end"), &after(|| drop(mode)), &secrets);
            let (mut memory, mut placed) = (vec![MaybeUninit::uninit(); algorithm.memory_size()], None);
            let left = after(|| placed = Some(algorithm.mode_in(&key, Some(backend), &mut memory).unwrap()));
            assert_clean_within(OF_AN_OBJECT, &name("its making in memory of the caller's"), &left, &secrets);
            assert_clean_within(SMALL, &name("its end there"), &after(|| drop(placed)), &secrets);
        }
    }
}

#[test]
fn hashes_by_name_need_little_stack() {
    let messages: Vec<Vec<u8>> = (0..100_usize).map(|i| vec![i as u8; i * i * 31 % 1500]).collect();
    let messages: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
    for &algorithm in HashAlgorithm::ALL {
        for &backend in algorithm.backends().iter().filter(|backend| backend.is_available()) {
            let size = algorithm.default_output_size();
            let mut digests = vec![0; size * messages.len()];
            let name = |what: &str| format!("{algorithm} on {backend}: {what}");
            let one = after(|| algorithm.hash(&[7; 10_000], &mut digests[..size], Some(backend)).unwrap());
            assert_clean_within(SMALL, &name("one message"), &one, &[]);
            let many = after(|| algorithm.hash_many(&messages, &mut digests, Some(backend)).unwrap());
            assert_clean_within(SMALL, &name("many messages"), &many, &[]);
        }
    }
}

#[cfg(feature = "sealed")]
mod sealed {
    use super::{after, assert_clean, key};
    use fairlane::dynamic::AeadAlgorithm;
    use fairlane::keccak::sha3_256;
    use fairlane::sealed::{DEFAULT_KEM, Identity, Key, Options, Secret, open, seal};
    use hkdf::Hkdf;
    use sha2::Sha512;

    /// The pseudorandom key that HKDF extracts from a secret, and what it expands that to.
    fn hkdf(salt: &[u8], secret: &[u8], info: &[u8], len: usize) -> (Vec<u8>, Vec<u8>) {
        let (extracted, hkdf) = Hkdf::<Sha512>::extract(Some(salt), secret);
        let mut expanded = vec![0; len];
        hkdf.expand(info, &mut expanded).unwrap();
        (extracted.to_vec(), expanded)
    }

    #[test]
    fn files_leave_no_key() {
        let bytes = key(64);
        let key = Key::from_bytes(bytes[..].try_into().unwrap());
        let (mut file, mut text) = (Vec::new(), Vec::new());
        let sealing = after(|| _ = seal(&b"text"[..], &mut file, Secret::Key(&key), &Options::default()).unwrap());
        let opening = after(|| _ = open(&file[..], &mut text, Secret::Key(&key)).unwrap());
        // The key check, which is in the file, and the AEAD's key.
        let (extracted, expanded) = hkdf(&file[20..52], &bytes, &file[..20], 64);
        assert_eq!(expanded[..32], file[52..84]);
        let secrets = [("the key", &bytes[..]), ("HKDF's key", &extracted), ("the file's key", &expanded[32..])];
        assert_clean("sealing", &sealing, &secrets);
        assert_clean("opening", &opening, &secrets);
        file[52] ^= 1;
        let refusing = after(|| _ = open(&file[..], &mut text, Secret::Key(&key)).unwrap_err());
        assert_clean("refusing", &refusing, &secrets);
    }

    #[test]
    fn files_to_recipients_leave_no_key() {
        let seed = key(DEFAULT_KEM.seeds_size());
        let identity = Identity::from_bytes(DEFAULT_KEM, &seed).unwrap();
        let recipient = identity.recipient();
        let (mut file, mut text) = (Vec::new(), Vec::new());
        let to = Secret::Recipient(&recipient);
        let sealing = after(|| _ = seal(&b"text"[..], &mut file, to, &Options::default()).unwrap());
        let opening = after(|| _ = open(&file[..], &mut text, Secret::Identity(&identity)).unwrap());

        let salt = &file[20..52];
        let stanza = &file[84..][..1 + DEFAULT_KEM.ciphertext_size() + 48];
        let (ciphertext, wrapped) = stanza[1..].split_at(DEFAULT_KEM.ciphertext_size());
        let shared = identity.decapsulate(ciphertext).unwrap();
        let info = [b"fairlane stanza 1", &stanza[..1], &sha3_256(recipient.as_bytes()), ciphertext].concat();
        let (extracted, wrapping) = hkdf(salt, &*shared, &info, 32);
        let mut file_key = [0; 32];
        let aead = AeadAlgorithm::ChaCha20Poly1305.aead(&wrapping, None).unwrap();
        aead.open(&[0; 12], b"", wrapped, &mut file_key).unwrap();
        let (extracted_from_it, expanded) = hkdf(salt, &file_key, &[&file[..20], stanza].concat(), 64);
        assert_eq!(expanded[..32], file[52..84]);
        let secrets = [
            ("the shared secret", &shared[..]),
            ("HKDF's key for the stanza", &extracted),
            ("the stanza's key", &wrapping),
            ("the file key", &file_key),
            ("HKDF's key for the file", &extracted_from_it),
            ("the AEAD's key", &expanded[32..]),
            ("the seed", &seed),
        ];
        assert_clean("sealing", &sealing, &secrets);
        assert_clean("opening", &opening, &secrets);
        file[52] ^= 1;
        let refusing = after(|| _ = open(&file[..], &mut text, Secret::Identity(&identity)).unwrap_err());
        assert_clean("refusing", &refusing, &secrets);
    }

    #[test]
    fn texts_of_identities_leave_no_seed() {
        let kem = fairlane::sealed::Kem::MlKem768;
        let seeds = key(kem.seeds_size());
        let identity = Identity::from_bytes(kem, &seeds).unwrap();
        let text = identity.to_text();
        let secrets = [("the seeds", &seeds[..])];
        assert_clean("writing", &after(|| drop(identity.to_text())), &secrets);
        assert_clean("reading", &after(|| drop(text.parse::<Identity>().unwrap())), &secrets);
    }
}
