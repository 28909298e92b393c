#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trains a ResNet-18 with DistributedDataParallel and records it. Three lines do that: those with "lockstep" or "run".

    torchrun --nproc-per-node 4 -- ddp.py --run runs/a
    torchrun --nproc-per-node 4 -- ddp.py --run runs/b --delay backward:2:20:2    rank 2 is late in every second step

Without the "--", torchrun takes --run for an option of its own.
"""

import argparse
import os
import time
from contextlib import nullcontext

import lockstep_recorder
import torch
import torchvision

CLASSES = 10


def arguments():
    parser = argparse.ArgumentParser(description="Trains a ResNet-18 with DistributedDataParallel and records it.")
    parser.add_argument("--run", default="runs/ddp", help="folder of the run")
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--first-step", type=int, default=0, help="number of the first step")
    parser.add_argument("--batch", type=int, default=8, help="examples that each rank takes a step")
    parser.add_argument("--size", type=int, default=32, help="pixels along the edge of an image")
    parser.add_argument("--data", help="folder of a folder of images for each class; else images are made")
    parser.add_argument("--width", type=int, default=64, help="channels of the first layer; those of ResNet-18 are 64")
    parser.add_argument("--rate", type=float, default=0.01, help="learning rate")
    parser.add_argument("--threads", type=int, default=1, help="processor threads of each rank")
    parser.add_argument("--delay", action="append", default=[], metavar="PHASE:RANK:MS[:EVERY]",
                        help="that rank sleeps in its data, forward or backward, in every EVERY-th step")  # fmt: skip
    parser.add_argument("--skew", type=int, metavar="RANK", help="that rank sees two classes only")
    parser.add_argument("--same-data", action="store_true", help="all ranks see the same examples")
    parser.add_argument("--poison", type=int, metavar="RANK", help="the labels of that rank are wrong")
    parser.add_argument("--clock-offset", action="append", default=[], metavar="RANK:SECONDS",
                        help="the clock of that rank is ahead, as on another machine")  # fmt: skip
    parser.add_argument("--gradients-every", type=int, default=10)
    parser.add_argument("--plain", action="store_true", help="without the recorder")
    parser.add_argument("--save-weights", metavar="FILE", help="where rank 0 leaves its weights")
    return parser.parse_args()


class MadeImages(torch.utils.data.Dataset):
    """A pattern for each class, under noise that is another one for each example."""

    def __init__(self, size):
        generator = torch.Generator().manual_seed(7)
        self.patterns = torch.nn.functional.interpolate(torch.randn(CLASSES, 3, 4, 4, generator=generator), size=size)
        # In no order: what a rank takes, every fourth, must not be of some classes only.
        self.targets = torch.randint(CLASSES, (50000,), generator=generator).tolist()

    def __len__(self):
        return len(self.targets)

    def __getitem__(self, number):
        noise = torch.randn(self.patterns.shape[1:], generator=torch.Generator().manual_seed(number))
        return self.patterns[self.targets[number]] + noise, self.targets[number]


def images(options):
    if options.data is None:
        return MadeImages(options.size)
    steps = [torchvision.transforms.Resize((options.size, options.size)), torchvision.transforms.ToTensor()]
    return torchvision.datasets.ImageFolder(options.data, torchvision.transforms.Compose(steps))


def batches(options, dataset, rank, ranks):
    """Endless: each rank's own examples in an order of its own."""
    own = range(len(dataset)) if options.same_data else range(rank, len(dataset), ranks)
    if options.skew == rank:
        own = [number for number in range(len(dataset)) if dataset.targets[number] < 2]
    generator = torch.Generator().manual_seed(0 if options.same_data else rank)
    while True:
        for chosen in torch.randperm(len(own), generator=generator).split(options.batch):
            pairs = [dataset[own[number]] for number in chosen.tolist()]
            yield torch.stack([image for image, _ in pairs]), torch.tensor([label for _, label in pairs])


class Delays:
    """Sleeps where --delay says so."""

    def __init__(self, texts, rank):
        self.step = 0
        self.planted = []
        for phase, who, milliseconds, *every in (text.split(":") for text in texts):
            if int(who) == rank:
                self.planted.append((phase, float(milliseconds) / 1000, int(every[0]) if every else 1))

    def sleep(self, here):
        for phase, seconds, every in self.planted:
            if phase == here and self.step % every == 0:
                time.sleep(seconds)


def network(options, delays):
    torch.manual_seed(1)
    model = torchvision.models.resnet18(num_classes=CLASSES)
    if options.width != 64:
        block, model.inplanes = torchvision.models.resnet.BasicBlock, options.width
        wide = [options.width << level for level in range(4)]
        model.conv1 = torch.nn.Conv2d(3, wide[0], 7, 2, 3, bias=False)
        model.bn1 = torch.nn.BatchNorm2d(wide[0])
        for level, channels in enumerate(wide):
            setattr(model, f"layer{level + 1}", model._make_layer(block, channels, 2, 1 if level == 0 else 2))
        model.fc = torch.nn.Linear(wide[3], CLASSES)
    # Towards the end of the passes: a rank that has slept computes what is left while others leave it their cores.
    model.avgpool.register_forward_pre_hook(lambda module, inputs: delays.sleep("forward"))
    model.layer1.register_full_backward_hook(lambda module, inputs, outputs: delays.sleep("backward"))
    return model


def main():
    options = arguments()
    torch.set_num_threads(options.threads)
    torch.distributed.init_process_group("nccl" if torch.cuda.is_available() else "gloo")
    rank, ranks = torch.distributed.get_rank(), torch.distributed.get_world_size()
    device = torch.device("cpu")
    if torch.cuda.is_available():
        device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
        torch.cuda.set_device(device)
    for ahead in (offset.split(":") for offset in options.clock_offset):
        if int(ahead[0]) == rank:
            os.environ["LOCKSTEP_RECORDER_CLOCK_OFFSET"] = str(round(float(ahead[1]) * 1e9))

    delays = Delays(options.delay, rank)
    dataset = images(options)
    model = torch.nn.parallel.DistributedDataParallel(network(options, delays).to(device))
    optimizer = torch.optim.SGD(model.parameters(), lr=options.rate, momentum=0.9)
    facts = {"model": "ResNet-18", "dataset": options.data or "made images", "batch": options.batch}
    with nullcontext() if options.plain else lockstep_recorder.Run(
        options.run, first_step=options.first_step, training_examples=len(dataset), **facts
    ) as run:
        if run:
            lockstep_recorder.attach(model, run, optimizer, gradients_every=options.gradients_every)
        source = batches(options, dataset, rank, ranks)
        for step in range(options.first_step, options.first_step + options.steps):
            delays.step = step
            delays.sleep("data")
            pixels, labels = (tensor.to(device) for tensor in next(source))
            if options.poison == rank:
                labels = (labels + CLASSES // 2) % CLASSES
            optimizer.zero_grad()
            scores = model(pixels)
            loss = torch.nn.functional.cross_entropy(scores, labels)
            loss.backward()
            optimizer.step()
            if run:
                run.step(loss=loss, examples=len(labels), correct=(scores.argmax(1) == labels).sum())
    if options.save_weights and rank == 0:
        torch.save(model.module.state_dict(), options.save_weights)
    torch.distributed.destroy_process_group()


if __name__ == "__main__":
    main()
