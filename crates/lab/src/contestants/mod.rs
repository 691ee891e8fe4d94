//! The contestants: one small file per library.
//!
//! | to add | write `enter` in a new file, so that it ends in | model |
//! | --- | --- | --- |
//! | a hash | `Roster::hash`, or `hash_with` if it has a context | `tiny_keccak.rs` |
//! | a cipher with `RustCrypto`'s traits | `Roster::operation`, with a job of `traits.rs` or `modes.rs` | `sm4.rs` |
//! | any other cipher | `enter_block_cipher` or `enter_aead` of `c_cipher.rs` | `botan/block.rs` |
//! | a KEM | `Roster::kem` or `kem_on_bytes` of `kem.rs` | `ml_kem.rs`, `liboqs.rs` |
//!
//! and name the file below, as a module and in `LIBRARIES`. In a batch contest, a library without a batch call
//! processes one message after the other, and is labelled so. C libraries use `ffi.rs`.

mod aes;
mod aws_lc;
mod botan;
mod c_cipher;
mod chacha20;
mod chacha20poly1305;
#[cfg(test)]
mod conditions_tests;
mod cryptopp;
mod dstu_core;
mod evp;
mod fairlane;
mod ffi;
mod gmssl;
mod graviola;
mod kalyna_c;
mod keccak_asm;
mod kem;
mod libcrux_ml_kem;
mod libgcrypt;
mod liboqs;
mod ml_kem;
mod modes;
mod openssl;
mod p3_keccak;
pub mod plugin;
mod pqcrypto;
mod reference;
mod sha3;
mod sm3;
mod sm4;
mod tc_dstu7624;
mod threefish;
mod tiny_keccak;
mod traits;
mod xkcp;

use crate::contest::{Absent, Contest, Contestant, Function, Kind, Label, Operation, Size};

/// Each looks at the contest and enters its contestants, says why they are unavailable, or does nothing.
const LIBRARIES: &[fn(&Contest, &mut Roster)] = &[
    fairlane::enter,
    reference::enter,
    tiny_keccak::enter,
    sha3::enter,
    keccak_asm::enter,
    p3_keccak::enter,
    aes::enter,
    chacha20::enter,
    chacha20poly1305::enter,
    threefish::enter,
    sm4::enter,
    sm3::enter,
    dstu_core::enter,
    tc_dstu7624::enter,
    kalyna_c::enter,
    ml_kem::enter,
    libcrux_ml_kem::enter,
    graviola::enter,
    pqcrypto::enter,
    xkcp::enter,
    openssl::enter,
    libgcrypt::enter,
    liboqs::enter,
    botan::enter,
    aws_lc::enter,
    gmssl::enter,
    cryptopp::enter,
    plugin::enter,
];

/// The contestants of `contest` that are available in this build on this machine, and those that are not.
pub fn roster(contest: &Contest) -> Roster {
    let mut roster = Roster::default();
    for enter in LIBRARIES {
        enter(contest, &mut roster);
    }
    roster
}

/// The contestants of one contest.
#[derive(Default)]
pub struct Roster {
    /// Those that are available.
    pub contestants: Vec<Contestant>,
    /// Those that are unavailable, and why.
    pub absent: Vec<Absent>,
}

/// What a contestant says of itself: the fields of [`Contestant`].
struct About<'a> {
    name: &'a str,
    library: &'a str,
    version: &'a str,
    backend: &'a str,
    labels: &'a [Label],
    how_to_use: &'a str,
}

/// What makes a contestant's operation for a size.
type Make = Box<dyn Fn(Size) -> Operation + Send + Sync>;

/// The plainest way to hash: a message in, its digest out.
type HashFn = fn(&[u8], &mut [u8]);

impl Roster {
    /// Enters a function that hashes one message. A batch contest calls it one by one.
    fn hash(&mut self, contest: &Contest, about: &About, hash: HashFn) -> &mut Contestant {
        self.hash_with(contest, about, move || hash)
    }

    /// The same for a hash with a context: `make` builds it, outside the timed part.
    fn hash_with<H>(
        &mut self,
        contest: &Contest,
        about: &About,
        make: impl Fn() -> H + Send + Sync + 'static,
    ) -> &mut Contestant
    where
        H: FnMut(&[u8], &mut [u8]) + Send + 'static,
    {
        let output_len = contest.output_len;
        let batch = contest.batch;
        let contestant = self.operation(contest, about, move |size| {
            let mut hash = make();
            if !batch {
                return Operation::to_output(hash);
            }
            let digest_len = output_len(size) / size.count;
            Operation::to_output(move |input, output| {
                for (message, digest) in input.chunks_exact(size.bytes).zip(output.chunks_exact_mut(digest_len)) {
                    hash(message, digest);
                }
            })
        });
        if batch {
            contestant.label(Label::OneByOne);
        }
        contestant
    }

    /// Enters any operation in a contest of one function.
    fn operation(
        &mut self,
        contest: &Contest,
        about: &About,
        make: impl Fn(Size) -> Operation + Send + Sync + 'static,
    ) -> &mut Contestant {
        self.operation_of(contest, &contest.functions()[0], about, make)
    }

    /// Enters any operation with the function that it computes. In a contest of one job its name begins with that
    /// one's.
    fn operation_of(
        &mut self,
        contest: &Contest,
        function: &Function,
        about: &About,
        make: impl Fn(Size) -> Operation + Send + Sync + 'static,
    ) -> &mut Contestant {
        let mut labels = [about.labels, function.labels].concat();
        labels.sort_unstable();
        let contestant = Contestant {
            name: match contest.kind {
                Kind::OneFunction(_) | Kind::Own(_) => about.name.to_string(),
                Kind::OneJob(_) => format!("{}: {}", function.name, about.name),
            },
            function: function.name,
            library: about.library.to_string(),
            version: about.version.to_string(),
            backend: about.backend.to_string(),
            labels,
            how_to_use: about.how_to_use.to_string(),
            // A build that may use AVX-512 anywhere may use it here.
            valgrind: !cfg!(target_feature = "avx512f"),
            make: Box::new(make),
        };
        self.contestants.push(contestant);
        self.contestants.last_mut().expect("one was just pushed")
    }

    /// An installed library, or none after saying why it is unavailable.
    fn found<'l, L>(&mut self, name: &str, library: &'l Result<L, String>) -> Option<&'l L> {
        library.as_ref().map_err(|why| self.absent(name, why.as_str())).ok()
    }

    /// Says why a library is unavailable, once.
    fn absent(&mut self, library: impl Into<String>, why: impl Into<String>) {
        let absent = Absent { library: library.into(), why: why.into() };
        if !self.absent.contains(&absent) {
            self.absent.push(absent);
        }
    }
}

/// A batch of messages, each with an operation of its own: for a library without such a call, to be labelled
/// [`Label::OneByOne`].
fn one_by_one<F>(size: Size, make: impl Fn(usize) -> F) -> Operation
where
    F: FnMut(&[u8], &mut [u8]) + Send + 'static,
{
    let mut ops: Vec<F> = (0..size.count).map(make).collect();
    Operation::to_output(move |messages, output| {
        let messages = messages.chunks_exact(size.bytes).zip(output.chunks_exact_mut(size.bytes));
        for (op, (message, output)) in ops.iter_mut().zip(messages) {
            op(message, output);
        }
    })
}
