#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# PyTorch trains a ResNet-18 on one half of Imagenette's classes; Lockstep must compute the same logits from those
# weights, and learn the other half better with them than from random ones in as many steps. Exit status 77: there
# is no Python with PyTorch and none may be fetched, or no Imagenette.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

usage() {
    cat <<'TEXT'
usage: tests/interop/fine_tuning.sh [--offline] [BUILD FOLDER]

  --offline  only what is installed: nothing is fetched from PyPI
The build folder is build/release if none is given. LOCKSTEP_TEST_DATA, by default ../shared/data, holds
imagenette-sample and cifar-10-batches-bin; LOCKSTEP_INTEROP_PYTHON names a Python with PyTorch.
TEXT
}

source "$here/pytorch.sh" "$@"
data=$(realpath -m "${LOCKSTEP_TEST_DATA:-$root/../shared/data}")
if [[ ! -d $data/imagenette-sample/train || ! -d $data/cifar-10-batches-bin ]]; then
    echo "SKIP: $data has no imagenette-sample or no cifar-10-batches-bin (LOCKSTEP_TEST_DATA)"
    exit 77
fi
for part in train val; do
    mkdir -p "$work/first/$part" "$work/second/$part"
    half=first
    for class in "$data/imagenette-sample/$part"/*; do
        ln -s "$class" "$work/$half/$part/"
        [[ $half == first ]] && half=second || half=first
    done
done
weights=$work/theirs.safetensors
"$python" "$here/networks.py" pretrain "$work/first" "$weights"

# train RUN [OPTION…]
train() {
    "$program" train --model resnet18 --device cpu --run "$work/$1" --towers 2 "${@:2}" >"$work/log" 2>&1 ||
        failed "$1: $(tail -n 1 "$work/log")"
}

# With moments that stay and hardly any rate, the weights are still PyTorch's after a step.
train same --dataset cifar10 --data "$data" --weights-from "$weights" --steps 1 --set batch_per_tower=8 \
    --set model.input_height=32 --set model.input_width=32 --set model.normalization=moving \
    --set learning_rate.initial=1e-12 --set evaluate.at_end=false
"$program" evaluate --checkpoint "$work/same" --device cpu --weights raw --logits "$work/logits.csv" --examples 64 \
    >"$work/log" 2>&1 || failed "evaluate: $(tail -n 1 "$work/log")"
"$python" "$here/networks.py" torchvision resnet18 10 "$weights" "$data/cifar-10-batches-bin/test_batch.bin" \
    "$work/logits.csv" || failed "ResNet-18 with PyTorch's weights computes something else"

# learn RUN [OPTION…]: trains on the other half and prints the accuracy and the loss of its test images.
learn() {
    train "$1" --dataset image_folder --data "$work/second" --steps 30 --set batch_per_tower=16 \
        --set model.input_height=96 --set model.input_width=96 --set optimizer.name=momentum --set optimizer.momentum=0.9 \
        --set learning_rate.initial=0.003 --set learning_rate.schedule=cosine --set input.photo_pixels=imagenet "${@:2}"
    "$program" evaluate --checkpoint "$work/$1" --device cpu --weights raw --json >"$work/score" 2>"$work/log" ||
        failed "evaluate $1: $(tail -n 1 "$work/log")"
    "$python" -c "import json; s = json.load(open('$work/score')); print(s['accuracy'], s['loss'])"
}
read -r tuned_accuracy tuned_loss <<<"$(learn tuned --weights-from "$weights" --fresh-layer fc)"
read -r random_accuracy random_loss <<<"$(learn random)"
"$python" - "$tuned_accuracy" "$tuned_loss" "$random_accuracy" "$random_loss" <<'PYTHON' || failed "PyTorch's weights did not help"
import sys
tuned, tuned_loss, random, random_loss = map(float, sys.argv[1:])
print(f"30 steps on the other half: {tuned:.1%} right, loss {tuned_loss:.3f}; from random weights {random:.1%}, {random_loss:.3f}")
sys.exit(not (tuned > random and tuned_loss < random_loss))
PYTHON
