#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/tidy.sh [preset] [path pattern]: clang-tidy over our own C++ files, as the preset's build
# compiles them, eight at a time or file by file; what the build generates is left out. The pattern is
# one of files or, where the preset joins them, of folders. Fails on any finding. LOCKSTEP_TIDY_JOBS sets
# how many run at once (default 2).
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
preset=${1:-asan}
pattern=${2:-.*}
folder=build/$preset

for tool in clang-tidy run-clang-tidy; do
    if ! command -v "$tool" >/dev/null; then
        echo "clang-tidy not run: $tool is not installed"
        exit 0
    fi
done
# A test includes the code that moc makes for it, so the build has to be complete.
packaging/build.sh "$preset"

# Clang can't read the headers that GCC has compiled; without them it also sees what a file forgets to
# include.
mkdir -p "$folder/tidy"
sed -E 's/ -Winvalid-pch -include [^ ]*cmake_pch\.hxx//; s/ -fpch-preprocess//' \
    "$folder/compile_commands.json" >"$folder/tidy/compile_commands.json"

output=$folder/tidy.log
echo "Running clang-tidy (all of its output: $output)"
status=0
: >"$output"

# run_tidy <rooms> <checks left out, each with a minus>
run_tidy() {
    run-clang-tidy -quiet -j "${LOCKSTEP_TIDY_JOBS:-2}" -p "$folder/tidy" -checks="$2" \
        -header-filter="^$root/(engine|app|ui|tests)/.*\.(h|cpp)\$" \
        "^$root/($1/$pattern\.cpp|$folder/$1/$pattern/unity_[a-z0-9_]+_cxx\.cxx)\$" >>"$output" 2>&1 || status=$?
}
joined=-bugprone-suspicious-include
run_tidy '(engine|app|ui)' "$joined"
# Numbers of tests are small and nobody waits for them; all the returns in Qt Test's macros keep the analyzer
# busy for most of the time.
run_tidy tests "$joined,-bugprone-*-widening-*,-clang-analyzer-*,-performance-*"
sed -i 's/\x1b\[[0-9;]*m//g' "$output"
if grep -E '^/.*: (error|warning): ' "$output" | sort -u; then
    echo "clang-tidy: the findings above, see $output" >&2
    exit 1
fi
if ((status != 0)); then
    tail -n 20 "$output" >&2
    echo "clang-tidy did not finish, see $output" >&2
    exit 1
fi
units=$(grep -c '^clang-tidy.* -p=' "$output" || true)
if ((units == 0)); then
    echo "clang-tidy: no file matches; is '$pattern' right?" >&2
    exit 1
fi
echo "clang-tidy: $units units, no findings"
