#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tests/benchmarks/expected_costs.py LOCKSTEP_TRAIN PAIRS CONFIG.toml[=DATA]...: what runs are expected to take beside
what they take. For each configuration, so many times as other programs come and go: `inspect --costs` with an empty
cache and without its data, as the start page first asks; then a run on these data, whole where it is expected to be
short, else of as many steps as fit into about 20 seconds, evaluated at its end. Told are the medians of the values and
of their ratios, and the load of the machine: the mean step; both evaluations of a moment, where the number of test
images is known; the run that was made, from start to end, as it follows from these; the peak of its memory."""
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

SECONDS = 20.0
WHOLE_SECONDS = 100.0


def expected(program, config, cache):
    asked = [program, "inspect", "--config", config, "--costs", "--json"]
    answer = subprocess.run(asked, env={**os.environ, "XDG_CACHE_HOME": cache}, check=True, stdout=subprocess.PIPE)
    return json.loads(answer.stdout)


def truth(program, config, data, steps, cache):
    """Seconds of a step, of both evaluations of a moment, of the run; bytes."""
    with tempfile.TemporaryDirectory() as folder:
        command = [program, "train", "--config", config, "--steps", str(steps), "--run", folder + "/run", "--json"]
        command += ["--data", data] if data else []
        start = time.monotonic()
        run = subprocess.Popen(command, env={**os.environ, "XDG_CACHE_HOME": cache}, stdout=subprocess.PIPE)
        events = [json.loads(line) for line in run.stdout]
        _, status, usage = os.wait4(run.pid, 0)
        seconds = time.monotonic() - start
    if status != 0:
        sys.exit(f"{config}: the run failed")
    means = [statistics.mean(event[key] for event in events if event["event"] == kind)
             for kind, key in (("step", "step_seconds"), ("evaluation", "seconds"))]
    return means[0], 2 * means[1], seconds, usage.ru_maxrss


def pair(program, config, data, cache):
    """Step, evaluation, run, MiB: each expected (None: not known) and true."""
    told = expected(program, config, cache)
    evaluation = told["evaluation_seconds"]
    step = (told["seconds"] - told["start_seconds"] - told["evaluations"] * (evaluation or 0)) / told["steps"]
    steps, evaluations = told["steps"], told["evaluations"]
    if told["seconds"] > WHOLE_SECONDS:
        steps, evaluations = max(4, min(100, int(SECONDS / step))), 1
    run = told["start_seconds"] + steps * step + evaluations * evaluation if evaluation else None
    true_step, true_evaluation, true_run, kibibytes = truth(program, config, data, steps, cache)
    return ((step, true_step), (evaluation, true_evaluation), (run, true_run),
            (told["process_bytes"] / 2**20, kibibytes / 2**10))


def main():
    program, pairs, configs = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
    heads = "".join(f"{head:>9}{'truth':>9}{'ratio':>6}" for head in ("s/step", "eval s", "run s", "MiB"))
    print(f"{'configuration':<22}{heads}{'load':>6}")
    for given in configs:
        config, _, data = given.partition("=")
        made = []
        for _ in range(pairs):
            with tempfile.TemporaryDirectory() as cache:
                made.append(pair(program, config, data, cache))
        line = f"{os.path.basename(config)[:-5]:<22}"
        for values, digits in zip(zip(*made), (3, 2, 1, 0)):
            true = statistics.median(value for _, value in values)
            if values[0][0] is None:
                line += f"{'-':>9}{true:>9.{digits}f}{'-':>6}"
                continue
            told = statistics.median(value for value, _ in values)
            ratio = statistics.median(value / measured for value, measured in values)
            line += f"{told:>9.{digits}f}{true:>9.{digits}f}{ratio:>6.2f}"
        print(line + f"{os.getloadavg()[0]:>6.1f}", flush=True)


if __name__ == "__main__":
    main()
