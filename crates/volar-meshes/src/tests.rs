//! Readers against good files, bad files and noise.
