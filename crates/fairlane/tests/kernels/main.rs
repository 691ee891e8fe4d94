//! Disassembles this very program: a kernel has no calls of operations left in it, or every vector operation would be
//! one; and what comes out of a vector decides about no branch and no address.

#[cfg(target_arch = "x86_64")]
mod flow;
#[cfg(target_arch = "x86_64")]
mod secrets;

use fairlane::aead::AeadInOut;
use fairlane::chacha::{ChaCha20, XChaCha20Poly1305};
use fairlane::cipher::{
    Block, BlockCipherDecrypt, BlockCipherEncrypt, BlockModeDecrypt, BlockModeEncrypt, InnerIvInit, Key, StreamCipher,
};
use fairlane::digest::{ExtendableOutput, FixedOutput, Update};
use fairlane::ghash::GHash;
use fairlane::kalyna::{self, Kalyna, Kalyna128_128, Kalyna128_256, Kalyna256_256, Kalyna256_512, Kalyna512_512};
use fairlane::keccak::{Keccak256, Kt128, Shake128};
use fairlane::kusumi::Kusumi512;
use fairlane::ml_kem::{DecapsulationKey, MlKem768};
use fairlane::poly1305::Poly1305;
use fairlane::sm3::Sm3;
use fairlane::sm4::{Sm4, Sm4Ctr, Sm4Gcm, Sm4Xts, Sm4XtsGb, cbc};
use fairlane::threefish::{Threefish256, Threefish512, Threefish512Ctr, Threefish1024};
use fairlane::universal_hash::UniversalHash;
use fairlane::{Backend, HashMany, Unsupported};
use fairlane_lanes::{AnyToken, Kernel, Token};
use object::{Object, ObjectSection, ObjectSymbol, ObjectSymbolTable, RelocationTarget, SymbolKind};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A kernel as it should not be: with a function that is not inlined.
///
/// It runs itself, so that it is not inlined as a whole where every function has its features, as with NEON.
struct Careless(u64);

impl<T: Token> Kernel<T> for Careless {
    type Output = u64;
    #[inline(always)]
    fn call(self, token: T) -> u64 {
        #[inline(never)]
        fn operation_out_of_line(x: u64) -> u64 {
            std::hint::black_box(x)
        }
        match std::hint::black_box(self.0) {
            0 => 0,
            n => operation_out_of_line(token.run(Careless(n - 1))),
        }
    }
}

/// Instantiates every kernel on every backend; the compiler drops what nobody calls.
fn use_all_kernels() {
    for &backend in Backend::ALL {
        let mut digests = [[0; 32]; 20];
        let _ = Keccak256::hash_many_with(backend, [[7; 500]; 20], &mut digests);
        let _ = Sm3::hash_many_with(backend, [[7; 500]; 20], &mut digests);
        if let Ok(hasher) = Sm3::with_backend(backend) {
            std::hint::black_box(hasher.chain([7; 500]).finalize_fixed());
        }
        if let Ok(hasher) = Shake128::with_backend(backend) {
            hasher.chain([7; 500]).finalize_xof_into(&mut [0; 500]);
        }
        if let Ok(hasher) = Kt128::with_backend(backend, b"") {
            hasher.chain([7; 100_000]).finalize_xof_into(&mut [0; 500]);
        }
        let mut data = [0; 3000];
        if let Ok(mut cipher) = ChaCha20::with_backend(&[1; 32].into(), &[2; 12].into(), backend) {
            cipher.apply_keystream(&mut data);
        }
        if let Ok(mut cipher) = Kusumi512::with_backend(&[1; 64].into(), &[2; 12].into(), backend) {
            cipher.apply_keystream(&mut data);
        }
        if let Ok(cipher) = XChaCha20Poly1305::with_backend(&[1; 32].into(), backend) {
            let tag = cipher.encrypt_inout_detached(&[2; 24].into(), &[], data.as_mut_slice().into());
            tag.expect("not too long");
        }
        if let Ok(mut cipher) = Threefish512Ctr::with_backend(&[1; 64].into(), &[2; 64].into(), backend) {
            cipher.apply_keystream(&mut data);
        }
        use_block_cipher(Threefish256::with_backend(&[1; 32].into(), backend));
        use_block_cipher(Threefish512::with_backend(&[1; 64].into(), backend));
        use_block_cipher(Threefish1024::with_backend(&[1; 128].into(), backend));
        if let Ok(mut mac) = Poly1305::with_backend(&[7; 32], backend) {
            mac.update(&[7; 4000]);
            std::hint::black_box(mac.finalize());
        }
        use_sm4(backend);
        use_kalyna(backend);
        use_kems(backend);
        match AnyToken::new(backend) {
            #[cfg(target_arch = "x86_64")]
            Ok(AnyToken::Avx2(token)) => _ = token.run(Careless(1)),
            #[cfg(target_arch = "x86_64")]
            Ok(AnyToken::Avx2Aes(token)) => _ = token.run(Careless(1)),
            #[cfg(target_arch = "x86_64")]
            Ok(AnyToken::Avx2Gfni(token)) => _ = token.run(Careless(1)),
            #[cfg(target_arch = "x86_64")]
            Ok(AnyToken::Avx512(token)) => _ = token.run(Careless(1)),
            #[cfg(target_arch = "x86_64")]
            Ok(AnyToken::Avx512Ifma(token)) => _ = token.run(Careless(1)),
            #[cfg(target_arch = "x86_64")]
            Ok(AnyToken::Avx512Gfni(token)) => _ = token.run(Careless(1)),
            #[cfg(target_arch = "x86_64")]
            Ok(AnyToken::Avx512Vbmi(token)) => _ = token.run(Careless(1)),
            #[cfg(target_arch = "x86_64")]
            Ok(AnyToken::Sm4Ni(token)) => _ = token.run(Careless(1)),
            #[cfg(target_arch = "x86_64")]
            Ok(AnyToken::Sm3Ni(token)) => _ = token.run(Careless(1)),
            #[cfg(target_arch = "aarch64")]
            Ok(AnyToken::Neon(token)) => _ = token.run(Careless(1)),
            #[cfg(target_arch = "aarch64")]
            Ok(AnyToken::NeonSha3(token)) => _ = token.run(Careless(1)),
            #[cfg(target_arch = "aarch64")]
            Ok(AnyToken::NeonAes(token)) => _ = token.run(Careless(1)),
            _ => {}
        }
    }
}

/// SM4, its modes, and GHASH.
fn use_sm4(backend: Backend) {
    if let Ok(mut hash) = GHash::with_backend(&[7; 16], backend) {
        hash.update_padded(&[7; 4000]);
        std::hint::black_box(hash.finalize());
    }
    use_block_cipher(Sm4::with_backend(&[1; 16].into(), backend));
    let Ok(cipher) = Sm4::with_backend(&[1; 16].into(), backend) else { return };
    let mut data = [0; 3000];
    let (key, iv) = ([1; 16].into(), [2; 16].into());
    Sm4Ctr::with_backend(&key, &iv, backend).unwrap().apply_keystream(&mut data);
    let gcm = Sm4Gcm::with_backend(&key, backend).unwrap();
    let tag = gcm.encrypt_inout_detached(&[2; 12].into(), &[], data.as_mut_slice().into()).unwrap();
    gcm.decrypt_inout_detached(&[2; 12].into(), &[], data.as_mut_slice().into(), &tag).unwrap();
    let mut blocks = [[3; 16].into(); 150];
    cbc::Encryptor::inner_iv_init(&cipher, &iv).encrypt_blocks(&mut blocks);
    cbc::Decryptor::inner_iv_init(&cipher, &iv).decrypt_blocks(&mut blocks);
    cbc::encrypt_many_inout(blocks.chunks_mut(3).map(|blocks| cbc::Message {
        cipher: &cipher,
        iv: [2; 16],
        blocks: blocks.into(),
    }));
    let keys = std::array::from_fn(|i| i as u8);
    let (ieee, gb) = (Sm4Xts::with_backend(&keys, backend).unwrap(), Sm4XtsGb::with_backend(&keys, backend).unwrap());
    ieee.encrypt(&[2; 16], data.as_mut_slice().into()).unwrap();
    ieee.decrypt(&[2; 16], data.as_mut_slice().into()).unwrap();
    gb.encrypt(&[2; 16], data.as_mut_slice().into()).unwrap();
    gb.decrypt(&[2; 16], data.as_mut_slice().into()).unwrap();
}

/// The ring of ML-KEM, and the sampling.
fn use_kems(backend: Backend) {
    let Ok(key) = DecapsulationKey::<MlKem768>::with_backend(&[1; 32], &[2; 32], backend) else { return };
    let (ciphertext, _) = key.encapsulation_key().encapsulate_deterministic(&[3; 32]);
    std::hint::black_box(key.prepare().decapsulate(&ciphertext));
    std::hint::black_box(key.prepare().to_expanded());
}

/// Kalyna.
fn use_kalyna(backend: Backend) {
    use_authentication::<Kalyna128_128>(backend);
    use_authentication::<Kalyna128_256>(backend);
    use_authentication::<Kalyna256_256>(backend);
    use_authentication::<Kalyna256_512>(backend);
    use_authentication::<Kalyna512_512>(backend);
    use_block_cipher(Kalyna128_128::with_backend(&[1; 16].into(), backend));
    use_block_cipher(Kalyna128_256::with_backend(&[1; 32].into(), backend));
    use_block_cipher(Kalyna256_256::with_backend(&[1; 32].into(), backend));
    use_block_cipher(Kalyna256_512::with_backend(&[1; 64].into(), backend));
    use_block_cipher(Kalyna512_512::with_backend(&[1; 64].into(), backend));
    use_kalyna_modes::<Kalyna128_128>(backend);
    use_kalyna_modes::<Kalyna128_256>(backend);
    use_kalyna_modes::<Kalyna256_256>(backend);
    use_kalyna_modes::<Kalyna256_512>(backend);
    use_kalyna_modes::<Kalyna512_512>(backend);
}

/// The modes that have kernels of their own.
fn use_kalyna_modes<C: Kalyna>(backend: Backend) {
    let (key, iv) = (Key::<C>::default(), Block::<C>::default());
    let Ok(mut ctr) = kalyna::Ctr::<C>::with_backend(&key, &iv, backend) else { return };
    let (mut data, mut blocks) = ([0; 3000], vec![Block::<C>::default(); 150]);
    ctr.apply_keystream(&mut data);
    kalyna::Ofb::<C>::with_backend(&key, &iv, backend).unwrap().apply_keystream(&mut data);
    kalyna::CbcEncryptor::<C>::with_backend(&key, &iv, backend).unwrap().encrypt_blocks(&mut blocks);
    kalyna::CbcDecryptor::<C>::with_backend(&key, &iv, backend).unwrap().decrypt_blocks(&mut blocks);
    let cfb = kalyna::Cfb::<C>::with_backend(&key, iv.len(), backend).unwrap();
    cfb.encrypt(&iv, data.as_mut_slice().into());
    cfb.decrypt(&iv, data.as_mut_slice().into());
    let xts = kalyna::Xts::<C>::with_backend(&key, backend).unwrap();
    xts.encrypt(&iv, data.as_mut_slice().into()).unwrap();
    xts.decrypt(&iv, data.as_mut_slice().into()).unwrap();
}

/// The modes of Kalyna that make tags.
fn use_authentication<C: Kalyna>(backend: Backend) {
    let (key, nonce, mut data) = (Default::default(), Default::default(), [0; 3000]);
    let Ok(gcm) = kalyna::Gcm::<C>::with_backend(&key, backend) else { return };
    let tag = gcm.encrypt_inout_detached(&nonce, &[1; 100], data.as_mut_slice().into()).unwrap();
    gcm.decrypt_inout_detached(&nonce, &[1; 100], data.as_mut_slice().into(), &tag).unwrap();
    let ccm = kalyna::Ccm::<C>::with_backend(&key, backend).unwrap();
    let tag = ccm.encrypt_inout_detached(&nonce, &[1; 100], data.as_mut_slice().into()).unwrap();
    ccm.decrypt_inout_detached(&nonce, &[1; 100], data.as_mut_slice().into(), &tag).unwrap();
    std::hint::black_box(kalyna::Gmac::<C>::with_backend(&key, backend).unwrap().chain(data).finalize_fixed());
    std::hint::black_box(kalyna::Cmac::<C>::with_backend(&key, backend).unwrap().chain(data).finalize_fixed());
}

fn use_block_cipher<C: BlockCipherEncrypt + BlockCipherDecrypt>(cipher: Result<C, Unsupported>) {
    if let Ok(cipher) = cipher {
        let mut blocks = vec![Block::<C>::default(); 150];
        cipher.encrypt_blocks(&mut blocks);
        cipher.decrypt_blocks(&mut blocks);
    }
}

/// Addresses that a function's code calls, or of the pointers to those; `None` for a call through a register.
#[cfg(target_arch = "x86_64")]
fn calls(code: &[u8], address: u64) -> Vec<Option<u64>> {
    use iced_x86::{Decoder, DecoderOptions, FlowControl};
    Decoder::with_ip(64, code, address, DecoderOptions::NONE)
        .iter()
        .filter_map(|instruction| match instruction.flow_control() {
            FlowControl::Call => Some(Some(instruction.near_branch_target())),
            // A call at a function's end is a jump out of it.
            FlowControl::UnconditionalBranch => Some(instruction.near_branch_target())
                .filter(|target| !(address..address + code.len() as u64).contains(target))
                .map(Some),
            FlowControl::IndirectCall => {
                Some(instruction.is_ip_rel_memory_operand().then(|| instruction.ip_rel_memory_address()))
            }
            _ => None,
        })
        .collect()
}

/// The same for `bl` and `blr`.
#[cfg(target_arch = "aarch64")]
fn calls(code: &[u8], address: u64) -> Vec<Option<u64>> {
    let (instructions, _) = code.as_chunks::<4>();
    let branches = instructions.iter().zip(0i64..).filter_map(|(bytes, i)| {
        let instruction = u32::from_le_bytes(*bytes);
        let offset = i64::from((instruction as i32) << 6 >> 6) * 4;
        let target = address.wrapping_add_signed(4 * i + offset);
        match instruction {
            bl if bl >> 26 == 0b10_0101 => Some(Some(target)),
            // A call at a function's end is a jump out of it.
            b if b >> 26 == 0b00_0101 && !(address..address + code.len() as u64).contains(&target) => {
                Some(Some(target))
            }
            blr if blr & 0xffff_fc1f == 0xd63f_0000 => Some(None),
            _ => None,
        }
    });
    branches.collect()
}

/// This program, and the names of what it calls.
struct Program<'a> {
    file: object::File<'a>,
    names: HashMap<u64, String>,
}

impl<'a> Program<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        let file = object::File::parse(bytes).unwrap();
        let functions = file.symbols().filter(|symbol| symbol.kind() == SymbolKind::Text);
        let mut names: HashMap<u64, String> = functions.map(|symbol| (symbol.address(), name(&symbol))).collect();
        // Pointers that the loader fills in, by what they point to.
        for (address, relocation) in file.dynamic_relocations().into_iter().flatten() {
            let target = match relocation.target() {
                RelocationTarget::Symbol(index) => file
                    .dynamic_symbol_table()
                    .and_then(|table| table.symbol_by_index(index).ok().map(|symbol| name(&symbol))),
                _ => names.get(&(relocation.addend() as u64)).cloned(),
            };
            names.extend(target.map(|target| (address, target)));
        }
        Self { file, names }
    }

    /// Every function: its name, its address, and its code.
    fn functions(&self) -> impl Iterator<Item = (String, u64, &'a [u8])> {
        let functions = self.file.symbols().filter(|symbol| symbol.kind() == SymbolKind::Text);
        functions.filter_map(|symbol| {
            let section = self.file.section_by_index(symbol.section_index()?).ok()?;
            let code = section.data_range(symbol.address(), symbol.size()).ok()??;
            Some((name(&symbol), symbol.address(), code))
        })
    }

    /// What stands at an address that is called.
    fn callee(&self, address: u64) -> &str {
        self.names.get(&address).map_or("an unknown function", String::as_str)
    }

    /// The functions that call each kernel. A kernel is known by them: its own name does not tell what it computes.
    fn callers_of_kernels(&self) -> BTreeMap<u64, BTreeSet<String>> {
        let mut callers: BTreeMap<u64, BTreeSet<String>> = BTreeMap::new();
        for (name, address, code) in self.functions() {
            for target in calls(code, address).into_iter().flatten() {
                if is_kernel(self.callee(target)) {
                    callers.entry(target).or_default().insert(name.clone());
                }
            }
        }
        callers
    }
}

fn name(symbol: &object::Symbol) -> String {
    format!("{:#}", rustc_demangle::demangle(symbol.name().unwrap_or("?")))
}

/// Whether a function is a kernel: `Token::run` calls each through a method of this name.
fn is_kernel(name: &str) -> bool {
    name.contains("fairlane_lanes::token::WithFeatures<") && name.ends_with("::with_features")
}

/// What calls the only kernel that calls something, through a register: it asks an object for its next group.
const ASKS: &str = "keccak::equal_lengths::hash_groups";

/// Whether a function ends the program: it is never reached with right lengths.
fn is_end(name: &str) -> bool {
    name.contains("panic") || name.contains("_fail")
}

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[test]
fn kernels_call_nothing() {
    use_all_kernels();
    let bytes = std::fs::read(std::env::current_exe().unwrap()).unwrap();
    let program = Program::new(&bytes);
    let callers = program.callers_of_kernels();
    let (mut kernels, mut careless, mut calling) = (0, 0, vec![]);
    for (name, address, code) in program.functions().filter(|(name, ..)| is_kernel(name)) {
        let asks = callers.get(&address).is_some_and(|callers| callers.iter().any(|caller| caller.contains(ASKS)));
        let called: Vec<_> = calls(code, address)
            .into_iter()
            .filter(|target| target.is_some() || !asks)
            .map(|target| target.map_or("an unknown function", |address| program.callee(address)))
            .filter(|callee| !is_end(callee))
            // GNU ld moves single loads to such places, whence they jump back, to avoid an erratum of the Cortex-A53.
            .filter(|callee| !callee.starts_with("e843419@"))
            .collect();
        if called.iter().any(|callee| callee.contains("operation_out_of_line")) {
            careless += 1;
        } else {
            kernels += 1;
            if !called.is_empty() {
                calling.push(format!("{name} at {address:#x} calls {called:?}"));
            }
        }
    }
    assert!(calling.is_empty(), "{}", calling.join("\n"));
    // Of each of the architecture's backends a careless kernel must have been noticed, and good ones looked at: they
    // are in the program even where the CPU lacks the features.
    let vectors = Backend::ALL.iter().filter(|backend| !backend.features().is_empty()).count();
    assert!(
        kernels >= 2 * vectors && careless == vectors,
        "found {kernels} kernels, and {careless} careless ones, of {vectors} vector backends"
    );
}

/// How often a function's code reads or writes a vector of 32 bytes and one of 64 on the stack, and to how many bytes
/// it aligns the stack.
#[cfg(target_arch = "x86_64")]
fn vectors_on_the_stack(code: &[u8], address: u64) -> ([usize; 2], i64) {
    use iced_x86::{Decoder, DecoderOptions, Mnemonic, OpKind, Register};
    let (mut accesses, mut alignment) = ([0; 2], 16);
    for instruction in &mut Decoder::with_ip(64, code, address, DecoderOptions::NONE) {
        let aligns = instruction.mnemonic() == Mnemonic::And && instruction.op0_register() == Register::RSP;
        if aligns && instruction.op1_kind() != OpKind::Register {
            alignment = -(instruction.immediate(1) as i64);
        }
        if instruction.memory_base() == Register::RSP {
            match instruction.memory_size().size() {
                32 => accesses[0] += 1,
                64 => accesses[1] += 1,
                _ => {}
            }
        }
    }
    (accesses, alignment)
}

/// Kernels that put few vectors on the stack, most of them once, need not align it: Poly1305's, which is called for short
/// messages, became slower.
#[cfg(target_arch = "x86_64")]
const FEW_VECTORS: usize = 17;

/// Vectors on a stack that is not aligned are read from two cache lines each: some kernels then take a tenth to a
/// quarter more time, and only where the caller's stack happens to be so.
#[cfg(target_arch = "x86_64")]
#[test]
fn kernels_that_spill_align_the_stack() {
    // and rsp, -64; vmovdqu64 [rsp + 64], zmm0
    let code = [0x48, 0x83, 0xe4, 0xc0, 0x62, 0xf1, 0xfe, 0x48, 0x7f, 0x44, 0x24, 0x01];
    assert_eq!(vectors_on_the_stack(&code, 0), ([0, 1], 64));
    assert_eq!(vectors_on_the_stack(&code[4..], 0), ([0, 1], 16));
    use_all_kernels();
    let bytes = std::fs::read(std::env::current_exe().unwrap()).unwrap();
    let program = Program::new(&bytes);
    let callers = program.callers_of_kernels();
    let (mut aligned, mut unaligned) = (0, vec![]);
    for (name, address, code) in program.functions().filter(|(name, ..)| is_kernel(name)) {
        let (accesses, alignment) = vectors_on_the_stack(code, address);
        for (count, size) in accesses.into_iter().zip([32, 64]) {
            if count > FEW_VECTORS && alignment >= size {
                aligned += 1;
            } else if count > FEW_VECTORS {
                let callers = callers.get(&address);
                unaligned.push(format!("{name} at {address:#x}, called by {callers:?}: {count} of {size} bytes"));
            }
        }
    }
    assert!(unaligned.is_empty(), "`Kernel::SPILLS` is false for\n{}", unaligned.join("\n"));
    assert!(aligned > 0);
}
