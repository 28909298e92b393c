#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times one training step of the cifar10 network in PyTorch: the peer that lockstep-train is measured against.

Same network, batch, SGD update with weight decay and moving average of the weights. PyTorch is spared what
Lockstep's step does besides: the input is one batch that lies in memory (no pipeline, no distortions), nothing checks
that values are finite, and the weight decay is in the update only, not in the loss. Prints one JSON line per
variant (with "error" where one failed) and, last, the best of each batch and precision.

  pytorch_cifar10.py [--batch 128] [--seconds 5] [--threads N] [--precision float32,bfloat16]
  pytorch_cifar10.py --device cuda --batch 128,512 --precision float32,tf32,bfloat16 --seconds 0.5 --budget 240
  pytorch_cifar10.py --serve --precision bfloat16 --variant eager,channels_last,band,float32

Modes: eager · traced (CPU) · graph: the whole step captured into one CUDA graph · compile: torch.compile ·
compile-graph: torch.compile, and the whole step captured · autotune-graph: the same with mode max-autotune.
Weights of bfloat16: float32 (autocast) · bfloat16 (with float32 masters).
With --budget, what does not fit is left out and named; modes come one after another, so that every batch and precision
has a result early. Needs peer_program.py, pytorch_step.py and cifar10_start.py beside it.
"""
import itertools
import sys

import torch

import peer_program
from pytorch_step import NORMS, Step, Variant, captured, time_on_cuda


def is_cuda(device):
    return device.startswith("cuda")


def set_precision(precision):
    """float32 is true float32 only if both are told so."""
    torch.backends.cuda.matmul.allow_tf32 = precision == "tf32"
    torch.backends.cudnn.allow_tf32 = precision == "tf32"
    torch.backends.cudnn.benchmark = True


class PyTorch:
    name = f"PyTorch {torch.__version__}"
    Variant = Variant
    # A variant is not begun where fewer seconds are left.
    longest = {"compile": 30, "compile-graph": 30, "autotune-graph": 75}

    @staticmethod
    def modes(device):
        if is_cuda(device):
            return ["eager", "graph", "compile-graph", "autotune-graph", "compile"]
        return ["eager", "traced"] + (["compile"] if hasattr(torch, "compile") else [])

    @staticmethod
    def variants_of(mode, precision, device):
        norms = ["built-in", "band"] if is_cuda(device) else list(NORMS)
        layouts = ["contiguous_format", "channels_last"]
        if is_cuda(device) and precision != "float32":
            layouts = ["channels_last"]
        weights = ["float32", "bfloat16"] if precision == "bfloat16" else ["float32"]
        if mode in PyTorch.longest:
            # Compiling takes long: what is best without it, and all norms.
            layouts = layouts[-1:]
            weights = weights[-1:] if is_cuda(device) else weights
        if mode == "traced":
            weights = [kind for kind in weights if kind == precision]  # Autocast can't be traced.
        return [Variant(mode, *rest) for rest in itertools.product(layouts, norms, weights)]

    @staticmethod
    def make_step(variant, batch, precision, device):
        set_precision(precision)
        return Step(variant, batch, precision, device)

    @staticmethod
    def time(step, seconds, variant, device):
        if not is_cuda(device):
            return peer_program.time_steps(step, seconds)
        return time_on_cuda(captured(step) if variant.mode.endswith("graph") else step, seconds)

    @staticmethod
    def place(device):
        return torch.cuda.get_device_name(device) if is_cuda(device) else "cpu"

    @staticmethod
    def set_up(arguments):
        if is_cuda(arguments.device) and not torch.cuda.is_available():
            sys.exit("pytorch_cifar10.py: PyTorch finds no GPU")
        torch.set_num_threads(arguments.threads)


if __name__ == "__main__":
    sys.exit(peer_program.main(__doc__, PyTorch))
