#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The recorder on DistributedDataParallel: what the model computes stays the same in every bit, and what lands in the
file is true."""

import copy
import math
import pickle
import shutil
import sys
import tempfile
import time
import unittest
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

from ranks import batch, run_ranks, small_network, torch

import lockstep_recorder
from fake_gpu import FakeGpu
from lockstep_recorder.clocks import CudaClock
from lockstep_recorder.ddp import Attachment
from rank_files import RankFile, phases, read_run
from torch.distributed.algorithms.ddp_comm_hooks.default_hooks import allreduce_hook, fp16_compress_hook

DDP = torch.nn.parallel.DistributedDataParallel
cross_entropy = torch.nn.functional.cross_entropy


# What is to stay the same in every bit: options of DistributedDataParallel, and of train().
CASES = {
    "plain": ({}, {"steps": 100}),
    "fp16": ({}, {"steps": 100, "hook": fp16_compress_hook}),
    "views": ({"gradient_as_bucket_view": True}, {"steps": 10}),
    "views kept": ({"gradient_as_bucket_view": True}, {"steps": 10, "to_none": False}),
    "passes": ({}, {"steps": 10, "passes": 3}),
    "views of passes": ({"gradient_as_bucket_view": True}, {"steps": 10, "passes": 2}),
    "views kept of passes": ({"gradient_as_bucket_view": True}, {"steps": 10, "passes": 2, "to_none": False}),
    "static": ({"static_graph": True}, {"steps": 10}),
    "doubles": ({}, {"steps": 10, "dtype": torch.float64}),
    "halves": ({}, {"steps": 10, "dtype": torch.bfloat16}),
}


def train(rank, folder, recorded, options, steps, hook=None, to_none=True, passes=1, dtype=torch.float32, divides=False):
    """The bytes of weights and momentum after so many steps."""
    model = DDP(small_network().to(dtype), bucket_cap_mb=0.01, **options)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4)
    with lockstep_recorder.Run(folder) if recorded else nullcontext() as run:
        if recorded:
            lockstep_recorder.attach(model, run, optimizer, gradients_every=3, hook=hook)
        elif divides:
            model.register_comm_hook(None, allreduce_hook)
        elif hook:
            model.register_comm_hook(None, hook)
        for step in range(steps):
            optimizer.zero_grad(set_to_none=to_none)
            for number in range(passes):
                images, labels = batch(step * passes + number, rank)
                with nullcontext() if number == passes - 1 else model.no_sync():
                    loss = cross_entropy(model(images.to(dtype)), labels)
                    loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            if recorded:
                run.step(loss=loss, examples=len(labels))
    state = [*model.state_dict().values(), *(slot["momentum_buffer"] for slot in optimizer.state.values())]
    return b"".join(tensor.contiguous().reshape(-1).view(torch.uint8).numpy().tobytes() for tensor in state)


def same_bits(rank, ranks, folder):
    results = {}
    for name, (options, kinds) in CASES.items():
        first = train(rank, None, False, options, **kinds)
        second = train(rank, f"{folder}/{name}", True, options, **kinds)
        results[name] = first == second
    results["PyTorch's own hook"] = train(rank, None, False, {}, 100) == train(rank, None, False, {}, 100, divides=True)
    return results


def gradients(rank, ranks, folder):
    """Trains 7 steps; returns of those that are measured what the gradients are, computed without DistributedDataParallel."""
    model = DDP(small_network(), bucket_cap_mb=0.01)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    expected = {}
    with lockstep_recorder.Run(folder) as run:
        lockstep_recorder.attach(model, run, optimizer, gradients_every=3)
        for step in range(7):
            images, labels = batch(step, rank)
            alone = copy.deepcopy(model.module)
            cross_entropy(alone(images), labels).backward()
            mine = [weight.grad.double().flatten() for weight in alone.parameters()]
            mean = []
            for gradient in mine:
                everybody = [torch.empty_like(gradient) for _ in range(ranks)]
                torch.distributed.all_gather(everybody, gradient)
                mean.append(sum(everybody) / ranks)
            optimizer.zero_grad()
            cross_entropy(model(images), labels).backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 0.1)  # must not change what was measured
            optimizer.step()
            run.step()
            pairs = list(zip(alone.parameters(), model.module.parameters()))
            expected[step] = (
                [(float(g @ g), float(g @ m)) for g, m in zip(mine, mean)],
                [(float(m @ m), (before.double() ** 2).sum().item(), ((after.double() - before.double()) ** 2).sum().item())
                 for m, (before, after) in zip(mean, pairs)],
            )  # fmt: skip
    return expected, [name for name, _ in model.module.named_parameters()]


@dataclass
class Output:
    scores: torch.Tensor
    others: list


class Nested(torch.nn.Module):
    """Gives its scores within other things, and computes for a known time."""

    def __init__(self, wrap):
        super().__init__()
        self.first, self.second, self.wrap = torch.nn.Linear(4, 4), torch.nn.Linear(4, 2), wrap
        self.register_buffer("count", torch.zeros(1))

    def forward(self, values):
        hidden = self.first(values)
        if hidden.requires_grad:
            hidden.register_hook(lambda gradient: time.sleep(0.03))
        time.sleep(0.02)
        return self.wrap(self.second(hidden))


WRAPS = {
    "tensor": (lambda x: x, lambda x: x),
    "dictionary": (lambda x: {"a": [1, {"b": (x, None)}]}, lambda x: x["a"][1]["b"][0]),
    "dataclass": (lambda x: Output(x, [1]), lambda x: x.scores),
}


def nested(rank, ranks, folder):
    """Three steps of 20 ms forward and 30 ms backward for each kind of output; rank 1 comes 40 ms late to the forward."""
    for name, (wrap, unwrap) in WRAPS.items():
        model = DDP(Nested(wrap))
        with lockstep_recorder.Run(f"{folder}/{name}") as run:
            lockstep_recorder.attach(model, run)
            for _ in range(3):
                time.sleep(0.01 + 0.04 * (rank == 0))
                unwrap(model(torch.ones(2, 4))).sum().backward()
                time.sleep(0.005)
                run.step(learning_rate=0.5)
    network = Nested(wrap)
    DDP._set_params_and_buffers_to_ignore_for_model(network, ["second.bias"])
    model = DDP(network)
    with lockstep_recorder.Run(f"{folder}/passes") as run:
        lockstep_recorder.attach(model, run)
        for _ in range(3):
            with torch.no_grad():
                model(torch.ones(2, 4))  # an evaluation is not the forward pass of a step
            for number in range(2):
                with model.no_sync() if number == 0 else nullcontext():
                    unwrap(model(torch.ones(2, 4))).sum().backward()
            run.step(loss=torch.tensor(2.0), examples=torch.tensor(4))
    with mock.patch.object(lockstep_recorder.ddp._Products, "of", side_effect=RuntimeError("planted")):
        model = DDP(torch.nn.Linear(4, 4))
        with lockstep_recorder.Run(f"{folder}/broken") as run:
            lockstep_recorder.attach(model, run)
            model(torch.ones(2, 4)).sum().backward()
            pickle.loads(pickle.dumps(model.module))(torch.ones(2, 4))
            run.step()
    model(torch.ones(2, 4)).sum().backward()  # after the end of its run the model is as before


def fake_gpu(rank, ranks, folder):
    """Steps whose marks pass 30 ms after they were set: no call may wait for that."""
    model = DDP(small_network())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    slowest = 0.0
    with lockstep_recorder.Run(folder) as run:
        Attachment(model, run, optimizer, 2, None, None, clock=CudaClock(run.clock, None, FakeGpu(30_000_000, 1)))
        for step in range(8):
            images, labels = batch(step, rank)
            optimizer.zero_grad()
            loss = cross_entropy(model(images), labels)
            loss.backward()
            optimizer.step()
            began = time.perf_counter()
            run.step(loss=loss)
            slowest = max(slowest, time.perf_counter() - began)
            time.sleep(0.005)
    return slowest


def refusals(rank, ranks, folder):
    with lockstep_recorder.Run(folder) as run:
        try:
            lockstep_recorder.attach(torch.nn.Linear(1, 1), run)
        except TypeError as error:
            told = str(error)
        model = DDP(torch.nn.Linear(1, 1))
        model.register_comm_hook(None, allreduce_hook)
        try:
            lockstep_recorder.attach(model, run)
        except RuntimeError:
            run.event("a start without what attach() knows")
        try:
            lockstep_recorder.attach(DDP(torch.nn.Linear(1, 1)), run)
        except RuntimeError as error:
            return told, str(error)


class Ddp(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def check_bits(self, ranks):
        results = run_ranks(same_bits, ranks, self.folder)
        for rank, result in enumerate(results):
            own = result.pop("PyTorch's own hook")
            if ranks == 3:  # its division has other last bits: the test would see them
                self.assertFalse(own)
            self.assertEqual([name for name, same in result.items() if not same], [], f"rank {rank} of {ranks}")
        for name, (_, kinds) in CASES.items():
            files = read_run(self.folder / name)
            self.assertEqual(len({len(step["sums"]) for file in files for step in file.steps[2:]}), 1)
            for file in files:
                self.assertEqual((len(file.steps), file.damaged, file.order_is_right()), (kinds["steps"], [], True))
        print(f"{ranks} ranks: the same bits in {', '.join(CASES)}")

    def test_Weights_ofThreeRanks_areTheSameBits(self):
        self.check_bits(3)

    def test_Weights_ofFourRanks_areTheSameBits(self):
        self.check_bits(4)

    def test_Gradients_areThoseOfADirectComputation(self):
        results = run_ranks(gradients, 3, self.folder)
        worst = 0.0
        for rank, file in enumerate(read_run(self.folder)):
            expected, names = results[rank]
            self.assertEqual(file.starts[0]["parameters"], names)
            self.assertEqual([step for step, _, _ in file.gradients], [0, 3, 6])
            for step, own, mean in file.gradients:
                self.assertEqual(mean is not None, step // 3 % 3 == rank)
                for got, want in zip(own + (mean or []), expected[step][0] + (expected[step][1] if mean else [])):
                    largest = max(map(abs, want[:2]))
                    for a, b in zip(got, want):
                        self.assertAlmostEqual(a, b, delta=2e-6 * max(largest, abs(b)))
                        worst = max(worst, abs(a - b) / max(largest, abs(b), 1e-300))
        print(f"gradients: largest relative difference {worst:.1e}")

    def test_Times_ofNestedOutputs_areThoseOfTheModel(self):
        run_ranks(nested, 2, self.folder)
        for name in WRAPS:
            for rank, file in enumerate(read_run(self.folder / name)):
                self.assertTrue(file.order_is_right())
                for step in file.steps[1:]:
                    took = phases(step)
                    self.assertAlmostEqual(took["forward"] - took["waited"], 20, delta=8, msg=f"{name} {rank} {took}")
                    self.assertAlmostEqual(took["backward"], 30, delta=8, msg=f"{name} {rank} {took}")
                    self.assertGreater(took["data"], 10 + 40 * (rank == 0))
                    self.assertGreater(took["update"], 5)
                    self.assertEqual(step["learning_rate"], 0.5)
                    if rank == 1:  # waits for the buffers of rank 0
                        self.assertGreater(took["waited"], 25)
        for file in read_run(self.folder / "passes"):
            for step in file.steps[1:]:
                self.assertAlmostEqual(phases(step)["forward"] - phases(step)["waited"], 20, delta=8)
                self.assertGreater(phases(step)["data"], 20)
                self.assertGreater(phases(step)["backward"], 80)
                self.assertEqual((len(step["sums"]), step["loss"], step["examples"]), (1, 2.0, 4))
            [(_, own, mean)] = file.gradients
            self.assertEqual((own[0][0] > 0, own[3]), (True, (0, 0)))
            self.assertTrue(mean is None or math.isnan(mean[3][0]))
        for file in read_run(self.folder / "broken"):
            self.assertEqual((len(file.gradients), len(file.steps)), (0, 1))

    def test_Gpu_isNotWaitedFor(self):
        slowest = max(run_ranks(fake_gpu, 2, self.folder))
        self.assertLess(slowest, 0.02)
        for file in read_run(self.folder):
            self.assertEqual([step["step"] for step in file.steps], list(range(8)))
            self.assertEqual([step for step, _, _ in file.gradients], [0, 2, 4, 6])
            self.assertTrue(file.order_is_right())
            for step in file.steps:
                self.assertNotIn(-1, (step["forward"], step["backward"], step["arrival"], step["done"]))

    def test_OtherModels_areRefused(self):
        [(model, begun)] = run_ranks(refusals, 1, self.folder)
        self.assertEqual(model, "a DistributedDataParallel is needed, this is a Linear")
        self.assertIn("before the first step", begun)


if __name__ == "__main__":
    unittest.main()
