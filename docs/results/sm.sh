#!/bin/sh
# Makes docs/results/sm.md anew: races the SM suite in a default build with every contestant that can be built from
# source; then the contests of the write-up's tables in a debug build and in a release build, and compares the two.
# Needs what the features need (README.md, "More contestants") and, as the base of the comparison, an installed
# libgcrypt, which neither build compiles; best on a machine that does nothing else. The prose above the tables is
# sm.intro.md: read it again afterwards.
set -eu
cd "$(dirname "$0")/../.."
here=docs/results

cargo run --release -p fairlane-cli --features openssl,aws-lc,botan,xkcp,cryptopp -- race --json $here/sm-default.json sm

# PROFILE NAME: the same race in either build. Larger messages take too long without optimisation.
race() {
    cargo run --profile "$1" -p fairlane-cli -- race --json "$here/sm-$2.json" --contestant fairlane,libgcrypt \
        --size 1KiB,16KiB --time 6 sm4/ecb-encrypt sm4/cbc-decrypt sm3/message
}
race debug-plain debug
race release release

fairlane() { cargo run --release -p fairlane-cli -- "$@"; }
{
    cat $here/sm.intro.md
    printf '\n---\n\n## The default build\n\n'
    fairlane report $here/sm-default.json | sed 's/^#/##/'
    printf '\n---\n\n## Without optimisation: profile `debug-plain`\n\n'
    fairlane report $here/sm-debug.json | sed 's/^#/##/'
    printf '\n---\n\n## Debug against release\n\n'
    fairlane compare $here/sm-debug.json $here/sm-release.json --markdown - | sed 's/^#/##/'
} >$here/sm.md
