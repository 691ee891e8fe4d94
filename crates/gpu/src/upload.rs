//! Memory that the host writes and from which the device copies.
//!
//! Buffers that the host writes lie, in wgpu, in the device's memory where the host can reach that. Then the host's
//! cores send each byte over the bus, at 30 GB/s in the machine with an NVIDIA H200 that we measured. The device itself
//! fetched 52 GB/s from memory of the host. There wgpu keeps only what the host reads, so for inputs that are worth it
//! we ask Vulkan for memory of that kind, and write it through a pointer.

use crate::Error;
use crate::device::Device;
use std::ptr::NonNull;
use wgpu::{BufferUsages, WriteOnly};

/// A buffer that the host writes.
pub(crate) struct Upload {
    pub(crate) buffer: wgpu::Buffer,
    /// Where the host can always write; else the buffer is mapped for that, from call to call.
    memory: Option<HostMemory>,
}

/// The bytes of a buffer, in the host's memory.
struct HostMemory(NonNull<u8>);

// SAFETY: it is memory, which no thread owns.
unsafe impl Send for HostMemory {}

impl Upload {
    /// So many bytes, in the host's memory if that is wished and there is a way.
    pub(crate) fn new(device: &Device, size: u64, in_host_memory: bool) -> Result<Self, Error> {
        if in_host_memory && let Some(upload) = Self::in_host_memory(device, size) {
            return Ok(upload);
        }
        let buffer = device.buffer(size, BufferUsages::MAP_WRITE | BufferUsages::COPY_SRC)?;
        let upload = Self { buffer, memory: None };
        upload.take_back();
        device.wait()?;
        Ok(upload)
    }

    #[cfg(not(any(windows, target_os = "linux", target_os = "android", target_os = "freebsd")))]
    fn in_host_memory(_device: &Device, _size: u64) -> Option<Self> {
        None
    }

    /// Memory of the kind that the host reads, if the device is one of Vulkan and has it.
    #[cfg(any(windows, target_os = "linux", target_os = "android", target_os = "freebsd"))]
    fn in_host_memory(device: &Device, size: u64) -> Option<Self> {
        use wgpu::BufferUses;
        use wgpu::hal::{self, Device as _, api::Vulkan};
        let descriptor = hal::BufferDescriptor {
            label: None,
            size,
            usage: BufferUses::MAP_READ | BufferUses::COPY_SRC,
            memory_flags: hal::MemoryFlags::empty(),
        };
        // SAFETY: the buffer belongs to this device and is made as described. All of it is mapped and is written
        // before wgpu learns of it; nothing unmaps it before wgpu destroys it.
        unsafe {
            let hal_device = device.device.as_hal::<Vulkan>()?;
            let buffer = hal_device.create_buffer(&descriptor).ok()?;
            let Ok(hal::BufferMapping { ptr, is_coherent: true }) = hal_device.map_buffer(&buffer, 0..size) else {
                hal_device.destroy_buffer(buffer);
                return None;
            };
            drop(hal_device);
            ptr.write_bytes(0, size as usize);
            let usage = BufferUsages::COPY_SRC;
            let descriptor = wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false };
            let buffer = device.device.create_buffer_from_hal::<Vulkan>(buffer, &descriptor);
            Some(Self { buffer, memory: Some(HostMemory(ptr)) })
        }
    }

    /// Calls `write` with the buffer's bytes.
    ///
    /// # Safety
    /// It must be the device's buffer, and the device must have done all copies from it. No other call may be under
    /// way.
    pub(crate) unsafe fn write<R>(
        &self,
        device: &Device,
        write: impl FnOnce(WriteOnly<'_, [u8]>) -> R,
    ) -> Result<R, Error> {
        // wgpu destroys the buffers of a device that is lost.
        device.check_usable()?;
        if let Some(HostMemory(pointer)) = &self.memory {
            // SAFETY: these are the buffer's bytes, which were set to zero first. The device uses them no more, and
            // nobody else the pointer, as the caller promises.
            let bytes = unsafe { std::slice::from_raw_parts_mut(pointer.as_ptr(), self.buffer.size() as usize) };
            return Ok(write(bytes.into()));
        }
        let mut view = self.buffer.get_mapped_range_mut(..).map_err(|error| Error::Device(error.to_string()))?;
        Ok(write(view.slice(..)))
    }

    /// Before commands that copy from it are submitted.
    pub(crate) fn give_away(&self) {
        if self.memory.is_none() {
            self.buffer.unmap();
        }
    }

    /// After they were submitted: the host can write when they are done.
    pub(crate) fn take_back(&self) {
        if self.memory.is_none() {
            self.buffer.map_async(wgpu::MapMode::Write, .., |_| {});
        }
    }
}
