#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What run.sh computes from results.

  report.py losses A.jsonl B.jsonl TOLERANCE   do two trainings agree in loss_mean?
  report.py same RUN_A RUN_B A.jsonl B.jsonl   are two trainings the same, bit for bit?
  report.py ratios TORCH.jsonl SWEEP.jsonl…    Lockstep against the best PyTorch of the same batch and precision
  report.py fit BENCH.json SECONDS             how many steps, 700,000 at most, fit into a time
  report.py long LOG STEPS IMAGES              pace and loss of a training from its text, as JSON
  report.py device NAME COMMAND…               is the device NAME among those that `devices --json` finds?
  report.py pack FOLDER FILE.tar.xz            everything in a folder, in less than 16 MiB
  report.py unpack FILE.tar.xz PART FOLDER     what is in PART of such a file
"""
import datetime
import io
import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import tarfile

ARTICLE_STEPS = 700_000
MOST_KEPT = 1 << 20
MOST_PACKED = 16 << 20


def lines_of(path):
    """The JSON objects of a file, none if it is not there; the last line may be cut off."""
    objects = []
    if not pathlib.Path(path).exists():
        return objects
    for line in pathlib.Path(path).read_text().splitlines():
        try:
            objects.append(json.loads(line))
        except json.JSONDecodeError:
            continue
    return objects


def steps_of(path):
    return [line for line in lines_of(path) if line.get("event") == "step"]


def losses(first, second, tolerance):
    a, b = steps_of(first), steps_of(second)
    if not a or len(a) != len(b):
        print(f"{len(a)} and {len(b)} steps: not comparable")
        return 1
    differences = [abs(x["loss_mean"] - y["loss_mean"]) for x, y in zip(a, b)]
    worst = max(range(len(a)), key=lambda i: (differences[i] != differences[i], differences[i]))
    print(f"{len(a)} steps, loss_mean {a[0]['loss_mean']:.6f} to {a[-1]['loss_mean']:.6f} and "
          f"{b[0]['loss_mean']:.6f} to {b[-1]['loss_mean']:.6f}; largest difference {differences[worst]:.3g} "
          f"at step {a[worst]['step']}, allowed {float(tolerance):g}")
    return 0 if all(difference <= float(tolerance) for difference in differences) else 1


def tensors_of(file):
    """Name -> (type, shape, bytes) of a safetensors file; what is noted beside them, such as times, is left out."""
    data = pathlib.Path(file).read_bytes()
    (length,) = struct.unpack_from("<Q", data)
    header = json.loads(data[8:8 + length])
    return {name: (entry["dtype"], tuple(entry["shape"]),
                   data[8 + length + entry["data_offsets"][0]:8 + length + entry["data_offsets"][1]])
            for name, entry in header.items() if name != "__metadata__"}


def same(run_a, run_b, log_a, log_b):
    a, b = steps_of(log_a), steps_of(log_b)
    different = [x["step"] for x, y in zip(a, b) if x["loss_tower"] != y["loss_tower"]]
    if not a or len(a) != len(b) or different:
        print(f"{len(a)} and {len(b)} steps; towers' losses differ at {len(different)} of them, first {different[:1]}")
        return 1
    last_a, last_b = (max(pathlib.Path(run).glob("checkpoints/*.safetensors")) for run in (run_a, run_b))
    tensors_a, tensors_b = tensors_of(last_a), tensors_of(last_b)
    names = [name for name in tensors_a if tensors_a[name] != tensors_b.get(name)]
    if last_a.name != last_b.name or set(tensors_a) != set(tensors_b) or names:
        print(f"{last_a.name} and {last_b.name} differ in {names or 'their tensors'}")
        return 1
    print(f"{len(a)} steps and {len(tensors_a)} tensors of {last_a.name} are the same, bit for bit")
    return 0


def ratios(torch, *sweeps):
    best = {}
    for line in lines_of(torch):
        key = (line.get("precision"), line.get("batch"))
        if "examples_per_second" in line and (
                key not in best or line["examples_per_second"] > best[key]["examples_per_second"]):
            best[key] = line
    print(f"{'precision':<9} {'towers':>6} {'batch':>5} {'Lockstep/s':>11} {'ms/step':>8} {'floor':>8} "
          f"{'PyTorch/s':>11} {'ratio':>6}  PyTorch's best")
    results = [line for sweep in sweeps for line in lines_of(sweep)]
    for line in sorted(results, key=lambda r: (r["precision"], r["batch_per_tower"], r["towers"])):
        begin = f"{line['precision']:<9} {line['towers']:>6} {line['batch_per_tower']:>5}"
        peer = best.get((line["precision"], line["towers"] * line["batch_per_tower"]))
        if "error" in line:
            print(f"{begin} failed: {line['error']}")
            continue
        floor = line.get("floor_milliseconds")
        text = (f"{begin} {line['examples_per_second']:>11.0f} {line['milliseconds_per_step']:>8.3f} "
                f"{'-' if floor is None else format(floor, '.3f'):>8}")
        if peer is None:
            print(f"{text} {'-':>11} {'-':>6}")
            continue
        ratio = line["examples_per_second"] / peer["examples_per_second"]
        print(f"{text} {peer['examples_per_second']:>11.0f} {ratio:>6.2f}  "
              f"{peer['mode']}, {peer['layout']}, {peer['norm']} norm, {peer['weights']} weights")
    return 0 if results and best else 1


def fit(bench, seconds):
    line = lines_of(bench)[-1]
    step = line["towers"] * line["batch_per_tower"] / line["examples_per_second"]
    print(max(1, min(ARTICLE_STEPS, int(float(seconds) / step))))
    return 0


def long(log, wanted, images):
    text = pathlib.Path(log).read_text(errors="replace")
    found = re.findall(r"^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+): step (\d+), loss = (\S+)", text, re.MULTILINE)
    if len(found) < 3:
        print(json.dumps({"error": "the training wrote no steps"}))
        return 1
    # The first lines hold the capture of the step.
    (begin, first, _), (end, last, loss) = found[min(10, len(found) - 2)], found[-1]
    seconds = (datetime.datetime.fromisoformat(end) - datetime.datetime.fromisoformat(begin)).total_seconds()
    pace = (int(last) - int(first)) / max(seconds, 1e-9)
    recent = [float(value) for _, _, value in found[-100:]]
    evaluations = re.findall(r"evaluation at step (\d+), (\w+) weights: accuracy ([\d.]+), loss (\S+),", text)
    print(json.dumps({
        "training_images": int(images), "steps_wanted": int(wanted), "last_step": int(last), "loss_last": float(loss),
        "loss_mean_of_last_100_lines": sum(recent) / len(recent), "steps_per_second": pace,
        "seconds_for_700000_steps": ARTICLE_STEPS / pace,
        "evaluations": [{"step": int(step), "weights": weights, "accuracy": float(accuracy), "loss": float(of)}
                        for step, weights, accuracy, of in evaluations]}))
    return 0


def device(name, *command):
    said = subprocess.run(command, capture_output=True, text=True)
    print(said.stdout, said.stderr, sep="", end="")
    found = json.loads(said.stdout)["devices"] if said.returncode == 0 else []
    if any(one["name"] == name and one["available"] for one in found):
        return 0
    print(f"there is no device {name}: " + "; ".join(one.get("reason", "") for one in found if not one["available"]))
    return 1


def pack(folder, file):
    """Of files too large for all to fit, beginning and end; written under another name first."""
    temporary = f"{file}.partial"
    kept = MOST_KEPT
    while True:
        with tarfile.open(temporary, "w:xz", preset=1) as archive:
            for path in sorted(pathlib.Path(folder).rglob("*")):
                if path.is_file():
                    content = path.read_bytes()
                    if len(content) > kept:
                        content = content[:kept // 2] + b"\n[...]\n" + content[-(kept // 2):]
                    entry = tarfile.TarInfo(str(path.relative_to(folder)))
                    entry.size, entry.mtime = len(content), int(path.stat().st_mtime)
                    archive.addfile(entry, io.BytesIO(content))
        if os.path.getsize(temporary) < MOST_PACKED:
            os.replace(temporary, file)
            return 0
        kept //= 2


def unpack(file, part, folder):
    with tarfile.open(file) as archive:
        members = [one for one in archive.getmembers()
                   if one.isfile() and one.name.startswith(f"{part}/") and ".." not in one.name.split("/")]
        archive.extractall(folder, members)
    print(f"{len(members)} files of {part} from {file}")
    return 0 if members else 1


if __name__ == "__main__":
    commands = {"losses": losses, "same": same, "ratios": ratios, "fit": fit, "long": long,
                "device": device, "pack": pack, "unpack": unpack}
    if len(sys.argv) < 2 or sys.argv[1] not in commands:
        sys.exit(__doc__)
    sys.exit(commands[sys.argv[1]](*sys.argv[2:]))
