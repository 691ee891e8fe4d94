//! OpenSSL's libcrypto: the one that is installed, found at run time, and, with cargo feature `openssl`, the newest,
//! built from source.

use super::c_cipher::{self, Mode, Stream};
use super::evp::EvpAlgorithm;
use super::evp::cipher::{self, Ciphers, EvpCipher, EvpParams};
use super::evp::hash::{self, EvpHash};
use super::evp::kem::{EvpKem, MlKem};
use super::ffi::{open, symbol, text};
use super::kem::ml_kem_name;
use super::{About, Roster};
use crate::contest::{Algorithm, Contest, Job, Label};
use libloading::Library;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr;
use std::sync::OnceLock;

/// Newest first. Only names with a version: they say whose ABI is inside.
const NAMES: &[&str] = &[
    "libcrypto.so.4",
    "libcrypto.so.3",
    "libcrypto.so.1.1",
    "libcrypto.4.dylib",
    "libcrypto.3.dylib",
    "libcrypto-4-x64.dll",
    "libcrypto-3-x64.dll",
];

/// One libcrypto, and what it says of itself.
struct Libcrypto {
    hash: EvpHash,
    find_hash: Find,
    ciphers: Ciphers,
    find_cipher: Find,
    /// None before OpenSSL 3.
    kem: Option<EvpKem>,
    says: Says,
}

/// How this libcrypto finds an algorithm.
#[derive(Clone, Copy)]
enum Find {
    /// `EVP_MD_fetch`, `EVP_CIPHER_fetch`, there from 3.0 on.
    Fetch(unsafe extern "C" fn(*mut c_void, *const c_char, *const c_char) -> *mut c_void),
    /// `EVP_get_digestbyname`, `EVP_get_cipherbyname`, what there was before.
    ByName(unsafe extern "C" fn(*const c_char) -> *const c_void),
}

/// What a contest asks of a libcrypto, by its name there.
#[derive(Clone, Copy)]
enum Wanted {
    Hash(&'static CStr),
    Stream(Stream, &'static CStr),
    Cipher(&'static CStr),
    /// An AEAD with a new key for each message, by its name in a contest of several functions, too.
    Aead(&'static str, &'static CStr),
    Kem(&'static CStr),
}

/// What was found of it.
enum Found {
    Hash(EvpAlgorithm),
    Stream(Stream, EvpAlgorithm),
    Cipher(EvpAlgorithm),
    Aead(&'static str, EvpAlgorithm),
    Kem(&'static EvpKem, &'static CStr),
}

const CHACHA20: Wanted = Wanted::Stream(c_cipher::CHACHA20, c"ChaCha20");
const AES256_CTR: Wanted = Wanted::Stream(c_cipher::AES256_CTR, c"AES-256-CTR");
const CHACHA20_POLY1305: Wanted = Wanted::Aead("ChaCha20-Poly1305", c"ChaCha20-Poly1305");
const AES256_GCM: Wanted = Wanted::Aead("AES-256-GCM", c"AES-256-GCM");

pub(super) fn enter(contest: &Contest, roster: &mut Roster) {
    let wanted = match contest.algorithm() {
        Algorithm::Keccak256 => Wanted::Hash(c"KECCAK-256"),
        Algorithm::Sha3_256 => Wanted::Hash(c"SHA3-256"),
        Algorithm::Shake128 => Wanted::Hash(c"SHAKE128"),
        Algorithm::Arx if contest.job() == Job::Seal => {
            enter_all(contest, roster, CHACHA20_POLY1305);
            return enter_all(contest, roster, AES256_GCM);
        }
        Algorithm::Arx => {
            enter_all(contest, roster, CHACHA20);
            return enter_all(contest, roster, AES256_CTR);
        }
        Algorithm::ChaCha20 => CHACHA20,
        Algorithm::ChaCha20Poly1305 => CHACHA20_POLY1305,
        Algorithm::Sm3 => Wanted::Hash(c"SM3"),
        Algorithm::Sm4 => Wanted::Cipher(match Mode::of(contest) {
            Mode::Ecb => c"SM4-ECB",
            Mode::Cbc => c"SM4-CBC",
            Mode::Ctr => c"SM4-CTR",
            Mode::Xts => c"SM4-XTS",
            Mode::Gcm => c"SM4-GCM",
        }),
        Algorithm::XChaCha20Poly1305 => return roster.absent("OpenSSL", "OpenSSL has no XChaCha20"),
        _ => match ml_kem_name(contest) {
            Some(name) => Wanted::Kem(name),
            None => return,
        },
    };
    enter_all(contest, roster, wanted);
}

/// Enters every libcrypto.
fn enter_all(contest: &Contest, roster: &mut Roster, wanted: Wanted) {
    if let Some(libcrypto) = roster.found("OpenSSL (installed)", installed()) {
        libcrypto.enter(contest, roster, wanted, Label::Installed);
    }
    #[cfg(feature = "openssl")]
    vendored().enter(contest, roster, wanted, Label::Vendored);
    #[cfg(not(feature = "openssl"))]
    roster.absent("OpenSSL (vendored)", "cargo feature openssl builds it; that needs a C compiler, perl and make");
}

/// The machine's own, looked for once.
fn installed() -> &'static Result<Libcrypto, String> {
    static FOUND: OnceLock<Result<Libcrypto, String>> = OnceLock::new();
    FOUND.get_or_init(|| {
        let library = open(NAMES).ok_or("the loader finds no libcrypto.so.4, .so.3 or .so.1.1")?;
        // SAFETY: a libcrypto of these names has these functions, with the types of its documentation.
        unsafe {
            Ok(Libcrypto {
                hash: EvpHash::load(library)?,
                find_hash: Find::load(library, "EVP_MD_fetch", "EVP_get_digestbyname")?,
                ciphers: Ciphers { evp: EvpCipher::load(library)?, params: EvpParams::load(library).ok() },
                find_cipher: Find::load(library, "EVP_CIPHER_fetch", "EVP_get_cipherbyname")?,
                kem: EvpKem::load(library).ok(),
                says: Says::new(symbol(library, "OpenSSL_version")?),
            })
        }
    })
}

/// The one built into this binary.
#[cfg(feature = "openssl")]
fn vendored() -> &'static Libcrypto {
    // Nothing of it is named in Rust, but this is what links it.
    use fairlane_vendored_openssl as _;
    unsafe extern "C" {
        fn EVP_MD_fetch(library: *mut c_void, name: *const c_char, properties: *const c_char) -> *mut c_void;
        fn EVP_CIPHER_fetch(library: *mut c_void, name: *const c_char, properties: *const c_char) -> *mut c_void;
        fn OpenSSL_version(what: c_int) -> *const c_char;
    }
    static LINKED: OnceLock<Libcrypto> = OnceLock::new();
    LINKED.get_or_init(|| Libcrypto {
        hash: EvpHash::linked(),
        find_hash: Find::Fetch(EVP_MD_fetch),
        ciphers: Ciphers { evp: EvpCipher::linked(), params: Some(EvpParams::linked()) },
        find_cipher: Find::Fetch(EVP_CIPHER_fetch),
        kem: Some(EvpKem::linked()),
        // SAFETY: it is that function.
        says: unsafe { Says::new(OpenSSL_version) },
    })
}

impl Libcrypto {
    fn enter(&'static self, contest: &Contest, roster: &mut Roster, wanted: Wanted, origin: Label) {
        let origin_name = if origin == Label::Installed { "installed" } else { "vendored" };
        let Some(found) = self.find(wanted) else {
            let (name, since) = match wanted {
                Wanted::Hash(name) if contest.algorithm() == Algorithm::Keccak256 => {
                    (name, "; it is there from 3.2 on")
                }
                Wanted::Hash(name) | Wanted::Stream(_, name) | Wanted::Cipher(name) | Wanted::Aead(_, name) => {
                    (name, "")
                }
                Wanted::Kem(name) => (name, "; it is there from 3.5 on"),
            };
            let why = format!("OpenSSL {} has no {}{since}", self.says.version, name.to_string_lossy());
            return roster.absent(format!("OpenSSL ({origin_name})"), why);
        };
        let how_to_use = match (wanted, contest.algorithm()) {
            (Wanted::Hash(_), _) => "EVP_MD_fetch once; EVP_DigestInit_ex, Update, Final on one context",
            (Wanted::Kem(_), _) => {
                "EVP_PKEY_generate with seed; EVP_PKEY_new_raw_public_key_ex, EVP_PKEY_encapsulate with ikme; \
                 EVP_PKEY_new_raw_private_key_ex, EVP_PKEY_decapsulate"
            }
            (_, Algorithm::Sm4) => {
                "EVP_CIPHER_fetch once; EVP_CipherInit_ex with a key or with an IV, EVP_CipherUpdate on one context"
            }
            _ => "EVP_CIPHER_fetch once; EVP_CipherInit_ex with key and IV, Update, Final on one context",
        };
        let (backend, time) = match wanted {
            Wanted::Stream(stream, _) if stream.function == c_cipher::CHACHA20.function => {
                (self.says.cpu.chacha20(), Label::ConstantTime)
            }
            Wanted::Aead("ChaCha20-Poly1305", _) => (self.says.cpu.chacha20(), Label::ConstantTime),
            _ => self.says.cpu.code(contest),
        };
        let about = About {
            name: &format!("openssl ({origin_name})"),
            library: "OpenSSL",
            version: &self.says.version,
            backend: &backend,
            labels: &[time, Label::Ffi, origin],
            how_to_use,
        };
        match found {
            Found::Hash(algorithm) => hash::enter(contest, roster, &about, &self.hash, algorithm),
            Found::Stream(stream, algorithm) => {
                cipher::enter_stream(contest, roster, &about, &self.ciphers, algorithm, stream);
            }
            Found::Cipher(algorithm) => cipher::enter(contest, roster, &about, &self.ciphers, algorithm),
            Found::Aead(function, algorithm) => {
                cipher::enter_aead(contest, function, roster, &about, &self.ciphers, algorithm);
            }
            Found::Kem(evp, name) => {
                roster.kem(contest, &about, move |_| MlKem::new(evp, name).expect("it could be made before"));
            }
        }
    }

    fn find(&'static self, wanted: Wanted) -> Option<Found> {
        Some(match wanted {
            Wanted::Hash(name) => Found::Hash(self.find_hash.find(name)?),
            Wanted::Stream(stream, name) => Found::Stream(stream, self.find_cipher.find(name)?),
            Wanted::Cipher(name) => Found::Cipher(self.find_cipher.find(name)?),
            Wanted::Aead(function, name) => Found::Aead(function, self.find_cipher.find(name)?),
            Wanted::Kem(name) => Found::Kem(self.kem.as_ref().filter(|evp| MlKem::new(evp, name).is_some())?, name),
        })
    }
}

impl Find {
    fn find(self, name: &CStr) -> Option<EvpAlgorithm> {
        // SAFETY: the name ends in NUL; null stands for the default library context and for no properties. What is
        // fetched is never freed.
        unsafe {
            EvpAlgorithm::new(match self {
                Self::Fetch(fetch) => fetch(ptr::null_mut(), name.as_ptr(), ptr::null()),
                Self::ByName(by_name) => by_name(name.as_ptr()).cast_mut(),
            })
        }
    }

    /// The first of two functions that the library has.
    ///
    /// # Safety
    /// They are a libcrypto's, of the two types.
    unsafe fn load(library: &'static Library, fetch: &str, by_name: &str) -> Result<Self, String> {
        // SAFETY: by the caller's promise.
        unsafe { symbol(library, fetch).map(Self::Fetch).or_else(|_| Ok(Self::ByName(symbol(library, by_name)?))) }
    }
}

/// What a libcrypto says of itself.
struct Says {
    version: String,
    cpu: Cpu,
}

impl Says {
    /// # Safety
    /// The function is `OpenSSL_version`.
    unsafe fn new(openssl_version: unsafe extern "C" fn(c_int) -> *const c_char) -> Self {
        const OPENSSL_VERSION: c_int = 0;
        const OPENSSL_CPU_INFO: c_int = 9;
        // SAFETY: the function takes any number and returns a static string.
        let say = |what| unsafe { text(openssl_version(what)) };
        // "OpenSSL 3.0.19 27 Jan 2026"
        let version = say(OPENSSL_VERSION).split_whitespace().nth(1).unwrap_or("unknown").to_string();
        Self { version, cpu: Cpu::new(&say(OPENSSL_CPU_INFO)) }
    }
}

/// The code that a libcrypto has for this CPU, as far as it says.
enum Cpu {
    /// It was built without assembly.
    C,
    /// The features that it goes by, from its capability vector: CPUID leaf 7, and leaf 7.1 where it looks at that.
    X86 { leaf7: u64, leaf7_1: u64 },
    /// Another CPU, in its words.
    Other(String),
}

impl Cpu {
    /// Reads `CPUINFO: OPENSSL_ia32cap=0x…:0x…`; `CPUINFO: N/A` in a build without assembly; "not available" before
    /// 3.0.
    fn new(info: &str) -> Self {
        let Some(info) = info.strip_prefix("CPUINFO: ") else { return Self::Other("unknown".to_string()) };
        if info == "N/A" {
            return Self::C;
        }
        let Some(vector) = info.strip_prefix("OPENSSL_ia32cap=") else { return Self::Other(info.to_string()) };
        // The second word is leaf 7: EBX, then ECX. The third, from 3.5 on: EDX, then EAX of leaf 7.1.
        let vector = vector.split_whitespace().next().unwrap_or("");
        let word = |at| u64::from_str_radix(vector.split(':').nth(at)?.strip_prefix("0x")?, 16).ok();
        word(1).map_or_else(
            || Self::Other(info.to_string()),
            |leaf7| Self::X86 { leaf7, leaf7_1: word(2).unwrap_or(0) >> 32 },
        )
    }

    /// What it takes in a contest, and whether that is constant-time.
    fn code(&self, contest: &Contest) -> (String, Label) {
        match contest.algorithm() {
            Algorithm::Sm3 => (self.sm("SM3-NI", 1, "C"), Label::ConstantTime),
            Algorithm::Sm4 => {
                let code = self.sm("SM4-NI", 2, "C, table look-ups");
                // Its manual warns of table look-ups wherever no instructions do the work.
                let time = if code.contains("SM4-NI") { Label::ConstantTime } else { Label::NotConstantTime };
                (code, time)
            }
            _ if contest.algorithm().params().is_some() => {
                (format!("C, its Keccak: {}", self.assembly()), Label::ConstantTime)
            }
            _ => (self.assembly(), Label::ConstantTime),
        }
    }

    /// There is one assembly of Keccak for x86-64, whatever the capabilities.
    fn assembly(&self) -> String {
        match self {
            Self::C => "C".to_string(),
            Self::X86 { .. } => "x86-64 assembly".to_string(),
            Self::Other(info) => info.clone(),
        }
    }

    /// Its ChaCha20 and Poly1305 go by these features of the vector.
    fn chacha20(&self) -> String {
        let Self::X86 { leaf7, .. } = self else { return self.assembly() };
        const ASKED_FOR: &[(u32, &str)] = &[(5, "avx2"), (16, "avx512f"), (31, "avx512vl"), (21, "avx512ifma")];
        let seen: Vec<&str> =
            ASKED_FOR.iter().filter(|(bit, _)| leaf7 >> bit & 1 == 1).map(|(_, name)| *name).collect();
        if seen.is_empty() { self.assembly() } else { format!("{}, having seen {}", self.assembly(), seen.join(", ")) }
    }

    /// Its SM3 and SM4 on x86-64: there is code for a CPU with AVX2 and with instructions for them, of which a bit of
    /// leaf 7.1 tells; `else_c` is for any other.
    fn sm(&self, instructions: &str, bit: u32, else_c: &str) -> String {
        match self {
            Self::X86 { leaf7, leaf7_1 } if leaf7 >> 5 & leaf7_1 >> bit & 1 == 1 => {
                format!("x86-64 assembly ({instructions})")
            }
            Self::X86 { .. } | Self::C => else_c.to_string(),
            Self::Other(info) => info.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_it_says_of_the_cpu() {
        let sm4 = |info| Cpu::new(info).sm("SM4-NI", 2, "C");
        // With AVX2, and with EAX of leaf 7.1 in the upper half of the third word.
        assert_eq!(sm4("CPUINFO: OPENSSL_ia32cap=0x1:0x20:0x400000000:0x0:0x0"), "x86-64 assembly (SM4-NI)");
        assert_eq!(sm4("CPUINFO: OPENSSL_ia32cap=0x1:0x20:0x200000000:0x0:0x0 env:0x1"), "C");
        assert_eq!(sm4("CPUINFO: OPENSSL_ia32cap=0x1:0x0:0x400000000:0x0:0x0"), "C");
        assert_eq!(sm4("CPUINFO: OPENSSL_ia32cap=0x1:0x20"), "C", "before 3.5");
        assert_eq!(sm4("CPUINFO: N/A"), "C");
        assert_eq!(sm4("CPUINFO: OPENSSL_armcap=0xbd"), "OPENSSL_armcap=0xbd");
        assert_eq!(sm4("not available"), "unknown");
        assert_eq!(Cpu::new("CPUINFO: OPENSSL_ia32cap=0x1:0x20").chacha20(), "x86-64 assembly, having seen avx2");
    }
}
