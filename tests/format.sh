#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/format.sh [--fix]: checks (or sets right) the formatting of every C++ and CUDA file.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if ! command -v clang-format >/dev/null; then
    echo "Formatting not checked: clang-format is not installed"
    exit 0
fi
mode=(--dry-run -Werror)
[[ ${1:-} != --fix ]] || mode=(-i)
folders=()
for folder in engine app ui tests; do
    [[ ! -d $folder ]] || folders+=("$folder")
done
find "${folders[@]}" -type f \( -name '*.h' -o -name '*.cpp' -o -name '*.cu' -o -name '*.cuh' \) -print0 |
    xargs -0 -r clang-format --style=file "${mode[@]}"
