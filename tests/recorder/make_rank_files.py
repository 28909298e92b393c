#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the rank files of a training that never was, fast, for tests of readers: make_rank_files.py RUN [OPTION…]

The steps are alike but for noise; --late RANK:MS[:EVERY] makes one rank late in its backward pass. All else is damage:
a clock that is ahead, drifts, a flipped byte, a file that ends early or was cut off."""

import argparse
import json
import random
import struct
import zlib
from pathlib import Path

STEP = struct.Struct("<4sIIBB6x10q2d2I")
SUM = struct.Struct("<2q")
MILLISECOND = 1_000_000
START_OF_CLOCK = 10**15


def pairs(text):
    rank, *values = text.split(":")
    return int(rank), [float(value) for value in values]


def frame(payload):
    return struct.pack("<4sII", b"LSKR", len(payload), zlib.crc32(payload)) + payload


def json_frame(kind, values):
    return frame(bytes([kind]) + json.dumps(values).encode())


def durations(options):
    """For each of a block of steps, and each rank: nanoseconds of data, forward and backward; and of the sums."""
    chance = random.Random(options.seed)
    return [
        ([[int(mean * chance.uniform(0.9, 1.3) * MILLISECOND) for mean in (1, 5, 10)] for _ in range(options.ranks)],
         [int(chance.uniform(0.5, 1.5) * MILLISECOND) for _ in range(options.sums)])
        for _ in range(97)
    ]  # fmt: skip


def times(options, block):
    """Yields for each step a list of the ranks' (begin, forward, backward, arrival, done, end, sums), on one true clock."""
    begins = [START_OF_CLOCK] * options.ranks
    late = {rank: (int(values[0] * MILLISECOND), int(values[1]) if len(values) > 1 else 1) for rank, values in options.late}
    for step in range(options.steps):
        own, sums = block[step % len(block)]
        rows = []
        for rank, (data, forward, backward) in enumerate(own):
            extra, every = late.get(rank, (0, 1))
            begin = begins[rank]
            arrival = begin + data + forward + backward + (extra if step % every == 0 else 0)
            rows.append((begin, begin + data, begin + data + forward, arrival))
        done_before, last = 0, max(row[3] for row in rows)
        all_done = []
        for number, took in enumerate(sums):  # the sums are ready one after the other, a millisecond apart
            ahead = (len(sums) - 1 - number) * MILLISECOND
            done_before = max(last - ahead, done_before) + took
            all_done.append((ahead, done_before))
        done = done_before if sums else last
        result = []
        for begin, forward, backward, arrival in rows:
            pairs_of_sums = [(arrival - ahead, when) for ahead, when in all_done]
            result.append((begin, forward, backward, arrival, done, done + 2 * MILLISECOND, pairs_of_sums))
        begins = [row[5] for row in result]
        yield result


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("run")
    parser.add_argument("--ranks", type=int, default=4)
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--sums", type=int, default=2, help="sums over all ranks in each step")
    parser.add_argument("--gradients", type=int, default=0, metavar="PARAMETERS", help="measured in every tenth step")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--late", type=pairs, action="append", default=[], metavar="RANK:MS[:EVERY]")
    parser.add_argument("--clock", type=pairs, action="append", default=[], metavar="RANK:SECONDS[:PPM]",
                        help="its clock is ahead, and gains so many microseconds a second")  # fmt: skip
    parser.add_argument("--damage", type=pairs, action="append", default=[], metavar="RANK[:PART]",
                        help="one byte is flipped there, at this part of the file (0.5)")  # fmt: skip
    parser.add_argument("--cut", type=pairs, action="append", default=[], metavar="RANK[:BYTES]",
                        help="the file lacks so many bytes at its end (20)")  # fmt: skip
    parser.add_argument("--short", type=pairs, action="append", default=[], metavar="RANK:STEPS",
                        help="the rank was killed after so many steps")  # fmt: skip
    parser.add_argument("--no-end", action="store_true", help="the training goes on: no end frames")
    options = parser.parse_args()

    folder = Path(options.run) / "ranks"
    folder.mkdir(parents=True, exist_ok=True)
    clocks, short = dict(options.clock), {rank: int(values[0]) for rank, values in options.short}
    names = [f"layer{number}.weight" for number in range(options.gradients)]
    files, shifts, chunks = [], [], []
    for rank in range(options.ranks):
        seconds, drift = (clocks.get(rank, [0.0]) + [0.0])[:2] if rank in clocks else (0.0, 0.0)
        shifts.append((round(seconds * 1e9), drift / 1e6))
        start = {
            "format": 1, "rank": rank, "ranks": options.ranks, "host": f"node{rank // 8}", "device": f"cuda:{rank % 8}",
            "clock": f"own{rank}" if rank in clocks else "common", "time": 1790000000.0,
            "nanoseconds": START_OF_CLOCK + shifts[-1][0], "recorder": "make_rank_files.py", "model": "none",
            "dataset": "none", "training_examples": 50000, "batch": 32, "parameters": names,
        }  # fmt: skip
        files.append(open(folder / f"rank-{rank:04d}.lsr", "wb"))
        chunks.append([json_frame(1, start)])

    losses = [2.3 * 0.99**number for number in range(97)]
    size = STEP.size - 12 + SUM.size * options.sums
    for step, rows in enumerate(times(options, durations(options))):
        for rank, row in enumerate(rows):
            if step >= short.get(rank, step + 1):
                continue
            shift, drift = shifts[rank]
            if shift or drift:
                *plain, sums = row
                plain = [when + shift + round((when - START_OF_CLOCK) * drift) for when in plain]
                sums = [tuple(when + shift + round((when - START_OF_CLOCK) * drift) for when in pair) for pair in sums]
            else:
                *plain, sums = row
            data = STEP.pack(b"LSKR", size, 0, 2, 1, step, *plain, 0, 32, step % 33, losses[step % 97], 0.1, len(sums), 0)
            data += b"".join(SUM.pack(*pair) for pair in sums)
            chunks[rank] += (data[:8], struct.pack("<I", zlib.crc32(data[12:])), data[12:])
            if options.gradients and step % 10 == 0:
                numbers = [1.0, 0.5] * options.gradients + [0.25, 4.0, 0.01] * (options.gradients if rank == 0 else 0)
                head = struct.pack("<BB2xIq", 3, rank == 0, options.gradients, step)
                chunks[rank].append(frame(head + struct.pack(f"<{len(numbers)}d", *numbers)))
        if step % 2000 == 1999:
            for rank, file in enumerate(files):
                file.write(b"".join(chunks[rank]))
                chunks[rank] = []
    for rank, file in enumerate(files):
        file.write(b"".join(chunks[rank]))
        if not options.no_end and rank not in short:
            file.write(json_frame(5, {"state": "finished", "text": ""}))
        file.close()

    for rank, part in options.damage:
        data = bytearray((folder / f"rank-{rank:04d}.lsr").read_bytes())
        data[int(len(data) * (part[0] if part else 0.5))] ^= 0x10
        (folder / f"rank-{rank:04d}.lsr").write_bytes(data)
    for rank, missing in options.cut:
        path = folder / f"rank-{rank:04d}.lsr"
        path.write_bytes(path.read_bytes()[: -int(missing[0] if missing else 20)])


if __name__ == "__main__":
    main()
