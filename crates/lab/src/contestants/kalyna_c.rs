//! Kalyna in C, ours, in the folder `c`: a reference that is written to be read, and the same optimised. Each is built
//! with two sets of flags, so that what a compiler makes of a program is seen beside what the program does, and the
//! reference once more with its memory from an array instead of malloc.

use super::c_cipher::{BlockCipher, enter_block_cipher, pointers};
use super::{About, Roster};
use crate::contest::{Contest, Job, Label, Operation};
use crate::inputs::kalyna::{iv, key};
use crate::inputs::sm4::BLOCK;
use fairlane_reference::kalyna::Variant;
use std::ffi::c_void;
use std::ptr::NonNull;
use std::sync::Once;

/// What `c/kalyna.h` hands out, in its order. A cipher is told how long its blocks and its key are when it is made.
#[repr(C)]
struct Api {
    prepare: unsafe extern "C" fn(),
    create: unsafe extern "C" fn(block_len: usize, key_len: usize) -> NonNull<c_void>,
    set_key: unsafe extern "C" fn(NonNull<c_void>, key: *const u8, decrypt: bool),
    encrypt: unsafe extern "C" fn(NonNull<c_void>, from: *const u8, to: *mut u8, len: usize),
    decrypt: unsafe extern "C" fn(NonNull<c_void>, from: *const u8, to: *mut u8, len: usize),
    ctr: unsafe extern "C" fn(NonNull<c_void>, iv: *const u8, from: *const u8, to: *mut u8, len: usize),
    destroy: unsafe extern "C" fn(NonNull<c_void>),
}

// SAFETY: build.rs builds `c/kalyna_*.c`, which define tables of this type under these names.
unsafe extern "C" {
    safe static kalyna_reference_o2: Api;
    safe static kalyna_reference_arena: Api;
    safe static kalyna_optimised_o2: Api;
    #[cfg(c_native)]
    safe static kalyna_reference_native: Api;
    #[cfg(c_native)]
    safe static kalyna_optimised_native: Api;
}

/// One of the two, with its builds: their flags and their tables.
struct Program {
    name: &'static str,
    file: &'static str,
    way: &'static str,
    labels: &'static [Label],
    builds: &'static [(&'static str, &'static Api)],
}

const NATIVE: &str = "-O3 -march=native";

static PROGRAMS: [Program; 2] = [
    Program {
        name: "c-reference",
        file: "crates/lab/c/kalyna_reference.c",
        way: "byte by byte, on copies",
        labels: &[Label::NotConstantTime, Label::Reference, Label::Ffi, Label::Vendored],
        builds: &[
            #[cfg(c_native)]
            (NATIVE, &kalyna_reference_native),
            ("-O2", &kalyna_reference_o2),
            ("-O2 -DARENA", &kalyna_reference_arena),
        ],
    },
    Program {
        name: "c-optimised",
        file: "crates/lab/c/kalyna_optimised.c",
        way: "look-ups in tables of 64-bit words",
        labels: &[Label::NotConstantTime, Label::Ffi, Label::Vendored],
        builds: &[
            #[cfg(c_native)]
            (NATIVE, &kalyna_optimised_native),
            ("-O2", &kalyna_optimised_o2),
        ],
    },
];

pub(super) fn enter(contest: &Contest, roster: &mut Roster) {
    static PREPARED: Once = Once::new();
    let Some(variant) = contest.algorithm().variant() else { return };
    PREPARED.call_once(|| {
        for (_, api) in PROGRAMS.iter().flat_map(|program| program.builds) {
            // SAFETY: it takes nothing, and nobody reads the tables yet that it writes.
            unsafe { (api.prepare)() };
        }
    });
    for program in &PROGRAMS {
        if !cfg!(c_native) {
            let why = "the C compiler of this build has no -march=native for the machine that builds and runs";
            roster.absent(format!("{} ({NATIVE})", program.name), why);
        }
        for &(flags, api) in program.builds {
            let about = About {
                name: &format!("{} ({flags})", program.name),
                library: program.name,
                version: env!("CARGO_PKG_VERSION"),
                backend: &format!("C, {} {flags}: {}", env!("FAIRLANE_CC"), program.way),
                labels: program.labels,
                how_to_use: program.file,
            };
            let make = move |decrypt| Cipher::new(api, variant, decrypt);
            if contest.job() == Job::Ctr {
                roster.operation(contest, &about, move |_| {
                    let mut cipher = make(false);
                    cipher.set_key(&key(variant));
                    Operation::to_output(move |message, output| cipher.ctr(&iv(variant), message, output))
                });
            } else {
                enter_block_cipher(contest, roster, &about, make);
            }
            // What the compiler takes of this CPU, valgrind may not know.
            roster.contestants.last_mut().expect("one was just entered").valgrind &= flags != NATIVE;
        }
    }
}

/// A cipher of one of the tables.
struct Cipher {
    api: &'static Api,
    cipher: NonNull<c_void>,
    variant: Variant,
    decrypt: bool,
}
// SAFETY: the cipher is ours alone, and C does not tie it to a thread.
unsafe impl Send for Cipher {}

impl Cipher {
    fn new(api: &'static Api, variant: Variant, decrypt: bool) -> Self {
        // SAFETY: blocks and keys of a variant are among those that it takes; it gives a cipher or ends the program.
        let cipher = unsafe { (api.create)(variant.block_len(), variant.key_len()) };
        Self { api, cipher, variant, decrypt }
    }

    /// The standard's counter mode of a message.
    fn ctr(&mut self, iv: &[u8], from: &[u8], to: &mut [u8]) {
        assert_eq!(iv.len(), self.variant.block_len(), "an IV of a block");
        let len = to.len();
        let (from, to) = pointers(Some(from), to);
        // SAFETY: the cipher is alive; the IV has a block; as many bytes can be read and written.
        unsafe { (self.api.ctr)(self.cipher, iv.as_ptr(), from, to, len) };
    }
}

impl BlockCipher for Cipher {
    fn set_key(&mut self, key: &[u8]) {
        assert_eq!(key.len(), self.variant.key_len(), "a key of this variant");
        // SAFETY: the cipher is alive, and the key as long as it was told.
        unsafe { (self.api.set_key)(self.cipher, key.as_ptr(), self.decrypt) };
    }

    fn process(&mut self, _: Option<&[u8; BLOCK]>, from: Option<&[u8]>, to: &mut [u8]) {
        assert!(to.len().is_multiple_of(self.variant.block_len()), "whole blocks");
        let len = to.len();
        let (from, to) = pointers(from, to);
        let process = if self.decrypt { self.api.decrypt } else { self.api.encrypt };
        // SAFETY: the cipher is alive; as many bytes can be read and written, which are whole blocks.
        unsafe { process(self.cipher, from, to, len) };
    }
}

impl Drop for Cipher {
    fn drop(&mut self) {
        // SAFETY: made by this table, destroyed once.
        unsafe { (self.api.destroy)(self.cipher) };
    }
}
