#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Trains every kind of network a few steps, exports it as ONNX and for torchvision, and lets ONNX Runtime and
# PyTorch compute the logits; then begins with weights that PyTorch wrote. Exit status 77: there is no Python
# with these, and none may be fetched.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

usage() {
    cat <<'TEXT'
usage: tests/interop/networks.sh [--offline] [BUILD FOLDER]

  --offline  only what is installed: nothing is fetched from PyPI
The build folder is build/release if none is given; what PyPI gives (PyTorch: 3 GB) lands in it.
LOCKSTEP_INTEROP_PYTHON names a Python that has it all.
TEXT
}

source "$here/pytorch.sh" "$@"
batches=$work/data/cifar-10-batches-bin
mkdir -p "$batches"
"$python" - "$batches" <<'PYTHON'
import sys
import numpy
random = numpy.random.default_rng(1)
for name in [f"data_batch_{i}" for i in range(1, 6)] + ["test_batch"]:
    records = random.integers(0, 256, (64, 1 + 3072), dtype=numpy.uint8)
    records[:, 0] %= 10
    records.tofile(f"{sys.argv[1]}/{name}.bin")
PYTHON

# train NAME [OPTION…]: two towers, six steps, into $work/NAME, unless an option says otherwise.
train() {
    local name=$1
    shift
    "$program" train --model "$name" --device cpu --run "$work/$(basename "$name")" --dataset cifar10 \
        --data "$work/data" --towers 2 --set steps=6 --set batch_per_tower=8 --set learning_rate.initial=0.01 \
        --set evaluate.at_end=false "$@" \
        >"$work/log" 2>&1 || failed "training $name: $(tail -n 1 "$work/log")"
}

# logits RUN: those of the raw weights.
logits() {
    "$program" evaluate --checkpoint "$1" --device cpu --weights raw --logits "$work/logits.csv" --examples 16 \
        >"$work/log" 2>&1 || failed "evaluate $1: $(tail -n 1 "$work/log")"
}

# check_onnx RUN
check_onnx() {
    "$program" export "$1" --weights raw --onnx "$work/model.onnx" 2>"$work/log" || failed "$(tail -n 1 "$work/log")"
    "$python" "$here/networks.py" onnx "$work/model.onnx" "$batches/test_batch.bin" "$work/logits.csv" ||
        failed "ONNX Runtime computes something else"
}

size=(--set model.input_height=32 --set model.input_width=32)
train cifar10
logits "$work/cifar10" && check_onnx "$work/cifar10"
train resnet20
logits "$work/resnet20" && check_onnx "$work/resnet20"
for name in resnet18 resnet50 mobilenet_v3_small; do
    train "$name" "${size[@]}"
    logits "$work/$name" && check_onnx "$work/$name"
    "$program" export "$work/$name" --weights raw --torchvision "$work/weights.safetensors" 2>"$work/log" ||
        failed "$(tail -n 1 "$work/log")"
    "$python" "$here/networks.py" torchvision "$name" 10 "$work/weights.safetensors" "$batches/test_batch.bin" \
        "$work/logits.csv" || failed "torchvision's $name computes something else"
done
inception=(--set model.moment_decay=0.1 --set model.input_height=75 --set model.input_width=75 --set input.pad=22 --set batch_per_tower=4)
train inception_v3 "${inception[@]}"
logits "$work/inception_v3" && check_onnx "$work/inception_v3"
train "$here/every_layer.toml"
logits "$work/every_layer.toml" && check_onnx "$work/every_layer.toml"

# Weights that PyTorch made: with moments that stay and hardly any rate they are still the same after a step.
for name in resnet18 resnet50 mobilenet_v3_small inception_v3; do
    if [[ $name == inception_v3 ]]; then
        size=("${inception[@]}" --set model.variant=torchvision)
    fi
    "$python" "$here/networks.py" save "$name" 10 "$work/theirs.safetensors"
    rm -rf "${work:?}/$name"
    train "$name" "${size[@]}" --set steps=1 --set model.normalization=moving --set learning_rate.initial=1e-12 \
        --set "initial_weights.checkpoint=$work/theirs.safetensors"
    logits "$work/$name"
    "$python" "$here/networks.py" torchvision "$name" 10 "$work/theirs.safetensors" "$batches/test_batch.bin" \
        "$work/logits.csv" || failed "$name with PyTorch's weights computes something else"
done
echo "ok: ONNX Runtime and torchvision agree with the logits of every network"
