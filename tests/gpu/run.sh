#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs in the unpacked pack (see README.md). Every part has its share of the time and cannot take more;
# what it says is written as it comes; a part that fails is named and the next one goes on.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/command.sh"

usage() {
    cat <<'TEXT'
usage: ./run.sh prove|measure|segdecnet|inception|inception-pace|long [--device cuda:0] [--budget SECONDS]
                [--precision float32,tf32,bfloat16]
       ./run.sh join DIR

  prove    devices, self-test, memcheck and racecheck of a short training (where compute-sanitizer is),
           two runs with one seed, the CPU against the GPU
  measure  ceilings of the GPU, lockstep-train bench --sweep, PyTorch with the same network and batches
  segdecnet  the second network: right at a small size, and its pace at full size beside PyTorch
  inception  the third network: right at a small size, on photographs made here
  inception-pace  its pace at full size beside PyTorch
  long     the article's training, 4 x 128 in bfloat16, for as many steps as fit into the time
  join     joins the parts of the whole CIFAR-10 in DIR into data-whole, which `long` then takes

Results go to the folder OUT (default ./out): MODE.txt to read, MODE.jsonl with the verdict on every part, and
files of figures. --budget: seconds in all, default 500. --precision: these only, to have more time for each.
Exit status 0: all was good.
TEXT
}

mode=${1:-}
device=cuda:0
budget=500
precisions=
case "$mode" in
prove | measure | segdecnet | inception | inception-pace | long) shift ;;
join)
    [[ -d ${2:-} ]] || { usage >&2 && exit 2; }
    ;;
-h | --help) usage && exit 0 ;;
*) usage >&2 && exit 2 ;;
esac

join_parts() {
    local parts=$1
    (cd "$parts" && cat cifar10.tar.xz.[123] | sha256sum | cut -d' ' -f1) |
        grep -qFf - "$parts/cifar10.tar.xz.sha256" || {
        echo "run.sh: the parts in $parts are not those that were packed; are all three there?" >&2
        return 1
    }
    mkdir -p "$here/data-whole/cifar-10-batches-bin"
    cat "$parts"/cifar10.tar.xz.[123] | python3 -c '
import sys, tarfile
with tarfile.open(fileobj=sys.stdin.buffer, mode="r|xz") as archive:
    for member in archive:
        if member.isfile():
            archive.extract(member, sys.argv[1])' "$here/data-whole/cifar-10-batches-bin" &&
        echo "all of CIFAR-10 is in $here/data-whole"
}

if [[ $mode == join ]]; then
    join_parts "$2"
    exit
fi
while (($# > 0)); do
    case "$1" in
    --device) device=${2:?--device needs a value} && shift ;;
    --budget) budget=${2:?--budget needs a value} && shift ;;
    --precision) precisions=${2:?--precision needs a value} && precisions=${precisions//,/ } && shift ;;
    *) usage >&2 && exit 2 ;;
    esac
    shift
done

out=${OUT:-$PWD/out}
mkdir -p "$out"
out=$(cd "$out" && pwd)
report=$out/$mode.txt
: >"$report"
: >"$out/$mode.jsonl"
case $mode in # of an earlier run
measure) rm -f "$out"/{ceilings.json,sweep_128.jsonl,sweep_rest.jsonl,torch.jsonl} ;;
segdecnet) rm -f "$out"/{ceilings.json,sweep_segdecnet.jsonl,torch_segdecnet.jsonl} ;;
inception-pace) rm -f "$out"/{ceilings.json,sweep_inception_64.jsonl,sweep_inception_rest.jsonl,torch_inception.jsonl} ;;
long) rm -f "$out"/{bench.json,steps.txt,steps.txt.err,long.json} ;;
esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
data=$here/data
[[ ! -e $here/data-whole/cifar-10-batches-bin/test_batch.bin ]] || data=$here/data-whole
precisions=${precisions:-float32 tf32 bfloat16}
[[ $device != cpu ]] || precisions=float32
failed=()
into=
# Seconds that no part may take: a stopped one has ten to end, and the last ones make the tables.
reserve=15

say() { echo "$*" | tee -a "$report"; }

# verdict <name> <status> <exit code> <seconds>
verdict() {
    printf '{"part":"%s","status":"%s","exit":%d,"seconds":%d}\n' "$@" >>"$out/$mode.jsonl"
    say "--- $1: $2 ($4 s)"
    [[ $2 == passed || $2 == skipped ]] || failed+=("$1: $2")
    [[ $2 == passed ]]
}

# part <name> <seconds> <command…>: true if it succeeded. Its output goes to the report; standard output
# to the file $into instead, if that is set. $if_cut: the verdict where the time ended it.
part() {
    local name=$1 seconds=$2 began=$SECONDS left=$((budget - SECONDS - reserve)) code=0
    shift 2
    ((seconds < left)) || seconds=$left
    say "=== $name"
    if ((seconds < 2)); then
        verdict "$name" "no time left" 124 0
        return 1
    fi
    timeout --signal=INT --kill-after=10 "$seconds" "$@" 2> >(tee -a "$report" >&2) | tee -a "${into:-$report}"
    code=${PIPESTATUS[0]}
    case $code in
    0) verdict "$name" passed 0 $((SECONDS - began)) ;;
    124) verdict "$name" "${if_cut:-cut off after its time}" 124 $((SECONDS - began)) ;;
    137) verdict "$name" "cut off after its time" "$code" $((SECONDS - began)) ;;
    *) verdict "$name" failed "$code" $((SECONDS - began)) ;;
    esac
}

skip() {
    say "=== $1: $2"
    verdict "$1" skipped 0 0
}

# quiet <file> <command…>: output to the file only; what went wrong is shown.
quiet() {
    local file=$1
    shift
    "$@" >"$file" 2>"$file.err" || { tail -n 5 "$file.err" >&2 && return 1; }
}
export -f quiet

describe_machine() {
    say "pack: $(tr '\n' ';' <"$here/VERSION") mode: $mode, device: $device, budget: $budget s, date: $(date -u +%FT%TZ)"
    say "machine: $(uname -srm), $(nproc) processors, $(awk -F': ' '/model name/ { print $2; exit }' /proc/cpuinfo)"
    if command -v nvidia-smi >/dev/null; then
        nvidia-smi --query-gpu=name,driver_version,memory.total,clocks.sm,clocks.mem,power.limit,temperature.gpu \
            --format=csv 2>&1 | tee -a "$report"
    else
        say "there is no nvidia-smi"
    fi
    python3 -c 'import sys, torch; print("python", sys.version.split()[0], "PyTorch", torch.__version__, "CUDA", torch.version.cuda, "cuDNN", torch.backends.cudnn.version())' \
        2>&1 | tail -n 1 | tee -a "$report"
    say "started as: ${lockstep[*]}"
    ((${#missing[@]} == 0)) || say "NOT FOUND on this machine: ${missing[*]}"
}

# train <name> <device> <precision> <steps> <flag…>: its events in $work/<name>.jsonl, its run in
# $work/<name>.
train() {
    local name=$1 on=$2 precision=$3 steps=$4
    shift 4
    part "training $name ($steps steps, $on, $precision)" 120 bash -c 'quiet "$@"' - "$work/$name.jsonl" \
        "${lockstep[@]}" train --json --dataset cifar10 --data "$data" --device "$on" --precision "$precision" \
        --steps "$steps" --seed 1 --run "$work/$name" --set evaluate.at_end=false --set checkpoint.every_steps=0 "$@"
}

# sanitize <tool> <flag=value…>: a short training of two towers under a tool of compute-sanitizer, with
# those flags that its version knows.
sanitize() {
    local tool=$1 flag flags=()
    shift
    for flag in "$@"; do
        ! compute-sanitizer --help 2>/dev/null | grep -q -- "${flag%%=*}" || flags+=("${flag%%=*}" "${flag#*=}")
    done
    if ! command -v compute-sanitizer >/dev/null; then
        skip "$tool" "compute-sanitizer is not on this machine"
        return
    fi
    part "$tool" 110 compute-sanitizer --tool "$tool" --error-exitcode 9 --target-processes all "${flags[@]}" \
        "${lockstep[@]}" train --dataset cifar10 --data "$data" --device "$device" --towers 2 --batch-per-tower 8 \
        --steps 3 --seed 1 --run "$work/$tool" --set evaluate.at_end=false --set checkpoint.every_steps=0
}

prove() {
    part "devices" 60 "${lockstep[@]}" devices
    part "self-test" 180 "${lockstep[@]}" selftest --device "$device"
    local precision
    for precision in $precisions; do
        train "first-$precision" "$device" "$precision" 30 --towers 2 --batch-per-tower 32
        train "second-$precision" "$device" "$precision" 30 --towers 2 --batch-per-tower 32
        part "two runs with one seed, $precision" 20 python3 "$here/report.py" same \
            "$work"/{first,second}-"$precision" "$work"/{first,second}-"$precision".jsonl
    done
    train gpu "$device" float32 50 --towers 2 --batch-per-tower 32
    train cpu cpu float32 50 --towers 2 --batch-per-tower 32
    part "$device against the CPU" 20 python3 "$here/report.py" losses "$work"/{gpu,cpu}.jsonl 1e-3
    # The libraries try calls that may fail; ours are all checked where they are made.
    sanitize memcheck --report-api-errors=no
    # NVIDIA's own kernels are not ours to judge, and take long.
    sanitize racecheck --kernel-name=kns=lockstep
}

# What every kernel takes, and the time in which none runs. CUPTI may be missing; then it says so.
trace_kernels() {
    local precision towers
    for precision in $precisions; do
        for towers in 1 4; do
            part "kernels, $towers x 128, $precision" 20 "${lockstep[@]}" bench --device "$device" --trace \
                --towers "$towers" --batch-per-tower 128 --precision "$precision" --seconds 1
        done
    done
}

measure() {
    local ceilings=() torch="$here/pytorch_cifar10.py"
    local size=() rest=(--batch '32,64,256,1024,2048,4096,8192' --modes 'graph,compile-graph')
    [[ $device != cpu ]] || { rest=(--batch '32,64') && size=(--size 1024 --copy-bytes 4e8); }
    into=$out/ceilings.json part "ceilings" 60 python3 "$here/ceilings.py" --device "$device" "${size[@]}" &&
        [[ $device != cpu ]] &&
        ceilings=(--ceilings "$(sed -n 's/.*"ceilings": "\([^"]*\)".*/\1/p' "$out/ceilings.json")")
    local bench=("${lockstep[@]}" bench --sweep --device "$device" --seconds 1.5 "${ceilings[@]}")
    # What the comparison is about comes first, then the rest of the table.
    part "Lockstep, 128 a tower" $((budget / 5)) "${bench[@]}" --sweep-batches 128 --output "$out/sweep_128.jsonl"
    into=$out/torch.jsonl part "PyTorch, 128 and 512" $((budget * 9 / 20)) python3 "$torch" --device "$device" \
        --batch 128,512 --precision "${precisions// /,}" --seconds 0.5 --budget $((budget * 2 / 5))
    [[ $device == cpu ]] || trace_kernels
    part "Lockstep, the rest" $((budget * 3 / 10)) "${bench[@]}" --sweep-batches 32,512,1024 \
        --output "$out/sweep_rest.jsonl"
    local left=$((budget - SECONDS - reserve))
    into=$out/torch.jsonl part "PyTorch, the rest" "$left" python3 "$torch" --device "$device" "${rest[@]}" \
        --precision "${precisions// /,}" --seconds 0.3 --budget $((left - 45))
    reserve=0
    part "Lockstep against PyTorch" 10 python3 "$here/report.py" ratios "$out/torch.jsonl" "$out"/sweep_*.jsonl
}

# train_segdecnet <name> <device> <precision> <flag…>: both of its phases on small generated images, which
# a processor manages, too.
train_segdecnet() {
    local name=$1 on=$2 precision=$3
    shift 3
    part "SegDecNet $name (20 steps, $on, $precision)" 120 bash -c 'quiet "$@"' - "$work/$name.jsonl" \
        "${lockstep[@]}" train --json --model segdecnet --set model.input_height=256 --set model.input_width=128 \
        --dataset synthetic_defects --device "$on" --precision "$precision" --steps 20 --seed 1 \
        --run "$work/$name" --set evaluate.at_end=false --set checkpoint.every_steps=0 "$@"
}

segdecnet() {
    local precision torch="$here/pytorch_segdecnet.py" ceilings=() size=() towers=1,2,4 batches=1,4
    [[ $device != cpu ]] || { size=(--size 64x64) && towers=1 && batches=1; }
    for precision in $precisions; do
        train_segdecnet "first-$precision" "$device" "$precision" --towers 2 --batch-per-tower 1
        train_segdecnet "second-$precision" "$device" "$precision" --towers 2 --batch-per-tower 1
        part "two runs with one seed, $precision" 20 python3 "$here/report.py" same \
            "$work"/{first,second}-"$precision" "$work"/{first,second}-"$precision".jsonl
    done
    local normalization
    for normalization in per_image batch synchronised moving; do
        train_segdecnet "gpu-$normalization" "$device" float32 --towers 2 --batch-per-tower 2 \
            --set model.normalization="$normalization"
        train_segdecnet "cpu-$normalization" cpu float32 --towers 2 --batch-per-tower 2 \
            --set model.normalization="$normalization"
        part "$normalization, $device against the CPU" 20 python3 "$here/report.py" losses \
            "$work"/{gpu,cpu}-"$normalization".jsonl 1e-3
    done
    [[ $device == cpu ]] || {
        into=$out/ceilings.json part "ceilings" 60 python3 "$here/ceilings.py" --device "$device" &&
            ceilings=(--ceilings "$(sed -n 's/.*"ceilings": "\([^"]*\)".*/\1/p' "$out/ceilings.json")")
    }
    local bench=("${lockstep[@]}" bench --device "$device" --model segdecnet)
    [[ $device != cpu ]] || bench+=(--set model.input_height=128 --set model.input_width=64)
    part "Lockstep, segmentation" $((budget / 4)) "${bench[@]}" --sweep --seconds 1.5 "${ceilings[@]}" \
        --sweep-towers "$towers" --sweep-batches "$batches" --output "$out/sweep_segdecnet.jsonl"
    [[ $device == cpu ]] || for precision in $precisions; do
        part "kernels, 1 x 1, $precision" 30 "${bench[@]}" --trace --towers 1 --batch-per-tower 1 \
            --precision "$precision" --seconds 1
    done
    local left=$((budget - SECONDS - reserve))
    into=$out/torch_segdecnet.jsonl part "PyTorch, segmentation" "$left" python3 "$torch" --device "$device" \
        --batch "$batches" --precision "${precisions// /,}" --seconds 0.5 --budget $((left - 45)) "${size[@]}"
    reserve=0
    part "Lockstep against PyTorch" 10 python3 "$here/report.py" ratios "$out/torch_segdecnet.jsonl" \
        "$out/sweep_segdecnet.jsonl"
}

rmsprop=(--set optimizer.name=rmsprop --set optimizer.momentum=0.9 --set optimizer.epsilon=1)

# train_inception <name> <device> <precision> <flag…>: on photographs made for it, at a size that a processor
# manages, too. The run's folder goes: its checkpoints take much room.
train_inception() {
    local name=$1 on=$2 precision=$3
    shift 3
    part "Inception v3 $name ($on, $precision)" 120 bash -c 'quiet "$@"' - "$work/$name.jsonl" \
        "${lockstep[@]}" train --json --model inception_v3 --dataset image_folder --data "$work/photos" \
        --set model.classes=2 --set model.input_height="$side" --set model.input_width="$side" \
        --device "$on" --precision "$precision" --seed 1 --towers 2 "${rmsprop[@]}" \
        --run "$work/$name" --set evaluate.at_end=false --set checkpoint.every_steps=0 "$@"
}

# compare_inception <name> <flag…>: the same training on the CPU and on the device. A random network this deep
# has a gradient of norm 180, of which rounding alone changes some percent where a map has few cells: with the usual
# learning rate, or with 4 examples a tower, the two soon part.
compare_inception() {
    local name=$1 on
    shift
    for on in device cpu; do
        train_inception "$name-$on" "${device_of[$on]}" float32 --steps "$steps" --batch-per-tower "$batch" \
            --learning-rate 5e-6 "$@"
        [[ $name == batch && $on == cpu ]] || rm -rf "${work:?}/$name-$on"
    done
    part "$name, $device against the CPU" 20 python3 "$here/report.py" losses "$work/$name"-{device,cpu}.jsonl 1e-3
}

inception() {
    local precision side=107 batch=16 steps=10
    local -A device_of=([device]=$device [cpu]=cpu)
    [[ $device != cpu ]] || { side=75 && batch=4 && steps=4; }
    part "photographs" 30 python3 "$here/photos.py" "$work/photos" 16 || return
    for precision in $precisions; do
        train_inception "first-$precision" "$device" "$precision" --steps 20 --batch-per-tower 4 --learning-rate 0.01
        train_inception "second-$precision" "$device" "$precision" --steps 20 --batch-per-tower 4 --learning-rate 0.01
        part "two runs with one seed, $precision" 20 python3 "$here/report.py" same \
            "$work"/{first,second}-"$precision" "$work"/{first,second}-"$precision".jsonl
        rm -rf "${work:?}"/{first,second}-"$precision"
    done
    compare_inception batch --set model.dropout_keep=1 --set model.moment_ramp=true
    compare_inception dropout
    compare_inception synchronised --set model.dropout_keep=1 --set model.normalization=synchronised
    # Moments that nothing moves must fit the weights, or the values grow from layer to layer.
    compare_inception moving --set model.dropout_keep=1 --set model.normalization=moving \
        --weights-from "$work/batch-cpu"
}

inception_pace() {
    local precision torch="$here/pytorch_inception.py" ceilings=() names=${precisions// /,}
    # With the usual learning rate a loss may cease to be a number, which would end a measurement.
    local bench=("${lockstep[@]}" bench --device "$device" --model inception_v3 "${rmsprop[@]}"
        --set learning_rate.initial=1e-5)
    local sweep=(--sweep --sweep-towers "1,2,4" --sweep-precisions "$names" --seconds 1)
    local peer=(python3 "$torch" --device "$device" --precision "$names" --seconds 0.5)
    local first=64 others=128,256,32 global_others=256,128,32,512,1024 left
    [[ $device != cpu ]] || {
        bench+=(--set model.input_height=75 --set model.input_width=75)
        sweep=(--sweep --sweep-towers 1 --sweep-precisions float32 --seconds 0.5) && peer+=(--size 75) && first=2 && others=4 && global_others=4
    }
    [[ $device == cpu ]] || {
        into=$out/ceilings.json part "ceilings" 60 python3 "$here/ceilings.py" --device "$device" &&
            ceilings=(--ceilings "$(sed -n 's/.*"ceilings": "\([^"]*\)".*/\1/p' "$out/ceilings.json")")
    }
    # What the comparison is about comes first, then the rest of the table.
    part "Lockstep, $first a tower" $((budget / 5)) "${bench[@]}" "${sweep[@]}" "${ceilings[@]}" \
        --sweep-batches "$first" --output "$out/sweep_inception_64.jsonl"
    # A graph is never slower than eager, and max-autotune takes longer than all that is here.
    into=$out/torch_inception.jsonl part "PyTorch, $first" $((budget * 9 / 20)) "${peer[@]}" --batch "$first" \
        --modes "$([[ $device == cpu ]] && echo eager || echo graph,compile-graph,eager)" --budget $((budget * 2 / 5))
    [[ $device == cpu ]] || for precision in $precisions; do
        part "kernels, 1 x 64, $precision" 30 "${bench[@]}" --trace --towers 1 --batch-per-tower 64 \
            --precision "$precision" --seconds 1
    done
    left=$((budget - SECONDS - reserve))
    part "Lockstep, the rest" $((left * 11 / 20)) "${bench[@]}" "${sweep[@]}" "${ceilings[@]}" \
        --sweep-batches "$others" --output "$out/sweep_inception_rest.jsonl"
    left=$((budget - SECONDS - reserve))
    into=$out/torch_inception.jsonl part "PyTorch, the rest" "$left" "${peer[@]}" --batch "$global_others" \
        --modes "$([[ $device == cpu ]] && echo eager || echo graph,compile-graph)" --budget $((left - 45))
    reserve=0
    part "Lockstep against PyTorch" 10 python3 "$here/report.py" ratios "$out/torch_inception.jsonl" \
        "$out"/sweep_inception_{64,rest}.jsonl
}

long() {
    local precision=${precisions##* } steps images log=$out/steps.txt left
    images=$(cat "$data"/cifar-10-batches-bin/data_batch_*.bin | wc -c)
    images=$((images / 3073))
    say "training set: $images images of CIFAR-10's 50,000; fewer images mean a lower accuracy"
    local shape=(--towers 4 --batch-per-tower 128 --precision "$precision" --device "$device")
    into=$out/bench.json part "pace" 120 "${lockstep[@]}" bench "${shape[@]}" --seconds 3 --json || return
    reserve=45
    left=$((budget - SECONDS - reserve))
    steps=$(python3 "$here/report.py" fit "$out/bench.json" $((left * 8 / 10))) || return
    # An interrupt stops it at a checkpoint, so that it can be evaluated all the same.
    if_cut=passed part "training of $steps steps, or less" "$left" bash -c 'quiet "$@"' - "$log" "${lockstep[@]}" train \
        --config "$here/article_cifar10.toml" --dataset cifar10 --data "$data" "${shape[@]}" --steps "$steps" \
        --run "$work/long" --set checkpoint.every_steps=100000 --set evaluate.every_steps=50000
    reserve=2
    part "accuracy" 30 "${lockstep[@]}" evaluate --checkpoint "$work/long" --data "$data" --device "$device"
    into=$out/long.json part "pace and loss" 10 python3 "$here/report.py" long "$log" "$steps" "$images"
}

find_command "$here"
describe_machine
"${mode//-/_}"
say "=== result: $((${#failed[@]})) of $(wc -l <"$out/$mode.jsonl") parts were not good, after $SECONDS s"
((${#failed[@]} == 0)) || say "$(printf '%s\n' "${failed[@]}")"
((${#failed[@]} == 0))
