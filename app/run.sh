#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# From a fresh clone to a running Lockstep: installs what it needs, builds it, starts the dashboard.
# Without a display, or before there is a dashboard, it trains without one. Arguments go to the
# program that is started: `app/run.sh train --dataset cifar10 --data DIR --towers 2`.
# LOCKSTEP_SKIP_INSTALL=1 leaves the system's packages alone.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
programs=$root/build/release/bin

[[ ${LOCKSTEP_SKIP_INSTALL:-} == 1 ]] || "$root/packaging/install-dependencies.sh"

# Programs are named by the file that the build makes. Arguments may name files, so the caller's
# folder stays the working folder.
wanted=(bin/lockstep-train)
[[ ! -f $root/app/dashboard/CMakeLists.txt ]] || wanted+=(bin/lockstep)
"$root/packaging/build.sh" release "${wanted[@]}"

if [[ -z ${DISPLAY:-} && -z ${WAYLAND_DISPLAY:-} ]]; then
    reason="There is no display (neither DISPLAY nor WAYLAND_DISPLAY is set)"
elif [[ ! -x $programs/lockstep ]]; then
    reason="The dashboard is not built yet"
else
    exec "$programs/lockstep" "$@"
fi

if (($# == 0)); then
    echo "$reason: training the synthetic set on 2 towers without it."
    set -- train --dataset synthetic --towers 2 --steps 200 --seed 1
else
    echo "$reason: running lockstep-train $*"
fi
exec "$programs/lockstep-train" "$@"
