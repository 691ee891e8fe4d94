//! Memory that the host writes and the device copies from.

use crate::Error;
use crate::gpu::Gpu;
use crate::rows::copy_in;
use std::ops::Range;
use wgpu::BufferUsages;

/// A buffer for bytes on their way to the device.
pub(crate) struct Upload {
    pub(crate) buffer: wgpu::Buffer,
    /// The buffer's bytes, where it was made without wgpu. Otherwise wgpu maps it.
    host: Option<Host>,
}

impl Upload {
    pub(crate) fn new(gpu: &Gpu, size: u64) -> Result<Self, Error> {
        if let Some((buffer, host)) = host_buffer(gpu, size) {
            return Ok(Self { buffer, host: Some(host) });
        }
        let upload = Self { buffer: gpu.buffer(size, BufferUsages::MAP_WRITE | BufferUsages::COPY_SRC)?, host: None };
        upload.submitted();
        gpu.wait()?;
        Ok(upload)
    }

    /// Writes bytes, each slice to its range. What was submitted before must be done.
    pub(crate) fn write<'a>(&mut self, parts: impl Iterator<Item = (Range<usize>, &'a [u8])>) -> Result<(), Error> {
        if let Some(host) = &mut self.host {
            parts.for_each(|(range, bytes)| host.write(range, bytes));
            return Ok(());
        }
        let mut view = self.buffer.get_mapped_range_mut(..).map_err(|error| Error::Device(error.to_string()))?;
        parts.for_each(|(range, bytes)| copy_in(view.slice(range), bytes));
        drop(view);
        self.buffer.unmap();
        Ok(())
    }

    /// Whatever copies from the buffer has been submitted.
    pub(crate) fn submitted(&self) {
        if self.host.is_none() {
            self.buffer.map_async(wgpu::MapMode::Write, .., |_| {});
        }
    }
}

#[cfg(not(target_vendor = "apple"))]
use vulkan::{Host, host_buffer};

/// A buffer in the host's own memory.
///
/// wgpu puts buffers that are mapped for writing into the device's memory where the host can see all of that. Then each
/// byte crosses the bus as the host's threads store it: at 27 GB/s on an H200, where its copy engine takes 50 from the
/// host's memory.
#[cfg(not(target_vendor = "apple"))]
mod vulkan {
    use crate::gpu::Gpu;
    use ash::vk;
    use std::ops::Range;
    use std::ptr::NonNull;
    use std::slice;
    use wgpu::hal::{api::Vulkan, vulkan};

    /// The bytes of a buffer.
    pub(super) struct Host {
        start: NonNull<u8>,
        size: usize,
    }

    // SAFETY: it owns its bytes.
    unsafe impl Send for Host {}

    impl Host {
        pub(super) fn write(&mut self, range: Range<usize>, bytes: &[u8]) {
            // SAFETY: the memory stays mapped as long as the buffer lives, beside which this lies. Its caller has
            // waited for the device.
            let memory = unsafe { slice::from_raw_parts_mut(self.start.as_ptr(), self.size) };
            crate::rows::copy(&mut memory[range], bytes);
        }
    }

    /// A buffer in cached memory of the host, if the device is driven through Vulkan and has such memory.
    pub(super) fn host_buffer(gpu: &Gpu, size: u64) -> Option<(wgpu::Buffer, Host)> {
        let size = size.next_multiple_of(4).max(4);
        // SAFETY: the device's handles are used as Vulkan demands: one buffer is made and bound to memory of its own,
        // of a type that it allows, and given to wgpu, which frees both; nothing is left where a step fails.
        unsafe {
            let hal = gpu.device.as_hal::<Vulkan>()?;
            let device = hal.raw_device();
            let instance = hal.shared_instance().raw_instance();
            let properties = instance.get_physical_device_memory_properties(hal.raw_physical_device());
            let usage = vk::BufferUsageFlags::TRANSFER_SRC;
            let buffer = device.create_buffer(&vk::BufferCreateInfo::default().size(size).usage(usage), None).ok()?;
            let requirements = device.get_buffer_memory_requirements(buffer);
            let wanted = vk::MemoryPropertyFlags::HOST_VISIBLE
                | vk::MemoryPropertyFlags::HOST_COHERENT
                | vk::MemoryPropertyFlags::HOST_CACHED;
            let is_right = |&(i, memory): &(usize, &vk::MemoryType)| {
                let is_host = !memory.property_flags.contains(vk::MemoryPropertyFlags::DEVICE_LOCAL);
                requirements.memory_type_bits >> i & 1 == 1
                    && memory.property_flags.contains(wanted)
                    && (is_host || gpu.is_software())
            };
            let types = properties.memory_types_as_slice().iter().enumerate();
            let memory = { types }.find(is_right).and_then(|(i, _)| {
                let allocation = vk::MemoryAllocateInfo::default().allocation_size(requirements.size);
                device.allocate_memory(&allocation.memory_type_index(i as u32), None).ok()
            });
            let Some(memory) = memory else {
                device.destroy_buffer(buffer, None);
                return None;
            };
            let start = device
                .bind_buffer_memory(buffer, memory, 0)
                .and_then(|()| device.map_memory(memory, 0, vk::WHOLE_SIZE, vk::MemoryMapFlags::empty()));
            let Some(start) = start.ok().and_then(|start| NonNull::new(start.cast())) else {
                device.destroy_buffer(buffer, None);
                device.free_memory(memory, None);
                return None;
            };
            let buffer = vulkan::Buffer::from_raw_managed(buffer, memory, 0, size);
            let usage = wgpu::BufferUsages::COPY_SRC;
            let descriptor = wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false };
            let buffer = gpu.device.create_buffer_from_hal::<Vulkan>(buffer, &descriptor);
            Some((buffer, Host { start, size: size as usize }))
        }
    }
}

/// Where there is no Vulkan, wgpu maps all buffers.
#[cfg(target_vendor = "apple")]
enum Host {}

#[cfg(target_vendor = "apple")]
impl Host {
    fn write(&mut self, _range: Range<usize>, _bytes: &[u8]) {
        match *self {}
    }
}

#[cfg(target_vendor = "apple")]
fn host_buffer(_gpu: &Gpu, _size: u64) -> Option<(wgpu::Buffer, Host)> {
    None
}
