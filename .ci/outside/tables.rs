//! The control of `memcheck`: Kalyna by tables looks bytes of the key up at secret addresses, which must be reported.
//!
//! Exit status: 0 if it was, 1 if not, 2 without the checker.

use fairlane::Backend;
use fairlane::cipher::BlockCipherEncrypt;
use fairlane::kalyna::Kalyna128_128;
use std::hint::black_box;
use std::process::ExitCode;

#[path = "../checker.rs"]
#[expect(dead_code, reason = "a control has nothing public")]
mod checker;

fn main() -> ExitCode {
    if !checker::is_running() {
        println!("this program is run by bash .ci/outside/memcheck");
        return ExitCode::from(2);
    }
    let mut key = [7; 16];
    checker::secret(&mut key);
    let cipher = Kalyna128_128::with_backend(&black_box(key).into(), Backend::Scalar).expect("scalar runs everywhere");
    cipher.encrypt_block(&mut Default::default());
    let reports = checker::reports();
    println!("  control Kalyna by tables: {reports} reports");
    ExitCode::from(u8::from(reports == 0))
}
