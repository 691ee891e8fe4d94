#!/bin/sh
# Makes docs/results/kalyna.md anew: races the Kalyna suite in a build with Crypto++, the one library behind a feature
# that has this cipher, and with fairlane's tables, which the write-up's comparison of languages needs. Needs what that
# needs (README.md, "More contestants") and a C compiler that takes -march=native; best on a machine that does nothing
# else. The text is kalyna.template.md: read its sentences again after a race. `kalyna.sh write` races nothing and makes
# page and pictures from the committed runs.
features=cryptopp,table-lookups
. "$(dirname "$0")/common.sh"

if [ "$racing" ]; then
    fairlane race --json $runs/kalyna-default.json.gz kalyna
fi

pictures kalyna-default kalyna-128-128-ecb-encrypt-one-message-by-message-size,kalyna-128-128-block-encrypt-16-b,kalyna-512-512-block-encrypt-64-b
page kalyna-default
