//! CBC encryption: a chain of blocks in each lane, with a key of its own.

use super::Sm4;
use super::bits;
use super::kernels::groups;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use super::ni;
use super::rounds::{Keys, columns, from_inner, to_inner};
use cipher::consts::U16;
use cipher::{Array, InOutBuf};
use core::fmt;
use core::marker::PhantomData;
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
use fairlane_lanes::U8x16;
use fairlane_lanes::{AnyToken, Kernel, Token, U8xN};
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use fairlane_lanes::{U8x16Aes, U8x16Gfni, U8x16Vl, U8x32Aes, U8x32Gfni, U8x64};

/// A message for [`encrypt_many`].
pub struct Message<'a> {
    /// The key.
    pub cipher: &'a Sm4,
    /// The block before the first, which must not be foreseen.
    pub iv: [u8; 16],
    /// What is encrypted, in place or from one buffer to another.
    pub blocks: InOutBuf<'a, 'a, Array<u8, U16>>,
}

/// Shows no secret.
impl fmt::Debug for Message<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Message").field("blocks", &self.blocks.len()).finish_non_exhaustive()
    }
}

/// Encrypts many messages side by side with SM4 in CBC mode, each under its own key and IV; they may have any mix of
/// lengths.
///
/// A message takes as long as it would alone, but up to 32 of them take little longer than one. A message whose key is
/// on another backend than the first's is done alone. Nothing is allocated.
///
/// ```
/// use fairlane::cipher::KeyInit;
/// use fairlane::sm4::{Sm4, cbc};
///
/// let keys = [Sm4::new(&[1; 16].into()), Sm4::new(&[2; 16].into())];
/// let mut messages = [[[3; 16].into(); 2]; 2];
/// cbc::encrypt_many(keys.iter().zip(&mut messages).map(|(cipher, blocks)| cbc::Message {
///     cipher,
///     iv: [4; 16],
///     blocks: blocks.as_mut_slice().into(),
/// }));
/// assert_ne!(messages[0], messages[1]);
/// ```
pub fn encrypt_many<'a>(messages: impl IntoIterator<Item = Message<'a>>) {
    let mut messages = messages.into_iter().filter(|message| !message.blocks.is_empty()).fuse();
    let mut lanes = [const { None }; LANES];
    let mut busy = 0;
    // The first message's backend does it for all; one with another goes alone.
    let mut token = None;
    loop {
        while busy < LANES
            && let Some(Message { cipher: Sm4(cipher), iv, blocks }) = messages.next()
        {
            let chain = Some(Chain { keys: &cipher.keys, iv, blocks });
            if token.get_or_insert(cipher.token).backend() == cipher.token.backend() {
                lanes[busy] = chain;
                busy += 1;
            } else {
                encrypt(cipher.token, &mut [chain]);
            }
        }
        let Some(token) = token.filter(|_| busy > 0) else { return };
        encrypt(token, &mut lanes[..busy]);
        // Those that go on close up.
        let mut going = 0;
        for i in 0..busy {
            if let Some(chain) = lanes[i].take()
                && !chain.blocks.is_empty()
            {
                lanes[going] = Some(chain);
                going += 1;
            }
        }
        busy = going;
    }
}

/// A block of SM4.
type SmBlock = Array<u8, U16>;

/// The most chains that are worked on at once.
const LANES: usize = 32;

/// What is left of a message.
pub(super) struct Chain<'a> {
    pub(super) keys: &'a Keys,
    /// The ciphertext block before.
    pub(super) iv: [u8; 16],
    pub(super) blocks: InOutBuf<'a, 'a, SmBlock>,
}

impl Chain<'_> {
    /// Goes on behind so many blocks.
    #[inline(always)]
    pub(super) fn advance(&mut self, steps: usize) {
        let rest = core::mem::replace(&mut self.blocks, (&mut [][..]).into());
        self.blocks = rest.split_at(steps).1;
    }
}

/// Encrypts the next blocks of each chain, until the shortest ends.
fn encrypt(token: AnyToken, chains: &mut [Option<Chain<'_>>]) {
    let steps = chains.iter().flatten().map(|chain| chain.blocks.len()).min().unwrap_or(0);
    match token {
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        AnyToken::Sm4Ni(token) => {
            for chains in chains.chunks_mut(16) {
                match chains.len() {
                    0..=1 => ni::chains::<U8x16Gfni, 16, 1>(token, chains, steps),
                    2..=8 => ni::chains::<U8x32Gfni, 32, 4>(token, chains, steps),
                    _ => ni::chains::<U8x32Gfni, 32, 8>(token, chains, steps),
                }
            }
        }
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        AnyToken::Avx512Gfni(token) => {
            for chains in chains.chunks_mut(32) {
                match chains.len() {
                    0..=4 => lanes::<U8x16Vl, 16, 1>(token, chains, steps),
                    5..=16 => lanes::<U8x64, 64, 1>(token, chains, steps),
                    _ => lanes::<U8x64, 64, 2>(token, chains, steps),
                }
            }
        }
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        AnyToken::Avx2Gfni(token) => avx2::<U8x32Gfni, U8x16Gfni>(token, chains, steps),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        AnyToken::Avx2Aes(token) => avx2::<U8x32Aes, U8x16Aes>(token, chains, steps),
        #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
        AnyToken::NeonAes(token) => {
            for chains in chains.chunks_mut(8) {
                match chains.len() {
                    0..=4 => lanes::<U8x16, 16, 1>(token, chains, steps),
                    _ => lanes::<U8x16, 16, 2>(token, chains, steps),
                }
            }
        }
        _ => {
            for chains in chains.chunks_mut(bits::BLOCKS) {
                scalar(chains, steps);
            }
        }
    }
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[inline(always)]
fn avx2<W: U8xN<32>, V: U8xN<16, Token = W::Token>>(token: W::Token, chains: &mut [Option<Chain<'_>>], steps: usize) {
    for chains in chains.chunks_mut(16) {
        match chains.len() {
            0..=4 => lanes::<V, 16, 1>(token, chains, steps),
            5..=8 => lanes::<W, 32, 1>(token, chains, steps),
            _ => lanes::<W, 32, 2>(token, chains, steps),
        }
    }
}

/// Encrypts the next `steps` blocks of up to `G` times `N / 4` chains.
#[inline(always)]
fn lanes<W: U8xN<N>, const N: usize, const G: usize>(token: W::Token, chains: &mut [Option<Chain<'_>>], steps: usize) {
    debug_assert!(steps > 0 && chains.len() <= G * N / 4);
    // Each lane's round keys, as words have them: group `j` of block `i` of a word is block `j * N / 16 + i` in
    // `Blocks`.
    let mut keys = [[[0; N]; G]; 32];
    let mut blocks = [const { Blocks([[[0; N]; 4]; G]) }; AHEAD];
    for (lane, chain) in chains.iter().flatten().enumerate() {
        let (g, within) = (lane / (N / 4), lane % (N / 4));
        let at = 16 * (within % (N / 16)) + 4 * (within / (N / 16));
        for r in 0..32 {
            keys[r][g][at..][..4].copy_from_slice(&chain.keys[r].to_le_bytes());
        }
        *blocks[0].lane(lane) = chain.iv;
    }
    token.run(Steps::<W, N, G> { chains, steps, keys: &keys, blocks: &mut blocks, word: PhantomData });
    let last = &mut blocks[(steps - 1) % AHEAD];
    for (lane, chain) in chains.iter_mut().flatten().enumerate() {
        chain.iv = *last.lane(lane);
        chain.advance(steps);
    }
    keys = [[[0; N]; G]; 32];
    zeroize::optimization_barrier(&keys);
}

/// So many blocks of each message are fetched at once, and given back: a line of the cache, which would be gone before
/// the next block is due if the messages lie at multiples of 4 KiB.
const AHEAD: usize = 4;

/// A block of each lane of `G` groups in columns, as loads take them.
struct Blocks<const N: usize, const G: usize>([[[u8; N]; 4]; G]);

impl<const N: usize, const G: usize> Blocks<N, G> {
    /// Lane `i`'s.
    #[inline(always)]
    fn lane(&mut self, i: usize) -> &mut [u8; 16] {
        let (blocks, _) = self.0.as_flattened_mut().as_flattened_mut().as_chunks_mut();
        &mut blocks[i]
    }

    #[inline(always)]
    fn columns<W: U8xN<N>>(&self, token: W::Token, g: usize) -> [W; 4] {
        let mut words = [W::splat_u32(token, 0); 4];
        for i in 0..4 {
            words[i] = to_inner(W::load(token, &self.0[g][i]));
        }
        W::transpose4(words)
    }
}

struct Steps<'c, 'a, W, const N: usize, const G: usize> {
    chains: &'c mut [Option<Chain<'a>>],
    steps: usize,
    keys: &'c [[[u8; N]; G]; 32],
    /// The first of them holds the blocks before; after it, that of the last step the last ones.
    blocks: &'c mut [Blocks<N, G>; AHEAD],
    word: PhantomData<W>,
}

impl<W: U8xN<N>, const N: usize, const G: usize> Kernel<W::Token> for Steps<'_, '_, W, N, G> {
    type Output = ();

    #[inline(always)]
    fn call(self, token: W::Token) {
        let Self { chains, steps, keys, blocks, .. } = self;
        let mut x = [[W::splat_u32(token, 0); 4]; G];
        groups!(g in G => { x[g] = blocks[0].columns(token, g); });
        let mut done = 0;
        while done < steps {
            let count = AHEAD.min(steps - done);
            for (lane, chain) in chains.iter().flatten().enumerate() {
                for (block, blocks) in chain.blocks.get_in()[done..][..count].iter().zip(&mut *blocks) {
                    *blocks.lane(lane) = (*block).into();
                }
            }
            for blocks in &mut blocks[..count] {
                groups!(g in G => {
                    let [a, b, c, d] = blocks.columns::<W>(token, g);
                    x[g] = [x[g][0].xor(a), x[g][1].xor(b), x[g][2].xor(c), x[g][3].xor(d)];
                });
                columns(|r, g| W::load(token, &keys[r][g]), &mut x);
                groups!(g in G => {
                    let [a, b, c, d] = W::transpose4(x[g]);
                    from_inner(a).store(&mut blocks.0[g][0]);
                    from_inner(b).store(&mut blocks.0[g][1]);
                    from_inner(c).store(&mut blocks.0[g][2]);
                    from_inner(d).store(&mut blocks.0[g][3]);
                });
            }
            for (lane, chain) in chains.iter_mut().flatten().enumerate() {
                for (block, blocks) in chain.blocks.get_out()[done..][..count].iter_mut().zip(&mut *blocks) {
                    *block = (*blocks.lane(lane)).into();
                }
            }
            done += count;
        }
    }
}

/// The next `steps` blocks of up to sixteen chains in bit slices.
fn scalar(chains: &mut [Option<Chain<'_>>], steps: usize) {
    let mut keys = [[0; 8]; 32];
    let mut blocks = [[0; 16]; bits::BLOCKS];
    for r in 0..32 {
        let mut words = [0; bits::BLOCKS];
        for (lane, chain) in chains.iter().flatten().enumerate() {
            words[lane] = chain.keys[r];
        }
        keys[r] = bits::gather(&words);
    }
    for (lane, chain) in chains.iter().flatten().enumerate() {
        blocks[lane] = chain.iv;
    }
    for step in 0..steps {
        for (lane, chain) in chains.iter().flatten().enumerate() {
            for (byte, plaintext) in blocks[lane].iter_mut().zip(&chain.blocks.get_in()[step]) {
                *byte ^= plaintext;
            }
        }
        bits::crypt(&keys, &mut blocks);
        for (lane, chain) in chains.iter_mut().flatten().enumerate() {
            chain.blocks.get_out()[step] = blocks[lane].into();
        }
    }
    for (lane, chain) in chains.iter_mut().flatten().enumerate() {
        chain.iv = blocks[lane];
        chain.advance(steps);
    }
    keys = [[0; 8]; 32];
    zeroize::optimization_barrier(&keys);
}
