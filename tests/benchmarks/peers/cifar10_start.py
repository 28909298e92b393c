# SPDX-License-Identifier: Apache-2.0
"""The weights and the batch that every peer starts from, and the constants of the network and its update.

Plain Python, so that each framework needs nothing but itself: lists of floats, always the same ones. Weights are in
the order of PyTorch (output, input, row, column), truncated normal as in the tutorial; the input is standard normal.
"""
import functools
import random

SHAPES = {"conv1": (64, 3, 5, 5), "conv2": (64, 64, 5, 5), "local3": (384, 2304), "local4": (192, 384),
          "softmax_linear": (10, 192)}
DEVIATIONS = {"conv1": 0.05, "conv2": 0.05, "local3": 0.04, "local4": 0.04, "softmax_linear": 1 / 192}
BIASES = {"conv1": 0.0, "conv2": 0.1, "local3": 0.1, "local4": 0.1, "softmax_linear": 0.0}
DECAYED = ("local3", "local4")
DECAY = 0.004  # times the weight is its gradient; half of its square is in the loss
LEARNING_RATE = 0.1
AVERAGE_DECAY = 0.999
RADIUS = 4  # of the normalisation, in channels
ALPHA = 0.001 / 9  # TensorFlow's: of each square in the window
BETA = 0.75
LARGEST_BATCH = 128


def truncated_normal(generator, count, deviation):
    values = []
    while len(values) < count:
        value = generator.gauss(0.0, 1.0)
        if abs(value) <= 2.0:
            values.append(value * deviation)
    return values


def count_of(shape):
    return functools.reduce(lambda product, size: product * size, shape, 1)


@functools.lru_cache(maxsize=None)
def weights():
    """Name -> (shape, values, value of the biases)."""
    generator = random.Random(1)
    return {name: (shape, truncated_normal(generator, count_of(shape), DEVIATIONS[name]), BIASES[name])
            for name, shape in SHAPES.items()}


@functools.lru_cache(maxsize=1)
def batch(size):
    """Images in the order (example, channel, row, column), and labels; of 128 examples at most: a larger batch repeats
    them."""
    generator = random.Random(2)
    images = [generator.gauss(0.0, 1.0) for _ in range(min(size, LARGEST_BATCH) * 3 * 24 * 24)]
    return images, [generator.randrange(10) for _ in range(min(size, LARGEST_BATCH))]
