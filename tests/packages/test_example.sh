#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/packages/test_example.sh BUILD WORK COMPILER LIBDIR: installs what a program needs to be built with the library,
# moves it elsewhere, builds the example there as a person would, outside of the tree, and looks at what its run leaves.
set -euo pipefail
build=$1 work=$2 compiler=$3 libraries=$2/moved/$4
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

fail() {
    echo "test_example.sh: $*" >&2
    exit 1
}

rm -rf "$work"
mkdir -p "$work"
for component in library development; do
    cmake --install "$build" --component "$component" --prefix "$work/first"
done
mv "$work/first" "$work/moved"
cp -r "$root/app/examples/own_batches" "$work/source"

cmake -S "$work/source" -B "$work/build" -DCMAKE_PREFIX_PATH="$work/moved" -DCMAKE_CXX_COMPILER="$compiler" \
    -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS='-Wall -Wextra -Werror'
cmake --build "$work/build"
"$work/build/own_batches" "$work/run" | tee "$work/printed"
[[ $(grep -c '^step .*  mean .*  last ' "$work/printed") == 10 ]] || fail "not every tenth of 100 steps was printed"

if "$compiler" -fsyntax-only -I"$root/engine" -I"$work/moved/include" -x c++ -std=c++20 - \
    <<<'#include <lockstep/base/error.h>' 2>/dev/null; then
    fail "headers of the engine were installed"
fi
flags=$(PKG_CONFIG_PATH=$libraries/pkgconfig pkg-config --cflags --libs lockstep)
# Several words.
# shellcheck disable=SC2086
"$compiler" "$work/source/main.cpp" $flags -o "$work/by_pkg_config"
grep -q "$libraries/liblockstep.so" <<<"$(LD_LIBRARY_PATH=$libraries ldd "$work/by_pkg_config")" || fail "pkg-config: not this library"

names=$(nm -D --defined-only -C "$libraries/liblockstep.so")
grep -q ' T lockstep::api::train(' <<<"$names" || fail "train() is not exported"
if grep -vE '^[0-9a-f]+ [TW] lockstep::api::' <<<"$names"; then
    fail "the library exports names besides those of lockstep.h: see above"
fi
if readelf -d "$libraries/liblockstep.so" | grep -E 'R(UN)?PATH' | grep -v 'ORIGIN'; then
    fail "the library looks for others where it was built: see above"
fi

train=$build/bin/lockstep-train
grep -q "dataset.name = 'program:circles'" <<<"$("$train" inspect "$work/run")" || fail "inspect does not name the data set"
if "$train" train --run "$work/run" --resume --steps 120 2>"$work/refused"; then
    fail "lockstep-train went on without the data set"
fi
grep -q "'program:circles' is made by the program" "$work/refused" || fail "refused for another reason: $(cat "$work/refused")"
