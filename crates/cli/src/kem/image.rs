//! Encapsulation keys as PNG images: a pixel is three bytes of the key, which are two coefficients below q.
//!
//! The 384 bytes of one polynomial of t̂ are a tile of 16 × 8 pixels. The k tiles stand side by side; the row below
//! them holds ρ, in X-Wing then the key of X25519, followed by zeros. So the image has 16 k × 9 pixels in 8-bit RGB.

use fairlane::sealed::{Kem, KemKeyError, Recipient};
use png::{BitDepth, ColorType, Decoder, Encoder, Limits};
use std::fmt;
use std::io::Cursor;

/// The first bytes of a PNG file.
pub(super) const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// The keyword of the text chunk that names the KEM.
const KEYWORD: &str = "KEM";

/// The bytes of a pixel.
const RGB: usize = 3;

/// The width and height of a tile in pixels.
const TILE: [usize; 2] = [16, 8];

/// The bytes of a row of a tile, and of a tile.
const ROW: usize = TILE[0] * RGB;
const POLYNOMIAL: usize = ROW * TILE[1];

/// The bytes of ρ, and of a key of X25519.
const RHO: usize = 32;
const X25519: usize = 32;

/// The height of the image in pixels.
const HEIGHT: usize = TILE[1] + 1;

/// The maximum number of bytes that the PNG decoder may allocate.
const MEMORY: usize = 1 << 20;

/// The pixels of an encapsulation key.
pub(super) struct Image {
    /// The width in pixels.
    pub(super) width: usize,
    /// The red, green and blue bytes, row by row.
    pub(super) pixels: Vec<u8>,
}

impl Image {
    /// The image of a key.
    pub(super) fn of(key: &[u8]) -> Self {
        let (vector, rest) = key.split_at(key.len() / POLYNOMIAL * POLYNOMIAL);
        let width = vector.len() / POLYNOMIAL * TILE[0];
        let mut pixels = Vec::with_capacity(width * HEIGHT * RGB);
        for row in 0..TILE[1] {
            for tile in vector.chunks_exact(POLYNOMIAL) {
                pixels.extend_from_slice(&tile[row * ROW..][..ROW]);
            }
        }
        pixels.extend_from_slice(rest);
        pixels.resize(width * HEIGHT * RGB, 0);
        Self { width, pixels }
    }

    /// The bytes of the key, of which `rest` stand below the tiles; `None` if the last row does not end with zeros.
    fn key(&self, rest: usize) -> Option<Vec<u8>> {
        let row = self.width * RGB;
        let (strip, last) = self.pixels.split_at(row * TILE[1]);
        let (rest, padding) = last.split_at(rest);
        let mut key = Vec::with_capacity(strip.len() + rest.len());
        for at in (0..row).step_by(ROW) {
            for row in strip.chunks_exact(row) {
                key.extend_from_slice(&row[at..][..ROW]);
            }
        }
        key.extend_from_slice(rest);
        padding.iter().all(|&byte| byte == 0).then_some(key)
    }
}

/// Encodes a key as a PNG file.
pub(super) fn write(recipient: &Recipient) -> Vec<u8> {
    let image = Image::of(recipient.as_bytes());
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, image.width as u32, HEIGHT as u32);
    encoder.set_color(ColorType::Rgb);
    encoder.set_depth(BitDepth::Eight);
    let written = encoder
        .add_text_chunk(KEYWORD.to_owned(), recipient.kem().name().to_owned())
        .and_then(|()| encoder.write_header()?.write_image_data(&image.pixels));
    written.expect("a vector takes every byte, and the image has its size");
    file
}

/// Decodes a PNG file to the KEM that it names and the bytes of the key. An image that another program has rewritten
/// may name no KEM.
pub(super) fn read(file: &[u8]) -> Result<(Option<Kem>, Vec<u8>), ImageError> {
    let limits = Limits { bytes: MEMORY };
    let mut reader = Decoder::new_with_limits(Cursor::new(file), limits).read_info()?;
    let info = reader.info();
    let size @ (width, height) = info.size();
    if (info.color_type, info.bit_depth) != (ColorType::Rgb, BitDepth::Eight) {
        return Err(ImageError::Mode(info.color_type, info.bit_depth));
    }
    let (width, height) = (width as usize, height as usize);
    let has_width = |kem: &Kem| kem.encapsulation_key_size() / POLYNOMIAL == width / TILE[0];
    if height != HEIGHT || width % TILE[0] != 0 || !Kem::ALL.iter().any(has_width) {
        return Err(ImageError::Size(size));
    }
    let name = info.uncompressed_latin1_text.iter().find(|chunk| chunk.keyword == KEYWORD);
    let kem = name.map(|chunk| chunk.text.parse()).transpose().map_err(|_| KemKeyError::UnknownKem)?;
    let mut pixels = vec![0; width * HEIGHT * RGB];
    reader.next_frame(&mut pixels)?;
    let image = Image { width, pixels };
    // A key of X-Wing has more bytes than the others of its width, which end with zeros.
    let key = match kem {
        Some(Kem::XWing) => image.key(RHO + X25519),
        Some(_) => image.key(RHO),
        None if has_width(&Kem::XWing) => image.key(RHO).or_else(|| image.key(RHO + X25519)),
        None => image.key(RHO),
    };
    Ok((kem, key.ok_or(ImageError::Padding)?))
}

/// Why an image is not that of an encapsulation key.
#[derive(Debug)]
pub(super) enum ImageError {
    /// No key has an image of this width and height in pixels.
    Size((u32, u32)),
    /// The pixels are not 8-bit RGB, but of this kind.
    Mode(ColorType, BitDepth),
    /// The rest of the last row is not zero.
    Padding,
    /// The KEM that it names is unknown.
    Key(KemKeyError),
    /// It is not a PNG file, or it is damaged.
    Png(png::DecodingError),
}

impl From<KemKeyError> for ImageError {
    fn from(error: KemKeyError) -> Self {
        Self::Key(error)
    }
}

impl From<png::DecodingError> for ImageError {
    fn from(error: png::DecodingError) -> Self {
        Self::Png(error)
    }
}

impl fmt::Display for ImageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size((width, height)) => {
                write!(f, "an image of {width} x {height} pixels: a key's image has 32, 48 or 64 x {HEIGHT}")
            }
            Self::Mode(color, depth) => {
                write!(f, "an image in {color:?} of {} bits: a key's image is in RGB of 8 bits", *depth as u8)
            }
            Self::Padding => f.write_str("the image's last row does not end with zeros, so it is not a key's image"),
            Self::Key(error) => error.fmt(f),
            Self::Png(error) => write!(f, "a damaged PNG: {error}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fairlane::sealed::Identity;

    #[test]
    fn keys_survive_a_round_trip() {
        for &kem in Kem::ALL {
            let recipient = Identity::generate(kem).unwrap().recipient();
            let key = recipient.as_bytes();
            let image = Image::of(key);
            assert_eq!(image.pixels.len(), image.width * HEIGHT * RGB);
            assert_eq!(image.key(key.len() % POLYNOMIAL).unwrap(), key);
            assert_eq!(read(&write(&recipient)).unwrap(), (Some(kem), key.to_vec()));
        }
    }

    #[test]
    fn bytes_of_a_key_become_these_pixels() {
        let key: Vec<u8> = (0..3 * POLYNOMIAL + RHO).map(|i| (i / 16) as u8).collect();
        let Image { width, pixels } = Image::of(&key);
        assert_eq!((width, pixels.len()), (48, 48 * 9 * 3));
        let pixel = |x: usize, y: usize| &pixels[(y * width + x) * RGB..][..RGB];
        assert_eq!(pixel(0, 0), &key[..3]);
        assert_eq!(pixel(15, 0), &key[45..48]);
        assert_eq!(pixel(0, 1), &key[48..51]);
        // The second tile is to the right of the first.
        assert_eq!(pixel(16, 0), &key[384..387]);
        assert_eq!(pixel(47, 7), &key[3 * 384 - 3..3 * 384]);
        assert_eq!(pixel(0, 8), &key[3 * 384..3 * 384 + 3]);
        assert_eq!(pixel(10, 8), [key[3 * 384 + 30], key[3 * 384 + 31], 0]);
        assert!(pixels[(8 * width + 11) * RGB..].iter().all(|&byte| byte == 0));
    }

    #[test]
    fn the_rest_of_the_last_row_must_be_zero() {
        for width in [32, 48, 64] {
            let pixels = vec![0; width * HEIGHT * RGB];
            for at in width * TILE[1] * RGB + RHO..pixels.len() {
                let mut pixels = pixels.clone();
                pixels[at] = 1;
                assert!(Image { width, pixels }.key(RHO).is_none());
            }
            assert!(Image { width, pixels }.key(RHO).is_some());
        }
    }
}
