#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes what the start page shows out of a run that lockstep-train has exported: see README.md.

    lockstep-train export RUN --csv - | shorten.py steps > demonstration.csv
    lockstep-train export RUN --csv - | shorten.py curve PRESET [TOWER] >> curves.csv
"""

import csv
import sys

PHASES = ("start", "copy", "forward", "backward")
OF_STEP = ("step", "input", "compute", "averaging", "update")
POINTS = 60


def microseconds(text):
    return str(round(1e6 * float(text)))


def loss_of(row, tower):
    """The cross-entropy; with weight decay in it where the run does not tell it apart."""
    return float(row.get(f"cross_entropy_tower_{tower}") or row[f"loss_tower_{tower}"])


def write_steps(rows, out):
    towers = sum(name.startswith("loss_tower_") for name in rows[0])
    names = [f"{name}_us" for name in OF_STEP]
    for tower in range(towers):
        names += [f"loss_{tower}"] + [f"{phase}_us_{tower}" for phase in PHASES]
    print(",".join(names), file=out)
    for row in rows:
        cells = [microseconds(row[f"{name}_seconds"]) for name in OF_STEP]
        for tower in range(towers):
            cells.append(f"{loss_of(row, tower):.4f}")
            cells += [microseconds(row[f"{phase}_seconds_tower_{tower}"]) for phase in PHASES]
        print(",".join(cells), file=out)


def write_curve(rows, preset, odd, out):
    """Means over stretches of steps; with an odd tower first those of the others, then its own."""
    towers = range(sum(name.startswith("loss_tower_") for name in rows[0]))
    own = [] if odd is None else [int(odd)]
    for shown in filter(None, ([tower for tower in towers if tower not in own], own)):
        means = []
        for point in range(POINTS):
            stretch = rows[point * len(rows) // POINTS : (point + 1) * len(rows) // POINTS]
            losses = [loss_of(row, tower) for row in stretch for tower in shown]
            means.append(f"{sum(losses) / len(losses):.3f}")
        print(",".join([preset] + means), file=out)


def main():
    rows = list(csv.DictReader(sys.stdin))
    if sys.argv[1:] == ["steps"]:
        write_steps(rows, sys.stdout)
    elif len(sys.argv) in (3, 4) and sys.argv[1] == "curve":
        write_curve(rows, sys.argv[2], sys.argv[3] if len(sys.argv) == 4 else None, sys.stdout)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
