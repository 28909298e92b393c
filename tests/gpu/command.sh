# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced, in the unpacked pack. `find_command FOLDER` sets the array `lockstep` to the command that
# starts FOLDER/bin/lockstep-train on this machine, and `missing` to the libraries of NVIDIA that were
# not found.
#
# Two ways to start it. Where the machine's C library is as new as the one we were built with, the
# machine's own loader and C library are taken, with the pack's other libraries before the machine's:
# so NVIDIA's driver meets the libraries it was installed for. Where it is older, or none of GNU's, the
# pack's own loader and C library are used; NVIDIA's libraries are built for very old ones, so a newer
# one suits them. LOCKSTEP_PACK_LOADER=machine|pack forces one of the two.

# What liblockstep-cuda.so opens, and what those open: the driver, its readings, cuDNN and the compiler
# that some of its engines call, cuBLAS, NCCL.
nvidia_libraries=(libcuda.so.1 libnvidia-ml.so.1 libcudnn.so.9 libnvrtc.so.13 libcublasLt.so.13 libnccl.so.2)

# Folders of the packages that pip installs beside PyTorch, and those where the toolkit and containers
# keep theirs.
nvidia_candidates() {
    local python
    for python in python3 python; do
        command -v "$python" >/dev/null || continue
        "$python" - <<'PYTHON' 2>/dev/null && break
import glob, importlib.util, os
spec = importlib.util.find_spec("nvidia")
for root in spec.submodule_search_locations if spec else []:
    for folder in sorted(glob.glob(os.path.join(root, "*", "lib"))):
        print(folder)
PYTHON
    done
    tr ':' '\n' <<<"${LD_LIBRARY_PATH:-}"
    printf '%s\n' /usr/local/nvidia/lib64 /usr/local/cuda/lib64 /usr/lib/wsl/lib /usr/lib64-nvidia
}

# Folders that hold one of the libraries and that the loader doesn't search by itself, in $folders;
# $missing: the libraries that are nowhere.
find_nvidia() {
    local cache library folder found
    cache=$({ ldconfig -p || /sbin/ldconfig -p; } 2>/dev/null || true)
    local candidates=()
    mapfile -t candidates < <(nvidia_candidates)
    folders=""
    missing=()
    for library in "${nvidia_libraries[@]}"; do
        found=no
        for folder in "${candidates[@]}"; do
            if [[ -n $folder && -e $folder/$library ]]; then
                [[ ":$folders:" == *":$folder:"* ]] || folders+="${folders:+:}$folder"
                found=yes
                break
            fi
        done
        if [[ $found == no && $cache != *"$library "* ]]; then
            missing+=("$library")
        fi
    done
}

# Whether the machine's C library is GNU's and not older than $1.
is_new_enough() {
    local version
    version=$(getconf GNU_LIBC_VERSION 2>/dev/null) || return 1
    [[ -e /lib64/ld-linux-x86-64.so.2 ]] &&
        [[ $(printf '%s\n' "$1" "${version#glibc }" | sort -V | head -n 1) == "$1" ]]
}

find_command() {
    local pack=$1 loader=${LOCKSTEP_PACK_LOADER:-}
    find_nvidia
    if [[ -z $loader ]]; then
        loader=pack
        is_new_enough "$(cat "$pack/glibc/VERSION")" && loader=machine
    fi
    local path=$pack/lib${folders:+:$folders}
    lockstep=(env)
    # The program looks for it beside itself, which is the loader where that was started.
    [[ ! -e $pack/bin/liblockstep-cuda.so ]] ||
        lockstep+=("LOCKSTEP_CUDA_LIBRARY=${LOCKSTEP_CUDA_LIBRARY:-$pack/bin/liblockstep-cuda.so}")
    if [[ $loader == machine ]]; then
        lockstep+=("LD_LIBRARY_PATH=$path" "$pack/bin/lockstep-train")
    else
        lockstep+=("$pack/glibc/ld-linux-x86-64.so.2" --library-path "$pack/glibc:$path" "$pack/bin/lockstep-train")
    fi
}
