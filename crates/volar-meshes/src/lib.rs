//! Mesh files: read them, and repair what can be repaired.
