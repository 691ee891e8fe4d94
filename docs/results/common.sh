# Shared by the scripts of the pages. Each sources this file with its own arguments: none to race and to make the page,
# `write` to make the page from the runs that are there.
set -eu
cd "$(dirname "$0")/../.."
page=$(basename "$0" .sh)
here=docs/results
runs=$here/runs
target=${CARGO_TARGET_DIR:-target}
# One build for all pages: every contestant that can be built, and Kalyna's tables, which the write-up's comparison of
# languages needs.
features=openssl,aws-lc,botan,cryptopp,pqcrypto,xkcp,table-lookups
# A second a heat, in five processes: the runs of a suite are files of less than 1 MB.
length='--time 1 --processes 5'

case ${1-} in
'') racing=yes ;;
write) racing='' features='' ;;
*)
    echo "usage: $0 [write]" >&2
    exit 2
    ;;
esac

fairlane() { cargo run --release -p fairlane-cli ${features:+--features "$features"} -- "$@"; }

# race_rivals RUN OTHERS ARGUMENT...: a race of the page, whose contestants are fairlane's backends, the plug-ins of
# examples/rivals and OTHERS.
race_rivals() {
    run=$1 others=$2
    shift 2
    FAIRLANE_RIVALS=${FAIRLANE_RIVALS:-$target/rivals} bash examples/rivals/race "$target/release/fairlane" \
        --json "$runs/$page-$run.json.gz" --force $length \
        --contestant "fairlane/*,*(plug-in)$others" "$@"
}

# page RUN ...: fills the page's template from these runs, of which the template calls the first A, the second B.
page() {
    for run; do
        shift
        set -- "$@" "$runs/$run.json.gz"
    done
    fairlane report "$@" --template "$here/$page.template.md" --markdown "$here/$page.md" --force
}

# pictures RUN NAMES: the pictures that the page shows, in place of those that were there.
pictures() {
    rm -rf "$here/pictures/$page"
    fairlane report "$runs/$1.json.gz" --svg "$here/pictures/$page" --figures "$2"
}
