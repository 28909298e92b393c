# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by run.sh: its modes, one function each, and their sections. Needs: trials.sh.

# Breadth first: whatever may fail on a GPU that never ran this is tried for a moment, what is dearest first.
first() {
    local precision only=()
    [[ $small == no ]] || only=(--only dropout)
    part "devices" 20 python3 "$here/report.py" device "$device" "${lockstep[@]}" devices --json
    for precision in $precisions; do
        part "self-test, $precision" 35 "${lockstep[@]}" selftest --device "$device" --precision "$precision" \
            --algorithms first "${only[@]}"
    done
    sanitizers 30
    for precision in $precisions; do
        repeated "cifar10-$precision" "$precision" 30 train_cifar10 --steps 20
    done
    [[ " $precisions " != *' float32 '* ]] || {
        train_cifar10 "cifar10-cpu" cpu float32 20 --steps 20 && same_losses cifar10-float32 cifar10-cpu
    }
    [[ $small == yes && $device != cpu ]] || first_networks
    first_pace
    second_looks
}

first_networks() {
    local precision=${precisions%% *} steps=20
    [[ $small == no ]] || steps=2
    train_segdecnet segdecnet "$device" "$precision" 40 --towers 1 --batch-per-tower 1 "${untimed[@]}" --steps "$steps"
    part "photographs" 15 python3 "$here/photos.py" "$work/photos" 8 &&
        train_inception inception "$device" "$precision" 60 --towers 1 --batch-per-tower 4 --learning-rate 0.001 \
            "${untimed[@]}" --steps "$steps"
}

first_pace() {
    local precision=${precisions%% *} seconds=3 batch=128 bench
    [[ $small == no ]] || { seconds=0.3 && batch=4; }
    bench=("${lockstep[@]}" bench "${network[@]}" --device "$device" --towers 4 --batch-per-tower "$batch"
        --precision "$precision" --json)
    again=(--set capture=false)
    part "pace, 4 x $batch, $precision" 45 "${bench[@]}" --seconds "$seconds"
    if [[ $device == cpu ]]; then
        skip "kernels" "a processor has none of its own"
    else
        part "kernels, 4 x $batch, $precision" 30 "${bench[@]}" --trace --seconds 0.3
    fi
    [[ $small == yes ]] || torch cifar10 45 pytorch_cifar10.py --batch $((4 * batch)) --precision "$precision" \
        --modes graph --seconds 0.5
}

# What a training runs on to be compared.
both=("$device" cpu)
[[ $device != cpu ]] || both=(cpu)

# What is right, in depth.
prove() {
    in_sections cifar10:4 segdecnet:3 inception:3
}

prove_cifar10() {
    local precision
    part "self-test" 120 "${lockstep[@]}" selftest --device "$device" --precision "${precisions// /,}"
    sanitizers 60
    for precision in $precisions; do
        repeated "cifar10-$precision" "$precision" 60 train_cifar10 --steps 30
    done
    train_cifar10 cifar10-gpu "$device" float32 60 --steps 50 &&
        train_cifar10 cifar10-cpu cpu float32 60 --steps 50 && same_losses cifar10-gpu cifar10-cpu
}

prove_segdecnet() {
    local precision normalization on
    for precision in $precisions; do
        repeated "segdecnet-$precision" "$precision" 60 train_segdecnet --steps 20 --towers 2 --batch-per-tower 1
    done
    for normalization in per_image batch synchronised moving; do
        for on in "${both[@]}"; do
            train_segdecnet "segdecnet-$normalization-${on%%:*}" "$on" float32 60 --steps 20 --towers 2 --batch-per-tower 2 \
                --set model.normalization="$normalization"
        done
        [[ $device == cpu ]] || same_losses "segdecnet-$normalization-${device%%:*}" "segdecnet-$normalization-cpu"
    done
}

# compare_inception <name> <flag…>: the same training on the CPU and on the device. A random network this deep
# has a gradient of norm 180, of which rounding alone changes some percent where a map has few cells: with the usual
# learning rate, or with 4 examples a tower, the two soon part. The runs' checkpoints take much room.
compare_inception() {
    local name=$1 on batch=16 steps=10
    shift
    [[ $small == no ]] || { batch=4 && steps=4; }
    for on in "${both[@]}"; do
        train_inception "inception-$name-${on%%:*}" "$on" float32 90 --steps "$steps" --towers 2 \
            --batch-per-tower "$batch" --learning-rate 5e-6 "$@"
        [[ $name == batch && $on == cpu ]] || rm -rf "${work:?}/inception-$name-${on%%:*}"
    done
    [[ $device == cpu ]] || same_losses "inception-$name-${device%%:*}" "inception-$name-cpu"
}

prove_inception() {
    local precision
    part "photographs" 30 python3 "$here/photos.py" "$work/photos" 16 || return
    for precision in $precisions; do
        repeated "inception-$precision" "$precision" 90 train_inception --steps 20 --towers 2 --batch-per-tower 4 \
            --learning-rate 0.01
        rm -rf "$work"/inception-"$precision"{,-from-toml,-again}
    done
    compare_inception batch --set model.dropout_keep=1 --set model.moment_ramp=true
    compare_inception dropout
    compare_inception synchronised --set model.dropout_keep=1 --set model.normalization=synchronised
    # Moments that nothing moves must fit the weights, or the values grow from layer to layer.
    compare_inception moving --set model.dropout_keep=1 --set model.normalization=moving \
        --weights-from "$work/inception-batch-cpu"
}

# How fast it is, beside PyTorch.
measure() {
    local size=() ceilings=() names=${precisions// /,}
    [[ $device != cpu ]] || size=(--size 1024 --copy-bytes 4e8)
    if [[ $has_torch == yes ]] && part "ceilings" 60 python3 "$here/ceilings.py" --device "$device" "${size[@]}"; then
        [[ $device == cpu ]] ||
            ceilings=(--ceilings "$(sed -n 's/.*"ceilings": "\([^"]*\)".*/\1/p' "$evidence"/*_ceilings.out)")
    fi
    in_sections cifar10:4 inception:3 segdecnet:2 long:1
}

# sweep <network> <name> <seconds> <flag…>
sweep() {
    local net=$1 name=$2 seconds=$3
    shift 3
    part "$net: Lockstep, $name" "$seconds" "${lockstep[@]}" bench --sweep --device "$device" --sweep-precisions "$names" \
        "${ceilings[@]}" --output "$evidence/sweep_${net}_${name//[^A-Za-z0-9]/_}.jsonl" "$@"
}

# kernels <network> <towers> <batch> <flag…>: what every kernel takes, and the time in which none runs.
kernels() {
    local precision name="$1: kernels, $2 x $3" shape=(--towers "$2" --batch-per-tower "$3")
    shift 3
    [[ $device == cpu ]] || for precision in $precisions; do
        part "$name, $precision" 20 "${lockstep[@]}" bench --device "$device" --trace "${shape[@]}" \
            --precision "$precision" --seconds 0.5 "$@"
    done
}

# switches <flag…>: what a step consists of; how fast it is without each of its features, and with all before
# and after that.
switches() {
    local name names without
    [[ $device != cpu ]] || return 0
    part "cifar10: nodes" 20 "${lockstep[@]}" bench --nodes --device "$device" "$@" "${ceilings[@]}"
    names=$("${lockstep[@]}" bench --nodes --device "$device" "$@" --set 'gpu.without=?' 2>&1 | sed -n 's/.*some of: //p')
    for name in nothing ${names//,/} gradients.every_steps nothing; do
        without=(--set "gpu.without=${name/nothing/}")
        [[ $name != *.* ]] || without=(--set "$name=0")
        part "cifar10: without $name" 15 "${lockstep[@]}" bench --device "$device" "$@" --seconds 0.5 --json "${without[@]}"
    done
}

measure_cifar10() {
    local seconds=1.5 batch=128 rest=32,512,1024
    [[ $small == no ]] || { seconds=0.3 && batch=4 && rest=8; }
    # What the comparison is about comes first, then the rest of the table.
    sweep cifar10 "$batch a tower" 60 "${network[@]}" --seconds "$seconds" --sweep-batches "$batch"
    torch "cifar10, 512 and 128" 70 pytorch_cifar10.py --batch "$((4 * batch)),$batch" --precision "$names" --seconds 0.5
    kernels cifar10 1 128
    kernels cifar10 4 128
    switches "${network[@]}" --towers 4 --batch-per-tower "$batch" --precision "${precisions%% *}"
    sweep cifar10 "the rest" 50 "${network[@]}" --seconds "$seconds" --sweep-batches "$rest"
    torch "cifar10, the rest" "$(seconds_left)" pytorch_cifar10.py --batch 1024,256,64,32,2048,4096,8192 \
        --modes graph,compile-graph --precision "$names" --seconds 0.3
    compare cifar10
}

measure_segdecnet() {
    local flags=(--model segdecnet --seconds 1) towers=1,2,4 batches=1,4 size=()
    [[ $small == no ]] || {
        flags+=(--set model.input_height=128 --set model.input_width=64) && towers=1 && batches=1 && size=(--size 64x64)
    }
    sweep segdecnet "segmentation" 60 "${flags[@]}" --sweep-towers "$towers" --sweep-batches "$batches"
    kernels segdecnet 1 1 --model segdecnet
    torch "segdecnet" "$(seconds_left)" pytorch_segdecnet.py --batch "$batches" --precision "$names" --seconds 0.5 "${size[@]}"
    compare segdecnet
}

measure_inception() {
    # With the usual learning rate a loss may cease to be a number, which would end a measurement.
    local flags=(--model inception_v3 "${rmsprop[@]}" --set learning_rate.initial=1e-5 --seconds 1) towers=1,2,4
    local peer=(--precision "$names" --seconds 0.5) first=64 others=128,256,32 modes=graph,compile-graph
    [[ $small == no ]] || {
        flags+=(--set model.input_height=75 --set model.input_width=75) && peer+=(--size 75)
        towers=1 first=2 others=4 modes=eager
    }
    flags+=(--sweep-towers "$towers")
    sweep inception "$first a tower" 60 "${flags[@]}" --sweep-batches "$first"
    # A graph is never slower than eager, and max-autotune takes longer than all that is here.
    torch "inception, $first" 60 pytorch_inception.py "${peer[@]}" --batch "$first" --modes "$modes"
    kernels inception 1 64 --model inception_v3 "${rmsprop[@]}" --set learning_rate.initial=1e-5
    sweep inception "the rest" 50 "${flags[@]}" --sweep-batches "$others"
    torch "inception, the rest" "$(seconds_left)" pytorch_inception.py "${peer[@]}" --batch 256,128,32,512,1024 \
        --modes "$modes"
    compare inception
}

# The article's training, for as many steps as fit.
measure_long() {
    local precision=${precisions%% *} steps images left bench
    images=$(cat "$data"/cifar-10-batches-bin/data_batch_*.bin | wc -c)
    images=$((images / 3073))
    say "training set: $images images of CIFAR-10's 50,000; fewer images mean a lower accuracy"
    local shape=(--towers 4 --batch-per-tower 128 --precision "$precision" --device "$device")
    part "long: pace" 60 "${lockstep[@]}" bench "${shape[@]}" --seconds 2 --json || return
    bench=$(ls "$evidence"/*_long__pace.out)
    left=$(($(seconds_left) - 25))
    steps=$(python3 "$here/report.py" fit "$bench" $((left * 8 / 10))) || return
    # An interrupt stops it at a checkpoint, so that it can be evaluated all the same.
    quietly=yes if_cut=passed
    part "long: training of $steps steps, or less" "$left" "${lockstep[@]}" train \
        --config "$here/article_cifar10.toml" --dataset cifar10 --data "$data" "${shape[@]}" --steps "$steps" \
        --run "$work/long" --set checkpoint.every_steps=100000 --set evaluate.every_steps=50000
    part "long: accuracy" 20 "${lockstep[@]}" evaluate --checkpoint "$work/long" --data "$data" --device "$device"
    part "long: pace and loss" 10 python3 "$here/report.py" long "$(ls "$evidence"/*_long__training*.out)" "$steps" "$images"
}
