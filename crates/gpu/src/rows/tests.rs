//! Failures of the device in the middle of a call.

use super::{Layout, Parts, RowFunction};
use crate::Error;
use crate::device::Device;
use crate::hash::{self, Hash};
use crate::ml_kem::{AllKernels, Lengths, ParameterSet};
use std::sync::atomic::Ordering::Relaxed;

const SET: ParameterSet = ParameterSet::MlKem512;
/// Keys of three parts.
const COUNT: usize = 2500;

/// A GPU, else a driver that computes on the CPU; or none, as for the tests beside the crate.
fn device() -> Option<Device> {
    match Device::open(|info| Some(u32::from(info.device_type == wgpu::DeviceType::Cpu))) {
        Ok(device) => Some(device),
        Err(Error::NoGpu) if std::env::var_os("FAIRLANE_GPU").is_none_or(|value| value != "required") => {
            eprintln!("skipped: there is no GPU, and no driver that computes on the CPU");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

/// What encapsulations keep from call to call.
#[derive(Default)]
struct Kem {
    kernels: AllKernels,
    parts: Parts,
}

impl Kem {
    /// Ciphertexts and secrets, which must be zeros after an error.
    fn encapsulate(&self, device: &Device, keys: &[u8]) -> Result<[Vec<u8>; 2], Error> {
        let mut outputs = [vec![7; SET.ciphertext_size() * COUNT], vec![7; 32 * COUNT]];
        let lengths = Lengths { keys: keys.len(), ciphertexts: outputs[0].len(), secrets: outputs[1].len() };
        let function = self.kernels.encapsulate(device, SET, COUNT, &lengths)?;
        let result = {
            let [ciphertexts, secrets] = &mut outputs;
            self.parts.run(device, &function, COUNT, &[keys, &[1; 32 * COUNT]], &mut [ciphertexts, secrets])
        };
        let result = function.end(result);
        assert!(result.is_ok() || outputs.iter().flatten().all(|&byte| byte == 0));
        result.map(|()| outputs)
    }
}

/// All bytes of a buffer.
fn contents(device: &Device, buffer: &wgpu::Buffer) -> Vec<u8> {
    let mut bytes = vec![0xaa; buffer.size() as usize];
    if buffer.usage().contains(wgpu::BufferUsages::MAP_READ) {
        device.read(buffer, &mut bytes).unwrap();
        return bytes;
    }
    let usage = wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST;
    let copy = device.buffer(buffer.size(), usage).unwrap();
    let mut encoder = device.device.create_command_encoder(&Default::default());
    encoder.copy_buffer_to_buffer(buffer, 0, &copy, 0, None);
    device.queue.submit([encoder.finish()]);
    device.read(&copy, &mut bytes).unwrap();
    bytes
}

#[test]
fn secrets_are_erased_after_an_error() {
    let Some(device) = device() else { return };
    let kem = Kem::default();
    let mut keys = vec![0; SET.key_size() * COUNT];
    let expected = kem.encapsulate(&device, &keys).unwrap();
    let between = kem.kernels.secret_memory(SET);
    let first = {
        let mut rings = kem.parts.0.lock().unwrap();
        let [Some(first), second, _] = &mut rings[0].slots else { panic!("there was no part") };
        *second = None;
        [&first.upload.buffer, &first.input, &first.output, &first.download].map(wgpu::Buffer::clone)
    };

    // The first part, which is under way then, has an invalid key.
    let key = &mut keys[5 * SET.key_size()..];
    key[..3].copy_from_slice(&[0x01, 0x0d, 0]);
    device.full.store(true, Relaxed);
    assert!(matches!(kem.encapsulate(&device, &keys), Err(Error::Device(_))));
    device.full.store(false, Relaxed);
    for buffer in between {
        assert!(contents(&device, &buffer).iter().all(|&byte| byte == 0));
    }
    let [upload, input, output, download] = &first;
    upload.unmap();
    let lengths = Lengths { keys: keys.len(), ciphertexts: expected[0].len(), secrets: expected[1].len() };
    let function = kem.kernels.encapsulate(&device, SET, COUNT, &lengths).unwrap();
    let layouts = [function.input_sizes(), function.output_sizes()].map(|sizes| Layout::new(sizes, 1024));
    drop(function);
    for (buffer, layout) in
        [(upload, &layouts[0]), (input, &layouts[0]), (output, &layouts[1]), (download, &layouts[1])]
    {
        assert!(contents(&device, buffer)[layout.range(1, 1024)].iter().all(|&byte| byte == 0));
    }

    assert_eq!(kem.encapsulate(&device, &keys), Err(Error::InvalidKey { index: 5 }));
    keys.fill(0);
    assert!(kem.encapsulate(&device, &keys).unwrap() == expected);
}

/// wgpu reports most errors to a handler.
#[test]
fn reported_errors_are_returned() {
    let Some(device) = device() else { return };
    let kem = Kem::default();
    let keys = vec![0; SET.key_size() * COUNT];
    let expected = kem.encapsulate(&device, &keys).unwrap();
    for slot in 0..3 {
        // Commands that use a mapped buffer are refused.
        let download = kem.parts.0.lock().unwrap()[0].slots[slot].as_ref().unwrap().download.clone();
        download.map_async(wgpu::MapMode::Read, .., |_| {});
        assert!(matches!(kem.encapsulate(&device, &keys), Err(Error::Device(_))), "slot {slot}");
        assert!(kem.encapsulate(&device, &keys).unwrap() == expected);
    }
}

#[test]
fn lost_device() {
    let Some(device) = device() else { return };
    let kem = Kem::default();
    let keys = vec![0; SET.key_size() * COUNT];
    kem.encapsulate(&device, &keys).unwrap();
    // Parts so large that the device fetches them from the host's memory, which it has no longer when it is lost.
    let (hashes, messages, mut digests) = (hash::Kernels::default(), vec![0; 60_000_000], vec![7; 32 * 60_000]);
    let function = hashes.rows(&device, Hash::Sm3, 60_000, messages.len(), digests.len()).unwrap();
    kem.parts.run(&device, &function, 60_000, &[&messages], &mut [&mut digests]).unwrap();
    let memory = device.upload(&[1, 2, 3]).unwrap();

    device.device.destroy();
    let failed = |result| assert!(matches!(result, Err(Error::Device(_))), "{result:?}");
    failed(device.wait());
    failed(kem.parts.run(&device, &function, 60_000, &[&messages], &mut [&mut digests]));
    assert!(digests.iter().all(|&byte| byte == 0));
    failed(kem.encapsulate(&device, &keys).map(|_| ()));
    failed(device.upload(&[1, 2, 3]).map(|_| ()));
    failed(device.download(&memory, &mut [0; 3]));
    failed(device.clear(&[&memory.buffer]));
    failed(hash::Kernels::default().rows(&device, Hash::Sm3, 0, 0, 0).map(|_| ()));
    failed(
        AllKernels::default()
            .encapsulate(&device, SET, 0, &Lengths { keys: 0, ciphertexts: 0, secrets: 0 })
            .map(|_| ()),
    );
}

#[test]
fn products_overflow() {
    let Some(device) = device() else { return };
    let (kernels, none) = (AllKernels::default(), Lengths { keys: 0, ciphertexts: 0, secrets: 0 });
    let result = kernels.encapsulate(&device, SET, usize::MAX / 32 + 1, &none).map(|_| ());
    assert_eq!(result, Err(Error::WrongLength { what: "encapsulation keys", expected: usize::MAX, given: 0 }));
}
