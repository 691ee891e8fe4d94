//! The values of Arrow arrays as messages.

use arrow_array::Array;
use arrow_array::cast::AsArray;
use arrow_schema::DataType;
use datafusion_common::{Result, exec_err};

/// Whether values of this type are text or binary data.
pub(crate) fn are_bytes(values: &DataType) -> bool {
    matches!(
        values,
        DataType::Utf8
            | DataType::LargeUtf8
            | DataType::Utf8View
            | DataType::Binary
            | DataType::LargeBinary
            | DataType::BinaryView
            | DataType::FixedSizeBinary(_)
    )
}

/// The bytes of each value, where they are; `None` for nulls.
pub(crate) fn messages(array: &dyn Array) -> Result<Vec<Option<&[u8]>>> {
    Ok(match array.data_type() {
        DataType::Utf8 => array.as_string::<i32>().iter().map(|value| value.map(str::as_bytes)).collect(),
        DataType::LargeUtf8 => array.as_string::<i64>().iter().map(|value| value.map(str::as_bytes)).collect(),
        DataType::Utf8View => array.as_string_view().iter().map(|value| value.map(str::as_bytes)).collect(),
        DataType::Binary => array.as_binary::<i32>().iter().collect(),
        DataType::LargeBinary => array.as_binary::<i64>().iter().collect(),
        DataType::BinaryView => array.as_binary_view().iter().collect(),
        DataType::FixedSizeBinary(_) => array.as_fixed_size_binary().iter().collect(),
        DataType::Dictionary(..) => {
            let dictionary = array.as_any_dictionary();
            let values = messages(&**dictionary.values())?;
            if values.is_empty() {
                return Ok(vec![None; array.len()]);
            }
            let keys = dictionary.normalized_keys().into_iter().enumerate();
            keys.map(|(row, key)| if array.is_valid(row) { values[key] } else { None }).collect()
        }
        other => return exec_err!("a column of {other} holds neither text nor binary data"),
    })
}
