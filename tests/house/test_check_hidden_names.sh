#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/house/test_check_hidden_names.sh <empty folder>: plants, in a small tree of its own, names that one
# file of a room hides from another, and checks that check_hidden_names.py names each and nothing else; and that
# it lets pass what looks alike.
set -euo pipefail
checker=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/check_hidden_names.py
tree=${1:?usage: test_check_hidden_names.sh <folder>}
failures=0

say() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# put <file> <line…>: writes the file into the tree.
put() {
    mkdir -p "$tree/$(dirname "$1")"
    printf '%s\n' "${@:2}" >"$tree/$1"
}

# tree <line…>: two files of a room, the second of which has these lines in its anonymous namespace.
soundTree() {
    rm -rf "$tree"
    put engine/files/bytes.h '#pragma once' 'namespace lockstep {' \
        '/// Bytes: { of a file.' 'std::int64_t fileBytes(const std::filesystem::path& path);' \
        'inline constexpr std::int64_t kMost = 3;' 'struct Place { int own = 0; };' 'enum class Kind { One, Two };' \
        'using Names = std::vector<std::string>;' 'std::string textOf(const Place& place, int digits = 2);' \
        'template<class T> T twice(T value);' 'namespace inner { int deep(); }' '} // namespace lockstep'
    put engine/files/bytes.cpp '#include "files/bytes.h"' 'namespace lockstep { namespace {' \
        'std::string half(int value) { return "} {"; }' 'char mark() { return '"'{'"'; }' '} }'
    put engine/formats/first.cpp '#include "files/bytes.h"' 'namespace lockstep {' 'namespace {' \
        'int ownOf(double value)' '{' '    int fileBytes = 0;' '    return fileBytes;' '}' '} // namespace' \
        'void Thing::fileBytes() {}' '} // namespace lockstep'
    put engine/formats/second.cpp 'namespace lockstep {' 'namespace {' "$@" '} // namespace' '} // namespace lockstep'
}

# refused <text> <line…>: the lines, planted, are named with this text, and nothing else is.
refused() {
    soundTree "${@:2}"
    local output code=0
    output=$(python3 "$checker" "$tree") || code=$?
    ((code != 0)) || say "'${*:2}' is let pass"
    [[ $output == "engine/formats/second.cpp:"*"$1"* ]] || say "'${*:2}' is not named: '$output'"
    [[ $(grep -c . <<<"$output") == 1 ]] || say "'${*:2}' brings more than one line: $output"
}

# passes <line…>
passes() {
    soundTree "$@"
    local output
    output=$(python3 "$checker" "$tree") || say "'$*' is refused: $output"
}

refused '3: fileBytes hides that of engine/files/bytes.h:4' 'std::int64_t fileBytes(const fs::path& path)' '{' '    return 1;' '}'
refused '4: fileBytes hides' '// fileBytes()' 'auto fileBytes(double x) -> int { return 1; }'
refused '3: kMost hides' 'constexpr std::int64_t kMost = 4;'
refused '3: kMost hides' 'constexpr std::array<int, 2> kMost{1, 2};'
refused '3: Place hides' 'struct Place' '{' '    int x;' '};'
refused '3: Kind hides' 'enum class Kind { Three };'
refused '3: Names hides' 'using Names = int;'
refused '3: textOf hides' 'std::string textOf(const Place& place) { return "(;"; }'
refused '4: twice hides' 'template<class Value>' 'Value twice(const Value& value)' '{ return value; }'
refused '3: twice hides' '[[nodiscard]] constexpr int twice(int x) { return x; }'
refused '3: ownOf is also in engine/formats/first.cpp:4' 'int ownOf(int value) { return value; }'
refused '3: ownOf is also in' 'int ownOf(float a, int b = 3);'
refused '5: fileBytes hides' '} // namespace' 'namespace lockstep {' 'static int fileBytes(int x) { return x; }' '} namespace {'
refused '4: fileBytes hides' 'namespace detail {' 'int fileBytes(int x) { return x; }' '}'

passes 'int ownBytes(int value) { return value; }'
passes 'std::string textOf(const Other& place) { return {}; }' 'int ownOf(double a, double b);'
passes 'std::string textOf(const std::vector<Other>& places, int digits) { return {}; }'
passes 'class Reader' '{' 'public:' '    int fileBytes(int x) const { return x; }' '    enum { kMost };' '};'
passes 'int deep() { return 1; }' 'std::int64_t call() { return fileBytes("int fileBytes(int x);"); }'
passes '/* std::int64_t kMost = 4; */' 'const auto text = R"(int kMost = 4; {)";'
passes 'class Place;' 'using lockstep::fileBytes;' '#define kMost 4'
passes '} // namespace' 'std::int64_t fileBytes(const std::filesystem::path& path) { return 0; }' 'namespace {'

# What no neighbour sees is hidden from nobody.
soundTree 'int fileBytes(int x) { return x; }'
put engine/formats/first.cpp 'namespace lockstep {' '} // namespace lockstep'
output=$(python3 "$checker" "$tree") || say "a name that no neighbour sees is refused: $output"
rm -r "$tree"
mkdir -p "$tree"
if python3 "$checker" "$tree" 2>/dev/null; then
    say "a folder without files is let pass"
fi

((failures == 0)) && echo "check_hidden_names.py finds what is planted"
exit $((failures > 0))
