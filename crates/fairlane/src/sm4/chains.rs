//! CBC encryption: a chain of blocks in each lane, with a key of its own.

use super::Sm4;
use super::bits;
use super::kernels::Cipher;
use super::rounds::{Keys, columns, from_inner, to_inner};
use cipher::consts::U16;
use cipher::{Array, InOutBuf};
use core::fmt;
use core::marker::PhantomData;
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

/// Encrypts many messages side by side with SM4 in CBC mode, each under its own key and IV; they may have any mix of lengths.
///
/// A message takes as long as it would alone, but up to 32 of them take little longer than one. Nothing is allocated.
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
    let mut messages = messages.into_iter().filter(|message| !message.blocks.is_empty());
    let mut lanes = [const { None }; LANES];
    let mut busy = 0;
    // The first message's backend does it for all; one with another goes alone.
    let mut token = None;
    loop {
        while busy < LANES
            && let Some(Message { cipher: Sm4(cipher), mut iv, blocks }) = messages.next()
        {
            if token.get_or_insert(cipher.token).backend() == cipher.token.backend() {
                lanes[busy] = Some(Chain { keys: &cipher.keys, iv, blocks });
                busy += 1;
            } else {
                encrypt_one(cipher, &mut iv, blocks);
            }
        }
        let Some(token) = token.filter(|_| busy > 0) else { return };
        let busy_lanes = &mut lanes[..busy];
        let steps = busy_lanes.iter().flatten().map(|chain| chain.blocks.len()).min().unwrap_or(0);
        encrypt(token, busy_lanes, steps);
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

/// Encrypts one message, and leaves its last block in `iv`.
#[inline]
pub(super) fn encrypt_one(cipher: &Cipher, iv: &mut [u8; 16], blocks: InOutBuf<'_, '_, SmBlock>) {
    let steps = blocks.len();
    let mut chain = [Some(Chain { keys: &cipher.keys, iv: *iv, blocks })];
    encrypt(cipher.token, &mut chain, steps);
    if let [Some(chain)] = chain {
        *iv = chain.iv;
    }
}

/// A block of SM4.
type SmBlock = Array<u8, U16>;

/// The most chains that are worked on at once.
const LANES: usize = 32;

/// What is left of a message.
struct Chain<'a> {
    keys: &'a Keys,
    /// The ciphertext block before.
    iv: [u8; 16],
    blocks: InOutBuf<'a, 'a, SmBlock>,
}

impl Chain<'_> {
    /// Goes on behind so many blocks.
    #[inline(always)]
    fn advance(&mut self, steps: usize) {
        let rest = core::mem::replace(&mut self.blocks, (&mut [][..]).into());
        self.blocks = rest.split_at(steps).1;
    }
}

/// Encrypts the next `steps` blocks of each chain.
fn encrypt(token: AnyToken, chains: &mut [Option<Chain<'_>>], steps: usize) {
    match token {
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        AnyToken::Avx512Gfni(token) => {
            for chains in chains.chunks_mut(32) {
                match chains.len() {
                    ..=4 => token.run(Chains::<U8x16Vl, 16, 1>(chains, steps, PhantomData)),
                    ..=16 => token.run(Chains::<U8x64, 64, 1>(chains, steps, PhantomData)),
                    _ => token.run(Chains::<U8x64, 64, 2>(chains, steps, PhantomData)),
                }
            }
        }
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        AnyToken::Avx2Gfni(token) => avx2::<U8x32Gfni, U8x16Gfni>(token, chains, steps),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        AnyToken::Avx2Aes(token) => avx2::<U8x32Aes, U8x16Aes>(token, chains, steps),
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
            ..=4 => token.run(Chains::<V, 16, 1>(chains, steps, PhantomData)),
            ..=8 => token.run(Chains::<W, 32, 1>(chains, steps, PhantomData)),
            _ => token.run(Chains::<W, 32, 2>(chains, steps, PhantomData)),
        }
    }
}

/// The next `steps` blocks of up to `G` times `N / 4` chains.
struct Chains<'c, 'a, W, const N: usize, const G: usize>(&'c mut [Option<Chain<'a>>], usize, PhantomData<W>);

/// A block of each lane of `G` words in columns, one after the other as loads take them.
#[derive(Clone)]
struct Blocks<const N: usize, const G: usize>([[[u8; N]; 4]; G]);

impl<const N: usize, const G: usize> Blocks<N, G> {
    /// Lane `i`'s.
    #[inline(always)]
    fn lane(&mut self, i: usize) -> &mut [u8] {
        let blocks = self.0.as_flattened_mut().as_flattened_mut();
        &mut blocks[16 * i..][..16]
    }

    #[inline(always)]
    fn columns<W: U8xN<N>>(&self, token: W::Token, g: usize) -> [W; 4] {
        let [a, b, c, d] = &self.0[g];
        W::transpose4([a, b, c, d].map(|bytes| to_inner(W::load(token, bytes))))
    }
}

impl<W: U8xN<N>, const N: usize, const G: usize> Kernel<W::Token> for Chains<'_, '_, W, N, G> {
    type Output = ();

    #[inline(always)]
    fn call(self, token: W::Token) {
        let Self(chains, steps, _) = self;
        // Each lane's round keys, as words have them: group `j` of block `i` of a word is block `j * N / 16 + i` in `Blocks`.
        let mut keys = [[[0; N]; G]; 32];
        let mut blocks = Blocks([[[0; N]; 4]; G]);
        for (lane, chain) in chains.iter().flatten().enumerate() {
            let (g, within) = (lane / (N / 4), lane % (N / 4));
            let at = 16 * (within % (N / 16)) + 4 * (within / (N / 16));
            for r in 0..32 {
                keys[r][g][at..][..4].copy_from_slice(&chain.keys[r].to_le_bytes());
            }
            blocks.lane(lane).copy_from_slice(&chain.iv);
        }
        let mut x = [[W::splat4(token, 0); 4]; G];
        for g in 0..G {
            x[g] = blocks.columns(token, g);
        }
        for step in 0..steps {
            for (lane, chain) in chains.iter().flatten().enumerate() {
                blocks.lane(lane).copy_from_slice(&chain.blocks.get_in()[step]);
            }
            for g in 0..G {
                let plaintext = blocks.columns::<W>(token, g);
                for w in 0..4 {
                    x[g][w] = x[g][w].xor(plaintext[w]);
                }
            }
            columns(|r, g| W::load(token, &keys[r][g]), &mut x);
            for g in 0..G {
                let output = W::transpose4(x[g]);
                for i in 0..4 {
                    from_inner(output[i]).store(&mut blocks.0[g][i]);
                }
            }
            for (lane, chain) in chains.iter_mut().flatten().enumerate() {
                chain.blocks.get_out()[step].copy_from_slice(blocks.lane(lane));
            }
        }
        for (lane, chain) in chains.iter_mut().flatten().enumerate() {
            chain.iv.copy_from_slice(blocks.lane(lane));
            chain.advance(steps);
        }
        keys = [[[0; N]; G]; 32];
        zeroize::optimization_barrier(&keys);
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
        bits::crypt(|r| keys[r], &mut blocks);
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
