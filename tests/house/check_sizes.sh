#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/house/check_sizes.sh [root]: no folder of ui has more than 30 sources and headers, none of engine
# and app more than 32, and no class of ui more than 25 public methods (signals left out). Prints what is
# larger, with the five largest classes, and fails.
set -euo pipefail
cd "${1:-$(dirname "${BASH_SOURCE[0]}")/../..}"

failed=0
while read -r count folder; do
    most=32
    [[ $folder != ui* ]] || most=30
    if ((count > most)); then
        echo "$folder: $count sources and headers, more than $most: which of them are a room of their own?"
        failed=1
    fi
done < <(find engine app ui -type f \( -name '*.h' -o -name '*.cpp' -o -name '*.cu' -o -name '*.cuh' \) \
    -printf '%h\n' | sort | uniq -c)

# By the layout that clang-format gives: a class at the beginning of a line, a member after four blanks.
mapfile -t headers < <(find ui -name '*.h' | sort)
((${#headers[@]} > 0)) || { echo "check_sizes.sh: $PWD: no header in ui; is this the right folder?" >&2 && exit 1; }
methods=$(awk '
    /^(class|struct) [A-Za-z]+( final)?( :.*)?$/ { class = $2; isPublic = $1 == "struct"; count = 0 }
    /^};/ && class != "" { print count, class, FILENAME; class = "" }
    /^(public|protected|private|signals)( slots)?:/ { isPublic = $1 ~ /^public/ }
    isPublic && class != "" && /^    [^ \/].*\(/ && !/^    (using|friend|static_assert|Q_)/ { ++count }
' "${headers[@]}" | sort -rn)
if (($(head -n 1 <<<"$methods" | cut -d ' ' -f 1) > 25)); then
    echo "A class with more than 25 public methods is several. The largest:"
    head -n 5 <<<"$methods"
    failed=1
fi
exit "$failed"
