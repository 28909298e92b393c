#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# packaging/package.sh [--deb|--archive] [preset]: builds (preset: all-gpus) and makes, in build/packages, Debian packages,
# an archive that runs on any Linux of glibc 2.36 on, what is in them as SPDX, and checksums. Their bytes are a
# function of the commit and of the folder: dates are its date. LOCKSTEP_SKIP_INSTALL=1 leaves the system's packages alone.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

wanted=all
case "${1:-}" in
--deb | --archive)
    wanted=$1
    shift
    ;;
-h | --help)
    sed -n '3,5s/^# //p' "${BASH_SOURCE[0]}"
    exit 0
    ;;
-*)
    echo "package.sh: unknown option '$1' (see --help)" >&2
    exit 2
    ;;
esac
preset=${1:-all-gpus}
build=$root/build/$preset
out=$root/build/packages

umask 022
export LC_ALL=C.UTF-8 TZ=UTC
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH

[[ ${LOCKSTEP_SKIP_INSTALL:-} == 1 ]] || packaging/install-dependencies.sh --packages
packaging/build.sh "$preset" lockstep-packaged
version=$(sed -n 's/^set(CPACK_PACKAGE_VERSION "\(.*\)")$/\1/p' "$build/CPackConfig.cmake")
rm -rf "$out"
mkdir -p "$out"
if [[ $wanted != --archive ]]; then
    (cd "$build" && cpack -G DEB -B "$out" >cpack.log 2>&1) || {
        cat "$build/cpack.log" >&2
        exit 1
    }
    rm -rf "$out/_CPack_Packages"
fi
[[ $wanted == --deb ]] || packaging/archive.sh "$build" "$out/lockstep-$version-linux-$(uname -m).tar.xz"
packaging/sbom.py "$version" "$out/lockstep-$version.spdx.json"
(cd "$out" && sha256sum -- * >SHA256SUMS && ls -l)
