//! The page: one program for reports and for the viewer, built from `web`.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// What is to be installed when there is no page.
pub const REMEDY: &str =
    "install Node.js 20.19 or later with npm, then run `cargo clean -p volar-view` and build again";

/// The program of the page and its style.
#[derive(Clone, Copy, Debug)]
pub struct Page {
    /// JavaScript.
    pub script: &'static str,
    /// CSS.
    pub style: &'static str,
}

const SCRIPT: &str = include_str!(concat!(env!("OUT_DIR"), "/viewer.js"));
const STYLE: &str = include_str!(concat!(env!("OUT_DIR"), "/viewer.css"));

impl Page {
    /// Whether there is a page, for builds that must have one.
    pub const IS_BUILT: bool = !SCRIPT.is_empty() && !STYLE.is_empty();

    /// The page that was built along; none on a machine without Node.js.
    pub fn built() -> Option<Page> {
        Page::IS_BUILT.then_some(Page {
            script: SCRIPT,
            style: STYLE,
        })
    }

    /// The page with all its data, as one file that needs nothing else.
    pub(crate) fn with_data(&self, title: &str, data: &Data) -> String {
        let body = format!(
            "<script type=\"application/json\" id=\"volar-meta\">{}</script>\n\
             <script type=\"text/plain\" id=\"volar-frames\">{}</script>\n\
             <script type=\"text/plain\" id=\"volar-patches\">{}</script>\n\
             <script type=\"module\">{}</script>",
            // The only exit of a script element is its closing tag.
            data.meta.replace('<', "\\u003c"),
            STANDARD.encode(&data.frames),
            STANDARD.encode(&data.patches),
            self.script.replace("</script", "<\\/script"),
        );
        html(title, &format!("<style>{}</style>", self.style), &body)
    }

    /// The page that asks a server for its data.
    pub(crate) fn from_server(title: &str) -> String {
        html(
            title,
            "<link rel=\"stylesheet\" href=\"viewer.css\">",
            "<script type=\"module\" src=\"viewer.js\"></script>",
        )
    }
}

/// What a page shows.
pub(crate) struct Data {
    /// Bodies, plots and all else that does not change, as JSON.
    pub meta: String,
    /// Frames, compressed.
    pub frames: Vec<u8>,
    /// Patches of contact at some frames, compressed.
    pub patches: Vec<u8>,
}

/// A page around a body.
pub fn html(title: &str, head: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n\
         <link rel=\"icon\" href=\"data:,\">\n\
         <title>{}</title>\n{head}\n</head>\n<body>\n{body}\n</body>\n</html>\n",
        escaped(title)
    )
}

/// Text as HTML shows it.
pub fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}
