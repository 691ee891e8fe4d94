//! Executes comparisons of tags and keys one instruction at a time, and compares which instructions were executed.
//!
//! Each case is one operation with several inputs of the same lengths. The program runs itself as a child under
//! `ptrace` and records the address of every instruction between two signals that the child sends to itself. A branch
//! that depends on a secret, such as a comparison that ends at the first difference, makes these traces differ.
//!
//! Exit status: 0 if all traces of each case are equal, 1 if not, 77 if programs cannot be traced here.

use fairlane::aead::{AeadInOut, Key, KeyInit, Nonce, Tag};
use fairlane::cipher::consts::{U8, U13, U16};
use fairlane::{chacha, kalyna, kusumi, poly1305, sm4};
use std::hint::black_box;
use std::process::ExitCode;

/// The name of a case, and how to run it: `Run` decides what to do before and after each input.
type Case = (&'static str, fn(Run));

/// Called before and after the operation on each input.
type Run = fn();

const CASES: &[Case] = &[
    ("ChaCha20-Poly1305, wrong tags", wrong_tags::<chacha::ChaCha20Poly1305>),
    ("Kusumi512-Poly1305, wrong tags", wrong_tags::<kusumi::Kusumi512Poly1305>),
    ("SM4-GCM, wrong tags", wrong_tags::<sm4::Sm4Gcm>),
    ("SM4-GCM with nonces of 16 bytes, wrong tags", wrong_tags::<sm4::Gcm<U16>>),
    ("SM4-CCM, wrong tags", wrong_tags::<sm4::Sm4Ccm>),
    ("SM4-CCM with tags of 8 bytes, wrong tags", wrong_tags::<sm4::Ccm<U13, U8>>),
    ("Kalyna-128/128-GCM, wrong tags", wrong_tags::<kalyna::Gcm<kalyna::Kalyna128_128>>),
    ("Kalyna-256/256-CCM, wrong tags", wrong_tags::<kalyna::Ccm<kalyna::Kalyna256_256>>),
    ("Poly1305, wrong tags", poly1305_verify),
    ("Kalyna-128/128-KW, changed keys", kw_unwrap),
    ("SM4-XTS, halves of keys that differ", xts_halves),
    (CONTROL, early_exit),
];

/// The case whose traces must differ.
const CONTROL: &str = "control, a comparison that ends at the first difference";

/// Runs an operation on each input, which lies at the same address each time.
fn on_each<T: Clone>(inputs: &[T], mark: Run, operation: impl Fn(&mut T)) {
    // The loop must not be unrolled, or each input would have code of its own.
    for input in black_box(inputs) {
        let mut input = input.clone();
        mark();
        operation(&mut input);
        mark();
    }
}

/// Some bytes, changed at the beginning, at the end, or everywhere.
fn wrong<T: Clone + AsMut<[u8]>>(right: &T) -> [T; 3] {
    let mut wrong = [right.clone(), right.clone(), right.clone()];
    *wrong[0].as_mut().first_mut().unwrap() ^= 1;
    *wrong[1].as_mut().last_mut().unwrap() ^= 0x80;
    wrong[2].as_mut().iter_mut().for_each(|byte| *byte ^= 0xff);
    wrong
}

/// Opens messages with wrong tags, under two keys.
fn wrong_tags<A: AeadInOut + KeyInit + Clone>(mark: Run) {
    let mut inputs = vec![];
    for seed in [0x3a, 0xc5] {
        let key = Key::<A>::from_fn(|i| seed ^ i as u8);
        let (cipher, nonce, mut data) = (A::new(&key), Nonce::<A>::from_fn(|i| i as u8), [seed; 40]);
        let tag = cipher.encrypt_inout_detached(&nonce, b"header", data.as_mut_slice().into()).unwrap();
        for tag in wrong::<Tag<A>>(&tag) {
            inputs.push((cipher.clone(), nonce.clone(), data, tag));
        }
    }
    on_each(&inputs, mark, |(cipher, nonce, data, tag)| {
        assert!(cipher.decrypt_inout_detached(nonce, b"header", data.as_mut_slice().into(), tag).is_err());
    });
}

fn poly1305_verify(mark: Run) {
    let mut mac = poly1305::Poly1305::new(&[7; 32]);
    mac.update(b"a message of more than one block");
    let tag = mac.clone().finalize();
    on_each(&wrong(&tag).map(|tag| (mac.clone(), tag)), mark, |(mac, tag)| {
        assert!(mac.clone().verify(tag).is_err());
    });
}

fn kw_unwrap(mark: Run) {
    let kw = kalyna::Kw::<kalyna::Kalyna128_128>::new(&[7; 16].into());
    let mut wrapped = [0; 48];
    kw.wrap(&[1; 32], &mut wrapped).unwrap();
    on_each(&wrong(&wrapped), mark, |wrapped| {
        assert!(kw.unwrap(wrapped, &mut [0; 32]).is_err());
    });
}

fn xts_halves(mark: Run) {
    let half = [7; 16];
    let keys = wrong(&half).map(|other| [half, other].concat().try_into().unwrap());
    on_each::<[u8; 32]>(&keys, mark, |key| assert!(black_box(sm4::Sm4Xts::new(key)).is_ok()));
}

fn early_exit(mark: Run) {
    let right = [7; 16];
    on_each(&wrong(&right), mark, |bytes| {
        let same = |i: &usize| black_box(bytes[*i]) == right[*i];
        black_box((0..16).take_while(same).count());
    });
}

/// The child: each case once without and once with marks.
fn run(cases: &[Case]) {
    fn stop() {
        // SAFETY: stops this process, which the parent notices.
        unsafe { libc::raise(libc::SIGSTOP) };
    }
    for (_, case) in cases {
        // Finds the CPU's features, and resolves the functions of shared libraries.
        case(|| ());
        case(stop);
    }
}

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod trace {
    use std::io;
    use std::os::unix::process::CommandExt;
    use std::process::Command;
    use std::ptr::null_mut;

    /// The addresses of the instructions of one operation.
    pub type Trace = Vec<u64>;

    /// This program, stopped, as a child that is traced.
    pub struct Child(libc::pid_t);

    impl Child {
        pub fn start(argument: &str) -> io::Result<Self> {
            let mut command = Command::new(std::env::current_exe()?);
            // SAFETY: a system call only. The child stops when it begins to execute the program.
            unsafe {
                command.arg(argument).pre_exec(|| match libc::ptrace(libc::PTRACE_TRACEME, 0, 0, 0) {
                    0 => Ok(()),
                    _ => Err(io::Error::last_os_error()),
                });
            }
            let child = Self(command.spawn()?.id() as libc::pid_t);
            child.wait()?;
            Ok(child)
        }

        /// The file whose code is at an address, and the place in the file.
        pub fn locate(&self, address: u64) -> Option<String> {
            let maps = std::fs::read_to_string(format!("/proc/{}/maps", self.0)).ok()?;
            maps.lines().find_map(|line| {
                let fields: Vec<_> = line.split_whitespace().collect();
                let number = |digits| u64::from_str_radix(digits, 16).ok();
                let (start, end) = fields[0].split_once('-')?;
                let (start, end, offset) = (number(start)?, number(end)?, number(fields[2])?);
                let place = (start..end).contains(&address).then(|| address - start + offset)?;
                Some(format!("{} at {place:#x}", fields.last()?))
            })
        }

        /// The signal by which the child has stopped, or `None` if it has ended well.
        fn wait(&self) -> io::Result<Option<i32>> {
            let mut status = 0;
            // SAFETY: waits for the child of this process; `status` is written to.
            if unsafe { libc::waitpid(self.0, &mut status, 0) } < 0 {
                return Err(io::Error::last_os_error());
            }
            match status {
                0 => Ok(None),
                status if libc::WIFSTOPPED(status) => Ok(Some(libc::WSTOPSIG(status))),
                _ => Err(io::Error::other(format!("the traced program failed, status {status:#x}"))),
            }
        }

        fn go(&self, request: libc::c_uint) -> io::Result<Option<i32>> {
            // SAFETY: lets the stopped child go on; no memory of this process is involved.
            if unsafe { libc::ptrace(request, self.0, 0, 0) } < 0 {
                return Err(io::Error::last_os_error());
            }
            self.wait()
        }

        fn address(&self) -> io::Result<u64> {
            // SAFETY: the registers are numbers, for which zeros are valid, and `ptrace` writes no more than `iov_len`.
            let registers = unsafe {
                let mut registers: libc::user_regs_struct = std::mem::zeroed();
                let mut part = libc::iovec { iov_base: (&raw mut registers).cast(), iov_len: size_of_val(&registers) };
                let prstatus = 1 as *mut libc::c_void;
                if libc::ptrace(libc::PTRACE_GETREGSET, self.0, prstatus, &raw mut part) < 0 {
                    return Err(io::Error::last_os_error());
                }
                registers
            };
            #[cfg(target_arch = "x86_64")]
            let address = registers.rip;
            #[cfg(target_arch = "aarch64")]
            let address = registers.pc;
            Ok(address)
        }

        /// The trace between the next two marks, or `None` if there are no more.
        pub fn next(&self) -> io::Result<Option<Trace>> {
            if self.go(libc::PTRACE_CONT)?.is_none() {
                return Ok(None);
            }
            let mut trace = vec![];
            while self.go(libc::PTRACE_SINGLESTEP)? != Some(libc::SIGSTOP) {
                trace.push(self.address()?);
            }
            Ok(Some(trace))
        }
    }

    impl Drop for Child {
        fn drop(&mut self) {
            // SAFETY: ends and collects the child of this process, if it is still there.
            unsafe {
                libc::kill(self.0, libc::SIGKILL);
                libc::waitpid(self.0, null_mut(), 0);
            }
        }
    }
}

#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
mod trace {
    pub struct Child;

    impl Child {
        pub fn start(_: &str) -> std::io::Result<Self> {
            Err(std::io::ErrorKind::Unsupported.into())
        }
        pub fn locate(&self, _: u64) -> Option<String> {
            None
        }
        pub fn next(&self) -> std::io::Result<Option<Vec<u64>>> {
            Ok(None)
        }
    }
}

fn main() -> ExitCode {
    if let Some(case) = std::env::args().nth(1) {
        let case = case.parse::<usize>().unwrap();
        run(&CASES[case..=case]);
        return ExitCode::SUCCESS;
    }
    let mut failed = false;
    for (i, (name, _)) in CASES.iter().enumerate() {
        let child = match trace::Child::start(&i.to_string()) {
            Ok(child) => child,
            Err(error) => {
                println!("skipped: programs cannot be traced here: {error}");
                return ExitCode::from(77);
            }
        };
        let next = || child.next().expect("the child is traced to its end");
        let (first, mut count) = (next().expect("there is an input"), 1);
        let mut differs = false;
        while let Some(trace) = next() {
            count += 1;
            if trace != first && !differs {
                differs = true;
                let at = first.iter().zip(&trace).take_while(|(a, b)| a == b).count().max(1) - 1;
                let place = child.locate(first[at]).unwrap_or_default();
                let verdict = if *name == CONTROL { "differs, as it must," } else { "FAILED" };
                println!("  {name}: {verdict} with input {count}, which parts from the first one after {place}");
            }
        }
        if !differs {
            println!("  {name}: {count} times the same {} instructions", first.len());
        }
        failed |= differs != (*name == CONTROL) || count < 3 || first.len() < 50;
    }
    ExitCode::from(u8::from(failed))
}
