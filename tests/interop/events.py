#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads the event files of a folder with nothing but Python, verifies every checksum, lists the tags.

usage: events.py FOLDER
Prints a line `KIND TAG COUNT` for each tag: how many values of it hold, those left out that a later
start took back. Fails, naming file and offset, if a record is damaged.
"""
import os
import struct
import sys


def crc_table():
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)  # Castagnoli's polynomial, reversed
        table.append(byte)
    return table


TABLE = crc_table()


def masked_crc(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ TABLE[(crc ^ byte) & 0xFF]
    crc ^= 0xFFFFFFFF
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def records(path):
    data = open(path, "rb").read()
    offset = 0
    while offset + 12 <= len(data):
        length, length_crc = struct.unpack_from("<QI", data, offset)
        if masked_crc(data[offset:offset + 8]) != length_crc:
            sys.exit(f"{path}: the length of the record at byte {offset} does not match its checksum")
        if offset + 12 + length + 4 > len(data):
            break
        payload = data[offset + 12:offset + 12 + length]
        if struct.unpack_from("<I", data, offset + 12 + length)[0] != masked_crc(payload):
            sys.exit(f"{path}: the record at byte {offset} does not match its checksum")
        yield payload
        offset += 12 + length + 4
    if offset < len(data):
        print(f"{path}: the last record is torn, {len(data) - offset} bytes", file=sys.stderr)


def varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 0x7F) << shift
        shift, at = shift + 7, at + 1
        if data[at - 1] < 0x80:
            return value, at


def fields(message):
    """Number and value of each field of a protocol buffer message."""
    at = 0
    while at < len(message):
        key, at = varint(message, at)
        kind = key & 7
        if kind == 0:
            value, at = varint(message, at)
        elif kind == 2:
            length, at = varint(message, at)
            value, at = message[at:at + length], at + length
        else:
            length = {1: 8, 5: 4}[kind]
            value, at = struct.unpack_from("<d" if kind == 1 else "<f", message, at)[0], at + length
        yield key >> 3, value


def tag_of(value):
    found = dict(fields(value))
    kind = {2: "scalars", 4: "images", 5: "histograms"}[next(n for n in found if n in (2, 4, 5))]
    if kind == "images":
        assert dict(fields(found[4]))[4].startswith(b"\x89PNG\r\n"), "an image is no PNG"
    return f"{kind} {found[1].decode()}"


def main(folder):
    steps = {}
    count = 0
    for name in sorted(name for name in os.listdir(folder) if "tfevents" in name):
        for number, payload in enumerate(records(os.path.join(folder, name))):
            event = dict(fields(payload))
            step = event.get(2, 0)
            count += 1
            if number == 0:
                assert event[3] == b"brain.Event:2", f"{name} does not begin with its version"
            if 7 in event and dict(fields(event[7]))[1] == 1:  # a start
                for tag in steps:
                    steps[tag] = [each for each in steps[tag] if each < step]
            for _, value in fields(event.get(5, b"")):
                steps.setdefault(tag_of(value), []).append(step)
    for tag in sorted(steps):
        print(tag, len(steps[tag]))
    print(f"{count} records, all checksums right", file=sys.stderr)


main(*sys.argv[1:])
