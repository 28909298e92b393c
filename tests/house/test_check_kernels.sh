#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/house/test_check_kernels.sh <empty folder>: plants kernels, and checks that check_kernels.sh names those
# that do not wait first and no other, and lets a tree pass in which all do.
set -euo pipefail
checker=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/check_kernels.sh
tree=${1:?usage: test_check_kernels.sh <folder>}
rm -rf "$tree"
mkdir -p "$tree/engine"

cat >"$tree/engine/good.cu" <<'KERNELS'
__global__ void first(int* value)
{
    waitForKernelBefore();
    *value = 1;
}

template<class T>
__global__ void __launch_bounds__(32)
    second(T* value,
           T other)
{
    waitForKernelBefore();
}
KERNELS
bash "$checker" "$tree" || { echo "FAILED: a tree in which all kernels wait is refused" && exit 1; }

cat >"$tree/engine/bad.h" <<'KERNELS'
__global__ void late(int* value)
{
    *value = 1;
    waitForKernelBefore();
}

void host()
{
}

__global__ void never(int* value)
{
    *value = 1;
}
KERNELS
if found=$(bash "$checker" "$tree"); then
    echo "FAILED: kernels that don't wait first pass" && exit 1
fi
if [[ $(cut -d ' ' -f 1 <<<"$found") != "engine/bad.h:1:"$'\n'"engine/bad.h:11:" ]]; then
    echo "FAILED: named are $found" && exit 1
fi
