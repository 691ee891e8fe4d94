//! The device: opening it, its memory, and the dispatch of kernels.

use crate::{Error, unrolled};
use std::time::{Duration, Instant};
use wgpu::util::DeviceExt;

/// A device of wgpu, its queue, and a buffer that several kernels read.
pub(crate) struct Device {
    pub(crate) device: wgpu::Device,
    pub(crate) queue: wgpu::Queue,
    pub(crate) info: wgpu::AdapterInfo,
    round_constants: wgpu::Buffer,
}

/// Memory of a [`Gpu`](crate::Gpu), for batches that stay on the device. Given to another one, it makes the call panic.
#[derive(Debug)]
pub struct DeviceBytes {
    pub(crate) buffer: wgpu::Buffer,
    length: usize,
}

impl DeviceBytes {
    /// How many bytes there are.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// All bytes.
    pub(crate) fn section(&self) -> Section<'_> {
        Section { buffer: &self.buffer, offset: 0, length: self.length as u64 }
    }
}

/// A part of a buffer that a kernel works on.
#[derive(Clone, Copy)]
pub(crate) struct Section<'a> {
    pub(crate) buffer: &'a wgpu::Buffer,
    pub(crate) offset: u64,
    pub(crate) length: u64,
}

impl<'a> Section<'a> {
    /// Rows `first..first + count`, each of `size` bytes.
    pub(crate) fn rows(self, size: usize, first: usize, count: usize) -> Self {
        Section { offset: self.offset + (first * size) as u64, length: (count * size) as u64, ..self }
    }

    fn binding(self) -> wgpu::BindingResource<'a> {
        // Kernels read whole words.
        let size = wgpu::BufferSize::new(self.length.next_multiple_of(4).max(4));
        wgpu::BindingResource::Buffer(wgpu::BufferBinding { buffer: self.buffer, offset: self.offset, size })
    }
}

/// An entry point of a shader.
pub(crate) struct Kernel {
    pipeline: wgpu::ComputePipeline,
    /// Units of work of a workgroup.
    group: usize,
}

/// The first three words of the structure `Parameters` of a shader; the fourth is the width of the grid.
pub(crate) struct Parameters(pub(crate) usize, pub(crate) usize, pub(crate) usize);

/// How long a wait asks again and again before it sleeps. From sleep it returns some 25 µs late; a small batch takes
/// no longer than that.
const BUSY_WAIT: Duration = Duration::from_micros(200);

impl Device {
    /// Opens the device of the lowest rank, if any has one.
    ///
    /// # Errors
    /// There is none, or its driver fails.
    pub(crate) fn open(rank: impl Fn(&wgpu::AdapterInfo) -> Option<u32>) -> Result<Self, Error> {
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
        let adapters = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::PRIMARY));
        let ranked = adapters.into_iter().filter_map(|adapter| Some((rank(&adapter.get_info())?, adapter)));
        let (_, adapter) = ranked.min_by_key(|(rank, _)| *rank).ok_or(Error::NoGpu)?;
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("fairlane"),
            required_features: wgpu::Features::IMMEDIATES,
            required_limits: adapter.limits(),
            memory_hints: wgpu::MemoryHints::MemoryUsage,
            ..Default::default()
        };
        let (device, queue) = pollster::block_on(adapter.request_device(&descriptor))
            .map_err(|error| Error::Device(error.to_string()))?;
        let round_constants = device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
            label: Some("round constants"),
            contents: &unrolled::round_constants().map(u64::to_le_bytes).concat(),
            usage: wgpu::BufferUsages::UNIFORM,
        });
        Ok(Self { device, queue, info: adapter.get_info(), round_constants })
    }

    /// Whether the driver computes on the CPU.
    pub(crate) fn is_software(&self) -> bool {
        self.info.device_type == wgpu::DeviceType::Cpu
    }

    pub(crate) fn allocate(&self, length: usize) -> Result<DeviceBytes, Error> {
        if length > self.most_bytes() {
            return Err(Error::TooLarge);
        }
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
        Ok(DeviceBytes { buffer: self.buffer(length as u64, usage)?, length })
    }

    pub(crate) fn upload(&self, bytes: &[u8]) -> Result<DeviceBytes, Error> {
        let memory = self.allocate(bytes.len())?;
        let (words, rest) = bytes.split_at(bytes.len() / 4 * 4);
        self.queue.write_buffer(&memory.buffer, 0, words);
        if !rest.is_empty() {
            let mut last = [0; 4];
            last[..rest.len()].copy_from_slice(rest);
            self.queue.write_buffer(&memory.buffer, words.len() as u64, &last);
        }
        self.queue.submit([]);
        self.wait()?;
        Ok(memory)
    }

    pub(crate) fn download(&self, memory: &DeviceBytes, bytes: &mut [u8]) -> Result<(), Error> {
        check_length("output", memory.length, bytes.len())?;
        let usage = wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST;
        let download = self.buffer(memory.length as u64, usage)?;
        let mut encoder = self.device.create_command_encoder(&Default::default());
        encoder.copy_buffer_to_buffer(&memory.buffer, 0, &download, 0, None);
        self.queue.submit([encoder.finish()]);
        self.read(&download, bytes)
    }

    /// Waits until the device has done all that was begun, and reads a buffer that the host can read.
    pub(crate) fn read(&self, buffer: &wgpu::Buffer, bytes: &mut [u8]) -> Result<(), Error> {
        buffer.map_async(wgpu::MapMode::Read, .., |_| {});
        self.wait()?;
        let view = buffer.get_mapped_range(..).map_err(|error| Error::Device(error.to_string()))?;
        bytes.copy_from_slice(&view[..bytes.len()]);
        drop(view);
        buffer.unmap();
        Ok(())
    }

    /// Waits until the device has done all that was begun.
    pub(crate) fn wait(&self) -> Result<(), Error> {
        self.wait_for(None)
    }

    /// Waits until the device has done a submission, or all.
    pub(crate) fn wait_for(&self, submission: Option<wgpu::SubmissionIndex>) -> Result<(), Error> {
        let start = Instant::now();
        loop {
            let timeout = (start.elapsed() < BUSY_WAIT).then_some(Duration::ZERO);
            let wait = wgpu::PollType::Wait { submission_index: submission.clone(), timeout };
            match self.device.poll(wait) {
                Ok(_) => return Ok(()),
                Err(wgpu::PollError::Timeout) => std::hint::spin_loop(),
                Err(error) => return Err(Error::Device(error.to_string())),
            }
        }
    }

    /// Bytes of the largest buffer that kernels can work on. Their indices of bytes have 32 bits.
    pub(crate) fn most_bytes(&self) -> usize {
        usize::try_from(self.device.limits().max_storage_buffer_binding_size).unwrap_or(usize::MAX).min(1 << 31)
    }

    /// Overwrites buffers with zeros, after all that was begun before.
    pub(crate) fn clear(&self, buffers: &[&wgpu::Buffer]) -> Result<(), Error> {
        let mut encoder = self.device.create_command_encoder(&Default::default());
        for buffer in buffers {
            encoder.clear_buffer(buffer, 0, None);
        }
        let submission = self.queue.submit([encoder.finish()]);
        self.wait_for(Some(submission))
    }

    /// A buffer of at least so many bytes, in whole words.
    pub(crate) fn buffer(&self, size: u64, usage: wgpu::BufferUsages) -> Result<wgpu::Buffer, Error> {
        let size = size.next_multiple_of(4).max(4);
        if size > self.device.limits().max_buffer_size {
            return Err(Error::TooLarge);
        }
        let scope = self.device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
        let descriptor = wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false };
        let buffer = self.device.create_buffer(&descriptor);
        match pollster::block_on(scope.pop()) {
            None => Ok(buffer),
            Some(error) => Err(Error::Device(error.to_string())),
        }
    }

    /// A buffer that kernels read and write.
    pub(crate) fn storage(&self, size: u64) -> Result<wgpu::Buffer, Error> {
        self.buffer(size, wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST)
    }

    pub(crate) fn round_constants(&self) -> Section<'_> {
        Section { buffer: &self.round_constants, offset: 0, length: self.round_constants.size() }
    }

    /// Compiles an entry point of a shader, whose workgroups do `group` units of work.
    pub(crate) fn compile(&self, source: &str, entry_point: &str, group: usize) -> Kernel {
        let descriptor = wgpu::ShaderModuleDescriptor { label: None, source: wgpu::ShaderSource::Wgsl(source.into()) };
        let checks = wgpu::ShaderRuntimeChecks { force_loop_bounding: false, ..wgpu::ShaderRuntimeChecks::checked() };
        // SAFETY: every loop of our shaders ends, that of SampleNTT after a few blocks. Indices are checked.
        let module = unsafe { self.device.create_shader_module_trusted(descriptor, checks) };
        let pipeline = self.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(entry_point),
            layout: None,
            module: &module,
            entry_point: Some(entry_point),
            compilation_options: wgpu::PipelineCompilationOptions {
                // Whatever is read has been written.
                zero_initialize_workgroup_memory: false,
                ..Default::default()
            },
            cache: None,
        });
        Kernel { pipeline, group }
    }

    /// Adds a kernel's run for `work` units to a pass.
    pub(crate) fn dispatch(
        &self,
        pass: &mut wgpu::ComputePass<'_>,
        kernel: &Kernel,
        work: usize,
        parameters: &Parameters,
        bindings: &[(u32, Section<'_>)],
    ) {
        // A grid has at most 65 535 groups in each dimension.
        let groups = work.div_ceil(kernel.group);
        let columns = groups.min(1 << 15);
        let rows = groups.div_ceil(columns.max(1));
        let Parameters(first, second, third) = *parameters;
        let parameters = [first as u32, second as u32, third as u32, columns as u32];
        let entries = bindings
            .iter()
            .map(|(binding, section)| wgpu::BindGroupEntry { binding: *binding, resource: section.binding() });
        let group = self.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &kernel.pipeline.get_bind_group_layout(0),
            entries: &entries.collect::<Vec<_>>(),
        });
        pass.set_pipeline(&kernel.pipeline);
        pass.set_bind_group(0, &group, &[]);
        // A buffer for them would cost a millisecond, where the driver's memory for small ones is full.
        pass.set_immediates(0, &parameters.map(u32::to_le_bytes).concat());
        pass.dispatch_workgroups(columns as u32, rows as u32, 1);
    }
}

pub(crate) fn check_length(what: &'static str, expected: usize, given: usize) -> Result<(), Error> {
    if expected == given { Ok(()) } else { Err(Error::WrongLength { what, expected, given }) }
}
