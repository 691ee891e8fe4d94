//! A GPU as users see it.

use crate::Error;
use crate::device::{Device, DeviceBytes, check_length};
use crate::hash::{self, Hash};
use crate::ml_kem::{self, Lengths, ParameterSet};
use crate::rows::{self, Parts, RowFunction};
use std::fmt;

/// A GPU, with the kernels that have been compiled for it.
///
/// A kernel is compiled when it is first used, so a `Gpu` should be kept. It can be shared between threads; their calls
/// take turns.
pub struct Gpu {
    device: Device,
    hashes: hash::Kernels,
    kems: ml_kem::AllKernels,
    parts: Parts,
}

impl Gpu {
    /// Opens the first discrete GPU, or another one where there is none; not a driver that computes on the CPU.
    ///
    /// # Errors
    /// There is no GPU, or its driver fails.
    pub fn open() -> Result<Self, Error> {
        let rank = |info: &wgpu::AdapterInfo| match info.device_type {
            wgpu::DeviceType::DiscreteGpu => Some(0),
            wgpu::DeviceType::VirtualGpu => Some(1),
            wgpu::DeviceType::IntegratedGpu => Some(2),
            wgpu::DeviceType::Cpu | wgpu::DeviceType::Other => None,
        };
        Self::open_ranked(rank)
    }

    /// Opens a driver that computes on the CPU, such as Mesa's lavapipe: for tests, where there is no GPU.
    ///
    /// # Errors
    /// There is no such driver, or it fails.
    pub fn open_software() -> Result<Self, Error> {
        Self::open_ranked(|info| (info.device_type == wgpu::DeviceType::Cpu).then_some(0))
    }

    /// Opens the first GPU or driver whose [`name`](Self::name) contains `name`.
    ///
    /// # Errors
    /// There is none of this name, or its driver fails.
    pub fn open_named(name: &str) -> Result<Self, Error> {
        Self::open_ranked(|info| info.name.contains(name).then_some(0))
    }

    fn open_ranked(rank: impl Fn(&wgpu::AdapterInfo) -> Option<u32>) -> Result<Self, Error> {
        let device = Device::open(rank)?;
        Ok(Self { device, hashes: Default::default(), kems: Default::default(), parts: Default::default() })
    }

    /// The device's name, as its driver gives it.
    pub fn name(&self) -> &str {
        &self.device.info.name
    }

    /// Whether the driver computes on the CPU.
    pub fn is_software(&self) -> bool {
        self.device.is_software()
    }

    /// The driver's name and version.
    pub fn driver(&self) -> String {
        format!("{} {}", self.device.info.driver, self.device.info.driver_info)
    }

    /// Memory on the device, all zeros.
    ///
    /// # Errors
    /// The device has no buffers as large, or not enough memory.
    pub fn allocate(&self, length: usize) -> Result<DeviceBytes, Error> {
        self.device.allocate(length)
    }

    /// Copies bytes to new memory on the device.
    ///
    /// # Errors
    /// Those of [`allocate`](Self::allocate).
    pub fn upload(&self, bytes: &[u8]) -> Result<DeviceBytes, Error> {
        self.device.upload(bytes)
    }

    /// Copies all bytes from the device, after all that was begun before.
    ///
    /// # Errors
    /// `bytes` has another length, or the device fails.
    pub fn download(&self, memory: &DeviceBytes, bytes: &mut [u8]) -> Result<(), Error> {
        self.device.download(memory, bytes)
    }

    /// Waits until the device has done all that was begun.
    ///
    /// # Errors
    /// The device fails.
    pub fn wait(&self) -> Result<(), Error> {
        self.device.wait()
    }

    /// Hashes `count` messages of one length, which lie one after the other in `messages`, and writes their digests one
    /// after the other to `outputs`, 32 bytes each. Messages and digests cross to the device and back in parts, which
    /// are hashed meanwhile.
    ///
    /// # Errors
    /// The length of `messages` must be a multiple of `count`, that of `outputs` 32 times `count`; else `outputs` is
    /// unchanged. If the device fails, it is zeros or unchanged.
    pub fn hash_fixed(&self, hash: Hash, messages: &[u8], count: usize, outputs: &mut [u8]) -> Result<(), Error> {
        outside_of_pools(|| {
            let function = self.hashes.rows(&self.device, hash, count, messages.len(), outputs.len())?;
            self.parts.run(&self.device, &function, count, &[messages], &mut [outputs])
        })
    }

    /// [`hash_fixed`](Self::hash_fixed) of messages that are on the device, to outputs that stay there. It returns when
    /// the work has begun; [`wait`](Self::wait) waits for it.
    ///
    /// # Errors
    /// Those of [`hash_fixed`](Self::hash_fixed).
    pub fn hash_fixed_on_device(
        &self,
        hash: Hash,
        messages: &DeviceBytes,
        count: usize,
        outputs: &mut DeviceBytes,
    ) -> Result<(), Error> {
        let function = self.hashes.rows(&self.device, hash, count, messages.len(), outputs.len())?;
        let [messages, outputs] = [messages, &*outputs].map(|memory| self.device.section(memory));
        rows::begin_on_device(&self.device, &function, count, &[messages], &[outputs])
    }

    /// Encapsulates to key `i` of `keys` with the randomness `messages[i]`, and writes ciphertext `i` and `secrets[i]`:
    /// ML-KEM.Encaps_internal (FIPS 203, Algorithm 17), after the check of the key (section 7.2). Keys and ciphertexts
    /// lie one after the other. Messages must be random, secret and used once. Copies of them and of the secrets, in
    /// the memory of the device and of its driver, are erased before the call returns, with an error as well; if the
    /// device is lost they cannot be.
    ///
    /// # Errors
    /// Each slice must have the length that follows from the number of messages, and the device enough memory; else
    /// outputs are unchanged. If a key is not valid, ciphertexts and secrets are zeros; if the device fails, they are
    /// zeros or unchanged.
    pub fn encapsulate_many(
        &self,
        set: ParameterSet,
        keys: &[u8],
        messages: &[[u8; 32]],
        ciphertexts: &mut [u8],
        secrets: &mut [[u8; 32]],
    ) -> Result<(), Error> {
        let count = messages.len();
        let secrets = secrets.as_flattened_mut();
        let lengths = Lengths { keys: keys.len(), ciphertexts: ciphertexts.len(), secrets: secrets.len() };
        outside_of_pools(|| {
            let function = self.kems.encapsulate(&self.device, set, count, &lengths)?;
            let inputs = [keys, messages.as_flattened()];
            let result = self.parts.run(&self.device, &function, count, &inputs, &mut [ciphertexts, secrets]);
            function.end(result)
        })
    }

    /// [`encapsulate_many`](Self::encapsulate_many) with memory of the device: 32 bytes for each message and each
    /// secret. It returns when the work is done. The caller's messages and secrets are not erased.
    ///
    /// # Errors
    /// Those of [`encapsulate_many`](Self::encapsulate_many).
    pub fn encapsulate_on_device(
        &self,
        set: ParameterSet,
        keys: &DeviceBytes,
        messages: &DeviceBytes,
        ciphertexts: &mut DeviceBytes,
        secrets: &mut DeviceBytes,
    ) -> Result<(), Error> {
        let count = messages.len() / ParameterSet::SECRET_SIZE;
        check_length("messages", count * ParameterSet::SECRET_SIZE, messages.len())?;
        let lengths = Lengths { keys: keys.len(), ciphertexts: ciphertexts.len(), secrets: secrets.len() };
        let function = self.kems.encapsulate(&self.device, set, count, &lengths)?;
        let inputs = [keys, messages].map(|memory| self.device.section(memory));
        let outputs = [&*ciphertexts, &*secrets].map(|memory| self.device.section(memory));
        if count == 0 {
            return Ok(());
        }
        let result = rows::begin_on_device(&self.device, &function, count, &inputs, &outputs)
            .and_then(|()| function.check(&self.device));
        let result = function.end(result);
        if result.is_err() {
            self.device.clear(&[&ciphertexts.buffer, &secrets.buffer])?;
        }
        result
    }
}

impl fmt::Debug for Gpu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Gpu").field("name", &self.device.info.name).finish_non_exhaustive()
    }
}

/// Calls a function on a thread that no pool of rayon has. One of a pool that waits for its copies steals a task
/// meanwhile, which may want the lock that the call holds.
fn outside_of_pools<T: Send>(call: impl FnOnce() -> T + Send) -> T {
    if rayon::current_thread_index().is_none() {
        return call();
    }
    std::thread::scope(|scope| scope.spawn(call).join()).unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}
