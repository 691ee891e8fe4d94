#!/bin/sh
# Makes docs/results/arx.md anew: races the ARX suite with every contestant that can be built, then ChaCha20 in a build
# that lets the crate chacha20 use AVX-512. Needs what the features need (docs/contestants.md); best on a machine that
# does nothing else. The text is arx.template.md: read its sentences again after a race. `arx.sh write` races nothing
# and makes page and pictures from the committed runs.
. "$(dirname "$0")/common.sh"

if [ "$racing" ]; then
    fairlane race --json $runs/arx-default.json.gz $length arx
    RUSTFLAGS='--cfg chacha20_avx512' cargo run --release -p fairlane-cli --target-dir "$target/chacha20-avx512" -- \
        race --json $runs/arx-chacha20-avx512.json.gz --time 2 --processes 5 \
        --contestant 'fairlane/*,chacha20' chacha20/encrypt
fi

pictures arx-default chacha20-encrypt-one-message-by-message-size,kusumi512-encrypt-one-message-by-message-size,chacha20-poly1305-seal-one-message-by-message-size,arx-encrypt-in-place-1-mib
page arx-default arx-chacha20-avx512
