#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Lockstep and its peers in turn on this machine's processors: the same network, batch and update in Debian's
# PyTorch, in PyTorch and in TensorFlow from PyPI, each by the fastest of its options. See tests/README.md.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(realpath "$here/../../..")

usage() {
    cat <<'TEXT'
usage: tests/benchmarks/peers/run.sh [option…] [BUILD FOLDER]

  --model NAME          cifar10, segdecnet (--batch 1), or one that torchvision has, too, such as resnet18: the
                        latter two beside PyPI's PyTorch only
  --rounds N            default 5; in each, Lockstep with 1 and with 2 towers and every peer, in turn
  --seconds S           of every measurement; default 3
  --scan-seconds S      of each variant of a peer, before the rounds; default 1
  --variants FILE.json  no scan: the best variants of an earlier run, from what it wrote
  --precisions LIST     default float32,bfloat16
  --batch B             of a peer, and of each tower; default 128
  --output FILE         without ending, for FILE.txt and FILE.json; default BUILD FOLDER/peers
  --peers LIST          of debian, pytorch, tensorflow; default: all
  --offline             nothing is fetched; what is not there already is left out

The build folder is build/release if none is given. What PyPI gives lands in virtual environments in the folder
lockstep-peers of $XDG_CACHE_HOME (default ~/.cache), 4 GB in all; nothing of Lockstep needs it. Debian's
PyTorch is the package python3-torch (packaging/install-dependencies.sh --peers). A peer that is not available
is named and left out. All takes about ten minutes. Close other programs first: a busy neighbour costs the
peers' thread pools most.
TEXT
}

options=()
model=cifar10
build=$root/build/release
output=
wanted=debian,pytorch,tensorflow
offline=no
while (($# > 0)); do
    case "$1" in
    --rounds | --seconds | --scan-seconds | --variants | --precisions | --batch)
        options+=("$1" "${2:?$1 needs a value}")
        shift
        ;;
    --model) model=${2:?--model needs a value} && shift ;;
    --output) output=${2:?--output needs a value} && shift ;;
    --peers) wanted=${2:?--peers needs a value} && shift ;;
    --offline) offline=yes ;;
    -h | --help) usage && exit 0 ;;
    -*)
        usage >&2
        exit 2
        ;;
    *) build=$(realpath "$1") ;;
    esac
    shift
done
for name in ${wanted//,/ }; do
    [[ $name == debian || $name == pytorch || $name == tensorflow ]] || {
        echo "run.sh: --peers: '$name' is none of debian, pytorch, tensorflow" >&2
        exit 2
    }
done
options+=(--model "$model")
script=("$here/pytorch_cifar10.py")
if [[ $model != cifar10 ]]; then
    wanted=pytorch
    script=("$here/pytorch_torchvision.py" --model "$model")
    [[ $model != segdecnet ]] || script=("$here/pytorch_segdecnet.py")
fi
program=$build/bin/lockstep-train
[[ -x $program ]] || {
    echo "run.sh: there is no $program: build it, or name the build folder" >&2
    exit 2
}
cache=${XDG_CACHE_HOME:-$HOME/.cache}/lockstep-peers
mkdir -p "$cache"

left_out() { echo "left out: $1: $2" >&2; }
is_wanted() { [[ ,$wanted, == *",$1,"* ]]; }

# make_environment NAME COMMAND…: the virtual environment $cache/NAME, filled by the command; begun anew where
# an earlier one was not finished.
make_environment() {
    local folder=$cache/$1
    shift
    [[ ! -e $folder/complete ]] || return 0
    [[ $offline == no ]] || return 1
    echo "fetching into $folder" >&2
    rm -rf "$folder"
    python3 -m venv "$folder" >&2 && "$@" "$folder" >&2 && touch "$folder/complete"
}

# PyPI's PyTorch for Linux asks for 2.5 GB of NVIDIA's libraries, so its own needs are named one by one.
fill_pytorch() {
    "$1/bin/pip" install --quiet --no-deps torch torchvision &&
        "$1/bin/pip" install --quiet filelock typing-extensions sympy networkx jinja2 fsspec setuptools numpy pillow &&
        "$here/stand_ins_for_cuda.sh" "$("$1/bin/python" -c \
            'import sysconfig; print(sysconfig.get_path("platlib"))')/torch/lib" &&
        "$1/bin/python" -c 'import torch'
}

fill_tensorflow() {
    "$1/bin/pip" install --quiet tensorflow-cpu && "$1/bin/python" -c 'import tensorflow'
}

# Debian's PyTorch calls the system's BLAS, which is the slow reference one unless another is installed:
# the folder of Debian's OpenBLAS, unpacked in the cache and not installed, or nothing.
openblas() {
    local folder
    folder=$cache/openblas/usr/lib/$(gcc -print-multiarch)/openblas-pthread
    if [[ ! -e $folder/libblas.so.3 && $offline == no ]]; then
        mkdir -p "$cache/openblas"
        (cd "$cache/openblas" && apt-get download libopenblas0-pthread && dpkg -x libopenblas0-pthread_*.deb .) \
            >/dev/null 2>&1 || true
    fi
    [[ ! -e $folder/libblas.so.3 ]] || echo "$folder"
}

# What makes every peer faster: the memory of a step is kept, in huge pages, instead of being given back to the
# system and faulted in again; threads stay on their cores.
environment=(
    GLIBC_TUNABLES=glibc.malloc.mmap_max=0:glibc.malloc.trim_threshold=17179869184:glibc.malloc.hugetlb=1
    OMP_PROC_BIND=close
    PYTHONDONTWRITEBYTECODE=1
)

# add NAME [VARIABLE=VALUE…] PYTHON PROGRAM [OPTION…]
add() { options+=(--peer "$1" "$(printf '%q ' env "${environment[@]}" "${@:2}")"); }

if is_wanted debian; then
    if /usr/bin/python3 -c 'import torch' 2>/dev/null; then
        blas=$(openblas)
        [[ -n $blas ]] || echo "Debian's OpenBLAS is not available: its PyTorch runs with the system's BLAS" >&2
        add "PyTorch (Debian)" ${blas:+"LD_LIBRARY_PATH=$blas"} /usr/bin/python3 "$here/pytorch_cifar10.py"
    else
        left_out "Debian's PyTorch" "install python3-torch"
    fi
fi
if is_wanted pytorch; then
    if make_environment pytorch fill_pytorch; then
        add "PyTorch" "$cache/pytorch/bin/python" "${script[@]}"
        # As people write it: nothing compiled, and PyTorch's own response normalisation.
        [[ $model != cifar10 ]] ||
            add "PyTorch, plain" "$cache/pytorch/bin/python" "${script[@]}" --modes eager --norms built-in
    else
        left_out "PyTorch of PyPI" "it can't be fetched or does not start"
    fi
fi
if is_wanted tensorflow; then
    if make_environment tensorflow fill_tensorflow; then
        add "TensorFlow" "$cache/tensorflow/bin/python" "$here/tensorflow_cifar10.py"
    else
        left_out "TensorFlow of PyPI" "it can't be fetched or does not start"
    fi
fi
exec python3 "$here/compare.py" --program "$program" --output "${output:-$build/peers}" "${options[@]}"
