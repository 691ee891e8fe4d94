//! Who can enter: one small file a library.
//!
//! To add a hash from a crate: write `contestants/<library>.rs` with a function `enter` that ends in
//! `Roster::hash` (`tiny_keccak.rs` is the model), and add its name below, as a module and in `LIBRARIES`.
//! Batch contests need nothing more: a library without a batch call is entered one by one, and labelled so.
//! A cipher that has the traits of the `RustCrypto` project takes its jobs from `traits.rs` (`chacha20.rs` is the model),
//! and the modes of a block cipher from `modes.rs` (`sm4.rs`); a KEM says in `kem.rs`'s words what its keys are (`ml_kem.rs`,
//! `liboqs.rs`); any other makes its [`Op`] in the shape that the contest's
//! `about` says.

mod aws_lc;
mod botan;
mod c_cipher;
mod chacha20;
mod chacha20poly1305;
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

use crate::contest::{Absent, Contest, Contestant, Function, Kind, Label, Op, Size};

/// Each looks at the contest and enters its contestants, says what is missing, or leaves the roster as it is.
const LIBRARIES: &[fn(&Contest, &mut Roster)] = &[
    fairlane::enter,
    reference::enter,
    tiny_keccak::enter,
    sha3::enter,
    keccak_asm::enter,
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
];

/// Everyone who can enter `contest` in this build on this machine, and who cannot.
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
    /// Those that can enter.
    pub contestants: Vec<Contestant>,
    /// Those that could have, and why they are not here.
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
type Make = Box<dyn Fn(Size) -> Op + Send + Sync>;

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
        let contestant = self.op(contest, about, move |size| {
            let mut hash = make();
            if !batch {
                return Op::fill(hash);
            }
            let digest_len = output_len(size) / size.count;
            Op::fill(move |input, output| {
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
    fn op(
        &mut self,
        contest: &Contest,
        about: &About,
        make: impl Fn(Size) -> Op + Send + Sync + 'static,
    ) -> &mut Contestant {
        self.op_of(contest, &contest.functions()[0], about, make)
    }

    /// Enters any operation with the function that it computes. In a contest of one job its name begins with that one's.
    fn op_of(
        &mut self,
        contest: &Contest,
        function: &Function,
        about: &About,
        make: impl Fn(Size) -> Op + Send + Sync + 'static,
    ) -> &mut Contestant {
        let mut labels = [about.labels, function.labels].concat();
        labels.sort_unstable();
        let contestant = Contestant {
            name: match contest.kind {
                Kind::OneFunction(_) => about.name.to_string(),
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

    /// Says why a library is not here, once.
    fn absent(&mut self, library: impl Into<String>, why: impl Into<String>) {
        let absent = Absent { library: library.into(), why: why.into() };
        if !self.absent.contains(&absent) {
            self.absent.push(absent);
        }
    }
}

/// A batch of messages, each with an operation of its own: for a library without such a call, to be labelled
/// [`Label::OneByOne`].
fn one_by_one<F>(size: Size, make: impl Fn(usize) -> F) -> Op
where
    F: FnMut(&[u8], &mut [u8]) + Send + 'static,
{
    let mut ops: Vec<F> = (0..size.count).map(make).collect();
    Op::fill(move |messages, output| {
        let messages = messages.chunks_exact(size.bytes).zip(output.chunks_exact_mut(size.bytes));
        for (op, (message, output)) in ops.iter_mut().zip(messages) {
            op(message, output);
        }
    })
}
