//! The report: sections with tables and figures, and the table of claims.

use std::fmt::Write;
use std::path::Path;

use anyhow::Context;
use volar_assets::replace_file;
use volar_view::drawing::{escaped, html};

use crate::compare::page::STYLE;

/// What a claim of the paper came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Confirmed,
    Partly,
    NotConfirmed,
    NotMeasured,
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
            Verdict::NotMeasured => "not measured",
        }
    }
}

/// A sentence of the paper beside what was measured.
pub struct Claim {
    pub says: &'static str,
    pub measured: String,
    pub verdict: Verdict,
}

/// A figure with its data.
pub struct Figure {
    /// File name, without the end.
    pub name: String,
    pub svg: String,
    /// As CSV.
    pub data: String,
}

/// An experiment.
pub struct Section {
    /// File name of its data, without the end.
    pub name: &'static str,
    pub title: &'static str,
    pub text: String,
    pub heads: Vec<&'static str>,
    pub rows: Vec<Vec<String>>,
    pub figures: Vec<Figure>,
    pub claims: Vec<Claim>,
}

const CLAIMS: [&str; 3] = ["the paper says", "measured", "verdict"];

/// All of it.
pub struct Report {
    /// A sentence on how it was made.
    pub head: String,
    pub sections: Vec<Section>,
    /// Claims of the paper without an experiment.
    pub stated: Vec<Claim>,
}

impl Report {
    /// Writes `reproduction.html`, `reproduction.md`, and data and figures of every section.
    pub fn write(&self, folder: &Path) -> anyhow::Result<()> {
        for section in &self.sections {
            put(&folder.join(format!("{}.csv", section.name)), &csv(section))?;
            for figure in &section.figures {
                put(&folder.join(format!("{}.svg", figure.name)), &figure.svg)?;
                put(&folder.join(format!("{}.csv", figure.name)), &figure.data)?;
            }
        }
        self.write_page(&folder.join("reproduction.md"))?;
        put(&folder.join("reproduction.html"), &self.html())
    }

    /// Writes the report as Markdown.
    pub fn write_page(&self, path: &Path) -> anyhow::Result<()> {
        put(path, &self.markdown())
    }

    fn claims(&self) -> Vec<Vec<String>> {
        let measured = self.sections.iter().flat_map(|section| &section.claims);
        let row = |claim: &Claim| {
            let verdict = claim.verdict.text().to_owned();
            vec![claim.says.to_owned(), claim.measured.clone(), verdict]
        };
        measured.chain(&self.stated).map(row).collect()
    }

    fn markdown(&self) -> String {
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
            "# The paper's experiments\n\nWritten by `volar reproduce`. {}\n\n## Claims\n\n{}",
            self.head,
            table(&CLAIMS, &self.claims())
        );
        for section in &self.sections {
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

    fn html(&self) -> String {
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
            format!("<div class=\"wide\"><table>\n<tr>{heads}</tr>\n{rows}</table></div>\n")
        };
        let mut body = format!(
            "<h1>The paper's experiments</h1>\n<p>{}</p>\n<h2>Claims</h2>\n{}",
            escaped(&self.head),
            table(&CLAIMS, &self.claims())
        );
        for section in &self.sections {
            let figures = section.figures.iter();
            let figures: String = figures
                .map(|figure| format!("<figure>{}</figure>\n", figure.svg))
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
}

fn put(path: &Path, text: &str) -> anyhow::Result<()> {
    replace_file(path, text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))
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
