//! The commands that read runs: `fairlane report` and `validate`; `compare` reads them by the same functions.

use crate::failure::{Failure, Outcome, complain, reason, unless_closed};
use crate::files::{each_its_own, keep_apart, make_folder, write};
use crate::names::quote;
use crate::output::{Output, print_bytes};
use crate::pending::{Pending, may_replace};
use crate::secret_files::about;
use crate::standard::stdin;
use fairlane_lab::contests::glob;
use fairlane_lab::leak::found::{Leaks, MOST_BYTES};
use fairlane_lab::leak::page;
use fairlane_lab::report::json::{self, ReadError, Wrong};
use fairlane_lab::report::{Format, criterion, html};
use fairlane_lab::run::Run;
use fairlane_lab::validate;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Render runs as Markdown, as an HTML page, as pictures or for other programs; several runs are shown side by side
///
/// A file that exists is replaced if it is empty, or if its first 4 KiB show that fairlane wrote it: a run, a page, a
/// Markdown document made without a template, a picture, comma-separated values or hyperfine's JSON of a run. Any other
/// file is only replaced with --force.
#[derive(clap::Args, Debug)]
pub(crate) struct ReportArgs {
    /// Files that fairlane race --json wrote, plain or compressed by gzip; - is standard input
    #[arg(value_name = "RUN.json", required_unless_present = "leaks")]
    runs: Vec<PathBuf>,
    /// Write the Markdown document to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
    /// Instead of a whole report, fill this Markdown template, in which {{...}} stands for a figure of the runs
    ///
    /// The pages of docs/results are made this way. The documentation of `fairlane_lab::report::template` lists what
    /// {{...}} may be, and that of `fairlane_lab::leak::page` what it may be in the page of a search for leaks.
    #[arg(long, value_name = "FILE")]
    template: Option<PathBuf>,
    /// Write a self-contained HTML page to this file; - is standard output
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write pictures of one run to this folder, which is created if it does not exist: self-contained SVG files with
    /// the ratios of each contest by size and at each size
    #[arg(long, value_name = "DIR")]
    svg: Option<PathBuf>,
    /// Write all results to this file as comma-separated values, a line for each contestant; - is standard output
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write the samples of one run to this folder as criterion's files, for tools such as critcmp; it is created if it
    /// does not exist
    #[arg(long, value_name = "DIR")]
    criterion: Option<PathBuf>,
    /// Write the samples of one run to this file as hyperfine's JSON; - is standard output
    #[arg(long, value_name = "FILE")]
    hyperfine: Option<PathBuf>,
    /// Say of each contestant whether its time tells secrets apart, as fairlane leak --json has found on the same CPU;
    /// without a run, fill the template with what it has found
    #[arg(long, value_name = "LEAKS.json")]
    leaks: Option<PathBuf>,
    /// Write only the pictures with these names, without .svg; * matches anything
    #[arg(long, value_name = "PATTERN", value_delimiter = ',', requires = "svg")]
    figures: Vec<String>,
    /// Replace files that fairlane did not write
    #[arg(short, long)]
    force: bool,
    #[command(flatten)]
    limit: LimitArgs,
}

#[derive(clap::Args, Clone, Copy, Debug)]
pub(crate) struct LimitArgs {
    /// The most MiB of text that a run may have, unpacked: memory and time grow with it
    #[arg(
        long,
        value_name = "MIB",
        default_value_t = json::MOST >> 20,
        value_parser = clap::value_parser!(u64).range(1..=4096)
    )]
    max_size: u64,
}

impl LimitArgs {
    fn bytes(self) -> u64 {
        self.max_size << 20
    }
}

/// Renders the runs.
pub(crate) fn report(args: &ReportArgs) -> Outcome {
    let paths: Vec<&Path> = args.runs.iter().map(PathBuf::as_path).collect();
    let read = args.template.as_deref().into_iter().chain(args.leaks.as_deref());
    let inputs: Vec<&Path> = paths.iter().copied().chain(read).collect();
    let outputs = [
        (args.markdown.as_deref(), "the output of --markdown"),
        (args.html.as_deref(), "the output of --html"),
        (args.csv.as_deref(), "the output of --csv"),
        (args.hyperfine.as_deref(), "the output of --hyperfine"),
    ];
    keep_all_apart(&inputs, &outputs)?;
    let [markdown, html, csv, hyperfine] =
        outputs.map(|(path, _)| path.map(|path| Pending::check_own(path, args.force)).transpose());
    let (markdown, html, csv, hyperfine) = (markdown?, html?, csv?, hyperfine?);
    let of_one = [
        (args.svg.is_some(), "--svg draws one run; give each its own folder"),
        (args.criterion.is_some(), "--criterion takes one run; give each its own folder"),
        (hyperfine.is_some(), "--hyperfine takes one run; give each its own file"),
    ];
    if let Some((_, why)) = of_one.iter().find(|(asked, _)| *asked && args.runs.len() > 1) {
        return Err(Failure::misuse(why));
    }
    let template = args.template.as_deref().map(read_text).transpose()?;
    if let ([], Some(path)) = (&args.runs[..], &args.leaks) {
        let others = html.is_some() || csv.is_some() || hyperfine.is_some() || args.svg.is_some();
        let (Some(template), false) = (template, others || args.criterion.is_some()) else {
            return Err(Failure::misuse("--leaks without a run takes --template and --markdown alone"));
        };
        let page = page::fill(&template, &read_leaks(path)?).map_err(Failure::failed)?.into_bytes();
        return markdown.map_or_else(|| print_bytes(&page), |file| file.write(&page));
    }
    let mut runs = paths.into_iter().map(|path| read_trusting(path, args.limit)).collect::<Result<Vec<_>, _>>()?;
    if let Some(path) = &args.leaks {
        let leaks = read_leaks(path)?;
        runs.iter_mut().try_for_each(|run| leaks.join(run)).map_err(|why| about(path, why))?;
    }
    let render = |format: Format| format.to_bytes(&runs).map_err(Failure::failed);
    let files = [(&html, Format::Html), (&csv, Format::Csv), (&hyperfine, Format::Hyperfine)];
    for (file, format) in &files {
        file.as_ref().map_or(Ok(()), |file| file.write(&render(*format)?))?;
    }
    if let Some(folder) = &args.criterion {
        let files = criterion::files(&runs[0]);
        if !args.force {
            for file in &files {
                same_benchmark(&folder.join(&file.path), &render(Format::Criterion(file))?)?;
            }
        }
        for file in files {
            let path = folder.join(&file.path);
            path.parent().map_or(Ok(()), make_folder)?;
            write(&path, &render(Format::Criterion(&file))?)?;
        }
    }
    if let Some(folder) = &args.svg {
        draw(&runs[0], folder, &args.figures, args.force)?;
    }
    let only_files = files.iter().any(|(file, _)| file.is_some()) || args.svg.is_some() || args.criterion.is_some();
    let format = template.as_deref().map_or(Format::Markdown, Format::Template);
    match markdown {
        Some(markdown) => markdown.write(&render(format)?),
        None if template.is_none() && only_files => Ok(()),
        None => print_bytes(&render(format)?),
    }
}

/// Reads what a search for leaks has found.
pub(crate) fn read_leaks(path: &Path) -> Result<Leaks, Failure> {
    let failed = |error| Failure::Failed(format!("cannot read {}: {}", called(path), reason(&error)));
    let file = fs::File::open(path).map_err(failed)?;
    let mut bytes = Vec::new();
    file.take(MOST_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(failed)?;
    Leaks::read(&bytes).map_err(|why| about(path, why))
}

fn read_text(path: &Path) -> Result<String, Failure> {
    let failed = |error| Failure::Failed(format!("cannot read {}: {}", called(path), reason(&error)));
    fs::read_to_string(path).map_err(failed)
}

/// Refuses to replace a file of a benchmark of criterion, unless it is of the same contest and contestant, as its
/// `benchmark.json` says.
fn same_benchmark(path: &Path, ours: &[u8]) -> Outcome {
    let benchmark = path.with_file_name("benchmark.json");
    let same = match fs::read(&benchmark) {
        Ok(found) => path != benchmark || found == ours,
        Err(_) => !path.exists(),
    };
    if same {
        return Ok(());
    }
    Err(Failure::Misuse(format!(
        "{} exists, and is not that of the same contestant in the same contest: --force replaces it",
        quote(path.as_os_str())
    )))
}

/// Writes the pictures of a run whose names match one of the patterns, or all if there are no patterns.
fn draw(run: &Run, folder: &Path, patterns: &[String], force: bool) -> Outcome {
    let names = html::figure_names(run);
    if names.is_empty() {
        return Err(Failure::failed("this run has no timings, so there is nothing to draw"));
    }
    if let Some(pattern) = patterns.iter().find(|pattern| !names.iter().any(|name| glob(pattern, name))) {
        return Err(Failure::Misuse(format!("no picture is called '{pattern}'; the names are {}", names.join(", "))));
    }
    make_folder(folder)?;
    let is_wanted = |name: &&String| patterns.is_empty() || patterns.iter().any(|pattern| glob(pattern, name));
    let path = |name: &String| folder.join(name).with_extension("svg");
    if !force {
        names.iter().filter(is_wanted).try_for_each(|name| may_replace(&path(name)))?;
    }
    names.iter().filter(is_wanted).try_for_each(|name| {
        let svg = Format::Svg(name).to_bytes(std::slice::from_ref(run)).map_err(Failure::failed)?;
        write(&path(name), &svg)
    })
}

/// Check a run: schema, arithmetic, completeness, plausibility
///
/// Prints every finding, up to 1000 of a run; a file that was edited by hand has some, and one that was made up with
/// care may have none. --signed-by accepts only what somebody vouches for. The exit code is 1 if there are findings.
#[derive(clap::Args, Debug)]
pub(crate) struct ValidateArgs {
    /// Files that fairlane race --json wrote, plain or compressed by gzip; - is standard input
    #[arg(value_name = "RUN.json", required = true)]
    runs: Vec<PathBuf>,
    /// Accept only runs that the owner of this public Ed25519 key, in PEM, signed with fairlane race --sign
    #[arg(long, value_name = "PUBLIC_KEY")]
    signed_by: Option<PathBuf>,
    #[command(flatten)]
    limit: LimitArgs,
}

/// Validates the runs.
pub(crate) fn validate(args: &ValidateArgs) -> Outcome {
    let key = args.signed_by.as_deref().map(|path| Ok::<_, Failure>((path, read_text(path)?))).transpose()?;
    let runs: Vec<&Path> = args.runs.iter().map(PathBuf::as_path).collect();
    keep_all_apart(&runs, &[])?;
    let mut output = Output::new()?;
    let mut good = true;
    for path in runs {
        let name = called(path);
        match read(path, args.limit) {
            Ok(run) => {
                let findings = validate::validate(&run);
                for finding in &findings {
                    unless_closed(output.write(format!("{name}: {finding}\n").as_bytes()))?;
                }
                if findings.is_empty() {
                    let (held, seal) = (counted(run.contests.len(), "contest"), run.vouched_for());
                    unless_closed(output.write(format!("{name}: valid, {held}, {seal}\n").as_bytes()))?;
                    if let Some((path, key)) = &key
                        && !run.is_signed_by(key).map_err(|why| about(path, why))?
                    {
                        complain(format_args!("{name}: not signed with the key of {}", quote(path.as_os_str())));
                        good = false;
                    }
                } else {
                    complain(format_args!("{name}: not what a race writes: {}", counted(findings.len(), "finding")));
                    good = false;
                }
            }
            Err(error) => {
                complain(error);
                good = false;
            }
        }
    }
    unless_closed(output.finish())?;
    if good { Ok(()) } else { Err(Failure::Reported) }
}

/// Reads a run, with a warning on standard error if it does not validate.
pub(crate) fn read_trusting(path: &Path, limit: LimitArgs) -> Result<Run, Failure> {
    let run = read(path, limit).map_err(Failure::failed)?;
    let findings = validate::validate(&run).len();
    if findings > 0 {
        let name = called(path);
        complain(format_args!(
            "warning: {name} is not what a race writes ({}): see fairlane validate {name}",
            counted(findings, "finding")
        ));
    }
    Ok(run)
}

/// Reads a run from a file, or from standard input.
fn read(path: &Path, limit: LimitArgs) -> Result<Run, ReadError> {
    if !is_stdin(path) {
        return json::read_at_most(path, limit.bytes());
    }
    let run = stdin().map_err(Wrong::Unreadable).and_then(|stdin| json::read_from(stdin, limit.bytes()));
    run.map_err(|why| ReadError { path: called(path).into(), why })
}

/// Refuses standard input given twice, since it can be read only once, and outputs, each with its description, that are
/// the same file or one of the inputs.
pub(crate) fn keep_all_apart(runs: &[&Path], outputs: &[(Option<&Path>, &str)]) -> Outcome {
    if runs.iter().filter(|run| is_stdin(run)).count() > 1 {
        return Err(Failure::misuse("- is given twice: standard input can only be one run, name files for the others"));
    }
    each_its_own(outputs)?;
    let files = runs.iter().filter(|run| !is_stdin(run)).map(|run| (Some(*run), "a file that is read"));
    let files: Vec<_> = files.collect();
    outputs.iter().filter_map(|(output, _)| *output).try_for_each(|output| keep_apart(output, &files))
}

fn is_stdin(run: &Path) -> bool {
    run.as_os_str() == "-"
}

/// The name of a run's file, for messages.
fn called(run: &Path) -> String {
    if is_stdin(run) { "standard input".to_owned() } else { quote(run.as_os_str()) }
}

/// `1 finding`, `2 findings`.
pub(crate) fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}
