//! Fields that a run's file holds as text, and that mean more than text.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt::{self, Debug, Display};
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::str::FromStr;

/// A value as a run's file spells it: its text, exactly as it stands there, and what it means. A file of another
/// version may hold text that means nothing here; it is kept and shown as it is.
///
/// Two are equal if their texts are.
#[derive(Clone)]
pub struct Text<T> {
    text: String,
    value: Option<T>,
}

impl<T> Text<T> {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// What it means, if this version knows.
    pub fn value(&self) -> Option<&T> {
        self.value.as_ref()
    }
}

impl<T: Display> Text<T> {
    /// A value with its own spelling.
    pub fn of(value: T) -> Self {
        Self { text: value.to_string(), value: Some(value) }
    }
}

impl<T: FromStr> From<String> for Text<T> {
    fn from(text: String) -> Self {
        let value = text.parse().ok();
        Self { text, value }
    }
}

impl<T: FromStr> From<&str> for Text<T> {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl<T> Deref for Text<T> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl<T> Display for Text<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

impl<T> Debug for Text<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Debug::fmt(&self.text, f)
    }
}

impl<T> PartialEq for Text<T> {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl<T> Eq for Text<T> {}

impl<T> PartialEq<str> for Text<T> {
    fn eq(&self, other: &str) -> bool {
        self.text == other
    }
}

impl<T> PartialEq<&str> for Text<T> {
    fn eq(&self, other: &&str) -> bool {
        self.text == *other
    }
}

impl<T> PartialEq<String> for Text<T> {
    fn eq(&self, other: &String) -> bool {
        self.text == *other
    }
}

impl<T> PartialEq<Text<T>> for &str {
    fn eq(&self, other: &Text<T>) -> bool {
        *self == other.text
    }
}

impl<T> Hash for Text<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

impl<T> Serialize for Text<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

impl<'de, T: FromStr> Deserialize<'de> for Text<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self::from)
    }
}
