//! The table of materials and its page.

use volar_contact::Material;

const PAGE: &str = include_str!("../../../../docs/contact.md");

/// The cells of the row of a material on the page.
fn row(name: &str) -> Vec<&'static str> {
    let mark = format!("| `{name}` |");
    let row = PAGE.lines().find(|line| line.starts_with(&mark));
    let row = row.unwrap_or_else(|| panic!("{name} is not in docs/contact.md"));
    row.split('|').map(str::trim).collect()
}

#[test]
fn every_material_is_on_the_page_with_its_figures() {
    for name in Material::names() {
        let material = Material::named(name).expect("it is listed");
        assert!(material.is_valid(), "{name}");
        let cells = row(name);
        let figures = [
            (5, material.stiffness),
            (6, material.shear_stiffness),
            (7, 1.0e3 * material.damping_time),
            (8, material.friction),
        ];
        for (column, figure) in figures {
            let on_page: f64 = cells[column].parse().expect("a number");
            // The page has two digits.
            let near = (on_page - figure).abs() <= 0.02 * figure;
            assert!(near, "{name}: {on_page} on the page, {figure} in the table");
        }
    }
}
