#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/crash/run.sh [N]: kills a running lockstep-train N times (default 200; the long form is 1000) at
# random moments, each time checks its store and checkpoints and lets it go on, and compares the losses in
# the end with a training that was never killed. Prints the seed; LOCKSTEP_CRASH_SEED repeats it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

crashes=${1:-200}
if ! [[ $crashes =~ ^[1-9][0-9]*$ ]]; then
    echo "usage: tests/crash/run.sh [number of kills]" >&2
    exit 2
fi
preset=${LOCKSTEP_PRESET:-release}
[[ -e build/$preset/CMakeCache.txt ]] || packaging/build.sh "$preset"
cmake --build "build/$preset" --target tests_crash
# Each kill takes about a second; Qt Test gives a function five minutes unless it is told otherwise.
LOCKSTEP_CRASHES=$crashes QTEST_FUNCTION_TIMEOUT=$((600000 + crashes * 10000)) \
    "build/$preset/tests/tests_crash" test_crash -maxwarnings 0
