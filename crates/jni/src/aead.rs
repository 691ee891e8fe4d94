//! Authenticated encryption.

use crate::border::{freed, given, method, pointer};
use fairlane::dynamic::{Aead, AeadAlgorithm};
use jni_sys::{JNIEnv, jbyteArray, jclass, jint, jlong};

/// What the Java class holds: a pointer to this.
type Object = Box<dyn Aead>;

/// `long aead(byte[] name, byte[] key)`: the AEAD of a name, in UTF-8, under a key. `freeAead` ends it.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_io_github_fairlane_Native_aead(
    env: *mut JNIEnv,
    _class: jclass,
    name: jbyteArray,
    key: jbyteArray,
) -> jlong {
    // SAFETY: the virtual machine's arguments.
    unsafe {
        method(env, 0, |env| {
            let (name, key) = (env.array(name)?, env.array(key)?);
            let algorithm: AeadAlgorithm = String::from_utf8_lossy(&name.read()?).parse()?;
            Ok(given::<Object>(algorithm.aead(&key.read()?, None)?))
        })
    }
}

/// `int aeadSizes(byte[] name)`: bytes of a key, a nonce and a tag, as the three lowest bytes of a number.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_io_github_fairlane_Native_aeadSizes(
    env: *mut JNIEnv,
    _class: jclass,
    name: jbyteArray,
) -> jint {
    // SAFETY: the virtual machine's arguments.
    unsafe {
        method(env, 0, |env| {
            let name = env.array(name)?;
            let algorithm: AeadAlgorithm = String::from_utf8_lossy(&name.read()?).parse()?;
            let sizes = algorithm.key_size() | algorithm.nonce_size() << 8 | algorithm.tag_size() << 16;
            Ok(sizes as jint)
        })
    }
}

/// `void seal(long aead, byte[] nonce, byte[] associatedData, byte[] plaintext, byte[] sealed)`
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_io_github_fairlane_Native_seal(
    env: *mut JNIEnv,
    _class: jclass,
    aead: jlong,
    nonce: jbyteArray,
    associated_data: jbyteArray,
    plaintext: jbyteArray,
    sealed: jbyteArray,
) {
    // SAFETY: the virtual machine's arguments; the Java class holds the AEAD, and passes a new array for the output.
    unsafe {
        method(env, (), |env| {
            let (aead, nonce, associated_data) =
                (pointer::<Object>(aead)?.as_ref(), env.array(nonce)?, env.array(associated_data)?);
            let (plaintext, sealed) = (env.array(plaintext)?, env.array(sealed)?);
            let (nonce, associated_data) = (nonce.read()?, associated_data.read()?);
            Ok(aead.seal(&nonce, &associated_data, &plaintext.read()?, &mut sealed.write()?)?)
        });
    }
}

/// `void open(long aead, byte[] nonce, byte[] associatedData, byte[] sealed, byte[] plaintext)`
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_io_github_fairlane_Native_open(
    env: *mut JNIEnv,
    _class: jclass,
    aead: jlong,
    nonce: jbyteArray,
    associated_data: jbyteArray,
    sealed: jbyteArray,
    plaintext: jbyteArray,
) {
    // SAFETY: as of `seal`.
    unsafe {
        method(env, (), |env| {
            let (aead, nonce, associated_data) =
                (pointer::<Object>(aead)?.as_ref(), env.array(nonce)?, env.array(associated_data)?);
            let (sealed, plaintext) = (env.array(sealed)?, env.array(plaintext)?);
            let (nonce, associated_data) = (nonce.read()?, associated_data.read()?);
            Ok(aead.open(&nonce, &associated_data, &sealed.read()?, &mut plaintext.write()?)?)
        });
    }
}

/// `void freeAead(long aead)`: erases the key.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_io_github_fairlane_Native_freeAead(env: *mut JNIEnv, _class: jclass, aead: jlong) {
    // SAFETY: the Java class passes what `aead` has returned, once.
    unsafe { method(env, (), |_| freed::<Object>(aead)) }
}
