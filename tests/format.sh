#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/format.sh [--fix]: checks (or sets right) the formatting of every C++ and CUDA file, and names
# the files that are not as .clang-format wants them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if ! command -v clang-format >/dev/null; then
    echo "Formatting not checked: clang-format is not installed"
    exit 0
fi
folders=()
for folder in engine app ui tests; do
    [[ ! -d $folder ]] || folders+=("$folder")
done
mapfile -t files < <(find "${folders[@]}" -type f \
    \( -name '*.h' -o -name '*.cpp' -o -name '*.cu' -o -name '*.cuh' \) | sort)

if [[ ${1:-} == --fix ]]; then
    clang-format --style=file -i "${files[@]}"
    exit
fi
echo "Checking the formatting of ${#files[@]} files"
if ! findings=$(clang-format --style=file --dry-run -Werror "${files[@]}" 2>&1); then
    grep -E '^[^ ].*: error: ' <<<"$findings" | cut -d: -f1 | sort | uniq -c |
        awk '{ print $2 ": " $1 " places not formatted" }'
    echo "Formatting: FAILED; tests/format.sh --fix sets it right"
    exit 1
fi
