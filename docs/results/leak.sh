#!/bin/sh
# Makes docs/results/leak.md anew: searches a selection of all suites for times that depend on secrets, in about ten
# minutes; best on a machine that does nothing else. The text is leak.template.md: read its sentences again after a
# search. `leak.sh write` searches nothing and makes the page from the committed search.
. "$(dirname "$0")/common.sh"
# No contestant of these needs a feature.
features=
found=$here/leaks/selection.json.gz

if [ "$racing" ]; then
    # The exit code tells whether fairlane was told apart; the page is made in any case.
    fairlane leak --samples 100000 --time 3 --json $found || echo "fairlane leak: exit code $?" >&2
fi
fairlane report --leaks $found --template $here/leak.template.md --markdown $here/leak.md --force
