#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Trains a short run, exports it, and lets programs that share nothing with Lockstep read the result:
# NumPy computes the logits from the weights, plain Python checks the event files, TensorBoard lists
# their tags. Exit status 77: there is no Python with NumPy, and none may be fetched.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(realpath "$here/../..")

usage() {
    cat <<'TEXT'
usage: tests/interop/run.sh [--offline] [--small] [BUILD FOLDER]

  --offline  only what is installed: nothing is fetched from PyPI, so TensorBoard may be left out
  --small    made-up pictures instead of CIFAR-10: seconds instead of minutes
The build folder is build/release if none is given; what PyPI gives lands in it. LOCKSTEP_TEST_DATA names
the folder of the real data sets.
TEXT
}

offline=no
small=no
build=$root/build/release
for argument in "$@"; do
    case "$argument" in
    --offline) offline=yes ;;
    --small) small=yes ;;
    -h | --help) usage && exit 0 ;;
    -*)
        usage >&2
        exit 2
        ;;
    *) build=$(realpath "$argument") ;;
    esac
done
program=$build/bin/lockstep-train
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

failed() {
    echo "FAILED: $*"
    exit 1
}

# python_with MODULE: prints a Python that has it, from PyPI if need be and allowed.
python_with() {
    local python
    for python in "$build/interop-venv/bin/python" python3 /usr/bin/python3; do
        if "$python" -c "import $1" 2>/dev/null; then
            echo "$python"
            return
        fi
    done
    [[ $offline == no ]] || return 1
    [[ -d $build/interop-venv ]] || python3 -m venv "$build/interop-venv" >&2
    "$build/interop-venv/bin/pip" install --quiet numpy tensorboard >&2 || return 1
    echo "$build/interop-venv/bin/python"
}

numpy=$(python_with numpy) || {
    echo "SKIP: there is no Python with NumPy (packaging/install-dependencies.sh)"
    exit 77
}

data=${LOCKSTEP_TEST_DATA:-$root/../shared/data}
batches=$data/cifar-10-batches-bin
if [[ $small == yes || ! -e $batches/test_batch.bin ]]; then
    data=$work/data
    batches=$data/cifar-10-batches-bin
    mkdir -p "$batches"
    "$numpy" - "$batches" <<'PYTHON'
import sys
import numpy
random = numpy.random.default_rng(1)
for name in [f"data_batch_{i}" for i in range(1, 6)] + ["test_batch"]:
    records = random.integers(0, 256, (40, 1 + 3072), dtype=numpy.uint8)
    records[:, 0] %= 10
    records.tofile(f"{sys.argv[1]}/{name}.bin")
PYTHON
fi

# A run that goes on from an earlier checkpoint, so that its first event file has steps to take back.
train() {
    "$program" train --device cpu --run "$work/run" "$@" >>"$work/log" 2>&1 || {
        cat "$work/log"
        failed "the training"
    }
}
train --dataset cifar10 --data "$data" --towers 2 --batch-per-tower 16 --steps 24 \
    --set events.every_steps=4 --set checkpoint.every_steps=8 --set evaluate.every_steps=8
rm "$work/run/checkpoints/step-000000024.safetensors"
train --resume --steps 28

export_run() {
    "$program" export "$work/run" "$@" 2>>"$work/log" || failed "export $*: $(tail -n 1 "$work/log")"
}
export_run --safetensors "$work/weights.safetensors"
export_run --tensorboard "$work/board"
"$program" evaluate --checkpoint "$work/run" --device cpu --logits "$work/logits.csv" --examples 8 --json \
    >"$work/evaluation.json" 2>>"$work/log" || failed "evaluate: $(tail -n 1 "$work/log")"
correct=$("$numpy" -c 'import json, sys; print(json.load(open(sys.argv[1]))["correct"])' "$work/evaluation.json") ||
    failed "evaluate printed: $(head -c 200 "$work/evaluation.json")"

"$numpy" "$here/logits.py" "$work/weights.safetensors" "$batches/test_batch.bin" "$work/logits.csv" "$correct" ||
    failed "NumPy computes something else"
echo "ok: NumPy agrees with the logits of 8 test images and with the accuracy"

# tags FOLDER: what plain Python finds, checksums verified.
tags() {
    "$numpy" "$here/events.py" "$1" 2>>"$work/log" || failed "$(tail -n 1 "$work/log")"
}
tags "$work/run/events" >"$work/run.tags"
tags "$work/board" >"$work/board.tags"
grep -qx 'scalars loss/mean 7' "$work/run.tags" || failed "not every fourth step of 28 is recorded once"
grep -qx 'scalars loss/mean 28' "$work/board.tags" || failed "not every step is exported once"
diff <(grep -v '^scalars' "$work/run.tags") <(grep -v '^scalars' "$work/board.tags") ||
    failed "histograms and pictures were not passed through"
echo "ok: all checksums of the event files are right; $(wc -l <"$work/run.tags") tags"

# One bit in the middle of the file.
events=("$work"/board/*)
size=$(stat -c %s "${events[0]}")
"$numpy" - "${events[0]}" "$((size / 2))" <<'PYTHON'
import sys
with open(sys.argv[1], "r+b") as file:
    file.seek(int(sys.argv[2]))
    byte = file.read(1)[0]
    file.seek(int(sys.argv[2]))
    file.write(bytes([byte ^ 1]))
PYTHON
if "$numpy" "$here/events.py" "$work/board" >/dev/null 2>"$work/refused"; then
    failed "a flipped bit was not noticed"
fi
echo "ok: a flipped bit is noticed: $(tail -n 1 "$work/refused" | sed "s|$work/||")"

if board=$(python_with tensorboard); then
    "$board" "$here/tensorboard_tags.py" "$work/run/events" >"$work/tensorboard.tags" 2>>"$work/log" ||
        failed "TensorBoard can't read the events: $(tail -n 1 "$work/log")"
    diff <(LC_ALL=C sort "$work/run.tags") <(LC_ALL=C sort "$work/tensorboard.tags") ||
        failed "TensorBoard finds something else"
    echo "ok: TensorBoard finds the same tags with as many values"
else
    echo "left out: TensorBoard is not installed"
fi
