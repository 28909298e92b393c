#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times one training step of the cifar10 network in PyTorch: the peer that lockstep-train is measured against.

Same network, batch, loss (with weight decay), SGD update and moving average of the weights. The input is one
batch that lies in memory: PyTorch is spared the input pipeline. Prints one JSON line per variant and, last, the best.

  pytorch_cifar10.py [--batch 128] [--seconds 5] [--threads N] [--precision float32|bfloat16]
"""
import argparse
import json
import os
import time

import torch
import torch.nn.functional as F


class Cifar10(torch.nn.Module):
    def __init__(self):
        super().__init__()
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

    @staticmethod
    def norm(x):
        # PyTorch divides alpha by the size of the window, TensorFlow does not.
        return F.local_response_norm(x, 9, alpha=0.001, beta=0.75, k=1.0)

    def forward(self, x):
        x = self.norm(self.pool(F.relu(self.conv1(x))))
        x = self.pool(self.norm(F.relu(self.conv2(x))))
        x = F.relu(self.local3(torch.flatten(x, 1)))
        return self.softmax_linear(F.relu(self.local4(x)))


def step_function(model, forward, images, labels, autocast):
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

    return step


def measure(step, seconds, batch):
    for _ in range(3):
        step()
    times = []
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or len(times) < 5:
        start = time.perf_counter()
        step()
        times.append(time.perf_counter() - start)
    median = sorted(times)[len(times) // 2]
    return {"milliseconds_per_step": 1e3 * median, "examples_per_second": batch / median}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--precision", choices=["float32", "bfloat16"], default="float32")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(1)
    results = []
    for layout in (torch.contiguous_format, torch.channels_last):
        for mode in ("eager", "traced"):
            model = Cifar10().to(memory_format=layout)
            images = torch.randn(arguments.batch, 3, 24, 24).contiguous(memory_format=layout)
            labels = torch.randint(0, 10, (arguments.batch,))
            autocast = arguments.precision == "bfloat16"
            if mode == "traced" and autocast:
                continue
            forward = torch.jit.trace(model, images) if mode == "traced" else model
            result = measure(step_function(model, forward, images, labels, autocast), arguments.seconds, arguments.batch)
            result.update(framework=f"PyTorch {torch.__version__}", mode=mode, layout=str(layout),
                          batch=arguments.batch, threads=arguments.threads, precision=arguments.precision)
            print(json.dumps(result), flush=True)
            results.append(result)
    best = max(results, key=lambda result: result["examples_per_second"])
    print(json.dumps({"best": best}))


if __name__ == "__main__":
    main()
