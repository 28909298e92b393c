#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a folder of photographs for run.sh, with Python alone: DIR/train and DIR/val, two classes, stripes across and
stripes down, each in colours and widths of its own, so that what a layer normalises differs from image to image.

  photos.py DIR [IMAGES]   of each class and split; default 8
"""
import pathlib
import random
import struct
import sys
import zlib

SIDE = 160
CLASSES = ("across", "down")


def chunk(kind, content):
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def png(rows):
    """The file of an image of 8-bit colours; rows of bytes."""
    header = struct.pack(">IIBBBBB", len(rows[0]) // 3, len(rows), 8, 2, 0, 0, 0)
    pixels = zlib.compress(b"".join(b"\0" + row for row in rows), 1)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


def rows_of(label, dice):
    """Stripes of two colours, and a frame of a third, of other width on each side."""
    colours = [bytes(dice.randrange(256) for _ in range(3)) for _ in range(3)]
    width = dice.randrange(3, 40)
    top, bottom, left, right = (dice.randrange(1, SIDE // 3) for _ in range(4))

    def colour(x, y):
        if not (left <= x < SIDE - right and top <= y < SIDE - bottom):
            return colours[2]
        return colours[((y, x)[label] // width) % 2]

    return [b"".join(colour(x, y) for x in range(SIDE)) for y in range(SIDE)]


def main(folder, images="8"):
    dice = random.Random(1)
    for split in ("train", "val"):
        for label, name in enumerate(CLASSES):
            place = pathlib.Path(folder, split, name)
            place.mkdir(parents=True, exist_ok=True)
            for number in range(int(images)):
                (place / f"{number:03}.png").write_bytes(png(rows_of(label, dice)))


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(*sys.argv[1:])
