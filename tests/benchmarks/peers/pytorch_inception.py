#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times one training step of Inception v3 in PyTorch: the peer of bench --model inception_v3.

The network of torchvision's inception_v3 with its auxiliary head, written out with torch alone, so that it is the same
whether torchvision is there or not: 1001 outputs, and at 1000 the 27,161,264 parameters of torchvision's, which is
checked. Lockstep's has 27,145,970 at 1001 outputs, where this has 27,164,082: here normalisations also scale (18,112
gammas). As in Lockstep, dropout keeps 0.8 and the mean of a neighbourhood leaves out the padding. The step: both losses with smoothed labels, RMSProp with momentum and weight decay,
moving average of the weights, all parameters in one piece of memory. PyTorch is spared the input pipeline, the moving
average of the moments, the loss of the weight decay, and the check that values are finite. Prints one JSON line per
variant (with "error" where one failed) and, last, the best of each batch and precision.

  pytorch_inception.py --device cuda --batch 64,256 --precision bfloat16,tf32,float32 --seconds 1 --budget 240
  pytorch_inception.py --batch 2 --size 107 --modes eager

Modes: eager · graph: the whole step captured into one CUDA graph · compile: torch.compile, of the update, too ·
compile-graph · and autotune-graph: the same with mode max-autotune. Weights of bfloat16: float32 (autocast) · bfloat16
(with float32 masters; normalisations stay float32). Needs peer_program.py, pytorch_step.py, pytorch_cifar10.py and
cifar10_start.py beside it.
"""
import gc
import itertools
import sys

import torch
import torch.nn.functional as F

import peer_program
from pytorch_cifar10 import PyTorch, is_cuda, set_precision
from pytorch_step import Variant, compiled

OUTPUTS = 1001
TORCHVISION_PARAMETERS = 27_161_264  # at 1000 outputs
LEARNING_RATE = 0.01
DECAY = 0.9
MOMENTUM = 0.9
RMSPROP_EPSILON = 1.0
WEIGHT_DECAY = 4e-5
AVERAGE_DECAY = 0.9999
SMOOTHING = 0.1
AUXILIARY_WEIGHT = 0.4
DROPOUT = 0.2
MOMENT_DECAY = 0.9997
EPSILON = 0.001
DEVIATION = 0.1
SMALLEST = 75
ALIGNMENT = 64  # of a parameter, in elements


class Convolution(torch.nn.Module):
    """Convolution, batch norm, ReLU. Padding None: as many cells come out as go in."""

    def __init__(self, inputs, outputs, kernel=(1, 1), stride=1, padding=None):
        super().__init__()
        self.stride = stride
        self.padding = (kernel[0] // 2, kernel[1] // 2) if padding is None else padding
        self.channels = outputs
        self.weight = torch.nn.Parameter(torch.empty(outputs, inputs, *kernel).normal_(0.0, DEVIATION))
        self.scale = torch.nn.Parameter(torch.ones(outputs))
        self.offset = torch.nn.Parameter(torch.zeros(outputs))
        self.register_buffer("mean", torch.zeros(outputs))
        self.register_buffer("variance", torch.ones(outputs))

    def forward(self, x):
        x = F.conv2d(x, self.weight, stride=self.stride, padding=self.padding)
        x = F.batch_norm(x, self.mean, self.variance, self.scale, self.offset, training=True,
                         momentum=1.0 - MOMENT_DECAY, eps=EPSILON)
        return F.relu(x, inplace=True)


class Chain(torch.nn.Sequential):
    """Convolutions one after the other, each (outputs, kernel, stride, padding) or shorter."""

    def __init__(self, inputs, *filters):
        layers = []
        for each in filters:
            layers.append(Convolution(inputs, *each))
            inputs = each[0]
        super().__init__(*layers)
        self.channels = inputs


class PooledChain(Chain):
    def forward(self, x):
        return super().forward(F.avg_pool2d(x, 3, 1, 1, count_include_pad=False))


class Halving(torch.nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.channels = channels

    def forward(self, x):
        return F.max_pool2d(x, 3, 2)


class Branches(torch.nn.Module):
    """What each branch makes, side by side."""

    def __init__(self, *branches):
        super().__init__()
        self.branches = torch.nn.ModuleList(branches)
        self.channels = sum(branch.channels for branch in branches)

    def forward(self, x):
        return torch.cat([branch(x) for branch in self.branches], 1)


class Fork(torch.nn.Module):
    """A chain that ends in a row and a column side by side."""

    def __init__(self, inputs, *filters):
        super().__init__()
        self.chain = Chain(inputs, *filters)
        self.ends = Branches(Convolution(self.chain.channels, 384, (1, 3)), Convolution(self.chain.channels, 384, (3, 1)))
        self.channels = self.ends.channels

    def forward(self, x):
        return self.ends(self.chain(x))


THREE, ROW, COLUMN = (3, 3), (1, 7), (7, 1)


def block35(inputs, pooled):
    return Branches(Chain(inputs, (64,)), Chain(inputs, (48,), (64, (5, 5))),
                    Chain(inputs, (64,), (96, THREE), (96, THREE)), PooledChain(inputs, (pooled,)))


def reduction17(inputs):
    return Branches(Chain(inputs, (384, THREE, 2, 0)), Chain(inputs, (64,), (96, THREE), (96, THREE, 2, 0)),
                    Halving(inputs))


def block17(inputs, inner):
    return Branches(Chain(inputs, (192,)), Chain(inputs, (inner,), (inner, ROW), (192, COLUMN)),
                    Chain(inputs, (inner,), (inner, COLUMN), (inner, ROW), (inner, COLUMN), (192, ROW)),
                    PooledChain(inputs, (192,)))


def reduction8(inputs):
    return Branches(Chain(inputs, (192,), (320, THREE, 2, 0)),
                    Chain(inputs, (192,), (192, ROW), (192, COLUMN), (192, THREE, 2, 0)), Halving(inputs))


def block8(inputs):
    return Branches(Chain(inputs, (320,)), Fork(inputs, (384,)), Fork(inputs, (448,), (384, THREE)),
                    PooledChain(inputs, (192,)))


class Head(torch.nn.Module):
    """The logits, as float32."""

    def __init__(self, inputs, outputs, deviation):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.empty(outputs, inputs).normal_(0.0, deviation))
        self.bias = torch.nn.Parameter(torch.zeros(outputs))

    def forward(self, x):
        return F.linear(x, self.weight).float() + self.bias


def middle_side(side):
    """Cells a side of the map that the auxiliary head reads: 17 of 299."""
    side = (side - 1) // 2 - 2
    side = (side - 1) // 2 - 2
    return ((side - 1) // 2 - 1) // 2


class InceptionV3(torch.nn.Module):
    def __init__(self, side, outputs=OUTPUTS):
        super().__init__()
        self.stem = torch.nn.Sequential(
            Convolution(3, 32, THREE, 2, 0), Convolution(32, 32, THREE, 1, 0), Convolution(32, 64, THREE), Halving(64),
            Convolution(64, 80), Convolution(80, 192, THREE, 1, 0), Halving(192))
        self.blocks35 = torch.nn.Sequential(block35(192, 32), block35(256, 64), block35(288, 64))
        self.blocks17 = torch.nn.Sequential(reduction17(288), block17(768, 128), block17(768, 160), block17(768, 160),
                                            block17(768, 192))
        self.blocks8 = torch.nn.Sequential(reduction8(768), block8(1280), block8(2048))
        # Below 299 the windows are what there is, as Lockstep's are.
        self.window = min(5, middle_side(side))
        rest = (middle_side(side) - self.window) // 3 + 1
        self.auxiliary = Chain(768, (128,), (768, (rest, rest), 1, 0))
        self.auxiliary_head = Head(768, outputs, 0.001)
        self.head = Head(2048, outputs, 0.01)

    def forward(self, x):
        middle = self.blocks17(self.blocks35(self.stem(x)))
        pooled = F.avg_pool2d(middle, self.window, 3)
        auxiliary = self.auxiliary_head(torch.flatten(self.auxiliary(pooled), 1))
        top = torch.flatten(F.adaptive_avg_pool2d(self.blocks8(middle), 1), 1)
        return self.head(F.dropout(top, DROPOUT)), auxiliary


def update_all(masters, gradients, squares, momenta, averages, decayed):
    """One step of all parameters; the first `decayed` elements are of weights that decay."""
    gradients[:decayed].add_(masters[:decayed], alpha=WEIGHT_DECAY)
    squares.mul_(DECAY).addcmul_(gradients, gradients, value=1.0 - DECAY)
    momenta.mul_(MOMENTUM).addcdiv_(gradients, (squares + RMSPROP_EPSILON).sqrt_(), value=LEARNING_RATE)
    masters.sub_(momenta)
    averages.lerp_(masters, 1.0 - AVERAGE_DECAY)


def copy_all(to, sources):
    if hasattr(torch, "_foreach_copy_"):
        torch._foreach_copy_(to, sources)
        return
    for target, source in zip(to, sources):
        target.copy_(source)


class Update:
    """RMSProp, weight decay and moving average. Parameters are taken into one piece of memory for each purpose, so that
    each operation is one kernel; with is_half the weights that decay are bfloat16 beside float32 masters."""

    def __init__(self, model, is_half, compile_mode=None):
        parameters = list(model.parameters())
        weights = [p for p in parameters if p.dim() > 1]
        self.parameters = weights + [p for p in parameters if p.dim() <= 1]
        begins = [0]
        for parameter in self.parameters:
            begins.append(begins[-1] + -(-parameter.numel() // ALIGNMENT) * ALIGNMENT)
        self.decayed = begins[len(weights)]
        self.masters = torch.zeros(begins[-1], device=parameters[0].device)
        self.gradients, self.momenta = torch.zeros_like(self.masters), torch.zeros_like(self.masters)
        self.squares = torch.ones_like(self.masters)
        self.half = torch.zeros_like(self.masters[:self.decayed], dtype=torch.bfloat16) if is_half else None
        self.gradient_views = []
        for parameter, begin in zip(self.parameters, begins):
            shape, strides, values = parameter.shape, parameter.stride(), parameter.detach()
            self.gradient_views.append(torch.as_strided(self.gradients, shape, strides, begin))
            torch.as_strided(self.masters, shape, strides, begin).copy_(values)
            memory = self.half if is_half and begin < self.decayed else self.masters
            parameter.data = torch.as_strided(memory, shape, strides, begin).copy_(values)
        self.averages = self.masters.clone()
        self.update_all = update_all if compile_mode is None else compiled(update_all, compile_mode)

    @torch.no_grad()
    def __call__(self):
        copy_all(self.gradient_views, [p.grad for p in self.parameters])
        self.update_all(self.masters, self.gradients, self.squares, self.momenta, self.averages, self.decayed)
        if self.half is not None:
            self.half.copy_(self.masters[:self.decayed])
        for parameter in self.parameters:
            parameter.grad = None


class Step:
    """The step of one variant: a call enqueues it and returns the loss."""

    def __init__(self, variant, batch, precision, device, side):
        torch.manual_seed(1)
        layout = getattr(torch, variant.layout)
        is_half = variant.weights == "bfloat16"
        compile_mode = variant.mode if variant.mode.startswith(("compile", "autotune")) else None
        model = InceptionV3(side).to(device=device, memory_format=layout)
        self.update = Update(model, is_half, compile_mode)
        images = 2.0 * torch.rand(batch, 3, side, side, device=device) - 1.0
        self.images = images.to(torch.bfloat16 if is_half else torch.float32).contiguous(memory_format=layout)
        self.labels = torch.randint(1, OUTPUTS, (batch,), device=device)
        autocast = precision == "bfloat16" and not is_half

        def loss_of(x, labels):
            with torch.autocast(x.device.type, dtype=torch.bfloat16, enabled=autocast, cache_enabled=False):
                logits, auxiliary = model(x)
            loss = F.cross_entropy(logits, labels, label_smoothing=SMOOTHING)
            return loss + AUXILIARY_WEIGHT * F.cross_entropy(auxiliary, labels, label_smoothing=SMOOTHING)

        self.loss_of = loss_of if compile_mode is None else compiled(loss_of, compile_mode)

    def __call__(self):
        loss = self.loss_of(self.images, self.labels)
        loss.backward()
        self.update()
        return loss

    def loss(self):
        return float(self().detach())


class PyTorchInception(PyTorch):
    side = 299
    # A variant is not begun where fewer seconds are left.
    longest = {"compile": 80, "compile-graph": 80, "autotune-graph": 300}

    @staticmethod
    def add_arguments(parser):
        parser.add_argument("--size", type=int, default=PyTorchInception.side, help=f"of the images, {SMALLEST} or more")

    @staticmethod
    def set_up(arguments):
        PyTorch.set_up(arguments)
        if arguments.size < SMALLEST:
            sys.exit(f"pytorch_inception.py: --size {arguments.size}: of less than {SMALLEST} no cell is left")
        count = sum(p.numel() for p in InceptionV3(299, 1000).parameters())
        if count != TORCHVISION_PARAMETERS:
            sys.exit(f"pytorch_inception.py: {count} parameters are not torchvision's {TORCHVISION_PARAMETERS}")
        PyTorchInception.side = arguments.size

    @staticmethod
    def modes(device):
        return [mode for mode in PyTorch.modes(device) if mode != "traced"]

    @staticmethod
    def variants_of(mode, precision, device):
        layouts = ["contiguous_format", "channels_last"]
        if is_cuda(device) and precision != "float32":
            layouts = ["channels_last"]
        weights = ["float32", "bfloat16"] if precision == "bfloat16" else ["float32"]
        if is_cuda(device) and mode in PyTorchInception.longest:
            # Compiling takes long: what is best without it.
            layouts, weights = layouts[-1:], weights[-1:]
        return [Variant(mode, layout, "batch", kind) for layout, kind in itertools.product(layouts, weights)]

    @staticmethod
    def make_step(variant, batch, precision, device):
        gc.collect()
        if is_cuda(device):
            torch.cuda.empty_cache()
        set_precision(precision)
        return Step(variant, batch, precision, device, PyTorchInception.side)


if __name__ == "__main__":
    sys.exit(peer_program.main(__doc__, PyTorchInception))
