//! Known answers of every primitive, and the types to read them with. `README.md` says where each comes from, and what
//! the files hold.
//!
//! The files are compiled in, so that a test that was built for another machine runs there on its own.

use serde::Deserialize;
use serde::de::DeserializeOwned;

/// The text of `sealed.json`, which has a form of its own.
pub const SEALED: &str = include_str!("../answers/sealed.json");

/// The other files by name, with their text.
const FILES: &[(&str, &str)] = &[
    ("keccak.json", include_str!("../answers/keccak.json")),
    ("sha3.json", include_str!("../answers/sha3.json")),
    ("shake.json", include_str!("../answers/shake.json")),
    ("cshake.json", include_str!("../answers/cshake.json")),
    ("parallel_hash.json", include_str!("../answers/parallel_hash.json")),
    ("turboshake.json", include_str!("../answers/turboshake.json")),
    ("kt128.json", include_str!("../answers/kt128.json")),
    ("kt256.json", include_str!("../answers/kt256.json")),
    ("poly1305.json", include_str!("../answers/poly1305.json")),
    ("hchacha20.json", include_str!("../answers/hchacha20.json")),
    ("chacha20.json", include_str!("../answers/chacha20.json")),
    ("xchacha20.json", include_str!("../answers/xchacha20.json")),
    ("kusumi512.json", include_str!("../answers/kusumi512.json")),
    ("threefish.json", include_str!("../answers/threefish.json")),
    ("chacha20_poly1305.json", include_str!("../answers/chacha20_poly1305.json")),
    ("xchacha20_poly1305.json", include_str!("../answers/xchacha20_poly1305.json")),
    ("kusumi512_poly1305.json", include_str!("../answers/kusumi512_poly1305.json")),
    ("sm3.json", include_str!("../answers/sm3.json")),
    ("hmac_sm3.json", include_str!("../answers/hmac_sm3.json")),
    ("ghash.json", include_str!("../answers/ghash.json")),
    ("sm4.json", include_str!("../answers/sm4.json")),
    ("sm4_cbc.json", include_str!("../answers/sm4_cbc.json")),
    ("sm4_ctr.json", include_str!("../answers/sm4_ctr.json")),
    ("sm4_xts.json", include_str!("../answers/sm4_xts.json")),
    ("sm4_gcm.json", include_str!("../answers/sm4_gcm.json")),
    ("sm4_ccm.json", include_str!("../answers/sm4_ccm.json")),
    ("sm4_nonces.json", include_str!("../answers/sm4_nonces.json")),
    ("kalyna.json", include_str!("../answers/kalyna.json")),
    ("kalyna_modes.json", include_str!("../answers/kalyna_modes.json")),
    ("kalyna_aeads.json", include_str!("../answers/kalyna_aeads.json")),
    ("kalyna_macs.json", include_str!("../answers/kalyna_macs.json")),
    ("kalyna_kw.json", include_str!("../answers/kalyna_kw.json")),
    ("ml_kem.json", include_str!("../answers/ml_kem.json")),
    ("ml_kem_accumulated.json", include_str!("../answers/ml_kem_accumulated.json")),
    ("clwe.json", include_str!("../answers/clwe.json")),
    ("x_wing.json", include_str!("../answers/x_wing.json")),
];

/// One known answer of a hash or of another function from bytes to bytes. What a function does not take is empty, or
/// zero.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// The function's name, such as `sha3-256`, `keccak256`, `shake128` or `kt128`.
    pub function: String,
    /// The key of Poly1305, HChaCha20, HMAC-SM3 and Kalyna's CMAC, GMAC and KW; H of GHASH.
    #[serde(default, deserialize_with = "bytes")]
    pub key: Vec<u8>,
    /// What is hashed, authenticated or wrapped; HChaCha20's nonce.
    #[serde(deserialize_with = "bytes")]
    pub message: Vec<u8>,
    /// The function name N of cSHAKE.
    #[serde(default, deserialize_with = "bytes")]
    pub name: Vec<u8>,
    /// The customization string, S of cSHAKE and `ParallelHash`, C of KT128.
    #[serde(default, deserialize_with = "bytes")]
    pub customization: Vec<u8>,
    /// The block length B of `ParallelHash` in bytes.
    #[serde(default)]
    pub block: usize,
    /// The domain separation byte D of `TurboSHAKE`, 0x01 to 0x7f.
    #[serde(default)]
    pub domain: u8,
    /// How many bytes the function gives before those of `output`.
    #[serde(default)]
    pub skip: usize,
    /// A digest, a tag or what is wrapped; or the bytes of a longer output from `skip` on.
    #[serde(deserialize_with = "bytes")]
    pub output: Vec<u8>,
}

impl Case {
    /// Checks all of the function's output, the first `skip` bytes included.
    ///
    /// # Panics
    /// If it is not the known one; the message names the case.
    pub fn check(&self, output: &[u8]) {
        let Case { function, key: _, message, name, customization, block: _, domain, skip, output: expected } = self;
        assert!(
            output.len() == skip + expected.len() && output[*skip..] == *expected,
            "{function} of {} bytes, N of {}, S or C of {}, D = {domain:#04x}: wrong output of {} bytes",
            message.len(),
            name.len(),
            customization.len(),
            output.len(),
        );
    }

    /// Checks a function that fills the buffer it is given, as [`check`](Self::check) does.
    pub fn check_xof(&self, xof: impl FnOnce(&mut [u8])) {
        let mut output = vec![0; self.skip + self.output.len()];
        xof(&mut output);
        self.check(&output);
    }
}

/// One known answer of a cipher. What a function does not take is empty, or zero.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CipherCase {
    /// The function's name, such as `chacha20`, `sm4-cbc` or `kusumi512-poly1305`.
    pub function: String,
    /// The key.
    #[serde(deserialize_with = "bytes")]
    pub key: Vec<u8>,
    /// The nonce, the IV of `sm4-cbc` and Kalyna's modes, or the initial counter block of `threefish512-ctr` and
    /// `sm4-ctr`.
    #[serde(default, deserialize_with = "bytes")]
    pub nonce: Vec<u8>,
    /// The tweak of SM4's XTS, or of a block cipher; empty where it is zero.
    #[serde(default, deserialize_with = "bytes")]
    pub tweak: Vec<u8>,
    /// The block of a stream cipher's keystream at which the plaintext begins.
    #[serde(default)]
    pub counter: u64,
    /// The bytes that Kalyna's CFB takes a step.
    #[serde(default)]
    pub q: usize,
    /// The bytes in which Kalyna's CCM writes lengths.
    #[serde(default)]
    pub nb: usize,
    /// The associated data of an AEAD.
    #[serde(default, deserialize_with = "bytes")]
    pub aad: Vec<u8>,
    /// What is encrypted.
    #[serde(deserialize_with = "bytes")]
    pub plaintext: Vec<u8>,
    /// How many times a block cipher is applied, each time to what it gave before.
    #[serde(default = "once")]
    pub times: u32,
    /// How many bytes of ciphertext come before those of `ciphertext`.
    #[serde(default)]
    pub skip: usize,
    /// The ciphertext from `skip` on, without the tag.
    #[serde(deserialize_with = "bytes")]
    pub ciphertext: Vec<u8>,
    /// The tag of an AEAD.
    #[serde(default, deserialize_with = "bytes")]
    pub tag: Vec<u8>,
}

impl CipherCase {
    /// Checks the whole ciphertext, the first `skip` bytes included.
    ///
    /// # Panics
    /// If it is not the known one; the message names the case.
    pub fn check(&self, ciphertext: &[u8]) {
        assert!(
            ciphertext.len() == self.plaintext.len() && ciphertext[self.skip..] == self.ciphertext,
            "{self}: wrong ciphertext of {} bytes",
            ciphertext.len(),
        );
    }

    /// Checks the ciphertext and the tag of an AEAD.
    ///
    /// # Panics
    /// If they are not the known ones; the message names the case.
    pub fn check_sealed(&self, ciphertext: &[u8], tag: &[u8]) {
        self.check(ciphertext);
        assert!(self.tag == tag, "{self}: wrong tag");
    }
}

fn once() -> u32 {
    1
}

/// What tells the case from others.
impl std::fmt::Display for CipherCase {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let CipherCase { function, nonce, tweak, counter, aad, plaintext, .. } = self;
        write!(
            f,
            "{function} of {} bytes, nonce {nonce:02x?}, tweak {tweak:02x?}, counter {counter}, ",
            plaintext.len()
        )?;
        write!(f, "{} bytes of associated data", aad.len())
    }
}

/// What is known of one key pair of a KEM. What is not given is empty.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KemCase {
    /// The parameter set's name, such as `ml-kem-768` or `clwe-768`.
    pub function: String,
    /// The seed of a key pair of X-Wing, 32 bytes.
    #[serde(default, deserialize_with = "bytes")]
    pub seed: Vec<u8>,
    /// The seed d of the key pair, 32 bytes.
    #[serde(default, deserialize_with = "bytes")]
    pub d: Vec<u8>,
    /// The seed z of the key pair, 32 bytes.
    #[serde(default, deserialize_with = "bytes")]
    pub z: Vec<u8>,
    /// The encapsulation key, where there are no seeds or it is known beside them.
    #[serde(default, deserialize_with = "bytes")]
    pub ek: Vec<u8>,
    /// The decapsulation key, where there are no seeds.
    #[serde(default, deserialize_with = "bytes")]
    pub dk: Vec<u8>,
    /// SHA3-256 of the encapsulation key that the seeds give.
    #[serde(default, deserialize_with = "bytes")]
    pub ek_sha3_256: Vec<u8>,
    /// SHA3-256 of the decapsulation key that the seeds give.
    #[serde(default, deserialize_with = "bytes")]
    pub dk_sha3_256: Vec<u8>,
    /// The randomness, 32 bytes (X-Wing: 64), whose encapsulation gives `ciphertext` and `secret`.
    #[serde(default, deserialize_with = "bytes")]
    pub m: Vec<u8>,
    /// A ciphertext, which decapsulation accepts or rejects.
    #[serde(default, deserialize_with = "bytes")]
    pub ciphertext: Vec<u8>,
    /// The shared secret that decapsulation gives of `ciphertext`, 32 bytes.
    #[serde(default, deserialize_with = "bytes")]
    pub secret: Vec<u8>,
}

/// The hash of many runs of a KEM; `README.md` says of what.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AccumulatedCase {
    /// The parameter set's name, such as `ml-kem-768`.
    pub function: String,
    /// How many runs are accumulated.
    pub runs: usize,
    /// The first 32 bytes of SHAKE128 of all runs' answers.
    #[serde(deserialize_with = "bytes")]
    pub output: Vec<u8>,
}

/// The cases of a file of hashes and the like, such as `sha3.json`, in the file's order.
///
/// # Panics
/// If there is no such file, or if it holds something else.
pub fn load(file: &str) -> Vec<Case> {
    read(file)
}

/// The cases of a file of ciphers, such as `chacha20.json`, in the file's order.
///
/// # Panics
/// If there is no such file, or if it holds something else.
pub fn load_ciphers(file: &str) -> Vec<CipherCase> {
    read(file)
}

/// The cases of a file of KEMs, such as `ml_kem.json`, in the file's order.
///
/// # Panics
/// If there is no such file, or if it holds something else.
pub fn load_kems(file: &str) -> Vec<KemCase> {
    read(file)
}

/// The cases of a file of accumulated runs, such as `ml_kem_accumulated.json`, in the file's order.
///
/// # Panics
/// If there is no such file, or if it holds something else.
pub fn load_accumulated(file: &str) -> Vec<AccumulatedCase> {
    read(file)
}

fn read<C: DeserializeOwned>(file: &str) -> Vec<C> {
    let (_, text) = FILES.iter().find(|(name, _)| *name == file).unwrap_or_else(|| panic!("no vectors in {file}"));
    let groups: Vec<Group<C>> = serde_json::from_str(text).unwrap_or_else(|error| panic!("{file}: {error}"));
    groups.into_iter().flat_map(|group| group.cases).collect()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Group<C> {
    #[expect(dead_code, reason = "for the reader of the file; required of every group")]
    origin: String,
    cases: Vec<C>,
}

/// Hex in lower case, or one of the generators.
#[derive(Deserialize)]
#[serde(untagged)]
enum Bytes {
    Hex(String),
    Generator(Generator),
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Generator {
    Text(String),
    Pattern(usize),
    Repeat(String, usize),
}

fn bytes<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
    use serde::de::Error;
    let hex = |digits: &str| hex(digits).ok_or_else(|| D::Error::custom(format!("not lower-case hex: {digits}")));
    match Bytes::deserialize(deserializer)? {
        Bytes::Hex(digits) => hex(&digits),
        Bytes::Generator(Generator::Text(text)) => Ok(text.into_bytes()),
        Bytes::Generator(Generator::Pattern(n)) => Ok((0..=0xfa).cycle().take(n).collect()),
        Bytes::Generator(Generator::Repeat(digits, times)) => Ok(hex(&digits)?.repeat(times)),
    }
}

fn hex(digits: &str) -> Option<Vec<u8>> {
    let value = |digit: &u8| b"0123456789abcdef".iter().position(|d| d == digit).map(|v| v as u8);
    let (pairs, rest) = digits.as_bytes().as_chunks();
    let byte = |[high, low]: &[u8; 2]| Some(value(high)? << 4 | value(low)?);
    rest.is_empty().then(|| pairs.iter().map(byte).collect())?
}
