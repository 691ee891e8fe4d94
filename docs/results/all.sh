#!/bin/sh
# Makes all pages of docs/results anew, each by its own script, one after the other: `docs/results/all.sh`, which takes an
# hour or so, or `docs/results/all.sh write`, which races nothing.
set -eu
cd "$(dirname "$0")"
for page in arx kalyna keccak256 kem sm; do
    echo "== $page" >&2
    "./$page.sh" "$@"
done
