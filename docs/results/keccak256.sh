#!/bin/sh
# Makes docs/results/keccak256.md anew: races Keccak-256 in a default build with every contestant that can be built from
# source, then in a build for this very CPU. Needs what the features need (README.md, "More contestants"); best on a
# machine that does nothing else. The prose above the tables is keccak256.intro.md: read it again afterwards.
set -eu
cd "$(dirname "$0")/../.."
here=docs/results
target=${CARGO_TARGET_DIR:-target}
fairlane() { cargo run --release -p fairlane-cli --features openssl,aws-lc,botan,xkcp -- "$@"; }

fairlane race --json $here/keccak256-default.json 'keccak256/*'
RUSTFLAGS='-C target-cpu=native' cargo run --release -p fairlane-cli --features xkcp --target-dir "$target/native" -- \
    race --json $here/keccak256-native.json keccak256/message --size 32,136,1KiB,1MiB

{
    cat $here/keccak256.intro.md
    printf '\n---\n\n## The default build\n\n'
    fairlane report $here/keccak256-default.json | sed 's/^#/##/'
    printf '\n---\n\n## Built for this CPU: `RUSTFLAGS="-C target-cpu=native"`\n\n'
    fairlane report $here/keccak256-native.json | sed 's/^#/##/'
} >$here/keccak256.md
