#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lockstep and its peers in turn, see run.sh. First every variant of every peer for a moment; then the best one of
each takes part in the rounds. Writes OUTPUT.json, all that was measured, and OUTPUT.txt, the table."""
import argparse
import json
import math
import pathlib
import platform
import sys
import tempfile
import time

import measuring
import table

TOWERS = (1, 2)
# What the first and the fifth loss of a peer may be off, in parts: they must all compute the same.
TOLERANCES = {"float32": 1e-4, "bfloat16": 5e-3}
EXPECTED_LOSSES = (4.67538, 4.61166)  # of cifar10_start's weights and batch, batch 128: all frameworks agree on them


def say(text):
    print(text, file=sys.stderr, flush=True)


def is_same(result, model):
    """Whether a peer's result is of the same computation. Other batches have other losses, near the same; other networks
    begin at random."""
    if model != "cifar10":
        return all(math.isfinite(loss) for loss in result["losses"])
    tolerance = TOLERANCES[result["precision"]] if result["batch"] == 128 else 0.05
    return all(abs(loss - expected) <= tolerance * expected
               for loss, expected in zip((result["losses"][0], result["losses"][-1]), EXPECTED_LOSSES))


def best_variants(peers, arguments, work):
    """(precision, peer) -> the variant with the fastest step; and all results. The fastest, not the median: neighbours
    make steps longer, never shorter."""
    best, results = {}, []
    for name, command in peers.items():
        say(f"{name}: all variants")
        for result in measuring.scan(command, arguments.precisions, arguments.batch, arguments.scan_seconds,
                                     work / f"{name}.log"):
            results.append({"peer": name, **result})
            text = ", ".join(result[part] for part in ("mode", "layout", "norm", "weights"))
            if "error" in result:
                say(f"  {result['precision']} {text}: {result['error']}")
                continue
            if not is_same(result, arguments.model):
                say(f"  {result['precision']} {text}: computes something else, losses {result['losses']}")
                continue
            say(f"  {result['precision']} {text}: {result['milliseconds_minimum']:.1f} ms")
            key = (result["precision"], name)
            if key not in best or result["milliseconds_minimum"] < best[key]["milliseconds_minimum"]:
                best[key] = result
    return best, results


def known_variants(path):
    """(precision, peer) -> variant, from the report of an earlier run."""
    return {(precision, name): variant for precision, part in json.loads(path.read_text())["precisions"].items()
            for name, variant in part["best_variants"].items()}


def one_round(number, precision, servers, arguments):
    """Runner -> result. Who begins changes from round to round."""
    def ours(towers):
        # The same global batch as the peers': a tower takes its share.
        return lambda: measuring.lockstep(
            arguments.program, arguments.model, towers, arguments.batch // towers, precision, arguments.seconds)

    def theirs(server):
        return lambda: server.measure(arguments.seconds)

    runners = {f"Lockstep {towers} x {arguments.batch // towers}": ours(towers) for towers in TOWERS
               if towers <= arguments.batch}
    runners |= {name: theirs(server) for name, server in servers.items()}
    names = list(runners)
    names = names[number % len(names):] + names[:number % len(names)]
    processes = [server.process for server in servers.values()]
    return {name: measuring.quietly(runners[name], processes) for name in names}


def rounds_of(precision, best, peers, arguments, work):
    servers = {}
    try:
        for name, command in peers.items():
            if (precision, name) in best:
                servers[name] = measuring.Server(command, best[precision, name], work / f"{name}.{precision}.log")
        rounds = []
        for number in range(arguments.rounds):
            measured = one_round(number, precision, servers, arguments)
            rounds.append({"results": measured, "ceilings": measuring.ceilings(arguments.program)})
            say(f"{precision}, round {number + 1}: " + " · ".join(
                f"{name} {result.get('examples_per_second', 0):.0f}" for name, result in measured.items()))
        return rounds
    finally:
        for server in servers.values():
            server.stop()


def machine():
    model = next((line.partition(":")[2].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")),
                 platform.machine())
    flags = next((line for line in open("/proc/cpuinfo") if line.startswith("flags")), "")
    return {"model": model, "threads": measuring.THREADS, "system": platform.platform(),
            "vector": [flag for flag in ("avx512f", "avx512_bf16", "amx_bf16") if flag in flags.split()]}


def precisions_of(text):
    unknown = set(text.split(",")) - set(TOLERANCES)
    if unknown:
        raise argparse.ArgumentTypeError(f"{min(unknown)!r} is none of {', '.join(TOLERANCES)}")
    return text.split(",")


def at_least_one(text):
    if int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text} is not at least 1")
    return int(text)


def parse():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True, help="lockstep-train")
    parser.add_argument("--model", default="cifar10")
    parser.add_argument("--peer", nargs=2, action="append", default=[], metavar=("NAME", "COMMAND"))
    parser.add_argument("--rounds", type=at_least_one, default=5)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--scan-seconds", type=float, default=1.0)
    parser.add_argument("--variants", type=pathlib.Path, help="report of an earlier run: no scan")
    parser.add_argument("--precisions", type=precisions_of, default=list(TOLERANCES))
    parser.add_argument("--batch", type=at_least_one, default=128)
    parser.add_argument("--output", type=pathlib.Path, required=True, help="without .json and .txt")
    return parser.parse_args()


def main():
    arguments = parse()
    peers = dict(arguments.peer)
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        if arguments.variants:
            best, scanned = known_variants(arguments.variants), []
        else:
            best, scanned = best_variants(peers, arguments, work)
        report = {"date": time.strftime("%FT%TZ", time.gmtime()), "machine": machine(), "model": arguments.model,
                  "batch": arguments.batch, "seconds": arguments.seconds, "scan": scanned, "precisions": {}}
        for precision in arguments.precisions:
            report["precisions"][precision] = {
                "best_variants": {name: best[precision, name] for name in peers if (precision, name) in best},
                "rounds": rounds_of(precision, best, peers, arguments, work)}
    for precision, part in report["precisions"].items():
        part["summary"] = table.summary(part["rounds"])
    text = table.text(report)
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    pathlib.Path(f"{arguments.output}.json").write_text(json.dumps(report, indent=1) + "\n")
    pathlib.Path(f"{arguments.output}.txt").write_text(text)
    print(text, end="")
    return 0 if any(table.rates(part["rounds"], name) for part in report["precisions"].values()
                    for name in peers) else 1


if __name__ == "__main__":
    sys.exit(main())
