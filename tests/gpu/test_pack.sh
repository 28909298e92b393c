#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# test_pack.sh <build folder> [--faults]: makes a pack of the programs in it and runs its CPU half in an empty root
# that holds the pack alone, with /proc and /dev: nothing of Debian's may be missing in it. Then outside,
# in both ways to start it. Exit status 77: this machine doesn't allow to change the root.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
folder=$(realpath "${1:?usage: test_pack.sh <build folder>}")

skip() {
    echo "SKIP: $*"
    exit 77
}

# in_root <command…>: in a root of its own, as its root user.
in_root() {
    local as=(--map-root-user)
    ((EUID != 0)) || as=()
    unshare --mount "${as[@]}" "$root/tests/gpu/in_root.sh" "$empty" "$@"
}

check() {
    local name=$1
    shift
    if "$@" >"$work/output" 2>&1; then
        echo "ok: $name"
    else
        cat "$work/output"
        echo "FAILED: $name"
        exit 1
    fi
}

says() {
    local text=$1
    shift
    "$@" | tee "$work/said" && grep -q -- "$text" "$work/said"
}

images=${LOCKSTEP_TEST_DATA:-$root/../shared/data}/cifar-10-batches-bin
[[ -e $images/test_batch.bin ]] || skip "there is no CIFAR-10 in $images"
work=$(mktemp -d)
# Never beyond this file system, should a mount be left.
trap 'rm -rf --one-file-system "$work"' EXIT
empty=$work/empty

cuda=()
[[ -e $folder/bin/liblockstep-cuda.so ]] || cuda=(--without-cuda)
"$root/tests/gpu/pack.sh" --build-folder "$folder" --quick --output "$work/pack.tar.xz" "${cuda[@]}"
mkdir -p "$empty"/{proc,dev,tmp}
tar --extract --file "$work/pack.tar.xz" --directory "$empty"
pack=/lockstep-gpu-pack
start=("$pack/glibc/ld-linux-x86-64.so.2" --library-path "$pack/glibc:$pack/lib" "$pack/bin/lockstep-train")
in_root "${start[@]}" --version >/dev/null 2>"$work/refused" || {
    grep -qE 'unshare|mount|chroot|permitted|denied' "$work/refused" &&
        skip "the root can't be changed here: $(head -n 1 "$work/refused")"
    cat "$work/refused"
    echo "FAILED: the program does not start in an empty root"
    exit 1
}

check "devices, in an empty root" says '^cpu ' in_root "${start[@]}" devices
check "the GPU's absence is explained" grep -q '^cuda .*not available: ' "$work/said"
check "self-test, in an empty root" says '^all [0-9]* checks passed' in_root "${start[@]}" selftest --device cpu
check "three steps on the packed images, in an empty root" says '"event":"finished"' \
    in_root "${start[@]}" train --json --device cpu --model "$pack/small.toml" --dataset cifar10 --data "$pack/data" \
    --towers 2 --batch-per-tower 16 --steps 3 --run /tmp/run
check "the packed images are 4,000 and 1,000" grep -q '4000 training examples' "$work/said"
check "evaluation on 1,000 of them" grep -q '"examples":1000' "$work/said"
for loader in machine pack; do
    check "started by the $loader's loader" says '^cpu ' env LOCKSTEP_PACK_LOADER=$loader \
        "$empty$pack/lockstep-train" devices
done
run=$empty$pack/run.sh
check "run.sh first, on the CPU" env OUT="$work/out" "$run" first --device cpu --budget 150
check "its verdicts" grep -q '"part":"cifar10-float32 and cifar10-float32-again are the same","status":"passed"' "$work/out/first.jsonl"
check "the evidence" tar --list --file "$work/out/first-evidence.tar.xz" cifar10-float32.run.toml first.txt libraries.txt
check "at most 8 result files" test "$(find "$work/out" -type f | wc -l)" -le 8
if OUT=$work/out "$run" first --device cuda:77 --budget 60 --small >"$work/output" 2>&1; then
    echo "FAILED: run.sh says that all was good with a GPU that is not there"
    exit 1
fi
echo "ok: run.sh fails with a GPU that is not there"
check "and names it" grep -q 'there is no device cuda:77' "$work/out/first.txt"

emulated=$folder/tests/liblockstep_emulated_gpu.so
driver=$(find "$folder/tests" -name libfake_driver.so | head -n 1)
[[ -e $emulated && -n $driver ]] || exit 0
mkdir -p "$work/driver"
ln -s "$driver" "$work/driver/libcuda.so.1"

# with_fault <fault> <what must be said> <part that must pass>: `first` on an emulated GPU.
with_fault() {
    local began=$SECONDS
    LOCKSTEP_EMULATED_FAULT=$1 LOCKSTEP_EMULATED_GPUS=1 LOCKSTEP_CUDA_LIBRARY=$emulated LD_LIBRARY_PATH=$work/driver \
        OUT=$work/out "$run" first --small --precision float32 --budget 180 >"$work/output" 2>&1 &&
        [[ $1 != none ]] && echo "FAILED: run.sh says that all was good with the fault $1" && exit 1
    check "fault $1: it is named" grep -q -- "$2" "$work/out/first.txt"
    check "fault $1: '$3' ran all the same" grep -q "\"part\":\"$3.*passed" "$work/out/first.jsonl"
    check "fault $1: there is evidence" tar --list --file "$work/out/first-evidence.tar.xz" first.jsonl
    echo "   ($((SECONDS - began)) s: $(tail -n 3 "$work/out/first.txt" | tr '\n' ';'))"
}
with_fault trap:200:selftest 'no longer answers' 'kernels, 4 x 4'
[[ ${2:-} == --faults ]] || exit 0
with_fault none '=== result: 0 of' 'kernels, 4 x 4'
with_fault throw:100:selftest 'FAILED: .*memory' 'kernels, 4 x 4'
with_fault hang:400:selftest 'interrupted in the check: float32' 'kernels, 4 x 4'
with_fault hang:60:cifar10-float32 'training cifar10-float32 .*cut off' 'kernels, 4 x 4'
with_fault wrong-gradient:0 'gradient of .*FAILED' 'kernels, 4 x 4'
with_fault capture:0 "can't be captured" 'kernels, 4 x 4'
with_fault trap:400:--trace 'kernels, 4 x 4.*failed' 'pace, 4 x 4'
