#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/house/check_kernels.sh [root]: the first thing that a kernel of CUDA does is to wait for the one before
# (engine/device/cuda/arrays/kernel.h), or it would read what is not there yet. Prints `file:line` of each that
# does not, and fails.
set -euo pipefail
cd "${1:-$(dirname "${BASH_SOURCE[0]}")/../..}"

mapfile -t sources < <(grep -rl --include='*.cu' --include='*.h' '^__global__' engine)
((${#sources[@]} > 0)) || { echo "check_kernels.sh: $PWD: no kernel in engine; is this the right folder?" >&2 && exit 1; }
awk '
    /^__global__/ { isHead = 1; line = FNR }
    isBody { if ($0 != "    waitForKernelBefore();") { print FILENAME ":" line ": does not wait first"; failed = 1 } isBody = 0 }
    isHead && /^{$/ { isHead = 0; isBody = 1 }
    END { exit failed }
' "${sources[@]}"
