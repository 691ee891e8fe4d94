//! Hashes and extendable-output functions.

use crate::border::{Array, Failure, freed, given, method, pointer};
use fairlane::dynamic::{HashAlgorithm, Hasher};
use jni_sys::{JNIEnv, jbyteArray, jclass, jint, jintArray, jlong, jstring};
use std::fmt::Write;

/// Bytes of a message that are hashed at a time, since the garbage collector may have to wait meanwhile.
const PIECE: usize = 1 << 20;

fn algorithm(number: jint) -> Result<HashAlgorithm, Failure> {
    let found = usize::try_from(number).ok().and_then(|number| HashAlgorithm::ALL.get(number));
    found.copied().ok_or(Failure::Argument("no hash has this number"))
}

/// A position and a length as a range of an array.
fn range(position: jint, length: jint, array: usize) -> Result<core::ops::Range<usize>, Failure> {
    let outside = || Failure::Argument("a message is not inside its array");
    let start = usize::try_from(position).map_err(|_| outside())?;
    let end = start + usize::try_from(length).map_err(|_| outside())?;
    if end <= array { Ok(start..end) } else { Err(outside()) }
}

/// `String hashes()`: a line for each hash with its name, the usual size of its output, and whether it has any size.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_io_github_fairlane_Native_hashes(env: *mut JNIEnv, _class: jclass) -> jstring {
    // SAFETY: the virtual machine's arguments.
    unsafe {
        method(env, core::ptr::null_mut(), |env| {
            let mut lines = String::new();
            for hash in HashAlgorithm::ALL {
                let any_size = hash.output_size().is_none();
                let _ = writeln!(lines, "{hash} {} {any_size}", hash.default_output_size());
            }
            env.string(&lines)
        })
    }
}

/// `void unknownHash(byte[] name)`: throws what is wrong with the name of a hash, in UTF-8.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_io_github_fairlane_Native_unknownHash(
    env: *mut JNIEnv,
    _class: jclass,
    name: jbyteArray,
) {
    // SAFETY: the virtual machine's arguments.
    unsafe {
        method(env, (), |env| {
            let name = String::from_utf8_lossy(&env.array(name)?.read()?).into_owned();
            name.parse::<HashAlgorithm>()?;
            Ok(())
        });
    }
}

/// `void hash(int algorithm, byte[] message, int position, int length, byte[] digest)`: hashes a part of an array.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_io_github_fairlane_Native_hash(
    env: *mut JNIEnv,
    _class: jclass,
    number: jint,
    message: jbyteArray,
    position: jint,
    length: jint,
    digest: jbyteArray,
) {
    // SAFETY: the virtual machine's arguments; the Java class passes a new array for the digest.
    unsafe {
        method(env, (), |env| {
            let (algorithm, message, digest) = (algorithm(number)?, env.array(message)?, env.array(digest)?);
            let range = range(position, length, message.length)?;
            if range.len() > PIECE {
                return long(algorithm, message, range, digest);
            }
            let (message, mut digest) = (message.read()?, digest.write()?);
            Ok(algorithm.hash(&message[range], &mut digest, None)?)
        });
    }
}

/// Hashes a long message piece by piece.
///
/// # Safety
/// The arrays are arrays of bytes that nothing writes meanwhile, the range is inside `message`, and the digest is
/// another array.
unsafe fn long(
    algorithm: HashAlgorithm,
    message: Array,
    range: core::ops::Range<usize>,
    digest: Array,
) -> Result<(), Failure> {
    let mut hasher = algorithm.hasher(None)?;
    // SAFETY: the caller's promise.
    unsafe {
        take(&mut hasher, message, range)?;
        Ok(hasher.finalize_into(&mut digest.write()?)?)
    }
}

/// Takes a part of an array, which may be long.
///
/// # Safety
/// It is an array of bytes that nothing writes meanwhile, and the range is inside.
unsafe fn take(hasher: &mut Hasher, array: Array, range: core::ops::Range<usize>) -> Result<(), Failure> {
    let mut start = range.start;
    while start < range.end {
        let end = range.end.min(start + PIECE);
        // SAFETY: the caller's promise.
        hasher.update(&unsafe { array.read() }?[start..end]);
        start = end;
    }
    Ok(())
}

/// `long hasher(int algorithm)`: a hasher, which `freeHasher` ends.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_io_github_fairlane_Native_hasher(
    env: *mut JNIEnv,
    _class: jclass,
    number: jint,
) -> jlong {
    // SAFETY: the virtual machine's arguments.
    unsafe { method(env, 0, |_| Ok(given(algorithm(number)?.hasher(None)?))) }
}

/// `void update(long hasher, byte[] piece, int position, int length)`: takes a part of an array.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_io_github_fairlane_Native_update(
    env: *mut JNIEnv,
    _class: jclass,
    hasher: jlong,
    piece: jbyteArray,
    position: jint,
    length: jint,
) {
    // SAFETY: the virtual machine's arguments; the Java class holds the hasher, and lets one thread use it at a time.
    unsafe {
        method(env, (), |env| {
            let (hasher, piece) = (pointer::<Hasher>(hasher)?.as_mut(), env.array(piece)?);
            take(hasher, piece, range(position, length, piece.length)?)
        });
    }
}

/// `void digest(long hasher, byte[] digest)`: ends the message and writes its hash.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_io_github_fairlane_Native_digest(
    env: *mut JNIEnv,
    _class: jclass,
    hasher: jlong,
    digest: jbyteArray,
) {
    // SAFETY: as of `update`; the Java class passes a new array for the digest.
    unsafe {
        method(env, (), |env| {
            let (hasher, digest) = (pointer::<Hasher>(hasher)?.as_mut(), env.array(digest)?);
            Ok(hasher.finalize_into(&mut digest.write()?)?)
        });
    }
}

/// `void freeHasher(long hasher)`: erases what the hasher has taken.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_io_github_fairlane_Native_freeHasher(
    env: *mut JNIEnv,
    _class: jclass,
    hasher: jlong,
) {
    // SAFETY: the Java class passes what `hasher` has returned, once.
    unsafe { method(env, (), |_| freed::<Hasher>(hasher)) }
}

/// `void hashPacked(int algorithm, byte[] data, int[] positions, int[] lengths, int count, byte[] digests, int size)`:
/// hashes `count` parts of an array side by side. The digests, of `size` bytes each, are written one after the other.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_io_github_fairlane_Native_hashPacked(
    env: *mut JNIEnv,
    _class: jclass,
    number: jint,
    data: jbyteArray,
    positions: jintArray,
    lengths: jintArray,
    count: jint,
    digests: jbyteArray,
    size: jint,
) {
    // SAFETY: the virtual machine's arguments; the Java class checks that the digests are another array.
    unsafe {
        method(env, (), |env| {
            let (algorithm, data, digests) = (algorithm(number)?, env.array(data)?, env.array(digests)?);
            let (positions, lengths) = (env.array(positions)?, env.array(lengths)?);
            let short = || Failure::Argument("an array is too short for so many messages");
            let count = usize::try_from(count).map_err(|_| short())?;
            let outputs = usize::try_from(size).ok().and_then(|size| size.checked_mul(count)).ok_or_else(short)?;
            if count > positions.length.min(lengths.length) || outputs > digests.length {
                return Err(short());
            }
            // Copies: another thread may change the arrays after the parts were checked.
            let (positions, lengths) = (positions.numbers(count)?, lengths.numbers(count)?);
            for (&position, &length) in positions.iter().zip(&lengths) {
                range(position, length, data.length)?;
            }
            let data = data.read()?;
            let messages = positions.iter().zip(&lengths).map(|(&p, &l)| &data[p as usize..][..l as usize]);
            Ok(algorithm.hash_each(messages, &mut digests.write()?[..outputs], None)?)
        });
    }
}
