# SPDX-License-Identifier: Apache-2.0
# What scripts that compare with PyTorch begin with: `source pytorch.sh "$@"`, after usage(). Sets root, program
# (lockstep-train), work (a folder that goes with the script) and python, which has the modules of the array `modules`:
# LOCKSTEP_INTEROP_PYTHON, or one in the build folder, where PyPI gives it what it lacks unless --offline is given;
# then the script ends with 77, "skipped".
[[ -v modules ]] || modules=(numpy onnx onnxruntime safetensors torch torchvision)
root=$(realpath "$here/../..")
offline=no
build=$root/build/release
for argument in "$@"; do
    case "$argument" in
    --offline) offline=yes ;;
    -h | --help) usage && exit 0 ;;
    -*)
        usage >&2
        exit 2
        ;;
    *) build=$(realpath "$argument") ;;
    esac
done
program=$build/bin/lockstep-train
venv=$build/networks-venv
python=${LOCKSTEP_INTEROP_PYTHON:-$venv/bin/python}
if ! "$python" -c "import $(IFS=, && echo "${modules[*]}")" 2>/dev/null; then
    if [[ $offline == yes ]]; then
        echo "SKIP: there is no Python with ${modules[*]} (without --offline they are fetched)"
        exit 77
    fi
    python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet "${modules[@]}"
    python=$venv/bin/python
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

failed() {
    echo "FAILED: $*" >&2
    exit 1
}
