//! Large batches of hashes and of ML-KEM encapsulations on a GPU.
//!
//! ```no_run
//! use fairlane_gpu::{Gpu, Hash};
//!
//! let gpu = Gpu::open()?;
//! let rows = vec![[7; 100]; 1 << 20];
//! let mut digests = vec![[0; 32]; rows.len()];
//! gpu.hash_fixed(Hash::Keccak256, rows.as_flattened(), rows.len(), digests.as_flattened_mut())?;
//! # Ok::<(), fairlane_gpu::Error>(())
//! ```
//!
//! Kernels are written in WGSL and run through [`wgpu`]: on Vulkan, Metal or Direct3D 12, without any vendor's toolkit.
//!
//! - [`Gpu::hash_fixed`] and [`Gpu::encapsulate_many`] take bytes in host memory and give bytes in host memory.
//! - [`Gpu::hash_fixed_on_device`] and [`Gpu::encapsulate_on_device`] work on [`DeviceBytes`], which stay on the device
//!   from one call to the next.
//!
//! A GPU is for batches of tens of thousands. The crate's README says from which size on it was faster than a CPU.
//!
//! # Side channels
//! No branch and no address of a kernel depends on a secret: what ML-KEM's rejection sampling takes from ρ is public.
//! How the compilers of drivers translate kernels, and what other programs on the same device can observe, is unknown.

mod device;
mod error;
mod gpu;
mod hash;
mod ml_kem;
mod rows;
mod unrolled;
mod upload;

/// The examples of README.md.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub use device::DeviceBytes;
pub use error::Error;
pub use gpu::Gpu;
pub use hash::Hash;
pub use ml_kem::ParameterSet;
