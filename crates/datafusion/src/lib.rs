//! fairlane's hashes as scalar functions of DataFusion.
//!
//! Each takes text or binary data in any of Arrow's layouts, dictionaries too, and returns binary data; nulls stay
//! nulls. The hashes of one batch are computed side by side in the lanes of vector registers, and DataFusion brings
//! the threads.
#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod messages;

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, BinaryArray};
use arrow_buffer::{NullBuffer, OffsetBuffer};
use arrow_schema::DataType;
use datafusion_common::{DataFusionError, Result, ScalarValue, exec_err, plan_err, resources_err};
use datafusion_expr::registry::FunctionRegistry;
use datafusion_expr::{ColumnarValue, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility};
use fairlane::dynamic::HashAlgorithm;
use messages::messages;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Bytes of the longest output of an extendable-output function.
pub const LONGEST: usize = 1 << 16;

/// The function of a hash. Its name is `fairlane_` and the hash's, with underscores: `fairlane_sha3_256`.
///
/// An extendable-output function takes a length in bytes as its second argument, from 0 to [`LONGEST`].
pub fn udf(algorithm: HashAlgorithm) -> ScalarUDF {
    let name = format!("fairlane_{}", algorithm.name().replace('-', "_"));
    ScalarUDF::new_from_impl(Function { algorithm, name, signature: Signature::user_defined(Volatility::Immutable) })
}

/// Makes the functions of all hashes known to a session, such as a `SessionContext`.
///
/// # Errors
/// Those of the session.
pub fn register_all(session: &mut dyn FunctionRegistry) -> Result<()> {
    HashAlgorithm::ALL.iter().try_for_each(|algorithm| session.register_udf(Arc::new(udf(*algorithm))).map(drop))
}

#[derive(Debug)]
struct Function {
    algorithm: HashAlgorithm,
    name: String,
    signature: Signature,
}

// The name tells the algorithm.
impl PartialEq for Function {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Function {}

impl Hash for Function {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

impl ScalarUDFImpl for Function {
    fn name(&self) -> &str {
        &self.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, given: &[DataType]) -> Result<Vec<DataType>> {
        let (message, length) = match (given, self.algorithm.output_size()) {
            ([message], Some(_)) => (message, None),
            ([message, length], None) => (message, Some(length)),
            (_, Some(_)) => return plan_err!("{} takes one argument, not {}", self.name, given.len()),
            (_, None) => return plan_err!("{} takes a message and a length in bytes", self.name),
        };
        let mut types = vec![match message {
            DataType::Null => DataType::Binary,
            DataType::Dictionary(_, values) if messages::are_bytes(values) => message.clone(),
            message if messages::are_bytes(message) => message.clone(),
            other => return plan_err!("{} takes text or binary data, not {other}", self.name),
        }];
        match length {
            Some(length) if length.is_integer() || *length == DataType::Null => types.push(DataType::Int64),
            Some(other) => return plan_err!("the length of {} is an integer, not {other}", self.name),
            None => {}
        }
        Ok(types)
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::Binary)
    }

    fn invoke_with_args(&self, arguments: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let scalar = arguments.args.iter().all(|argument| matches!(argument, ColumnarValue::Scalar(_)));
        let rows = if scalar { 1 } else { arguments.number_rows };
        let Some((message, rest)) = arguments.args.split_first() else {
            return exec_err!("{} takes a message", self.name);
        };
        let digests = match (self.algorithm.output_size(), rest.first()) {
            (Some(size), _) => hash(self.algorithm, message, rows, size)?,
            // One length for all is the usual case.
            (None, Some(ColumnarValue::Scalar(ScalarValue::Int64(Some(length))))) => {
                hash(self.algorithm, message, rows, self.length(*length)?)?
            }
            (None, Some(lengths)) => self.extend(message, lengths, rows)?,
            (None, None) => return exec_err!("{} takes a length", self.name),
        };
        if scalar {
            return Ok(ColumnarValue::Scalar(ScalarValue::try_from_array(&digests, 0)?));
        }
        Ok(ColumnarValue::Array(Arc::new(digests)))
    }
}

impl Function {
    fn length(&self, length: i64) -> Result<usize> {
        match usize::try_from(length) {
            Ok(size @ ..=LONGEST) => Ok(size),
            _ => exec_err!("the length of {} is from 0 to {LONGEST} bytes, not {length}", self.name),
        }
    }

    /// Outputs of a length of its own for each row.
    fn extend(&self, message: &ColumnarValue, lengths: &ColumnarValue, rows: usize) -> Result<BinaryArray> {
        let (array, lengths) = (message.to_array(rows)?, lengths.to_array(rows)?);
        let mut outputs = Vec::new();
        let (mut sizes, mut valid) = (Vec::new(), Vec::new());
        for (message, length) in messages(&*array)?.into_iter().zip(lengths.as_primitive::<Int64Type>()) {
            let (Some(message), Some(length)) = (message, length) else {
                sizes.push(0);
                valid.push(false);
                continue;
            };
            let (first, size) = (outputs.len(), self.length(length)?);
            grow(&mut outputs, column_bytes(first.checked_add(size))?)?;
            self.algorithm.hash(message, &mut outputs[first..], None).map_err(failed)?;
            sizes.push(size);
            valid.push(true);
        }
        binary(outputs, sizes.into_iter(), Some(valid.into()))
    }
}

/// The hashes of a column's values, of `size` bytes each.
fn hash(algorithm: HashAlgorithm, message: &ColumnarValue, rows: usize, size: usize) -> Result<BinaryArray> {
    let array = match message {
        ColumnarValue::Array(array) => Arc::clone(array),
        ColumnarValue::Scalar(scalar) => scalar.to_array_of_size(rows)?,
    };
    // Where a dictionary's values are fewer than its rows, each is hashed once.
    if let Some(dictionary) = array.as_any_dictionary_opt() {
        let values = dictionary.values();
        let rows = array.len() - array.logical_null_count();
        if !values.is_empty() && values.len() <= rows {
            column_bytes(rows.checked_mul(size))?;
            let digests = hash_values(algorithm, &**values, size)?;
            let keys = dictionary.normalized_keys().into_iter().enumerate();
            let rows =
                keys.map(|(row, key)| (array.is_valid(row) && digests.is_valid(key)).then(|| digests.value(key)));
            return Ok(rows.collect());
        }
    }
    hash_values(algorithm, &*array, size)
}

fn hash_values(algorithm: HashAlgorithm, array: &dyn Array, size: usize) -> Result<BinaryArray> {
    let messages = messages(array)?;
    let present: Vec<&[u8]> = messages.iter().flatten().copied().collect();
    let mut digests = Vec::new();
    grow(&mut digests, column_bytes(present.len().checked_mul(size))?)?;
    algorithm.hash_many(&present, &mut digests, None).map_err(failed)?;
    let nulls = array.logical_nulls().filter(|nulls| nulls.null_count() > 0);
    binary(digests, messages.iter().map(|message| message.map_or(0, |_| size)), nulls)
}

/// So many bytes, if a column can hold them; `None` is more than any number.
fn column_bytes(bytes: Option<usize>) -> Result<usize> {
    match bytes.filter(|bytes| i32::try_from(*bytes).is_ok()) {
        Some(bytes) => Ok(bytes),
        None => exec_err!("the hashes of one batch have 2^31 bytes or more"),
    }
}

/// Appends zeros up to a length. That there is no memory for them is an error of the query, not the end of the process.
fn grow(bytes: &mut Vec<u8>, length: usize) -> Result<()> {
    if bytes.try_reserve(length - bytes.len()).is_err() {
        return resources_err!("there is no memory for hashes of {length} bytes");
    }
    bytes.resize(length, 0);
    Ok(())
}

/// An array of parts of these sizes.
fn binary(bytes: Vec<u8>, sizes: impl Iterator<Item = usize>, nulls: Option<NullBuffer>) -> Result<BinaryArray> {
    Ok(BinaryArray::try_new(OffsetBuffer::from_lengths(sizes), bytes.into(), nulls)?)
}

fn failed(error: fairlane::dynamic::Error) -> DataFusionError {
    DataFusionError::Execution(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::types::Int32Type;
    use arrow_array::{ArrayRef, DictionaryArray, Int32Array, StringArray};

    #[test]
    fn a_column_that_is_too_long_is_an_error() {
        assert_eq!(column_bytes(Some(i32::MAX as usize)).unwrap(), i32::MAX as usize);
        assert!(column_bytes(Some(1 << 31)).is_err() && column_bytes(None).is_err());
        // Three values, which many rows repeat.
        let words = ["a", "b", "c"];
        let repeated: DictionaryArray<Int32Type> = (0..40_000).map(|i| words[i % 3]).collect();
        let message = ColumnarValue::Array(Arc::new(repeated));
        assert!(hash(HashAlgorithm::Shake256, &message, 40_000, 1 << 16).is_err());
        assert_eq!(hash(HashAlgorithm::Shake256, &message, 40_000, 5).unwrap().len(), 40_000);
        // 40,000 values, of which one row has one.
        let words: ArrayRef = Arc::new((0..40_000).map(|i| Some(i.to_string())).collect::<StringArray>());
        let keys: Int32Array = (0..40_000).map(|i| (i == 7).then_some(7)).collect();
        let message = ColumnarValue::Array(Arc::new(DictionaryArray::new(keys, words)));
        let made = hash(HashAlgorithm::Shake256, &message, 40_000, 1 << 16).unwrap();
        assert_eq!((made.null_count(), made.value(7).len()), (39_999, 1 << 16));
    }
}
