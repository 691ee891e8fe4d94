//! Hashes and extendable-output functions.

use crate::border::{
    Bytes, Checked, Input, Kind, Object, Output, Plan, Rest, Room, algorithm, backend, end, exclusive, guarded, place,
    put, shared,
};
use crate::status::Status;
use core::ffi::{c_char, c_void};
use fairlane::digest::XofReader;
use fairlane::dynamic::{self, HashAlgorithm, OutputReader, Placed};

/// A hasher: `fairlane_hasher`.
pub type Hasher = Object<Message>;

/// What a hasher holds.
#[derive(Debug)]
pub struct Message {
    hash: dynamic::Hasher,
    /// The output of a message that a squeeze has ended.
    reader: Option<OutputReader>,
}

impl Kind for Message {
    const LETTERS: [u8; 4] = *b"hash";
}

/// Room that is enough for a hasher, in bytes: the header's constant, which never grows.
pub const HASHER_SIZE: usize = 1024;

const _: () = assert!(Hasher::room(Placed::<Message>::SIZE) <= HASHER_SIZE);

impl Message {
    fn copy(&self) -> Checked<Self> {
        if self.reader.is_some() {
            return Err(Status::Squeezed);
        }
        Ok(Self { hash: self.hash.clone(), reader: None })
    }

    /// The hash, if no squeeze has ended the message.
    fn taking(&mut self) -> Checked<&mut dynamic::Hasher> {
        if self.reader.is_some() { Err(Status::Squeezed) } else { Ok(&mut self.hash) }
    }
}

/// Makes a hasher.
///
/// # Safety
/// The header's conditions.
unsafe fn make(hasher: *mut *mut Hasher, room: Room, name: *const c_char, on: *const c_char) -> Status {
    // SAFETY: the header's conditions.
    unsafe {
        place(hasher, room, || {
            let (algorithm, on): (HashAlgorithm, _) = (algorithm(name)?, backend(on)?);
            let make = move |room: Rest| put(room, Message { hash: algorithm.hasher(on)?, reader: None });
            Ok(Plan { size: Placed::<Message>::SIZE, inputs: [], make })
        })
    }
}

/// Makes a copy.
///
/// # Safety
/// The header's conditions.
unsafe fn make_copy(copy: *mut *mut Hasher, room: Room, hasher: *const Hasher) -> Status {
    // SAFETY: the header's conditions.
    unsafe {
        place(copy, room, || {
            let (message, original) = shared(hasher)?;
            let make = move |room: Rest| put(room, message.copy()?);
            Ok(Plan { size: Placed::<Message>::SIZE, inputs: [original], make })
        })
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
    unsafe { make(hasher, Room::Heap, name, on) }
}

/// A hasher in memory that the caller provides.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fairlane_hasher_init(
    hasher: *mut *mut Hasher,
    room: *mut c_void,
    room_length: usize,
    name: *const c_char,
    on: *const c_char,
) -> Status {
    // SAFETY: the header's conditions.
    unsafe { make(hasher, Room::Given(room, room_length), name, on) }
}

/// Bytes of room that a hasher needs.
#[unsafe(no_mangle)]
pub extern "C" fn fairlane_hasher_size() -> usize {
    Hasher::room(Placed::<Message>::SIZE)
}

/// Takes the next piece of the message.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fairlane_hasher_update(hasher: *mut Hasher, piece: *const u8, piece_length: usize) -> Status {
    // SAFETY: the header's conditions.
    guarded(|| unsafe {
        let ((hasher, room), piece) = (exclusive(hasher)?, Input::new(piece, piece_length)?);
        room.apart_from(&[piece])?;
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
        let ((hasher, room), output) = (exclusive(hasher)?, Output::new(output, output_length)?);
        room.apart_from_output(output)?;
        Ok(hasher.taking()?.finalize_into(output.slice())?)
    })
}

/// Ends the message at the first call, and writes the next bytes of its output.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fairlane_hasher_squeeze(hasher: *mut Hasher, output: *mut u8, output_length: usize) -> Status {
    // SAFETY: the header's conditions.
    guarded(|| unsafe {
        let ((hasher, room), output) = (exclusive(hasher)?, Output::new(output, output_length)?);
        room.apart_from_output(output)?;
        let Message { hash, reader } = hasher;
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
        let (hasher, _) = exclusive(hasher)?;
        hasher.reader = None;
        hasher.hash.reset();
        Ok(())
    })
}

/// A copy that goes on by itself.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fairlane_hasher_copy(copy: *mut *mut Hasher, hasher: *const Hasher) -> Status {
    // SAFETY: the header's conditions.
    unsafe { make_copy(copy, Room::Heap, hasher) }
}

/// A copy in memory that the caller provides.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fairlane_hasher_init_copy(
    copy: *mut *mut Hasher,
    room: *mut c_void,
    room_length: usize,
    hasher: *const Hasher,
) -> Status {
    // SAFETY: the header's conditions.
    unsafe { make_copy(copy, Room::Given(room, room_length), hasher) }
}

/// Erases a hasher, and frees it if it is on the heap.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fairlane_hasher_free(hasher: *mut Hasher) {
    // SAFETY: the header's conditions.
    unsafe { end(hasher) };
}
