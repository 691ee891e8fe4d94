//! Hashes and extendable-output functions.

use crate::border::{
    Bytes, Checked, Input, Output, Placed, algorithm, backend, exclusive, free_or_erase, guarded, place, place_in,
    shared,
};
use crate::status::Status;
use core::ffi::{c_char, c_void};
use fairlane::digest::XofReader;
use fairlane::dynamic::{self, HashAlgorithm, OutputReader};

/// A hasher: `fairlane_hasher`.
pub struct Hasher {
    hash: dynamic::Hasher,
    /// The output of a message that a squeeze has ended.
    reader: Option<OutputReader>,
    in_room: bool,
}

/// Room that is enough for a hasher, in bytes, and its alignment: the header's constants, which never grow.
pub const HASHER_SIZE: usize = 1024;
/// See [`HASHER_SIZE`].
pub const HASHER_ALIGNMENT: usize = 8;

const _: () = assert!(size_of::<Hasher>() <= HASHER_SIZE && align_of::<Hasher>() <= HASHER_ALIGNMENT);

impl Placed for Hasher {
    fn in_room(&mut self) -> &mut bool {
        &mut self.in_room
    }
}

impl Hasher {
    fn new(name: *const c_char, on: *const c_char) -> Checked<Self> {
        // SAFETY: the header's conditions.
        let (algorithm, on) = unsafe { (algorithm::<HashAlgorithm>(name)?, backend(on)?) };
        Ok(Self { hash: algorithm.hasher(on)?, reader: None, in_room: false })
    }

    fn copy(&self) -> Checked<Self> {
        if self.reader.is_some() {
            return Err(Status::Squeezed);
        }
        Ok(Self { hash: self.hash.clone(), reader: None, in_room: false })
    }

    /// The hash, if no squeeze has ended the message.
    fn taking(&mut self) -> Checked<&mut dynamic::Hasher> {
        if self.reader.is_some() { Err(Status::Squeezed) } else { Ok(&mut self.hash) }
    }
}

/// Checks the size of an output.
fn check_size(algorithm: HashAlgorithm, size: usize) -> Checked<()> {
    if algorithm.output_size().is_none_or(|expected| expected == size) { Ok(()) } else { Err(Status::Length) }
}

/// The hash of one message.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fairlane_hash(
    name: *const c_char,
    message: *const u8,
    message_length: usize,
    output: *mut u8,
    output_length: usize,
    on: *const c_char,
) -> Status {
    // SAFETY: the header's conditions; the output shares no byte with the message.
    guarded(|| unsafe {
        let (hash, on): (HashAlgorithm, _) = (algorithm(name)?, backend(on)?);
        let (message, output) = (Input::new(message, message_length)?, Output::new(output, output_length)?);
        output.apart_from(&[message])?;
        Ok(hash.hash(message.slice(), output.slice(), on)?)
    })
}

/// The hashes of many messages of any lengths.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fairlane_hash_many(
    name: *const c_char,
    messages: *const Bytes,
    count: usize,
    outputs: *mut u8,
    output_length: usize,
    on: *const c_char,
) -> Status {
    // SAFETY: the header's conditions; the outputs share no byte with the list or a message.
    guarded(|| unsafe {
        let (hash, on): (HashAlgorithm, _) = (algorithm(name)?, backend(on)?);
        check_size(hash, output_length)?;
        let list = Input::array(messages, count)?;
        let outputs = Output::many(outputs, count, output_length)?;
        outputs.apart_from(&[list])?;
        let list = list.elements::<Bytes>();
        for message in list {
            outputs.apart_from(&[message.input()?])?;
        }
        // The checks hold for every message, so that none is left out here.
        let messages = list.iter().map(|message| message.input().map_or(&[][..], |message| message.slice()));
        Ok(hash.hash_each(messages, outputs.slice(), on)?)
    })
}

/// The hashes of many messages of one length at equal distances.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fairlane_hash_rows(
    name: *const c_char,
    rows: *const u8,
    row_length: usize,
    stride: usize,
    count: usize,
    outputs: *mut u8,
    output_length: usize,
    on: *const c_char,
) -> Status {
    // SAFETY: the header's conditions; the outputs share no byte with the rows or what lies between them.
    guarded(|| unsafe {
        let (hash, on): (HashAlgorithm, _) = (algorithm(name)?, backend(on)?);
        check_size(hash, output_length)?;
        if stride < row_length {
            return Err(Status::Length);
        }
        let before = count.saturating_sub(1).checked_mul(stride).ok_or(Status::Length)?;
        let all = before.checked_add(row_length).filter(|_| count > 0).ok_or(Status::Length);
        let rows = Input::new(rows, if count == 0 { 0 } else { all? })?;
        let outputs = Output::many(outputs, count, output_length)?;
        outputs.apart_from(&[rows])?;
        let rows = rows.slice();
        if stride == row_length {
            return Ok(hash.hash_fixed(rows, count, outputs.slice(), on)?);
        }
        let messages = (0..count).map(|i| &rows[i * stride..][..row_length]);
        Ok(hash.hash_each(messages, outputs.slice(), on)?)
    })
}

/// A hasher for one message after the other.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fairlane_hasher_new(
    hasher: *mut *mut Hasher,
    name: *const c_char,
    on: *const c_char,
) -> Status {
    // SAFETY: the header's conditions.
    unsafe { place(hasher, || Hasher::new(name, on)) }
}

/// A hasher in room of the caller's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fairlane_hasher_init(
    hasher: *mut *mut Hasher,
    room: *mut c_void,
    room_length: usize,
    name: *const c_char,
    on: *const c_char,
) -> Status {
    // SAFETY: the header's conditions.
    unsafe { place_in(hasher, room, room_length, || Hasher::new(name, on)) }
}

/// Bytes of room that a hasher needs.
#[unsafe(no_mangle)]
pub extern "C" fn fairlane_hasher_size() -> usize {
    size_of::<Hasher>()
}

/// Takes the next piece of the message.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fairlane_hasher_update(hasher: *mut Hasher, piece: *const u8, piece_length: usize) -> Status {
    // SAFETY: the header's conditions.
    guarded(|| unsafe {
        let (hasher, piece) = (exclusive(hasher)?, Input::new(piece, piece_length)?);
        hasher.taking()?.update(piece.slice());
        Ok(())
    })
}

/// Ends the message, writes its hash and begins another message.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fairlane_hasher_finalize(
    hasher: *mut Hasher,
    output: *mut u8,
    output_length: usize,
) -> Status {
    // SAFETY: the header's conditions.
    guarded(|| unsafe {
        let (hasher, output) = (exclusive(hasher)?, Output::new(output, output_length)?);
        Ok(hasher.taking()?.finalize_into(output.slice())?)
    })
}

/// Ends the message at the first call, and writes the next bytes of its output.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fairlane_hasher_squeeze(hasher: *mut Hasher, output: *mut u8, output_length: usize) -> Status {
    // SAFETY: the header's conditions.
    guarded(|| unsafe {
        let (Hasher { hash, reader, .. }, output) = (exclusive(hasher)?, Output::new(output, output_length)?);
        if reader.is_none() {
            *reader = Some(hash.finalize_xof().ok_or(Status::NotExtendable)?);
        }
        if let Some(reader) = reader {
            reader.read(output.slice());
        }
        Ok(())
    })
}

/// Forgets the message and its output.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fairlane_hasher_reset(hasher: *mut Hasher) -> Status {
    // SAFETY: the header's conditions.
    guarded(|| unsafe {
        let hasher = exclusive(hasher)?;
        hasher.reader = None;
        hasher.hash.reset();
        Ok(())
    })
}

/// A copy that goes on by itself.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fairlane_hasher_copy(copy: *mut *mut Hasher, hasher: *const Hasher) -> Status {
    // SAFETY: the header's conditions.
    unsafe { place(copy, || shared(hasher)?.copy()) }
}

/// A copy in room of the caller's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fairlane_hasher_init_copy(
    copy: *mut *mut Hasher,
    room: *mut c_void,
    room_length: usize,
    hasher: *const Hasher,
) -> Status {
    // SAFETY: the header's conditions.
    unsafe {
        place_in(copy, room, room_length, || {
            let bytes = Input::new(hasher.cast(), size_of::<Hasher>())?;
            Output::new(room.cast(), room_length)?.apart_from(&[bytes])?;
            shared(hasher)?.copy()
        })
    }
}

/// Frees a hasher, or ends one in room of the caller's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fairlane_hasher_free(hasher: *mut Hasher) {
    // SAFETY: the header's conditions.
    unsafe { free_or_erase(hasher) };
}
