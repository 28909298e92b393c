#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/run.sh [--tidy] [preset] [ctest argument…]: installs, builds and runs all tests, one more at once
# than there are processors: some wait. The last line counts what passed, failed and was skipped. In the
# release preset the formatting is checked first; --tidy runs clang-tidy afterwards, for which it builds
# asan. Exit status 0 only if nothing failed. LOCKSTEP_TEST_DATA names the folder of the real data sets,
# LOCKSTEP_SKIP_INSTALL=1 leaves the system's packages alone, LOCKSTEP_CUDA=off leaves GPUs out.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage() {
    echo "usage: tests/run.sh [--tidy] [release|debug|apart|asan|tsan] [ctest argument…]"
}

tidy=no
if [[ ${1:-} == --tidy ]]; then
    tidy=yes
    shift
fi
preset=release
case "${1:-}" in
-h | --help) usage && exit 0 ;;
"" | -*) ;;
*)
    preset=$1
    shift
    ;;
esac
case "$preset" in
release | debug | apart | asan | tsan) ;;
*)
    usage >&2
    echo "run.sh: there is no preset '$preset'" >&2
    exit 2
    ;;
esac

[[ ${LOCKSTEP_SKIP_INSTALL:-} == 1 ]] || packaging/install-dependencies.sh

failed=0
notes=()
if [[ $preset == release ]] && ! tests/format.sh; then
    failed=1
    notes+=("Failed: formatting, see the beginning")
fi
packaging/build.sh "$preset"

# The thread sanitizer's shadow memory doesn't fit every randomised layout of the address space.
plain_layout=()
if [[ $preset == tsan ]] && setarch -R true 2>/dev/null; then
    plain_layout=(setarch -R)
fi
log=build/$preset/Testing/Temporary/LastTest.log
rm -f "$log"
# The sizes keep ctest from cutting the counts off the end of a long output.
QT_QPA_PLATFORM=offscreen "${plain_layout[@]}" ctest --preset "$preset" \
    --parallel "$(($(nproc) + 1))" \
    --test-output-size-passed 10000000 --test-output-size-failed 10000000 "$@" || failed=1

if [[ $tidy == yes && $preset == release ]] && ! tests/tidy.sh; then
    failed=1
    notes+=("Failed: clang-tidy, see above")
fi
((${#notes[@]} == 0)) || printf '%s\n' "${notes[@]}"
tests/summary.sh "$log" || failed=1
exit "$failed"
