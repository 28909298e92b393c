#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# stand_ins_for_cuda.sh FOLDER: lets the PyTorch of PyPI start without NVIDIA's libraries. Its wheel for Linux
# is linked with 2.5 GB of them, although on a CPU none of their functions is called but those that register
# kernels at start. FOLDER is torch/lib; for every library of NVIDIA that is asked for there one is made
# beside it, whose functions do nothing but return an error. Needs binutils and a C compiler.
set -euo pipefail
cd "${1:?usage: stand_ins_for_cuda.sh FOLDER}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

libraries=(libtorch*.so libc10*.so libshm.so)
# Lines of a function and the version that is asked for, "-" where none is.
nm --dynamic --undefined-only "${libraries[@]}" 2>/dev/null |
    awk '$1 == "U" { n = split($2, part, "@"); print part[1], (n > 1 ? part[n] : "-") }' |
    grep -E '^(__cuda|cu|nccl|nv)' | sort -u >"$work/functions"
# Lines of a library and a version that is asked of it: the loader insists on finding it there.
objdump --private-headers "${libraries[@]}" |
    awk '$1 == "required" { name = $3; sub(/:$/, "", name) } /^  *0x/ && NF == 4 && name { print name, $4 }' |
    sort -u >"$work/versions"

# stand_in NAME: 100 is "no device" where the CUDA runtime is asked, and an error to all others.
stand_in() {
    local name=$1 version script=()
    awk -v name="$1" 'FILENAME ~ /versions$/ { if ($1 == name) { wanted[$2] = 1; any = 1 } next }
        any ? $2 in wanted : $2 == "-" { print "long " $1 "(void) { return 100; }" }' \
        "$work/versions" "$work/functions" >"$work/stand_in.c"
    awk -v name="$1" '$1 == name { print $2 }' "$work/versions" | while read -r version; do
        echo "$version { global:"
        awk -v version="$version" '$2 == version { print $1 ";" }' "$work/functions"
        echo "};"
    done >"$work/script"
    [[ ! -s $work/script ]] || script=("-Wl,--version-script=$work/script")
    cc -w -shared -fPIC -fno-builtin -Wl,-soname,"$name" "${script[@]}" -o "$name" "$work/stand_in.c"
}

objdump --private-headers "${libraries[@]}" | awk '$1 == "NEEDED" { print $2 }' | sort -u |
    grep -E '^lib(cu|nccl|nv)' | while read -r name; do
    [[ -e $name ]] || stand_in "$name"
done
