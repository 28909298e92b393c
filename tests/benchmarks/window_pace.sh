#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/benchmarks/window_pace.sh <CIFAR-10 folder> [pairs] [steps]: what the window costs the training. Trains 2
# towers x 128 with lockstep-train and in the window, in turns and each time the other one first, since a machine
# gets warmer and busier; prints the examples/s of each pair (without the first 20 steps), their ratio, and what the
# threads that are only the window's took of a core. Then the median ratio, how far apart the middle half of the
# ratios lies, and the verdict: reached (0.98 or more), missed (exit 1), or not decided (exit 2) because the pairs
# differ by more than the median is away from 0.98: then something else was busy. Needs the release build; takes
# about a minute and a half a pair.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
data=$(cd "${1:?usage: window_pace.sh <CIFAR-10 folder> [pairs] [steps]}" && pwd)
pairs=${2:-5}
steps=${3:-320}
programs=build/release/bin
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_DATA_HOME=$work/data
[[ -n ${DISPLAY:-} ]] || export QT_QPA_PLATFORM=offscreen

cat >"$work/pace.toml" <<END
towers = 2
batch_per_tower = 128
steps = $steps
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

plain() {
    "$programs/lockstep-train" train --config "$work/pace.toml" --run "$work/plain-$pair" >/dev/null 2>&1
    plain=$(rate "$work/plain-$pair")
}

window() {
    "$programs/window_probe" "$work/pace.toml" 3600 >"$work/said" 2>/dev/null
    window=$(rate "$(sed -n 's/.*; run //p' "$work/said")")
    load=$(sed -n 's/^window: \(.*\) % of a core.*/\1/p' "$work/said")
}

for ((pair = 1; pair <= pairs; ++pair)); do
    if ((pair % 2)); then plain; window; else window; plain; fi
    awk -v p="$plain" -v w="$window" -v l="$load" \
        'BEGIN { printf "%.1f %.1f %.4f  window %.2f %% of a core\n", p, w, w / p, l }' | tee -a "$work/pairs"
done
sort -k3,3n "$work/pairs" | awk '
    { ratio[NR] = $3 }
    function at(share,  place, below) { # between the two neighbours
        place = 1 + share * (NR - 1); below = int(place)
        return below == NR ? ratio[NR] : ratio[below] + (place - below) * (ratio[below + 1] - ratio[below])
    }
    END {
        median = at(0.5); spread = at(0.75) - at(0.25)
        away = median > 0.98 ? median - 0.98 : 0.98 - median
        # Of the median of so many pairs; 0.93 is that of a normal distribution by its middle half.
        decided = away >= 0.93 * spread / sqrt(NR)
        reached = median >= 0.98
        verdict = !decided ? "not decided" : reached ? "reached" : "missed"
        printf "median ratio %.4f, middle half %.4f wide: %s\n", median, spread, verdict
        exit !decided ? 2 : !reached
    }'
