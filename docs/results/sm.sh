#!/bin/sh
# Makes docs/results/sm.md anew: races the SM suite with every contestant that can be built; then the contests of the
# write-up's tables in a debug build and in a release build, and compares the two. Needs what the features need
# (docs/contestants.md) and, as the base of the comparison, an installed libgcrypt, which neither build compiles; best
# on a machine that does nothing else. The text is sm.template.md: read its sentences again after a race.
# `sm.sh write` races nothing and makes page and pictures from the committed runs.
. "$(dirname "$0")/common.sh"

debug() { cargo run --profile debug-plain -p fairlane-cli -- "$@"; }

# COMMAND NAME: the same race in either build. Larger messages take too long without optimisation.
race() {
    "$1" race --json "$runs/sm-$2.json.gz" --contestant fairlane,libgcrypt --size 1KiB,16KiB \
        --time 3 --processes 5 sm4/ecb-encrypt sm4/cbc-decrypt sm3/message
}
if [ "$racing" ]; then
    fairlane race --json $runs/sm-default.json.gz $length sm
    race debug debug
    race fairlane release
fi

pictures sm-default sm4-ecb-encrypt-one-message-by-message-size,sm4-gcm-seal-one-message-by-message-size,sm4-ecb-encrypt-16-kib,sm3-batch-messages-of-1-kib-by-number-in-a-call
page sm-default sm-debug sm-release
