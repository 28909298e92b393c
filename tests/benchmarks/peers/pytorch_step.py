# SPDX-License-Identifier: Apache-2.0
"""One training step of the cifar10 network in PyTorch, and how it is timed; see pytorch_cifar10.py."""
import collections
import time

import torch
import torch.nn.functional as F

import cifar10_start as start

# mode, layout: see pytorch_cifar10.py; norm: of NORMS; weights: float32, or bfloat16 with float32 masters.
Variant = collections.namedtuple("Variant", "mode layout norm weights")


def built_in_norm(x, band):
    # PyTorch divides by the size of the window itself.
    size = 2 * start.RADIUS + 1
    return F.local_response_norm(x, size, alpha=start.ALPHA * size, beta=start.BETA, k=1.0)


def band_norm(x, band):
    """The same, its sums as a product with a band of ones: matrix units do them."""
    return x * torch.pow(1.0 + start.ALPHA * F.conv2d(x * x, band), -start.BETA)


def band_roots_norm(x, band):
    """The same, its power by two square roots: these are instructions, a power is a function."""
    root = torch.rsqrt(1.0 + start.ALPHA * F.conv2d(x * x, band))
    return x * root * torch.sqrt(root)


NORMS = {"built-in": built_in_norm, "band": band_norm, "band-roots": band_roots_norm}


class Cifar10(torch.nn.Module):
    def __init__(self, norm=built_in_norm):
        super().__init__()
        self.norm = norm
        place = torch.arange(64)
        band = ((place[:, None] - place[None, :]).abs() <= start.RADIUS).float()
        self.register_buffer("band", band[:, :, None, None])
        for name, (shape, values, bias) in start.weights().items():
            outputs, inputs, *window = shape
            layer = torch.nn.Conv2d(inputs, outputs, 5, padding=2) if window else torch.nn.Linear(inputs, outputs)
            with torch.no_grad():
                layer.weight.copy_(torch.tensor(values).reshape(shape))
                layer.bias.fill_(bias)
            self.add_module(name, layer)

    @staticmethod
    def pool(x):
        # TensorFlow's SAME for an even size: the last window goes one beyond the bottom and the right.
        return F.max_pool2d(x, 3, 2, ceil_mode=True)

    def forward(self, x):
        # ReLU and pooling may change places: the same, with a quarter of the work for ReLU.
        x = self.norm(F.relu(self.pool(self.conv1(x)), inplace=True), self.band)
        x = self.pool(self.norm(F.relu(self.conv2(x), inplace=True), self.band))
        x = F.relu(self.local3(torch.flatten(x, 1)), inplace=True)
        return self.softmax_linear(F.relu(self.local4(x), inplace=True))


class FlatUpdate:
    """SGD with weight decay and moving average for all parameters at once; float32 masters where the model's weights
    are bfloat16."""

    def __init__(self, model):
        named = list(model.named_parameters())
        self.parameters = [p for _, p in named]
        self.is_half = self.parameters[0].dtype == torch.bfloat16
        with torch.no_grad():
            self.masters = [p.detach().float() for p in self.parameters] if self.is_half else self.parameters
            self.averages = [p.detach().float().clone() for p in self.parameters]
        decayed = [f"{name}.weight" for name in start.DECAYED]
        self.decayed = [m for (name, _), m in zip(named, self.masters) if name in decayed]

    @torch.no_grad()
    def __call__(self):
        gradients = [p.grad for p in self.parameters]
        if self.is_half:
            gradients = [g.float() for g in gradients]
        torch._foreach_mul_(self.decayed, 1.0 - start.LEARNING_RATE * start.DECAY)
        torch._foreach_add_(self.masters, gradients, alpha=-start.LEARNING_RATE)
        if hasattr(torch, "_foreach_lerp_"):
            torch._foreach_lerp_(self.averages, self.masters, 1.0 - start.AVERAGE_DECAY)
        else:
            torch._foreach_mul_(self.averages, start.AVERAGE_DECAY)
            torch._foreach_add_(self.averages, self.masters, alpha=1.0 - start.AVERAGE_DECAY)
        if self.is_half:
            for parameter, master in zip(self.parameters, self.masters):
                parameter.copy_(master)
        for parameter in self.parameters:
            parameter.grad = None

    @torch.no_grad()
    def decay_loss(self):
        return sum(0.5 * start.DECAY * float(m.square().sum()) for m in self.decayed)


def compiled(function, mode):
    torch._dynamo.reset()
    options = {"mode": "max-autotune-no-cudagraphs"} if mode.startswith("autotune") else {}
    return torch.compile(function, dynamic=False, **options)


class Step:
    """The step of one variant: a call enqueues it and returns the loss, that of the weight decay left out."""

    def __init__(self, variant, batch, precision, device):
        layout = getattr(torch, variant.layout)
        dtype = torch.bfloat16 if variant.weights == "bfloat16" else torch.float32
        model = Cifar10(NORMS[variant.norm]).to(device=device, dtype=dtype, memory_format=layout)
        images, labels = start.batch(batch)
        repeats = -(-batch // len(labels))
        images = torch.tensor(images).reshape(-1, 3, 24, 24).repeat(repeats, 1, 1, 1)[:batch].to(device, dtype)
        self.images = images.contiguous(memory_format=layout)
        self.labels = torch.tensor(labels).repeat(repeats)[:batch].to(device)
        autocast = precision == "bfloat16" and variant.weights == "float32"
        forward = torch.jit.trace(model, self.images) if variant.mode == "traced" else model

        def loss_of(x, y):
            with torch.autocast(x.device.type, dtype=torch.bfloat16, enabled=autocast, cache_enabled=False):
                logits = forward(x)
            return F.cross_entropy(logits.float(), y)

        is_compiled = variant.mode.startswith(("compile", "autotune"))
        self.loss_of = compiled(loss_of, variant.mode) if is_compiled else loss_of
        self.update = FlatUpdate(model)

    def __call__(self):
        loss = self.loss_of(self.images, self.labels)
        loss.backward()
        self.update()
        return loss

    def loss(self):
        """Makes a step; its loss with that of the weight decay."""
        decay = self.update.decay_loss()
        return float(self().detach()) + decay


def captured(step):
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            step()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        step()
    return graph.replay


def time_on_cuda(step, seconds):
    """Seconds of a step by groups of steps, each between two events, sorted; a group is long enough for the clock."""

    def group(count):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        for _ in range(count):
            step()
        end.record()
        end.synchronize()
        return 1e-3 * begin.elapsed_time(end) / count

    warm_until = time.perf_counter() + max(0.3, seconds / 4)
    while time.perf_counter() < warm_until:
        single = group(3)
    count = max(1, round(0.01 / single))
    times = []
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or len(times) < 5:
        times.append(group(count))
    return sorted(times)
