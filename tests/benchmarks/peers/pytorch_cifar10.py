#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times one training step of the cifar10 network in PyTorch: the peer that lockstep-train is measured against.

Same network, batch, SGD update with weight decay and moving average of the weights. PyTorch is spared what
Lockstep's step does besides: the input is one batch that lies in memory (no pipeline, no distortions), nothing checks
that values are finite, and on a GPU the weight decay is in the update only, not in the loss. Prints one JSON line per
variant (with "error" where one failed) and, last, the best of each batch and precision.

  pytorch_cifar10.py [--batch 128] [--seconds 5] [--threads N] [--precision float32|bfloat16]
  pytorch_cifar10.py --device cuda --batch 128,512 --precision float32,tf32,bfloat16 --seconds 0.5 --budget 240

Modes: eager · traced (CPU) · graph: the whole step captured into one CUDA graph · compile: torch.compile ·
compile-graph: torch.compile, and the whole step captured · autotune-graph: the same with mode max-autotune.
With --budget, what does not fit is left out and named; modes come one after another, so that every batch and precision
has a result early.
"""
import argparse
import collections
import itertools
import json
import os
import sys
import time

import torch
import torch.nn.functional as F

DECAYED = ("local3.weight", "local4.weight")
RADIUS = 4  # of the normalisation, in channels
# Seconds that a variant may take to compile: it is not begun where fewer are left.
LONGEST = {"compile": 30, "compile-graph": 30, "autotune-graph": 75}
Variant = collections.namedtuple("Variant", "mode layout norm weights")


def built_in_norm(x, band):
    # TensorFlow has 0.001 / 9 here: PyTorch divides by the size of the window itself.
    return F.local_response_norm(x, 2 * RADIUS + 1, alpha=0.001, beta=0.75, k=1.0)


def band_norm(x, band):
    """The same, its sums as a product with a band of ones: on a GPU the matrix units do them."""
    return x * torch.pow(1.0 + 0.001 / (2 * RADIUS + 1) * F.conv2d(x * x, band), -0.75)


NORMS = {"built-in": built_in_norm, "band": band_norm}


class Cifar10(torch.nn.Module):
    def __init__(self, norm=built_in_norm):
        super().__init__()
        self.norm = norm
        place = torch.arange(64)
        band = ((place[:, None] - place[None, :]).abs() <= RADIUS).float()
        self.register_buffer("band", band[:, :, None, None])
        self.conv1 = torch.nn.Conv2d(3, 64, 5, padding=2)
        self.conv2 = torch.nn.Conv2d(64, 64, 5, padding=2)
        self.local3 = torch.nn.Linear(2304, 384)
        self.local4 = torch.nn.Linear(384, 192)
        self.softmax_linear = torch.nn.Linear(192, 10)
        deviations = {"conv1": 0.05, "conv2": 0.05, "local3": 0.04, "local4": 0.04, "softmax_linear": 1 / 192}
        biases = {"conv1": 0.0, "conv2": 0.1, "local3": 0.1, "local4": 0.1, "softmax_linear": 0.0}
        for name, deviation in deviations.items():
            layer = getattr(self, name)
            torch.nn.init.trunc_normal_(layer.weight, std=deviation, a=-2 * deviation, b=2 * deviation)
            torch.nn.init.constant_(layer.bias, biases[name])

    @staticmethod
    def pool(x):
        # TensorFlow's SAME for an even size: the one padded row and column lie at the bottom and right.
        return F.max_pool2d(F.pad(x, (0, 1, 0, 1), value=float("-inf")), 3, 2)

    def forward(self, x):
        x = self.norm(self.pool(F.relu(self.conv1(x))), self.band)
        x = self.pool(self.norm(F.relu(self.conv2(x)), self.band))
        x = F.relu(self.local3(torch.flatten(x, 1)))
        return self.softmax_linear(F.relu(self.local4(x)))


def cpu_step(model, forward, images, labels, autocast):
    parameters = list(model.parameters())
    averages = [p.detach().clone() for p in parameters]
    optimizer = torch.optim.SGD(parameters, lr=0.1)

    def step():
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=autocast):
            logits = forward(images)
        decay = (model.local3.weight.square().sum() + model.local4.weight.square().sum()) * 0.002
        loss = F.cross_entropy(logits.float(), labels) + decay
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        with torch.no_grad():
            torch._foreach_mul_(averages, 0.999)
            torch._foreach_add_(averages, parameters, alpha=0.001)
        return loss

    return step


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
        self.decayed = [m for (name, _), m in zip(named, self.masters) if name in DECAYED]

    @torch.no_grad()
    def __call__(self):
        gradients = [p.grad for p in self.parameters]
        if self.is_half:
            gradients = [g.float() for g in gradients]
        torch._foreach_mul_(self.decayed, 1.0 - 0.1 * 0.004)
        torch._foreach_add_(self.masters, gradients, alpha=-0.1)
        torch._foreach_lerp_(self.averages, self.masters, 0.001)
        if self.is_half:
            torch._foreach_copy_(self.parameters, self.masters)
        for parameter in self.parameters:
            parameter.grad = None


def compiled(function, mode):
    torch._dynamo.reset()
    options = {"mode": "max-autotune-no-cudagraphs"} if mode.startswith("autotune") else {}
    return torch.compile(function, dynamic=False, **options)


def device_step(variant, model, images, labels, autocast):
    """The step as a function without arguments that enqueues it and returns the loss."""

    def loss_of(x, y):
        with torch.autocast(x.device.type, dtype=torch.bfloat16, enabled=autocast, cache_enabled=False):
            logits = model(x)
        return F.cross_entropy(logits.float(), y)

    loss_function = compiled(loss_of, variant.mode) if variant.mode.startswith(("compile", "autotune")) else loss_of
    update = FlatUpdate(model)

    def step():
        loss = loss_function(images, labels)
        loss.backward()
        update()
        return loss

    return step


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


def time_on_cpu(step, seconds):
    for _ in range(3):
        step()
    times = []
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or len(times) < 5:
        start = time.perf_counter()
        step()
        times.append(time.perf_counter() - start)
    return sorted(times)[len(times) // 2]


def time_on_cuda(step, seconds):
    """Median over groups of steps, each between two events; a group is long enough for the clock."""

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
    return sorted(times)[len(times) // 2]


def set_precision(precision):
    """float32 is true float32 only if both are told so."""
    torch.backends.cuda.matmul.allow_tf32 = precision == "tf32"
    torch.backends.cudnn.allow_tf32 = precision == "tf32"
    torch.backends.cudnn.benchmark = True


def measure(variant, batch, precision, arguments):
    is_cuda = arguments.device.startswith("cuda")
    set_precision(precision)
    torch.manual_seed(1)
    layout = getattr(torch, variant.layout)
    autocast = precision == "bfloat16" and variant.weights == "float32"
    dtype = torch.bfloat16 if variant.weights == "bfloat16" else torch.float32
    model = Cifar10(NORMS[variant.norm]).to(device=arguments.device, dtype=dtype, memory_format=layout)
    images = torch.randn(batch, 3, 24, 24).to(arguments.device, dtype).contiguous(memory_format=layout)
    labels = torch.randint(0, 10, (batch,)).to(arguments.device)
    if is_cuda or variant.mode.startswith("compile"):
        step = device_step(variant, model, images, labels, autocast)
    else:
        forward = torch.jit.trace(model, images) if variant.mode == "traced" else model
        step = cpu_step(model, forward, images, labels, autocast)
    first_loss = float(step().detach())
    if variant.mode.endswith("graph"):
        step = captured(step)
    seconds = time_on_cuda(step, arguments.seconds) if is_cuda else time_on_cpu(step, arguments.seconds)
    return {"milliseconds_per_step": 1e3 * seconds, "examples_per_second": batch / seconds, "first_loss": first_loss}


def variants_of(mode, precision, is_cuda):
    layouts = ["channels_last"] if is_cuda and precision != "float32" else ["contiguous_format", "channels_last"]
    norms = list(NORMS) if is_cuda else ["built-in"]
    weights = ["float32", "bfloat16"] if is_cuda and precision == "bfloat16" else ["float32"]
    if mode == "traced" and precision == "bfloat16":
        return []
    if mode in ("compile", "compile-graph", "autotune-graph") and is_cuda:
        # Compiling takes long: what is best without it, and both norms.
        layouts, weights = layouts[-1:], weights[-1:]
    return [Variant(mode, *rest) for rest in itertools.product(layouts, norms, weights)]


def run(variant, batch, precision, arguments):
    try:
        result = measure(variant, batch, precision, arguments)
    except Exception as error:  # One variant that a version can't do must not cost the others.
        result = {"error": f"{type(error).__name__}: {str(error).strip().splitlines()[0] if str(error) else ''}"}
    place = torch.cuda.get_device_name(arguments.device) if arguments.device.startswith("cuda") else "cpu"
    result.update(framework=f"PyTorch {torch.__version__}", **variant._asdict(), batch=batch, device=place,
                  threads=arguments.threads, precision=precision)
    return result


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    numbers = lambda text: [int(part) for part in text.split(",")]  # noqa: E731
    names = lambda text: text.split(",")  # noqa: E731
    parser.add_argument("--device", default="cpu", help="cpu, cuda or cuda:I")
    parser.add_argument("--batch", type=numbers, default=[128])
    parser.add_argument("--seconds", type=float, default=5.0, help="of each variant")
    parser.add_argument("--budget", type=float, default=float("inf"), help="seconds in all")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--precision", type=names, default=["float32"], help="float32, tf32 (CUDA), bfloat16")
    parser.add_argument("--modes", type=names, help="default: eager,traced on a CPU, all others on a GPU")
    arguments = parser.parse_args()
    if arguments.modes is None:
        arguments.modes = ["eager", "graph", "compile-graph", "autotune-graph", "compile"]
        if not arguments.device.startswith("cuda"):
            arguments.modes = ["eager", "traced"]
    return arguments


def jobs(arguments, best):
    """All (variant, batch, precision), in the order in which they are worth their time: where it must be compiled, the
    normalisation that was the best so far comes first."""
    is_cuda = arguments.device.startswith("cuda")
    for mode in arguments.modes:
        later = []
        for batch, precision in itertools.product(arguments.batch, arguments.precision):
            favourite = best.get((batch, precision), {}).get("norm")
            for variant in variants_of(mode, precision, is_cuda):
                if mode in LONGEST and favourite not in (None, variant.norm):
                    later.append((variant, batch, precision))
                else:
                    yield variant, batch, precision
        yield from later


def main():
    begin = time.monotonic()
    arguments = parse()
    torch.set_num_threads(arguments.threads)
    if arguments.device.startswith("cuda") and not torch.cuda.is_available():
        sys.exit("pytorch_cifar10.py: PyTorch finds no GPU")
    best = {}
    for variant, batch, precision in jobs(arguments, best):
        if time.monotonic() - begin + LONGEST.get(variant.mode, 0) > arguments.budget:
            result = {**variant._asdict(), "batch": batch, "precision": precision, "error": "no time left"}
        else:
            result = run(variant, batch, precision, arguments)
        print(json.dumps(result), flush=True)
        known = best.get((batch, precision), {"examples_per_second": 0.0})
        if "error" not in result and result["examples_per_second"] > known["examples_per_second"]:
            best[batch, precision] = result
    for result in best.values():
        print(json.dumps({"best": result}), flush=True)
    return 0 if len(best) == len(arguments.batch) * len(arguments.precision) else 1


if __name__ == "__main__":
    sys.exit(main())
