//! Hashes and extendable-output functions by name.

use super::{Error, algorithms, check_length};
#[cfg(feature = "keccak")]
use crate::keccak::{self, Kt128, Kt256, Shake128, Shake256, TurboShake128, TurboShake256};
#[cfg(feature = "sm3")]
use crate::sm3;
use crate::{Backend, HashMany, HashManyError, Unsupported};
use alloc::vec::Vec;
use digest::array::Array;
use digest::common::BlockSizeUser;
use digest::typenum::Unsigned;
use digest::{
    ExtendableOutput, ExtendableOutputReset, FixedOutput, FixedOutputReset, Output, OutputSizeUser, Update, XofReader,
};

algorithms! {
    /// A hash or an extendable-output function.
    ///
    /// cSHAKE and `ParallelHash`, which take parameters besides the message, are not among them. KT128 and KT256 have
    /// an empty customization, TurboSHAKE the domain byte 0x1f.
    HashAlgorithm, "hash":
    /// Keccak with its original padding, 224 bits: NOT SHA3-224
    "keccak" Keccak224 "keccak224" fixed!(keccak::Keccak224, keccak::keccak224, keccak::BACKENDS);
    /// Keccak with its original padding, 256 bits, as Ethereum uses it: NOT SHA3-256
    "keccak" Keccak256 "keccak256" fixed!(keccak::Keccak256, keccak::keccak256, keccak::BACKENDS);
    /// Keccak with its original padding, 384 bits: NOT SHA3-384
    "keccak" Keccak384 "keccak384" fixed!(keccak::Keccak384, keccak::keccak384, keccak::BACKENDS);
    /// Keccak with its original padding, 512 bits: NOT SHA3-512
    "keccak" Keccak512 "keccak512" fixed!(keccak::Keccak512, keccak::keccak512, keccak::BACKENDS);
    /// FIPS 202, 224 bits
    "keccak" Sha3_224 "sha3-224" fixed!(keccak::Sha3_224, keccak::sha3_224, keccak::BACKENDS);
    /// FIPS 202, 256 bits
    "keccak" Sha3_256 "sha3-256" fixed!(keccak::Sha3_256, keccak::sha3_256, keccak::BACKENDS);
    /// FIPS 202, 384 bits
    "keccak" Sha3_384 "sha3-384" fixed!(keccak::Sha3_384, keccak::sha3_384, keccak::BACKENDS);
    /// FIPS 202, 512 bits
    "keccak" Sha3_512 "sha3-512" fixed!(keccak::Sha3_512, keccak::sha3_512, keccak::BACKENDS);
    /// FIPS 202, any length
    "keccak" Shake128 "shake128"
        extendable!(
            32, 168, keccak::shake128, Shake128::with_backend,
            many_of_any_size::<Shake128>, hash_fixed::<Shake128>
        );
    /// FIPS 202, any length
    "keccak" Shake256 "shake256"
        extendable!(
            64, 136, keccak::shake256, Shake256::with_backend,
            many_of_any_size::<Shake256>, hash_fixed::<Shake256>
        );
    /// RFC 9861, 12 rounds, any length
    "keccak" TurboShake128 "turboshake128"
        extendable!(
            32, 168, keccak::turboshake128, TurboShake128::with_backend,
            many_of_any_size::<TurboShake128>, hash_fixed::<TurboShake128>
        );
    /// RFC 9861, 12 rounds, any length
    "keccak" TurboShake256 "turboshake256"
        extendable!(
            64, 136, keccak::turboshake256, TurboShake256::with_backend,
            many_of_any_size::<TurboShake256>, hash_fixed::<TurboShake256>
        );
    /// RFC 9861, KangarooTwelve, any length
    "keccak" Kt128 "kt128"
        extendable!(
            32, 168, |message, output| keccak::kt128(message, b"", output), |backend| Kt128::with_backend(backend, b""),
            one_by_one::<Kt128>, rows_one_by_one::<Kt128>
        );
    /// RFC 9861, KangarooTwelve, any length
    "keccak" Kt256 "kt256"
        extendable!(
            64, 136, |message, output| keccak::kt256(message, b"", output), |backend| Kt256::with_backend(backend, b""),
            one_by_one::<Kt256>, rows_one_by_one::<Kt256>
        );
    /// GB/T 32905-2016, 256 bits
    "sm3" Sm3 "sm3" fixed!(sm3::Sm3, sm3::sm3, sm3::BACKENDS);
}

/// Makes what a hasher holds.
type New = fn(Option<Backend>) -> Result<State, Unsupported>;

/// What the table holds of an algorithm.
struct Entry {
    extendable: bool,
    /// Bytes of an output, or of a usual one.
    output_size: usize,
    block_size: usize,
    backends: &'static [Backend],
    hasher: New,
    hash: HashFn,
    hash_many: HashManyFn,
    hash_fixed: HashFixedFn,
}

/// Hashes so many messages of one length, whose lengths were checked.
type HashFixedFn = fn(&[u8], usize, &mut [u8], Option<Backend>) -> Result<(), HashManyError>;

/// Hashes a message into an output, whose length was checked.
type HashFn = fn(&[u8], &mut [u8], Option<Backend>) -> Result<(), Unsupported>;

/// Messages of which each is one item.
type Messages<'i, 'm> = &'i mut (dyn ExactSizeIterator<Item = &'m [u8]> + 'i);

/// Hashes messages into outputs of the size given, one after the other in one slice, whose length was checked.
type HashManyFn = fn(Messages<'_, '_>, &mut [u8], usize, Option<Backend>) -> Result<(), HashManyError>;

macro_rules! fixed {
    ($hash:ty, $whole:path, $backends:expr) => {
        Entry {
            extendable: false,
            output_size: <$hash as OutputSizeUser>::OutputSize::USIZE,
            block_size: <$hash as BlockSizeUser>::BlockSize::USIZE,
            backends: $backends,
            hasher: |backend| Ok(Fixed(on::<$hash>(backend, <$hash>::with_backend)?).into()),
            hash: |message, output, backend| {
                match backend {
                    Some(backend) => {
                        let mut hash = <$hash>::with_backend(backend)?;
                        hash.update(message);
                        output.copy_from_slice(&hash.finalize_fixed());
                    }
                    None => output.copy_from_slice(&$whole(message)),
                }
                Ok(())
            },
            hash_many: many_of_one_size::<$hash>,
            hash_fixed: hash_fixed::<$hash>,
        }
    };
}
use fixed;

macro_rules! extendable {
    ($usual_size:literal, $block_size:literal, $whole:expr, $with_backend:expr, $hash_many:expr, $hash_fixed:expr) => {
        Entry {
            extendable: true,
            output_size: $usual_size,
            block_size: $block_size,
            backends: keccak::BACKENDS,
            hasher: |backend| Ok(Extendable(on(backend, $with_backend)?).into()),
            hash: |message, output, backend| {
                match backend {
                    Some(backend) => {
                        let mut hash = ($with_backend)(backend)?;
                        hash.update(message);
                        hash.finalize_xof_into(output);
                    }
                    None => ($whole)(message, output),
                }
                Ok(())
            },
            hash_many: $hash_many,
            hash_fixed: $hash_fixed,
        }
    };
}
use extendable;

impl HashAlgorithm {
    /// Bytes of an output; `None` for an extendable-output function, whose outputs have any length.
    pub const fn output_size(self) -> Option<usize> {
        let Entry { extendable, output_size, .. } = self.entry();
        if *extendable { None } else { Some(*output_size) }
    }

    /// Bytes of an output; for an extendable-output function twice its security level, that is 32 or 64.
    pub const fn default_output_size(self) -> usize {
        self.entry().output_size
    }

    /// Bytes of a message that are hashed at a time, which HMAC needs to know: for the Keccak family, the rate.
    pub const fn block_size(self) -> usize {
        self.entry().block_size
    }

    /// A hasher for one message after the other.
    ///
    /// # Errors
    /// [`Error::Unsupported`].
    pub fn hasher(self, backend: Option<Backend>) -> Result<Hasher, Error> {
        Ok(Hasher { algorithm: self, state: (self.entry().hasher)(backend)? })
    }

    /// Hashes one message into `output`, of the [`output_size`](Self::output_size) or for an extendable-output function
    /// of any length. Nothing is allocated.
    ///
    /// # Errors
    /// [`Error::WrongLength`] and [`Error::Unsupported`].
    pub fn hash(self, message: &[u8], output: &mut [u8], backend: Option<Backend>) -> Result<(), Error> {
        if let Some(size) = self.output_size() {
            check_length("output", size, output.len())?;
        }
        Ok((self.entry().hash)(message, output, backend)?)
    }

    /// Hashes each message into its part of `outputs`, side by side in the lanes of vector registers. KT128 and
    /// KT256, which fill the lanes from one message, take one after the other.
    ///
    /// `outputs` has as many parts as there are messages, of the [`output_size`](Self::output_size), or for an
    /// extendable-output function of any equal length.
    ///
    /// # Errors
    /// [`Error::WrongLength`] and [`Error::Unsupported`].
    pub fn hash_many(self, messages: &[&[u8]], outputs: &mut [u8], backend: Option<Backend>) -> Result<(), Error> {
        self.hash_each(messages.iter().copied(), outputs, backend)
    }

    /// Hashes messages as [`hash_many`](Self::hash_many) does, from an iterator, such as that over the rows of a table.
    /// For a hash nothing is allocated, for an extendable-output function a list of the outputs.
    ///
    /// # Errors
    /// [`Error::WrongLength`] and [`Error::Unsupported`]. If the iterator yields fewer messages than it promised, those
    /// are hashed, and [`Error::WrongCount`] says how many they were. It is not asked for any if `outputs` is empty.
    pub fn hash_each<'m, I>(self, messages: I, outputs: &mut [u8], backend: Option<Backend>) -> Result<(), Error>
    where
        I: IntoIterator<Item = &'m [u8], IntoIter: ExactSizeIterator>,
    {
        self.hash_messages(&mut messages.into_iter(), outputs, backend)
    }

    fn hash_messages(
        self,
        messages: Messages<'_, '_>,
        outputs: &mut [u8],
        backend: Option<Backend>,
    ) -> Result<(), Error> {
        let count = messages.len();
        let size = self.output_size().unwrap_or(outputs.len() / count.max(1));
        check_length("outputs", size.saturating_mul(count), outputs.len())?;
        // Nothing is written to empty outputs, however many they are.
        let messages = if outputs.is_empty() { &mut core::iter::empty() } else { messages };
        Ok((self.entry().hash_many)(messages, outputs, size, backend)?)
    }

    /// Hashes `count` messages of one length, which lie one after the other in `messages`, like
    /// [`HashMany::hash_fixed`]. `outputs` is as in [`hash_many`](Self::hash_many).
    ///
    /// # Errors
    /// [`Error::WrongLength`] and [`Error::Unsupported`].
    pub fn hash_fixed(
        self,
        messages: &[u8],
        count: usize,
        outputs: &mut [u8],
        backend: Option<Backend>,
    ) -> Result<(), Error> {
        let per_message = count.max(1);
        check_length("messages", messages.len() / per_message * count, messages.len())?;
        let size = self.output_size().unwrap_or(outputs.len() / per_message);
        check_length("outputs", size.saturating_mul(count), outputs.len())?;
        Ok((self.entry().hash_fixed)(messages, count, outputs, backend)?)
    }
}

impl From<HashManyError> for Error {
    fn from(error: HashManyError) -> Self {
        match error {
            HashManyError::Unsupported(error) => error.into(),
            HashManyError::WrongLength { length, expected, .. } => Self::wrong_length("output", expected, length),
            HashManyError::WrongCount { messages, outputs } => Self::WrongCount { messages, outputs },
            HashManyError::Uneven { messages, count, .. } => Self::wrong_length("messages", count, messages),
        }
    }
}

/// A hasher, which takes a message in pieces. It holds nothing on the heap.
#[derive(Clone, Debug)]
pub struct Hasher {
    algorithm: HashAlgorithm,
    state: State,
}

impl Hasher {
    /// The algorithm.
    pub fn algorithm(&self) -> HashAlgorithm {
        self.algorithm
    }

    /// Takes the next piece of the message.
    pub fn update(&mut self, piece: &[u8]) {
        self.state.hash().update(piece);
    }

    /// Ends the message and writes its hash, of the [`output_size`](HashAlgorithm::output_size) or for an
    /// extendable-output function of any length. The next piece begins another message.
    ///
    /// # Errors
    /// [`Error::WrongLength`]; the message is not ended then.
    pub fn finalize_into(&mut self, output: &mut [u8]) -> Result<(), Error> {
        self.state.hash().finalize_into(output)
    }

    /// Ends the message and returns a reader of its output, for an extendable-output function; otherwise `None`, and
    /// the message is not ended.
    pub fn finalize_xof(&mut self) -> Option<OutputReader> {
        self.state.hash().finalize_xof().map(OutputReader)
    }

    /// Forgets the pieces taken.
    pub fn reset(&mut self) {
        self.state.hash().reset();
    }
}

/// The output of an extendable-output function, read in pieces of any length. It holds nothing on the heap.
#[derive(Clone, Debug)]
pub struct OutputReader(Reader);

impl XofReader for OutputReader {
    fn read(&mut self, buffer: &mut [u8]) {
        self.0.reader().read(buffer);
    }
}

/// Defines an enum of types that have a trait, and the way to the trait's object.
macro_rules! any {
    (
        $(#[$meta:meta])*
        $enum:ident, $method:ident: $object:ty;
        $($feature:literal $variant:ident($type:ty);)*
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug)]
        enum $enum {
            $(#[cfg(feature = $feature)] $variant($type),)*
        }

        impl $enum {
            fn $method(&mut self) -> &mut $object {
                match *self {
                    $(#[cfg(feature = $feature)] Self::$variant(ref mut object) => object,)*
                }
            }
        }

        $(
            #[cfg(feature = $feature)]
            impl From<$type> for $enum {
                fn from(object: $type) -> Self {
                    Self::$variant(object)
                }
            }
        )*
    };
}

any! {
    /// What a hasher holds: the type of its algorithm.
    State, hash: dyn Steps;
    "keccak" Keccak224(Fixed<keccak::Keccak224>);
    "keccak" Keccak256(Fixed<keccak::Keccak256>);
    "keccak" Keccak384(Fixed<keccak::Keccak384>);
    "keccak" Keccak512(Fixed<keccak::Keccak512>);
    "keccak" Sha3_224(Fixed<keccak::Sha3_224>);
    "keccak" Sha3_256(Fixed<keccak::Sha3_256>);
    "keccak" Sha3_384(Fixed<keccak::Sha3_384>);
    "keccak" Sha3_512(Fixed<keccak::Sha3_512>);
    "keccak" Shake128(Extendable<Shake128>);
    "keccak" Shake256(Extendable<Shake256>);
    "keccak" TurboShake128(Extendable<TurboShake128>);
    "keccak" TurboShake256(Extendable<TurboShake256>);
    "keccak" Kt128(Extendable<Kt128<'static>>);
    "keccak" Kt256(Extendable<Kt256<'static>>);
    "sm3" Sm3(Fixed<sm3::Sm3>);
}

any! {
    /// The types of readers.
    Reader, reader: dyn XofReader;
    "keccak" Shake128(keccak::Shake128Reader);
    "keccak" Shake256(keccak::Shake256Reader);
    "keccak" TurboShake128(keccak::TurboShake128Reader);
    "keccak" TurboShake256(keccak::TurboShake256Reader);
}

/// What a hasher does.
trait Steps {
    fn update(&mut self, piece: &[u8]);
    fn finalize_into(&mut self, output: &mut [u8]) -> Result<(), Error>;
    fn finalize_xof(&mut self) -> Option<Reader>;
    fn reset(&mut self);
}

/// A hash on the backend given, or on the best.
fn on<H: Default>(
    backend: Option<Backend>,
    with_backend: impl FnOnce(Backend) -> Result<H, Unsupported>,
) -> Result<H, Unsupported> {
    backend.map_or_else(|| Ok(H::default()), with_backend)
}

/// A hash, as [`Steps`] has it.
#[derive(Clone, Debug)]
struct Fixed<H>(H);

impl<H: Update + FixedOutputReset> Steps for Fixed<H> {
    fn update(&mut self, piece: &[u8]) {
        self.0.update(piece);
    }

    fn finalize_into(&mut self, output: &mut [u8]) -> Result<(), Error> {
        let given = output.len();
        let output = <&mut Output<H>>::try_from(output)
            .map_err(|_| Error::wrong_length("output", H::OutputSize::USIZE, given))?;
        self.0.finalize_into_reset(output);
        Ok(())
    }

    fn finalize_xof(&mut self) -> Option<Reader> {
        None
    }

    fn reset(&mut self) {
        self.0.reset();
    }
}

/// An extendable-output function, as [`Steps`] has it.
#[cfg(feature = "keccak")]
#[derive(Clone, Debug)]
struct Extendable<H>(H);

#[cfg(feature = "keccak")]
impl<H: Update + ExtendableOutputReset<Reader: Into<Reader>>> Steps for Extendable<H> {
    fn update(&mut self, piece: &[u8]) {
        self.0.update(piece);
    }

    fn finalize_into(&mut self, output: &mut [u8]) -> Result<(), Error> {
        self.0.finalize_xof_reset_into(output);
        Ok(())
    }

    fn finalize_xof(&mut self) -> Option<Reader> {
        Some(self.0.finalize_xof_reset().into())
    }

    fn reset(&mut self) {
        self.0.reset();
    }
}

fn many_of_one_size<H: HashMany + OutputSizeUser>(
    messages: Messages<'_, '_>,
    outputs: &mut [u8],
    _size: usize,
    backend: Option<Backend>,
) -> Result<(), HashManyError> {
    hash_many::<H, _>(messages, Array::<u8, H::OutputSize>::slice_as_chunks_mut(outputs).0, backend)
}

fn many_of_any_size<H: HashMany>(
    messages: Messages<'_, '_>,
    outputs: &mut [u8],
    size: usize,
    backend: Option<Backend>,
) -> Result<(), HashManyError> {
    let mut outputs: Vec<_> = split(outputs, size, messages.len()).collect();
    hash_many::<H, _>(messages, &mut outputs, backend)
}

fn hash_many<H: HashMany, O: AsMut<[u8]>>(
    messages: Messages<'_, '_>,
    outputs: &mut [O],
    backend: Option<Backend>,
) -> Result<(), HashManyError> {
    match backend {
        Some(backend) => H::hash_many_with(backend, messages, outputs),
        None => H::hash_many(messages, outputs),
    }
}

fn hash_fixed<H: HashMany>(
    messages: &[u8],
    count: usize,
    outputs: &mut [u8],
    backend: Option<Backend>,
) -> Result<(), HashManyError> {
    match backend {
        Some(backend) => H::hash_fixed_with(backend, messages, count, outputs),
        None => H::hash_fixed(messages, count, outputs),
    }
}

/// A hash that fills the lanes from one message.
#[cfg(feature = "keccak")]
trait Tree: ExtendableOutputReset + Default {
    /// With an empty customization.
    fn with_backend(backend: Backend) -> Result<Self, Unsupported>;
}

#[cfg(feature = "keccak")]
impl Tree for Kt128<'_> {
    fn with_backend(backend: Backend) -> Result<Self, Unsupported> {
        Self::with_backend(backend, b"")
    }
}

#[cfg(feature = "keccak")]
impl Tree for Kt256<'_> {
    fn with_backend(backend: Backend) -> Result<Self, Unsupported> {
        Self::with_backend(backend, b"")
    }
}

#[cfg(feature = "keccak")]
fn rows_one_by_one<H: Tree>(
    messages: &[u8],
    count: usize,
    outputs: &mut [u8],
    backend: Option<Backend>,
) -> Result<(), HashManyError> {
    // Nothing is written to empty outputs, however many they are.
    let count = if outputs.is_empty() { 0 } else { count };
    let per_message = count.max(1);
    let (length, size) = (messages.len() / per_message, outputs.len() / per_message);
    one_by_one::<H>(&mut (0..count).map(|i| &messages[i * length..][..length]), outputs, size, backend)
}

#[cfg(feature = "keccak")]
fn one_by_one<H: Tree>(
    messages: Messages<'_, '_>,
    outputs: &mut [u8],
    size: usize,
    backend: Option<Backend>,
) -> Result<(), HashManyError> {
    let mut hash = on(backend, H::with_backend)?;
    let (count, mut hashed) = (messages.len(), 0);
    for (output, message) in split(outputs, size, count).zip(messages) {
        hash.update(message);
        hash.finalize_xof_reset_into(output);
        hashed += 1;
    }
    if hashed == count { Ok(()) } else { Err(HashManyError::WrongCount { messages: hashed, outputs: count }) }
}

/// The first `count` parts of `size` bytes each, which may be 0.
fn split(mut outputs: &mut [u8], size: usize, count: usize) -> impl Iterator<Item = &mut [u8]> {
    (0..count).map_while(move |_| outputs.split_off_mut(..size))
}
