#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/house/test_joined_calls.sh <empty folder> <compiler>: joined_calls.py names a function that a file calls
# alone, but not joined to the one before it, and a constant that is another one; and lets the same names pass
# where nothing is hidden.
set -euo pipefail
checker=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/joined_calls.py
usage='usage: test_joined_calls.sh <folder> <compiler>'
tree=${1:?$usage}
compiler=${2:?$usage}
failures=0

say() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# joined <line…>: what the checker says of a file with these lines in its anonymous namespace, joined to one that
# calls sizeOf() and reads kMost.
joined() {
    rm -rf "$tree"
    mkdir -p "$tree/build/engine/Unity" "$tree/engine"
    printf '%s\n' '#pragma once' 'namespace lockstep {' 'int sizeOf(int value);' 'inline constexpr int kMost = 3;' '}' \
        >"$tree/engine/room.h"
    printf '%s\n' 'namespace lockstep {' 'namespace {' "$@" '}' 'int first() { return own(1); }' '}' >"$tree/engine/first.cpp"
    printf '%s\n' '#include "room.h"' 'namespace lockstep {' 'namespace {' 'int half(int value) { return sizeOf(value) / 2; }' \
        'int most() { return kMost; }' '}' 'int second() { return half(most()); }' '}' >"$tree/engine/second.cpp"
    printf '#include "%s"\n' "$tree/engine/first.cpp" "$tree/engine/second.cpp" >"$tree/build/engine/Unity/unity_0_cxx.cxx"
    printf '[{"directory": "%s", "command": "%s -O3 -std=c++20 -MD -MF x.d -o unity.o -c %s", "file": "%s"}]' \
        "$tree/build" "$compiler" "$tree/build/engine/Unity/unity_0_cxx.cxx" "$tree/build/engine/Unity/unity_0_cxx.cxx" \
        >"$tree/build/compile_commands.json"
    python3 -B "$checker" "$tree/build"
}

output=$(joined 'int own(int value) { return value; }') || say "a sound tree is refused: $output"
[[ $output == *"2 files call the same in 1 units" ]] || say "it is not told what was compared: $output"
! output=$(joined 'int sizeOf(long value) { return 7; }' 'int own(int value) { return sizeOf(value); }') \
    || say "a hidden function is let pass"
[[ $output == *"second.cpp: lockstep::(anonymous namespace)::half(int) does not call lockstep::sizeOf(int) when it is joined" ]] \
    || say "a hidden function is not named: $output"
! output=$(joined 'constexpr int kMost = 4;' 'int own(int value) { return kMost; }') || say "a hidden constant is let pass"
[[ $output == *"second.cpp: lockstep::(anonymous namespace)::most() has other code when it is joined" ]] \
    || say "a hidden constant is not named: $output"
[[ $(grep -c . <<<"$output") == 1 ]] || say "more than one line: $output"

((failures == 0)) && echo "joined_calls.py finds what is planted"
exit $((failures > 0))
