#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tests/house/joined_calls.py BUILD [folder…]: compiles, as BUILD does but unoptimised, every unit of joined
files of these folders (all of engine, app and ui) joined and file by file, and compares each function of the
two: its code, and the names that it refers to. A difference is a name that one file hides from another
(check_hidden_names.py finds most of them in a second). Prints each and fails. Minutes for the whole tree."""

import collections
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import struct
import subprocess
import sys
import tempfile

INCLUDED = re.compile(r'^#include "(.*)"', re.M)
OURS = re.compile(r'[.]text[.]_Z+NK?8lockstep')

Section = collections.namedtuple('Section', 'name kind offset size link info entry')


def functions_of(path):
    """By name: the code, and in order the names that it refers to. -ffunction-sections gives each a section."""
    data = path.read_bytes()
    offset, = struct.unpack_from('<Q', data, 40)
    size, count, names_at = struct.unpack_from('<HHH', data, 58)
    raw = [struct.unpack_from('<IIQQQQIIQQ', data, offset + i * size) for i in range(count)]
    if count == 0:  # more than fit into the field
        count = struct.unpack_from('<Q', data, offset + 32)[0]
        raw = [struct.unpack_from('<IIQQQQIIQQ', data, offset + i * size) for i in range(count)]
    if names_at == 0xffff:
        names_at = raw[0][6]

    def text(table, at):
        start = table[4] + at
        return data[start:data.index(b'\0', start)].decode()

    sections = [Section(text(raw[names_at], each[0]), each[1], each[4], each[5], each[6], each[7], each[9]) for each in raw]
    functions = {
        i: (each.name, data[each.offset:each.offset + each.size], [])
        for i, each in enumerate(sections) if OURS.match(each.name)}
    for each in sections:
        if each.kind != 4 or each.info not in functions:  # relocations with addends
            continue
        symbols = sections[each.link]
        for at in range(each.offset, each.offset + each.size, each.entry):
            _, info, _ = struct.unpack_from('<QQq', data, at)
            name_at, _, _, place = struct.unpack_from('<IBBH', data, symbols.offset + (info >> 32) * symbols.entry)
            name = text(raw[symbols.link], name_at)
            if not name and place < count:
                name = sections[place].name.removeprefix('.text.')
            functions[each.info][2].append(name if name.startswith('_Z') else '')
    return {name.removeprefix('.text.'): (code, names) for name, code, names in functions.values()}


def command_for(entry, source, target):
    """As the build compiles it, without what makes it fast."""
    words = shlex.split(entry['command'])
    kept = []
    skipped = False
    for word in words:
        if skipped or re.match(r'-O\w|-g|-M|-Winvalid-pch|-fpch', word) or word in ('-c', entry['file']):
            skipped = word in ('-MT', '-MF')
        elif word in ('-o', '-include'):
            skipped = True
        else:
            kept.append(word)
    return kept + ['-O0', '-w', '-ffunction-sections', '-o', str(target), '-c', str(source)]


def differences(entry):
    """Lines that say what is another one in the joined unit."""
    unit = pathlib.Path(entry['file'])
    files = INCLUDED.findall(unit.read_text())
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        def made(source):
            target = pathlib.Path(folder) / 'unit.o'
            subprocess.run(command_for(entry, source, target), cwd=entry['directory'], check=True)
            return functions_of(target)

        joined = made(unit)
        for file in files:
            for name, (code, names) in made(file).items():
                if name in joined and joined[name] != (code, names):
                    others = sorted((collections.Counter(names) - collections.Counter(joined[name][1])).elements())
                    what = f'does not call {", ".join(others)}' if others else 'has other code'
                    lines.append(f'{file}: {name} {what} when it is joined')
    return lines, len(files)


def main():
    build = pathlib.Path(sys.argv[1])
    entries = json.loads((build / 'compile_commands.json').read_text())
    folders = [build.resolve() / each for each in sys.argv[2:] or ('engine', 'app', 'ui')]
    units = [
        entry for entry in entries
        if re.search(r'/Unity/unity_\w*_cxx\.cxx$', entry['file'])
        and any(pathlib.Path(entry['file']).resolve().is_relative_to(each) for each in folders)]
    if not units:
        print(f'joined_calls.py: {build}: joins no files of {", ".join(map(str, folders))}', file=sys.stderr)
        return 1
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(differences, units))
    lines = [line for found, _ in results for line in found]
    if lines:
        filtered = subprocess.run(['c++filt'], input='\n'.join(lines) + '\n', text=True, capture_output=True, check=True)
        print(filtered.stdout, end='')
    else:
        print(f'joined_calls.py: {sum(count for _, count in results)} files call the same in {len(units)} units')
    return 1 if lines else 0


if __name__ == '__main__':
    sys.exit(main())
