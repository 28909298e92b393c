#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs in the unpacked pack (see README.md). Every part has its share of the time and cannot take more;
# what it says is written as it comes; a part that fails is named and the next one goes on.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/command.sh"

usage() {
    cat <<'TEXT'
usage: ./run.sh first|prove|measure [--device cuda:0] [--budget SECONDS] [--precision bfloat16,float32]
                [--sections cifar10,segdecnet,inception,long] [--algorithms EVIDENCE.tar.xz] [--small]
       ./run.sh join DIR

  first    everything for a moment, in about 8 minutes: is there a GPU, is it right, how fast is it, and a
           second look at what fails
  prove    what must be right: self-test, memcheck and racecheck (where compute-sanitizer is), repeats bit
           for bit, the CPU against the GPU; of cifar10, segdecnet and inception
  measure  how fast it is, beside PyTorch: ceilings, lockstep-train bench --sweep, kernels; of cifar10,
           inception and segdecnet; then the article's training for as many steps as fit (long)
  join     joins the parts of the whole CIFAR-10 in DIR into data-whole, which `measure` then takes

Results go to the folder OUT (default ./out): MODE.txt to read, MODE.jsonl with the verdict on every part, and
MODE-evidence.tar.xz with all output, figures, configurations and chosen algorithms. Each is whole at any time.
--budget: seconds in all, default 540. --sections, --precision: these only, to have more time for each.
--algorithms: takes the choices of an earlier call. --small: for a processor or an emulated GPU.
Exit status 0: all was good.
TEXT
}

mode=${1:-}
device=cuda:0
budget=540
precisions=
sections=cifar10,segdecnet,inception,long
algorithms=
small=no
case "$mode" in
first | prove | measure) shift ;;
join)
    [[ -d ${2:-} ]] || { usage >&2 && exit 2; }
    ;;
-h | --help) usage && exit 0 ;;
*) usage >&2 && exit 2 ;;
esac

join_parts() {
    local parts=$1
    (cd "$parts" && cat cifar10.tar.xz.[123] | sha256sum | cut -d' ' -f1) |
        grep -qFf - "$parts/cifar10.tar.xz.sha256" || {
        echo "run.sh: the parts in $parts are not those that were packed; are all three there?" >&2
        return 1
    }
    mkdir -p "$here/data-whole/cifar-10-batches-bin"
    cat "$parts"/cifar10.tar.xz.[123] | python3 -c '
import sys, tarfile
with tarfile.open(fileobj=sys.stdin.buffer, mode="r|xz") as archive:
    for member in archive:
        if member.isfile():
            archive.extract(member, sys.argv[1])' "$here/data-whole/cifar-10-batches-bin" &&
        echo "all of CIFAR-10 is in $here/data-whole"
}

if [[ $mode == join ]]; then
    join_parts "$2"
    exit
fi
while (($# > 0)); do
    case "$1" in
    --device) device=${2:?--device needs a value} && shift ;;
    --budget) budget=${2:?--budget needs a value} && shift ;;
    --precision) precisions=${2:?--precision needs a value} && precisions=${precisions//,/ } && shift ;;
    --sections) sections=${2:?--sections needs a value} && shift ;;
    --algorithms) algorithms=$(realpath "${2:?--algorithms needs a value}") && shift ;;
    --small) small=yes ;;
    *) usage >&2 && exit 2 ;;
    esac
    shift
done
[[ $device != cpu ]] || small=yes
if [[ -z $precisions ]]; then
    precisions='bfloat16 tf32 float32'
    [[ $mode != first ]] || precisions='bfloat16 float32'
    [[ $device != cpu ]] || precisions=float32
fi

out=${OUT:-$PWD/out}
mkdir -p "$out"
out=$(cd "$out" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/evidence"
data=$here/data
[[ ! -e $here/data-whole/cifar-10-batches-bin/test_batch.bin ]] || data=$here/data-whole
# What is chosen is kept with the evidence, and taken by the parts that follow.
export XDG_CACHE_HOME=$work/evidence/cache LOCKSTEP_PLAN_LOG=$work/evidence/planning.log
if [[ -n $algorithms ]]; then
    python3 "$here/report.py" unpack "$algorithms" cache "$work/evidence" || exit 2
fi
find_command "$here"
source "$here/parts.sh"
source "$here/trials.sh"
source "$here/modes.sh"
: >"$report"
: >"$verdicts"
describe_machine
"$mode"
say "=== result: $((${#failed[@]})) of $(wc -l <"$verdicts") parts were not good, after $SECONDS s"
((${#failed[@]} == 0)) || say "$(printf '%s\n' "${failed[@]}")"
keep_evidence
((${#failed[@]} == 0))
