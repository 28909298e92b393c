#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# From a fresh clone to a running Lockstep: installs what it needs, builds it, starts the dashboard
# (`app/run.sh [RUN|CHECKPOINT|CONFIGURATION]`). Without a display it trains without one. The commands
# of lockstep-train go to it either way: `app/run.sh train --dataset cifar10 --data DIR --towers 2`.
# LOCKSTEP_SKIP_INSTALL=1 leaves the system's packages alone, LOCKSTEP_CUDA=off leaves GPUs out.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
programs=$root/build/release/bin

[[ ${LOCKSTEP_SKIP_INSTALL:-} == 1 ]] || "$root/packaging/install-dependencies.sh"

# Arguments may name files, so the caller's folder stays the working folder.
"$root/packaging/build.sh" release lockstep-programs

commands=$("$programs/lockstep-train" --help)
if (($# > 0)) && [[ $commands == *$'\n'"  $1  "* ]]; then
    exec "$programs/lockstep-train" "$@"
fi
if [[ -n ${DISPLAY:-} || -n ${WAYLAND_DISPLAY:-} ]]; then
    exec "$programs/lockstep" "$@"
fi

reason="There is no display (neither DISPLAY nor WAYLAND_DISPLAY is set)"
if (($# == 0)); then
    echo "$reason: training the synthetic set on 2 towers without it."
    set -- train --dataset synthetic --towers 2 --steps 200 --seed 1
else
    echo "$reason: running lockstep-train $*"
fi
exec "$programs/lockstep-train" "$@"
