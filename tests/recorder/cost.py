#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the recorder costs: two ResNet-18 of one process train in turn, one of them recorded; cost.py [RANKS [PAIRS]]"""

import statistics
import sys
import tempfile

from ranks import run_ranks, timed, torch

import lockstep_recorder
import torchvision

EVERY = 10


def cost(rank, ranks, folder):
    """The seconds of each pair of steps: recorded, and not."""
    generator = torch.Generator().manual_seed(rank)
    images, labels = torch.randn(32, 3, 32, 32, generator=generator), torch.randint(10, (32,), generator=generator)

    def trainer(run):
        model = torch.nn.parallel.DistributedDataParallel(torchvision.models.resnet18(num_classes=10))
        optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
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
    with lockstep_recorder.Run(folder) as run:
        recorded, plain = trainer(run), trainer(None)
        for number in range(4 + cost.pairs):
            if number % 2:
                pair = (timed(recorded), timed(plain))
            else:
                pair = (timed(plain), timed(recorded))[::-1]
            pairs.append((number, *pair))
    return pairs[4:]


cost.pairs = int(sys.argv[2]) if len(sys.argv) > 2 else 100


def median_of_ratios(pairs, clock):
    return statistics.median(on[clock] / off[clock] for on, off in pairs)


if __name__ == "__main__":
    ranks = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    with tempfile.TemporaryDirectory() as folder:
        all_usual = []
        for rank, pairs in enumerate(run_ranks(cost, ranks, folder)):
            usual = [(on, off) for number, on, off in pairs if number % EVERY]
            all_usual += usual
            measured = [(on, off) for number, on, off in pairs if not number % EVERY]
            print(f"rank {rank} of {ranks}: {len(usual)} pairs of steps without gradients, {len(measured)} with")
            for clock, name in enumerate(("of the clock", "of the processor")):
                alone = statistics.median(off[clock] for _, off in usual)
                more = 1000 * statistics.median(on[clock] - off[clock] for on, off in measured)
                print(f"  seconds {name}: {alone:.4f} not recorded; recorded {median_of_ratios(usual, clock):.4f} times "
                      f"that; with gradients {median_of_ratios(measured, clock):.4f} times, {more:.1f} ms more")  # fmt: skip
        print(f"all {len(all_usual)} pairs: recorded {median_of_ratios(all_usual, 0):.4f} times by the clock, "
              f"{median_of_ratios(all_usual, 1):.4f} by the processor")  # fmt: skip
