//! What a contest hands over to a plug-in: its shape, and its fixed keys, IVs and additional data.

use super::protocol::{Job, Shape};
use crate::contest::{self, Algorithm, Contest, Function, Kind, Operation, OwnFunction, Size};
use crate::contestants::c_cipher::{Mode, nonce};
use crate::inputs::aead::AAD;
use crate::inputs::arx::{IV, KEY256, KEY512, NONCE};
use crate::inputs::kem::KeyPair;
use crate::inputs::{counted, kalyna, sm4};

/// The job of a contest at a size, for the contestant at a place of the plug-in's list.
pub(super) fn job(contest: &Contest, function: &Function, shape: Shape, contestant: usize, size: Size) -> Job {
    let [key, iv, aad] = fixed(contest, function, size);
    Job {
        contestant,
        contest: contest.id.to_string(),
        function: function.name.to_owned(),
        shape,
        count: size.count,
        bytes: size.bytes,
        input_len: (contest.input_len)(size),
        output_len: contest.output_bytes(size),
        key,
        iv,
        aad,
    }
}

/// The shape of a contest.
///
/// # Errors
///
/// Why no plug-in can enter.
pub(super) fn shape(contest: &Contest, function: &Function) -> Result<Shape, &'static str> {
    if let Kind::Own(OwnFunction { in_place, .. }) = contest.kind {
        return Ok(if *in_place { Shape::InPlace } else { Shape::ToOutput });
    }
    if contest.job() == contest::Job::EncryptStream {
        return Err("no plug-in enters this contest: it is from a reader of Rust to a writer");
    }
    match (function.reference)(contest.quick_sizes[0]) {
        Operation::ToOutput(_) => Ok(Shape::ToOutput),
        Operation::InPlace(_) => Ok(Shape::InPlace),
        Operation::KeySetup(_) => Ok(Shape::KeySetup),
        _ => Err("no plug-in enters this contest: the buffer that it makes inside is one of Rust"),
    }
}

/// Key, IV and additional data; empty where the contest has none, or where they are in the input.
fn fixed(contest: &Contest, function: &Function, size: Size) -> [Vec<u8>; 3] {
    let job = contest.job();
    if job == contest::Job::KeySchedule {
        return Default::default();
    }
    let [key, iv, aad]: [&[u8]; 3] = match contest.algorithm() {
        Algorithm::Keccak256
        | Algorithm::Sha3_256
        | Algorithm::Shake128
        | Algorithm::Kt128
        | Algorithm::Kt256
        | Algorithm::ParallelHash128
        | Algorithm::Sm3 => [&[], &[], &[]],
        Algorithm::Arx | Algorithm::Kusumi512 | Algorithm::Threefish512 | Algorithm::ChaCha20 => match function.name {
            "Kusumi-512" => [&*KEY512, &*NONCE, &[]],
            "ChaCha20" => [&*KEY256, &*NONCE, &[]],
            "Threefish-512-CTR" => [&*KEY512, &*IV, &[]],
            _ => [&*KEY512, &[], &[]],
        },
        Algorithm::Kusumi512Poly1305 => [&*KEY512, nonce(contest).get(), &AAD],
        Algorithm::ChaCha20Poly1305 | Algorithm::XChaCha20Poly1305 => [&*KEY256, nonce(contest).get(), &AAD],
        Algorithm::Sm4 if job == contest::Job::CbcEncryptMany => {
            let each = |make: fn(usize) -> [u8; sm4::BLOCK]| (0..size.count).flat_map(make).collect();
            return [each(sm4::stream_key), each(sm4::stream_iv), Vec::new()];
        }
        Algorithm::Sm4 => match Mode::of(contest) {
            Mode::Ecb => [&*sm4::KEY, &[], &[]],
            Mode::Xts => [&*sm4::XTS_KEY, &*sm4::TWEAK, &[]],
            Mode::Gcm => [&*sm4::KEY, &*NONCE, &AAD],
            Mode::Cbc | Mode::Ctr => [&*sm4::KEY, &*sm4::IV, &[]],
        },
        Algorithm::Kalyna(variant) if job == contest::Job::Ctr => {
            [kalyna::key(variant).get(), kalyna::iv(variant).get(), &[]]
        }
        Algorithm::Kalyna(variant) => [kalyna::key(variant).get(), &[], &[]],
        Algorithm::Kem(params) => {
            let keys = match job {
                contest::Job::EncapsPrepared => KeyPair::new(params, 0).ek,
                contest::Job::DecapsPrepared | contest::Job::BatchDecaps => {
                    KeyPair::of_batch(params, size.count).flat_map(|pair| pair.dk).collect()
                }
                _ => Vec::new(),
            };
            return [keys, Vec::new(), Vec::new()];
        }
        Algorithm::Custom(_) => {
            let Kind::Own(own) = contest.kind else { return Default::default() };
            let [key, iv, aad] = own.key_len;
            return [counted(0, key), counted(0x80, iv), counted(0x40, aad)];
        }
    };
    [key.to_vec(), iv.to_vec(), aad.to_vec()]
}
