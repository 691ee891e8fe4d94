//! What a contest is called: `keccak256/message` is the job `message` of the algorithm `keccak256`.

use fairlane_reference::kalyna::Variant;
use fairlane_reference::kem::Params;
use std::fmt;
use std::str::FromStr;

/// Names a contest: `keccak256/message`, unique and stable, for run files and the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContestId {
    /// What is computed.
    pub algorithm: Algorithm,
    /// What is done with it.
    pub job: Job,
}

impl ContestId {
    /// The contest of a job of an algorithm.
    pub const fn new(algorithm: Algorithm, job: Job) -> Self {
        Self { algorithm, job }
    }
}

/// Prints `keccak256/message`.
impl fmt::Display for ContestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.algorithm, self.job)
    }
}

/// Takes what [`Display`](fmt::Display) prints. An algorithm or job that is not of this laboratory is an error.
impl FromStr for ContestId {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (algorithm, job) = text.split_once('/').ok_or_else(|| format!("'{text}' is not ALGORITHM/JOB"))?;
        Ok(Self { algorithm: algorithm.parse()?, job: job.parse()? })
    }
}

/// What a contest computes, or, where several algorithms do one job, the suite of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// Keccak-256 with the original padding.
    Keccak256,
    /// SHA3-256.
    Sha3_256,
    /// SHAKE128.
    Shake128,
    /// KT128.
    Kt128,
    /// KT256.
    Kt256,
    /// `ParallelHash128`.
    ParallelHash128,
    /// SM3.
    Sm3,
    /// Any of the ARX ciphers.
    Arx,
    /// Kusumi-512.
    Kusumi512,
    /// Threefish-512.
    Threefish512,
    /// ChaCha20.
    ChaCha20,
    /// ChaCha20-Poly1305.
    ChaCha20Poly1305,
    /// XChaCha20-Poly1305.
    XChaCha20Poly1305,
    /// Kusumi512-Poly1305.
    Kusumi512Poly1305,
    /// SM4.
    Sm4,
    /// Kalyna with a size of block and key.
    Kalyna(Variant),
    /// A parameter set of ML-KEM or of CLWE-KEM.
    Kem(Params),
    /// An algorithm of somebody else's contest.
    Custom(&'static str),
}

impl Algorithm {
    /// The size of block and key, if it is Kalyna.
    pub const fn variant(self) -> Option<Variant> {
        match self {
            Self::Kalyna(variant) => Some(variant),
            _ => None,
        }
    }

    /// The parameter set, if it is a KEM.
    pub const fn params(self) -> Option<Params> {
        match self {
            Self::Kem(params) => Some(params),
            _ => None,
        }
    }

    /// The parameter set, if it is ML-KEM.
    pub fn ml_kem(self) -> Option<Params> {
        match self {
            Self::Kem(params @ (Params::ML_KEM_512 | Params::ML_KEM_768 | Params::ML_KEM_1024)) => Some(params),
            _ => None,
        }
    }

    /// All but the custom ones.
    fn all() -> impl Iterator<Item = Self> {
        use Algorithm::{
            Arx, ChaCha20, ChaCha20Poly1305, Keccak256, Kt128, Kt256, Kusumi512, Kusumi512Poly1305, ParallelHash128,
            Sha3_256, Shake128, Sm3, Sm4, Threefish512, XChaCha20Poly1305,
        };
        let symmetric = [
            Keccak256,
            Sha3_256,
            Shake128,
            Kt128,
            Kt256,
            ParallelHash128,
            Sm3,
            Arx,
            Kusumi512,
            Threefish512,
            ChaCha20,
            ChaCha20Poly1305,
            XChaCha20Poly1305,
            Kusumi512Poly1305,
            Sm4,
        ];
        let kalyna = Variant::ALL.into_iter().map(Self::Kalyna);
        symmetric.into_iter().chain(kalyna).chain(Params::ALL.into_iter().map(Self::Kem))
    }
}

/// Prints `sha3-256`, `kalyna-256-512`, `ml-kem-768`.
impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Keccak256 => "keccak256",
            Self::Sha3_256 => "sha3-256",
            Self::Shake128 => "shake128",
            Self::Kt128 => "kt128",
            Self::Kt256 => "kt256",
            Self::ParallelHash128 => "parallel-hash128",
            Self::Sm3 => "sm3",
            Self::Arx => "arx",
            Self::Kusumi512 => "kusumi512",
            Self::Threefish512 => "threefish512",
            Self::ChaCha20 => "chacha20",
            Self::ChaCha20Poly1305 => "chacha20-poly1305",
            Self::XChaCha20Poly1305 => "xchacha20-poly1305",
            Self::Kusumi512Poly1305 => "kusumi512-poly1305",
            Self::Sm4 => "sm4",
            Self::Kalyna(variant) => {
                return write!(f, "kalyna-{}-{}", 8 * variant.block_len(), 8 * variant.key_len());
            }
            Self::Kem(params) => return f.write_str(&params.name().to_lowercase()),
            Self::Custom(name) => name,
        })
    }
}

impl FromStr for Algorithm {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::all().find(|algorithm| algorithm.to_string() == text);
        found.ok_or_else(|| format!("no algorithm is called '{text}'"))
    }
}

/// Declares the jobs with their names.
macro_rules! jobs {
    ($($(#[$doc:meta])* $job:ident $name:literal,)*) => {
        /// What a contest does with its algorithm. The contest's `about` says what is timed and what is not.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Job {
            $($(#[$doc])* $job,)*
            /// A job of somebody else's contest.
            Custom(&'static str),
        }

        impl Job {
            /// Every job but the custom ones.
            pub const ALL: &[Self] = &[$(Self::$job,)*];

            /// The part of a contest's id behind the slash.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$job => $name,)*
                    Self::Custom(name) => name,
                }
            }
        }
    };
}

jobs! {
    /// Hash one message.
    Message "message",
    /// Hash many messages.
    Batch "batch",
    /// Encrypt one message or many blocks to another buffer.
    Encrypt "encrypt",
    /// Encrypt one message where it lies.
    EncryptInPlace "encrypt-in-place",
    /// Encrypt from a reader to a writer.
    EncryptStream "encrypt-stream",
    /// Decrypt many blocks.
    Decrypt "decrypt",
    /// Encrypt one block.
    Block "block",
    /// Expand a key.
    KeySchedule "key-schedule",
    /// Encrypt and authenticate one message.
    Seal "seal",
    /// Check and decrypt one message.
    Open "open",
    /// Encrypt many blocks under one key.
    EcbEncrypt "ecb-encrypt",
    /// Decrypt many blocks under one key.
    EcbDecrypt "ecb-decrypt",
    /// CBC encryption of one message.
    CbcEncrypt "cbc-encrypt",
    /// CBC decryption of one message.
    CbcDecrypt "cbc-decrypt",
    /// CBC encryption of many messages, each under its own key.
    CbcEncryptMany "cbc-encrypt-many",
    /// Counter mode.
    Ctr "ctr",
    /// XTS encryption of one data unit.
    Xts "xts",
    /// GCM, sealing one message with the key schedule done before.
    GcmSeal "gcm-seal",
    /// GCM, opening one message with the key schedule done before.
    GcmOpen "gcm-open",
    /// Encrypt one block, of a contest that has its inverse beside it.
    BlockEncrypt "block-encrypt",
    /// Decrypt one block.
    BlockDecrypt "block-decrypt",
    /// Generate a key pair.
    Keygen "keygen",
    /// Encapsulate to a key given as bytes.
    Encaps "encaps",
    /// Decapsulate with a key given as bytes.
    Decaps "decaps",
    /// Encapsulate to a key that was prepared before.
    EncapsPrepared "encaps-prepared",
    /// Decapsulate with a key that was prepared before.
    DecapsPrepared "decaps-prepared",
    /// Key generation, encapsulation and decapsulation of one exchange.
    Exchange "exchange",
    /// Generate many key pairs.
    BatchKeygen "batch-keygen",
    /// Encapsulate to many keys given as bytes.
    BatchEncaps "batch-encaps",
    /// Decapsulate with many keys that were prepared before.
    BatchDecaps "batch-decaps",
}

impl Job {
    /// Whether it runs a block cipher or its mode backwards.
    pub const fn is_decryption(self) -> bool {
        matches!(self, Self::Decrypt | Self::EcbDecrypt | Self::CbcDecrypt | Self::BlockDecrypt)
    }

    /// Whether it opens what an AEAD sealed.
    pub const fn is_opening(self) -> bool {
        matches!(self, Self::Open | Self::GcmOpen)
    }

    /// Whether it uses one key of a KEM that was prepared before.
    pub const fn is_prepared(self) -> bool {
        matches!(self, Self::EncapsPrepared | Self::DecapsPrepared)
    }

    /// Whether it decapsulates, and does nothing else of a KEM.
    pub const fn is_decapsulation(self) -> bool {
        matches!(self, Self::Decaps | Self::DecapsPrepared | Self::BatchDecaps)
    }

    /// The job that does the same with one message or key, if this one does it with many.
    pub const fn of_one(self) -> Option<Self> {
        Some(match self {
            Self::Batch => Self::Message,
            Self::CbcEncryptMany => Self::CbcEncrypt,
            Self::BatchKeygen => Self::Keygen,
            Self::BatchEncaps => Self::Encaps,
            // In both the library keeps the key as suits it.
            Self::BatchDecaps => Self::DecapsPrepared,
            _ => return None,
        })
    }
}

impl fmt::Display for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Job {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.iter().copied().find(|job| job.name() == text);
        found.ok_or_else(|| format!("no job is called '{text}'"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_come_back_from_their_text() {
        for algorithm in Algorithm::all() {
            for &job in Job::ALL {
                let id = ContestId::new(algorithm, job);
                assert_eq!(id.to_string().parse(), Ok(id));
            }
        }
        for wrong in ["", "keccak256", "keccak256/", "keccak256/message/", "KECCAK256/message", "md6/message"] {
            assert!(wrong.parse::<ContestId>().is_err(), "{wrong}");
        }
    }
}
