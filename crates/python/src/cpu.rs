//! What this machine offers, and which backend each primitive takes.

use fairlane::Backend;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// Tell what this machine offers: a dictionary of
///
/// - `architecture`, such as `x86_64`;
/// - `features`: those of the CPU that some backend needs;
/// - `backends`: the names of those that this machine has;
/// - `primitives`: for each the `backend` that it takes, those `available`, and whether all of them are
///   `constant_time`.
#[pyfunction]
pub(crate) fn cpu(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let here = |backends: &[Backend]| {
        let available = backends.iter().filter(|backend| backend.is_available());
        PyList::new(py, available.map(|backend| backend.name()).collect::<Vec<_>>())
    };
    let mut features = Vec::new();
    for feature in Backend::ALL.iter().filter(|b| b.is_available()).flat_map(|b| b.features()) {
        if !features.contains(feature) {
            features.push(*feature);
        }
    }
    let primitives = PyDict::new(py);
    for primitive in fairlane::primitives() {
        let about = PyDict::new(py);
        about.set_item("backend", primitive.chosen().name())?;
        about.set_item("available", here(primitive.backends)?)?;
        about.set_item("constant_time", !primitive.variable_time.iter().any(|backend| backend.is_available()))?;
        primitives.set_item(primitive.name, about)?;
    }
    let found = PyDict::new(py);
    found.set_item("architecture", std::env::consts::ARCH)?;
    found.set_item("features", features)?;
    found.set_item("backends", here(Backend::ALL)?)?;
    found.set_item("primitives", primitives)?;
    Ok(found)
}
