//! Licences and sources of everything depended on, by the rules of `deny.toml`.
//!
//! The same as `cargo deny check licenses bans sources`, from what cargo itself
//! knows: installing `cargo-deny` would compile some hundred crates in every
//! fresh checkout. Advisories need a database from the network and are left to
//! `cargo deny check advisories`.

use anyhow::{Context, Result, bail};
use serde_json::Value;
use spdx::{Expression, Licensee, ParseMode};

use crate::root;
use crate::steps::{cargo, output};

const RULES: &str = "deny.toml";
const CRATES_IO: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// Reports every package that the rules do not allow.
pub fn check() -> Result<()> {
    let allowed = allowed_licences()?;
    let metadata = output(&mut cargo(&["metadata", "--format-version", "1"]))?;
    let metadata: Value = serde_json::from_str(&metadata).context("output of `cargo metadata`")?;
    let packages = metadata["packages"].as_array();
    let packages = packages.context("`cargo metadata` lists no packages")?;
    let complaints: Vec<String> = packages
        .iter()
        .flat_map(|package| {
            let name = format!("{} {}", text(package, "name"), text(package, "version"));
            let found = complaints_about(package, &allowed);
            found.into_iter().map(move |what| format!("{name}: {what}"))
        })
        .collect();
    if !complaints.is_empty() {
        bail!("not allowed by {RULES}:\n  {}", complaints.join("\n  "));
    }
    println!("    {} packages", packages.len());
    Ok(())
}

fn allowed_licences() -> Result<Vec<Licensee>> {
    let rules = std::fs::read_to_string(root().join(RULES)).context(RULES)?;
    let rules: toml::Table = rules.parse().context(RULES)?;
    let allowed = rules.get("licenses").and_then(|part| part.get("allow"));
    let allowed = allowed.and_then(toml::Value::as_array);
    let allowed = allowed.with_context(|| format!("{RULES} has no list licenses.allow"))?;
    allowed
        .iter()
        .map(|name| {
            let name = name.as_str().unwrap_or_default();
            Licensee::parse(name).with_context(|| format!("{RULES}: licence `{name}`"))
        })
        .collect()
}

fn complaints_about(package: &Value, allowed: &[Licensee]) -> Vec<String> {
    let mut complaints = Vec::new();
    let licence = text(package, "license");
    match Expression::parse_mode(licence, ParseMode::LAX) {
        Ok(expression) => {
            let may = expression.evaluate(|wanted| allowed.iter().any(|one| one.satisfies(wanted)));
            if !may {
                complaints.push(format!("licence `{licence}`"));
            }
        }
        Err(_) => complaints.push(format!("licence `{licence}` is no SPDX expression")),
    }
    let source = package["source"].as_str();
    if source.is_some_and(|source| source != CRATES_IO) {
        complaints.push(format!("source {}", source.unwrap_or_default()));
    }
    // Packages of the workspace have no source; those of others are not ours to mend.
    if source.is_none() {
        let wanted = package["dependencies"].as_array().into_iter().flatten();
        let wildcards = wanted.filter(|one| text(one, "req") == "*" && one["path"].is_null());
        complaints.extend(wildcards.map(|one| format!("any version of {}", text(one, "name"))));
    }
    complaints
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn complaints(package: Value) -> Vec<String> {
        complaints_about(&package, &allowed_licences().unwrap())
    }

    #[test]
    fn the_rules_allow_what_is_depended_on() {
        check().unwrap();
    }

    #[test]
    fn licences_sources_and_wildcards_are_told_apart() {
        let good = json!({"license": "MIT/Apache-2.0", "source": CRATES_IO});
        assert_eq!(complaints(good), [""; 0]);
        let either = json!({"license": "GPL-3.0-only OR MIT", "source": CRATES_IO});
        assert_eq!(complaints(either), [""; 0]);
        let both = json!({"license": "GPL-3.0-only AND MIT", "source": CRATES_IO});
        assert_eq!(complaints(both), ["licence `GPL-3.0-only AND MIT`"]);
        let none = json!({"source": CRATES_IO});
        assert_eq!(complaints(none), ["licence `` is no SPDX expression"]);
        let git = json!({"license": "MIT", "source": "git+https://example.org/x"});
        assert_eq!(complaints(git), ["source git+https://example.org/x"]);
        let wild = json!({"license": "MIT", "dependencies": [{"name": "x", "req": "*"}]});
        assert_eq!(complaints(wild), ["any version of x"]);
    }
}
