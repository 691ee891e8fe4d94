#!/bin/sh
# Makes docs/results/keccak256.md anew: races Keccak-256 in a default build with every contestant that can be built from
# source, then in a build for this very CPU. Needs what the features need (README.md, "More contestants"); best on a
# machine that does nothing else. The prose above the tables is keccak256.intro.md: read it again afterwards.
# `keccak256.sh write` only writes the page, from the runs that are there.
features=openssl,aws-lc,botan,xkcp
. "$(dirname "$0")/common.sh"

if [ "$racing" ]; then
    fairlane race --json $here/keccak256-default.json 'keccak256/*'
    RUSTFLAGS='-C target-cpu=native' cargo run --release -p fairlane-cli --features xkcp --target-dir "$target/native" -- \
        race --json $here/keccak256-native.json keccak256/message --size 32,136,1KiB,1MiB
fi

pictures keccak256-default keccak256-message-one-message-by-message-size,keccak256-message-32-b,keccak256-batch-messages-of-32-b-by-number-in-a-call
{
    cat $here/keccak256.intro.md
    section 'The default build' keccak256-default
    section 'Built for this CPU: `RUSTFLAGS="-C target-cpu=native"`' keccak256-native
} >$here/keccak256.md
