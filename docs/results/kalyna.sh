#!/bin/sh
# Makes docs/results/kalyna.md anew: races the Kalyna suite in a default build with Crypto++, the one library behind a
# feature that has this cipher. Needs what that needs (README.md, "More contestants") and a C compiler that takes
# -march=native; best on a machine that does nothing else. The prose above the tables is kalyna.intro.md: read it again
# afterwards. `kalyna.sh write` only writes the page, from the run that is there.
features=cryptopp
. "$(dirname "$0")/common.sh"

if [ "$racing" ]; then
    fairlane race --json $here/kalyna-default.json kalyna
fi

pictures kalyna-default kalyna-128-128-ecb-encrypt-one-message-by-message-size,kalyna-128-128-block-encrypt-16-b,kalyna-512-512-block-encrypt-64-b
{
    cat $here/kalyna.intro.md
    section 'The default build' kalyna-default
} >$here/kalyna.md
