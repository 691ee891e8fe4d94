//! Batches in host memory: rows go to the device, are processed there and come back, in parts that overlap.

#[cfg(test)]
mod tests;

use crate::Error;
use crate::device::{Device, Section};
use crate::upload::Upload;
use std::ops::Range;
use std::sync::Mutex;
use wgpu::{BufferUsages, WriteOnly};

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

    /// Adds what precedes the first row's kernels: clears what they collect.
    fn encode_begin(&self, _encoder: &mut wgpu::CommandEncoder) {}

    /// Adds the kernels for some rows to a pass. Inputs and outputs are those of these rows alone.
    fn encode(
        &self,
        device: &Device,
        pass: &mut wgpu::ComputePass<'_>,
        rows: Range<usize>,
        inputs: &[Section<'_>],
        outputs: &[Section<'_>],
    );

    /// Adds what follows the last row's kernels, if the function has secrets: erases what came between.
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

/// The buffers of parts, which are kept from call to call: those that the host writes in the device's memory, and those
/// that it writes in its own. Calls take turns.
#[derive(Default)]
pub(crate) struct Parts(Mutex<[Ring; 2]>);

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

/// A part on the device; the host's buffers are mapped, or will be when it is done.
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

    /// The bytes of `count` rows of each.
    fn split<'a>(&self, bytes: WriteOnly<'a, [u8]>, count: usize) -> impl Iterator<Item = WriteOnly<'a, [u8]>> {
        let (mut rest, mut position) = (bytes, 0);
        self.ranges(count).map(move |range| {
            let mut next = |length| rest.split_off(..length).expect("the buffer has room for all rows");
            next(range.start - position);
            position = range.end;
            next(range.len())
        })
    }

    fn sections<'a>(&self, buffer: &'a wgpu::Buffer, count: usize) -> Vec<Section<'a>> {
        let section = |range: Range<usize>| Section { buffer, offset: range.start as u64, length: range.len() as u64 };
        self.ranges(count).map(section).collect()
    }
}

/// Begins a function of rows that are on the device.
///
/// # Errors
/// The device fails.
pub(crate) fn begin_on_device(
    device: &Device,
    function: &dyn RowFunction,
    count: usize,
    inputs: &[Section<'_>],
    outputs: &[Section<'_>],
) -> Result<(), Error> {
    if count == 0 {
        return Ok(());
    }
    device.checked(|| {
        let mut encoder = device.device.create_command_encoder(&Default::default());
        function.encode_begin(&mut encoder);
        function.encode(device, &mut encoder.begin_compute_pass(&Default::default()), 0..count, inputs, outputs);
        function.encode_end(&mut encoder);
        device.queue.submit([encoder.finish()]);
        Ok(())
    })
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
        let call = Call::new(device, function, count, inputs)?;
        let mut rings = self.0.lock().unwrap_or_else(|poisoned| {
            // A part of the call that panicked may still be under way.
            self.0.clear_poison();
            let mut rings = poisoned.into_inner();
            *rings = Default::default();
            rings
        });
        let ring = &mut rings[usize::from(call.upload_from_host())];
        let result = device.checked(|| ring.run(&call, outputs));
        let erased = device.checked(|| ring.erase(&call));
        let result = result.and(erased).and_then(|()| function.check(device));
        if result.is_err() {
            outputs.iter_mut().for_each(|output| output.fill(0));
            // A part may still be under way.
            *ring = Ring::default();
        }
        result
    }
}

/// A call's function and rows.
struct Call<'a> {
    device: &'a Device,
    function: &'a dyn RowFunction,
    count: usize,
    inputs: &'a [&'a [u8]],
    /// Rows of a part, and where they lie.
    part: usize,
    input: Layout,
    output: Layout,
}

impl<'a> Call<'a> {
    fn new(
        device: &'a Device,
        function: &'a dyn RowFunction,
        count: usize,
        inputs: &'a [&'a [u8]],
    ) -> Result<Self, Error> {
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
        Ok(Self { device, function, count, inputs, part, input, output })
    }

    fn parts(&self) -> usize {
        self.count.div_ceil(self.part)
    }

    /// Whether the device is to fetch the inputs itself. It is faster at that than the host's cores, but does nothing
    /// else meanwhile: with an NVIDIA H200 it took less time for large parts that have small outputs only.
    fn upload_from_host(&self) -> bool {
        self.input.size >= PART_BYTES / 2 && self.input.size >= 2 * self.output.size
    }
}

impl Ring {
    fn run(&mut self, call: &Call<'_>, outputs: &mut [&mut [u8]]) -> Result<(), Error> {
        let Call { count, part, .. } = *call;
        let parts = call.parts();
        for i in 0..parts {
            let slot = Slot::with_room(&mut self.slots[i % SLOTS], call)?;
            slot.turn(call, outputs, i * part..count.min((i + 1) * part))?;
        }
        // Those under way, the oldest first.
        for i in parts..parts + SLOTS {
            if let Some(slot) = self.slots[i % SLOTS].as_mut().filter(|slot| slot.pending.is_some()) {
                slot.turn(call, outputs, 0..0)?;
            }
        }
        Ok(())
    }

    /// Erases copies of secrets when all parts are done, or those that began before an error.
    fn erase(&mut self, call: &Call<'_>) -> Result<(), Error> {
        let Call { device, function, part, .. } = *call;
        let Some([secret_input, secret_output]) = function.secrets() else { return Ok(()) };
        let (input, output) = (call.input.range(secret_input, part), call.output.range(secret_output, part));
        let mut encoder = device.device.create_command_encoder(&Default::default());
        let mut result = Ok(());
        // Slots without a part may be too small for these rows.
        for slot in self.slots.iter_mut().take(call.parts()).flatten().filter(|slot| slot.has_room(call)) {
            // An error does not keep the others from being erased.
            result = result.and(slot.erase(device, &mut encoder, &input, &output));
        }
        function.encode_end(&mut encoder);
        let submission = device.queue.submit([encoder.finish()]);
        result.and(device.wait_for(Some(submission)))
    }
}

impl Slot {
    /// The slot, with buffers that are large enough.
    fn with_room<'a>(slot: &'a mut Option<Self>, call: &Call<'_>) -> Result<&'a mut Self, Error> {
        if !slot.as_ref().is_some_and(|slot| slot.has_room(call)) {
            let (input, output) = (call.input.size as u64, call.output.size as u64);
            let storage = BufferUsages::STORAGE | BufferUsages::COPY_SRC | BufferUsages::COPY_DST;
            *slot = Some(Self {
                upload: Upload::new(call.device, input, call.upload_from_host())?,
                input: call.device.buffer(input, storage)?,
                output: call.device.buffer(output, storage)?,
                download: call.device.buffer(output, BufferUsages::MAP_READ | BufferUsages::COPY_DST)?,
                pending: None,
            });
        }
        Ok(slot.as_mut().expect("it was set"))
    }

    fn has_room(&self, call: &Call<'_>) -> bool {
        self.input.size() >= call.input.size as u64 && self.output.size() >= call.output.size as u64
    }

    /// Waits for the rows under way, copies their outputs to the host, and begins the next rows, if there are any.
    fn turn(&mut self, call: &Call<'_>, outputs: &mut [&mut [u8]], next: Range<usize>) -> Result<(), Error> {
        let Call { device, input, output, .. } = call;
        let (mut done, mut view) = (0..0, None);
        if let Some(Pending { rows, submission }) = &self.pending {
            device.wait_for(Some(submission.clone()))?;
            done = rows.clone();
            view = Some(self.download.get_mapped_range(..).map_err(|error| Error::Device(error.to_string()))?);
        }
        // Other threads copy both ways while this one encodes commands, which takes about as long as a copy.
        let copy = |upload: WriteOnly<'_, [u8]>| {
            rayon::in_place_scope(|scope| {
                let from = output.ranges(done.len()).map(|range| view.as_ref().map_or(&[][..], |view| &view[range]));
                for ((from, size), bytes) in from.zip(&output.sizes).zip(outputs) {
                    copy(scope, (&mut bytes[done.start * size..done.end * size]).into(), from);
                }
                for ((to, size), bytes) in input.split(upload, next.len()).zip(&input.sizes).zip(call.inputs) {
                    copy(scope, to, &bytes[next.start * size..next.end * size]);
                }
                (!next.is_empty()).then(|| self.encode(call, next.clone()))
            })
        };
        // SAFETY: the device has done the rows that were under way, and with them all copies.
        let commands = unsafe { self.upload.write(device, copy)? };
        drop(view);
        if self.pending.take().is_some() {
            self.download.unmap();
        }
        if let Some(commands) = commands {
            self.upload.give_away();
            let submission = device.queue.submit([commands]);
            self.upload.take_back();
            self.download.map_async(wgpu::MapMode::Read, .., |_| {});
            self.pending = Some(Pending { rows: next, submission });
        }
        Ok(())
    }

    /// The commands for some rows: copies and kernels.
    fn encode(&self, call: &Call<'_>, rows: Range<usize>) -> wgpu::CommandBuffer {
        let Call { device, function, input, output, .. } = call;
        let count = rows.len();
        let mut encoder = device.device.create_command_encoder(&Default::default());
        if rows.start == 0 {
            function.encode_begin(&mut encoder);
        }
        for range in input.ranges(count) {
            let (start, length) = (range.start as u64, range.len().next_multiple_of(4) as u64);
            encoder.copy_buffer_to_buffer(&self.upload.buffer, start, &self.input, start, length);
        }
        let (inputs, outputs) = (input.sections(&self.input, count), output.sections(&self.output, count));
        let mut pass = encoder.begin_compute_pass(&Default::default());
        function.encode(device, &mut pass, rows, &inputs, &outputs);
        drop(pass);
        for range in output.ranges(count) {
            let (start, length) = (range.start as u64, range.len() as u64);
            encoder.copy_buffer_to_buffer(&self.output, start, &self.download, start, length);
        }
        encoder.finish()
    }

    /// Overwrites parts of the buffers with zeros: the host's at once, the device's by commands.
    fn erase(
        &mut self,
        device: &Device,
        encoder: &mut wgpu::CommandEncoder,
        input: &Range<usize>,
        output: &Range<usize>,
    ) -> Result<(), Error> {
        if self.pending.is_some() {
            // It is there after an error only.
            device.wait()?;
            self.pending = None;
            self.download.unmap();
        }
        for (buffer, range) in [(&self.input, input), (&self.output, output), (&self.download, output)] {
            encoder.clear_buffer(buffer, range.start as u64, Some(range.len().next_multiple_of(4) as u64));
        }
        // SAFETY: no rows are under way, so all copies are done.
        unsafe { self.upload.write(device, |mut upload| upload.slice(input.clone()).fill(0)) }
    }
}

/// How many bytes a thread copies at a time; to wake one up for less takes longer.
const COPY_BYTES: usize = 1 << 18;

/// Copies bytes, on other threads where they are many. One alone is slower than the device's bus.
fn copy<'a>(scope: &rayon::Scope<'a>, mut to: WriteOnly<'a, [u8]>, from: &'a [u8]) {
    if from.len() <= COPY_BYTES {
        return to.copy_from_slice(from);
    }
    for from in from.chunks(COPY_BYTES) {
        let to = ToOtherThread(to.split_off(..from.len()).expect("it is as long"));
        scope.spawn(move |_| to.fill(from));
    }
}

/// Bytes that another thread may write.
struct ToOtherThread<'a>(WriteOnly<'a, [u8]>);

// SAFETY: these are bytes that nobody else refers to, as `&mut [u8]`, which is `Send`. wgpu itself says so of sized
// types only.
unsafe impl Send for ToOtherThread<'_> {}

impl ToOtherThread<'_> {
    fn fill(mut self, from: &[u8]) {
        self.0.copy_from_slice(from);
    }
}
