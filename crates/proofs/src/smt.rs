//! A second judge: the same bodies and standards as SMT-LIB 2, for a solver that knows nothing of our normal forms.
//!
//! An obligation says that some output differs; a solver must answer `unsat`.

use crate::arx::{Columns, Rows, Threefish};
use crate::kalyna::Rounds;
use crate::kalyna_gcm::Reduction;
use crate::keccak::Permutation;
use crate::proof::{Claim, Kernel};
use crate::sm3::Compression;
use crate::sm4::{InSteps, ask_of_bytes};
use crate::smt_script::{Vector, ask, script};
use crate::smt_steps::in_steps;
use crate::value::{Kind, Value, of_kind};
use crate::word::{AND_NOT, TERNARY};
use std::io::Write;
use std::process::{Command, Stdio};

/// The obligation that a kernel's outputs equal its standard's.
fn obligation(kernel: &dyn Kernel) {
    let inputs: Vec<Value> = kernel.inputs().into_iter().map(|bits| Vector::input(bits).into()).collect();
    let (outputs, standard) = of_kind(Kind::Vector, || {
        kernel.name_inputs(&inputs);
        let (outputs, ..) = crate::mutation::with(None, || kernel.body(&inputs));
        (outputs, kernel.standard(&inputs, &|x| x))
    });
    assert_eq!(outputs.len(), standard.len(), "{}", kernel.name());
    ask(&[], &outputs.iter().zip(&standard).map(|(x, y)| (x.vector(), y.vector())).collect::<Vec<_>>());
}

/// The installed solver.
fn solver() -> Option<&'static str> {
    let works = Command::new("z3").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    works.is_ok_and(|status| status.success()).then_some("z3")
}

/// What a solver answers to a script's questions.
fn answers(solver: &str, text: String) -> Vec<String> {
    let mut child = Command::new(solver)
        .args(["-in", "-T:1000"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("z3 starts");
    let mut to_solver = child.stdin.take().expect("a pipe");
    // It answers while it reads.
    let writer = std::thread::spawn(move || to_solver.write_all(text.as_bytes()).expect("z3 reads"));
    let output = child.wait_with_output().expect("z3 ends");
    writer.join().expect("written");
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
}

/// Has a solver judge what `obligations` asks of a kernel.
fn judge(kernel: &dyn Kernel, obligations: impl FnOnce(&dyn Kernel)) -> Option<Claim> {
    let folder = std::env::var_os("FAIRLANE_PROOFS_SMT");
    if folder.is_none() {
        // Without a solver nobody reads the script.
        solver()?;
    }
    let (text, questions) = script(|| obligations(kernel));
    let text = format!("; {}\n(set-logic QF_UFBV)\n{text}", kernel.name());
    if let Some(folder) = folder {
        let name: String = kernel.name().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        std::fs::write(std::path::Path::new(&folder).join(name + ".smt2"), &text).expect("the folder can be written");
    }
    let solver = solver()?;
    Some(Claim::of(kernel.name(), "a second judge: z3", || {
        let lines = text.lines().count();
        let answers = answers(solver, text);
        assert!(answers.iter().all(|answer| answer == "unsat"), "{}: {answers:?}", kernel.name());
        assert_eq!(answers.len(), questions, "{}", kernel.name());
        if questions == 1 { format!("unsat; {lines} lines") } else { format!("{questions} × unsat; {lines} lines") }
    }))
}

/// Has a solver judge what it can in short time. Without one, nothing is claimed.
pub fn claims() -> Vec<Claim> {
    judged(vec![
        judge(&Compression, in_steps),
        judge(&Permutation::<12, TERNARY>, in_steps),
        judge(&Columns::<20, TERNARY>, obligation),
        judge(&Rows::<20>, obligation),
        judge(&crate::arx::Kusumi::<TERNARY>, obligation),
        judge(&Rounds::<2, 1, false>, obligation),
        judge(&Rounds::<2, 1, true>, obligation),
        judge(&Threefish::<4, false>, obligation),
        judge(&Reduction::<1>([7, 2, 1]), obligation),
        judge(&Reduction::<2>([10, 5, 2]), obligation),
        judge(&Reduction::<4>([8, 5, 2]), obligation),
    ])
}

/// Has a solver judge all rounds of Keccak-f\[1600\], in two forms.
pub fn keccak_claims() -> Vec<Claim> {
    judged(vec![judge(&Permutation::<24, AND_NOT>, in_steps), judge(&Permutation::<24, TERNARY>, in_steps)])
}

/// Has a solver judge all rounds of SM4.
pub fn sm4_claims() -> Vec<Claim> {
    let rounds = judge(&InSteps, |kernel| {
        ask_of_bytes();
        in_steps(kernel);
    });
    judged(vec![rounds])
}

fn judged(all: Vec<Option<Claim>>) -> Vec<Claim> {
    let skipped = all.iter().filter(|claim| claim.is_none()).count();
    if skipped > 0 {
        eprintln!("smt: {skipped} obligations skipped: no z3 is installed");
    }
    all.into_iter().flatten().collect()
}
