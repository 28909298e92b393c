#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Photographs into batches: Lockstep and Pillow in turn, on the same files with the same crops, methods and colours.

    cmake --build build/release --target bench_photos
    python3 -m venv /tmp/pillow && /tmp/pillow/bin/pip install Pillow numpy
    /tmp/pillow/bin/python tests/benchmarks/peers/pillow_photos.py FOLDER [--rounds 5] [--seconds 2] [--build build/release]

FOLDER is an image_folder. What befalls each image is drawn by Lockstep (bench_photos draws) and told to Pillow, which
draws nothing. Pillow is given its best options: it decodes at a half, a quarter or an eighth where the crop keeps all
pixels that are wanted (draft), resizes out of the whole image (box=), and keeps to its 8 bits, with tables, until the
end. Its bilinear and bicubic filters are wider than TensorFlow's where an image becomes smaller; these images mostly
become larger. Other than Lockstep it decodes all of an image.
"""
import argparse
import json
import multiprocessing
import os
import statistics
import subprocess
import sys
import time

import numpy
import PIL
from PIL import Image, ImageStat, features

SIDE = 299
METHODS = {"bilinear": Image.Resampling.BILINEAR, "nearest": Image.Resampling.NEAREST,
           "bicubic": Image.Resampling.BICUBIC, "area": Image.Resampling.BOX}


VALUES = numpy.arange(256)


def table(values):
    return numpy.clip(numpy.rint(values), 0, 255).astype(int).tolist()


def scale_contrast(image, factor):
    tables = []
    for mean in ImageStat.Stat(image).mean:
        tables += table((VALUES - mean) * factor + mean)
    return image.point(tables)


def turn_hues(image, saturation, hue):
    shift = round(hue * 256)
    tables = ((VALUES + shift) % 256).tolist() + table(VALUES * saturation) + VALUES.tolist()
    return image.convert("HSV").point(tables).convert("RGB")


def distorted(draw):
    image = Image.open(draw["file"])
    left, top, right, bottom = draw["box"]
    whole = image.size
    # What the whole has to keep for the crop to keep what is wanted.
    image.draft("RGB", (whole[0] * SIDE // (right - left), whole[1] * SIDE // (bottom - top)))
    image = image.convert("RGB")
    across, down = image.width / whole[0], image.height / whole[1]
    box = (left * across, top * down, right * across, bottom * down)
    image = image.resize((SIDE, SIDE), METHODS[draw["method"]], box=box)
    if draw["flipped"]:
        image = image.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
    image = image.point(table(VALUES + 255 * draw["brightness"]) * 3)
    if draw["contrast_first"]:
        image = scale_contrast(image, draw["contrast"])
    image = turn_hues(image, draw["saturation"], draw["hue"])
    if not draw["contrast_first"]:
        image = scale_contrast(image, draw["contrast"])
    values = numpy.asarray(image, dtype=numpy.float32)
    values *= 2.0 / 255.0
    values -= 1.0
    return values


def time_pillow(draws, seconds):
    """Images a second of processor time, in whole rounds through the data."""
    images = 0
    begin, before = time.monotonic(), time.process_time()
    while time.monotonic() - begin < seconds:
        for draw in draws:
            distorted(draw)
        images += len(draws)
    return images / (time.process_time() - before), images / (time.monotonic() - begin)


def time_pillow_twice(pool, draws, seconds):
    return sum(wall for _, wall in pool.starmap(time_pillow, [(draws, seconds)] * 2))


def time_lockstep(program, folder, seconds, threads=None):
    mode = ["images", folder, str(seconds)] if threads is None else ["pipeline", folder, str(seconds), str(threads)]
    images, wall, processor = map(float, subprocess.check_output([program, *mode], text=True).split())
    return images / processor, images / wall


def summary(name, lockstep, pillow):
    ratios = [ours / theirs for ours, theirs in zip(lockstep, pillow)]
    print(f"{name:44} {statistics.median(lockstep):9.0f} {statistics.median(pillow):9.0f} "
          f"{statistics.median(ratios):7.2f}  ({min(ratios):.2f} to {max(ratios):.2f})")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--build", default="build/release")
    options = parser.parse_args()
    program = os.path.join(options.build, "bin/bench_photos")
    lines = subprocess.check_output([program, "draws", options.folder], text=True).splitlines()
    draws = [json.loads(line) for line in lines]
    sizes = [Image.open(draw["file"]).size for draw in draws]
    print(f"{len(draws)} images of {statistics.mean(w * h for w, h in sizes) / 1e6:.3f} megapixels on average to "
          f"{SIDE} x {SIDE}; Pillow {PIL.__version__} (libjpeg-turbo {features.version_feature('libjpeg_turbo')}); "
          f"{options.rounds} rounds of {options.seconds} s in turn, medians")
    ours, theirs, our_pipeline, their_pipeline = [], [], [], []
    with multiprocessing.Pool(2) as pool:
        for _ in range(options.rounds):
            ours.append(time_lockstep(program, options.folder, options.seconds)[0])
            theirs.append(time_pillow(draws, options.seconds)[0])
            our_pipeline.append(time_lockstep(program, options.folder, options.seconds, 2)[1])
            their_pipeline.append(time_pillow_twice(pool, draws, options.seconds))
    print(f"{'images/s':44} {'Lockstep':>9} {'Pillow':>9} {'ratio':>7}  (least to greatest)")
    summary("one thread, a second of processor time", ours, theirs)
    summary("pipeline of 2 threads | 2 processes, wall", our_pipeline, their_pipeline)


if __name__ == "__main__":
    sys.exit(main())
