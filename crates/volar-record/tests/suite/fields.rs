//! Every figure of a contact is in all the places that its field table drives.

use std::fs::File;

use mcap::MessageStream;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use prost::Message;
use prost_types::FileDescriptorSet;
use volar_record::{BodyFrame, Contact, Frame, Header, MCAP_FILE, Recording, SERIES_FILE, Shape};

use crate::common::{folder, write};
use volar_sim::BodyId;

/// A recording of one contact whose numbers are all different.
fn recorded(name: &str) -> (std::path::PathBuf, Contact) {
    let mut contact = Contact {
        a: BodyId::new(1),
        b: BodyId::new(0),
        ..Contact::default()
    };
    let mut number = 0.0;
    for field in Contact::FIELDS {
        for value in (field.values_mut)(&mut contact) {
            number += 1.25;
            *value = number;
        }
    }
    let body = |name: &str| volar_record::BodyHeader {
        name: name.to_owned(),
        ..volar_record::BodyHeader::default()
    };
    let header = Header {
        bodies: vec![body("cube"), body("pad")],
        ..Header::default()
    };
    let frame = Frame {
        bodies: vec![BodyFrame::default(); 2],
        contacts: vec![contact],
        ..Frame::default()
    };
    let folder = folder(name);
    write(&folder, &header, &[frame]);
    (folder, contact)
}

#[test]
fn every_figure_is_a_column_of_the_table() {
    let (folder, _) = recorded("fields-parquet");
    let file = File::open(folder.join(SERIES_FILE)).unwrap();
    let builder = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
    let schema = builder.parquet_schema();
    for field in Contact::FIELDS {
        for column in field.columns() {
            let path = format!("contacts.list.element.{column}");
            let mut columns = schema.columns().iter();
            assert!(columns.any(|c| c.path().string() == path), "{path}");
        }
    }
}

#[test]
fn every_figure_is_in_the_messages_and_comes_back() {
    let (folder, contact) = recorded("fields-mcap");
    let bytes = std::fs::read(folder.join(MCAP_FILE)).unwrap();
    let messages = MessageStream::new(&bytes).unwrap().map(Result::unwrap);
    let mut seen = 0;
    for message in messages {
        let schema = message.channel.schema.clone().unwrap();
        match message.channel.topic.as_str() {
            "/contacts" => {
                let schema: serde_json::Value = serde_json::from_slice(&schema.data).unwrap();
                let schema = &schema["properties"]["contacts"]["items"]["properties"];
                let json: serde_json::Value = serde_json::from_slice(&message.data).unwrap();
                let json = &json["contacts"][0];
                for field in Contact::FIELDS {
                    let about = schema[field.name]["description"].as_str().unwrap();
                    assert!(about.starts_with(field.about()), "{about}");
                    let value = match field.shape {
                        Shape::Number => &json[field.name],
                        Shape::Vector => &json[field.name]["x"],
                    };
                    assert_eq!(value.as_f64(), (field.values)(&contact).first().copied());
                }
                seen += 1;
            }
            "/frames" => {
                let set = FileDescriptorSet::decode(&*schema.data).unwrap();
                let mut all = set.file.iter().flat_map(|file| &file.message_type);
                let fields = &all.find(|m| m.name() == "Contact").unwrap().field;
                for field in Contact::FIELDS {
                    assert!(
                        fields.iter().any(|f| f.name() == field.name),
                        "{}",
                        field.name
                    );
                }
                seen += 1;
            }
            _ => {}
        }
    }
    assert_eq!(seen, 2);
    let read = Recording::open(&folder).unwrap();
    assert_eq!(read.frames[0].contacts, [contact]);
}

#[test]
fn every_figure_is_documented() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/recordings.md");
    let page = std::fs::read_to_string(page).unwrap();
    let rows: Vec<&str> = page.lines().filter(|line| line.starts_with('|')).collect();
    for field in Contact::FIELDS {
        let name = match field.shape {
            Shape::Number => format!("| `{}` |", field.name),
            Shape::Vector => format!("| `{}_x`, `_y`, `_z` |", field.name),
        };
        let row = rows.iter().find(|row| row.starts_with(&name));
        let row = row.unwrap_or_else(|| panic!("{name} is not in docs/recordings.md"));
        let unit = match field.unit {
            "1" => "",
            unit => unit,
        };
        let documented = row.split('|').nth(2).unwrap().trim();
        let documented = documented.replace('²', "^2").replace('³', "^3");
        assert_eq!(documented, unit, "unit in {row}");
    }
}
