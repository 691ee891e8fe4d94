//! The command line.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

/// What `--help` prints.
pub(crate) const HELP: &str = "\
age's post-quantum recipients, age1pq1..., for programs that have plugins but not these recipients, such as rage 0.12
and age before 1.3. The files are those of age 1.3 and newer, which needs no plugin for them.

Usage:
    age-plugin-pq --generate [-o OUTPUT]
    age-plugin-pq --recipients [-o OUTPUT] [INPUT]
    age-plugin-pq --identity [-o OUTPUT] [INPUT]
    age-plugin-pq --native [-o OUTPUT] [INPUT]

Commands:
    --generate           Make a new identity, AGE-PLUGIN-PQ-1...
    --recipients         Print the recipients of identities
    --identity           Convert identities of age, AGE-SECRET-KEY-PQ-1..., to those for plugins, AGE-PLUGIN-PQ-1...
    --native             Convert identities for plugins to those of age
    --help, --version

Options:
    -o, --output OUTPUT  Write to a new file instead of standard output. A file that exists is never overwritten; one
                         with identities is readable by its owner only, on Unix.

INPUT is a file with identities of either kind, one a line; without it, or if it is -, standard input is read.

Programs that encrypt and decrypt find age-plugin-pq in PATH, and start it with --age-plugin.
";

/// What the command line asks for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Request {
    Help,
    Version,
    /// `--age-plugin=recipient-v1`
    Recipient,
    /// `--age-plugin=identity-v1`
    Identity,
    Generate {
        output: Option<PathBuf>,
    },
    Convert {
        to: Form,
        input: Option<PathBuf>,
        output: Option<PathBuf>,
    },
}

/// What is written for each identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Recipient,
    Plugin,
    Native,
}

/// Reads the arguments after the program's name. The error is what is wrong with them.
///
/// As in age's own tools, long options may begin with one hyphen.
pub(crate) fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Request, String> {
    let mut arguments = arguments.into_iter();
    let (mut command, mut machine, mut output, mut input) = (None, None, None, None);
    let mut only_files = false;
    while let Some(argument) = arguments.next() {
        let text = argument.to_string_lossy();
        if only_files || text == "-" || !text.starts_with('-') {
            put(&mut input, PathBuf::from(argument), "INPUT")?;
            continue;
        }
        if text == "--" {
            only_files = true;
            continue;
        }
        let option = text.strip_prefix("--").or(text.strip_prefix('-')).unwrap_or(&text);
        let (name, value) = option.split_once('=').map_or((option, None), |(name, value)| (name, Some(value)));
        let mut value = || match value {
            // What is lost in a path that is not Unicode is not, if it is an argument of its own.
            Some(value) if value.contains(char::REPLACEMENT_CHARACTER) => {
                Err(format!("the value of {name} is not Unicode: write it as the next argument"))
            }
            Some(value) => Ok(OsString::from(value)),
            None => arguments.next().ok_or_else(|| format!("{text} needs a value")),
        };
        match name {
            "age-plugin" => put(&mut machine, value()?, "--age-plugin")?,
            "o" | "output" => put(&mut output, PathBuf::from(value()?), "--output")?,
            "generate" | "recipients" | "identity" | "native" | "help" | "h" | "version" if option == name => {
                put(&mut command, name.to_owned(), "a command")?;
            }
            _ => return Err(format!("there is no option {text}")),
        }
    }

    if let Some(machine) = machine {
        if command.is_some() || output.is_some() || input.is_some() {
            return Err("--age-plugin stands alone".into());
        }
        return match machine.to_str() {
            Some("recipient-v1") => Ok(Request::Recipient),
            Some("identity-v1") => Ok(Request::Identity),
            _ => Err(format!("there is no state machine {}", OsStr::display(&machine))),
        };
    }
    let named = |path: &PathBuf| path.as_os_str() != "-";
    let output = output.filter(named);
    let to = match command.as_deref() {
        Some("help" | "h") => return Ok(Request::Help),
        Some("version") => return Ok(Request::Version),
        Some("generate") if input.is_some() => return Err("--generate takes no INPUT".into()),
        Some("generate") => return Ok(Request::Generate { output }),
        Some("recipients") => Form::Recipient,
        Some("identity") => Form::Plugin,
        Some("native") => Form::Native,
        _ => return Err("nothing to do: give a command".into()),
    };
    Ok(Request::Convert { to, input: input.filter(named), output })
}

/// Notes what may be given once.
fn put<T>(place: &mut Option<T>, value: T, name: &str) -> Result<(), String> {
    match place.replace(value) {
        Some(_) => Err(format!("{name} is given twice")),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Request, String> {
        parse(line.split_whitespace().map(OsString::from))
    }

    #[test]
    fn commands() {
        let convert = |to, input: Option<&str>, output: Option<&str>| {
            Ok(Request::Convert { to, input: input.map(PathBuf::from), output: output.map(PathBuf::from) })
        };
        assert_eq!(parsed("--age-plugin=recipient-v1"), Ok(Request::Recipient));
        assert_eq!(parsed("--age-plugin identity-v1"), Ok(Request::Identity));
        assert_eq!(parsed("-age-plugin=identity-v1"), Ok(Request::Identity));
        assert_eq!(parsed("--generate"), Ok(Request::Generate { output: None }));
        assert_eq!(parsed("-generate -o key"), Ok(Request::Generate { output: Some("key".into()) }));
        assert_eq!(parsed("--output=key --generate"), Ok(Request::Generate { output: Some("key".into()) }));
        assert_eq!(parsed("--identity"), convert(Form::Plugin, None, None));
        assert_eq!(parsed("-identity -o out in"), convert(Form::Plugin, Some("in"), Some("out")));
        assert_eq!(parsed("--native -o - -"), convert(Form::Native, None, None));
        assert_eq!(parsed("--recipients -- -file"), convert(Form::Recipient, Some("-file"), None));
        assert_eq!(parsed("-h"), Ok(Request::Help));
        assert_eq!(parsed("--help"), Ok(Request::Help));
        assert_eq!(parsed("-version"), Ok(Request::Version));
    }

    #[test]
    fn misuse() {
        for (line, error) in [
            ("", "nothing to do: give a command"),
            ("file", "nothing to do: give a command"),
            ("--identity a b", "INPUT is given twice"),
            ("--identity --native", "a command is given twice"),
            ("--identity -o a -o b", "--output is given twice"),
            ("--identity -o", "-o needs a value"),
            ("--identity=x", "there is no option --identity=x"),
            ("--keygen", "there is no option --keygen"),
            ("--generate file", "--generate takes no INPUT"),
            ("--age-plugin", "--age-plugin needs a value"),
            ("--age-plugin=recipient-v2", "there is no state machine recipient-v2"),
            ("--age-plugin=", "there is no state machine "),
            ("--age-plugin=identity-v1 --generate", "--age-plugin stands alone"),
            ("--age-plugin=identity-v1 file", "--age-plugin stands alone"),
        ] {
            assert_eq!(parsed(line), Err(error.to_owned()), "{line}");
        }
    }
}
