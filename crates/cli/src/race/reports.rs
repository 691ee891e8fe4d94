//! The files that a race writes: those asked for or, if neither a contest nor a file was named, a page and a run.

use super::Args;
use crate::failure::{Failure, Outcome};
use crate::files::{Pending, each_its_own};
use fairlane_lab::report::Format;
use fairlane_lab::run::Run;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// The page and the samples of a race of no named contest.
const OWN: [&str; 2] = ["fairlane-race.html", "fairlane-race.json"];

/// Files that can be written, as was found before the race.
pub(crate) struct Reports {
    json: Option<Pending>,
    markdown: Option<Pending>,
    html: Option<Pending>,
    /// Whether a report was to be left, and could be nowhere.
    nowhere: bool,
}

impl Reports {
    /// Makes sure that what the arguments ask for can be written.
    pub(crate) fn check(args: &Args) -> Result<Self, Failure> {
        each_its_own(&[
            (args.html.as_deref(), "the output of --html"),
            (args.markdown.as_deref(), "the output of --markdown"),
            (args.json.as_deref(), "the output of --json"),
        ])?;
        let asked = |path: &Option<PathBuf>| path.as_deref().map(Pending::check).transpose();
        let mut reports = Self {
            json: asked(&args.json)?,
            markdown: asked(&args.markdown)?,
            html: asked(&args.html)?,
            nowhere: false,
        };
        if args.is_main() && reports.all().next().is_none() {
            match [Some(PathBuf::new()), cache()].iter().flatten().find_map(|folder| own(folder)) {
                Some([html, json]) => (reports.html, reports.json) = (Some(html), Some(json)),
                None => reports.nowhere = true,
            }
        }
        Ok(reports)
    }

    fn all(&self) -> impl Iterator<Item = &Pending> {
        [&self.html, &self.markdown, &self.json].into_iter().flatten()
    }

    /// Whether standard output is one of them.
    pub(crate) fn take_stdout(&self) -> bool {
        self.all().any(Pending::is_stdout)
    }

    /// The paths of the files, in one line.
    pub(crate) fn told(&self) -> String {
        if self.nowhere {
            return "report: none, because neither this folder nor a cache folder can be written; --html FILE writes one"
                .to_owned();
        }
        format!("report: {}", self.all().map(Pending::name).collect::<Vec<_>>().join(", "))
    }

    /// Writes all of them.
    pub(crate) fn write(&self, run: &Run) -> Vec<Outcome> {
        let runs = std::slice::from_ref(run);
        let gzip = self.json.as_ref().is_some_and(Pending::is_gzip);
        let formats =
            [(&self.json, Format::Json { gzip }), (&self.markdown, Format::Markdown), (&self.html, Format::Html)];
        let asked = formats.iter().filter_map(|(file, format)| Some((file.as_ref()?, format)));
        asked.map(|(file, format)| file.write(&format.to_bytes(runs).map_err(Failure::failed)?)).collect()
    }
}

/// The race's own files in a folder, if they can be written there.
fn own(folder: &Path) -> Option<[Pending; 2]> {
    if !folder.as_os_str().is_empty() {
        fs::create_dir_all(folder).ok()?;
    }
    let [html, json] = OWN.map(|name| Pending::check(&folder.join(name)).ok());
    Some([html?, json?])
}

/// The user's own folder for what can be made again.
fn cache() -> Option<PathBuf> {
    let named = |variable| env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = named("XDG_CACHE_HOME").or_else(|| named("LOCALAPPDATA"));
    Some(base.or_else(|| env::home_dir().map(|home| home.join(".cache")))?.join("fairlane"))
}
