#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/benchmarks/neighbour.sh [--precision P] [--rounds N] [--seconds S] [--steps N] [--program FILE]: how well
# towers share the processors, with the generated data set and a global batch of 128.
#
#   split    2 towers x 1 thread x 64 against 1 tower x 2 threads x 128, in turn, N rounds: examples/s of both and
#            the ratio of each round; at the end the median ratio, its minimum and maximum. Wanted: >= 0.97.
#   quiet    median, 99th percentile and longest of the steps of a training of 2 towers x 1 thread x 64
#   busy     the same while another process does nothing but count on the first processor. Wanted: 99th
#            percentile <= 3 x median.
#
# Needs a computer with nothing else to do, at least two processors, and the release build.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
precision=float32 rounds=7 seconds=5 steps=300 program=build/release/bin/lockstep-train
while (($# > 0)); do
    case $1 in
    --precision) precision=$2 ;;
    --rounds) rounds=$2 ;;
    --seconds) seconds=$2 ;;
    --steps) steps=$2 ;;
    --program) program=$2 ;;
    *)
        sed -n '3s/^# //p' "${BASH_SOURCE[0]}" >&2
        exit 2
        ;;
    esac
    shift 2
done
work=$(mktemp -d)
neighbour=
leave() {
    [[ -z $neighbour ]] || kill "$neighbour" 2>/dev/null || true
    rm -rf "$work"
}
trap leave EXIT

# rate <towers> <threads of each>: examples/s.
rate() {
    "$program" bench --towers "$1" --set "threads_per_tower=$2" --global-batch 128 --device cpu \
        --precision "$precision" --seconds "$seconds" --json | sed -n 's/.*"examples_per_second":\([0-9.]*\).*/\1/p'
}

# steps <name>: times of the steps of a training, in ms, without the first ten.
steps() {
    "$program" train --towers 2 --set threads_per_tower=1 --global-batch 128 --device cpu --precision "$precision" \
        --steps "$((steps + 10))" --set checkpoint.every_steps=0 --set events.every_steps=0 \
        --set evaluate.at_end=false --run "$work/$1" >/dev/null 2>&1
    "$program" export "$work/$1" --csv - | awk -F, '
        NR == 1 { for (i = 1; i <= NF; ++i) if ($i == "step_seconds") column = i }
        NR > 11 { print 1000 * $column }' | sort -n | awk -v name="$1" '
        { ms[NR] = $1 }
        function at(share) { i = int(share * NR); return ms[i < 1 ? 1 : i] }
        END {
            printf "%-6s %d steps: median %.1f ms, 99th percentile %.1f ms, longest %.1f ms; 99th / median %.2f\n",
                name, NR, at(0.5), at(0.99), ms[NR], at(0.99) / at(0.5)
        }'
}

echo "$precision"
for ((round = 1; round <= rounds; ++round)); do
    # In turn, and each first every other time: what slows the machine down meets both.
    if ((round % 2 == 1)); then
        two=$(rate 2 1) one=$(rate 1 2)
    else
        one=$(rate 1 2) two=$(rate 2 1)
    fi
    awk -v two="$two" -v one="$one" 'BEGIN { printf "split  2 x 1: %.0f/s, 1 x 2: %.0f/s, ratio %.3f\n", two, one, two / one }'
    awk -v two="$two" -v one="$one" 'BEGIN { print two / one }' >>"$work/ratios"
done
sort -n "$work/ratios" | awk '
    { ratio[NR] = $1 }
    END { printf "split  median ratio %.3f (%.3f to %.3f)\n", ratio[int((NR + 1) / 2)], ratio[1], ratio[NR] }'

steps quiet
# The first processor that this shell may use.
processor=$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')
taskset -c "$processor" bash -c 'while :; do :; done' &
neighbour=$!
steps busy
