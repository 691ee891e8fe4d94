//! KT128 and KT256 (RFC 9861, KangarooTwelve): a tree of TurboSHAKE over chunks of 8192 bytes, hashed side by side.

use super::first_chunk::{CHUNK, Hashed};
use super::kernels::Keccak;
use super::leaves::Leaves;
use super::sponge::Sponge;
use super::xofs::Reader;
use crate::zeroizing::Zeroizing;
use crate::{Backend, Unsupported};
use core::fmt;
use digest::common::AlgorithmName;
use digest::{ExtendableOutput, ExtendableOutputReset, HashMarker, Reset, Update};

/// Domain byte of a message of one chunk.
const SINGLE: u8 = 0x07;
/// Domain byte of the final node, which absorbs the chaining values.
const FINAL: u8 = 0x06;
/// Domain byte of every other chunk.
const LEAF: u8 = 0x0b;

/// What KT128 and KT256 have in common: they differ in the rate and in the size of chaining values.
#[derive(Clone)]
struct Tree<const RATE: usize, const CHAINING: usize> {
    /// The final node: it absorbs the first chunk, then the chaining values of the others.
    node: Sponge<RATE, 12>,
    /// Bytes of the first chunk that are absorbed.
    first: usize,
    /// Whether data has followed the first chunk: a message of one chunk is hashed without the tree.
    has_leaves: bool,
    leaves: Leaves<RATE, 12, CHAINING>,
}

impl<const RATE: usize, const CHAINING: usize> Tree<RATE, CHAINING> {
    fn new(keccak: Keccak) -> Self {
        let leaves = Leaves::new(keccak, CHUNK, LEAF);
        Self { node: Sponge::new(keccak), first: 0, has_leaves: false, leaves }
    }

    /// Absorbs what belongs to the first chunk, and returns the rest, which belongs to leaves.
    fn absorb_first<'p>(&mut self, piece: &'p [u8]) -> &'p [u8] {
        if self.first == 0
            && let Some(rest) = self.absorb_first_beside_leaves(piece)
        {
            return rest;
        }
        let (part, rest) = piece.split_at(piece.len().min(CHUNK - self.first));
        self.node.absorb(part);
        self.first += part.len();
        if !rest.is_empty() && !self.has_leaves {
            self.begin_leaves();
        }
        rest
    }

    /// Absorbs the first chunk and some leaves side by side, if that pays, and returns the rest of the piece.
    fn absorb_first_beside_leaves<'p>(&mut self, piece: &'p [u8]) -> Option<&'p [u8]> {
        let keccak = self.node.keccak();
        let (first, rest) = keccak.first_chunks(piece)?;
        let mut last = Zeroizing([0; 25]);
        let mut chaining = Zeroizing([[0; CHAINING]; 7]);
        let chaining = &mut chaining.0[..first.chunks.len() - 1];
        let hashed = Hashed { node: self.node.state_mut(), last: &mut last.0, chaining };
        keccak.hash_first_chunks(self.leaves.function(), &first, hashed);
        self.node.absorb(&first.chunks[0][CHUNK / RATE * RATE..]);
        self.first = CHUNK;
        self.begin_leaves();
        self.leaves.absorb_hashed(&mut self.node, chaining, &last.0, first.last);
        Some(rest)
    }

    fn begin_leaves(&mut self) {
        self.node.absorb(&[3, 0, 0, 0, 0, 0, 0, 0]);
        self.has_leaves = true;
    }

    fn absorb(&mut self, piece: &[u8]) {
        let rest = self.absorb_first(piece);
        self.leaves.absorb(&mut self.node, rest);
    }

    #[cfg(feature = "rayon")]
    fn absorb_on_threads(&mut self, piece: &[u8]) {
        let rest = self.absorb_first(piece);
        self.leaves.absorb_on_threads(&mut self.node, rest);
    }

    fn finish(mut self, customization: &[u8]) -> Reader<RATE, 12> {
        let (length, bytes) = length_encode(customization.len() as u64);
        self.absorb(customization);
        self.absorb(&length[..bytes]);
        if !self.has_leaves {
            return Reader::new(self.node, SINGLE);
        }
        let (leaves, bytes) = length_encode(self.leaves.finish(&mut self.node));
        self.node.absorb(&leaves[..bytes]);
        self.node.absorb(&[0xff, 0xff]);
        Reader::new(self.node, FINAL)
    }

    fn reset(&mut self) {
        self.node.reset();
        self.first = 0;
        self.has_leaves = false;
        self.leaves.reset();
    }
}

/// `length_encode` of RFC 9861, section 3.3: the bytes of `x` in big-endian order, none for 0, and their number; with
/// it, how many bytes that is.
fn length_encode(x: u64) -> ([u8; 9], usize) {
    let length = 8 - x.leading_zeros() as usize / 8;
    let mut code = [0; 9];
    code[..length].copy_from_slice(&x.to_be_bytes()[8 - length..]);
    code[length] = length as u8;
    (code, length + 1)
}

macro_rules! kangaroo_twelve {
    ($name:ident, $reader:ident, $function:ident, $title:literal, $rate:literal, $chaining:literal) => {
        #[doc = concat!($title, " (RFC 9861): output of any length; chunks of long messages are hashed side by side.")]
        ///
        /// Messages in one piece gain from 10 KiB on with AVX-512, from 24 KiB on with AVX2; pieces of 128 KiB or more
        /// gain all. The customization is borrowed until the end of the message.
        #[derive(Clone)]
        pub struct $name<'c> {
            tree: Tree<$rate, $chaining>,
            customization: &'c [u8],
        }

        #[doc = concat!("The output of [`", stringify!($name), "`], read in pieces of any length.")]
        pub type $reader = Reader<$rate, 12>;

        #[doc = concat!("Fills `out` with [`", stringify!($name), "`] of one message under a customization, which may \
            be empty.")]
        pub fn $function(message: &[u8], customization: &[u8], out: &mut [u8]) {
            let mut xof = $name::new(customization);
            xof.update(message);
            xof.finalize_xof_into(out);
        }

        impl<'c> $name<'c> {
            /// A hasher for a customization of any length, which may be empty.
            pub fn new(customization: &'c [u8]) -> Self {
                Self { tree: Tree::new(Keccak::best()), customization }
            }

            /// A hasher on a backend of the caller's choice.
            ///
            /// # Errors
            /// The backend is not available here.
            pub fn with_backend(backend: Backend, customization: &'c [u8]) -> Result<Self, Unsupported> {
                Ok(Self { tree: Tree::new(Keccak::new(backend)?), customization })
            }

            /// Takes the next piece of the message, as [`Update::update`] does, on the threads of rayon's pool.
            ///
            /// That pays from about 1 MiB on. At most 0.8 % of the piece's length is allocated, and not more than 512
            /// KiB.
            #[cfg(feature = "rayon")]
            #[inline(never)]
            pub fn update_rayon(&mut self, data: &[u8]) {
                self.tree.absorb_on_threads(data);
            }
        }

        impl Default for $name<'_> {
            fn default() -> Self {
                Self::new(&[])
            }
        }

        impl fmt::Debug for $name<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($name), " { .. }"))
            }
        }

        impl AlgorithmName for $name<'_> {
            fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str($title)
            }
        }

        impl HashMarker for $name<'_> {}

        #[cfg(feature = "zeroize")]
        impl zeroize::ZeroizeOnDrop for $name<'_> {}

        // Not inlined, like all that leads to kernels: they are compiled in this crate only.
        impl Update for $name<'_> {
            #[inline(never)]
            fn update(&mut self, data: &[u8]) {
                self.tree.absorb(data);
            }
        }

        impl Reset for $name<'_> {
            fn reset(&mut self) {
                self.tree.reset();
            }
        }

        impl ExtendableOutput for $name<'_> {
            type Reader = $reader;

            #[inline(never)]
            fn finalize_xof(self) -> $reader {
                self.tree.finish(self.customization)
            }
        }

        impl ExtendableOutputReset for $name<'_> {
            fn finalize_xof_reset(&mut self) -> $reader {
                let reader = self.clone().finalize_xof();
                self.reset();
                reader
            }
        }
    };
}

kangaroo_twelve!(Kt128, Kt128Reader, kt128, "KT128", 168, 32);
kangaroo_twelve!(Kt256, Kt256Reader, kt256, "KT256", 136, 64);
