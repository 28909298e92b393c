#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A delay of 20 ms that is planted in one phase of one rank, in every second step, has to be found there: its length,
its rank and its phase; and has not to be seen in the time that a rank takes from outside, where all wait for it."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from planted import differences
from ranks import RECORDER

DELAY = 20.0
LATE = 2
STEPS = int(os.environ.get("LOCKSTEP_RECORDER_STEPS", 300))


class PlantedDelays(unittest.TestCase):
    def check(self, phase):
        folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder)
        command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "4", "--",
                   RECORDER / "examples" / "ddp.py", "--run", folder, "--steps", STEPS, "--batch", 2, "--width", 8,
                   "--delay", f"{phase}:{LATE}:{DELAY}:2"]  # fmt: skip
        environment = {**os.environ, "PYTHONPATH": str(RECORDER / "src"), "OMP_NUM_THREADS": "1"}
        subprocess.run([str(word) for word in command], env=environment, check=True, timeout=600)
        found = differences(folder)
        print(f"{phase} of rank {LATE}, {DELAY:.0f} ms in every second of {STEPS} steps:")
        for rank, values in enumerate(found):
            print(f"  rank {rank}: " + ", ".join(f"{name} {value:.2f}" for name, value in values.items()), flush=True)
        self.assertAlmostEqual(found[LATE][phase], DELAY, delta=0.1 * DELAY)
        for rank, values in enumerate(found):
            for name in ("data", "forward", "backward"):
                if (rank, name) != (LATE, phase):
                    self.assertLess(abs(values[name]), DELAY / 2, f"rank {rank}, {name}")
            if phase == "backward":
                self.assertLess(abs(values["seen from outside"]), DELAY / 2, f"rank {rank}")

    def test_Data_isFound(self):
        self.check("data")

    def test_Forward_isFound(self):
        self.check("forward")

    def test_Backward_isFound(self):
        self.check("backward")


if __name__ == "__main__":
    unittest.main()
