# SPDX-License-Identifier: Apache-2.0
"""What compare.py measures with: the programs of the peers, lockstep-train, and how busy the neighbours were."""
import json
import os
import select
import shlex
import subprocess
import time

# Cores that other programs may take while a measurement runs, and how often it is tried before the quietest counts.
QUIET = 0.1
TRIES = 3
# Told to the peers: in a process whose OpenMP threads are bound to processors the main thread sees one only.
THREADS = len(os.sched_getaffinity(0))
# Of lockstep-train bench --profile, with all threads.
CEILINGS = ("float32_gflops", "bfloat16_gflops", "copy_gbps")


def busy_seconds():
    """Of all processors together, since they were started."""
    user, nice, system, _, _, irq, softirq, steal = map(int, open("/proc/stat").readline().split()[1:9])
    return (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK")


def cpu_seconds_of(process):
    fields = open(f"/proc/{process.pid}/stat").read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Neighbours:
    """Cores that others took between two moments; `servers`: the running processes that are ours."""

    def __init__(self, servers):
        self.servers = servers
        self.begin = self.reading()

    def reading(self):
        own = sum(os.times()[:4]) + sum(cpu_seconds_of(process) for process in self.servers)
        return time.monotonic(), busy_seconds() - own

    def cores(self):
        (began, before), (now, after) = self.begin, self.reading()
        return max(0.0, (after - before) / (now - began))


def quietly(measure, servers):
    """The result of `measure` for which the neighbours were quietest; with "error" in it, the first one."""
    best = None
    for _ in range(TRIES):
        neighbours = Neighbours(servers)
        result = measure()
        result["neighbour_cores"] = neighbours.cores()
        if best is None or result["neighbour_cores"] < best["neighbour_cores"]:
            best = result
        if "error" in result or result["neighbour_cores"] < QUIET:
            break
    return best


class Server:
    """A program of a peer that holds one variant ready."""

    def __init__(self, command, variant, log):
        parts = [variant["mode"], variant["layout"], variant["norm"], variant["weights"]]
        self.process = subprocess.Popen(
            [*shlex.split(command), "--serve", "--variant", ",".join(parts), "--precision", variant["precision"],
             "--batch", str(variant["batch"]), "--threads", str(THREADS)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=open(log, "w"), text=True)
        self.log = log
        self.description = self.answer(600)

    def answer(self, seconds):
        if select.select([self.process.stdout], [], [], seconds)[0]:
            line = self.process.stdout.readline()
            if line:
                return json.loads(line)
        return {"error": self.last_words() or "no answer"}

    def measure(self, seconds):
        try:
            print(seconds, file=self.process.stdin, flush=True)
        except BrokenPipeError:
            return {"error": self.last_words() or "it ended"}
        return self.answer(60 + 3 * seconds)

    def last_words(self):
        lines = self.log.read_text().strip().splitlines()
        return lines[-1] if lines else ""

    def stop(self):
        self.process.kill()
        self.process.wait()


def scan(command, precisions, batch, seconds, log):
    """Yields the results of all variants of a peer, as they come."""
    flags = ["--precision", ",".join(precisions), "--batch", batch, "--seconds", seconds, "--threads", THREADS]
    with open(log, "w") as errors:
        process = subprocess.Popen([*shlex.split(command), *map(str, flags)], stdout=subprocess.PIPE, stderr=errors,
                                   text=True)
    for line in process.stdout:
        if line.startswith("{") and "best" not in (result := json.loads(line)):
            yield result
    process.wait()


def json_of(command):
    """What lockstep-train prints with --json, or why there is none."""
    done = subprocess.run(command, capture_output=True, text=True)
    try:
        return json.loads(done.stdout.splitlines()[-1])
    except (IndexError, json.JSONDecodeError):
        return {"error": (done.stderr.strip().splitlines() or [f"exit status {done.returncode}"])[-1]}


def lockstep(program, model, towers, batch, precision, seconds):
    # The optimizer of the peers.
    momentum = [] if model == "cifar10" else ["--set", "optimizer.name=momentum", "--set", "optimizer.momentum=0.9"]
    return json_of([program, "bench", "--model", model, "--device", "cpu", "--towers", str(towers), "--batch-per-tower",
                    str(batch), "--precision", precision, "--seconds", str(seconds), "--json", *momentum])


def ceilings(program):
    """What the machine reaches with all threads, by the names of CEILINGS; what is not known is left out."""
    found = json_of([program, "bench", "--device", "cpu", "--towers", "1", "--profile", "--seconds", "0.2", "--json"])
    known = found.get("ceilings") or {}
    return {name: known[name] for name in CEILINGS if known.get(name)}
