//! The functions in DataFusion itself: answers, nulls, slices, empty batches, dictionaries, errors.

use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{Array, ArrayRef, BinaryArray, DictionaryArray, FixedSizeBinaryArray, Int64Array, RecordBatch};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::DataType;
use datafusion::prelude::SessionContext;
use fairlane::dynamic::HashAlgorithm;
use std::sync::Arc;

type Row = Option<Vec<u8>>;

/// The first column of a query's result, as binary data. `t` is the table.
fn query(columns: Vec<(&str, ArrayRef)>, sql: &str) -> Result<Vec<Row>, String> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).build().unwrap();
    runtime.block_on(async {
        let mut context = SessionContext::new();
        fairlane_datafusion::register_all(&mut context).unwrap();
        context.register_batch("t", RecordBatch::try_from_iter(columns).unwrap()).unwrap();
        let frame = context.sql(sql).await.map_err(|error| error.to_string())?;
        let batches = frame.collect().await.map_err(|error| error.to_string())?;
        let rows = |batch: &RecordBatch| -> Vec<Row> {
            batch.column(0).as_binary::<i32>().iter().map(|row| row.map(<[u8]>::to_vec)).collect()
        };
        Ok(batches.iter().flat_map(rows).collect())
    })
}

/// Messages of many lengths, some of them null.
fn values(count: usize) -> Vec<Row> {
    let message = |i: usize| (i % 5 != 3).then(|| (0..i * 7 % 300).map(|j| (i * 31 + j) as u8 % 128).collect());
    (0..count).map(message).collect()
}

fn expected(algorithm: HashAlgorithm, values: &[Row], size: usize) -> Vec<Row> {
    let hash = |message: &Vec<u8>| {
        let mut digest = vec![0; size];
        algorithm.hash(message, &mut digest, None).unwrap();
        digest
    };
    values.iter().map(|value| value.as_ref().map(hash)).collect()
}

fn column(values: &[Row]) -> ArrayRef {
    Arc::new(values.iter().map(Option::as_deref).collect::<BinaryArray>())
}

#[test]
fn known_answer() {
    let sql = "SELECT fairlane_keccak256('')";
    let made = query(vec![("d", column(&values(1)))], sql).unwrap();
    let hex: String = made[0].as_ref().unwrap().iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(hex, "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470");
}

#[test]
fn every_hash_and_layout() {
    let values = values(300);
    for algorithm in HashAlgorithm::ALL {
        let name = algorithm.name().replace('-', "_");
        let (length, size) = match algorithm.output_size() {
            Some(size) => ("", size),
            None => (", 45", 45),
        };
        let sql = format!("SELECT fairlane_{name}(d{length}) FROM t");
        assert_eq!(query(vec![("d", column(&values))], &sql).unwrap(), expected(*algorithm, &values, size), "{name}");
    }
    let answers = expected(HashAlgorithm::Sm3, &values, 32);
    use DataType::{BinaryView, Dictionary, Int8, Int32, LargeBinary, LargeUtf8, UInt64, Utf8, Utf8View};
    let dictionary = |keys: DataType, of: DataType| Dictionary(Box::new(keys), Box::new(of));
    let dictionaries = [dictionary(Int32, Utf8), dictionary(UInt64, DataType::Binary), dictionary(Int32, Utf8View)];
    for layout in [LargeBinary, BinaryView, Utf8, LargeUtf8, Utf8View].into_iter().chain(dictionaries) {
        let column = cast(&column(&values), &layout).unwrap();
        assert_eq!(query(vec![("d", column.clone())], "SELECT fairlane_sm3(d) FROM t").unwrap(), answers, "{layout}");
        // A slice, of whose dictionary most values have no row.
        let slice = column.slice(37, 50);
        assert_eq!(query(vec![("d", slice)], "SELECT fairlane_sm3(d) FROM t").unwrap(), answers[37..87], "{layout}");
        let empty = column.slice(5, 0);
        assert_eq!(query(vec![("d", empty)], "SELECT fairlane_sm3(d) FROM t").unwrap(), Vec::<Row>::new());
    }
    let few: Vec<Row> = (0..200).map(|i| (i % 7 != 2).then(|| vec![i as u8 % 3])).collect();
    let repeated = cast(&column(&few), &dictionary(Int8, DataType::Binary)).unwrap();
    let made = query(vec![("d", repeated)], "SELECT fairlane_sha3_224(d) FROM t").unwrap();
    assert_eq!(made, expected(HashAlgorithm::Sha3_224, &few, 28));
    let nulls: ArrayRef = Arc::new(DictionaryArray::<Int32Type>::from_iter([None::<&str>, None]));
    assert_eq!(query(vec![("d", nulls)], "SELECT fairlane_sm3(d) FROM t").unwrap(), [None, None]);
    let fixed = FixedSizeBinaryArray::try_from_sparse_iter_with_size([Some(*b"abc"), None].into_iter(), 3).unwrap();
    let made = query(vec![("d", Arc::new(fixed) as ArrayRef)], "SELECT fairlane_sm3(d) FROM t").unwrap();
    assert_eq!(made, expected(HashAlgorithm::Sm3, &[Some(b"abc".to_vec()), None], 32));
}

#[test]
fn scalars_and_lengths() {
    let data = values(4);
    let lengths: ArrayRef = Arc::new(Int64Array::from(vec![Some(5), None, Some(0), Some(7)]));
    let columns = || vec![("d", column(&data)), ("n", Arc::clone(&lengths))];
    let made = query(columns(), "SELECT fairlane_shake256(d, n) FROM t").unwrap();
    let answer = |row: usize, size| expected(HashAlgorithm::Shake256, &data[row..=row], size).remove(0);
    assert_eq!(made, [answer(0, 5), None, answer(2, 0), None]);
    let abc = expected(HashAlgorithm::Kt128, &[Some(b"abc".to_vec())], 9);
    assert_eq!(query(columns(), "SELECT fairlane_kt128('abc', 9) FROM t LIMIT 1").unwrap(), abc);
    assert_eq!(query(columns(), "SELECT fairlane_sm3(NULL)").unwrap(), [None]);
    assert_eq!(query(columns(), "SELECT fairlane_kt128('abc', NULL)").unwrap(), [None]);
    assert_eq!(query(columns(), "SELECT fairlane_kt128('abc', n) FROM t LIMIT 2").unwrap()[1], None);
}

#[test]
fn errors() {
    let error = |sql: &str| {
        let number: ArrayRef = Arc::new(Int64Array::from(vec![1]));
        query(vec![("d", column(&[Some(vec![1])])), ("n", number)], sql).unwrap_err()
    };
    assert!(error("SELECT fairlane_sm3(n) FROM t").contains("takes text or binary data, not Int64"));
    assert!(error("SELECT fairlane_sm3(d, d) FROM t").contains("takes one argument, not 2"));
    assert!(error("SELECT fairlane_shake128(d) FROM t").contains("takes a message and a length"));
    assert!(error("SELECT fairlane_shake128(d, 'a') FROM t").contains("is an integer, not"));
    assert!(error("SELECT fairlane_shake128(d, n - 2) FROM t").contains("from 0 to 65536 bytes, not -1"));
    assert!(error("SELECT fairlane_shake128(d, 65537) FROM t").contains("from 0 to 65536 bytes, not 65537"));
    assert!(error("SELECT fairlane_shake128(d, arrow_cast(18446744073709551615, 'UInt64')) FROM t").contains("cast"));
    assert!(error("SELECT fairlane_md5(d) FROM t").contains("fairlane_md5"));
}
