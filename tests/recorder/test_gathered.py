#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What Lockstep makes of four recorded ranks: `lockstep-train gather` names the one that is late and its phase, or nobody;
the one whose labels are wrong; and what the last loss is worth. LOCKSTEP_TRAIN is the program."""

import json
import os
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from rank_files import read_run
from ranks import RECORDER

LATE = 2
STEPS = 120
TRIES = 3  # what else runs on the machine makes others late, too


class Gathered(unittest.TestCase):
    def gather(self, *options, steps=STEPS):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "4", "--",
                   RECORDER / "examples" / "ddp.py", "--run", self.folder, "--steps", steps, "--width", 4,
                   "--batch", 2, *options]  # fmt: skip
        environment = {**os.environ, "PYTHONPATH": str(RECORDER / "src"), "OMP_NUM_THREADS": "1"}
        subprocess.run([str(word) for word in command], env=environment, check=True, timeout=600)
        said = subprocess.run([os.environ["LOCKSTEP_TRAIN"], "gather", self.folder, "--json"], check=True, stdout=subprocess.PIPE)
        found = json.loads(said.stdout)
        self.assertEqual((found["ranks"], found["steps"], found["state"]), (4, steps, "finished"))
        return found

    def rows(self, query):
        with sqlite3.connect(self.folder / "run.db") as store:
            return store.execute(query).fetchall()

    def check_named(self, phase):
        for _ in range(TRIES):
            found = self.gather("--delay", f"{phase}:{LATE}:20", steps=200)
            barrier, late = found["barrier"], found["barrier"]["ranks"][LATE]
            print(f"{phase}: last in {late['steps_last']} of {barrier['steps']} steps, most of it in {late['phase']}, "
                  f"{1000 * late['cost_seconds']:.1f} ms a step", flush=True)  # fmt: skip
            if late["steps_last"] >= 0.95 * barrier["steps"]:
                break
        self.assertGreaterEqual(late["steps_last"], 0.95 * barrier["steps"])
        self.assertEqual(found["straggler"], LATE)
        self.assertEqual(late["phase"], phase)

    def test_DelayInTheData_isNamed(self):
        self.check_named("data")

    def test_DelayInTheForwardPass_isNamed(self):
        self.check_named("forward")

    def test_DelayInTheBackwardPass_isNamed(self):
        self.check_named("backward")

    def test_WithoutADelay_nobodyIsNamed(self):
        found = [self.gather(steps=300)["straggler"] for _ in range(TRIES)]
        print(f"without a delay: {found}", flush=True)
        self.assertGreater(found.count(None), TRIES // 2)

    def test_WrongLabels_areNamed(self):
        self.assertEqual(self.gather("--poison", 1, "--batch", 32, "--gradients-every", 1, "--rate", 0.0005, steps=60)["outlier"], 1)

    def test_SkewedData_biasTheLastLoss(self):
        self.gather("--skew", 3)
        losses = [[step["loss"] for step in file.steps] for file in read_run(self.folder)]
        biases = [last - statistics.fmean(losses[rank][step] for rank in range(4)) for step, last in enumerate(losses[3])]
        told = [loss for (loss,) in self.rows("SELECT loss_last - loss_mean FROM current_step ORDER BY step")]
        for bias, one in zip(biases, told):
            self.assertAlmostEqual(bias, one, places=12)
        self.assertLess(statistics.fmean(told[STEPS // 2 :]), -0.3)  # two classes are easier than ten

    def test_SameData_haveOneLossAndOneDirection(self):
        self.gather("--same-data")
        columns = zip(*self.rows("SELECT loss_last, loss_mean FROM current_step"))
        last, mean = (statistics.variance(column) for column in columns)
        self.assertAlmostEqual(last / mean, 1.0, places=6)
        cosines = self.rows("""SELECT sum(dot_mean) / sqrt(sum(squares) * sum(gradient_squares)) FROM tower_gradient
            JOIN gradient USING (branch, step, parameter) GROUP BY step, tower""")
        self.assertEqual(len(cosines), 4 * STEPS // 10)
        for (cosine,) in cosines:
            self.assertAlmostEqual(cosine, 1.0, places=6)


if __name__ == "__main__":
    unittest.main()
