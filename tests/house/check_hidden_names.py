#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tests/house/check_hidden_names.py [root]: finds a name that one file hides from its neighbours.

Release builds join the files of a room to one (CMAKE_UNITY_BUILD), so that what stands in the anonymous
namespace of one file is there for those behind it, before anything of the namespace around it: their
call of lockstep::f() becomes one of that file's own f(), and where the types fit no compiler says a word.
Refused, in engine, app and ui, are the names of an anonymous namespace, and static functions, that a
header declares, too, which any file of the room sees; and functions that another file of the room has
for itself, too. Functions are let pass where no call fits both: by the number of their parameters, or a
class of ours in one's place of another's. Prints `file:line: reason` for each and fails.
joined_calls.py compares what both builds really call."""

import collections
import pathlib
import re
import sys

STRAY = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"([^()\s\\]{0,16})\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9A-Za-z_])\'(?:\\.|[^\'\\\n])+\'', re.S)
TOKEN = re.compile(r'[A-Za-z_]\w*|::|\[\[|\]\]|[0-9][\w.\']*|\S')
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.M)
DIRECTIVE = re.compile(r'^[ \t]*#(?:[^\n\\]|\\.)*(?:\\\n(?:[^\n\\]|\\.)*)*', re.M | re.S)
TYPES = {'class', 'struct', 'union', 'enum'}
OURS = re.compile(r'\b(?!Q[A-Z])[A-Z]\w*[a-z]\w*')


def blanked(match):
    return re.sub(r'[^\n]', ' ', match.group()) if match.group()[0] in '/#' else '""' + '\n' * match.group().count('\n')


def tokens_of(text):
    line = 1
    at = 0
    for match in TOKEN.finditer(text):
        line += text.count('\n', at, match.start())
        at = match.start()
        yield match.group(), line


def parameters_of(tokens):
    """The types of a function's parameters; `tokens` begin behind its bracket."""
    parts = [[]]
    depth = 0
    for token in tokens:
        depth += (token in '(<{[') - (token in ')>}]')
        if depth < 0:
            break
        if token == ',' and depth == 0:
            parts.append([])
        else:
            parts[-1].append(token)
    types = []
    for part in parts:
        is_optional = '=' in part
        words = [word for word in part[:part.index('=') if is_optional else None] if word not in ('const', '&', '*')]
        if len(words) > 1 and re.match(r'[A-Za-z_]', words[-1]) and words[-2] != '::':
            words.pop()
        if words and words != ['void']:
            types.append((''.join(words), is_optional))
    return tuple(types)


def may_be_taken_for(one, other):
    """Whether a call may fit both: not where a class of ours stands against another one."""
    if one is None or other is None:
        return True
    fewest = [sum(not is_optional for _, is_optional in each) for each in (one, other)]
    if fewest[0] > len(other) or fewest[1] > len(one):
        return False
    for (first, _), (second, _) in zip(one, other):
        ours = set(OURS.findall(first)), set(OURS.findall(second))
        if all(ours) and not ours[0] & ours[1]:
            return False
    return True


def name_of(statement):
    """The name that a declaration at namespace scope gives, and the parameters of a function."""
    words = []
    depth = 0
    for token, line in statement:
        if depth == 0 and token in ('[[', '<'):
            depth = 1
        elif depth > 0:
            depth += {'<': 1, '[[': 1, '(': 1, '>': -1, ']]': -1, ')': -1}.get(token, 0)
        else:
            words.append((token, line))
    if words and words[0][0] == 'template':
        words = words[1:]
    if not words or words[0][0] in ('static_assert', 'friend', 'extern'):
        return None
    texts = [token for token, _ in words]
    if texts[0] == 'using':
        return (words[1], None) if len(words) > 2 and texts[2] == '=' else None
    if texts[0] == 'namespace':
        return (words[1], None) if '=' in texts else None
    if texts[0] in TYPES:
        named = [word for word in words[1:3] if word[0] not in TYPES]
        is_defined = texts[1] in TYPES or texts[2:3] in (['{'], [':'], ['final'])
        return (named[0], None) if named and is_defined and re.match(r'\w', named[0][0]) else None
    for place, (token, line) in enumerate(words):
        if token in ('(', '=', '{', '[', ';') and place > 0:
            name = words[place - 1]
            is_member = place > 1 and texts[place - 2] == '::'
            is_name = re.match(r'[A-Za-z_]\w*$', name[0]) and 'operator' not in texts[:place]
            # A macro stands alone before its bracket, a declaration has a type.
            if not is_name or is_member or place < 2:
                return None
            every = [each for each, _ in statement]
            any_type = {second for first, second in zip(every, every[1:]) if first in ('typename', 'class', '...')}
            behind = ['auto' if each in any_type else each for each in every[statement.index(name) + 2:]]
            return name, parameters_of(behind) if token == '(' else None
    if len(words) > 1 and re.match(r'[A-Za-z_]\w*$', texts[-1]) and texts[-2] != '::':
        return words[-1], None
    return None


Name = collections.namedtuple('Name', 'name line space is_local parameters')


def names_of(text):
    """Those that stand at namespace scope."""
    scopes = []  # a namespace's name, '' for an anonymous one, None for any other brace
    statement = []
    skipped = 0
    for token, line in tokens_of(text):
        if skipped > 0:
            skipped += {'{': 1, '}': -1}.get(token, 0)
            # What a type or function has within ends the statement, unless more of it follows.
            if skipped == 0 and is_body:
                statement = []
            continue
        if token == '{':
            texts = [each for each, _ in statement]
            if 'namespace' in texts:
                spaces = [each for each in texts[texts.index('namespace') + 1:] if re.match(r'\w', each)]
                scopes.append(spaces or [''])
                statement = []
            elif texts[:1] == ['extern']:
                scopes.append([])
                statement = []
            else:
                found = name_of(statement + [(token, line)])
                if found:
                    yield made(found, scopes, texts)
                is_body = True
                skipped = 1
            continue
        if token == '}':
            if scopes:
                scopes.pop()
            statement = []
            continue
        if token == ';':
            found = name_of(statement + [(token, line)]) if statement else None
            if found:
                yield made(found, scopes, [each for each, _ in statement])
            statement = []
            continue
        statement.append((token, line))


def made(found, scopes, texts):
    (name, line), parameters = found
    path = [space for scope in scopes for space in scope]
    is_static = 'static' in texts[:2] and parameters is not None
    return Name(name, line, tuple(space for space in path if space), '' in path or is_static, parameters)


class Tree:
    def __init__(self, root):
        self.root = pathlib.Path(root)
        self.files = {}
        for folder in ('engine', 'app', 'ui'):
            for path in sorted((self.root / folder).rglob('*')):
                if path.suffix in ('.h', '.cpp', '.cuh'):
                    self.read(path)
        self.seen = {}

    def read(self, path):
        text = path.read_text(encoding='utf-8')
        plain = STRAY.sub(blanked, text)
        self.files[path.relative_to(self.root)] = (
            INCLUDE.findall(text),
            list(names_of(DIRECTIVE.sub(blanked, plain))))

    def headers_of(self, path):
        """All that a file includes, and what they include."""
        if path not in self.seen:
            self.seen[path] = set()
            for name in self.files[path][0]:
                places = [path.parent / name] + [pathlib.Path(each) / name for each in ('engine', 'ui', 'app', 'app/train', '.')]
                for place in places:
                    place = pathlib.Path(*place.parts)
                    if place in self.files:
                        self.seen[path] |= {place} | self.headers_of(place)
                        break
        return self.seen[path]

    def faults(self):
        rooms = collections.defaultdict(list)
        for path in self.files:
            if path.suffix == '.cpp':
                # A program of app is joined whole.
                room = pathlib.Path(*path.parts[:2]) if path.parts[0] == 'app' else path.parent
                rooms[room].append(path)
        for files in rooms.values():
            yield from self.faults_of(files)

    def faults_of(self, files):
        own = {path: self.headers_of(path) for path in files}
        declared = collections.defaultdict(list)
        for header in sorted(set().union(*own.values())):
            for name in self.files[header][1]:
                if not name.is_local:
                    declared[name.name, name.space].append((header, name))
        local = collections.defaultdict(list)
        for path in files:
            for name in self.files[path][1]:
                if name.is_local:
                    others = local[name.name, name.space]
                    for other, same in others:
                        # Two of one kind would not compile.
                        if other != path and name.parameters is not None and may_be_taken_for(name.parameters, same.parameters):
                            yield f'{path}:{name.line}: {name.name} is also in {other}:{same.line}, which is joined with this file'
                    others.append((path, name))
                    if len(files) > 1:
                        for depth in range(len(name.space) + 1):
                            for header, hidden in declared[name.name, name.space[:depth]]:
                                if may_be_taken_for(name.parameters, hidden.parameters):
                                    yield f'{path}:{name.line}: {name.name} hides that of {header}:{hidden.line} from the files joined with this one'


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent.parent)
    tree = Tree(root)
    if not tree.files:
        print(f'check_hidden_names.py: {root}: no C++ file under engine, app or ui; is this the right folder?', file=sys.stderr)
        return 1
    faults = sorted(set(tree.faults()))
    print('\n'.join(faults), end='\n' if faults else '')
    return 1 if faults else 0


if __name__ == '__main__':
    sys.exit(main())
