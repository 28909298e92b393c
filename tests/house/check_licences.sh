#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/house/check_licences.sh [root]: every source, script and CMake file names its licence in its
# first line (the second, after a #! line): GPL-3.0-or-later in ui, tests/ui and app/dashboard,
# Apache-2.0 everywhere else.
set -euo pipefail
cd "${1:-$(dirname "${BASH_SOURCE[0]}")/../..}"

folders=(CMakeLists.txt)
for folder in engine app ui tests packaging .ci; do
    [[ ! -d $folder ]] || folders+=("$folder")
done
mapfile -t files < <(find "${folders[@]}" -type f \( -name '*.h' -o -name '*.cpp' -o -name '*.cu' \
    -o -name '*.cuh' -o -name '*.sh' -o -name '*.py' -o -name 'CMakeLists.txt' -o -name '*.cmake' \
    -o -path .ci/run \) | sort)
if ((${#files[@]} < 2)); then
    echo "check_licences.sh: $PWD: nothing to check; is this the right folder?" >&2
    exit 1
fi

awk 'BEGIN {
    for (i = 1; i < ARGC; ++i) {
        licence = ARGV[i] ~ /^(ui|app\/dashboard|tests\/ui)\// ? "GPL-3.0-or-later" : "Apache-2.0"
        first = second = ""
        if ((getline first < ARGV[i]) > 0 && first ~ /^#!/) {
            getline second < ARGV[i]
            first = second
        }
        close(ARGV[i])
        if (first !~ "^(//|#) SPDX-License-Identifier: " licence "$") {
            print ARGV[i] ":1: its first line has to be: SPDX-License-Identifier: " licence
            ++wrong
        }
    }
    print ARGC - 1 " files checked, " wrong + 0 " without the right licence"
    exit wrong > 0
}' "${files[@]}"
