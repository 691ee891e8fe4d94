#!/bin/sh
# Makes docs/results/kalyna.md anew: races the Kalyna suite. Needs what the features need (docs/contestants.md) and a C
# compiler that takes -march=native; best on a machine that does nothing else. The text is kalyna.template.md: read its
# sentences again after a race. `kalyna.sh write` races nothing and makes page and pictures from the committed runs.
. "$(dirname "$0")/common.sh"

if [ "$racing" ]; then
    # Without 1 MiB: the slowest then take milliseconds an operation, which a shared machine seldom leaves undisturbed.
    fairlane race --json $runs/kalyna-default.json.gz $length --size 16,32,64,1KiB,16KiB kalyna
fi

pictures kalyna-default kalyna-128-128-ecb-encrypt-one-message-by-message-size,kalyna-128-128-block-encrypt-16-b,kalyna-512-512-block-encrypt-64-b
page kalyna-default
