#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whether the three lights of a run are right, on this machine.

  lights_check.py PROGRAM FOLDER faults [SEEDS]    runs with a fault on purpose: the right tower, the right light
  lights_check.py PROGRAM FOLDER presets [STEPS]   healthy presets: green at every tenth; those of the real data in
                                                   LOCKSTEP_TEST_DATA (default ../shared/data) as far as they are there
  lights_check.py PROGRAM FOLDER dead [SEEDS]      a rate that kills the network: when Learning turns red

PROGRAM is lockstep-train. Runs go to FOLDER. The lights are those of `inspect RUN --json`.
"""
import json
import os
import pathlib
import statistics
import subprocess
import sys

PRESETS = pathlib.Path(__file__).resolve().parents[2] / "resources" / "presets"
DATA = {"first_look": "", "segdecnet_defects": "", "quick_cifar10": "cifar-10-batches-bin",
        "article_cifar10": "cifar-10-batches-bin", "resnet20_cifar10": "cifar-10-batches-bin",
        "segdecnet_kolektorsdd": "KolektorSDD/KolektorSDD.zip", "inception_imagenette": "imagenette-sample"}
FAULTS = {
    "poisoned": (["experiment.shards=poisoned", "experiment.tower=1"], "data", 1, 400),
    "skewed": (["experiment.shards=skewed", "experiment.tower=2"], "data", 2, 400),
    "same": (["experiment.shards=same"], "data", None, 100),
    "late": (["experiment.delay_ms=60", "experiment.delay_tower=3"], "pace", 3, 200),
}


def train(program, run, arguments):
    ended = subprocess.run([program, "train", "--run", str(run), *arguments], stdout=subprocess.DEVNULL,
                           stderr=subprocess.PIPE, text=True)
    if ended.returncode != 0:
        raise RuntimeError((ended.stderr.strip().splitlines() or ["no word"])[-1])
    told = subprocess.run([program, "inspect", str(run), "--json"], check=True, capture_output=True, text=True)
    return json.loads(told.stdout)["lights"]


def settings(values):
    return [word for value in values for word in ("--set", value)]


def faults(program, folder, seeds):
    for name, (values, light, tower, steps) in FAULTS.items():
        right, found, wrong = 0, [], []
        for seed in range(1, seeds + 1):
            lights = train(program, folder / f"{name}-{seed}",
                           ["--config", str(PRESETS / "poisoned_tower.toml"), "--seed", str(seed), "--steps", str(steps),
                            *settings(["experiment.shards=distinct", "evaluate.every_steps=0", "evaluate.at_end=false",
                                       "checkpoint.every_steps=0", *values])])
            last = lights[-1][light]
            isRight = last["light"] in ("red", "amber") and last["tower"] == tower
            right += isRight
            found += [last["since"]] if isRight else []
            others = {"data", "pace"} - {light}
            wrong += [f"{seed}: {each[other]['text']}" for each in lights for other in others
                      if each[other]["light"] in ("red", "amber")]
        print(f"{name}: {right} of {seeds} right, found at step {statistics.median(found) if found else '-'} (median), "
              f"{max(found) if found else '-'} at the latest; other lights not green: {len(wrong)}", *wrong[:3], flush=True)


def presets(program, folder, steps):
    root = pathlib.Path(os.environ.get("LOCKSTEP_TEST_DATA", PRESETS.parents[1] / "../shared/data")).resolve()
    for preset, data in DATA.items():
        if data and not (root / data).exists():
            print(f"{preset}: left out, {root / data} is not there")
            continue
        lights = train(program, folder / preset,
                       ["--config", str(PRESETS / f"{preset}.toml"), *(["--steps", str(steps)] if steps else []),
                        *(["--data", str(root / data)] if data else [])])
        bad = [f"step {each['step']} {name}: {each[name]['text']}" for each in lights for name in ("learning", "data", "pace")
               if each[name]["light"] != "green"]
        print(f"{preset}: {len(bad)} of {3 * len(lights)} lights not green", *bad, sep="\n  ", flush=True)


def dead(program, folder, seeds):
    for seed in range(1, seeds + 1):
        try:
            lights = train(program, folder / f"dead-{seed}",
                           ["--towers", "4", "--batch-per-tower", "32", "--learning-rate", "1.63", "--seed", str(seed),
                            "--steps", "300", *settings(["evaluate.at_end=false"])])
        except RuntimeError as stop:
            print(f"seed {seed}: ended: {stop}", flush=True)
            continue
        last = lights[-1]["learning"]
        print(f"seed {seed}: {last['light']} since step {last['since']}: {last['text']}", flush=True)


if __name__ == "__main__":
    program, folder, what = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
    os.makedirs(folder, exist_ok=True)
    number = int(sys.argv[4]) if len(sys.argv) > 4 else None
    {"faults": lambda: faults(program, folder, number or 20), "presets": lambda: presets(program, folder, number),
     "dead": lambda: dead(program, folder, number or 5)}[what]()
