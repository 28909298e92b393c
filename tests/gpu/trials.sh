# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by run.sh: the kinds of parts that its modes are made of. Needs: parts.sh, device, small, data.

rmsprop=(--set optimizer.name=rmsprop --set optimizer.momentum=0.9 --set optimizer.epsilon=1)
# The library's first suggestion for every layer: right or wrong, but planned at once.
untimed=(--set algorithms=first)
# A processor or an emulated GPU gets by with less.
network=() rows=32
[[ $small == no ]] || { network=(--model "$here/small.toml") && rows=8; }

# train <name> <device> <precision> <seconds> <flag…>: its events in the evidence, its run in $work/<name>.
train() {
    local name=$1 on=$2 precision=$3 seconds=$4
    shift 4
    quietly=yes again=(--set capture=false) fresh=$name
    part "training $name ($on, $precision)" "$seconds" "${lockstep[@]}" train --json --device "$on" \
        --precision "$precision" --seed 1 --run "$work/$name" --set evaluate.at_end=false \
        --set checkpoint.every_steps=0 "$@"
}

train_cifar10() {
    train "${@:1:4}" "${network[@]}" --dataset cifar10 --data "$data" --towers 2 --batch-per-tower "$rows" "${@:5}"
}

# events_of <name>: of a training that ran.
events_of() { ls -t "$evidence"/*_training_"${1//-/_}"__*_.out | head -n 1; }

# same_bits <name> <other>
same_bits() {
    part "$1 and $2 are the same" 20 python3 "$here/report.py" same "$work/$1" "$work/$2" \
        "$(events_of "$1")" "$(events_of "$2")"
}

# same_losses <name> <other>: within rounding.
same_losses() {
    part "$1 against $2" 20 python3 "$here/report.py" losses "$(events_of "$1")" "$(events_of "$2")" 1e-3
}

# repeated <name> <precision> <seconds> <trainer> <flag…>: a training, the same from its run.toml, and of
# cifar10, as choices are kept, the same once more as it was asked for.
repeated() {
    local name=$1 precision=$2 seconds=$3 trainer=$4
    shift 4
    "$trainer" "$name" "$device" "$precision" "$seconds" "$@" || return
    "$trainer" "$name-from-toml" "$device" "$precision" "$seconds" "$@" --config "$work/$name/run.toml" &&
        same_bits "$name" "$name-from-toml"
    [[ $trainer == train_cifar10 ]] && "$trainer" "$name-again" "$device" "$precision" "$seconds" "$@" &&
        same_bits "$name" "$name-again"
}

# sanitize <tool> <seconds> <flag=value…>: three steps of two towers under a tool of compute-sanitizer, with
# those flags that its version knows.
sanitize() {
    local tool=$1 seconds=$2 flag flags=() help precision=bfloat16
    shift 2
    if ! command -v compute-sanitizer >/dev/null; then
        skip "$tool" "compute-sanitizer is not on this machine"
        return
    fi
    help=$(compute-sanitizer --help 2>&1)
    for flag in "$@"; do
        [[ $help != *"${flag%%=*}"* ]] || flags+=("${flag%%=*}" "${flag#*=}")
    done
    part "$tool" "$seconds" compute-sanitizer --tool "$tool" --error-exitcode 9 --target-processes all "${flags[@]}" \
        "${lockstep[@]}" train "${network[@]}" --dataset cifar10 --data "$data" --device "$device" --towers 2 \
        --batch-per-tower 8 --precision "$precision" "${untimed[@]}" --steps 3 --seed 1 --run "$work/$tool" \
        --set evaluate.at_end=false --set checkpoint.every_steps=0
}

# The libraries try calls that may fail; ours are all checked where they are made. NVIDIA's own kernels are
# not ours to judge, and take long.
sanitizers() {
    sanitize memcheck "$1" --report-api-errors=no
    sanitize racecheck "$1" --kernel-name=kns=lockstep
}

# On generated images, of a size that a processor manages, too; both phases of the training.
train_segdecnet() {
    train "${@:1:4}" --model segdecnet --set model.input_height=256 --set model.input_width=128 \
        --dataset synthetic_defects "${@:5}"
}

# On photographs made for it, at a size that a processor manages, too.
train_inception() {
    local side=107
    [[ $small == no ]] || side=75
    train "${@:1:4}" --model inception_v3 --dataset image_folder --data "$work/photos" --set model.classes=2 \
        --set model.input_height="$side" --set model.input_width="$side" "${rmsprop[@]}" "${@:5}"
}

# torch <name> <seconds> <program> <flag…>: PyTorch's side, kept as torch_<name>.jsonl.
torch() {
    local name=$1 seconds=$2 program=$3 left
    shift 3
    if [[ $has_torch == no ]]; then
        skip "PyTorch, $name" "it is not on this machine"
        return
    fi
    left=$(seconds_left)
    ((seconds < left)) || seconds=$left
    part "PyTorch, $name" "$seconds" python3 "$here/$program" --device "$device" --budget $((seconds * 4 / 5)) "$@"
    cat "$evidence"/*_PyTorch__"${name//[^A-Za-z0-9]/_}".out >>"$evidence/torch_${name%%,*}.jsonl"
}

# compare <network>: Lockstep's sweeps against PyTorch.
compare() {
    [[ $has_torch == yes ]] || return 0
    part "$1: Lockstep against PyTorch" 10 python3 "$here/report.py" ratios "$evidence/torch_$1.jsonl" \
        "$evidence"/sweep_"$1"*.jsonl
}
