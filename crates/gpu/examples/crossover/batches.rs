//! The batches, and their computation by each of the contestants.

use fairlane::ml_kem::{self, DecapsulationKey, EncapsulationKey, Workspace};
use fairlane::{HashMany, parallel};
use fairlane_gpu::{DeviceBytes, Gpu, Hash, ParameterSet};
use rayon::prelude::*;
use std::marker::PhantomData;

use crate::{CORE, CORES, Error, HOST};

/// A batch, and its computation by each of the contestants.
pub(crate) trait Batch {
    fn run(&mut self, gpu: &Gpu, contestant: usize) -> Result<(), Error>;
    /// The output of a contestant.
    fn output(&self, gpu: &Gpu, contestant: usize) -> Result<Vec<u8>, Error>;
}

pub(crate) struct Hashes<H> {
    hash: Hash,
    count: usize,
    messages: Vec<u8>,
    outputs: [Vec<u8>; 3],
    on_device: [DeviceBytes; 2],
    function: PhantomData<H>,
}

impl<H: HashMany> Hashes<H> {
    pub(crate) fn batch(gpu: &Gpu, hash: Hash, length: usize, count: usize) -> Result<Box<dyn Batch>, Error>
    where
        H: 'static,
    {
        let messages = bytes(length * count);
        let on_device = [gpu.upload(&messages)?, gpu.allocate(32 * count)?];
        let outputs = [(); 3].map(|()| vec![1; 32 * count]);
        Ok(Box::new(Self { hash, count, messages, outputs, on_device, function: PhantomData }))
    }
}

impl<H: HashMany> Batch for Hashes<H> {
    fn run(&mut self, gpu: &Gpu, contestant: usize) -> Result<(), Error> {
        let Self { hash, count, messages, outputs, on_device: [input, output], .. } = self;
        match contestant {
            CORE => H::hash_fixed(messages, *count, &mut outputs[0])?,
            CORES => parallel::hash_fixed::<H>(messages, *count, &mut outputs[1])?,
            HOST => gpu.hash_fixed(*hash, messages, *count, &mut outputs[2])?,
            _ => {
                gpu.hash_fixed_on_device(*hash, input, *count, output)?;
                gpu.wait()?;
            }
        }
        Ok(())
    }

    fn output(&self, gpu: &Gpu, contestant: usize) -> Result<Vec<u8>, Error> {
        match self.outputs.get(contestant) {
            Some(output) => Ok(output.clone()),
            None => download(gpu, &self.on_device[1]),
        }
    }
}

pub(crate) struct Encapsulations<P: ml_kem::ParameterSet> {
    set: ParameterSet,
    keys: Vec<EncapsulationKey<P>>,
    key_bytes: Vec<u8>,
    messages: Vec<[u8; 32]>,
    ciphertexts: [Vec<ml_kem::Ciphertext<P>>; 2],
    secrets: [Vec<ml_kem::SharedSecret>; 2],
    gpu_ciphertexts: Vec<u8>,
    gpu_secrets: Vec<[u8; 32]>,
    on_device: [DeviceBytes; 4],
}

impl<P: ml_kem::ParameterSet + Send + Sync + 'static> Encapsulations<P>
where
    DecapsulationKey<P>: Send,
    EncapsulationKey<P>: Send + Sync,
{
    pub(crate) fn batch(gpu: &Gpu, set: ParameterSet, count: usize) -> Result<Box<dyn Batch>, Error> {
        let seeds = bytes(64 * count);
        let keys: Vec<EncapsulationKey<P>> = seeds
            .as_chunks::<64>()
            .0
            .par_chunks(64)
            .flat_map_iter(|seeds| {
                let seeds: Vec<_> = seeds.iter().map(|&seeds| seeds.into()).collect();
                let mut keys: Vec<Option<DecapsulationKey<P>>> = (0..seeds.len()).map(|_| None).collect();
                ml_kem::keygen_many(&seeds, &mut keys, &mut Box::<Workspace>::default()).expect("as many keys");
                keys.into_iter().flatten().map(|key| key.encapsulation_key().clone())
            })
            .collect();
        let key_bytes: Vec<u8> = keys.iter().flat_map(|key| key.as_bytes().iter().copied()).collect();
        let messages = bytes(32 * count).as_chunks().0.to_vec();
        let on_device = [
            gpu.upload(&key_bytes)?,
            gpu.upload(messages.as_flattened())?,
            gpu.allocate(set.ciphertext_size() * count)?,
            gpu.allocate(32 * count)?,
        ];
        Ok(Box::new(Self {
            set,
            keys,
            key_bytes,
            messages,
            ciphertexts: [(); 2].map(|()| vec![Default::default(); count]),
            secrets: [(); 2].map(|()| vec![Default::default(); count]),
            gpu_ciphertexts: vec![1; set.ciphertext_size() * count],
            gpu_secrets: vec![[1; 32]; count],
            on_device,
        }))
    }
}

impl<P: ml_kem::ParameterSet + Send + Sync> Batch for Encapsulations<P>
where
    EncapsulationKey<P>: Send + Sync,
{
    fn run(&mut self, gpu: &Gpu, contestant: usize) -> Result<(), Error> {
        let Self { set, keys, messages, ciphertexts, secrets, .. } = self;
        match contestant {
            CORE => {
                let workspace = &mut Box::<Workspace>::default();
                ml_kem::encapsulate_many(keys, messages, &mut ciphertexts[0], &mut secrets[0], workspace)?;
            }
            CORES => {
                let part = (keys.len() / (4 * rayon::current_num_threads())).clamp(8, 1024).next_multiple_of(8);
                let inputs = keys.par_chunks(part).zip(messages.par_chunks(part));
                let outputs = ciphertexts[1].par_chunks_mut(part).zip(secrets[1].par_chunks_mut(part));
                inputs.zip(outputs).try_for_each_init(
                    Box::<Workspace>::default,
                    |workspace, ((keys, messages), (ciphertexts, secrets))| {
                        ml_kem::encapsulate_many(keys, messages, ciphertexts, secrets, workspace)
                    },
                )?;
            }
            HOST => {
                gpu.encapsulate_many(*set, &self.key_bytes, messages, &mut self.gpu_ciphertexts, &mut self.gpu_secrets)?
            }
            _ => {
                let [keys, messages, ciphertexts, secrets] = &mut self.on_device;
                gpu.encapsulate_on_device(*set, keys, messages, ciphertexts, secrets)?;
            }
        }
        Ok(())
    }

    fn output(&self, gpu: &Gpu, contestant: usize) -> Result<Vec<u8>, Error> {
        let both = |ciphertexts: Vec<u8>, secrets: Vec<u8>| [ciphertexts, secrets].concat();
        Ok(match contestant {
            CORE | CORES => both(self.ciphertexts[contestant].concat(), self.secrets[contestant].concat()),
            HOST => both(self.gpu_ciphertexts.clone(), self.gpu_secrets.concat()),
            _ => both(download(gpu, &self.on_device[2])?, download(gpu, &self.on_device[3])?),
        })
    }
}

fn download(gpu: &Gpu, memory: &DeviceBytes) -> Result<Vec<u8>, Error> {
    let mut bytes = vec![0; memory.len()];
    gpu.download(memory, &mut bytes)?;
    Ok(bytes)
}

/// Bytes that look random.
fn bytes(count: usize) -> Vec<u8> {
    let mut state = 0x0123_4567_89ab_cdef_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()
    };
    let mut bytes = vec![0; count];
    bytes.chunks_mut(8).for_each(|chunk| chunk.copy_from_slice(&next()[..chunk.len()]));
    bytes
}
