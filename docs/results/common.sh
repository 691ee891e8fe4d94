# What the scripts of the pages share. A page's script sets `features`, those that its contestants need, and sources this
# with its own arguments: none to race and to write the page, `write` only to write it anew from the runs that are there.
set -eu
cd "$(dirname "$0")/../.."
page=$(basename "$0" .sh)
here=docs/results
target=${CARGO_TARGET_DIR:-target}

case ${1-} in
'') racing=yes ;;
write) racing='' features='' ;;
*)
    echo "usage: $0 [write]" >&2
    exit 2
    ;;
esac

fairlane() { cargo run --release -p fairlane-cli ${features:+--features "$features"} -- "$@"; }

# section TITLE RUN: what `fairlane report` makes of a run, under a title.
section() {
    printf '\n---\n\n## %s\n\n' "$1"
    fairlane report "$here/$2.json" | sed 's/^#/##/'
}

# pictures RUN NAMES: the pictures that the page's prose shows, in place of those that were there.
pictures() {
    rm -rf "$here/pictures/$page"
    fairlane report "$here/$1.json" --svg "$here/pictures/$page" --figures "$2"
}
