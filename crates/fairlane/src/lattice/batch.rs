//! Many keys at a time: up to eight, each step of all of them before the next, so that Keccak's states are full.

use super::packing::packed;
use super::parameters::Set;
use super::pke::{self, K, Machine, Multipliers, Vector};
use super::ring::Poly;
use super::scheme::{self, BYTES, Own, differ, halves, parts};
use super::secret::Secret;
use super::streams::{Hash, Streams};
use ctutils::CtAssign;

/// Keys that go together.
pub(super) const TOGETHER: usize = 8;

/// A value for each of them.
pub(super) type Each<T> = [T; TOGETHER];

/// A row of the matrix of each.
type Rows = Each<[Poly; K]>;

const NO_ROWS: Rows = [[const { Poly::ZERO }; K]; TOGETHER];

/// The digests, in halves.
type Digests = Secret<Each<[[u8; BYTES]; 2]>>;

/// Digests of up to eight hashes.
fn digests<'a>(streams: &mut Streams, hashes: impl Iterator<Item = Hash<'a>>) -> Digests {
    let mut all = [const { Hash::NONE }; TOGETHER];
    let mut count = 0;
    for (place, hash) in all.iter_mut().zip(hashes) {
        *place = hash;
        count += 1;
    }
    streams.hash(&mut all[..count]);
    let mut digests = Digests::blank();
    for (digest, hash) in digests.0.iter_mut().zip(&all[..count]) {
        let (first, second) = halves(hash.digest());
        *digest = [*first, *second];
    }
    digests
}

/// Row `i` of the matrix of each seed, or of its transpose.
fn sample<'a>(
    streams: &mut Streams,
    set: &Set,
    seeds: impl ExactSizeIterator<Item = &'a [u8; BYTES]>,
    i: usize,
    transposed: bool,
    rows: &mut Rows,
) {
    let count = set.k * seeds.len();
    let each = seeds.zip(rows).flat_map(|(rho, row)| pke::matrix(set, rho, i, transposed, &mut row[..set.k]));
    streams.run(&mut [], count, &mut { each });
}

/// A key that is made.
pub(super) struct Made<'a> {
    /// Its seed.
    pub(super) d: &'a [u8; BYTES],
    /// The encapsulation key.
    pub(super) key: &'a mut [u8],
    /// ŝ.
    pub(super) s: &'a mut Vector,
    /// H(ek).
    pub(super) hash: &'a mut [u8; BYTES],
}

/// Algorithm 16 for up to eight keys.
pub(super) fn generate(machine: Machine, set: &Set, keys: &mut [Made<'_>]) {
    let (k, count) = (set.k, keys.len());
    let mut streams = Streams::new(machine);
    let domain = [set.domain.unwrap_or(k as u8)];
    let seeds = digests(&mut streams, keys.iter().map(|made| Hash::g([made.d, &domain, &[]])));
    let seeds = &seeds.0[..count];

    let mut errors = Secret([const { [const { Poly::ZERO }; K] }; TOGETHER]);
    let small = seeds.iter().zip(keys.iter_mut()).zip(&mut errors.0).flat_map(|(([_, sigma], made), e)| {
        pke::noise(sigma, 0, set.eta1, &mut made.s[..k]).chain(pke::noise(sigma, k, set.eta1, &mut e[..k]))
    });
    streams.run(&mut [], 2 * k * count, &mut { small });
    let mut multipliers = Secret::<Each<Multipliers>>::blank();
    for (made, multipliers) in keys.iter_mut().zip(&mut multipliers.0) {
        pke::ntt(machine, &mut made.s[..k], multipliers);
    }
    let mut rows = NO_ROWS;
    for i in 0..k {
        sample(&mut streams, set, seeds.iter().map(|[rho, _]| rho), i, false, &mut rows);
        for (((row, s), e), made) in rows.iter().zip(&multipliers.0).zip(&mut errors.0).zip(&mut *keys) {
            let bytes = &mut made.key[i * packed(12)..][..packed(12)];
            pke::generate(machine, &row[..k], &s[..k], &mut e[i..=i], bytes);
        }
    }
    for (made, [rho, _]) in keys.iter_mut().zip(seeds) {
        made.key[k * packed(12)..].copy_from_slice(rho);
    }
    let hashes = digests(&mut streams, keys.iter().map(|made| Hash::h(made.key)));
    for (made, [digest, _]) in keys.iter_mut().zip(&hashes.0) {
        *made.hash = *digest;
    }
}

/// What goes into an encryption of each.
struct Encryption<'a> {
    set: &'a Set,
    /// Encapsulation keys.
    keys: &'a [&'a [u8]],
    messages: &'a [[u8; BYTES]],
}

impl Encryption<'_> {
    /// Encrypts with the randomness in the second half of each digest.
    fn run(&self, streams: &mut Streams, seeds: &Digests, ciphertexts: &mut [&mut [u8]]) {
        let Self { set, keys, messages } = self;
        let (k, count, machine) = (set.k, keys.len(), streams.machine());
        let mut noise = Secret([const { [const { Poly::ZERO }; 2 * K + 1] }; TOGETHER]);
        let small = seeds.0[..count].iter().zip(&mut noise.0);
        let small = small.flat_map(|([_, randomness], noise)| pke::encryption_noise(set, randomness, noise));
        streams.run(&mut [], (2 * k + 1) * count, &mut { small });
        let mut multipliers = Secret::<Each<Multipliers>>::blank();
        for (noise, multipliers) in noise.0[..count].iter_mut().zip(&mut multipliers.0) {
            pke::ntt(machine, pke::parts(set, noise).0, multipliers);
        }
        let mut rows = NO_ROWS;
        for i in 0..k {
            sample(streams, set, keys.iter().map(|key| parts(set, key).1), i, true, &mut rows);
            let all = rows.iter().zip(&multipliers.0).zip(&mut noise.0).zip(&mut *ciphertexts);
            for (((row, y), noise), ciphertext) in all {
                let (_, e1, _) = pke::parts(set, noise);
                let bytes = &mut ciphertext[i * packed(set.du)..][..packed(set.du)];
                pke::encrypt_rows(machine, set, &row[..k], &y[..k], &mut e1[i..=i], bytes);
            }
        }
        let all = keys.iter().zip(*messages).zip(&multipliers.0).zip(&mut noise.0).zip(ciphertexts);
        for ((((key, message), y), noise), ciphertext) in all {
            let t = scheme::unpack(machine, set, parts(set, key).0);
            let (_, _, e2) = pke::parts(set, noise);
            let bytes = &mut ciphertext[k * packed(set.du)..];
            pke::encrypt_message(machine, set, &t.0[..k], &y[..k], e2, message, bytes);
        }
    }
}

/// Algorithm 17 for up to eight keys whose numbers are below q: writes each ciphertext and shared secret.
pub(super) fn encapsulate(
    machine: Machine,
    set: &Set,
    keys: &[&[u8]],
    messages: &[[u8; BYTES]],
    ciphertexts: &mut [&mut [u8]],
    secrets: &mut [&mut [u8]],
) {
    let mut streams = Streams::new(machine);
    let hashes = digests(&mut streams, keys.iter().map(|key| Hash::h(key)));
    let both = messages.iter().zip(&hashes.0);
    let seeds = digests(&mut streams, both.map(|(message, [hash, _])| Hash::g([message, hash, set.domain.as_slice()])));
    Encryption { set, keys, messages }.run(&mut streams, &seeds, ciphertexts);
    for (secret, [shared, _]) in secrets.iter_mut().zip(&seeds.0) {
        secret.copy_from_slice(shared);
    }
}

/// Algorithm 18 for up to eight keys, given with their hashes: writes each shared secret, or one that nobody knows.
pub(super) fn decapsulate(
    machine: Machine,
    set: &Set,
    (keys, hashes): (&[&[u8]], &[&[u8; BYTES]]),
    own: &[Own<'_>],
    ciphertexts: &[&[u8]],
    secrets: &mut [&mut [u8]],
) {
    let count = keys.len();
    let mut messages = Secret([[0; BYTES]; TOGETHER]);
    for ((message, own), ciphertext) in messages.0.iter_mut().zip(own).zip(ciphertexts) {
        *message = pke::decrypt(machine, set, &own.s[..set.k], ciphertext).0;
    }
    let messages = &messages.0[..count];
    let mut streams = Streams::new(machine);
    let both = messages.iter().zip(hashes);
    let seeds = digests(&mut streams, both.map(|(message, hash)| Hash::g([message, *hash, set.domain.as_slice()])));
    // What is encrypted again may be of messages that nobody should know.
    let mut room = Secret([[0; LONGEST]; TOGETHER]);
    let mut again = room.0.each_mut().map(|room| &mut room[..set.ciphertext()]);
    Encryption { set, keys, messages }.run(&mut streams, &seeds, &mut again[..count]);
    let rejected =
        digests(&mut streams, own.iter().zip(ciphertexts).map(|(own, ciphertext)| Hash::j(own.z, ciphertext)));
    for (i, secret) in secrets.iter_mut().enumerate() {
        let mut shared = Secret(seeds.0[i][0]);
        shared.0.ct_assign(&rejected.0[i][0], differ(again[i], ciphertexts[i]));
        secret.copy_from_slice(&shared.0);
    }
}

/// Bytes of the longest ciphertext: CLWE-1024's.
const LONGEST: usize = 1760;
