//! Errors of the crates as exceptions of the package.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use volar::mesh::{FileError, MeshError, ReadError};
use volar::record::RecordError;
use volar::robot::RobotError;
use volar::run::{ApplyError, RunError};
use volar::scene::{AssetError, SceneError};
use volar::sim::SimError;
use volar_sweep::SweepError;
use volar_view::{ReportError, ServeError};

/// Where the exceptions are defined.
const MODULE: &str = "volar._errors";

/// What went wrong while the interpreter was not held.
pub enum Fault {
    /// An exception, from a signal handler or from a callback.
    Python(PyErr),
    /// Anything else: the exception's name, its text and its place.
    Error {
        class: Class,
        message: String,
        place: Option<String>,
    },
}

/// The exceptions.
#[derive(Clone, Copy)]
pub enum Class {
    Error,
    Scene,
    Mesh,
    Robot,
    Simulation,
}

impl Fault {
    pub fn new(class: Class, message: impl Into<String>) -> Fault {
        let message = message.into();
        Fault::Error {
            class,
            message,
            place: None,
        }
    }

    fn at(class: Class, message: impl Into<String>, place: impl Into<String>) -> Fault {
        Fault::Error {
            class,
            message: message.into(),
            place: Some(place.into()),
        }
    }

    /// A defect of ours, not of the data.
    pub fn panic(message: &str) -> Fault {
        Fault::new(
            Class::Error,
            format!("internal error: {message}; please report it with the scene"),
        )
    }
}

impl Class {
    fn name(self) -> &'static str {
        match self {
            Class::Error => "Error",
            Class::Scene => "SceneError",
            Class::Mesh => "MeshError",
            Class::Robot => "RobotError",
            Class::Simulation => "SimulationError",
        }
    }

    fn of_python<'py>(self, py: Python<'py>) -> PyResult<&'py Bound<'py, PyType>> {
        static CLASSES: [PyOnceLock<Py<PyType>>; 5] = [const { PyOnceLock::new() }; 5];
        CLASSES[self as usize].import(py, MODULE, self.name())
    }
}

impl From<Fault> for PyErr {
    fn from(fault: Fault) -> PyErr {
        match fault {
            Fault::Python(error) => error,
            Fault::Error {
                class,
                message,
                place,
            } => Python::attach(|py| match class.of_python(py) {
                Ok(class) => PyErr::from_type(class.clone(), (message, place)),
                Err(error) => error,
            }),
        }
    }
}

impl From<PyErr> for Fault {
    fn from(error: PyErr) -> Fault {
        Fault::Python(error)
    }
}

impl From<AssetError> for Fault {
    fn from(error: AssetError) -> Fault {
        let message = error.to_string();
        let (AssetError::Io { file, .. }
        | AssetError::NotAFile { file }
        | AssetError::TooLarge { file }
        | AssetError::Missing { file, .. }) = error;
        Fault::at(Class::Scene, message, file)
    }
}

impl From<SceneError> for Fault {
    fn from(error: SceneError) -> Fault {
        let message = error.to_string();
        match error {
            SceneError::Asset(error) => error.into(),
            SceneError::Write { path, .. } => {
                Fault::at(Class::Scene, message, path.display().to_string())
            }
            SceneError::Syntax { file, .. }
            | SceneError::Model { file, .. }
            | SceneError::Start { file, .. } => Fault::at(Class::Scene, message, file),
            SceneError::Invalid { place, .. } => Fault::at(Class::Scene, message, place),
            SceneError::NoSceneIn { folder } => Fault::at(Class::Scene, message, folder),
            SceneError::Set { assignment, .. } => Fault::at(Class::Scene, message, assignment),
            SceneError::Unknown { name, .. } => Fault::at(Class::Scene, message, name),
            SceneError::Hand { .. } => Fault::at(Class::Scene, message, "hand"),
        }
    }
}

impl From<SimError> for Fault {
    fn from(error: SimError) -> Fault {
        Fault::new(Class::Simulation, error.to_string())
    }
}

impl From<ApplyError> for Fault {
    fn from(error: ApplyError) -> Fault {
        Fault::new(Class::Simulation, error.to_string())
    }
}

impl From<RunError> for Fault {
    fn from(error: RunError) -> Fault {
        Fault::new(Class::Simulation, error.to_string())
    }
}

impl From<RecordError> for Fault {
    fn from(error: RecordError) -> Fault {
        Fault::new(Class::Error, error.to_string())
    }
}

impl From<ReportError> for Fault {
    fn from(error: ReportError) -> Fault {
        Fault::new(Class::Error, error.to_string())
    }
}

impl From<ServeError> for Fault {
    fn from(error: ServeError) -> Fault {
        Fault::new(Class::Error, error.to_string())
    }
}

impl From<std::io::Error> for Fault {
    fn from(error: std::io::Error) -> Fault {
        Fault::new(Class::Error, error.to_string())
    }
}

impl From<serde_json::Error> for Fault {
    fn from(error: serde_json::Error) -> Fault {
        Fault::new(Class::Error, error.to_string())
    }
}

impl From<MeshError> for Fault {
    fn from(error: MeshError) -> Fault {
        Fault::new(Class::Mesh, error.to_string())
    }
}

impl From<FileError> for Fault {
    fn from(error: FileError) -> Fault {
        let message = error.to_string();
        let place = match &error {
            FileError::Asset(error) => Some(match error {
                AssetError::Io { file, .. }
                | AssetError::NotAFile { file }
                | AssetError::TooLarge { file }
                | AssetError::Missing { file, .. } => file.clone(),
            }),
            FileError::Write { file, .. } | FileError::UnknownFormat { file } => Some(file.clone()),
            FileError::Malformed { file, place, .. } => Some(format!("{file}{place}")),
            FileError::Scale { .. } | FileError::Transform => None,
        };
        Fault::Error {
            class: Class::Mesh,
            message,
            place,
        }
    }
}

impl From<ReadError> for Fault {
    fn from(error: ReadError) -> Fault {
        let message = error.to_string();
        match error {
            ReadError::File(error) => error.into(),
            ReadError::Mesh { file, .. } => Fault::at(Class::Mesh, message, file),
        }
    }
}

impl From<RobotError> for Fault {
    fn from(error: RobotError) -> Fault {
        let message = error.to_string();
        let place = match error.place() {
            Some(place) => Some(place.to_string()),
            None => message.split(": ").next().map(str::to_owned),
        };
        Fault::Error {
            class: Class::Robot,
            message,
            place,
        }
    }
}

impl From<SweepError> for Fault {
    fn from(error: SweepError) -> Fault {
        match error {
            SweepError::Scene(error) => error.into(),
            other => Fault::new(Class::Error, other.to_string()),
        }
    }
}
