#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Computes the cifar10 network from exported weights in plain NumPy and compares with Lockstep.

usage: logits.py WEIGHTS.safetensors TEST_BATCH.bin LOGITS.csv CORRECT
LOGITS.csv is what `lockstep-train evaluate --logits` wrote, CORRECT the number of test images that
`evaluate` found right. Fails if a logit differs by more than 1e-4 or the number differs.
"""
import json
import sys

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view


def read_safetensors(path):
    data = open(path, "rb").read()
    begin = 8 + int.from_bytes(data[:8], "little")
    header = json.loads(data[8:begin])
    header.pop("__metadata__", None)
    return {name: np.frombuffer(data[begin:][slice(*tensor["data_offsets"])], "<f4").reshape(tensor["shape"])
            for name, tensor in header.items()}


def read_images(path):
    records = np.fromfile(path, np.uint8).reshape(-1, 1 + 3 * 32 * 32)
    return records[:, 1:].reshape(-1, 3, 32, 32)[:, :, 4:28, 4:28].astype(np.float64), records[:, 0]


def standardized(images):
    mean, deviation = images.mean((1, 2, 3), keepdims=True), images.std((1, 2, 3), keepdims=True)
    return ((images - mean) / np.maximum(deviation, images[0].size**-0.5)).astype(np.float32)


def convolution(x, w, b):  # stride 1, padding "same", ReLU
    windows = sliding_window_view(np.pad(x, ((0, 0), (0, 0), (2, 2), (2, 2))), (5, 5), (2, 3))
    n, c, height, width = windows.shape[:4]
    columns = windows.transpose(0, 2, 3, 1, 4, 5).reshape(n * height * width, c * 25)
    y = columns @ w.reshape(len(w), -1).T + b
    return np.maximum(y, 0).reshape(n, height, width, len(w)).transpose(0, 3, 1, 2)


def pool(x):  # 3x3, stride 2, padding "same": the odd cell goes to the bottom and right
    padded = np.pad(x, ((0, 0), (0, 0), (0, 1), (0, 1)), constant_values=-np.inf)
    return sliding_window_view(padded, (3, 3), (2, 3))[:, :, ::2, ::2].max((4, 5))


def normalization(x):  # local response, 4 channels to either side
    squares = sliding_window_view(np.pad(x * x, ((0, 0), (4, 4), (0, 0), (0, 0))), 9, 1).sum(-1)
    return x / (1 + 0.001 / 9 * squares)**np.float32(0.75)


def logits(x, p):
    x = normalization(pool(convolution(x, p["conv1.weight"], p["conv1.bias"])))
    x = pool(normalization(convolution(x, p["conv2.weight"], p["conv2.bias"])))
    x = x.reshape(len(x), -1)
    for layer in ("local3", "local4"):
        x = np.maximum(x @ p[layer + ".weight"].T + p[layer + ".bias"], 0)
    return x @ p["softmax_linear.weight"].T + p["softmax_linear.bias"]


def main(weights, batch, csv, correct):
    parameters = read_safetensors(weights)
    images, labels = read_images(batch)
    ours = np.concatenate([logits(standardized(images[i:i + 100]), parameters) for i in range(0, len(images), 100)])
    theirs = np.loadtxt(csv, delimiter=",", skiprows=1, ndmin=2)
    assert (theirs[:, 1] == labels[theirs[:, 0].astype(int)]).all(), "the labels differ"
    difference = np.abs(ours[theirs[:, 0].astype(int)] - theirs[:, 2:]).max()
    right = int((ours.argmax(1) == labels).sum())
    print(f"logits of {len(theirs)} images: largest difference {difference:.1e}; {right} of {len(labels)} images right")
    assert difference < 1e-4, f"the logits differ by {difference}"
    assert right == int(correct), f"lockstep-train evaluate says {correct} right, this is {right}"


main(*sys.argv[1:])
