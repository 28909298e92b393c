#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times one training step of a network of torchvision's: the peer of bench --model resnet50 and its like.

The step: cross entropy, SGD with momentum and weight decay of all weights at once, moving average of the weights. PyTorch
is spared the input pipeline, the moving average of the moments and the check that values are finite. Prints one JSON line
per variant (with "error" where one failed) and, last, the best of each batch and precision.

  pytorch_torchvision.py --model resnet50 --batch 16 --precision float32,bfloat16

Modes: eager · traced · compile: torch.compile. Weights of bfloat16: float32 (autocast) · bfloat16 (with bfloat16 momenta
and averages, which costs PyTorch less than Lockstep's float32 ones). Needs peer_program.py, pytorch_cifar10.py,
pytorch_step.py and cifar10_start.py beside it.
"""
import itertools
import sys

import torch
import torchvision

import peer_program
from pytorch_cifar10 import PyTorch, is_cuda, set_precision
from pytorch_step import Variant, compiled

CLASSES = 1000
AVERAGE_DECAY = 0.9999


class Step:
    """The step of one variant: a call enqueues it and returns the loss."""

    def __init__(self, variant, batch, precision, device, name, size):
        torch.manual_seed(1)
        layout = getattr(torch, variant.layout)
        dtype = torch.bfloat16 if variant.weights == "bfloat16" else torch.float32
        model = torchvision.models.get_model(name, weights=None).to(device=device, dtype=dtype, memory_format=layout)
        self.parameters = list(model.parameters())
        self.averages = [p.detach().clone() for p in self.parameters]
        self.optimizer = torch.optim.SGD(model.parameters(), 0.01, momentum=0.9, weight_decay=1e-4, foreach=True)
        images = torch.randn(batch, 3, size, size, device=device, dtype=dtype)
        self.images = images.contiguous(memory_format=layout)
        self.labels = torch.randint(0, CLASSES, (batch,), device=device)
        autocast = precision == "bfloat16" and variant.weights == "float32"
        forward = torch.jit.trace(model, self.images) if variant.mode == "traced" else model

        def loss_of(x, labels):
            with torch.autocast(x.device.type, dtype=torch.bfloat16, enabled=autocast, cache_enabled=False):
                logits = forward(x)
            return torch.nn.functional.cross_entropy(logits.float(), labels)

        self.loss_of = compiled(loss_of, variant.mode) if variant.mode == "compile" else loss_of

    def __call__(self):
        loss = self.loss_of(self.images, self.labels)
        loss.backward()
        self.optimizer.step()
        self.optimizer.zero_grad()
        with torch.no_grad():
            torch._foreach_lerp_(self.averages, self.parameters, 1.0 - AVERAGE_DECAY)
        return loss

    def loss(self):
        return float(self().detach())


class Torchvision(PyTorch):
    longest = {"compile": 120}
    model = size = None

    @staticmethod
    def add_arguments(parser):
        parser.add_argument("--model", default="resnet50", help="of torchvision.models")
        parser.add_argument("--size", type=int, default=224, help="of the images")

    @staticmethod
    def set_up(arguments):
        PyTorch.set_up(arguments)
        Torchvision.model, Torchvision.size = arguments.model, arguments.size

    @staticmethod
    def modes(device):
        return ["eager", "compile"] if is_cuda(device) else ["eager", "traced", "compile"]

    @staticmethod
    def variants_of(mode, precision, device):
        weights = ["float32", "bfloat16"] if precision == "bfloat16" else ["float32"]
        layouts = ["channels_last"] if mode == "compile" else ["channels_last", "contiguous_format"]
        if mode == "traced":
            weights = [kind for kind in weights if kind == precision]  # Autocast can't be traced.
        return [Variant(mode, layout, "batch", kind) for layout, kind in itertools.product(layouts, weights)]

    @staticmethod
    def make_step(variant, batch, precision, device):
        set_precision(precision)
        return Step(variant, batch, precision, device, Torchvision.model, Torchvision.size)


if __name__ == "__main__":
    sys.exit(peer_program.main(__doc__, Torchvision))
