//! The report: sections with tables and figures, and the table of claims.

use std::fmt::Write;
use std::path::Path;

use anyhow::Context;
use volar_assets::replace_file;
use volar_view::drawing::{escaped, html};

/// What a claim of the paper came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Confirmed,
    Partly,
    NotConfirmed,
}

impl Verdict {
    /// By a condition.
    pub fn of(confirmed: bool) -> Verdict {
        match confirmed {
            true => Verdict::Confirmed,
            false => Verdict::NotConfirmed,
        }
    }

    fn text(self) -> &'static str {
        match self {
            Verdict::Confirmed => "confirmed",
            Verdict::Partly => "partly",
            Verdict::NotConfirmed => "not confirmed",
        }
    }
}

/// A sentence of the paper beside what was measured.
pub struct Claim {
    pub says: &'static str,
    pub measured: String,
    pub verdict: Verdict,
}

/// An experiment.
pub struct Section {
    /// File name of its data, without the end.
    pub name: &'static str,
    pub title: &'static str,
    pub text: String,
    pub heads: Vec<&'static str>,
    pub rows: Vec<Vec<String>>,
    /// Names and SVGs.
    pub figures: Vec<(String, String)>,
    pub claims: Vec<Claim>,
}

const STYLE: &str = "<style>
:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 76rem; margin: 2rem auto; padding: 0 1rem }
.wide { overflow-x: auto }
table { border-collapse: collapse; font-size: .9rem }
th, td { padding: .25rem .8rem .25rem 0; vertical-align: top; text-align: left }
th { border-bottom: 1px solid #8888 }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 34rem), 1fr)); gap: 1rem }
figure { margin: 0 } svg { width: 100%; height: auto; border-radius: 6px }
</style>";

const CLAIMS: [&str; 3] = ["the paper says", "measured", "verdict"];

fn claim_rows(sections: &[Section]) -> Vec<Vec<String>> {
    let claims = sections.iter().flat_map(|section| &section.claims);
    let row = |claim: &Claim| {
        let verdict = claim.verdict.text().to_owned();
        vec![claim.says.to_owned(), claim.measured.clone(), verdict]
    };
    claims.map(row).collect()
}

/// Writes `reproduction.html`, `reproduction.md`, and data and figures of every section.
pub fn write(sections: &[Section], head: &str, folder: &Path) -> anyhow::Result<()> {
    let put = |name: &str, text: &str| {
        let path = folder.join(name);
        replace_file(&path, text.as_bytes())
            .with_context(|| format!("cannot write {}", path.display()))
    };
    for section in sections {
        put(&format!("{}.csv", section.name), &csv(section))?;
        for (name, svg) in &section.figures {
            put(&format!("{name}.svg"), svg)?;
        }
    }
    put("reproduction.md", &markdown(sections, head))?;
    put("reproduction.html", &page(sections, head))
}

fn csv(section: &Section) -> String {
    let quoted = |cell: &str| format!("\"{}\"", cell.replace('"', "\"\""));
    let line = |cells: Vec<String>| cells.join(",") + "\n";
    let heads = line(section.heads.iter().map(|head| quoted(head)).collect());
    let rows = section.rows.iter();
    heads
        + &rows
            .map(|row| line(row.iter().map(|c| quoted(c)).collect()))
            .collect::<String>()
}

fn markdown(sections: &[Section], head: &str) -> String {
    let table = |heads: &[&str], rows: &[Vec<String>]| {
        let rule = "---|".repeat(heads.len());
        let rows = rows.iter().map(|row| format!("| {} |\n", row.join(" | ")));
        format!(
            "| {} |\n|{rule}\n{}\n",
            heads.join(" | "),
            rows.collect::<String>()
        )
    };
    let mut text = format!(
        "# The paper's experiments\n\nWritten by `volar reproduce`. {head}\n\n## Claims\n\n{}",
        table(&CLAIMS, &claim_rows(sections))
    );
    for section in sections {
        let _ = write!(
            text,
            "## {}\n\n{}\n\n{}",
            section.title,
            section.text,
            table(&section.heads, &section.rows)
        );
    }
    text.trim_end().to_owned() + "\n"
}

fn page(sections: &[Section], head: &str) -> String {
    let table = |heads: &[&str], rows: &[Vec<String>]| {
        let cells = |row: &[String]| -> String {
            row.iter()
                .map(|c| format!("<td>{}</td>", escaped(c)))
                .collect()
        };
        let heads: String = heads
            .iter()
            .map(|h| format!("<th>{}</th>", escaped(h)))
            .collect();
        let rows = rows.iter().map(|row| format!("<tr>{}</tr>\n", cells(row)));
        let rows: String = rows.collect();
        format!("<div class=\"wide\"><table><tr>{heads}</tr>\n{rows}</table></div>\n")
    };
    let mut body = format!(
        "<h1>The paper's experiments</h1>\n<p>{}</p>\n<h2>Claims</h2>\n{}",
        escaped(head),
        table(&CLAIMS, &claim_rows(sections))
    );
    for section in sections {
        let figures = section.figures.iter();
        let figures: String = figures
            .map(|(_, svg)| format!("<figure>{svg}</figure>\n"))
            .collect();
        let _ = write!(
            body,
            "<h2>{}</h2>\n<p>{}</p>\n{}<div class=\"plots\">\n{figures}</div>\n",
            escaped(section.title),
            escaped(&section.text),
            table(&section.heads, &section.rows)
        );
    }
    html("The paper's experiments — Volar", STYLE, &body)
}
