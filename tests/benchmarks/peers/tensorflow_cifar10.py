#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times one training step of the cifar10 network in TensorFlow on a CPU: a peer of lockstep-train.

Same network, batch, SGD update with weight decay and moving average of the weights. TensorFlow is spared what
Lockstep's step does besides: the input is one batch that lies in memory (no pipeline, no distortions), nothing checks
that values are finite, and the weight decay is in the update only, not in the loss. Prints one JSON line per variant
(with "error" where one failed) and, last, the best of each precision.

  tensorflow_cifar10.py [--batch 128] [--seconds 5] [--threads N] [--precision float32,bfloat16]
  tensorflow_cifar10.py --serve --precision float32 --variant function,NHWC,band,float32

Modes: function: tf.function · xla: tf.function with jit_compile. Weights of bfloat16: float32 (TensorFlow itself
rewrites the graph) · cast (float32 variables, cast by hand: what Keras does under mixed_bfloat16).
Needs peer_program.py and cifar10_start.py beside it.
"""
import collections
import os
import sys

os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "1")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
import tensorflow as tf

import cifar10_start as start
import peer_program

Variant = collections.namedtuple("Variant", "mode layout norm weights")


def built_in_norm(x, band):
    # There is none for bfloat16.
    normalised = tf.nn.local_response_normalization(tf.cast(x, tf.float32), start.RADIUS, 1.0, start.ALPHA, start.BETA)
    return tf.cast(normalised, x.dtype)


def band_norm(x, band):
    """The same, its sums as a product with a band of ones."""
    return x * tf.pow(1.0 + start.ALPHA * tf.nn.conv2d(x * x, tf.cast(band, x.dtype), 1, "SAME"), -start.BETA)


def band_roots_norm(x, band):
    """The same, its power by two square roots: these are instructions, a power is a function."""
    root = tf.math.rsqrt(1.0 + start.ALPHA * tf.nn.conv2d(x * x, tf.cast(band, x.dtype), 1, "SAME"))
    return x * root * tf.sqrt(root)


NORMS = {"built-in": built_in_norm, "band": band_norm, "band-roots": band_roots_norm}


def initial_weights():
    """Name -> variable, in the order of TensorFlow: (row, column, input, output)."""
    variables = {}
    for name, (shape, values, bias) in start.weights().items():
        weights = tf.reshape(tf.constant(values, tf.float32), shape)
        if name == "local3":  # The images come as (row, column, channel).
            weights = tf.reshape(tf.transpose(tf.reshape(weights, (384, 64, 6, 6)), (0, 2, 3, 1)), shape)
        order = (2, 3, 1, 0) if len(shape) == 4 else (1, 0)
        variables[f"{name}.weight"] = tf.Variable(tf.transpose(weights, order))
        variables[f"{name}.bias"] = tf.Variable(tf.fill((shape[0],), bias))
    return variables


class Step:
    """The step of one variant: a call makes it and returns the loss, that of the weight decay left out."""

    def __init__(self, variant, batch, precision):
        is_rewritten = precision == "bfloat16" and variant.weights == "float32"
        tf.config.optimizer.set_experimental_options({"auto_mixed_precision_onednn_bfloat16": is_rewritten})
        self.type = tf.bfloat16 if variant.weights == "cast" else tf.float32
        self.norm = NORMS[variant.norm]
        self.weights = initial_weights()
        self.averages = {name: tf.Variable(value) for name, value in self.weights.items()}
        place = tf.range(64)
        near = tf.abs(place[:, None] - place[None, :]) <= start.RADIUS
        self.band = tf.reshape(tf.cast(near, tf.float32), (1, 1, 64, 64))
        images, labels = start.batch(batch)
        repeats = -(-batch // len(labels))
        images = tf.transpose(tf.reshape(tf.constant(images, tf.float32), (-1, 3, 24, 24)), (0, 2, 3, 1))
        self.images = tf.cast(tf.tile(images, (repeats, 1, 1, 1))[:batch], self.type)
        self.labels = tf.tile(tf.constant(labels), (repeats,))[:batch]
        self.step = tf.function(self.make_step, jit_compile=variant.mode == "xla")

    def logits(self, x):
        def weights(name):
            return tf.cast(self.weights[f"{name}.weight"], self.type), tf.cast(self.weights[f"{name}.bias"], self.type)

        def convolution(x, name):
            kernel, bias = weights(name)
            return tf.nn.bias_add(tf.nn.conv2d(x, kernel, 1, "SAME"), bias)

        def dense(x, name):
            matrix, bias = weights(name)
            return tf.nn.bias_add(tf.matmul(x, matrix), bias)

        # ReLU and pooling may change places: the same, with a quarter of the work for ReLU.
        x = self.norm(tf.nn.relu(tf.nn.max_pool2d(convolution(x, "conv1"), 3, 2, "SAME")), self.band)
        x = tf.nn.max_pool2d(self.norm(tf.nn.relu(convolution(x, "conv2")), self.band), 3, 2, "SAME")
        x = tf.nn.relu(dense(tf.reshape(x, (x.shape[0], 2304)), "local3"))
        return dense(tf.nn.relu(dense(x, "local4")), "softmax_linear")

    def make_step(self):
        with tf.GradientTape() as tape:
            logits = tf.cast(self.logits(self.images), tf.float32)
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(self.labels, logits))
        gradients = tape.gradient(loss, self.weights)
        for name, variable in self.weights.items():
            gradient = gradients[name]
            if name.removesuffix(".weight") in start.DECAYED:
                gradient += start.DECAY * variable
            new = variable - start.LEARNING_RATE * gradient
            average = self.averages[name]
            average.assign(average + (1.0 - start.AVERAGE_DECAY) * (new - average))
            variable.assign(new)
        return loss

    def __call__(self):
        return self.step().numpy()

    def loss(self):
        """Makes a step; its loss with that of the weight decay."""
        decay = sum(0.5 * start.DECAY * float(tf.reduce_sum(tf.square(self.weights[f"{name}.weight"])))
                    for name in start.DECAYED)
        return float(self()) + decay


class TensorFlow:
    name = f"TensorFlow {tf.__version__}"
    Variant = Variant
    longest = {}

    @staticmethod
    def modes(device):
        return ["function", "xla"]

    @staticmethod
    def variants_of(mode, precision, device):
        # XLA compiles the graph as it is written: nothing rewrites it.
        weights = {"float32": ["float32"], "bfloat16": ["cast"] if mode == "xla" else ["float32", "cast"]}
        return [Variant(mode, "NHWC", norm, kind) for norm in NORMS for kind in weights[precision]]

    @staticmethod
    def make_step(variant, batch, precision, device):
        return Step(variant, batch, precision)

    @staticmethod
    def time(step, seconds, variant, device):
        return peer_program.time_steps(step, seconds)

    @staticmethod
    def place(device):
        return "cpu"

    @staticmethod
    def set_up(arguments):
        if arguments.device != "cpu":
            sys.exit("tensorflow_cifar10.py: only --device cpu")
        tf.config.threading.set_intra_op_parallelism_threads(arguments.threads)
        tf.config.threading.set_inter_op_parallelism_threads(1)


if __name__ == "__main__":
    sys.exit(peer_program.main(__doc__, TensorFlow))
