//! The device: opening it, its memory, and the dispatch of kernels.

use crate::{Error, unrolled};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// A device of wgpu, its queue, and a buffer that several kernels read.
pub(crate) struct Device {
    pub(crate) device: wgpu::Device,
    pub(crate) queue: wgpu::Queue,
    pub(crate) info: wgpu::AdapterInfo,
    round_constants: wgpu::Buffer,
    /// Why the device is of no use any more.
    failure: Arc<OnceLock<String>>,
    /// Whether there is no room for another buffer.
    #[cfg(test)]
    pub(crate) full: std::sync::atomic::AtomicBool,
}

/// Memory of a [`Gpu`](crate::Gpu), for batches that stay on the device. Given to another one, it makes the call panic.
#[derive(Debug)]
pub struct DeviceBytes {
    pub(crate) buffer: wgpu::Buffer,
    length: usize,
    /// Its device's.
    failure: Arc<OnceLock<String>>,
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
        let failure = Arc::new(OnceLock::new());
        let lost = failure.clone();
        device.set_device_lost_callback(move |reason, message| {
            lost.get_or_init(|| format!("device lost ({reason:?}) {message}"));
        });
        // Errors outside of `checked`.
        let uncaptured = failure.clone();
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            uncaptured.get_or_init(|| error.to_string());
        }));
        let constants = unrolled::round_constants().map(u64::to_le_bytes).concat();
        let round_constants = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("round constants"),
            size: constants.len() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        queue.write_buffer(&round_constants, 0, &constants);
        let opened = Self {
            device,
            queue,
            info: adapter.get_info(),
            round_constants,
            failure,
            #[cfg(test)]
            full: Default::default(),
        };
        opened.check_usable()?;
        Ok(opened)
    }

    /// Does some work, and fails if wgpu reports an error meanwhile, which most of its functions do not return.
    pub(crate) fn checked<T>(&self, work: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
        use wgpu::ErrorFilter::{Internal, OutOfMemory, Validation};
        // They are this thread's alone, so other threads' errors stay with these.
        let scopes = [OutOfMemory, Validation, Internal].map(|filter| self.device.push_error_scope(filter));
        let result = work();
        // The innermost one ends first, and all of them.
        let errors: Vec<_> = scopes.into_iter().rev().filter_map(|scope| pollster::block_on(scope.pop())).collect();
        match errors.first() {
            Some(error) => Err(Error::Device(error.to_string())),
            None => self.check_usable().and(result),
        }
    }

    /// Whether the device can still be used. wgpu reports no other error once the device is lost.
    pub(crate) fn check_usable(&self) -> Result<(), Error> {
        self.failure.get().map_or(Ok(()), |failure| Err(Error::Device(failure.clone())))
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
        Ok(DeviceBytes { buffer: self.buffer(length as u64, usage)?, length, failure: self.failure.clone() })
    }

    /// All bytes of memory.
    pub(crate) fn section<'a>(&self, memory: &'a DeviceBytes) -> Section<'a> {
        // wgpu would take a buffer of its own that has the same number.
        assert!(Arc::ptr_eq(&self.failure, &memory.failure), "the memory is another GPU's");
        Section { buffer: &memory.buffer, offset: 0, length: memory.length as u64 }
    }

    pub(crate) fn upload(&self, bytes: &[u8]) -> Result<DeviceBytes, Error> {
        let memory = self.allocate(bytes.len())?;
        let (words, rest) = bytes.split_at(bytes.len() / 4 * 4);
        self.checked(|| {
            self.queue.write_buffer(&memory.buffer, 0, words);
            if !rest.is_empty() {
                let mut last = [0; 4];
                last[..rest.len()].copy_from_slice(rest);
                self.queue.write_buffer(&memory.buffer, words.len() as u64, &last);
            }
            self.queue.submit([]);
            self.wait()
        })?;
        Ok(memory)
    }

    pub(crate) fn download(&self, memory: &DeviceBytes, bytes: &mut [u8]) -> Result<(), Error> {
        let memory = self.section(memory);
        check_length("output", memory.length as usize, bytes.len())?;
        let usage = wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST;
        let download = self.buffer(memory.length, usage)?;
        self.checked(|| {
            let mut encoder = self.device.create_command_encoder(&Default::default());
            encoder.copy_buffer_to_buffer(memory.buffer, 0, &download, 0, None);
            self.queue.submit([encoder.finish()]);
            self.read(&download, bytes)
        })
    }

    /// Waits until the device has done all that was begun, and reads a buffer that the host can read.
    pub(crate) fn read(&self, buffer: &wgpu::Buffer, bytes: &mut [u8]) -> Result<(), Error> {
        self.checked(|| {
            buffer.map_async(wgpu::MapMode::Read, .., |_| {});
            self.wait()?;
            let view = buffer.get_mapped_range(..).map_err(|error| Error::Device(error.to_string()))?;
            bytes.copy_from_slice(&view[..bytes.len()]);
            drop(view);
            buffer.unmap();
            Ok(())
        })
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
            // wgpu panics where the driver says that the device is lost.
            match catch_unwind(AssertUnwindSafe(|| self.device.poll(wait))) {
                Ok(Ok(_)) => return self.check_usable(),
                Ok(Err(wgpu::PollError::Timeout)) => std::hint::spin_loop(),
                Ok(Err(error)) => return Err(Error::Device(error.to_string())),
                Err(_) => return self.check_usable().and(Err(Error::Device("wgpu panicked".to_owned()))),
            }
        }
    }

    /// Bytes of the largest buffer that kernels can work on. Their indices of bytes have 32 bits.
    pub(crate) fn most_bytes(&self) -> usize {
        usize::try_from(self.device.limits().max_storage_buffer_binding_size).unwrap_or(usize::MAX).min(1 << 31)
    }

    /// Overwrites buffers with zeros, after all that was begun before.
    pub(crate) fn clear(&self, buffers: &[&wgpu::Buffer]) -> Result<(), Error> {
        self.checked(|| {
            let mut encoder = self.device.create_command_encoder(&Default::default());
            for buffer in buffers {
                encoder.clear_buffer(buffer, 0, None);
            }
            let submission = self.queue.submit([encoder.finish()]);
            self.wait_for(Some(submission))
        })
    }

    /// A buffer of at least so many bytes, in whole words.
    pub(crate) fn buffer(&self, size: u64, usage: wgpu::BufferUsages) -> Result<wgpu::Buffer, Error> {
        let size = size.next_multiple_of(4).max(4);
        if size > self.device.limits().max_buffer_size {
            return Err(Error::TooLarge);
        }
        #[cfg(test)]
        if self.full.load(std::sync::atomic::Ordering::Relaxed) {
            return Err(Error::Device("there is no room".to_owned()));
        }
        let descriptor = wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false };
        self.checked(|| Ok(self.device.create_buffer(&descriptor)))
    }

    /// A buffer of constants that kernels read, in whole words.
    pub(crate) fn constants(&self, bytes: &[u8]) -> Result<wgpu::Buffer, Error> {
        let buffer = self.storage(bytes.len() as u64)?;
        self.checked(|| {
            self.queue.write_buffer(&buffer, 0, bytes);
            Ok(buffer)
        })
    }

    /// A buffer that kernels read and write, and from which tests copy.
    pub(crate) fn storage(&self, size: u64) -> Result<wgpu::Buffer, Error> {
        self.buffer(size, wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST)
    }

    pub(crate) fn round_constants(&self) -> Section<'_> {
        Section { buffer: &self.round_constants, offset: 0, length: self.round_constants.size() }
    }

    /// Compiles an entry point of a shader, whose workgroups do `group` units of work.
    pub(crate) fn compile(&self, source: &str, entry_point: &str, group: usize) -> Result<Kernel, Error> {
        self.checked(|| {
            let descriptor =
                wgpu::ShaderModuleDescriptor { label: None, source: wgpu::ShaderSource::Wgsl(source.into()) };
            let checks =
                wgpu::ShaderRuntimeChecks { force_loop_bounding: false, ..wgpu::ShaderRuntimeChecks::checked() };
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
            Ok(Kernel { pipeline, group })
        })
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
        let word = |number: usize| u32::try_from(number).expect("no buffer has 4 GiB, no batch 2³² keys");
        let parameters = [first, second, third, columns].map(word);
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
        pass.dispatch_workgroups(word(columns), word(rows), 1);
    }
}

/// A value that is made when it is first used. Two threads may both make it; one of theirs is kept.
pub(crate) fn get_or_try_init<T>(cell: &OnceLock<T>, make: impl FnOnce() -> Result<T, Error>) -> Result<&T, Error> {
    match cell.get() {
        Some(value) => Ok(value),
        None => make().map(|value| cell.get_or_init(|| value)),
    }
}

pub(crate) fn check_length(what: &'static str, expected: usize, given: usize) -> Result<(), Error> {
    if expected == given { Ok(()) } else { Err(Error::WrongLength { what, expected, given }) }
}
