//! Key generation, encapsulation and decapsulation (FIPS 203, sections 6 and 7), for any parameter set, with the randomness given.

use super::packing::{self, packed};
use super::parameters::Set;
use super::pke::{self, K, Machine, Matrix, Multipliers, Vector, ZEROS};
use super::ring::Poly;
use super::secret::Secret;
use super::streams::{Hash, Streams};
use ctutils::{Choice, CtAssign, CtEq};

/// Bytes of seeds, messages, hashes and shared secrets.
pub(super) const BYTES: usize = 32;

/// What is computed from an encapsulation key, whoever uses it.
#[derive(Clone)]
pub(super) struct Prepared {
    /// t̂.
    t: Vector,
    /// The transpose of Â.
    matrix: Matrix,
    /// H(ek).
    hash: [u8; BYTES],
}

impl Prepared {
    /// From a key whose numbers are below q.
    pub(super) fn new(machine: Machine, set: &Set, key: &[u8]) -> Self {
        let mut matrix = NO_MATRIX;
        let hash = sample(&mut Streams::new(machine), set, key, &mut matrix);
        Self { t: unpack(machine, set, parts(set, key).0).0, matrix, hash }
    }

    pub(super) fn hash(&self) -> &[u8; BYTES] {
        &self.hash
    }

    pub(super) fn has_hash(&self, hash: &[u8; BYTES]) -> bool {
        self.hash.ct_eq(hash).to_bool()
    }

    pub(super) fn key(&self) -> Key<'_> {
        Key { t: &self.t, hash: &self.hash, matrix: Source::Sampled(&self.matrix) }
    }
}

pub(super) const NO_MATRIX: Matrix = [const { Poly::ZERO }; K * K];

/// t̂ and ρ.
pub(super) fn parts<'a>(set: &Set, key: &'a [u8]) -> (&'a [u8], &'a [u8; BYTES]) {
    let (vector, rho) = key.split_at(set.vector());
    (vector, rho.try_into().expect("a key ends with 32 bytes"))
}

/// What is known of an encapsulation key.
#[derive(Clone, Copy)]
pub(super) struct Key<'a> {
    /// t̂.
    t: &'a Vector,
    /// H(ek).
    hash: &'a [u8; BYTES],
    /// The transpose of Â.
    matrix: Source<'a>,
}

#[derive(Clone, Copy)]
enum Source<'a> {
    Sampled(&'a Matrix),
    Seed(&'a [u8; BYTES]),
}

/// A secret vector.
pub(super) type SecretVector = Secret<Vector>;

/// Algorithm 16: writes the encapsulation key, and returns ŝ and the key's hash.
pub(super) fn generate(machine: Machine, set: &Set, d: &[u8; BYTES], key: &mut [u8]) -> (SecretVector, [u8; BYTES]) {
    let k = set.k;
    let mut streams = Streams::new(machine);
    let domain = [set.domain.unwrap_or(k as u8)];
    let mut seeds = [Hash::g([d, &domain, &[]])];
    streams.hash(&mut seeds);
    let (rho, sigma) = halves(seeds[0].digest());

    let mut matrix = NO_MATRIX;
    let mut noise = Secret([const { Poly::ZERO }; 2 * K]);
    let (s, e) = noise.0[..2 * k].split_at_mut(k);
    // The key's hash begins with two rows, while the others are sampled.
    let (first, others) = matrix[..k * k].split_at_mut(2 * k);
    let rows = pke::matrix(set, rho, 0, false, first);
    let small = pke::noise(sigma, 0, set.eta1, s).chain(pke::noise(sigma, k, set.eta1, e));
    streams.run(&mut [], 4 * k, &mut rows.chain(small));
    let mut multipliers = Secret::<Multipliers>::blank();
    pke::ntt(machine, s, &mut multipliers.0);
    let multipliers = &multipliers.0[..k];
    pke::generate(machine, first, multipliers, &mut e[..2], &mut key[..2 * packed(12)]);

    let mut hash = [Hash::h(&key[..2 * packed(12)]).part()];
    streams.run(&mut hash, others.len(), &mut pke::matrix(set, rho, 2, false, others));
    let taken = hash[0].taken();
    pke::generate(machine, others, multipliers, &mut e[2..], &mut key[2 * packed(12)..k * packed(12)]);
    key[k * packed(12)..].copy_from_slice(rho);

    let mut hash = [Hash::h(key).after(taken)];
    streams.hash(&mut hash);
    let mut vector = Secret(ZEROS);
    vector.0[..k].copy_from_slice(s);
    (vector, *halves(hash[0].digest()).0)
}

/// Algorithm 17: writes the ciphertext and returns the shared secret.
pub(super) fn encapsulate(
    machine: Machine,
    set: &Set,
    key: Key<'_>,
    message: &[u8; BYTES],
    ciphertext: &mut [u8],
) -> Secret<[u8; BYTES]> {
    let mut streams = Streams::new(machine);
    encapsulate_with(&mut streams, set, key, message, ciphertext)
}

/// As [`encapsulate`] with a key that is not prepared, whose numbers are below q.
pub(super) fn encapsulate_once(
    machine: Machine,
    set: &Set,
    key: &[u8],
    message: &[u8; BYTES],
    ciphertext: &mut [u8],
) -> Secret<[u8; BYTES]> {
    let mut streams = Streams::new(machine);
    let mut matrix = NO_MATRIX;
    let hash = sample(&mut streams, set, key, &mut matrix);
    let t = unpack(machine, set, parts(set, key).0).0;
    let key = Key { t: &t, hash: &hash, matrix: Source::Sampled(&matrix) };
    encapsulate_with(&mut streams, set, key, message, ciphertext)
}

fn encapsulate_with(
    streams: &mut Streams,
    set: &Set,
    key: Key<'_>,
    message: &[u8; BYTES],
    ciphertext: &mut [u8],
) -> Secret<[u8; BYTES]> {
    let mut seeds = [Hash::g([message, key.hash, set.domain.as_slice()])];
    streams.hash(&mut seeds);
    encrypt(streams, set, key, message, (&mut [], &seeds[0]), ciphertext)
}

/// The transposed matrix, while the key's hash goes on, which is as long as four states need for it, or longer; returns the hash.
fn sample(streams: &mut Streams, set: &Set, key: &[u8], matrix: &mut Matrix) -> [u8; BYTES] {
    let mut hash = [Hash::h(key)];
    let (_, rho) = parts(set, key);
    let polys = &mut matrix[..set.k * set.k];
    streams.run(&mut hash, polys.len(), &mut pke::matrix(set, rho, 0, true, polys));
    streams.hash(&mut hash);
    *halves(hash[0].digest()).0
}

/// Encryption with the randomness in the second half of `seeds`, while hashes go on; returns their first half, the shared secret.
fn encrypt(
    streams: &mut Streams,
    set: &Set,
    key: Key<'_>,
    message: &[u8; BYTES],
    (hashes, seeds): (&mut [Hash<'_>], &Hash<'_>),
    ciphertext: &mut [u8],
) -> Secret<[u8; BYTES]> {
    let (shared, randomness) = halves(seeds.digest());
    let mut noise = Secret::blank();
    streams.run(hashes, 2 * set.k + 1, &mut pke::encryption_noise(set, randomness, &mut noise.0));
    let mut sampled;
    let matrix = match key.matrix {
        Source::Sampled(matrix) => matrix,
        Source::Seed(rho) => {
            sampled = NO_MATRIX;
            let polys = &mut sampled[..set.k * set.k];
            streams.run(hashes, polys.len(), &mut pke::matrix(set, rho, 0, true, polys));
            &sampled
        }
    };
    let (k, machine) = (set.k, streams.machine());
    let (y, e1, e2) = pke::parts(set, &mut noise.0);
    let (u, v) = ciphertext.split_at_mut(k * packed(set.du));
    let mut multipliers = Secret::<Multipliers>::blank();
    pke::ntt(machine, y, &mut multipliers.0);
    let y = &multipliers.0[..k];
    pke::encrypt_rows(machine, set, &matrix[..k * k], y, e1, u);
    pke::encrypt_message(machine, set, &key.t[..k], y, e2, message, v);
    Secret(*shared)
}

/// What decapsulation takes from its key: ŝ and z.
#[derive(Clone, Copy)]
pub(super) struct Own<'a> {
    pub(super) s: &'a Vector,
    pub(super) z: &'a [u8; BYTES],
}

/// Algorithm 18: the shared secret, or one that nobody knows. `room` is for a ciphertext.
pub(super) fn decapsulate(
    machine: Machine,
    set: &Set,
    key: Key<'_>,
    own: Own<'_>,
    ciphertext: &[u8],
    room: &mut [u8],
) -> Secret<[u8; BYTES]> {
    let message = pke::decrypt(machine, set, &own.s[..set.k], ciphertext);
    let seeds = Hash::g([&message.0, key.hash, set.domain.as_slice()]);
    let mut hashes = [Hash::j(own.z, ciphertext), seeds];
    decrypted(machine, set, key, &message.0, &mut hashes, (ciphertext, room))
}

/// As [`decapsulate`] with a key that is not prepared, whose hash is known.
pub(super) fn decapsulate_once(
    machine: Machine,
    set: &Set,
    (key, hash): (&[u8], &[u8; BYTES]),
    own: Own<'_>,
    ciphertext: &[u8],
    room: &mut [u8],
) -> Secret<[u8; BYTES]> {
    let (vector, rho) = parts(set, key);
    let t = unpack(machine, set, vector).0;
    decapsulate(machine, set, Key { t: &t, hash, matrix: Source::Seed(rho) }, own, ciphertext, room)
}

/// As [`decapsulate_once`], and whether the key has that hash.
pub(super) fn decapsulate_checked(
    machine: Machine,
    set: &Set,
    (key, hash): (&[u8], &[u8; BYTES]),
    own: Own<'_>,
    ciphertext: &[u8],
    room: &mut [u8],
) -> (Secret<[u8; BYTES]>, bool) {
    let (vector, rho) = parts(set, key);
    let t = unpack(machine, set, vector).0;
    let message = pke::decrypt(machine, set, &own.s[..set.k], ciphertext);
    let seeds = Hash::g([&message.0, hash, set.domain.as_slice()]);
    let mut hashes = [Hash::j(own.z, ciphertext), Hash::h(key), seeds];
    let expanded = Key { t: &t, hash, matrix: Source::Seed(rho) };
    let shared = decrypted(machine, set, expanded, &message.0, &mut hashes, (ciphertext, room));
    let right = halves(hashes[1].digest()).0.ct_eq(hash).to_bool();
    (shared, right)
}

/// What follows decryption. The first of the hashes is J, the last one G; those between are computed by the way.
fn decrypted(
    machine: Machine,
    set: &Set,
    key: Key<'_>,
    message: &[u8; BYTES],
    hashes: &mut [Hash<'_>],
    (ciphertext, room): (&[u8], &mut [u8]),
) -> Secret<[u8; BYTES]> {
    let mut streams = Streams::new(machine);
    // G is a block; the others go on while there is something to sample.
    streams.block(hashes);
    let (seeds, others) = hashes.split_last_mut().expect("J and G");
    let mut shared = encrypt(&mut streams, set, key, message, (others, seeds), room);
    streams.hash(others);
    // A coefficient of u that is not below q is never encrypted again: such a ciphertext differs.
    shared.0.ct_assign(halves(others[0].digest()).0, differ(room, ciphertext));
    shared
}

/// A vector of numbers of 12 bits.
pub(super) fn unpack(machine: Machine, set: &Set, bytes: &[u8]) -> SecretVector {
    debug_assert_eq!(bytes.len(), set.vector());
    let mut vector = Secret(ZEROS);
    for (poly, bytes) in vector.0.iter_mut().zip(bytes.chunks_exact(packed(12))) {
        packing::unpack(machine, bytes, 12, poly);
    }
    vector
}

/// The converse of [`unpack`].
pub(super) fn pack(machine: Machine, vector: &Vector, bytes: &mut [u8]) {
    for (poly, bytes) in vector.iter().zip(bytes.chunks_exact_mut(packed(12))) {
        packing::pack(machine, poly, 12, bytes);
    }
}

/// Whether two ciphertexts differ, eight bytes at a time: by single bytes it takes as long as the decryption.
pub(super) fn differ(a: &[u8], b: &[u8]) -> Choice {
    let ((a, no), (b, _)) = (a.as_chunks::<8>(), b.as_chunks::<8>());
    debug_assert!(a.len() == b.len() && no.is_empty());
    let words = a.iter().zip(b).map(|(a, b)| u64::from_le_bytes(*a) ^ u64::from_le_bytes(*b));
    words.fold(0, |all, word| all | word).ct_ne(&0)
}

pub(super) fn halves(bytes: &[u8; 2 * BYTES]) -> (&[u8; BYTES], &[u8; BYTES]) {
    let ([first, second], _) = bytes.as_chunks() else { unreachable!("64 bytes are two halves") };
    (first, second)
}
