//! Built-in sweeps: the paper's two maps.

const SWEEPS: [(&str, &str); 2] = [
    (
        "paper-gain-stiffness",
        include_str!("../sweeps/paper-gain-stiffness.toml"),
    ),
    (
        "paper-gain-depth",
        include_str!("../sweeps/paper-gain-depth.toml"),
    ),
];

/// The text of a built-in sweep.
pub fn builtin(name: &str) -> Option<&'static str> {
    let wanted = name.replace('_', "-");
    let found = SWEEPS.iter().find(|(known, _)| *known == wanted);
    found.map(|(_, text)| *text)
}
