#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tests/benchmarks/rate_finder_check.py CIFAR10_FOLDER [--seeds 3] [--only NAME ...]: is the suggested learning rate a good one?

For networks and data sets that are small enough for two cores, with several seeds each: asks `lockstep-train
find-lr` for a rate, trains 300 steps at it, at a tenth and at ten times it, and compares the mean cross-entropy of
the last 50 steps. Worse is what is above by more than two standard errors of the difference, step by step on the
same batches. At chance is what is not below the entropy of the labels by as much. Prints a line for each, and ends
with 1 if a suggestion was worse, at chance, or missing. Needs the release build.
"""

import argparse
import csv
import io
import json
import math
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "build/release/bin/lockstep-train"
STEPS = 300
JUDGED = 50

MLP = """
name = "mlp"
classes = 10
input = { height = 24, width = 24, channels = 3 }
[[layer]]
name = "hidden"
type = "dense"
units = 64
activation = "relu"
initializer = "he_normal"
[[layer]]
name = "logits"
type = "dense"
units = 10
[[objective]]
name = "cross_entropy"
logits = "logits"
"""

MOMENTUM = ["optimizer.name=momentum", "optimizer.momentum=0.9"]
SHAPES = ["optimizer.name=adam", "input.pad=4", "input.brightness=false", "input.contrast=false"]
DEFECTS = ["model.input_height=128", "model.input_width=64", "phase=[{objective='segmentation', steps=300}]"]


def cases(cifar10, mlp):
    """Name: model, data, towers, batch of a tower, settings, chance. Of masks chance is not known: none."""
    real = ["--dataset", "cifar10", "--data", cifar10]
    drawn = ["--dataset", "synthetic"]
    small = ROOT / "resources/models/small.toml"
    chance = math.log(10.0)
    return {
        "small.toml, shapes, 2 x 16, sgd": (small, drawn, 2, 16, [], chance),
        "small.toml, CIFAR-10, 2 x 4, momentum": (small, real, 2, 4, MOMENTUM, chance),
        "MLP, CIFAR-10, 2 x 32, sgd": (mlp, real, 2, 32, [], chance),
        "cifar10 network, CIFAR-10, 2 x 4, sgd": ("cifar10", real, 2, 4, [], chance),
        "shapes network, shapes, 2 x 32, adam": ("shapes", drawn, 2, 32, SHAPES, chance),
        "SegDecNet, defects, 2 x 1, sgd": ("segdecnet", ["--dataset", "synthetic_defects"], 2, 1, DEFECTS, None),
        "cifar10 network, CIFAR-10, 2 x 16, sgd": ("cifar10", real, 2, 16, [], chance),
        "ResNet-20, CIFAR-10, 2 x 8, momentum": ("resnet20", real, 2, 8, MOMENTUM, chance),
        "cifar10 network, shapes, 4 x 32, sgd": ("cifar10", drawn, 4, 32, [], chance),
    }


def options(case, seed):
    model, data, towers, batch, settings, _ = case
    given = ["--model", model, *data, "--towers", towers, "--batch-per-tower", batch, "--seed", seed]
    for setting in settings:
        given += ["--set", setting]
    return [str(option) for option in given]


def run(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=False)


def suggestion(case, seed):
    outcome = run("find-lr", *options(case, seed), "--json")
    if outcome.returncode != 0:
        sys.exit(outcome.stderr)
    return json.loads(outcome.stdout)["suggested_rate"]


def trained(case, seed, rate):
    """Cross-entropies of the last steps; none where the run ended early."""
    with tempfile.TemporaryDirectory() as folder:
        off = ["evaluate.at_end=false", "events.every_steps=0", "gradients.every_steps=0", "checkpoint.every_steps=0"]
        settings = [part for setting in off for part in ("--set", setting)]
        outcome = run("train", *options(case, seed), "--learning-rate", f"{rate:.6g}", "--steps", str(STEPS),
                      "--run", f"{folder}/run", *settings)
        if not pathlib.Path(folder, "run").exists():
            sys.exit(outcome.stderr)
        rows = list(csv.DictReader(io.StringIO(run("export", f"{folder}/run", "--csv", "-").stdout)))
    if len(rows) < STEPS:
        return None
    # Where weight decay is all of the loss nothing is left of the cross-entropy: diverged, too.
    if any(float(row["weight_decay_loss"]) > 1e4 * float(rows[0]["cross_entropy_mean"]) for row in rows):
        return None
    return [float(row["cross_entropy_mean"]) for row in rows[-JUDGED:]]


def is_above(values, others):
    """By more than two standard errors; `others`: as many, or one number."""
    differences = [a - b for a, b in zip(values, others)]
    error = statistics.stdev(differences) / math.sqrt(len(differences))
    return statistics.mean(differences) > 2.0 * error


def text(values):
    return "diverges" if values is None else f"{statistics.mean(values):.4f}"


def verdict(at, tenth, tenfold, chance):
    if at is None:
        return "DIVERGES"
    if tenth is not None and is_above(at, tenth):
        return "WORSE than at a tenth"
    if tenfold is not None and is_above(at, tenfold):
        return "WORSE than at ten times"
    if chance is not None and not is_above([chance] * JUDGED, at):
        return "AT CHANCE"
    return "good"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cifar10")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--only", nargs="*", default=[])
    given = parser.parse_args()
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        mlp = pathlib.Path(folder, "mlp.toml")
        mlp.write_text(MLP, encoding="utf-8")
        print(f"{'':<40} seed     rate  at a tenth    at it  at ten times   found in")
        for name, case in cases(given.cifar10, mlp).items():
            if given.only and not any(part in name for part in given.only):
                continue
            for seed in range(1, given.seeds + 1):
                begin = time.monotonic()
                rate = suggestion(case, seed)
                seconds = time.monotonic() - begin
                if rate is None:
                    failures += 1
                    print(f"{name:<40} {seed:>4} {'none':>8} {seconds:>43.0f} s  no suggestion", flush=True)
                    continue
                runs = [trained(case, seed, factor * rate) for factor in (0.1, 1.0, 10.0)]
                said = verdict(runs[1], runs[0], runs[2], case[-1])
                failures += said != "good"
                print(f"{name:<40} {seed:>4} {rate:>8.4g} {text(runs[0]):>11} {text(runs[1]):>8} "
                      f"{text(runs[2]):>13} {seconds:>8.0f} s  {said}", flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
