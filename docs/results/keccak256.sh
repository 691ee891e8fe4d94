#!/bin/sh
# Makes docs/results/keccak256.md anew: races Keccak-256 with every contestant that can be built, then in a build for
# this very CPU. Needs what the features need (docs/contestants.md); best on a machine that does nothing else. The text
# is keccak256.template.md: read its sentences again after a race. `keccak256.sh write` races nothing and makes page and
# pictures from the committed runs.
. "$(dirname "$0")/common.sh"

if [ "$racing" ]; then
    fairlane race --json $runs/keccak256-default.json.gz --time 1.5 --processes 5 'keccak256/*'
    RUSTFLAGS='-C target-cpu=native' cargo run --release -p fairlane-cli --features xkcp --target-dir "$target/native" -- \
        race --json $runs/keccak256-native.json.gz --time 2 --processes 5 keccak256/message --size 32,136,1KiB,1MiB
fi

pictures keccak256-default keccak256-message-one-message-by-message-size,keccak256-message-32-b,keccak256-batch-messages-of-32-b-by-number-in-a-call
page keccak256-default keccak256-native
