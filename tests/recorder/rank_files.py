# SPDX-License-Identifier: Apache-2.0
"""Reads rank files as app/recorder/FORMAT.md describes them, written without a look at the recorder; run by hand it
prints what is in some: rank_files.py FILE…"""

import json
import math
import struct
import sys
import zlib
from pathlib import Path

STEP_NAMES = ("step", "begin", "forward", "backward", "arrival", "done", "end", "waited", "examples", "correct",
              "loss", "learning_rate")  # fmt: skip


class RankFile:
    """starts, steps (dictionaries), gradients (step, own rows, mean rows or None), events, ends, in their order; damaged
    places (offsets) and how many bytes the frame has that the file ends in."""

    def __init__(self, path):
        self.starts, self.steps, self.gradients, self.events, self.ends = [], [], [], [], []
        self.damaged, self.torn = [], 0
        data = Path(path).read_bytes()
        place, is_sound = 0, True
        while place < len(data):
            size, checksum = struct.unpack_from("<II", data, place + 4) if place + 12 <= len(data) else (1, 0)
            is_whole = place + 12 + size <= len(data)
            payload = data[place + 12 : place + 12 + size]
            if data[place : place + 4] == b"LSKR" and 1 <= size <= 1 << 24 and is_whole and zlib.crc32(payload) == checksum:
                self.take(payload)
                place, is_sound = place + 12 + size, True
                continue
            if is_sound:
                self.damaged.append(place)
            is_sound = False
            following = data.find(b"LSKR", place + 1)
            if following < 0:
                if not is_whole or place + 12 > len(data):  # not damaged: not there yet
                    self.torn = len(data) - self.damaged.pop()
                break
            place = following

    def take(self, payload):
        kind = payload[0]
        if kind in (1, 4, 5):
            {1: self.starts, 4: self.events, 5: self.ends}[kind].append(json.loads(payload[1:]))
        elif kind == 2:
            values = struct.unpack_from("<10q2d2I", payload, 8)
            step = dict(zip(STEP_NAMES, values))
            assert payload[1] in (0, 1) and payload[2:8] == bytes(6) and values[13] == 0 and len(payload) == 112 + 16 * values[12]
            if not payload[1]:
                step["loss"] = None
            step["sums"] = list(struct.iter_unpack("<2q", payload[112:]))
            self.steps.append(step)
        elif kind == 3:
            with_mean, count, step = struct.unpack_from("<B2xIq", payload, 1)
            numbers = struct.unpack_from(f"<{count * (5 if with_mean else 2)}d", payload, 16)
            own = [numbers[i : i + 2] for i in range(0, 2 * count, 2)]
            mean = [numbers[i : i + 3] for i in range(2 * count, 5 * count, 3)] if with_mean else None
            self.gradients.append((step, own, mean))

    def order_is_right(self):
        """Whether the known times of each step are in order, and each step begins where the one before ended."""
        for before, step in zip([None] + self.steps[:-1], self.steps):
            times = [step[name] for name in STEP_NAMES[1:7] if step[name] != -1]
            if times != sorted(times) or (before and step["step"] == before["step"] + 1 and step["begin"] != before["end"]):
                return False
        return True


def read_run(folder):
    """The rank files of a run, by rank."""
    return [RankFile(path) for path in sorted((Path(folder) / "ranks").glob("rank-*.lsr"))]


def milliseconds(step, first, last):
    return math.nan if -1 in (step[first], step[last]) else (step[last] - step[first]) / 1e6


def phases(step):
    """Milliseconds of a rank's own phases: those in which it waits for nobody."""
    return {
        "data": milliseconds(step, "begin", "forward"),
        "forward": milliseconds(step, "forward", "backward"),
        "backward": milliseconds(step, "backward", "arrival"),
        "averaging": milliseconds(step, "arrival", "done"),
        "update": milliseconds(step, "done", "end"),
        "waited": step["waited"] / 1e6,
    }


if __name__ == "__main__":
    for path in sys.argv[1:]:
        file = RankFile(path)
        print(path, *[{**start, "parameters": len(start.get("parameters", []))} for start in file.starts])
        print(f"  {len(file.steps)} steps, {len(file.gradients)} gradients, events {file.events}, ends {file.ends}, "
              f"damaged at {file.damaged}, torn {file.torn}, in order: {file.order_is_right()}")  # fmt: skip
        for step in file.steps[:3] + file.steps[-3:]:
            print("  ", step["step"], {name: round(value, 2) for name, value in phases(step).items()}, len(step["sums"]),
                  step["examples"], step["correct"], step["loss"], step["learning_rate"])  # fmt: skip
