#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# packaging/build.sh <preset> [target…]: configures and builds, saying little while all goes well.
# LOCKSTEP_JOBS sets the number of compilers at once (default: one per processor).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

preset=${1:?usage: packaging/build.sh <preset> [target…]}
shift
folder=build/$preset
log=$folder/build.log
mkdir -p "$folder"

echo "Configuring $folder"
# A folder of an earlier build may hold on to what is gone, such as another CUDA Toolkit: then afresh.
if ! cmake --preset "$preset" >"$log" 2>&1 && ! cmake --fresh --preset "$preset" >"$log" 2>&1; then
    cat "$log" >&2
    echo "build.sh: preset '$preset' can't be configured, see above" >&2
    exit 1
fi
sed -n 's/^-- \(CUDA half: \)/\1/p' "$log"

targets=()
(($# == 0)) || targets=(--target "$@")
build=(cmake --build "$folder" --parallel "${LOCKSTEP_JOBS:-$(nproc)}" "${targets[@]}")
echo "Building $folder"
if [[ -t 1 ]]; then
    "${build[@]}"
    exit
fi
# Not a terminal: every tenth line of progress is enough; a failure shows everything but progress.
if ! "${build[@]}" 2>&1 | tee -a "$log" | awk '/^\[[0-9]+\/[0-9]+\]/ && ++n % 10 == 0; { fflush() }'; then
    grep -vE '^\[[0-9]+/[0-9]+\] (Building|Linking|Automatic)|^--' "$log" >&2 || true
    echo "build.sh: the build in $folder failed, see above (all of it: $log)" >&2
    exit 1
fi
