#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What NVIDIA provides, for machines that have only its driver: see usage().
set -eEuo pipefail
usage() {
    cat <<'TEXT'
Where there is an NVIDIA driver but no CUDA Toolkit 13 with cuDNN 9 and NCCL 2, fetches NVIDIA's own packages from PyPI
into ${XDG_DATA_HOME:-~/.local/share}/lockstep/cuda, where Lockstep looks. Does nothing, at once, where they are there
or no use. In a terminal it asks. Stopped half-way, it goes on from the packages that are whole; until all are, the
folder isn't there.

Usage: fetch-cuda.sh [--needed|--help]

Options:
  --needed  only says, by its exit status, whether there is anything to fetch
  --help    this text

LOCKSTEP_CUDA=off in the environment: never.
TEXT
}

here=$(cd "$(dirname "$(realpath "${BASH_SOURCE[0]}")")" && pwd)
requirements=$here/cuda-requirements.txt
[[ -e $requirements ]] || requirements=$here/../share/lockstep/cuda-requirements.txt # where it is installed
folder=${XDG_DATA_HOME:-$HOME/.local/share}/lockstep/cuda
part=$folder.part
first_driver=580 # that runs CUDA 13

# Whether the loader finds it, as it does for the program.
has_driver() {
    local places place
    IFS=: read -ra places <<<"${LD_LIBRARY_PATH:-}"
    for place in "${places[@]}"; do
        [[ -z $place || ! -e $place/libcuda.so.1 ]] || return 0
    done
    [[ $(PATH=$PATH:/sbin ldconfig -p 2>/dev/null) == *"libcuda.so.1 "* ]]
}

# What toolkit.cmake finds without our folder.
has_toolkit() {
    local nvcc root library
    nvcc=$(PATH=$PATH:/usr/local/cuda/bin command -v nvcc) || return 1
    [[ $("$nvcc" --version 2>/dev/null) == *"release 13."* ]] || return 1
    root=$(dirname "$(dirname "$(realpath "$nvcc")")")
    for library in cudnn nccl; do
        [[ -e $root/lib64/lib$library.so || -e /usr/lib/x86_64-linux-gnu/lib$library.so ]] || return 1
    done
}

is_needed() {
    local cuda=${LOCKSTEP_CUDA:-}
    [[ ${cuda,,} != off && $(uname -m) == x86_64 ]] || return 1
    ! cmp -s "$requirements" "$folder/cuda-requirements.txt" || return 1
    has_driver && { [[ -e $folder ]] || ! has_toolkit; }
}

# Three folders of libraries and headers become one, with the names that linkers look for.
lay_out() {
    local packages=$1 toolkit=$1/nvidia/cu13 other library
    for other in cudnn nccl; do
        mv "$packages/nvidia/$other/lib"/* "$toolkit/lib/"
        mv "$packages/nvidia/$other/include"/* "$toolkit/include/"
    done
    for library in "$toolkit"/lib/lib*.so.[0-9]*; do
        ln -s "$(basename "$library")" "${library%.so.*}.so"
    done
    ln -s lib "$toolkit/lib64"
    mv "$packages"/*.dist-info "$toolkit/" # the licences are in there
    cp "$requirements" "$toolkit/"
}

# Downloads and what pip unpacks stay beside the folder: /tmp may be small.
fetch() {
    local package
    mkdir -p "$part/tmp" "$part/wheels"
    rm -rf "$part/packages"
    export TMPDIR=$part/tmp PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore
    while read -r package; do
        python3 -m pip download --no-deps --no-cache-dir --require-hashes --only-binary :all: \
            --dest "$part/wheels" --requirement <(echo "$package")
    done < <(grep -v '^#' "$requirements")
    echo "Unpacking"
    python3 -m pip install --quiet --no-deps --no-compile --no-index --require-hashes \
        --find-links "$part/wheels" --target "$part/packages" --requirement "$requirements"
    lay_out "$part/packages"
    sync -f "$part"
    rm -rf "$folder"
    mv -T "$part/packages/nvidia/cu13" "$folder"
    rm -rf "$part"
}

# The processor trains without them.
give_up() {
    echo "fetch-cuda.sh: NVIDIA's packages can't be fetched, see above; Lockstep goes without GPUs until" \
        "$0 succeeds: it keeps the packages that are whole" >&2
    exit 0
}

case "${1:-}" in
--needed)
    is_needed
    exit
    ;;
-h | --help) usage && exit 0 ;;
esac
is_needed || exit 0
driver=$(nvidia-smi --query-gpu=driver_version --format=csv,noheader 2>/dev/null || true)
if [[ $driver =~ ^[0-9]+ ]] && ((BASH_REMATCH[0] < first_driver)); then
    echo "The NVIDIA driver is ${driver%%$'\n'*}: GPUs need $first_driver or later, so nothing is fetched for them"
    exit 0
fi
echo "There is an NVIDIA driver, but no CUDA Toolkit 13 with cuDNN 9 and NCCL 2. NVIDIA's packages from PyPI go to"
echo "$folder: $(sed -n 's/^# Size: //p' "$requirements"). (LOCKSTEP_CUDA=off: no GPUs, no packages.)"
if [[ -t 0 && -t 1 ]]; then
    read -rp "Fetch them? [Y/n] " answer
    [[ ${answer,,} != n* ]] || exit 0
fi
trap give_up ERR
mkdir -p "$(dirname "$folder")"
exec 9<"$(dirname "$folder")"
flock 9 # another one may be at it
! is_needed || fetch
