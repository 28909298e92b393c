#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# test_fetch_cuda.sh <folder>: when packaging/fetch-cuda.sh fetches, and what it leaves when it can't go on.
# Programs in <folder> stand for the loader, the driver, nvcc and pip: nothing is downloaded.
set -euo pipefail
script=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)/packaging/fetch-cuda.sh
folder=$1
bin=$folder/toolkit/bin
cuda=$folder/data/lockstep/cuda

fake() {
    printf '#!/bin/bash\n%s\n' "$2" >"$bin/$1"
    chmod +x "$bin/$1"
}

# There is a driver and CUDA 12.4.
prepare() {
    rm -rf "$folder"
    mkdir -p "$bin" "$folder/toolkit/lib64"
    fake ldconfig 'echo "libcuda.so.1 (libc6,x86-64) => /usr/lib/libcuda.so.1"'
    fake nvidia-smi 'echo 580.65.06'
    fake nvcc 'echo "Cuda compilation tools, release 12.4, V12.4.99"'
    # shellcheck disable=SC2016 # its own arguments
    fake python3 '
        echo "pip $3"
        [[ ! -e '"$folder"'/"no $3" ]] || exit 1
        [[ $3 == install ]] || exit 0
        while [[ $1 != --target ]]; do shift; done
        mkdir -p "$2"/{nvidia/{cu13,cudnn,nccl}/{lib,include},some.dist-info}
        touch "$2"/nvidia/{cudnn/lib/libcudnn.so.9,nccl/lib/libnccl.so.2} "$2"/nvidia/{cudnn,nccl}/include/{cudnn,nccl}.h'
}

run() {
    output=$(env -u LD_LIBRARY_PATH -u LOCKSTEP_CUDA XDG_DATA_HOME="$folder/data" PATH="$bin:/usr/bin:/bin" "$@" "$script" 2>&1 </dev/null) ||
        fail "exit status $?"
}

fail() {
    printf 'FAILED: %s: %s\n%s\n' "$case" "$1" "${output:-}"
    exit 1
}

fetches() {
    run env
    [[ $output == *"1.2 GB to fetch"*"pip download"*"pip install"* ]] || fail "not fetched, or its size not told first"
    [[ -e $cuda/cuda-requirements.txt && ! -e $cuda.part ]] || fail "not complete"
    [[ $(readlink "$cuda/lib64/libcudnn.so") == libcudnn.so.9 && -e $cuda/lib/libnccl.so ]] || fail "libraries not laid out"
}

fetches_nothing() {
    run "$@"
    [[ $output != *pip* && ! -e $cuda && ! -e $cuda.part ]] || fail "something was fetched"
}

case="driver and an old toolkit" && prepare && fetches
case="once more" && run env
[[ -z $output ]] || fail "not silent"
case="other packages than those there" && echo old >"$cuda/cuda-requirements.txt" && fetches
case="LOCKSTEP_CUDA=off" && prepare && fetches_nothing LOCKSTEP_CUDA=off
case="no driver" && prepare && fake ldconfig 'echo "libc.so.6 (libc6,x86-64) => /lib/libc.so.6"' && fetches_nothing env
[[ -z $output ]] || fail "not silent"
case="old driver" && prepare && fake nvidia-smi 'echo 535.183.01' && fetches_nothing env
[[ $output == *"driver is 535.183.01"*"580 or later"* ]] || fail "doesn't say so"

case="complete toolkit" && prepare && fake nvcc 'echo "Cuda compilation tools, release 13.0, V13.0.88"'
touch "$folder"/toolkit/lib64/{libcudnn,libnccl}.so
fetches_nothing env
if [[ ! -e /usr/lib/x86_64-linux-gnu/libnccl.so ]]; then
    case="toolkit without NCCL" && rm "$folder/toolkit/lib64/libnccl.so" && fetches
fi

for step in download install; do
    case="$step fails" && prepare && touch "$folder/no $step" && run env
    [[ ! -e $cuda && $output == *"can't be fetched"* ]] || fail "a folder that is not whole, or no word of it"
    case="after $step failed" && rm "$folder/no $step" && fetches
done
echo "fetch-cuda.sh fetches when it should, and only then"
