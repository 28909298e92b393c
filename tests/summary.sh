#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/summary.sh <LastTest.log>: lists what was skipped, with its reason, then one line that counts
# the test functions (from the "Totals:" line of each Qt Test program) and the programs; ctest says
# "Passed" of a script that skips. Fails if anything failed, or if nothing ran.
set -euo pipefail

log=${1:?usage: tests/summary.sh <LastTest.log>}
if [[ ! -f $log ]]; then
    echo "summary.sh: $log: no such file, so no test ran" >&2
    exit 1
fi
awk '
    function endOfProgram() {
        if (program == "") { return }
        if (!judged) { problems = problems "\nDid not finish: " program; ++programsFailed }
        program = ""
    }
    /^[0-9]+\/[0-9]+ Testing: / { endOfProgram(); program = $3; judged = 0; reason = "" }
    /^SKIP: /      { reason = substr($0, 7) }
    /^SKIP   : /   { print "Skipped: " substr($0, 10) }
    /^FAIL!  : /   { problems = problems "\nFailed: " substr($0, 10) }
    /^Totals: [0-9]+ passed, [0-9]+ failed, [0-9]+ skipped/ {
        passed += $2; failed += $4; skipped += $6
    }
    /^Test Passed\.$/ && reason == "" { judged = 1; ++programsPassed }
    /^Test Passed\.$/ && reason != "" { judged = 1; ++programsSkipped; print "Skipped: " program ": " reason }
    /^Test Failed\.$/  { judged = 1; ++programsFailed; problems = problems "\nFailed program: " program }
    END {
        endOfProgram()
        if (problems != "") { print substr(problems, 2) }
        printf "Tests: %d passed, %d failed, %d skipped; programs: %d passed, %d failed, %d skipped\n",
            passed, failed, skipped, programsPassed, programsFailed, programsSkipped
        exit programsFailed > 0 || failed > 0 || programsPassed == 0
    }' "$log"
