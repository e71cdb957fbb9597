//! `<custom>`: the numbers of an export.

use crate::mjcf::read;

/// A welded body, a turn about x and then z, and what `<custom>` says of its frame.
fn with_frame(position: &str, data: &str) -> String {
    format!(
        "<compiler angle=\"radian\"/>\n\
         <custom><numeric name=\"frame of body b\" data=\"{data}\"/></custom>\n\
         <worldbody><body name=\"b\" pos=\"{position}\"><geom size=\"0.1\" mass=\"1\"/>\
         </body></worldbody>"
    )
}

#[test]
fn last_digits_of_a_frame_are_taken_over() {
    let exact = 1.0 + f64::EPSILON;
    let data = format!(
        "0.5 0 {} {exact} 0 0 0 1 1e-17 0 -1e-17 1",
        0.25 + f64::EPSILON
    );
    let (robot, report) = read(&with_frame("0.5 0 0.25", &data)).unwrap();
    let X = robot.links[robot.link("b").unwrap()].X_PJ;
    assert_eq!(X.p.z.to_bits(), (0.25 + f64::EPSILON).to_bits());
    assert_eq!(X.R.x_axis.x.to_bits(), exact.to_bits());
    assert_eq!(X.R.y_axis.z.to_bits(), 1.0e-17_f64.to_bits());
    assert!(!format!("{report:?}").contains("numeric"), "{report:?}");
}

#[test]
fn a_body_that_was_moved_stays_where_it_was_moved_to() {
    let data = "0.5 0 0.25 1 0 0 0 1 0 0 0 1";
    let (robot, report) = read(&with_frame("0.6 0 0.25", data)).unwrap();
    let X = robot.links[robot.link("b").unwrap()].X_PJ;
    assert_eq!(X.p.x.to_bits(), 0.6_f64.to_bits());
    assert!(format!("{report:?}").contains("moved since"), "{report:?}");
}
