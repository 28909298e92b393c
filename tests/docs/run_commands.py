#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tests/docs/run_commands.py BUILD FOLDER: types the commands of the documentation, page by page, as a reader
would: in a home and a working folder of its own, in which everything of the repository lies. Each has to end
with status 0, or stand in NOT_RUN with the reason why it can't be run here.

That it takes minutes at most, these stand in the place of what the commands name (see `stand_in`):
lockstep-train   the program; but a training makes the cube root of its steps, with 8 examples a tower and no
                 evaluation at its end, checkpoints are called likewise, and what is timed is timed for 0.2 s
lockstep         the program without a screen, ended a second after it came up; it has to note what it showed
packaging/build.sh, ssh   nothing is built, and no other machine is reached
CIFAR-10 is that of LOCKSTEP_TEST_DATA (default ../shared/data); where it is not there, shapes stand for it."""
import contextlib
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = ["README.md", "CONTRIBUTING.md", "app/recorder/README.md", "resources/docs/*.md", "resources/help/*.md"]
PROGRAMS = {"lockstep", "lockstep-train", "export", "cmake", "ninja", "ctest", "git", "cp", "cd", "sudo", "apt", "pip",
            "tensorboard", "sbatch", "mpirun", "ssh", "sqlite3", "python3", "bash", "sed"}
NO_GPU = ("needs a GPU", "no NVIDIA driver was found")
HOSTS = ("other machines", "there is no other machine in a test")

# Commands that can't be run here: why, and what they have to end with where they can at least be tried: so
# their options are known to be right.
NOT_RUN = {
    "tests/run.sh": ("runs this test, too", None),
    "packaging/package.sh": ("builds all packages: minutes, and a test of its own", None),
    "sudo apt install ./build/packages/lockstep_*.deb ./build/packages/lockstep-train_*.deb": ("installs packages", None),
    "cmake --preset release -DLOCKSTEP_DASHBOARD=OFF -DBUILD_TESTING=OFF": ("another build: minutes", None),
    "cmake --build --preset release": ("another build: minutes", None),
    "pip install app/recorder": ("fetches from PyPI", None),
    "pip install ./app/recorder": ("fetches from PyPI", None),
    "tensorboard --logdir ~/runs": ("another program", None),
    "sbatch --nodes=4 packaging/slurm/train.sbatch --run /shared/runs/a --towers 16 --device cuda": ("needs Slurm", None),
    "lockstep-train launch --hosts node1,node2 -- train --towers 8 --device cuda --run /shared/runs/a": HOSTS,
    "lockstep-train launch --hosts node1,node2,node3 --elastic -- train --towers 12 --run /shared/runs/b": HOSTS,
    "lockstep-train launch --hosts node1,node2 -- train --towers 8 --run /shared/runs/first": HOSTS,
    "lockstep-train selftest --device cuda:0": NO_GPU,
    "lockstep-train bench --device cuda:0 --sweep": NO_GPU,
    "lockstep-train bench --device cuda:0 --nodes": NO_GPU,
    "lockstep-train train --device cuda:0,1 --towers 4 --precision bfloat16": NO_GPU,
}

PHOTOS = "for class in a b c d e; do mkdir -p photos/$class; cp $ROOT/resources/screenshots/*.png photos/$class; done"
# What a command finds there, when a reader types it.
BEFORE = {
    "lockstep-train evaluate --checkpoint ~/runs/detector --image part.png --image other.jpg":
        "lockstep-train train --model segdecnet --set model.input_height=128 --set model.input_width=128 "
        "--dataset synthetic_defects --steps 1 --batch-per-tower 2 --run ~/runs/detector; cp resources/screenshots/running-dark.png part.png;"
        "cp resources/screenshots/running-light.png other.jpg",
    "lockstep-train predict photos --checkpoint ~/runs/first --csv predictions.csv": PHOTOS,
    "lockstep-train control ~/runs/first pause":
        "lockstep-train train --run ~/runs/first --resume --steps 1000000000000 >/dev/null 2>&1 &\n"
        "until lockstep-train control ~/runs/first status 2>/dev/null; do sleep 0.2; done",
    "lockstep": "ln -s ~/runs/first RUN; cp -r ~/runs/first OTHER; cp $ROOT/resources/presets/first_look.toml FILE.toml;"
        "cp RUN/checkpoints/*00.safetensors FILE.safetensors",
    "lockstep-train gather runs/b --from tensorboard logs/rank0 logs/rank1":
        "for rank in 0 1; do lockstep-train train --steps 4 --set events.every_steps=1 --run r$rank; done;"
        "mkdir logs; cp -r r0/events logs/rank0; cp -r r1/events logs/rank1;"
        "printf 'step,rank,loss\\n0,0,2.5\\n0,1,2.4\\n1,0,2.3\\n1,1,2.2\\n' >losses.csv",
    "lockstep-train predict FOLDER --checkpoint RUN --csv FILE": PHOTOS + "; mv photos FOLDER; lockstep-train train --run RUN",
    "lockstep-train train --run flowers --weights-from runs/imagenet --model five_classes.toml --dataset image_folder "
    "--data photos --learning-rate 0.001":
        PHOTOS + "; lockstep-train train --model resources/models/small.toml --run runs/imagenet;"
        "sed 's/^classes = 10/classes = 5/; s/^units = 10/units = 5/' resources/models/small.toml >five_classes.toml",
}


def shortened(arguments):
    """What stands for a lockstep-train of the documentation."""
    def cut(number):
        return str(int(int(number) ** (1 / 3) + 1e-6))
    result = [re.sub(r"(?<=step-)\d{9}", lambda found: cut(found[0]).zfill(9), one) for one in arguments]
    if not (Path.home() / "data/cifar-10-batches-bin").is_dir() and "cifar10" in result:
        print("CIFAR-10 is not there: shapes stand for it")
        result = ["devices"] if result[0] == "download" else ["synthetic" if one == "cifar10" else one for one in result]
    if "train" in result and "--help" not in result:
        at = result.index("--steps") + 1 if "--steps" in result else len(result) + 1
        result[at - 1:at + 1] = ["--steps", cut(result[at]) if at < len(result) else cut(1000)]
        result += [] if {"--resume", "--batch-per-tower"} & set(result) else ["--batch-per-tower", "8"]
        result += ["--set", "evaluate.at_end=false"]
    return result + (["--seconds", "0.2"] if result[0] in ("bench", "scaling") else [])


def stand_in(name, arguments):
    program = os.environ["REAL_PROGRAMS"] + "/" + name
    if name == "lockstep-train" or "--export" in arguments:
        os.execv(program, [program, *(arguments if name == "lockstep" else shortened(arguments))])
    settings = Path.home() / ".config/lockstep/lockstep.conf"
    settings.unlink(missing_ok=True)
    window = subprocess.Popen([program, *arguments])
    while window.poll() is None and not settings.exists():
        time.sleep(0.1)
    time.sleep(1)
    window.send_signal(signal.SIGTERM)
    shown = [str(Path(one).absolute()) for one in arguments if not one.startswith("-") and not Path(one).suffix][:1]
    return window.wait() or any(f"shown={folder}\n" not in settings.read_text() for folder in shown)


def commands_of(text):
    """The commands in the code blocks of a page, without comments and what they are explained by."""
    is_fenced, lines = False, []
    for line in text.splitlines():
        if line.startswith("```"):
            is_fenced = not is_fenced
        elif is_fenced or line.startswith("    "):
            lines.append(line if is_fenced else line[4:])
    for line in re.sub(r" *\\\n +", " ", "\n".join(lines)).splitlines():
        command = re.sub(r"\s+(#| ).*|( …)+$", "", line).rstrip()
        words = [word for word in command.split() if not re.match(r"\w+=", word)]
        if words and (words[0] in PROGRAMS or os.access(ROOT / words[0], os.X_OK) or re.match("(build|packaging)/", words[0])):
            yield command
        elif re.match(r"[a-z.][\w./-]+ (\S+ )*--?[a-z]", command):
            sys.exit(f"run_commands.py: is this a command? Then add its program to PROGRAMS: {command}")


def make_place(folder, build):
    """A home, and a working folder with all of the repository, in which stand-ins lie where programs would."""
    home, work = folder / "home", folder / "work"
    programs = work / "build/release/bin"
    for new in (home / "data", programs, work / "app", work / "packaging"):
        new.mkdir(parents=True)
    shutil.copy(ROOT / "app/run.sh", work / "app/run.sh")
    for path, text in ((work / "packaging/build.sh", "exit 0"), (programs / "ssh", f"echo '{HOSTS[1]}' >&2; exit 255")):
        path.write_text("#!/bin/sh\n" + text + "\n")
        path.chmod(0o755)
    for name in ("lockstep", "lockstep-train"):
        (programs / name).symlink_to(__file__)
    for there, here in ((ROOT, work), (ROOT / "app", work / "app"), (ROOT / "packaging", work / "packaging"),
                        (build, work / "build/release")):
        for entry in there.iterdir():
            if not (here / entry.name).exists():
                (here / entry.name).symlink_to(entry)
    data = Path(os.environ.get("LOCKSTEP_TEST_DATA", ROOT.parent / "shared/data")) / "cifar-10-batches-bin"
    if data.is_dir():
        (home / "data" / data.name).symlink_to(data)
    environment = {"PATH": f"{programs}:{os.environ['PATH']}", "REAL_PROGRAMS": str(build / "bin"), "ROOT": str(ROOT),
                   "HOME": str(home), "XDG_DATA_HOME": str(home / "share"), "XDG_RUNTIME_DIR": str(home),
                   "QT_QPA_PLATFORM": "offscreen", "LOCKSTEP_SKIP_INSTALL": "1", "LOCKSTEP_CUDA": "off", "LANG": "C.UTF-8",
                   "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    return work, environment


def run(script, work, environment):
    with tempfile.TemporaryFile("w+") as output:
        shell = subprocess.Popen(["bash", "-c", script], cwd=work, env=environment, stdin=subprocess.DEVNULL, stdout=output,
                                 stderr=subprocess.STDOUT, start_new_session=True)
        status = shell.wait(300)
        with contextlib.suppress(ProcessLookupError): # what it left behind
            os.killpg(shell.pid, signal.SIGKILL)
        output.seek(0)
        return status, output.read()


def check_page(page, build, met):
    failures, exports = [], ""
    with tempfile.TemporaryDirectory() as folder:
        work, environment = make_place(Path(folder), build)
        for command in commands_of((ROOT / page).read_text()):
            reason, expected = NOT_RUN.get(command, (None, None))
            met.add(command)
            began, status, output = time.monotonic(), 0, ""
            if not reason or expected:
                status, output = run(f"{exports}{BEFORE.get(command, '')}\n{command}", work, environment)
            is_right = status == 0 if not expected else status != 0 and expected in output
            exports += command + "\n" if command.startswith("export ") else ""
            print(f"{'ok    ' if is_right else 'FAILED'} {time.monotonic() - began:5.1f} s  {command}"
                  + (f"   [not run: {reason}]" if reason else ""), flush=True)
            if not is_right:
                failures.append(command)
                print(output)
    return failures


def main():
    build = Path(sys.argv[1]).resolve()
    failures, met = [], set()
    for page in [path for pattern in PAGES for path in sorted(ROOT.glob(pattern))]:
        print(page.relative_to(ROOT))
        failures += check_page(page, build, met)
    for kind, listed in (("NOT_RUN", NOT_RUN), ("BEFORE", BEFORE)):
        failures += [f"{command}: in {kind}, but no longer in the documentation" for command in listed if command not in met]
    print(f"{len(met)} commands, {len(failures)} failures", *failures, sep="\n")
    return 1 if failures else 0


if __name__ == "__main__":
    name = Path(sys.argv[0]).name
    sys.exit(main() if name == Path(__file__).resolve().name else stand_in(name, sys.argv[1:]))
