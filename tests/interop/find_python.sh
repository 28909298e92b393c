# SPDX-License-Identifier: Apache-2.0
# Sets $python to a Python with PyTorch and ONNX Runtime: LOCKSTEP_INTEROP_PYTHON, or one in $build, where PyPI gives
# it what it lacks unless $offline is yes; then the script ends with 77, "skipped".
venv=$build/networks-venv
python=${LOCKSTEP_INTEROP_PYTHON:-$venv/bin/python}
if ! "$python" -c "import onnx, onnxruntime, safetensors, torch, torchvision" 2>/dev/null; then
    if [[ $offline == yes ]]; then
        echo "SKIP: there is no Python with PyTorch and ONNX Runtime (tests/interop/networks.sh fetches them)"
        exit 77
    fi
    python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet numpy onnx onnxruntime safetensors torch torchvision
    python=$venv/bin/python
fi
