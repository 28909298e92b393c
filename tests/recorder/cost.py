#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the recorder costs. A ResNet-18 trains, its steps are recorded and not recorded in turn: two DistributedDataParallel
share it, since two networks differ by a percent in time for where their memory happens to lie. Both are made anew every
forty pairs, so that where the buckets lie is averaged, too."""

import argparse
import gc
import statistics
import tempfile

from ranks import run_ranks, timed, torch

import lockstep_recorder
import torchvision

EVERY = 10
ROUND = 4 * EVERY
FIRST = 4  # steps that arrange the buckets


def cost(rank, ranks, folder):
    """The seconds of each pair of steps: recorded, and not."""
    generator = torch.Generator().manual_seed(rank)
    images = torch.randn(options.images, 3, 32, 32, generator=generator)
    labels = torch.randint(10, (options.images,), generator=generator)
    network = torchvision.models.resnet18(num_classes=10)
    optimizer = torch.optim.SGD(network.parameters(), lr=0.01, momentum=0.9)

    def trainer(run):
        model = torch.nn.parallel.DistributedDataParallel(network, gradient_as_bucket_view=options.views)
        if run:
            lockstep_recorder.attach(model, run, optimizer, gradients_every=EVERY)

        def step():
            optimizer.zero_grad()
            scores = model(images)
            loss = torch.nn.functional.cross_entropy(scores, labels)
            loss.backward()
            optimizer.step()
            if run:
                run.step(loss=loss, examples=len(labels))

        return step

    pairs = []
    while len(pairs) < options.pairs:
        with lockstep_recorder.Run(f"{folder}/{len(pairs)}") as run:
            recorded, plain = trainer(run), trainer(None)
            for number in range(FIRST + ROUND):
                if number % 2:
                    pair = (timed(recorded), timed(plain))
                else:
                    pair = (timed(plain), timed(recorded))[::-1]
                if number >= FIRST:
                    pairs.append((number, *pair))
        del recorded, plain
        gc.collect()
    return pairs


parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--ranks", type=int, default=2)
parser.add_argument("--pairs", type=int, default=ROUND)
parser.add_argument("--images", type=int, default=32, help="a step of a rank")
parser.add_argument("--views", action="store_true", help="gradient_as_bucket_view")
options = parser.parse_args()


def median_of_ratios(pairs, clock):
    return statistics.median(on[clock] / off[clock] for on, off in pairs)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        all_usual = []
        for rank, pairs in enumerate(run_ranks(cost, options.ranks, folder)):
            usual = [(on, off) for number, on, off in pairs if number % EVERY]
            all_usual += usual
            measured = [(on, off) for number, on, off in pairs if not number % EVERY]
            print(f"rank {rank} of {options.ranks}: {len(usual)} pairs of steps without gradients, {len(measured)} with")
            for clock, name in enumerate(("of the clock", "of the processor")):
                alone = statistics.median(off[clock] for _, off in usual)
                more = 1000 * statistics.median(on[clock] - off[clock] for on, off in measured)
                print(f"  seconds {name}: {alone:.4f} not recorded; recorded {median_of_ratios(usual, clock):.4f} times "
                      f"that; with gradients {median_of_ratios(measured, clock):.4f} times, {more:.1f} ms more")  # fmt: skip
        print(f"all {len(all_usual)} pairs: recorded {median_of_ratios(all_usual, 0):.4f} times by the clock, "
              f"{median_of_ratios(all_usual, 1):.4f} by the processor")  # fmt: skip
