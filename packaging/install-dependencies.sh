#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what Lockstep is built and tested with, on Debian 12; where there is an NVIDIA driver, what the
# CUDA half needs, too (fetch-cuda.sh). Does nothing, at once, when all of it is there.
set -euo pipefail

usage() {
    cat <<'TEXT'
usage: packaging/install-dependencies.sh [--engine-only] [--packages] [--peers] [--list] [--help]

  --engine-only  only what the engine and lockstep-train need: no Qt, so no tests and no dashboard
  --packages     also what packages are made and checked with
  --peers        also PyTorch, which the benchmark compares with
  --list         print the packages and install nothing
LOCKSTEP_CUDA=off leaves out what GPUs need.
TEXT
}

tools=(build-essential cmake ninja-build ccache mold pkg-config)
checks=(clang-format clang-tidy libturbojpeg0-dev python3-numpy openssh-client openssh-server mkdocs help2man) # tests write JPEGs, and NumPy reads exports
# ocl-icd-opencl-dev: the CMake package of Debian's oneDNN asks for OpenCL and does not bring it.
engine=(libdnnl-dev libsqlite3-dev nlohmann-json3-dev libtomlplusplus-dev libcli11-dev libfmt-dev
    librandom123-dev libhwy-dev libarchive-dev libcurl4-openssl-dev libssl-dev libxxhash-dev
    libprotobuf-dev protobuf-compiler libonnx-dev libisal-dev libutf8proc-dev libpng-dev libjpeg62-turbo-dev libstb-dev
    ocl-icd-opencl-dev libbenchmark-dev libopenmpi-dev openmpi-bin)
desktop=(qt6-base-dev qt6-charts-dev libqt6opengl6-dev qt6-svg-dev qt6-tools-dev qt6-l10n-tools
    libgl-dev libxkbcommon-dev xvfb dbus-daemon) # the last for a test of notifications
packages=(librsvg2-bin patchelf file qt6-wayland lintian appstream desktop-file-utils debootstrap)
peers=(python3-torch)

with_desktop=yes
with_packages=no
with_peers=no
only_list=no
for argument in "$@"; do
    case "$argument" in
    --engine-only) with_desktop=no ;;
    --packages) with_packages=yes ;;
    --peers) with_peers=yes ;;
    --list) only_list=yes ;;
    -h | --help) usage && exit 0 ;;
    *)
        echo "install-dependencies.sh: unknown option '$argument' (see --help)" >&2
        exit 2
        ;;
    esac
done

wanted=("${tools[@]}" "${engine[@]}")
[[ $with_desktop == no ]] || wanted+=("${checks[@]}" "${desktop[@]}")
[[ $with_packages == no ]] || wanted+=("${packages[@]}")
[[ $with_peers == no ]] || wanted+=("${peers[@]}")
if [[ $only_list == yes ]]; then
    printf '%s\n' "${wanted[@]}"
    exit 0
fi

fetch_cuda=$(dirname "${BASH_SOURCE[0]}")/fetch-cuda.sh
if "$fetch_cuda" --needed && ! python3 -m pip --version >/dev/null 2>&1; then
    wanted+=(python3-pip)
fi

if ! command -v apt-get >/dev/null; then
    echo "install-dependencies.sh: this is not Debian; install the counterparts of: ${wanted[*]}" >&2
    exit 1
fi

# One query for all. dpkg-query prints a line for each package it knows, and fails if it does not know
# one; a package that was removed is not "installed".
installed=" $({ dpkg-query -W -f '${db:Status-Status} ${Package}\n' "${wanted[@]}" 2>/dev/null || true; } |
    sed -n 's/^installed //p' | tr '\n' ' ')"
missing=()
for package in "${wanted[@]}"; do
    [[ $installed == *" $package "* ]] || missing+=("$package")
done
if ((${#missing[@]} > 0)); then
    as_root=()
    if ((EUID != 0)); then
        if ! command -v sudo >/dev/null; then
            echo "install-dependencies.sh: not root and no sudo; as root run: apt-get install ${missing[*]}" >&2
            exit 1
        fi
        as_root=(sudo)
    fi
    echo "Installing ${#missing[@]} packages: ${missing[*]}"
    "${as_root[@]}" apt-get update -qq
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi
"$fetch_cuda"
