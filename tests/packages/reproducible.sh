#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/packages/reproducible.sh: makes the packages of this commit twice, each from a fresh clone in the same place and
# without ccache, and compares them byte for byte. Takes as long as two builds; keeps the second in build/packages.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
root=$PWD
commit=$(git rev-parse HEAD)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for number in 1 2; do
    rm -rf "$work/lockstep"
    git clone --quiet "$root" "$work/lockstep"
    git -C "$work/lockstep" -c advice.detachedHead=false checkout --quiet "$commit"
    (cd "$work/lockstep" && CCACHE_DISABLE=1 packaging/package.sh >"$work/log" 2>&1) || {
        cat "$work/log" >&2
        exit 1
    }
    mv "$work/lockstep/build/packages" "$work/$number"
    echo "build $number: done after $SECONDS s"
done
rm -rf build/packages
mkdir -p build
cp -r "$work/2" build/packages
cat "$work/2/SHA256SUMS"
diff -r "$work/1" "$work/2"
echo "both builds are the same"
