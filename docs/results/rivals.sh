#!/bin/sh
# Makes docs/results/rivals.md anew: races fairlane against the libraries of examples/rivals, which are searched for
# where examples/rivals/race does (FAIRLANE_PREFIX), and against the libgcrypt that the loader finds; best on a machine
# that does nothing else. The text is rivals.template.md: read its sentences again after a race. `rivals.sh write` races
# nothing and makes the page from the committed runs.
. "$(dirname "$0")/common.sh"
if [ "$racing" ]; then
    # No contestant of these needs a feature.
    cargo build --release -p fairlane-cli
    race_rivals arx ',libgcrypt*' --size 64,128,192,256,320,512,1KiB,16KiB,1MiB \
        chacha20/encrypt chacha20-poly1305/seal chacha20-poly1305/open
    race_rivals keccak ',libgcrypt*,p3-keccak,keccak-asm' \
        --size 32,136,1KiB,1MiB,8x64,64x32,1024x32,1024x136,1024x1KiB \
        sha3-256/message shake128/message keccak256/message keccak256/batch
    set --
    for job in keygen encaps decaps encaps-prepared decaps-prepared; do
        set -- "$@" ml-kem-512/$job ml-kem-768/$job ml-kem-1024/$job
    done
    race_rivals kem '' "$@"
    race_rivals sm3 ',libgcrypt*' --size 64,1KiB,1MiB,16x64,1024x64,16x1KiB,1024x1KiB sm3/message sm3/batch
    race_rivals sm4 ',libgcrypt*' --size 64,1KiB,16KiB,1MiB \
        sm4/ecb-encrypt sm4/cbc-encrypt sm4/cbc-decrypt sm4/ctr sm4/gcm-seal
    race_rivals trees ',k12' --size 1KiB,8KiB,16KiB,64KiB,1MiB kt128/message kt256/message parallel-hash128/message
    race_rivals cold ',libgcrypt*' --cold --size 32,64 \
        chacha20-poly1305/seal chacha20-poly1305/open sm4/gcm-seal \
        ml-kem-512/decaps ml-kem-768/decaps ml-kem-1024/decaps
fi

# The runs of another machine are kept as they are.
page rivals-arx rivals-cold rivals-keccak rivals-kem rivals-sm3 rivals-sm4 rivals-trees \
    rivals-xeon5-arx rivals-xeon5-keccak rivals-xeon5-kem rivals-xeon5-sm
