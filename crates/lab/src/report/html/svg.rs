//! A drawing with a description in words: within a page, or as a file that needs nothing else.

use super::parts::clean;
use maud::{Markup, PreEscaped, html};

/// What pages and pictures share.
pub(super) const STYLE: &str = include_str!("pictures.css");

/// Above a picture of its own: its heading, and where it is from.
const HEAD: f64 = 56.0;

/// A drawing.
pub(super) struct Picture {
    /// What it shows, in a sentence.
    pub(super) title: String,
    /// A description for readers who do not see it.
    pub(super) description: String,
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) content: Markup,
}

impl Picture {
    /// The picture in a page, in which it is named.
    pub(super) fn in_page(&self, id: &str) -> Markup {
        html! {
            svg.chart viewBox={ "0 0 " (self.width) " " (self.height) } role="img" aria-labelledby={ (id) "t " (id) "d" } {
                title id={ (id) "t" } { (self.title) }
                desc id={ (id) "d" } { (self.description) }
                (self.content)
            }
        }
    }

    /// The picture as a file: its style is inside, light or dark as the reader wishes; `source` says where it is from.
    pub(super) fn alone(&self, source: &str) -> String {
        let height = self.height + HEAD;
        let style = STYLE.replace('\r', "");
        let picture = html! {
            svg.chart xmlns="http://www.w3.org/2000/svg" width=(self.width) height=(height)
                viewBox={ "0 0 " (self.width) " " (height) } role="img" aria-labelledby="t d" {
                title id="t" { (self.title) }
                desc id="d" { (self.description) }
                style { (PreEscaped(&style)) }
                rect.paper width="100%" height="100%" {}
                text.heading x="16" y="24" { (self.title) }
                text x="16" y="43" { (source) }
                g transform={ "translate(0 " (HEAD) ")" } { (self.content) }
            }
        };
        clean(&picture.into_string()) + "\n"
    }
}
