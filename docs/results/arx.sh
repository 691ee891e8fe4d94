#!/bin/sh
# Makes docs/results/arx.md anew: races the ARX suite in a default build with every contestant that can be built from
# source, then ChaCha20 in a build that lets the crate chacha20 use AVX-512. Needs what the features need (README.md, "More
# contestants"); best on a machine that does nothing else. The prose above the tables is arx.intro.md: read it again
# afterwards.
set -eu
cd "$(dirname "$0")/../.."
here=docs/results
target=${CARGO_TARGET_DIR:-target}

cargo run --release -p fairlane-cli --features openssl,aws-lc,botan,xkcp,cryptopp -- race --json $here/arx-default.json arx
RUSTFLAGS='--cfg chacha20_avx512' cargo run --release -p fairlane-cli --target-dir "$target/chacha20-avx512" -- \
    race --json $here/arx-chacha20-avx512.json --contestant 'fairlane/*,chacha20' chacha20/encrypt

fairlane() { cargo run --release -p fairlane-cli --features openssl,aws-lc,botan,xkcp,cryptopp -- "$@"; }
{
    cat $here/arx.intro.md
    printf '\n---\n\n## The default build\n\n'
    fairlane report $here/arx-default.json | sed 's/^#/##/'
    printf '\n---\n\n## With the AVX-512 code of the crate chacha20: `RUSTFLAGS="--cfg chacha20_avx512"`\n\n'
    fairlane report $here/arx-chacha20-avx512.json | sed 's/^#/##/'
} >$here/arx.md
