#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/recorder/with_pytorch.sh BUILD_FOLDER SCRIPT: runs a test with a Python that has PyTorch: LOCKSTEP_INTEROP_PYTHON, or
# the one in the build folder (tests/interop/networks.sh makes it). Exit status 77: there is none.
set -euo pipefail
python=${LOCKSTEP_INTEROP_PYTHON:-$1/networks-venv/bin/python}
if ! "$python" -c "import torch, torchvision" 2>/dev/null; then
    echo "SKIP: there is no Python with PyTorch (tests/interop/networks.sh fetches one)"
    exit 77
fi
export LOCKSTEP_TRAIN=$1/bin/lockstep-train OMP_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE=1
exec "$python" "$(dirname "${BASH_SOURCE[0]}")/$2"
