#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Holds every row of the guide's page of differences (resources/help/pytorch.md) against PyTorch: trains what the
# row is about for twenty steps here and there. Exit status 77: there is no Python with PyTorch, and none may be
# fetched.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

usage() {
    cat <<'TEXT'
usage: tests/interop/differences.sh [--offline] [BUILD FOLDER]

  --offline  only what is installed: nothing is fetched from PyPI
The build folder is build/release if none is given; what PyPI gives (PyTorch: 3 GB) lands in it.
LOCKSTEP_INTEROP_PYTHON names a Python that has it all.
TEXT
}

python3 "$here/differences.py" rows "$here/../../resources/help" # needs no PyTorch
modules=(numpy safetensors torch)
source "$here/pytorch.sh" "$@"
"$python" "$here/differences.py" train "$program" "$work"
