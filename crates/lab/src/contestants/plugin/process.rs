//! A plug-in's process, which is asked questions and may die or hang.

use super::protocol::{Ask, Reply};
use fairlane_common::terminal::reason;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// A plug-in that says nothing for so long hangs.
const PATIENCE: Duration = Duration::from_secs(30);

/// One that has closed its output ends within this time, or is ended.
const LAST_BREATH: Duration = Duration::from_millis(500);

/// Bytes of the longest reply: far above what any contest asks for.
const LONGEST_REPLY: u64 = 64 << 20;

/// Bytes of the longest line on standard error that is kept as one.
const LONGEST_WORDS: u64 = 64 << 10;

/// Characters that a message shows of what a plug-in said.
const SHOWN: usize = 120;

/// The process. It is ended when this is dropped, and on Unix what it has started, too.
pub(super) struct Process {
    child: Child,
    /// Those that a thread writes: a process that does not read them must not stop the race.
    questions: Sender<String>,
    replies: Receiver<String>,
    /// The last line on its standard error.
    last_words: Arc<Mutex<String>>,
    /// Whether it has ended, so that its number may be another's.
    ended: bool,
}

impl Process {
    /// Starts a command.
    pub(super) fn start(mut command: Command) -> Result<Self, String> {
        // Ctrl-C is the race's: it keeps what was measured.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = piped.spawn().map_err(|error| format!("does not start: {}", reason(&error)))?;
        let (Some(mut stdin), Some(stdout), Some(stderr)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            unreachable!("all three are pipes")
        };
        let (questions, asked) = mpsc::channel::<String>();
        thread::spawn(move || asked.iter().try_for_each(|question| stdin.write_all(question.as_bytes())));
        // A process that says more than it is asked waits.
        let (sender, replies) = mpsc::sync_channel(1);
        thread::spawn(move || lines(stdout, LONGEST_REPLY).try_for_each(|line| sender.send(line)));
        let last_words = Arc::new(Mutex::new(String::new()));
        let words = Arc::clone(&last_words);
        thread::spawn(move || {
            for line in lines(stderr, LONGEST_WORDS).filter(|line| !line.trim().is_empty()) {
                *words.lock().unwrap_or_else(PoisonError::into_inner) = line;
            }
        });
        Ok(Self { child, questions, replies, last_words, ended: false })
    }

    /// Asks, and waits for the reply.
    ///
    /// # Errors
    ///
    /// What went wrong, in one line: also what the plug-in calls an error.
    pub(super) fn ask(&mut self, ask: &Ask) -> Result<Reply, String> {
        let mut question = serde_json::to_string(ask).map_err(|error| error.to_string())?;
        question.push('\n');
        if let Ok(line) = self.replies.try_recv() {
            return Err(format!("said '{}' without being asked", shortened(&line)));
        }
        if self.questions.send(question).is_err() {
            return Err(self.end());
        }
        let line = match self.replies.recv_timeout(PATIENCE) {
            Ok(line) => line,
            Err(RecvTimeoutError::Timeout) => {
                return Err(format!("its process did not reply within {} s", PATIENCE.as_secs()));
            }
            Err(RecvTimeoutError::Disconnected) => return Err(self.end()),
        };
        let reply: Reply =
            serde_json::from_str(&line).map_err(|error| format!("replied '{}': {error}", shortened(&line)))?;
        match reply.error {
            Some(error) => Err(shortened(&error)),
            None => Ok(reply),
        }
    }

    /// How the process ended.
    fn end(&mut self) -> String {
        const STEP: Duration = Duration::from_millis(10);
        let mut waited = Duration::ZERO;
        let mut status = self.child.try_wait();
        while waited < LAST_BREATH && matches!(status, Ok(None)) {
            thread::sleep(STEP);
            waited += STEP;
            status = self.child.try_wait();
        }
        if matches!(status, Ok(Some(_))) {
            self.end_group();
            self.ended = true;
        }
        let mut text = match status {
            Ok(Some(status)) => format!("its process {}", ended(status)),
            _ => "its process closed its standard output".to_owned(),
        };
        // The thread that reads it may be a moment behind.
        thread::sleep(STEP);
        let words = self.last_words.lock().unwrap_or_else(PoisonError::into_inner);
        if !words.is_empty() {
            let _ = write!(text, ": {}", shortened(&words)); // a String takes everything
        }
        text
    }

    /// Ends the process and what it has started, which would go on on the core of the race.
    fn end_group(&self) {
        #[cfg(unix)]
        {
            use rustix::process::{Pid, Signal, kill_process_group};
            // Nobody may be left.
            let _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Until it is waited for, nobody else gets its number.
        if !self.ended {
            self.end_group();
        }
        // Where there are no groups; it may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The lines of a pipe, as text; up to its end. Longer ones come in pieces.
fn lines(pipe: impl Read, longest: u64) -> impl Iterator<Item = String> {
    let mut pipe = BufReader::new(pipe);
    std::iter::from_fn(move || {
        let mut line = Vec::new();
        match pipe.by_ref().take(longest).read_until(b'\n', &mut line) {
            Ok(1..) => Some(String::from_utf8_lossy(&line).trim_end().to_owned()),
            _ => None,
        }
    })
}

fn ended(status: ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        let name = match signal {
            4 => " (SIGILL)",
            6 => " (SIGABRT)",
            8 => " (SIGFPE)",
            9 => " (SIGKILL)",
            11 => " (SIGSEGV)",
            _ => "",
        };
        return format!("was ended by signal {signal}{name}");
    }
    status.code().map_or_else(|| "ended".to_owned(), |code| format!("ended with exit code {code}"))
}

/// The beginning of a text, on one line.
pub(super) fn shortened(text: &str) -> String {
    let mut chars = text.trim().chars().map(|c| if c.is_control() { ' ' } else { c });
    let mut short: String = chars.by_ref().take(SHOWN).collect();
    if chars.next().is_some() {
        short.push('…');
    }
    short
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn asked(script: &str) -> Result<Reply, String> {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        Process::start(command).unwrap().ask(&Ask::Run { times: 1 })
    }

    #[test]
    fn replies_and_deaths_are_told() {
        assert_eq!(asked("read q; echo '{\"ns\": 5}'; read q").unwrap().ns, Some(5));
        for (script, why) in [
            ("read q; echo '{\"error\": \"no AES here\"}'", "no AES here"),
            ("read q; kill -SEGV $$", "its process was ended by signal 11 (SIGSEGV)"),
            ("read q; echo 'no such module' >&2; exit 3", "its process ended with exit code 3: no such module"),
            ("exit 4", "its process ended with exit code 4"),
            ("read q; exec >&-; sleep 5", "its process closed its standard output"),
        ] {
            assert_eq!(asked(script).unwrap_err(), why, "{script}");
        }
        let chatty = asked("read q; echo loading tables; read q").unwrap_err();
        assert!(chatty.starts_with("replied 'loading tables': "), "{chatty}");
    }

    #[test]
    fn what_is_said_unasked_is_told() {
        let mut command = Command::new("sh");
        command.args(["-c", "echo ready; read q; echo '{}'; read q"]);
        let mut process = Process::start(command).unwrap();
        let first = process.replies.recv_timeout(PATIENCE).unwrap();
        let (sender, replies) = mpsc::channel();
        sender.send(first).unwrap();
        process.replies = replies;
        assert_eq!(process.ask(&Ask::Run { times: 1 }).unwrap_err(), "said 'ready' without being asked");
    }

    #[test]
    fn long_lines_come_in_pieces() {
        let text = [&[b'a'; 25][..], b"\nb\n"].concat();
        assert_eq!(lines(&text[..], 10).collect::<Vec<_>>(), ["aaaaaaaaaa", "aaaaaaaaaa", "aaaaa", "b"]);
    }

    /// A question that is longer than a pipe holds, to a process that never reads, does not stop the caller; and what
    /// the process has started ends with it.
    #[test]
    fn nothing_is_waited_for_that_does_not_come() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("pid");
        let mut command = Command::new("sh");
        command.args(["-c", "sleep 1000 & echo $! > \"$0\"; wait"]).arg(&file);
        let process = Process::start(command).unwrap();
        process.questions.send("x".repeat(1 << 20)).unwrap();
        let started = || std::fs::read_to_string(&file).ok()?.trim().parse::<u32>().ok();
        let pid = std::iter::repeat_with(|| {
            thread::sleep(Duration::from_millis(10));
            started()
        });
        let pid = pid.take(1000).flatten().next().expect("it has started one");
        drop(process);
        let state = || std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let mut gone = std::iter::repeat_with(|| {
            thread::sleep(Duration::from_millis(10));
            let state = state();
            state.is_empty() || state.contains(") Z ")
        });
        assert!(gone.by_ref().take(1000).any(|gone| gone), "{}", state());
    }

    #[test]
    fn what_does_not_start_is_told() {
        let none = Process::start(Command::new("/no/such/program")).err().unwrap();
        assert!(none.starts_with("does not start: "), "{none}");
    }
}
