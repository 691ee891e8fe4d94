//! The scalar functions, `fairlane_keccak256` and the like, and how they are registered.
//!
//! The prefix keeps them apart from other extensions' functions, some of which call SHA3-256 `keccak256`.

use crate::interface::{
    Api, Connection, DataChunk, Database, FunctionInfo, LogicalType, ScalarFunction, ScalarFunctionSet, StringT,
    TYPE_BIGINT, TYPE_BLOB, TYPE_VARCHAR, Vector,
};
use crate::vector::{Values, write};
use fairlane::dynamic::HashAlgorithm;
use std::ffi::{CString, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Bytes of the longest output of an extendable-output function: a vector has 2048 of them.
const LONGEST: usize = 1 << 16;

/// Registers all functions.
///
/// # Safety
/// The table and the database are DuckDB's.
pub(crate) unsafe fn register(api: &Api, database: Database) -> Result<(), String> {
    let mut connection = Connection::NULL;
    // SAFETY: the caller's promise; what is made is destroyed once.
    unsafe {
        if (api.connect)(database, &raw mut connection) != 0 {
            return Err("no connection to the database can be had".to_string());
        }
        let registered = HashAlgorithm::ALL.iter().try_for_each(|algorithm| register_one(api, connection, *algorithm));
        (api.disconnect)(&raw mut connection);
        registered
    }
}

/// # Safety
/// As of [`register`].
unsafe fn register_one(api: &Api, connection: Connection, algorithm: HashAlgorithm) -> Result<(), String> {
    let name = format!("fairlane_{}", algorithm.name().replace('-', "_"));
    let failed = || format!("DuckDB does not take the function {name}");
    let c_name = CString::new(name.as_str()).map_err(|_| failed())?;
    // SAFETY: the caller's promise; what is made is destroyed once.
    unsafe {
        let mut set: ScalarFunctionSet = (api.create_scalar_function_set)(c_name.as_ptr());
        let mut states = 0;
        for message in [TYPE_BLOB, TYPE_VARCHAR] {
            let mut function: ScalarFunction = (api.create_scalar_function)();
            (api.scalar_function_set_name)(function, c_name.as_ptr());
            let extendable = algorithm.output_size().is_none();
            for parameter in [message, TYPE_BIGINT].into_iter().take(1 + usize::from(extendable)) {
                let mut parameter: LogicalType = (api.create_logical_type)(parameter);
                (api.scalar_function_add_parameter)(function, parameter);
                (api.destroy_logical_type)(&raw mut parameter);
            }
            let mut result: LogicalType = (api.create_logical_type)(TYPE_BLOB);
            (api.scalar_function_set_return_type)(function, result);
            (api.destroy_logical_type)(&raw mut result);
            let own = Box::into_raw(Box::new(algorithm));
            (api.scalar_function_set_extra_info)(function, own.cast(), Some(destroy));
            (api.scalar_function_set_function)(function, compute);
            states |= (api.add_scalar_function_to_set)(set, function);
            (api.destroy_scalar_function)(&raw mut function);
        }
        states |= (api.register_scalar_function_set)(connection, set);
        (api.destroy_scalar_function_set)(&raw mut set);
        if states == 0 { Ok(()) } else { Err(failed()) }
    }
}

unsafe extern "C" fn destroy(own: *mut c_void) {
    // SAFETY: it is the box that was given away above, and this is called once.
    drop(unsafe { Box::from_raw(own.cast::<HashAlgorithm>()) });
}

/// Computes one chunk.
unsafe extern "C-unwind" fn compute(info: FunctionInfo, input: DataChunk, output: Vector) {
    let Some(api) = Api::get() else { return };
    let computed = || {
        // SAFETY: DuckDB gives what its header promises, for this call; the algorithm was given away above.
        unsafe {
            let algorithm = *(api.scalar_function_get_extra_info)(info).cast::<HashAlgorithm>();
            if algorithm.output_size().is_some() { hash(api, algorithm, input) } else { extend(api, algorithm, input) }
        }
    };
    let panicked = |_| Err("it panicked".to_string());
    let error = match catch_unwind(AssertUnwindSafe(computed)).unwrap_or_else(panicked) {
        // SAFETY: as above. DuckDB may throw an exception here, which Rust must not catch.
        Ok(made) => return unsafe { write(api, output, &made.bytes, &made.sizes) },
        Err(error) => CString::new(format!("fairlane: {error}")).unwrap_or_default(),
    };
    // SAFETY: as above; DuckDB copies the text.
    unsafe { (api.scalar_function_set_error)(info, error.as_ptr()) };
}

/// What a chunk's rows become: parts of these sizes, or nulls where there is no size.
struct Made {
    bytes: Vec<u8>,
    sizes: Vec<Option<usize>>,
}

/// Hashes each message.
///
/// # Safety
/// The chunk has one vector of strings.
unsafe fn hash(api: &Api, algorithm: HashAlgorithm, input: DataChunk) -> Result<Made, String> {
    // SAFETY: the caller's promise.
    let messages = unsafe { Values::<StringT>::of_chunk(api, input, 0) };
    let size = algorithm.default_output_size();
    // SAFETY: they are strings of a vector.
    let present: Vec<&[u8]> = messages.iter().flatten().map(|message| unsafe { message.bytes() }).collect();
    let mut digests = zeros(present.len() * size)?;
    algorithm.hash_many(&present, &mut digests, None).map_err(|error| error.to_string())?;
    Ok(Made { bytes: digests, sizes: messages.iter().map(|message| message.map(|_| size)).collect() })
}

/// Computes an output of a length of its own for each message.
///
/// # Safety
/// The chunk has a vector of strings and one of lengths.
unsafe fn extend(api: &Api, algorithm: HashAlgorithm, input: DataChunk) -> Result<Made, String> {
    // SAFETY: the caller's promise.
    let (messages, lengths) =
        unsafe { (Values::<StringT>::of_chunk(api, input, 0), Values::<i64>::of_chunk(api, input, 1)) };
    let (mut present, mut sizes) = (Vec::new(), Vec::new());
    for (message, length) in messages.iter().zip(lengths.iter()) {
        let (Some(message), Some(length)) = (message, length) else {
            sizes.push(None);
            continue;
        };
        let size = usize::try_from(*length).ok().filter(|size| *size <= LONGEST);
        sizes.push(Some(size.ok_or_else(|| format!("the length must be from 0 to {LONGEST}, not {length}"))?));
        // SAFETY: it is a string of a vector.
        present.push(unsafe { message.bytes() });
    }
    let mut outputs = zeros(sizes.iter().flatten().sum())?;
    let mut wanted = sizes.iter().flatten();
    let first = wanted.next().copied().unwrap_or(0);
    let hashed = if wanted.all(|size| *size == first) {
        algorithm.hash_many(&present, &mut outputs, None)
    } else {
        let mut rest = &mut *outputs;
        present.iter().zip(sizes.iter().flatten()).try_for_each(|(message, size)| {
            let (output, behind) = std::mem::take(&mut rest).split_at_mut(*size);
            rest = behind;
            algorithm.hash(message, output, None)
        })
    };
    hashed.map_err(|error| error.to_string())?;
    Ok(Made { bytes: outputs, sizes })
}

/// So many zeros. That there is no memory for them ends the query, not the process.
fn zeros(count: usize) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(count).map_err(|_| format!("there is no memory for results of {count} bytes"))?;
    bytes.resize(count, 0);
    Ok(bytes)
}
