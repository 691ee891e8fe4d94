//! SM3's compression function (GB/T 32905-2016, section 5.3), written once over words of lanes.

use fairlane_lanes::U32xN;

/// A chaining value: A to H.
pub(super) type State<W> = [W; 8];

/// The initial value (section 4.1).
pub(super) const INITIAL: State<u32> = [
    0x7380_166f, 0x4914_b2b9, 0x1724_42d7, 0xda8a_0600, 0xa96f_30bc, 0x1631_38aa, 0xe38d_ee4d, 0xb0fb_0e4e,
];

/// The constants of the rounds (section 4.2), each rotated as its round wants it.
const T: [u32; 64] = {
    let mut t = [0; 64];
    let mut j = 0;
    while j < 64 {
        t[j] = if j < 16 { 0x79cc_4519_u32 } else { 0x7a87_9d8a }.rotate_left(j as u32 % 32);
        j += 1;
    }
    t
};

/// Where a round's two words come from.
pub(super) trait Schedule<W> {
    /// W and W' of round `from + i`; `from` is a multiple of 16, `i` less than that.
    fn words(&mut self, from: usize, i: usize) -> [W; 2];
}

/// The 64 rounds and the addition of the state before them.
#[inline(always)]
pub(super) fn compress<W: U32xN<N>, const N: usize>(token: W::Token, state: &mut State<W>, schedule: &mut impl Schedule<W>) {
    let mut s = *state;
    let mut e2 = [s[0]; 2];
    macro_rules! sixteen {
        ($first:literal, $from:expr) => {
            sixteen!($first, $from; 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)
        };
        ($first:literal, $from:expr; $($i:literal)*) => {$(
            let [w, sum] = schedule.words($from, $i);
            s = round::<W, N, $first, { T[$from + $i] }>(s, W::splat(token, T[$from + $i]), w, sum, &mut e2);
        )*};
    }
    sixteen!(true, 0);
    sixteen!(false, 16);
    sixteen!(false, 32);
    sixteen!(false, 48);
    for i in 0..8 {
        state[i] = state[i].xor(s[i]);
    }
}

#[inline(always)]
fn round<W: U32xN<N>, const N: usize, const FIRST: bool, const C: u32>([a, b, c, d, e, f, g, h]: State<W>, t: W, w: W, sum: W, e2: &mut [W; 2]) -> State<W> {
    // The late operand of each sum is added last.
    let a12 = a.rotl::<12>();
    let ss1 = a12.lea::<C>(e, t).rotl::<7>();
    let (ff, gg);
    if FIRST {
        ff = a.xor3(b, c);
        gg = e.xor3(f, g);
    } else {
        ff = a.majority(b, c);
        gg = e.select(f, g);
    }
    if N == 1 && !FIRST && !W::TERNARY {
        let tt1 = d.add(sum).term().add(b.and(c)).term().add(a.and(b.xor(c))).term().add(ss1.xor(a12));
        let m = f.xor(g);
        let gg = e2[1].and(m).xor(g).term().xor(e2[0].and(m));
        let tt2 = h.add(w).term().add(gg).term().add(ss1);
        let (y, z) = (tt2.xor(tt2.rotl::<9>()).term(), tt2.rotl::<17>());
        *e2 = [y, z];
        return [tt1, a, b.rotl::<9>(), c, y.xor(z), e, f.rotl::<19>(), g];
    }
    let tt1 = d.add(sum).term().add(ff).term().add(ss1.xor(a12));
    let tt2 = h.add(w).term().add(gg).term().add(ss1);
    *e2 = [tt2.xor(tt2.rotl::<9>()).term(), tt2.rotl::<17>()];
    [tt1, a, b.rotl::<9>(), c, tt2.xor3(tt2.rotl::<9>(), tt2.rotl::<17>()), e, f.rotl::<19>(), g]
}

/// The message words in a ring of the last 16, expanded (section 5.3.2) as the rounds need them.
pub(super) struct Ring<W>(pub(super) [W; 16]);

impl<W: U32xN<N>, const N: usize> Schedule<W> for Lanes<Ring<W>, N> {
    #[inline(always)]
    fn words(&mut self, from: usize, i: usize) -> [W; 2] {
        let w = &mut self.0.0;
        if from > 0 || i >= 12 {
            let i = i + 4;
            w[i % 16] = expand::<W, N>(w[i % 16], w[(i + 7) % 16], w[(i + 13) % 16], w[(i + 3) % 16], w[(i + 10) % 16]);
        }
        [w[i], w[i].xor(w[(i + 4) % 16])]
    }
}
pub(super) struct Lanes<T, const N: usize>(pub(super) T);

/// W[j] from W[j - 16], W[j - 9], W[j - 3], W[j - 13] and W[j - 6].
#[inline(always)]
fn expand<W: U32xN<N>, const N: usize>(w16: W, w9: W, w3: W, w13: W, w6: W) -> W {
    let x = w16.xor3(w9, w3.rotl::<15>());
    x.xor3(x.rotl::<15>(), x.rotl::<23>()).xor3(w13.rotl::<7>(), w6)
}
