#!/bin/sh
# Makes docs/results/zen4.md anew: races fairlane against the libraries of examples/rivals, as rivals.sh does, on an AMD
# CPU with AVX-512; on another CPU it keeps the committed runs. The text is zen4.template.md: read its sentences again
# after a race. `zen4.sh write` races nothing and makes the page from the committed runs.
. "$(dirname "$0")/common.sh"
if [ "$racing" ] && grep -q AuthenticAMD /proc/cpuinfo; then
    # No contestant of these needs a feature.
    cargo build --release -p fairlane-cli
    race_rivals arx ',libgcrypt*' --size 64,256,1KiB,16KiB,1MiB \
        chacha20/encrypt chacha20-poly1305/seal chacha20-poly1305/open
    race_rivals keccak ',libgcrypt*,p3-keccak,keccak-asm' \
        --size 32,136,1KiB,1MiB,8x64,64x32,1024x32,1024x136,1024x1KiB \
        sha3-256/message shake128/message keccak256/message keccak256/batch
    set --
    for job in keygen encaps decaps; do
        set -- "$@" ml-kem-512/$job ml-kem-768/$job ml-kem-1024/$job
    done
    race_rivals kem '' "$@"
    race_rivals sm ',libgcrypt*' --size 64,1KiB,16KiB,1MiB,16x64,1024x64,16x1KiB,1024x1KiB sm3/message sm3/batch \
        sm4/ecb-encrypt sm4/cbc-encrypt sm4/cbc-decrypt sm4/ctr sm4/gcm-seal
    race_rivals trees ',k12' --size 1KiB,8KiB,16KiB,64KiB,1MiB kt128/message kt256/message parallel-hash128/message
fi

page zen4-arx zen4-keccak zen4-kem zen4-sm zen4-trees
