//! Ciphers: the table of algorithms, and the functions that OpenSSL calls.
//!
//! A context has an object of the trait [`Mode`], which does what the algorithm's mode needs. OpenSSL sets key, IV and
//! parameters in any order and number of calls, and gives messages in pieces.

mod aead;
mod block;
mod gcm;
mod stream;
mod whole;
mod xts;

use crate::border::{
    self, Algorithm, Checked, Core, Data, Dispatch, END, Failure, HasCore, Output, bytes, entry, with,
};
use crate::params::{self, Param, known};
use core::ffi::{CStr, c_int, c_void};
use fairlane::dynamic::{AeadAlgorithm as Aead, BlockModeAlgorithm as Block, CipherAlgorithm as Cipher};

/// What a mode does with the messages of one context.
trait Mode: Send {
    /// Sets the direction of what comes, if it matters.
    fn turn(&mut self, encrypting: bool) {
        let _ = encrypting;
    }

    /// Begins a message, with a new key or IV if there is one. The key has the algorithm's length.
    fn begin(&mut self, key: Option<&[u8]>, iv: Option<&[u8]>) -> Checked<()>;

    /// Transforms the next piece of the message, and returns how many bytes it has written.
    fn update(&mut self, data: Data<'_>) -> Checked<usize>;

    /// The same for a message in one call, without padding.
    fn whole(&mut self, data: Data<'_>) -> Checked<usize> {
        self.update(data)
    }

    /// Ends the message, and returns how many bytes it has written.
    fn finish(&mut self, output: Output<'_>) -> Checked<usize>;

    /// Takes associated data.
    fn associate(&mut self, data: &[u8]) -> Checked<()> {
        let _ = data;
        Err(Failure::Null)
    }

    /// Takes the length of the message that will come.
    fn announce(&mut self, length: usize) -> Checked<()> {
        let _ = length;
        Err(Failure::Null)
    }

    /// Bytes of an IV.
    fn iv_size(&self) -> usize;

    /// The IV that was set; with `current`, the one with which a new context would go on.
    fn iv(&self, current: bool) -> Checked<Vec<u8>>;

    /// Answers about a parameter that not all modes have.
    fn get(&self, param: &mut Param) -> Checked<()> {
        let _ = param;
        Ok(())
    }

    /// Sets a parameter that not all modes have.
    fn set(&mut self, param: &Param) -> Checked<()> {
        let _ = param;
        Ok(())
    }

    /// A copy that goes on by itself.
    fn duplicate(&self) -> Box<dyn Mode>;
}

/// Numbers of modes, as in OpenSSL's `evp.h`.
mod number {
    pub(super) const STREAM: usize = 0;
    pub(super) const ECB: usize = 1;
    pub(super) const CBC: usize = 2;
    pub(super) const CTR: usize = 5;
    pub(super) const GCM: usize = 6;
    pub(super) const CCM: usize = 7;
    pub(super) const XTS: usize = 0x10001;
}

/// What a context has beside the parameters of all ciphers.
#[derive(Clone, Copy)]
enum Own {
    Nothing,
    /// The padding of the last block.
    Padding,
    /// The standard that SM4-XTS follows.
    Standard,
    /// An AEAD's tag, and lengths of IVs.
    Tag,
    /// The same, and records of TLS 1.2.
    Records,
}

/// A line of the table.
struct Line {
    /// The names that OpenSSL's own providers use too, where they have the algorithm.
    names: &'static CStr,
    mode: usize,
    key_size: usize,
    /// Bytes of an IV, if no other number is set.
    iv_size: usize,
    /// Bytes of a block, and 1 for what takes messages of any length.
    block_size: usize,
    own: Own,
    new: fn() -> Box<dyn Mode>,
}

impl Line {
    const fn is_aead(&self) -> bool {
        matches!(self.own, Own::Tag | Own::Records)
    }
}

macro_rules! stream {
    ($names:literal, $algorithm:ident) => {
        Line {
            names: $names,
            mode: number::CTR,
            key_size: Cipher::$algorithm.key_size(),
            iv_size: Cipher::$algorithm.iv_size(),
            block_size: 1,
            own: Own::Nothing,
            new: || Box::new(stream::Counter::new(Cipher::$algorithm)),
        }
    };
}

macro_rules! block {
    ($names:literal, $mode:ident, $algorithm:ident) => {
        Line {
            names: $names,
            mode: number::$mode,
            key_size: Block::$algorithm.key_size(),
            iv_size: Block::$algorithm.iv_size(),
            block_size: Block::$algorithm.block_size(),
            own: Own::Padding,
            new: || Box::new(block::Blocks::new(Block::$algorithm)),
        }
    };
}

macro_rules! xts {
    ($names:literal, $algorithm:ident, $own:ident) => {
        Line {
            names: $names,
            mode: number::XTS,
            key_size: Block::$algorithm.key_size(),
            iv_size: Block::$algorithm.iv_size(),
            block_size: 1,
            own: Own::$own,
            new: || Box::new(xts::Xts::new(Block::$algorithm)),
        }
    };
}

macro_rules! whole {
    ($names:literal, $mode:ident, $algorithm:ident) => {
        Line {
            names: $names,
            mode: number::$mode,
            key_size: Aead::$algorithm.key_size(),
            iv_size: Aead::$algorithm.nonce_size(),
            block_size: 1,
            own: Own::Tag,
            new: || Box::new(whole::Whole::new(whole::Kind::Named(Aead::$algorithm))),
        }
    };
}

/// Bytes of the longest IV that programs have room for: OpenSSL's `EVP_MAX_IV_LENGTH`.
const LONGEST_IV: usize = 16;

/// How many lines, from the first on, have longer ones.
const WITH_LONG_IVS: usize = 17;

static LINES: [Line; 40] = [
    stream!(c"XChaCha20", XChaCha20),
    stream!(c"Threefish512-CTR", Threefish512Ctr),
    block!(c"Kalyna256-256-CBC", CBC, Kalyna256_256Cbc),
    block!(c"Kalyna256-512-CBC", CBC, Kalyna256_512Cbc),
    block!(c"Kalyna512-512-CBC", CBC, Kalyna512_512Cbc),
    stream!(c"Kalyna256-256-CTR", Kalyna256_256Ctr),
    stream!(c"Kalyna256-512-CTR", Kalyna256_512Ctr),
    stream!(c"Kalyna512-512-CTR", Kalyna512_512Ctr),
    xts!(c"Kalyna256-256-XTS", Kalyna256_256Xts, Nothing),
    xts!(c"Kalyna256-512-XTS", Kalyna256_512Xts, Nothing),
    xts!(c"Kalyna512-512-XTS", Kalyna512_512Xts, Nothing),
    whole!(c"Kalyna256-256-GCM", GCM, Kalyna256_256Gcm),
    whole!(c"Kalyna256-512-GCM", GCM, Kalyna256_512Gcm),
    whole!(c"Kalyna512-512-GCM", GCM, Kalyna512_512Gcm),
    whole!(c"Kalyna256-256-CCM", CCM, Kalyna256_256Ccm),
    whole!(c"Kalyna256-512-CCM", CCM, Kalyna256_512Ccm),
    whole!(c"Kalyna512-512-CCM", CCM, Kalyna512_512Ccm),
    // From here on IVs have `LONGEST_IV` bytes or fewer.
    block!(c"SM4-ECB:1.2.156.10197.1.104.1", ECB, Sm4Ecb),
    block!(c"SM4-CBC:SM4:1.2.156.10197.1.104.2", CBC, Sm4Cbc),
    stream!(c"SM4-CTR:1.2.156.10197.1.104.7", Sm4Ctr),
    Line {
        names: c"SM4-GCM:1.2.156.10197.1.104.8",
        mode: number::GCM,
        key_size: 16,
        iv_size: 12,
        block_size: 1,
        own: Own::Tag,
        new: || Box::new(aead::Streaming::new(gcm::Gcm::new())),
    },
    Line {
        names: c"SM4-CCM:1.2.156.10197.1.104.9",
        mode: number::CCM,
        key_size: 16,
        iv_size: 7,
        block_size: 1,
        own: Own::Tag,
        new: || Box::new(whole::Whole::new(whole::Kind::Sm4Ccm)),
    },
    xts!(c"SM4-XTS:1.2.156.10197.1.104.10", Sm4XtsGb, Standard),
    Line {
        names: c"ChaCha20",
        mode: number::STREAM,
        key_size: 32,
        iv_size: 16,
        block_size: 1,
        own: Own::Nothing,
        new: || Box::new(stream::Counter::new(Cipher::ChaCha20)),
    },
    Line {
        names: c"ChaCha20-Poly1305",
        mode: number::STREAM,
        key_size: 32,
        iv_size: 12,
        block_size: 1,
        own: Own::Records,
        new: || Box::new(aead::Streaming::new(stream::ChaChaPoly::new())),
    },
    block!(c"Kalyna128-128-ECB", ECB, Kalyna128_128Ecb),
    block!(c"Kalyna128-256-ECB", ECB, Kalyna128_256Ecb),
    block!(c"Kalyna256-256-ECB", ECB, Kalyna256_256Ecb),
    block!(c"Kalyna256-512-ECB", ECB, Kalyna256_512Ecb),
    block!(c"Kalyna512-512-ECB", ECB, Kalyna512_512Ecb),
    block!(c"Kalyna128-128-CBC", CBC, Kalyna128_128Cbc),
    block!(c"Kalyna128-256-CBC", CBC, Kalyna128_256Cbc),
    stream!(c"Kalyna128-128-CTR", Kalyna128_128Ctr),
    stream!(c"Kalyna128-256-CTR", Kalyna128_256Ctr),
    xts!(c"Kalyna128-128-XTS", Kalyna128_128Xts, Nothing),
    xts!(c"Kalyna128-256-XTS", Kalyna128_256Xts, Nothing),
    whole!(c"Kalyna128-128-GCM", GCM, Kalyna128_128Gcm),
    whole!(c"Kalyna128-256-GCM", GCM, Kalyna128_256Gcm),
    whole!(c"Kalyna128-128-CCM", CCM, Kalyna128_128Ccm),
    whole!(c"Kalyna128-256-CCM", CCM, Kalyna128_256Ccm),
];

const _: () = {
    let mut i = 0;
    while i < LINES.len() {
        assert!((LINES[i].iv_size > LONGEST_IV) == (i < WITH_LONG_IVS));
        i += 1;
    }
};

macro_rules! algorithms {
    ($($line:literal)*) => {
        static ALGORITHMS: [Algorithm; LINES.len() + 1] = [
            $(Algorithm::new(LINES[$line].names, &Functions::<$line>::TABLE),)*
            Algorithm::LAST,
        ];
    };
}
algorithms!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39);

/// The table for OpenSSL. Many programs, its own `openssl enc` among them, write an IV to [`LONGEST_IV`] bytes of
/// stack, however long the cipher says that it is: longer ones are for those who ask for them.
pub(crate) fn algorithms(long_ivs: bool) -> &'static [Algorithm] {
    &ALGORITHMS[if long_ivs { 0 } else { WITH_LONG_IVS }..]
}

/// The functions of a line, of which two are told nothing that says which line is meant.
struct Functions<const LINE: usize>;

impl<const LINE: usize> Functions<LINE> {
    const TABLE: [Dispatch; 15] = [
        entry(1, Self::new_context as *const ()),
        entry(2, begin::<true> as *const ()),
        entry(3, begin::<false> as *const ()),
        entry(4, update::<false> as *const ()),
        entry(5, finish as *const ()),
        entry(6, whole as *const ()),
        entry(7, free_context as *const ()),
        entry(8, duplicate as *const ()),
        entry(9, Self::get_params as *const ()),
        entry(10, get_context_params as *const ()),
        entry(11, set_context_params as *const ()),
        entry(12, gettable_params as *const ()),
        entry(13, gettable_context_params(LINES[LINE].own)),
        entry(14, settable_context_params(LINES[LINE].own)),
        END,
    ];

    unsafe extern "C" fn new_context(provider: *mut c_void) -> *mut c_void {
        border::boxed(|| {
            let line = &LINES[LINE];
            // SAFETY: the provider's context.
            let core = unsafe { Core::of(provider) };
            Some(Context { core, line, mode: (line.new)(), told: NOTHING_TOLD })
        })
    }

    unsafe extern "C" fn get_params(params: *mut Param) -> c_int {
        let line = &LINES[LINE];
        border::guarded(None, || {
            // SAFETY: OpenSSL's list of parameters.
            for param in unsafe { params::list_mut(params) } {
                match param.name() {
                    b"mode" => param.put_number(line.mode)?,
                    b"keylen" => param.put_number(line.key_size)?,
                    b"ivlen" => param.put_number(line.iv_size)?,
                    b"blocksize" => param.put_number(line.block_size)?,
                    b"aead" => param.put_number(line.is_aead().into())?,
                    // The mode keeps the IV by itself.
                    b"custom-iv" => param.put_number((line.is_aead() || line.mode == number::XTS).into())?,
                    b"cts" | b"tls-multi" | b"has-randkey" => param.put_number(0)?,
                    _ => {}
                }
            }
            Ok(())
        })
    }
}

struct Context {
    core: Option<Core>,
    line: &'static Line,
    mode: Box<dyn Mode>,
    /// The last answers about the IV that was set and the current one: programs may keep pointers to them as long as the
    /// context lives.
    told: [[u8; LONGEST_TOLD]; 2],
}

/// Bytes of the longest IV: one that SM4-GCM can take.
const LONGEST_TOLD: usize = 128;
const NOTHING_TOLD: [[u8; LONGEST_TOLD]; 2] = [[0; LONGEST_TOLD]; 2];

impl HasCore for Context {
    fn core(&self) -> Option<Core> {
        self.core
    }
}

impl Context {
    fn set(&mut self, params: *const Param) -> Checked<()> {
        // SAFETY: OpenSSL's list of parameters.
        for param in unsafe { params::list(params) } {
            match param.name() {
                b"keylen" if param.get_number()? != self.line.key_size => return Err(Failure::KeyLength),
                b"keylen" => {}
                _ => self.mode.set(param)?,
            }
        }
        Ok(())
    }
}

unsafe extern "C" fn begin<const ENCRYPTING: bool>(
    context: *mut c_void,
    key: *const u8,
    key_length: usize,
    iv: *const u8,
    iv_length: usize,
    params: *const Param,
) -> c_int {
    // SAFETY: a context from `new_context`, and OpenSSL's buffers; null where there is none.
    unsafe {
        with(context, |context: &mut Context| {
            // What a parameter means can depend on the direction; lengths of IVs are set before the IV.
            context.mode.turn(ENCRYPTING);
            context.set(params)?;
            let key = if key.is_null() { None } else { Some(bytes(key, key_length)?) };
            let iv = if iv.is_null() { None } else { Some(bytes(iv, iv_length)?) };
            if key.is_some_and(|key| key.len() != context.line.key_size) {
                return Err(Failure::KeyLength);
            }
            // A program may give an IV to ECB, too.
            let iv = iv.filter(|_| context.line.iv_size > 0);
            if iv.is_some_and(|iv| iv.len() != context.mode.iv_size()) {
                return Err(Failure::IvLength);
            }
            context.mode.begin(key, iv)
        })
    }
}

/// With `WHOLE` the message comes in one call.
unsafe extern "C" fn update<const WHOLE: bool>(
    context: *mut c_void,
    output: *mut u8,
    output_length: *mut usize,
    room: usize,
    input: *const u8,
    length: usize,
) -> c_int {
    // SAFETY: a context from `new_context`, and OpenSSL's buffers.
    unsafe {
        with(context, |context: &mut Context| {
            if output_length.is_null() {
                return Err(Failure::Null);
            }
            output_length.write(0);
            let written = match (output.is_null(), input.is_null()) {
                // CCM takes an empty message, too.
                _ if length == 0 && context.line.mode != number::CCM => 0,
                (true, true) if length > 0 => {
                    context.mode.announce(length)?;
                    length
                }
                (true, _) if context.line.is_aead() => {
                    context.mode.associate(bytes(input, length)?)?;
                    length
                }
                _ if WHOLE => context.mode.whole(Data::new(input, length, output, room)?)?,
                _ => context.mode.update(Data::new(input, length, output, room)?)?,
            };
            output_length.write(written);
            Ok(())
        })
    }
}

unsafe extern "C" fn finish(context: *mut c_void, output: *mut u8, output_length: *mut usize, room: usize) -> c_int {
    // SAFETY: a context from `new_context`, and OpenSSL's buffers.
    unsafe {
        with(context, |context: &mut Context| {
            if output_length.is_null() {
                return Err(Failure::Null);
            }
            output_length.write(0);
            output_length.write(context.mode.finish(Output::new(output, room))?);
            Ok(())
        })
    }
}

/// A message in one call, without padding: `EVP_Cipher`.
unsafe extern "C" fn whole(
    context: *mut c_void,
    output: *mut u8,
    output_length: *mut usize,
    room: usize,
    input: *const u8,
    length: usize,
) -> c_int {
    // SAFETY: as of `update` and `finish`.
    unsafe {
        if input.is_null() && context.cast::<Context>().as_ref().is_some_and(|context| context.line.is_aead()) {
            return finish(context, output, output_length, room);
        }
        update::<true>(context, output, output_length, room, input, length)
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
        let Context { core, line, mode, .. } = context?;
        Some(Context { core: *core, line, mode: mode.duplicate(), told: NOTHING_TOLD })
    })
}

unsafe extern "C" fn get_context_params(context: *mut c_void, params: *mut Param) -> c_int {
    // SAFETY: a context from `new_context`, and OpenSSL's list of parameters.
    unsafe {
        with(context, |context: &mut Context| {
            for param in params::list_mut(params) {
                match param.name() {
                    b"keylen" => param.put_number(context.line.key_size)?,
                    b"ivlen" => param.put_number(context.mode.iv_size())?,
                    name @ (b"iv" | b"updated-iv") => {
                        let current = name == b"updated-iv";
                        let iv = context.mode.iv(current)?;
                        if iv.len() != context.mode.iv_size() {
                            return Err(Failure::NoIv);
                        }
                        let told = &mut context.told[usize::from(current)][..iv.len()];
                        told.copy_from_slice(&iv);
                        param.put_octets_or_pointer(told)?;
                    }
                    _ => context.mode.get(param)?,
                }
            }
            Ok(())
        })
    }
}

unsafe extern "C" fn set_context_params(context: *mut c_void, params: *const Param) -> c_int {
    // SAFETY: a context from `new_context`.
    unsafe { with(context, |context: &mut Context| context.set(params)) }
}

known! {
    gettable_params(*mut c_void):
    Param::number(c"mode"),
    Param::number(c"keylen"),
    Param::number(c"ivlen"),
    Param::number(c"blocksize"),
    Param::number(c"aead"),
    Param::number(c"custom-iv"),
    Param::number(c"cts"),
    Param::number(c"tls-multi"),
}

/// The function that lists what can be asked of a context.
const fn gettable_context_params(own: Own) -> *const () {
    match own {
        Own::Nothing | Own::Padding | Own::Standard => gettable as *const (),
        Own::Tag => gettable_with_tag as *const (),
        Own::Records => gettable_with_records as *const (),
    }
}

/// The function that lists what can be set in a context. OpenSSL sets a length of keys only if it is listed.
const fn settable_context_params(own: Own) -> *const () {
    match own {
        Own::Nothing => settable as *const (),
        Own::Padding => settable_with_padding as *const (),
        Own::Standard => settable_with_standard as *const (),
        Own::Tag => settable_with_tag as *const (),
        Own::Records => settable_with_records as *const (),
    }
}

macro_rules! gettable {
    ($name:ident: $($more:expr),*) => {
        known! {
            $name(*mut c_void, *mut c_void):
            Param::number(c"keylen"),
            Param::number(c"ivlen"),
            Param::octets(c"iv"),
            Param::octets(c"updated-iv"),
            Param::number(c"padding"),
            Param::number(c"num"),
            $($more),*
        }
    };
}
gettable!(gettable:);
gettable!(gettable_with_tag: Param::number(c"taglen"), Param::octets(c"tag"));
gettable!(gettable_with_records: Param::number(c"taglen"), Param::octets(c"tag"), Param::number(c"tlsaadpad"));

macro_rules! settable {
    ($name:ident: $($more:expr),*) => {
        known!($name(*mut c_void, *mut c_void): Param::number(c"keylen"), $($more),*);
    };
}
settable!(settable:);
settable!(settable_with_padding: Param::number(c"padding"));
settable!(settable_with_standard: Param::text(c"xts_standard"));
settable!(settable_with_tag: Param::number(c"ivlen"), Param::octets(c"tag"));
settable! {
    settable_with_records: Param::number(c"ivlen"), Param::octets(c"tag"), Param::octets(c"tlsaad"),
    Param::octets(c"tlsivfixed")
}
