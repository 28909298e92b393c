#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The examples run, and what they leave can be read."""

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from rank_files import phases, read_run
from ranks import RECORDER, torch

EXAMPLES = RECORDER / "examples"


def has(*modules):
    return unittest.skipUnless(all(importlib.util.find_spec(name) for name in modules), f"no {' or '.join(modules)}")


class Examples(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def run_program(self, *command):
        environment = {**os.environ, "PYTHONPATH": str(RECORDER / "src"), "OMP_NUM_THREADS": "1"}
        done = subprocess.run([sys.executable, *map(str, command)], env=environment, capture_output=True, text=True, timeout=600)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def torchrun(self, ranks, *command):
        self.run_program("-m", "torch.distributed.run", "--standalone", "--nproc-per-node", ranks, "--", *command)

    def check(self, ranks, steps, examples, first_step=0, every=10):
        files = read_run(self.folder)
        self.assertEqual(len(files), ranks)
        for file in files:
            self.assertEqual((file.damaged, file.torn, file.order_is_right()), ([], 0, True))
            self.assertEqual([step["step"] for step in file.steps], list(range(first_step, first_step + steps)))
            self.assertEqual(file.ends, [{"state": "finished", "text": ""}])
            for step in file.steps:
                self.assertEqual(step["examples"], examples)
                self.assertNotIn(-1, (step["forward"], step["backward"], step["arrival"], step["done"]))
                self.assertTrue(step["loss"] > 0 and step["learning_rate"] > 0)
            for step, _, mean in file.gradients:
                self.assertEqual(mean is not None, step // every % ranks == file.starts[0]["rank"])
        return files

    def test_Ddp_withAllItsOptions_isRecorded(self):
        self.torchrun(3, EXAMPLES / "ddp.py", "--run", self.folder, "--steps", 6, "--first-step", 10, "--batch", 5, "--width", 8,
                      "--delay", "data:0:30", "--delay", "forward:1:40:2", "--skew", 0, "--poison", 1,
                      "--clock-offset", "2:3600", "--gradients-every", 5)  # fmt: skip
        files = self.check(3, 6, 5, first_step=10, every=5)
        self.assertEqual(len({file.starts[0]["clock"] for file in files}), 2)
        self.assertAlmostEqual((files[2].steps[3]["done"] - files[0].steps[3]["done"]) / 1e9, 3600, delta=5)
        for step in files[0].steps[1:]:
            self.assertGreater(phases(step)["data"], 30)
        for step in files[1].steps[::2]:
            self.assertGreater(phases(step)["forward"], 40)
        self.assertEqual([step for step, _, _ in files[0].gradients], [10, 15])

    def test_Ddp_recordedOrNot_hasTheSameWeights(self):
        options = ["--run", self.folder, "--steps", 5, "--batch", 4, "--width", 8, "--same-data", "--save-weights"]
        self.torchrun(2, EXAMPLES / "ddp.py", *options, self.folder / "recorded")
        files = self.check(2, 5, 4)
        self.assertEqual([step["loss"] for step in files[0].steps][0], [step["loss"] for step in files[1].steps][0])
        shutil.rmtree(self.folder / "ranks")
        self.torchrun(2, EXAMPLES / "ddp.py", *options, self.folder / "plain", "--plain")
        self.assertEqual(read_run(self.folder), [])
        recorded, plain = (torch.load(self.folder / name) for name in ("recorded", "plain"))
        self.assertTrue(all(torch.equal(recorded[name], plain[name]) for name in plain))

    @has("transformers", "accelerate")
    def test_HuggingFace_isRecorded(self):
        self.torchrun(2, EXAMPLES / "hugging_face.py", self.folder, 12)
        for file in self.check(2, 12, 8):
            for step in file.steps:
                self.assertAlmostEqual(step["loss"], 3.7, delta=0.3)  # hardly trained: about log 50

    @has("lightning")
    def test_Lightning_isRecorded(self):
        self.run_program(EXAMPLES / "lightning_callback.py", self.folder, 2)
        self.check(2, 40, 8)

    @has("lightning")
    def test_Lightning_inTwoPasses_hasTheLossOfTheLast(self):
        sys.path.insert(0, str(EXAMPLES))
        from lightning_callback import Classifier, LockstepCallback, Trainer

        class Noting(Classifier):
            losses = []

            def training_step(self, batch, number):
                loss = super().training_step(batch, number)
                self.losses.append(loss.item())
                return loss

        data = torch.utils.data.TensorDataset(torch.randn(48, 8), torch.randint(2, (48,)))
        Trainer(accelerator="cpu", accumulate_grad_batches=2, max_epochs=1, callbacks=[LockstepCallback(self.folder)],
                logger=False, enable_checkpointing=False).fit(Noting(), torch.utils.data.DataLoader(data, batch_size=8))  # fmt: skip
        [file] = read_run(self.folder)
        self.assertEqual([step["loss"] for step in file.steps], Noting.losses[1::2])


if __name__ == "__main__":
    unittest.main()
