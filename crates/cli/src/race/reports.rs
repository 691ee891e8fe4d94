//! The files that a race writes: those named by options or, if neither a contest nor a file was named, an HTML page and
//! the JSON run.

use super::args::Args;
use crate::failure::{Failure, Outcome};
use crate::files::{each_its_own, keep_apart};
use crate::pending::Pending;
use fairlane_lab::report::Format;
use fairlane_lab::run::Run;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// The names of the page and the run that a race of the default selection writes.
const DEFAULT_NAMES: [&str; 2] = ["fairlane-race.html", "fairlane-race.json"];

/// The files to write. That they can be written was checked before the race.
pub(crate) struct Reports {
    json: Option<Pending>,
    markdown: Option<Pending>,
    html: Option<Pending>,
    /// Whether no folder for the default files can be written.
    nowhere: bool,
}

impl Reports {
    /// Checks that the files which the arguments name can be written.
    pub(crate) fn check(args: &Args) -> Result<Self, Failure> {
        let named = [
            (args.html.as_deref(), "the output of --html"),
            (args.markdown.as_deref(), "the output of --markdown"),
            (args.json.as_deref(), "the output of --json"),
        ];
        each_its_own(&named)?;
        named.iter().filter_map(|(path, _)| *path).try_for_each(|path| keep_apart(path, &args.files()))?;
        let asked =
            |path: &Option<PathBuf>| path.as_deref().map(|path| Pending::check_own(path, args.force)).transpose();
        let mut reports = Self {
            json: asked(&args.json)?,
            markdown: asked(&args.markdown)?,
            html: asked(&args.html)?,
            nowhere: false,
        };
        if args.is_main() && reports.all().next().is_none() {
            match [Some(PathBuf::new()), cache()].iter().flatten().find_map(|folder| default_files(folder, args.force))
            {
                Some([html, json]) => (reports.html, reports.json) = (Some(html), Some(json)),
                None => reports.nowhere = true,
            }
        }
        Ok(reports)
    }

    fn all(&self) -> impl Iterator<Item = &Pending> {
        [&self.html, &self.markdown, &self.json].into_iter().flatten()
    }

    /// Whether one of the files is standard output.
    pub(crate) fn use_stdout(&self) -> bool {
        self.all().any(Pending::is_stdout)
    }

    /// A line with the paths of the files.
    pub(crate) fn paths(&self) -> String {
        if self.nowhere {
            return "report: none, because neither this folder nor a cache folder is writable; --html FILE writes one"
                .to_owned();
        }
        format!("report: {}", self.all().map(Pending::name).collect::<Vec<_>>().join(", "))
    }

    /// Writes all files.
    pub(crate) fn write(&self, run: &Run) -> Vec<Outcome> {
        let runs = std::slice::from_ref(run);
        let gzip = self.json.as_ref().is_some_and(Pending::is_gzip);
        let formats =
            [(&self.json, Format::Json { gzip }), (&self.markdown, Format::Markdown), (&self.html, Format::Html)];
        let asked = formats.iter().filter_map(|(file, format)| Some((file.as_ref()?, format)));
        asked.map(|(file, format)| file.write(&format.to_bytes(runs).map_err(Failure::failed)?)).collect()
    }
}

/// The default files in a folder, if they can be written there.
fn default_files(folder: &Path, force: bool) -> Option<[Pending; 2]> {
    if !folder.as_os_str().is_empty() {
        fs::create_dir_all(folder).ok()?;
    }
    let [html, json] = DEFAULT_NAMES.map(|name| Pending::check_own(&folder.join(name), force).ok());
    Some([html?, json?])
}

/// The user's cache folder for fairlane.
fn cache() -> Option<PathBuf> {
    let named = |variable| env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = named("XDG_CACHE_HOME").or_else(|| named("LOCALAPPDATA"));
    Some(base.or_else(|| env::home_dir().map(|home| home.join(".cache")))?.join("fairlane"))
}
