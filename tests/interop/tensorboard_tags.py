#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lists what TensorBoard itself finds in a folder of event files, in the form of events.py.

usage: tensorboard_tags.py FOLDER
"""
import sys

from tensorboard.backend.event_processing import event_accumulator


def main(folder):
    kinds = {"scalars": "Scalars", "images": "Images", "histograms": "Histograms"}
    everything = {kind: 0 for kind in kinds}
    board = event_accumulator.EventAccumulator(folder, size_guidance=everything).Reload()
    lines = [f"{kind} {tag} {len(getattr(board, method)(tag))}"
             for kind, method in kinds.items() for tag in board.Tags()[kind]]
    print("\n".join(sorted(lines)))


main(*sys.argv[1:])
