#!/bin/sh
# Makes docs/results/kem.md anew: races ML-KEM and CLWE-KEM with every contestant that can be built; then the write-up's
# three operations with its own counts, and some contests in one thread and in two. About 10 minutes of racing. Needs
# what the features need (docs/contestants.md); best on a machine that does nothing else. The text is kem.template.md:
# read its sentences again after a race. `kem.sh write` races nothing and makes page and pictures from the committed
# runs.
. "$(dirname "$0")/common.sh"

if [ "$racing" ]; then
    fairlane race --json $runs/kem-default.json.gz $length ml-kem clwe
    # 100 operations to warm up and 1000 in a sample: so many of all contestants would take too long.
    fairlane race --json $runs/kem-counts.json.gz --warm-up 100 --iterations 1000 --time 1.5 \
        --contestant fairlane,libcrux-ml-kem 'ml-kem-*/keygen' 'ml-kem-*/encaps' 'ml-kem-*/decaps' \
        'clwe-*/keygen' 'clwe-*/encaps' 'clwe-*/decaps'
    fairlane race --json $runs/kem-threads.json.gz --threads 1,2 --time 2 --contestant fairlane,libcrux-ml-kem \
        ml-kem-768/exchange 'ml-kem-768/batch-*'
fi

pictures kem-default ml-kem-768-keygen-1-in-a-call,ml-kem-768-encaps-1-in-a-call,ml-kem-768-decaps-1-in-a-call,ml-kem-512-batch-encaps-64-in-a-call
page kem-default kem-counts kem-threads
