# SPDX-License-Identifier: Apache-2.0
"""What tests with PyTorch share: processes that are the ranks of a training on this machine."""

import os
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RECORDER = ROOT / "app" / "recorder"
sys.path.insert(0, str(RECORDER / "src"))

try:
    import torch
except ImportError:
    print("SKIP: this Python has no PyTorch (LOCKSTEP_INTEROP_PYTHON names one that has)")
    sys.exit(77)


def _rank(rank, work, ranks, meeting, folder):
    torch.set_num_threads(1)
    os.environ.update(RANK=str(rank), WORLD_SIZE=str(ranks))
    torch.distributed.init_process_group("gloo", init_method=f"file://{meeting}/meet", rank=rank, world_size=ranks)
    try:
        torch.save(work(rank, ranks, folder), Path(folder) / f"result-{rank}")
    finally:
        torch.distributed.destroy_process_group()


def run_ranks(work, ranks, folder):
    """Calls work(rank, ranks, folder) in `ranks` processes of gloo and returns what each has returned."""
    with tempfile.TemporaryDirectory() as meeting:
        torch.multiprocessing.spawn(_rank, (work, ranks, meeting, str(folder)), nprocs=ranks)
    return [torch.load(Path(folder) / f"result-{rank}", weights_only=False) for rank in range(ranks)]


def small_network(seed=1):
    """Convolutions, batch normalisation, and a layer that no loss needs to be told about."""
    torch.manual_seed(seed)
    nn = torch.nn
    return nn.Sequential(
        nn.Conv2d(3, 16, 3, padding=1, bias=False), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(16, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(), nn.AdaptiveAvgPool2d(2), nn.Flatten(),
        nn.Linear(128, 10),
    )  # fmt: skip


def batch(step, rank, size=4):
    generator = torch.Generator().manual_seed(1000 * step + rank)
    return torch.randn(size, 3, 8, 8, generator=generator), torch.randint(10, (size,), generator=generator)


def timed(work):
    """Seconds that work() takes, and those of the processor in it."""
    began, used = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - began, time.process_time() - used
