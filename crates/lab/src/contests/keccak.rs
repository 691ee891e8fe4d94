//! The Keccak contests: one message of a hash, and many at once.
//!
//! Input: the messages one after the other. Output: their digests one after the other, 32 bytes each, also for
//! SHAKE128, KT128 and `ParallelHash128`: 256 bits are what gives them all of their 128-bit security. KT256 gives 64
//! bytes. A timed operation begins with the message and ends with the digest; contexts are made before and used again.
//!
//! KT128, KT256 and `ParallelHash128` divide one message into chunks, which lanes hash side by side. All of that is on
//! one thread.

use super::{PLAIN, digests};
use crate::contest::{Algorithm, Conditions, Contest, ContestId, Function, Job, Kind, Operation, Place, Size};
use fairlane_reference::keccak;

/// Bytes of one digest in these contests.
pub const DIGEST: usize = 32;

/// Bytes of a digest of KT256.
const KT256_DIGEST: usize = 64;

/// Bytes of a block of `ParallelHash128`: as many as KT128 and KT256 have in a chunk.
pub const PARALLEL_HASH_BLOCK: usize = 8192;

/// The sizes that people hash: words and addresses, a transaction, a block of the sponge, its double, pages, files.
const MESSAGE_SIZES: &[Size] = &[
    Size::one(8),
    Size::one(32),
    Size::one(100),
    Size::one(136),
    Size::one(256),
    Size::one(512),
    Size::one(1 << 10),
    Size::one(16 << 10),
    Size::one(1 << 20),
];
const MESSAGE_QUICK_SIZES: &[Size] = &[Size::one(32), Size::one(1 << 10), Size::one(1 << 20)];

/// For hashes that divide a message into chunks of 8 KiB: less than a chunk, one, enough for the lanes of any vector,
/// files.
const TREE_SIZES: &[Size] =
    &[Size::one(1 << 10), Size::one(8 << 10), Size::one(64 << 10), Size::one(1 << 20), Size::one(16 << 20)];
const TREE_QUICK_SIZES: &[Size] = &[Size::one(1 << 10), Size::one(64 << 10), Size::one(1 << 20)];

/// Few and many, short and long: where a batch call begins to pay shows between 2 and 64 messages.
const BATCH_SIZES: &[Size] = &[
    Size::batch(2, 32),
    Size::batch(8, 32),
    Size::batch(64, 32),
    Size::batch(1024, 32),
    Size::batch(1024, 136),
    Size::batch(2, 1 << 10),
    Size::batch(4, 1 << 10),
    Size::batch(1024, 1 << 10),
    Size::batch(64, 64 << 10),
];
const BATCH_QUICK_SIZES: &[Size] = &[Size::batch(1024, 32), Size::batch(1024, 1 << 10)];

/// The contests of this family.
pub const CONTESTS: &[Contest] = &[
    Contest {
        id: ContestId::new(Algorithm::Keccak256, Job::Message),
        about: "Keccak-256 (original padding, as Ethereum uses it) of one message",
        ..MESSAGE
    },
    Contest {
        id: ContestId::new(Algorithm::Keccak256, Job::Batch),
        about: "Keccak-256 (original padding) of independent messages of one length, in order",
        conditions: Conditions { dispatch: Place::Inside, ..Conditions::KEYLESS },
        batch: true,
        sizes: BATCH_SIZES,
        quick_sizes: BATCH_QUICK_SIZES,
        ..MESSAGE
    },
    Contest {
        id: ContestId::new(Algorithm::Sha3_256, Job::Message),
        about: "SHA3-256 of one message",
        kind: function("SHA3-256", |size| digests(size, keccak::sha3_256)),
        ..MESSAGE
    },
    Contest {
        id: ContestId::new(Algorithm::Shake128, Job::Message),
        about: "SHAKE128 of one message, 32 bytes of output",
        kind: function("SHAKE128", |size| {
            digests(size, |message| {
                let mut output = [0; DIGEST];
                keccak::shake128(message, &mut output);
                output
            })
        }),
        ..MESSAGE
    },
    Contest {
        id: ContestId::new(Algorithm::Kt128, Job::Message),
        about: "KT128 (KangarooTwelve, RFC 9861) of one message, without customization, 32 bytes of output, on one \
                thread",
        kind: function("KT128", |size| {
            digests(size, |message| {
                let mut output = [0; DIGEST];
                keccak::kt128(message, b"", &mut output);
                output
            })
        }),
        ..TREE
    },
    Contest {
        id: ContestId::new(Algorithm::Kt256, Job::Message),
        about: "KT256 (RFC 9861) of one message, without customization, 64 bytes of output, on one thread",
        kind: function("KT256", |size| {
            digests(size, |message| {
                let mut output = [0; KT256_DIGEST];
                keccak::kt256(message, b"", &mut output);
                output
            })
        }),
        output_len: |size| size.count * KT256_DIGEST,
        ..TREE
    },
    Contest {
        id: ContestId::new(Algorithm::ParallelHash128, Job::Message),
        about: "ParallelHash128 (NIST SP 800-185) of one message in blocks of 8192 bytes, without customization, 32 \
                bytes of output, on one thread",
        kind: function("ParallelHash128", |size| {
            digests(size, |message| {
                let mut output = [0; DIGEST];
                keccak::parallel_hash128(message, PARALLEL_HASH_BLOCK, b"", &mut output);
                output
            })
        }),
        ..TREE
    },
];

/// What the contests of one message have in common.
const MESSAGE: Contest = Contest {
    suite: "keccak",
    conditions: Conditions::KEYLESS,
    kind: function("Keccak-256", |size| digests(size, keccak::keccak256)),
    sizes: MESSAGE_SIZES,
    quick_sizes: MESSAGE_QUICK_SIZES,
    output_len: |size| size.count * DIGEST,
    ..PLAIN
};

/// The same of those that are trees.
const TREE: Contest = Contest { sizes: TREE_SIZES, quick_sizes: TREE_QUICK_SIZES, reference_limit: 1 << 20, ..MESSAGE };

const fn function(name: &'static str, reference: fn(Size) -> Operation) -> Kind {
    Kind::OneFunction(Function { name, primitive: "keccak", labels: &[], reference })
}
