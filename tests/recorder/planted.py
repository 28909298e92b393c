# SPDX-License-Identifier: Apache-2.0
"""What a delay looks like in rank files, where one was planted in every second step: planted.py RUN [RANK]"""

import statistics
import sys

from rank_files import milliseconds, phases, read_run

PHASES = ("data", "forward", "backward", "seen from outside")


def table(step):
    """Milliseconds of each phase without what was waited in it; and the backward pass as seen from outside, where the
    time that a rank waits for the others is in it."""
    took = phases(step)
    took["forward"] -= took["waited"]
    took["seen from outside"] = milliseconds(step, "backward", "done")
    return took


def differences(run, skipped=10):
    """For each rank and phase, of each pair of steps: (planted − next) of (the rank − median of the others)."""
    files = read_run(run)
    ranks = [[table(step) for step in file.steps] for file in files]
    steps = min(len(rank) for rank in ranks)
    result = []
    for number, rank in enumerate(ranks):
        others = [other for place, other in enumerate(ranks) if place != number]

        def stands_out(step, phase):
            return rank[step][phase] - statistics.median(other[step][phase] for other in others)

        pairs = range(skipped, steps - 1, 2)
        result.append({
            phase: [stands_out(step, phase) - stands_out(step + 1, phase) for step in pairs] for phase in PHASES
        })  # fmt: skip
    return result


def uncertainty(values):
    """The standard error of the median, if most of the values spread as a normal distribution does."""
    middle = statistics.median(values)
    return 1.2533 * 1.4826 * statistics.median(abs(value - middle) for value in values) / len(values) ** 0.5


if __name__ == "__main__":
    for number, found in enumerate(differences(sys.argv[1])):
        told = {phase: f"{statistics.median(values):.2f} ± {uncertainty(values):.2f}" for phase, values in found.items()}
        print(f"rank {number}: " + ", ".join(f"{phase} {text}" for phase, text in told.items()))
