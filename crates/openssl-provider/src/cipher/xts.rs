//! XTS: every call is a data unit.

use super::Mode;
use crate::border::{Checked, Data, Failure, Output};
use crate::params::Param;
use fairlane::dynamic::{BlockMode, BlockModeAlgorithm};
use zeroize::Zeroizing;

#[derive(Clone)]
pub(super) struct Xts {
    algorithm: BlockModeAlgorithm,
    key: Option<Zeroizing<Vec<u8>>>,
    mode: Option<Box<dyn BlockMode>>,
    encrypting: bool,
    iv: Vec<u8>,
}

impl Xts {
    pub(super) fn new(algorithm: BlockModeAlgorithm) -> Self {
        Self { algorithm, key: None, mode: None, encrypting: true, iv: Vec::new() }
    }
}

impl Mode for Xts {
    fn turn(&mut self, encrypting: bool) {
        self.encrypting = encrypting;
    }

    fn begin(&mut self, key: Option<&[u8]>, iv: Option<&[u8]>) -> Checked<()> {
        if let Some(key) = key {
            self.mode = Some(self.algorithm.mode(key, None)?);
            self.key = Some(Zeroizing::new(key.to_vec()));
        }
        if let Some(iv) = iv {
            self.iv = iv.to_vec();
        }
        Ok(())
    }

    fn update(&mut self, data: Data<'_>) -> Checked<usize> {
        let (mode, iv, length) = (self.mode.as_deref().ok_or(Failure::NoKey)?, self.iv.as_slice(), data.len());
        if iv.is_empty() {
            return Err(Failure::NoIv);
        }
        let encrypting = self.encrypting;
        data.transform(
            length,
            |data| if encrypting { mode.encrypt_in_place(iv, data) } else { mode.decrypt_in_place(iv, data) },
            |input, output| if encrypting { mode.encrypt(iv, input, output) } else { mode.decrypt(iv, input, output) },
        )?;
        Ok(length)
    }

    fn finish(&mut self, _: Output<'_>) -> Checked<usize> {
        Ok(0)
    }

    fn iv_size(&self) -> usize {
        self.algorithm.iv_size()
    }

    fn iv(&self, _: bool) -> Checked<Vec<u8>> {
        Ok(self.iv.clone())
    }

    fn get(&self, param: &mut Param) -> Checked<()> {
        if matches!(param.name(), b"padding" | b"num") { param.put_number(0) } else { Ok(()) }
    }

    fn set(&mut self, param: &Param) -> Checked<()> {
        let is_sm4 = matches!(self.algorithm, BlockModeAlgorithm::Sm4Xts | BlockModeAlgorithm::Sm4XtsGb);
        if param.name() == b"xts_standard" && is_sm4 {
            self.algorithm = match param.get_text()? {
                name if name.eq_ignore_ascii_case(b"GB") => BlockModeAlgorithm::Sm4XtsGb,
                name if name.eq_ignore_ascii_case(b"IEEE") => BlockModeAlgorithm::Sm4Xts,
                _ => return Err(Failure::WrongParameter),
            };
            if let Some(key) = &self.key {
                self.mode = Some(self.algorithm.mode(key, None)?);
            }
        }
        Ok(())
    }

    fn duplicate(&self) -> Box<dyn Mode> {
        Box::new(self.clone())
    }
}
