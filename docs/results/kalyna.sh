#!/bin/sh
# Makes docs/results/kalyna.md anew: races the Kalyna suite in a default build with Crypto++, the one library behind a
# feature that has this cipher. Needs what that needs (README.md, "More contestants") and a C compiler that takes
# -march=native; best on a machine that does nothing else. The prose above the tables is kalyna.intro.md: read it again
# afterwards.
set -eu
cd "$(dirname "$0")/../.."
here=docs/results

fairlane() { cargo run --release -p fairlane-cli --features cryptopp -- "$@"; }
fairlane race --json $here/kalyna-default.json kalyna
{
    cat $here/kalyna.intro.md
    printf '\n---\n\n## The default build\n\n'
    fairlane report $here/kalyna-default.json | sed 's/^#/##/'
} >$here/kalyna.md
