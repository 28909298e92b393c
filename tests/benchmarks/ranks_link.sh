#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/benchmarks/ranks_link.sh [--ranks N] [--batch B] [--rounds N] [--steps N] [--rate R] [--latency L]
# [--programs DIR]: what ranks of one tower lose over links of 1 Gbit/s (R) and 0.2 ms (L), beside what
# `lockstep-train scaling --simulate` says of them.
#
# Each rank has a network namespace, and a core where there are enough; the links meet in a bridge, in a namespace,
# too. The addresses live only there, and all is taken down at the end. netem gives rate and latency; where the kernel
# lacks it, tbf gives the rate, and the latency is what such a link has. What MPI gets of a link is measured
# (mpi_link.cpp) and goes into the simulation.
#
#   one        1 tower in 1 process on one core
#   link       the ranks over the link
#   memory     the ranks over shared memory
#   simulated  from the step of 1 tower on one core, over such a link
#
# In turn, each first every other round; of each turn the mean of the steps whose time lies in the middle half, of all
# rounds the median. Efficiency: the step of `one` : this step. Exit 1: those of `link` and `simulated` are more than
# 10 % apart. Where ranks share cores, `one` and `simulated` share theirs with as many other trainings.
# Needs root, two processors with nothing else to do, Open MPI with its compiler, iproute2 and the release build.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
ranks=2 batch=64 rounds=5 steps=120 rate=1gbit latency=0.2ms programs=build/release/bin
while (($# > 0)); do
    case $1 in
    --ranks) ranks=$2 ;;
    --batch) batch=$2 ;;
    --rounds) rounds=$2 ;;
    --steps) steps=$2 ;;
    --rate) rate=$2 ;;
    --latency) latency=$2 ;;
    --programs) programs=$2 ;;
    *)
        sed -n '3,5s/^# //p' "${BASH_SOURCE[0]}" >&2
        exit 2
        ;;
    esac
    shift 2
done
programs=$(cd "$programs" && pwd)
cores=$(nproc)
work=$(mktemp -d)
mkdir "$work/figures"
export CORES=$cores SPACE=ranks-link-$$ # and "-s" of the bridge, "-1", "-2", … of the ranks
neighbours=()

leave() {
    local space
    ((${#neighbours[@]} == 0)) || kill "${neighbours[@]}" 2>/dev/null || true
    for space in "$SPACE-s" $(seq -f "$SPACE-%g" "$ranks"); do
        ip netns pids "$space" 2>/dev/null | xargs -r kill -KILL 2>/dev/null || true
        ip netns del "$space" 2>/dev/null || true # with its interfaces
    done
    rm -rf "$work"
}
trap leave EXIT
trap 'exit 130' INT TERM

way="netem, $rate, $latency"
ip netns add "$SPACE-s"
ip -n "$SPACE-s" link add bridge type bridge
ip -n "$SPACE-s" link set bridge up
hosts=
for ((rank = 1; rank <= ranks; ++rank)); do
    space=$SPACE-$rank
    ip netns add "$space"
    ip -n "$space" link set lo up
    ip -n "$space" link add name port type veth peer name "rank$rank" netns "$SPACE-s"
    ip -n "$space" address add "10.77.0.$rank/24" dev port
    ip -n "$SPACE-s" link set dev "rank$rank" master bridge up
    ip -n "$space" link set dev port up
    if ! tc -n "$space" qdisc add dev port root netem delay "$latency" rate "$rate" limit 10000 2>/dev/null; then
        way="tbf, $rate, no latency added (this kernel has no netem)"
        tc -n "$space" qdisc add dev port root tbf rate "$rate" burst 128kb limit 4mb
    fi
    hosts+=${hosts:+,}10.77.0.$rank
done

# What mpirun calls in the place of ssh: agent <address> <command …>. Each has a host name of its own.
cat >"$work/agent" <<'AGENT'
#!/usr/bin/env bash
rank=${1##*.}
shift
exec ip netns exec "$SPACE-$rank" unshare --uts bash -c "hostname link$rank && $*"
AGENT
cat >"$work/pin" <<'PIN'
#!/usr/bin/env bash
exec taskset -c $((OMPI_COMM_WORLD_RANK % CORES)) "$@"
PIN
chmod +x "$work/agent" "$work/pin"
mpicxx -O2 -std=c++20 -o "$work/mpi_link" tests/benchmarks/mpi_link.cpp

# over_link <number> <program …>, over_memory <number> <program …>
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
over_link() {
    timeout 300 "$work/agent" 10.77.0.1 mpirun --mca plm_rsh_agent "$work/agent" --mca btl tcp,self \
        --mca btl_tcp_if_include port --mca oob_tcp_if_include port --bind-to none --host "$hosts" \
        -x CORES -n "$1" "$work/pin" "${@:2}"
}
over_memory() {
    timeout 300 mpirun --mca btl vader,self --bind-to none --oversubscribe -n "$1" "$work/pin" "${@:2}"
}

# on_one_core <program …>: which it shares as the ranks share theirs.
on_one_core() {
    local other
    for ((other = cores; other < ranks; other += cores)); do
        # shellcheck disable=SC2086
        taskset -c 0 $train --steps 1000000 --towers 1 --run "$work/other$other" >/dev/null 2>&1 &
        neighbours+=($!)
    done
    taskset -c 0 "$@"
    ((${#neighbours[@]} == 0)) || kill "${neighbours[@]}"
    wait
    rm -rf "$work"/other*
    neighbours=()
}

options="--batch-per-tower $batch --device cpu --set threads_per_tower=1"
train="$programs/lockstep-train train $options --set checkpoint.every_steps=0 --set events.every_steps=0
    --set evaluate.at_end=false"

# means <run>: milliseconds of step, passes and averaging, without the first ten steps.
means() {
    "$programs/lockstep-train" export "$1" --csv - | awk -F, '
        NR == 1 { for (i = 1; i <= NF; ++i) column[$i] = i }
        NR > 11 { print 1000 * $column["step_seconds"], 1000 * $column["compute_seconds"],
                        1000 * $column["averaging_seconds"] }' | sort -n | awk '
        { for (i = 1; i <= 3; ++i) value[NR, i] = $i }
        END {
            first = int(NR / 4) + 1; last = NR - int(NR / 4)
            for (i = 1; i <= 3; ++i) {
                sum = 0
                for (row = first; row <= last; ++row) sum += value[row, i]
                printf "%.3f ", sum / (last - first + 1)
            }
        }'
}

# turn <name> <towers> <command …>: a training; its means and, of ranks, milliseconds of the exchange and of its part
# behind the backward pass.
turn() {
    # shellcheck disable=SC2086
    "${@:3}" $train --steps "$steps" --towers "$2" --run "$work/run" >"$work/said" 2>&1 || {
        cat "$work/said"
        exit 2
    }
    means "$work/run" >>"$work/figures/$1"
    sed -n 's/.*exchanged gradients for \([0-9.]*\) ms a step, \([0-9.]*\) ms.*/\1 \2/p' "$work/said" | head -n 1 \
        >>"$work/figures/$1"
    [[ $(tail -c 1 "$work/figures/$1") == "" ]] || echo >>"$work/figures/$1"
    rm -rf "$work/run"
}

# Milliseconds of the step of one tower and of all, and the hidden share.
simulate() {
    local latency bandwidth byte
    read -r latency bandwidth byte < <(over_link 2 "$work/mpi_link")
    # shellcheck disable=SC2086
    on_one_core "$programs/lockstep-train" scaling --simulate $options --towers "$ranks" --seconds 4 --json \
        --link-latency "$latency" --link-bandwidth "$bandwidth" --link-work "$byte" | python3 -c '
import json, sys
one, all = json.load(sys.stdin)["lines"]
print(one["milliseconds_per_step"], all["milliseconds_per_step"], 100 * all["hidden_share"])' \
        >>"$work/figures/simulated"
    echo "${latency%us} ${bandwidth%MB/s} $byte" >>"$work/figures/measured"
}

for ((round = 1; round <= rounds; ++round)); do
    turns=("turn one 1 on_one_core" "turn link $ranks over_link $ranks" "turn memory $ranks over_memory $ranks" simulate)
    for ((i = 0; i < ${#turns[@]}; ++i)); do
        ${turns[round % 2 ? i : ${#turns[@]} - 1 - i]}
    done
done

# median <name> <column>
median() {
    awk -v column="$2" '{ print $column }' "$work/figures/$1" | sort -n |
        awk '{ value[NR] = $1 } END { print (value[int((NR + 1) / 2)] + value[int(NR / 2) + 1]) / 2 }'
}

echo "$ranks ranks on $cores processors, batch $batch a tower, $rounds rounds; link: $way"
awk -v latency="$(median measured 1)" -v bandwidth="$(median measured 2)" -v byte="$(median measured 3)" 'BEGIN {
    printf "by MPI: %.1f us, %.1f MB/s in both directions at once, %.2f ns of work a byte\n", latency, bandwidth, byte }'
{
    echo "one $(for i in 1 2 3; do median one $i; done | xargs) 0 0"
    for name in link memory; do
        echo "$name $(for i in 1 2 3 4 5; do median $name $i; done | xargs)"
    done
    echo "simulated $(for i in 1 2 3; do median simulated $i; done | xargs)"
} | awk '
    BEGIN { printf "%-10s %8s %8s %10s %9s %8s %7s %11s\n",
                   "", "ms/step", "passes", "averaging", "exchange", "exposed", "hidden", "efficiency" }
    $1 == "one" { one = $2; printf "%-10s %8.2f %8.2f %10.2f\n", $1, $2, $3, $4 }
    $1 == "link" || $1 == "memory" {
        efficiency[$1] = one / $2
        printf "%-10s %8.2f %8.2f %10.2f %9.2f %8.2f %5.0f %% %9.1f %%\n",
            $1, $2, $3, $4, $5, $6, 100 * (1 - $6 / $5), 100 * one / $2
    }
    $1 == "simulated" {
        efficiency[$1] = $2 / $3
        printf "%-10s %8.2f %44s %5.0f %% %9.1f %%  from %.2f ms\n", $1, $3, "", $4, 100 * $2 / $3, $2
    }
    END {
        apart = efficiency["simulated"] / efficiency["link"] - 1
        printf "simulated efficiency %+.1f %% of the measured one: %s\n", 100 * apart,
            apart * apart <= 0.01 ? "near" : "too far"
        exit apart * apart > 0.01
    }'
