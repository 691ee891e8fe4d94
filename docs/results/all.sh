#!/bin/sh
# Makes all pages of docs/results anew, each by its own script, then the index: `docs/results/all.sh` races, which
# takes an hour or so; `docs/results/all.sh write` races nothing and makes pages and pictures from the committed runs.
set -eu
cd "$(dirname "$0")"
for page in arx kalyna keccak256 kem leak rivals sm zen4; do
    echo "== $page" >&2
    "./$page.sh" "$@"
done
cd ../..
cargo run --release -p fairlane-cli -- report docs/results/runs/*.json.gz \
    --template docs/results/README.template.md --markdown docs/results/README.md --force
