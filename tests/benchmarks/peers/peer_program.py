# SPDX-License-Identifier: Apache-2.0
"""What the programs of the peers have in common: their command line, the timing on a CPU, JSON lines.

A framework is described by a class with
  name                                       with its version, such as "PyTorch 2.9.1"
  Variant                                    a named tuple: mode, layout, norm, weights
  modes(device)                              all modes that it has there, in the order in which they are tried
  variants_of(mode, precision, device)       the variants of a mode
  make_step(variant, batch, precision, device)   a Step: called, it makes a step; loss() makes one and returns the loss
  time(step, seconds, variant, device)       seconds of steps, sorted
  place(device)                              its name
  longest                                    mode -> seconds that it may take to compile
  set_up(arguments)                          threads, checks
  add_arguments(parser)                      what its command line has besides; may be left out
"""
import argparse
import itertools
import json
import os
import sys
import time


def time_steps(step, seconds):
    """Seconds of each step, sorted."""
    for _ in range(3):
        step()
    times = []
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or len(times) < 5:
        begin = time.perf_counter()
        step()
        times.append(time.perf_counter() - begin)
    return sorted(times)


def rates(times, batch):
    median = times[len(times) // 2]
    return {"milliseconds_per_step": 1e3 * median, "milliseconds_minimum": 1e3 * times[0],
            "examples_per_second": batch / median}


class Program:
    def __init__(self, framework, arguments):
        self.framework = framework
        self.arguments = arguments
        self.begin = time.monotonic()
        self.best = {}  # (batch, precision) -> result

    def described(self, variant, batch, precision):
        return {"framework": self.framework.name, **variant._asdict(), "batch": batch, "precision": precision,
                "device": self.framework.place(self.arguments.device), "threads": self.arguments.threads}

    def jobs(self):
        """All (variant, batch, precision), in the order in which they are worth their time: where it must be compiled,
        the normalisation that was the best so far comes first."""
        for mode in self.arguments.modes:
            later = []
            for batch, precision in itertools.product(self.arguments.batch, self.arguments.precision):
                favourite = self.best.get((batch, precision), {}).get("norm")
                for variant in self.framework.variants_of(mode, precision, self.arguments.device):
                    if variant.norm not in (self.arguments.norms or [variant.norm]):
                        continue
                    if mode in self.framework.longest and favourite not in (None, variant.norm):
                        later.append((variant, batch, precision))
                    else:
                        yield variant, batch, precision
            yield from later

    def measure(self, variant, batch, precision):
        step = self.framework.make_step(variant, batch, precision, self.arguments.device)
        losses = [step.loss() for _ in range(5)]
        times = self.framework.time(step, self.arguments.seconds, variant, self.arguments.device)
        return {**rates(times, batch), "losses": losses}

    def run(self, variant, batch, precision):
        left = self.arguments.budget - (time.monotonic() - self.begin)
        if left < self.framework.longest.get(variant.mode, 0):
            return {"error": "no time left"}
        try:
            return self.measure(variant, batch, precision)
        except Exception as error:  # One variant that a version can't do must not cost the others.
            return {"error": f"{type(error).__name__}: {(str(error).strip().splitlines() or [''])[0]}"}

    def scan(self):
        for variant, batch, precision in self.jobs():
            result = {**self.run(variant, batch, precision), **self.described(variant, batch, precision)}
            print(json.dumps(result), flush=True)
            known = self.best.get((batch, precision), {"examples_per_second": 0.0})
            if "error" not in result and result["examples_per_second"] > known["examples_per_second"]:
                self.best[batch, precision] = result
        for result in self.best.values():
            print(json.dumps({"best": result}), flush=True)
        return 0 if len(self.best) == len(self.arguments.batch) * len(self.arguments.precision) else 1

    def serve(self):
        """One variant, ready to run: a line of standard input is a number of seconds and is answered by a result."""
        variant = self.framework.Variant(*self.arguments.variant)
        batch, precision = self.arguments.batch[0], self.arguments.precision[0]
        step = self.framework.make_step(variant, batch, precision, self.arguments.device)
        losses = [step.loss() for _ in range(5)]
        print(json.dumps({**self.described(variant, batch, precision), "losses": losses}), flush=True)
        for line in sys.stdin:
            times = self.framework.time(step, float(line), variant, self.arguments.device)
            print(json.dumps(rates(times, batch)), flush=True)
        return 0


def parse(text, framework):
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    numbers = lambda text: [int(part) for part in text.split(",")]  # noqa: E731
    names = lambda text: text.split(",")  # noqa: E731
    parser.add_argument("--device", default="cpu", help="cpu, cuda or cuda:I")
    parser.add_argument("--batch", type=numbers, default=[128])
    parser.add_argument("--seconds", type=float, default=5.0, help="of each variant")
    parser.add_argument("--budget", type=float, default=float("inf"), help="seconds in all")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--precision", type=names, default=["float32"], help="float32, tf32 (CUDA), bfloat16")
    parser.add_argument("--modes", type=names, help="default: all that the device has")
    parser.add_argument("--norms", type=names, help="default: all")
    parser.add_argument("--serve", action="store_true", help="time the one --variant whenever told so")
    parser.add_argument("--variant", type=names, metavar="MODE,LAYOUT,NORM,WEIGHTS")
    if hasattr(framework, "add_arguments"):
        framework.add_arguments(parser)
    arguments = parser.parse_args()
    if arguments.serve and len(arguments.variant or ()) != len(framework.Variant._fields):
        parser.error("--serve needs --variant with all four parts")
    arguments.modes = arguments.modes or framework.modes(arguments.device)
    return arguments


def main(text, framework):
    arguments = parse(text, framework)
    framework.set_up(arguments)
    program = Program(framework, arguments)
    return program.serve() if arguments.serve else program.scan()
