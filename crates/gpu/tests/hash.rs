//! Digests of the GPU against those of the library on the CPU.

mod common;

use fairlane::{HashMany, keccak::Keccak256, keccak::Sha3_256, sm3::Sm3};
use fairlane_gpu::{Error, Hash};

fn expected(hash: Hash, messages: &[u8], count: usize) -> Vec<u8> {
    let mut digests = vec![0; 32 * count];
    match hash {
        Hash::Keccak256 => Keccak256::hash_fixed(messages, count, &mut digests),
        Hash::Sha3_256 => Sha3_256::hash_fixed(messages, count, &mut digests),
        Hash::Sm3 => Sm3::hash_fixed(messages, count, &mut digests),
    }
    .unwrap();
    digests
}

#[test]
fn known_answers() {
    let Some(gpu) = common::gpu() else { return };
    let answers = [
        (Hash::Keccak256, "4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45"),
        (Hash::Sha3_256, "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532"),
        (Hash::Sm3, "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0"),
    ];
    for (hash, answer) in answers {
        let mut digest = [0; 32];
        gpu.hash_fixed(hash, b"abc", 1, &mut digest).unwrap();
        let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hex, answer, "{hash:?}");
    }
}

#[test]
fn all_lengths_and_counts() {
    let Some(gpu) = common::gpu() else { return };
    let lengths = [0, 1, 3, 4, 31, 32, 55, 56, 63, 64, 65, 100, 119, 120, 134, 135, 136, 137, 138, 271, 272, 273, 1024];
    for hash in Hash::ALL {
        for length in lengths {
            for count in [1, 2, 63, 64, 65, 300] {
                let messages = common::bytes(length * count);
                let mut digests = vec![0xaa; 32 * count];
                gpu.hash_fixed(hash, &messages, count, &mut digests).unwrap();
                assert!(digests == expected(hash, &messages, count), "{hash:?}, {count} of {length} bytes");
            }
        }
    }
}

/// More than the slots' parts, counts at their ends, and buffers that are used again.
#[test]
fn several_parts() {
    let Some(gpu) = common::gpu() else { return };
    // 60 MB, of which the device fetches large parts itself, and less.
    for (length, counts) in [(1000, &[60_000][..]), (33, &[1023, 1025, 3071, 3072, 3073, 10_001]), (0, &[4097])] {
        for &count in counts {
            let messages = common::bytes(length * count);
            let mut digests = vec![0; 32 * count];
            gpu.hash_fixed(Hash::Keccak256, &messages, count, &mut digests).unwrap();
            assert!(digests == expected(Hash::Keccak256, &messages, count), "{count} of {length} bytes");
        }
    }
}

#[test]
fn threads_take_turns() {
    let Some(gpu) = common::gpu() else { return };
    std::thread::scope(|scope| {
        for (hash, length) in Hash::ALL.into_iter().zip([10, 300, 64]) {
            let gpu = &gpu;
            scope.spawn(move || {
                for count in [1, 5000, 70] {
                    let messages = common::bytes(length * count);
                    let mut digests = vec![0; 32 * count];
                    gpu.hash_fixed(hash, &messages, count, &mut digests).unwrap();
                    assert!(digests == expected(hash, &messages, count), "{hash:?}, {count}");
                }
            });
        }
    });
}

#[test]
fn on_device() {
    let Some(gpu) = common::gpu() else { return };
    let (length, count) = (77, 1000);
    let messages = common::bytes(length * count);
    let first = gpu.upload(&messages).unwrap();
    let mut second = gpu.allocate(32 * count).unwrap();
    let mut third = gpu.allocate(32 * count).unwrap();
    gpu.hash_fixed_on_device(Hash::Keccak256, &first, count, &mut second).unwrap();
    gpu.hash_fixed_on_device(Hash::Sm3, &second, count, &mut third).unwrap();
    let mut digests = vec![0; 32 * count];
    gpu.download(&third, &mut digests).unwrap();
    assert!(digests == expected(Hash::Sm3, &expected(Hash::Keccak256, &messages, count), count));
    let mut back = vec![0; messages.len()];
    gpu.download(&first, &mut back).unwrap();
    assert!(back == messages);
}

/// Tasks of a pool, of which one must not wait for a lock that its own thread holds.
#[test]
fn calls_from_tasks_of_a_pool() {
    let Some(gpu) = common::gpu() else { return };
    let messages = vec![7; 3000 * 3000];
    let pool = rayon::ThreadPoolBuilder::new().num_threads(16).build().unwrap();
    pool.scope(|scope| {
        for task in 0..60 {
            let (gpu, messages) = (&gpu, &messages);
            scope.spawn(move |_| {
                if task % 3 > 0 {
                    return std::thread::sleep(std::time::Duration::from_micros(50 + task));
                }
                let mut digests = vec![0; 3000 * 32];
                gpu.hash_fixed(Hash::Sm3, messages, 3000, &mut digests).unwrap();
                assert_eq!(digests[..32], digests[2999 * 32..]);
            });
        }
    });
}

/// The other one has memory of the same number, which must not be taken for it.
#[test]
fn memory_of_another_gpu() {
    let (Some(gpu), Some(other)) = (common::gpu(), common::gpu()) else { return };
    let [memory, _own] = [&gpu, &other].map(|gpu| gpu.upload(&[1; 64]).unwrap());
    let (mut bytes, mut digests) = ([0; 64], other.allocate(32).unwrap());
    let panics = |call: &mut dyn FnMut() -> Result<(), Error>| {
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(call)).unwrap_err();
    };
    panics(&mut || other.download(&memory, &mut bytes));
    panics(&mut || other.hash_fixed_on_device(Hash::Sm3, &memory, 1, &mut digests));
    assert_eq!(bytes, [0; 64]);
}

#[test]
fn nothing_and_wrong_lengths() {
    let Some(gpu) = common::gpu() else { return };
    gpu.hash_fixed(Hash::Keccak256, &[], 0, &mut []).unwrap();
    let (input, mut output) = (gpu.upload(&[]).unwrap(), gpu.allocate(0).unwrap());
    gpu.hash_fixed_on_device(Hash::Keccak256, &input, 0, &mut output).unwrap();
    gpu.download(&output, &mut []).unwrap();
    let mut digests = [0xaa; 64];
    let error = gpu.hash_fixed(Hash::Keccak256, &[0; 10], 3, &mut digests).unwrap_err();
    assert_eq!(error, Error::WrongLength { what: "messages", expected: 9, given: 10 });
    assert_eq!(error.to_string(), "10 bytes of messages in place of 9");
    let error = gpu.hash_fixed(Hash::Keccak256, &[0; 9], 3, &mut digests).unwrap_err();
    assert_eq!(error, Error::WrongLength { what: "output", expected: 96, given: 64 });
    gpu.hash_fixed(Hash::Keccak256, &[0; 9], 0, &mut []).unwrap_err();
    assert_eq!(digests, [0xaa; 64]);

    // So many that the number of their digests' bytes is 0 or 32 modulo 2⁶⁴.
    let (count, expected) = (usize::MAX / 32 + 1, usize::MAX);
    let error = gpu.hash_fixed(Hash::Keccak256, &[], count, &mut []).unwrap_err();
    assert_eq!(error, Error::WrongLength { what: "output", expected, given: 0 });
    let mut output = gpu.allocate(32).unwrap();
    let error = gpu.hash_fixed_on_device(Hash::Keccak256, &input, count + 1, &mut output).unwrap_err();
    assert_eq!(error, Error::WrongLength { what: "output", expected, given: 32 });
}
