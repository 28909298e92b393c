#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# test_install.sh BUILD FOLDER: what `cmake --install` puts into a folder works there, and after the folder was moved:
# programs, plug-ins, manual pages, completions, desktop files. Packages are tested by run.sh, which needs root.
set -euo pipefail
build=$1
folder=$2
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
export QT_QPA_PLATFORM=offscreen XDG_DATA_HOME=$folder/data XDG_RUNTIME_DIR=$folder

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

# Where the tool is; elsewhere it says that it was left out.
with() {
    if command -v "$1" >/dev/null; then "$@"; else echo "left out: $1 is not installed"; fi
}

rm -rf "$folder"
mkdir -p -m 700 "$folder"
for component in train window mpi cuda recorder; do
    cmake --install "$build" --prefix "$folder/first" --component $component >/dev/null
done
mv "$folder/first" "$folder/moved"
prefix=$folder/moved
! grep -rIl "$build\|$folder" "$prefix" || fail "the files above name a folder of this machine"

echo "programs"
"$prefix/bin/lockstep-train" train --towers 2 --batch-per-tower 8 --steps 3 --run "$folder/run" >"$folder/train.log" 2>&1 ||
    fail "$(cat "$folder/train.log")"
"$prefix/bin/lockstep" --export "$folder/run" --png "$folder/run.png" >/dev/null
[[ -s $folder/run.png ]] || fail "no picture"
version=$("$prefix/bin/lockstep-train" --version | sed -n 's/^lockstep-train //p')
[[ $("$prefix/bin/lockstep" --version) == "lockstep $version" ]] || fail "two programs, two versions"
project=$(sed -n 's/^project(lockstep VERSION \([0-9.]*\) .*/\1/p' "$source/CMakeLists.txt")
[[ $version == "$project"* ]] || fail "version $version, but the project's is $project: is a tag missing or wrong?"
PYTHONPATH=$prefix/lib/python3/dist-packages python3 -c "
import importlib.metadata, lockstep_recorder
assert lockstep_recorder.__version__ == importlib.metadata.version('lockstep-recorder') == '$project'"

echo "plug-ins"
if [[ -e $prefix/lib/lockstep/liblockstep-mpi.so ]]; then
    "$prefix/bin/lockstep-train" launch -n 2 -- train --towers 2 --batch-per-tower 8 --steps 3 --run "$folder/ranks" \
        >"$folder/ranks.log" 2>&1 || fail "$(cat "$folder/ranks.log")"
fi

echo "manual pages and completions"
python3 "$source/packaging/help_texts.py" "$folder/texts" "$version" "$prefix/bin/lockstep-train" "$prefix/bin/lockstep"
for text in "$folder"/texts/*/bash-completion/completions/*; do bash -n "$text"; done
for text in "$folder"/texts/*/zsh/vendor-completions/*; do with zsh -n "$text"; done
for text in "$folder"/texts/*/fish/vendor_completions.d/*; do with fish -n "$text"; done
complete_line() { # as bash does with TAB after these words
    bash -c 'compopt() { :; }; source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _lockstep_train; echo "${COMPREPLY[@]}"' \
        "$folder/texts/train/bash-completion/completions/lockstep-train" "$@"
}
[[ $(complete_line lockstep-train cross) == cross-validate ]] || fail "a command is not completed"
[[ $(complete_line lockstep-train train --batch) == --batch-per-tower ]] || fail "an option is not completed"
[[ $(complete_line lockstep-train train --precision t) == tf32 ]] || fail "a word is not completed"
[[ $(complete_line lockstep-train train --set towe) == towers ]] || fail "a key is not completed"
commands=$("$prefix/bin/lockstep-train" --help | sed -n '/^Subcommands:/,/^Examples:/s/^  \([a-z-]*\) .*/\1/p')
for command in $commands; do
    [[ -s $folder/texts/train/man/man1/lockstep-train-$command.1.gz ]] || fail "$command has no manual page"
done

echo "desktop"
with desktop-file-validate "$prefix/share/applications/lockstep.desktop"
with appstreamcli validate --no-net --pedantic "$prefix"/share/metainfo/*.xml
mkdir -p "$folder/data/mime/packages"
cp /usr/share/mime/packages/freedesktop.org.xml "$prefix/share/mime/packages/lockstep.xml" "$folder/data/mime/packages/" 2>/dev/null || true
if command -v gio >/dev/null && command -v update-mime-database >/dev/null && [[ -e $folder/data/mime/packages/freedesktop.org.xml ]]; then
    update-mime-database "$folder/data/mime"
    cp "$folder/run/run.db" "$folder/renamed" # its content tells
    for file in "$folder/run/run.db" "$folder/run/run.toml" "$folder"/run/checkpoints/step-*.safetensors "$folder/renamed"; do
        gio info -a standard::content-type "$file" | grep -q vnd.lockstep || fail "$file has no type of its own"
    done
fi
echo "passed"
