#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times one training step of SegDecNet's segmentation in PyTorch: the peer of bench --model segdecnet.

The authors' network, SGD without momentum, and the moving average of the weights. A step trains the segmentation, as
the first phase of a run does. PyTorch is spared what Lockstep's step does besides: the decision network, whose loss
Lockstep reports in every phase, the input pipeline with resizing and masks, the moving moments of the normalisations,
and the check that values are finite. Prints one JSON line per variant (with "error" where one failed) and, last, the
best of each batch and precision.

  pytorch_segdecnet.py --device cuda --batch 1,4 --precision float32,tf32,bfloat16 --seconds 1 --budget 240
  pytorch_segdecnet.py --batch 1 --size 256x128 --modes eager

Modes: eager · graph: the whole step captured into one CUDA graph · compile: torch.compile · compile-graph · and
autotune-graph: the same with mode max-autotune. Norms: instance: the moments of each image, for any batch · batch: of
the whole batch, which at batch 1 is the same. Weights of bfloat16: float32 (autocast) · bfloat16 (with float32
masters). Needs peer_program.py, pytorch_step.py, pytorch_cifar10.py and cifar10_start.py beside it.
"""
import itertools
import sys

import torch
import torch.nn.functional as F

import peer_program
from pytorch_cifar10 import PyTorch, is_cuda, set_precision
from pytorch_step import Variant, compiled

LEARNING_RATE = 0.1
AVERAGE_DECAY = 0.9999
EPSILON = 0.001
DEVIATION = 0.01
# (kernel, channels) of each convolution; None: a pooling of 2 x 2.
LAYERS = [(5, 32), (5, 32), None, (5, 64), (5, 64), (5, 64), None, (5, 64), (5, 64), (5, 64), (5, 64), None,
          (15, 1024), (1, 1)]
MASK_CELLS = 8


def instance_norm(x, weight, bias):
    return F.instance_norm(x, weight=weight, bias=bias, use_input_stats=True, eps=EPSILON)


def batch_norm(x, weight, bias):
    return F.batch_norm(x, None, None, weight, bias, training=True, eps=EPSILON)


NORMS = {"instance": instance_norm, "batch": batch_norm}


class Segmentation(torch.nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.norm = norm
        self.convolutions = torch.nn.ModuleList()
        self.scales, self.offsets = torch.nn.ParameterList(), torch.nn.ParameterList()
        channels = 1
        for layer in filter(None, LAYERS):
            kernel, outputs = layer
            convolution = torch.nn.Conv2d(channels, outputs, kernel, padding=kernel // 2, bias=False)
            torch.nn.init.normal_(convolution.weight, 0.0, DEVIATION)
            self.convolutions.append(convolution)
            self.scales.append(torch.nn.Parameter(torch.ones(outputs)))
            self.offsets.append(torch.nn.Parameter(torch.zeros(outputs)))
            channels = outputs

    def forward(self, x):
        layers = zip(self.convolutions, self.scales, self.offsets)
        for layer in LAYERS:
            if layer is None:
                x = F.max_pool2d(x, 2, 2)
                continue
            convolution, scale, offset = next(layers)
            x = self.norm(convolution(x), scale, offset)
            if layer is not LAYERS[-1]:
                x = F.relu(x, inplace=True)
        return x


class Update:
    """SGD and the moving average for all parameters at once; float32 masters where the weights are bfloat16."""

    def __init__(self, model):
        self.parameters = list(model.parameters())
        self.is_half = self.parameters[0].dtype == torch.bfloat16
        with torch.no_grad():
            self.masters = [p.detach().float() for p in self.parameters] if self.is_half else self.parameters
            self.averages = [p.detach().float().clone() for p in self.parameters]

    @torch.no_grad()
    def __call__(self):
        gradients = [p.grad.float() if self.is_half else p.grad for p in self.parameters]
        torch._foreach_add_(self.masters, gradients, alpha=-LEARNING_RATE)
        torch._foreach_mul_(self.averages, AVERAGE_DECAY)
        torch._foreach_add_(self.averages, self.masters, alpha=1.0 - AVERAGE_DECAY)
        if self.is_half:
            torch._foreach_copy_(self.parameters, self.masters)
        for parameter in self.parameters:
            parameter.grad = None


class Step:
    """The step of one variant: a call enqueues it and returns the loss."""

    def __init__(self, variant, batch, precision, device, size):
        torch.manual_seed(1)
        layout = getattr(torch, variant.layout)
        dtype = torch.bfloat16 if variant.weights == "bfloat16" else torch.float32
        model = Segmentation(NORMS[variant.norm]).to(device=device, dtype=dtype, memory_format=layout)
        height, width = size
        self.images = torch.rand(batch, 1, height, width, device=device).to(dtype).contiguous(memory_format=layout)
        # As the labels are: few cells of a defect.
        cells = torch.rand(batch, 1, height // MASK_CELLS, width // MASK_CELLS, device=device)
        self.masks = (cells > 0.99).float()
        autocast = precision == "bfloat16" and variant.weights == "float32"

        def loss_of(x, masks):
            with torch.autocast(x.device.type, dtype=torch.bfloat16, enabled=autocast, cache_enabled=False):
                logits = model(x)
            return F.binary_cross_entropy_with_logits(logits.float(), masks)

        is_compiled = variant.mode.startswith(("compile", "autotune"))
        self.loss_of = compiled(loss_of, variant.mode) if is_compiled else loss_of
        self.update = Update(model)

    def __call__(self):
        loss = self.loss_of(self.images, self.masks)
        loss.backward()
        self.update()
        return loss

    def loss(self):
        return float(self().detach())


class PyTorchSegdecnet(PyTorch):
    size = (1408, 512)
    # A variant is not begun where fewer seconds are left.
    longest = {"compile": 40, "compile-graph": 40, "autotune-graph": 120}

    @staticmethod
    def add_arguments(parser):
        def size(text):
            return tuple(int(part) for part in text.split("x"))
        parser.add_argument("--size", type=size, default=PyTorchSegdecnet.size, help="height x width of the images")

    @staticmethod
    def set_up(arguments):
        PyTorch.set_up(arguments)
        PyTorchSegdecnet.size = arguments.size

    @staticmethod
    def modes(device):
        return [mode for mode in PyTorch.modes(device) if mode != "traced"]

    @staticmethod
    def variants_of(mode, precision, device):
        layouts = ["channels_last"] if is_cuda(device) and precision != "float32" else ["contiguous_format", "channels_last"]
        weights = ["float32", "bfloat16"] if precision == "bfloat16" else ["float32"]
        return [Variant(mode, *rest) for rest in itertools.product(layouts, NORMS, weights)]

    @staticmethod
    def make_step(variant, batch, precision, device):
        if variant.norm == "batch" and batch > 1:
            raise ValueError("the moments of a whole batch are those of each image at batch 1 only")
        set_precision(precision)
        return Step(variant, batch, precision, device, PyTorchSegdecnet.size)


if __name__ == "__main__":
    sys.exit(peer_program.main(__doc__, PyTorchSegdecnet))
