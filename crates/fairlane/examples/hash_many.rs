//! A Merkle tree of SHA3-256 digests, each level of it in one call: `cargo run --example hash_many`

use fairlane::HashMany;
use fairlane::keccak::Sha3_256;

/// The root over `leaves`; a digest without a neighbour moves up a level as it is.
fn root(leaves: &[&[u8]]) -> [u8; 32] {
    let mut level = vec![[0; 32]; leaves.len()];
    Sha3_256::hash_many(leaves, &mut level).expect("there is a digest for each leaf");
    while level.len() > 1 {
        let (pairs, rest) = level.as_chunks::<2>();
        let mut above = vec![[0; 32]; pairs.len()];
        Sha3_256::hash_many(pairs.iter().map(|pair| pair.as_flattened()), &mut above)
            .expect("there is a digest for each pair");
        above.extend_from_slice(rest);
        level = above;
    }
    level[0]
}

fn main() {
    let long = [7; 100_000];
    println!("{:02x?}", root(&[b"a leaf", b"another leaf", &long, b"", b"the last one"]));
}
