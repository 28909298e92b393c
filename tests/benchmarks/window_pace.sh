#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/benchmarks/window_pace.sh <CIFAR-10 folder> [pairs]: what the window costs the training. Trains 2 towers
# x 128 alternately with lockstep-train and in the window, and prints the examples/s of each pair (without the
# first 20 steps), their ratio, and the median ratio. Needs the release build; takes half a minute a pair.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
data=$(cd "${1:?usage: window_pace.sh <CIFAR-10 folder> [pairs]}" && pwd)
pairs=${2:-5}
programs=build/release/bin
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_DATA_HOME=$work/data
[[ -n ${DISPLAY:-} ]] || export QT_QPA_PLATFORM=offscreen

cat >"$work/pace.toml" <<END
towers = 2
batch_per_tower = 128
steps = 140
seed = 1
[dataset]
name = "cifar10"
path = "$data"
[checkpoint]
every_steps = 0
[evaluate]
at_end = false
END

# rate <run>: examples/s after the first 20 steps.
rate() {
    "$programs/lockstep-train" export "$1" --csv - | awk -F, '
        NR == 22 { wall = $2; examples = $3 } END { printf "%.1f", ($3 - examples) / ($2 - wall) }'
}

for ((pair = 1; pair <= pairs; ++pair)); do
    "$programs/lockstep-train" train --config "$work/pace.toml" --run "$work/plain-$pair" >/dev/null 2>&1
    shown=$("$programs/window_probe" "$work/pace.toml" 3600 | sed -n 's/.*; run //p')
    plain=$(rate "$work/plain-$pair")
    window=$(rate "$shown")
    awk -v p="$plain" -v w="$window" 'BEGIN { printf "%.1f %.1f %.4f\n", p, w, w / p }' |
        tee -a "$work/pairs"
done
sort -k3,3n "$work/pairs" | awk '{ ratio[NR] = $3 } END { print "median ratio", ratio[int((NR + 1) / 2)] }'
