#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# packaging/docs.sh: makes the documentation as a site, build/docs/site/index.html. The pages lie in it as
# in the repository, so that a link between them is the same in both.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
if ! command -v mkdocs >/dev/null; then
    echo "docs.sh: mkdocs is missing; packaging/install-dependencies.sh installs it" >&2
    exit 1
fi

pages=build/docs/src
rm -rf build/docs
mkdir -p "$pages/github"
find ./*.md LICENSES app engine ui resources tests packaging -type f \( -name '*.md' -o -name '*.png' -o -name '*.txt' \
    -o -name '*.toml' -o -name '*.py' -o -name '*.c' -o -name '*.sbatch' -o -path 'app/examples/*' \
    -o -path engine/api/lockstep.h \) -exec cp --parents -t "$pages" {} +
# mkdocs leaves out what begins with a dot, and takes a title from a first line only.
cp .github/SECURITY.md "$pages/github/"
find "$pages" -name '*.md' -exec sed -i -e '1{/^<!-- SPDX/d}' -e 's|(\.github/|(github/|g' {} +
cp resources/docs/mkdocs.yml build/docs/
mkdocs build --quiet --strict --config-file build/docs/mkdocs.yml
echo "build/docs/site/index.html"
