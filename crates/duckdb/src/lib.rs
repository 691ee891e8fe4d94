//! A loadable extension of DuckDB: each hash is a scalar function from BLOB or VARCHAR to BLOB.
//!
//! - `interface`: the few functions of DuckDB's C extension API that are needed
//! - `functions`: the scalar functions, and how they are registered
//! - `vector`: strings of DuckDB's vectors, read where they are, and digests written to one
//!
//! DuckDB calls `fairlane_init_c_api` when it loads the file `fairlane.duckdb_extension`, which the script `package`
//! makes.

mod functions;
mod interface;
mod vector;

use interface::{Access, Api, Info, VERSION};
use std::ffi::CString;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Registers the functions. False if that failed; DuckDB was told why then.
#[unsafe(no_mangle)]
unsafe extern "C" fn fairlane_init_c_api(info: Info, access: *const Access) -> bool {
    // SAFETY: DuckDB gives what its header promises, for this call.
    let access = unsafe { &*access };
    // SAFETY: as above. Where either is null, DuckDB has kept its own message.
    let (api, database) = unsafe {
        let Some(api) = (access.get_api)(info, VERSION.as_ptr()).cast::<Api>().as_ref() else { return false };
        let Some(database) = (access.get_database)(info).as_ref() else { return false };
        (api, *database)
    };
    let register = || -> Result<(), String> {
        let api = api.keep().ok_or("another DuckDB in this process has loaded the file; load a copy of it")?;
        // SAFETY: the table and the database are DuckDB's.
        unsafe { functions::register(api, database) }
    };
    let panicked = |_| Err("it panicked".to_string());
    match catch_unwind(AssertUnwindSafe(register)).unwrap_or_else(panicked) {
        Ok(()) => true,
        Err(error) => {
            let error = CString::new(format!("fairlane: {error}")).unwrap_or_default();
            // SAFETY: DuckDB copies the text.
            unsafe { (access.set_error)(info, error.as_ptr()) };
            false
        }
    }
}
