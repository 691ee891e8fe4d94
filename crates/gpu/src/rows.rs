//! Batches in host memory: rows go to the device, are processed there and come back, in parts that overlap.

use crate::Error;
use crate::device::{Device, Section};
use crate::upload::Upload;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};
use wgpu::BufferUsages;

/// A function of rows of fixed sizes, each of them independent of the others.
pub(crate) trait RowFunction {
    /// Bytes of a row of each input.
    fn input_sizes(&self) -> Vec<usize>;

    /// Bytes of a row of each output.
    fn output_sizes(&self) -> Vec<usize>;

    /// Indices of an input and of an output that are secret, so that copies of them are erased.
    fn secrets(&self) -> Option<[usize; 2]> {
        None
    }

    /// Adds the kernels for some rows to a pass. Inputs and outputs are those of these rows alone.
    fn encode(
        &self,
        device: &Device,
        pass: &mut wgpu::ComputePass<'_>,
        rows: Range<usize>,
        inputs: &[Section<'_>],
        outputs: &[Section<'_>],
    );

    /// Adds what follows the last row's kernels: erases what came between.
    fn encode_end(&self, _encoder: &mut wgpu::CommandEncoder) {}

    /// Reads what the kernels found wrong with any row, when all is done.
    ///
    /// # Errors
    /// A row is not valid.
    fn check(&self, _device: &Device) -> Result<(), Error> {
        Ok(())
    }
}

/// Most bytes of inputs, or of outputs, in a part.
const PART_BYTES: usize = 32 << 20;
/// How many parts are under way: one is copied to the device, one is processed, one is copied back.
const SLOTS: usize = 3;
/// Where sections of a buffer may begin.
const ALIGNMENT: usize = 256;

/// The buffers of parts, which are kept from call to call. Calls take turns.
#[derive(Default)]
pub(crate) struct Parts(Mutex<Ring>);

#[derive(Default)]
struct Ring {
    slots: [Option<Slot>; SLOTS],
}

/// The buffers of a part.
struct Slot {
    upload: Upload,
    input: wgpu::Buffer,
    output: wgpu::Buffer,
    download: wgpu::Buffer,
    pending: Option<Pending>,
}

/// A part on the device.
struct Pending {
    rows: Range<usize>,
    submission: wgpu::SubmissionIndex,
}

/// Where the rows of several inputs or outputs lie in one buffer.
struct Layout {
    sizes: Vec<usize>,
    starts: Vec<usize>,
    size: usize,
}

impl Layout {
    fn new(sizes: Vec<usize>, count: usize) -> Self {
        let (mut starts, mut size) = (Vec::new(), 0);
        for row in &sizes {
            starts.push(size);
            size += (row * count).next_multiple_of(ALIGNMENT);
        }
        Self { sizes, starts, size: size.max(ALIGNMENT) }
    }

    /// Where `count` rows of one of them are.
    fn range(&self, which: usize, count: usize) -> Range<usize> {
        self.starts[which]..self.starts[which] + self.sizes[which] * count
    }

    /// Where `count` rows of each are.
    fn ranges(&self, count: usize) -> impl Iterator<Item = Range<usize>> {
        (0..self.sizes.len()).map(move |which| self.range(which, count))
    }

    fn sections<'a>(&self, buffer: &'a wgpu::Buffer, count: usize) -> Vec<Section<'a>> {
        let section = |range: Range<usize>| Section { buffer, offset: range.start as u64, length: range.len() as u64 };
        self.ranges(count).map(section).collect()
    }
}

/// Begins a function of rows that are on the device.
pub(crate) fn begin_on_device(
    device: &Device,
    function: &dyn RowFunction,
    count: usize,
    inputs: &[Section<'_>],
    outputs: &[Section<'_>],
) {
    let mut encoder = device.device.create_command_encoder(&Default::default());
    function.encode(device, &mut encoder.begin_compute_pass(&Default::default()), 0..count, inputs, outputs);
    function.encode_end(&mut encoder);
    device.queue.submit([encoder.finish()]);
}

impl Parts {
    /// Applies a function to `count` rows in host memory. On an error the outputs are zeros.
    pub(crate) fn run(
        &self,
        device: &Device,
        function: &dyn RowFunction,
        count: usize,
        inputs: &[&[u8]],
        outputs: &mut [&mut [u8]],
    ) -> Result<(), Error> {
        if count == 0 {
            return Ok(());
        }
        let mut ring = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let result = ring.run(device, function, count, inputs, outputs);
        if result.is_err() {
            outputs.iter_mut().for_each(|output| output.fill(0));
            // A part may still be under way.
            *ring = Ring::default();
        }
        result
    }
}

impl Ring {
    fn run(
        &mut self,
        device: &Device,
        function: &dyn RowFunction,
        count: usize,
        inputs: &[&[u8]],
        outputs: &mut [&mut [u8]],
    ) -> Result<(), Error> {
        let (input_sizes, output_sizes) = (function.input_sizes(), function.output_sizes());
        let row = input_sizes.iter().sum::<usize>().max(output_sizes.iter().sum());
        let limit = device.most_bytes();
        if row > limit {
            return Err(Error::TooLarge);
        }
        // At least three parts of a large batch, so that copies and kernels overlap; whole groups of threads.
        let part = (PART_BYTES.min(limit) / row.max(1)).min(count.div_ceil(SLOTS).next_multiple_of(1024)).max(1);
        let part = part.min(count);
        let (input, output) = (Layout::new(input_sizes, part), Layout::new(output_sizes, part));
        for (i, start) in (0..count).step_by(part).enumerate() {
            let slot = Slot::with_room(&mut self.slots[i % SLOTS], device, input.size, output.size)?;
            slot.finish(device, &output, outputs)?;
            let rows = start..count.min(start + part);
            slot.begin(device, function, rows.clone(), (&input, inputs), &output, rows.end == count)?;
        }
        for slot in self.slots.iter_mut().flatten() {
            slot.finish(device, &output, outputs)?;
        }
        if let Some([secret_input, secret_output]) = function.secrets() {
            let (input, output) = (input.range(secret_input, part), output.range(secret_output, part));
            self.slots.iter_mut().flatten().try_for_each(|slot| slot.erase(device, &input, &output))?;
        }
        function.check(device)
    }
}

impl Slot {
    /// The slot, with buffers that are large enough.
    fn with_room<'a>(
        slot: &'a mut Option<Self>,
        device: &Device,
        input: usize,
        output: usize,
    ) -> Result<&'a mut Self, Error> {
        let (input, output) = (input as u64, output as u64);
        if slot.as_ref().is_none_or(|slot| slot.input.size() < input || slot.output.size() < output) {
            let storage = BufferUsages::STORAGE | BufferUsages::COPY_SRC | BufferUsages::COPY_DST;
            *slot = Some(Self {
                upload: Upload::new(device, input)?,
                input: device.buffer(input, storage)?,
                output: device.buffer(output, storage)?,
                download: device.buffer(output, BufferUsages::MAP_READ | BufferUsages::COPY_DST)?,
                pending: None,
            });
        }
        Ok(slot.as_mut().expect("it was set"))
    }

    /// Copies rows to the device and begins their processing. No rows may be under way.
    fn begin(
        &mut self,
        device: &Device,
        function: &dyn RowFunction,
        rows: Range<usize>,
        (layout, inputs): (&Layout, &[&[u8]]),
        output: &Layout,
        is_last: bool,
    ) -> Result<(), Error> {
        assert!(self.pending.is_none());
        let count = rows.len();
        let write = |mut upload: wgpu::WriteOnly<'_, [u8]>| {
            for ((range, size), bytes) in layout.ranges(count).zip(&layout.sizes).zip(inputs) {
                copy_in(upload.slice(range), &bytes[rows.start * size..rows.end * size]);
            }
        };
        // SAFETY: no rows are under way, so the copies of those before are done.
        unsafe { self.upload.write(write)? };
        self.upload.give_away();
        let mut encoder = device.device.create_command_encoder(&Default::default());
        for range in layout.ranges(count) {
            let (start, length) = (range.start as u64, range.len().next_multiple_of(4) as u64);
            encoder.copy_buffer_to_buffer(&self.upload.buffer, start, &self.input, start, length);
        }
        let (input, sections) = (layout.sections(&self.input, count), output.sections(&self.output, count));
        function.encode(device, &mut encoder.begin_compute_pass(&Default::default()), rows.clone(), &input, &sections);
        for range in output.ranges(count) {
            let (start, length) = (range.start as u64, range.len() as u64);
            encoder.copy_buffer_to_buffer(&self.output, start, &self.download, start, length);
        }
        if is_last {
            function.encode_end(&mut encoder);
        }
        let submission = device.queue.submit([encoder.finish()]);
        self.upload.take_back();
        self.download.map_async(wgpu::MapMode::Read, .., |_| {});
        self.pending = Some(Pending { rows, submission });
        Ok(())
    }

    /// Waits for the rows under way, if there are any, and copies them to host memory.
    fn finish(&mut self, device: &Device, layout: &Layout, outputs: &mut [&mut [u8]]) -> Result<(), Error> {
        let Some(Pending { rows, submission }) = self.pending.take() else { return Ok(()) };
        device.wait_for(Some(submission))?;
        let view = self.download.get_mapped_range(..).map_err(|error| Error::Device(error.to_string()))?;
        for ((range, size), bytes) in layout.ranges(rows.len()).zip(&layout.sizes).zip(outputs) {
            copy(&mut bytes[rows.start * size..rows.end * size], &view[range]);
        }
        drop(view);
        self.download.unmap();
        Ok(())
    }

    /// Overwrites parts of the buffers with zeros.
    fn erase(&mut self, device: &Device, input: &Range<usize>, output: &Range<usize>) -> Result<(), Error> {
        assert!(self.pending.is_none());
        // SAFETY: no rows are under way, so all copies are done.
        unsafe { self.upload.write(|mut upload| upload.slice(input.clone()).fill(0))? };
        let mut encoder = device.device.create_command_encoder(&Default::default());
        for (buffer, range) in [(&self.input, input), (&self.output, output), (&self.download, output)] {
            encoder.clear_buffer(buffer, range.start as u64, Some(range.len().next_multiple_of(4) as u64));
        }
        let submission = device.queue.submit([encoder.finish()]);
        device.wait_for(Some(submission))
    }
}

/// Fewest bytes that are worth another thread.
const BYTES_PER_THREAD: usize = 1 << 18;

/// How many bytes each of several threads copies. One alone is slower than the device's bus.
fn share(length: usize) -> usize {
    length.div_ceil(rayon::current_num_threads()).max(BYTES_PER_THREAD)
}

fn copy(to: &mut [u8], from: &[u8]) {
    let share = share(from.len());
    if from.len() <= share {
        // To wake another thread takes longer.
        return to.copy_from_slice(from);
    }
    to.par_chunks_mut(share).zip(from.par_chunks(share)).for_each(|(to, from)| to.copy_from_slice(from));
}

/// [`copy`] to memory of the device that can only be written.
fn copy_in(mut to: wgpu::WriteOnly<'_, [u8]>, from: &[u8]) {
    let share = share(from.len());
    if from.len() <= share {
        return to.copy_from_slice(from);
    }
    rayon::in_place_scope(|scope| {
        for from in from.chunks(share) {
            let to = ToOtherThread(to.split_off(..from.len()).expect("it is as long"));
            scope.spawn(move |_| to.fill(from));
        }
    });
}

/// Bytes that another thread may write.
struct ToOtherThread<'a>(wgpu::WriteOnly<'a, [u8]>);

// SAFETY: these are bytes that nobody else refers to, as `&mut [u8]`, which is `Send`. wgpu itself says so of sized
// types only.
unsafe impl Send for ToOtherThread<'_> {}

impl ToOtherThread<'_> {
    fn fill(mut self, from: &[u8]) {
        self.0.copy_from_slice(from);
    }
}
