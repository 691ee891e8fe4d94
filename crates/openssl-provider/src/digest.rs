//! Digests and extendable-output functions.

use crate::border::{self, Algorithm, Checked, Core, Dispatch, END, Failure, HasCore, bytes, bytes_mut, entry, with};
use crate::params::{self, Param, known};
use core::ffi::{CStr, c_int, c_void};
use fairlane::digest::XofReader;
use fairlane::dynamic::{HashAlgorithm, Hasher, OutputReader};

/// A line of the table: the names that OpenSSL's own providers use too, and the algorithm.
struct Line {
    names: &'static CStr,
    algorithm: HashAlgorithm,
    /// Bytes of an output if none are asked for, which OpenSSL has chosen by itself for SHAKE.
    size: usize,
}

const fn line(names: &'static CStr, algorithm: HashAlgorithm) -> Line {
    Line { names, algorithm, size: algorithm.default_output_size() }
}

const fn shake(names: &'static CStr, algorithm: HashAlgorithm, size: usize) -> Line {
    Line { names, algorithm, size }
}

static LINES: [Line; 15] = [
    line(c"KECCAK-256:KECCAK256", HashAlgorithm::Keccak256),
    line(c"KECCAK-224", HashAlgorithm::Keccak224),
    line(c"KECCAK-384", HashAlgorithm::Keccak384),
    line(c"KECCAK-512", HashAlgorithm::Keccak512),
    line(c"SM3:1.2.156.10197.1.401", HashAlgorithm::Sm3),
    line(c"SHA3-224:2.16.840.1.101.3.4.2.7", HashAlgorithm::Sha3_224),
    line(c"SHA3-256:2.16.840.1.101.3.4.2.8", HashAlgorithm::Sha3_256),
    line(c"SHA3-384:2.16.840.1.101.3.4.2.9", HashAlgorithm::Sha3_384),
    line(c"SHA3-512:2.16.840.1.101.3.4.2.10", HashAlgorithm::Sha3_512),
    shake(c"SHAKE-128:SHAKE128:2.16.840.1.101.3.4.2.11", HashAlgorithm::Shake128, 16),
    shake(c"SHAKE-256:SHAKE256:2.16.840.1.101.3.4.2.12", HashAlgorithm::Shake256, 32),
    line(c"TURBOSHAKE-128:TURBOSHAKE128", HashAlgorithm::TurboShake128),
    line(c"TURBOSHAKE-256:TURBOSHAKE256", HashAlgorithm::TurboShake256),
    line(c"KT128:KANGAROOTWELVE", HashAlgorithm::Kt128),
    line(c"KT256", HashAlgorithm::Kt256),
];

/// Whether programs choose the size of a line's outputs.
const fn is_xof(line: usize) -> bool {
    LINES[line].algorithm.output_size().is_none()
}

macro_rules! algorithms {
    ($($line:literal)*) => {
        pub(crate) static ALGORITHMS: &[Algorithm] = &[
            $(Algorithm::new(LINES[$line].names, &Functions::<$line>::TABLE),)*
            Algorithm::LAST,
        ];
    };
}
algorithms!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14);

/// The functions of a line, of which some are told nothing that says which line is meant.
struct Functions<const LINE: usize>;

impl<const LINE: usize> Functions<LINE> {
    const TABLE: [Dispatch; 15] = [
        entry(1, Self::new_context as *const ()),
        entry(2, init as *const ()),
        entry(3, update as *const ()),
        entry(4, Self::finish as *const ()),
        entry(5, Self::digest as *const ()),
        entry(6, free_context as *const ()),
        entry(7, duplicate as *const ()),
        entry(8, Self::get_params as *const ()),
        entry(9, set_context_params as *const ()),
        entry(10, Self::get_context_params as *const ()),
        entry(11, gettable_params as *const ()),
        entry(12, if is_xof(LINE) { settable_size as _ } else { nothing_settable as _ }),
        entry(13, gettable_context_params as *const ()),
        entry(14, squeeze as *const ()),
        END,
    ];

    unsafe extern "C" fn new_context(provider: *mut c_void) -> *mut c_void {
        border::boxed(|| {
            let line = &LINES[LINE];
            let hash = line.algorithm.hasher(None).ok()?;
            // SAFETY: the provider's context.
            let core = unsafe { Core::of(provider) };
            Some(Context { core, hash, size: None, state: State::Taking })
        })
    }

    unsafe extern "C" fn digest(
        provider: *mut c_void,
        message: *const u8,
        length: usize,
        output: *mut u8,
        output_length: *mut usize,
        room: usize,
    ) -> c_int {
        let line = &LINES[LINE];
        // SAFETY: OpenSSL's buffers, of the lengths given, and the provider's context.
        border::guarded(unsafe { Core::of(provider) }, || unsafe {
            let message = bytes(message, length)?;
            if output_length.is_null() {
                return Err(Failure::Null);
            }
            if room < line.size {
                return Err(Failure::OutputTooSmall);
            }
            line.algorithm.hash(message, bytes_mut(output, line.size)?, None)?;
            output_length.write(line.size);
            Ok(())
        })
    }

    unsafe extern "C" fn get_params(params: *mut Param) -> c_int {
        let line = &LINES[LINE];
        border::guarded(None, || {
            // SAFETY: OpenSSL's list of parameters.
            for param in unsafe { params::list_mut(params) } {
                match param.name() {
                    b"blocksize" => param.put_number(line.algorithm.block_size())?,
                    b"size" => param.put_number(line.size)?,
                    b"xof" => param.put_number(is_xof(LINE).into())?,
                    // No algorithm here has parameters in an AlgorithmIdentifier.
                    b"algid-absent" => param.put_number(1)?,
                    _ => {}
                }
            }
            Ok(())
        })
    }

    unsafe extern "C" fn finish(context: *mut c_void, output: *mut u8, length: *mut usize, room: usize) -> c_int {
        // SAFETY: a context from `new_context`, and OpenSSL's buffers.
        unsafe {
            with(context, |context: &mut Context| {
                if length.is_null() {
                    return Err(Failure::Null);
                }
                let size = match context.size {
                    // EVP tells the room of the usual output; a program that sets a size has room for it.
                    Some(size) => size,
                    None if room < LINES[LINE].size => return Err(Failure::OutputTooSmall),
                    None => LINES[LINE].size,
                };
                context.taking()?.finalize_into(bytes_mut(output, size)?)?;
                context.state = State::Finished;
                length.write(size);
                Ok(())
            })
        }
    }

    unsafe extern "C" fn get_context_params(context: *mut c_void, params: *mut Param) -> c_int {
        // SAFETY: a context from `new_context`, and OpenSSL's list of parameters.
        unsafe {
            with(context, |context: &mut Context| {
                for param in params::list_mut(params) {
                    if matches!(param.name(), b"size" | b"xoflen") {
                        param.put_number(context.size.unwrap_or(LINES[LINE].size))?;
                    }
                }
                Ok(())
            })
        }
    }
}

/// A message that is being hashed.
struct Context {
    core: Option<Core>,
    hash: Hasher,
    /// Bytes of the output, if they were set.
    size: Option<usize>,
    state: State,
}

#[derive(Clone)]
enum State {
    Taking,
    Squeezing(Box<OutputReader>),
    Finished,
}

impl HasCore for Context {
    fn core(&self) -> Option<Core> {
        self.core
    }
}

impl Context {
    fn taking(&mut self) -> Checked<&mut Hasher> {
        if matches!(self.state, State::Taking) { Ok(&mut self.hash) } else { Err(Failure::Order) }
    }

    fn set(&mut self, params: *const Param) -> Checked<()> {
        // SAFETY: OpenSSL's list of parameters.
        for param in unsafe { params::list(params) } {
            // OpenSSL calls both so.
            if matches!(param.name(), b"xoflen" | b"size") && self.hash.algorithm().output_size().is_none() {
                self.size = Some(param.get_number()?);
            }
        }
        Ok(())
    }
}

unsafe extern "C" fn init(context: *mut c_void, params: *const Param) -> c_int {
    let begin = |context: &mut Context| {
        context.hash.reset();
        context.state = State::Taking;
        // A size is for one message: the next one's buffer may have room for the usual output only. OpenSSL 3.0 makes a
        // context for each message, but 3.5 uses it again, and its own SHAKE writes past such a buffer.
        context.size = None;
        context.set(params)
    };
    // SAFETY: a context of OpenSSL's from `new_context`.
    unsafe { with(context, begin) }
}

unsafe extern "C" fn update(context: *mut c_void, piece: *const u8, length: usize) -> c_int {
    // SAFETY: a context from `new_context`, and OpenSSL's buffer.
    unsafe {
        with(context, |context: &mut Context| {
            context.taking()?.update(bytes(piece, length)?);
            Ok(())
        })
    }
}

unsafe extern "C" fn squeeze(context: *mut c_void, output: *mut u8, length: *mut usize, room: usize) -> c_int {
    // SAFETY: a context from `new_context`, and OpenSSL's buffers.
    unsafe {
        with(context, |context: &mut Context| {
            if length.is_null() {
                return Err(Failure::Null);
            }
            let output = bytes_mut(output, room)?;
            if matches!(context.state, State::Taking) {
                context.state = State::Squeezing(Box::new(context.hash.finalize_xof().ok_or(Failure::Unsupported)?));
            }
            let State::Squeezing(reader) = &mut context.state else { return Err(Failure::Order) };
            reader.read(output);
            length.write(room);
            Ok(())
        })
    }
}

unsafe extern "C" fn free_context(context: *mut c_void) {
    // SAFETY: a context from `new_context`, which OpenSSL does not use again.
    unsafe { border::free::<Context>(context) };
}

unsafe extern "C" fn duplicate(context: *mut c_void) -> *mut c_void {
    // SAFETY: a context from `new_context`.
    let context = unsafe { context.cast::<Context>().as_ref() };
    border::boxed(|| {
        let context = context?;
        let (hash, state) = (context.hash.clone(), context.state.clone());
        Some(Context { core: context.core, hash, size: context.size, state })
    })
}

unsafe extern "C" fn set_context_params(context: *mut c_void, params: *const Param) -> c_int {
    // SAFETY: a context from `new_context`.
    unsafe { with(context, |context: &mut Context| context.set(params)) }
}

known! {
    gettable_params(*mut c_void):
    Param::number(c"blocksize"),
    Param::number(c"size"),
    Param::number(c"xof"),
    Param::number(c"algid-absent"),
}

known!(gettable_context_params(*mut c_void, *mut c_void): Param::number(c"xoflen"), Param::number(c"size"));
known!(settable_size(*mut c_void, *mut c_void): Param::number(c"xoflen"), Param::number(c"size"));
known!(nothing_settable(*mut c_void, *mut c_void):);
