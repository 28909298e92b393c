# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by run.sh: parts that have their share of the time and cannot take more, a second look at those
# that fail, and what is kept of all of them. Needs: out, mode, budget, work, lockstep.

report=$out/$mode.txt
verdicts=$out/$mode.jsonl
evidence=$work/evidence
failed=()
# Calls of second_look, quoted: they wait until every part had its turn.
looks=()
number=0
# Seconds that no part may take: a stopped one has ten to end, and the evidence is packed.
reserve=15
# Seconds of a second look.
look=30
[[ $small == no ]] || look=10
# No part of a section takes more than is left until here.
section_end=$budget
# Set for one part: quietly=yes keeps its standard output out of the report, if_cut is the verdict where
# the time ended it, again are arguments for the second look, fresh a folder that this must not find.
quietly=no if_cut='' again=() fresh=''

say() { echo "$*" | tee -a "$report"; }

# verdict <name> <status> <exit code> <seconds>
verdict() {
    printf '{"part":"%s","status":"%s","exit":%d,"seconds":%d}\n' "$@" >>"$verdicts"
    say "--- $1: $2 ($4 s)"
    [[ $2 == passed || $2 == skipped ]] || failed+=("$1: $2")
    [[ $2 == passed ]]
}

# in_sections <name:share…>: runs the functions MODE_NAME of the chosen sections; each has its share of the
# time that is left by then.
in_sections() {
    local one chosen=() shares=0
    for one in "$@"; do
        [[ ",$sections," != *",${one%:*},"* ]] || { chosen+=("$one") && shares=$((shares + ${one#*:})); }
    done
    for one in "${chosen[@]}"; do
        section_end=$((SECONDS + (budget - SECONDS) * ${one#*:} / shares))
        shares=$((shares - ${one#*:}))
        "${mode}_${one%:*}"
    done
    section_end=$budget
}

seconds_left() { echo $(((section_end < budget ? section_end : budget) - SECONDS - reserve)); }

# limited <seconds> <file> <command…>: its output goes to FILE.out and FILE.err, and to the report.
limited() {
    local seconds=$1 file=$2
    shift 2
    if [[ $quietly == yes ]]; then
        timeout --signal=INT --kill-after=10 "$seconds" "$@" >"$file.out" 2>"$file.err" && return
        local code=$?
        tail -n 5 "$file.err" | tee -a "$report" >&2
        return "$code"
    fi
    timeout --signal=INT --kill-after=10 "$seconds" "$@" 2> >(tee "$file.err" | tee -a "$report" >&2) |
        tee "$file.out" | tee -a "$report"
    return "${PIPESTATUS[0]}"
}

# second_look <file> <fresh> <command…>: what failed, for half a minute, one call after another and with the
# libraries' own logs; then under memcheck.
second_look() {
    local file=$1 fresh=$2 left
    shift 2
    left=$(seconds_left)
    ((left >= 15)) || return 0
    ((left < look)) || left=$look
    say "... a second look, $left s: $(basename "$file").again.err, .cudnn and .cublas in the evidence"
    [[ -z $fresh ]] || rm -rf "${work:?}/$fresh"
    quietly=yes limited "$left" "$file.again" env CUDA_LAUNCH_BLOCKING=1 CUDNN_LOGLEVEL_DBG=2 \
        CUDNN_LOGDEST_DBG="$file.cudnn" CUBLASLT_LOG_LEVEL=2 CUBLASLT_LOG_FILE="$file.cublas" "$@" &&
        say "... this time it ended well"
    command -v compute-sanitizer >/dev/null && (($(seconds_left) >= look)) || return 0
    [[ -z $fresh ]] || rm -rf "${work:?}/$fresh"
    quietly=yes limited "$look" "$file.memcheck" compute-sanitizer --tool memcheck --error-exitcode 9 \
        --target-processes all "$@" && say "... and memcheck finds nothing"
    return 0
}

second_looks() {
    local one
    for one in "${looks[@]}"; do
        eval "second_look $one"
        keep_evidence
    done
}

# part <name> <seconds> <command…>: true if it succeeded.
part() {
    local name=$1 seconds=$2 began=$SECONDS left code=0 file
    shift 2
    left=$(seconds_left)
    ((seconds < left)) || seconds=$left
    number=$((number + 1))
    file=$evidence/$(printf '%02d_%s' "$number" "${name//[^A-Za-z0-9]/_}")
    say "=== $name"
    if ((seconds < 2)); then
        verdict "$name" "no time left" 124 0
        code=124
    else
        limited "$seconds" "$file" "$@"
        code=$?
        case $code in
        0) verdict "$name" passed 0 $((SECONDS - began)) ;;
        124) verdict "$name" "${if_cut:-cut off after its time}" 124 $((SECONDS - began)) ;;
        137) verdict "$name" "cut off after its time" 137 $((SECONDS - began)) ;;
        *) verdict "$name" failed "$code" $((SECONDS - began)) ;;
        esac || [[ $mode != first || $1 != "${lockstep[0]}" ]] ||
            looks+=("$(printf '%q ' "$file" "$fresh" "$@" "${again[@]}")")
        keep_evidence
    fi
    quietly=no if_cut='' again=() fresh=''
    ((code == 0)) || [[ $(tail -n 1 "$verdicts") == *'"status":"passed"'* ]]
}

skip() {
    say "=== $1: $2"
    verdict "$1" skipped 0 0
}

# Everything so far, in one file of less than 16 MiB, whole at any time.
keep_evidence() {
    local run
    for run in "$work"/*/run.toml; do
        [[ ! -e $run ]] || cp "$run" "$evidence/$(basename "$(dirname "$run")").run.toml"
    done
    dmesg 2>/dev/null | grep -iE 'xid|nvrm' | tail -n 200 >"$evidence/xid.txt"
    cp "$report" "$verdicts" "$evidence/"
    python3 "$here/report.py" pack "$evidence" "$out/$mode-evidence.tar.xz" || say "the evidence could not be packed"
}

describe_machine() {
    say "pack: $(tr '\n' ';' <"$here/VERSION") mode: $mode, device: $device, budget: $budget s, date: $(date -u +%FT%TZ)"
    say "machine: $(uname -srm), $(nproc) processors, $(awk -F': ' '/model name/ { print $2; exit }' /proc/cpuinfo)"
    if command -v nvidia-smi >/dev/null; then
        timeout --kill-after=5 20 nvidia-smi --query-gpu=name,driver_version,memory.total,clocks.sm,clocks.mem,power.limit,temperature.gpu \
            --format=csv 2>&1 | tee -a "$report"
        timeout --kill-after=5 20 nvidia-smi -q >"$evidence/nvidia-smi.txt" 2>&1
    else
        say "there is no nvidia-smi"
    fi
    # A first import may take a minute: it goes on beside the first parts.
    has_torch=no
    if timeout 20 python3 -c 'import importlib.util as i, sys; sys.exit(i.find_spec("torch") is None)'; then
        has_torch=yes
        timeout --kill-after=5 120 python3 -c 'import sys, torch; print("python", sys.version.split()[0], "PyTorch", torch.__version__, "CUDA", torch.version.cuda, "cuDNN", torch.backends.cudnn.version())' \
            >"$evidence/torch.txt" 2>&1 &
    fi
    say "PyTorch: $has_torch"
    say "started as: ${lockstep[*]}"
    ((${#missing[@]} == 0)) || say "NOT FOUND on this machine: ${missing[*]}"
    {
        cat /proc/driver/nvidia/version
        { ldconfig -p || /sbin/ldconfig -p; } | grep -E 'cuda|cudnn|nccl|cublas|nvrtc'
        [[ ! -e $here/bin/liblockstep-cuda.so ]] || LD_LIBRARY_PATH=$here/lib:$folders ldd "$here/bin/liblockstep-cuda.so"
    } >"$evidence/libraries.txt" 2>&1
}
