#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""help_texts.py FOLDER VERSION LOCKSTEP_TRAIN [LOCKSTEP]: manual pages (with help2man) and completions for bash, zsh and fish,
all made of what the programs say of themselves with --help, in FOLDER/train, FOLDER/window and FOLDER/cuda as they lie under
share/."""

import gzip
import os
import re
import shlex
import subprocess
import sys
from itertools import takewhile
from pathlib import Path

OPTION = re.compile(r"^  (-{1,2}[\w-]+(?:, ?-{1,2}[\w-]+)*)(?: (\S.*?))?(?:\s{2,}(.*))?$")
COMMAND = re.compile(r"^  ([a-z][a-z-]+)\s{2,}(.*)$")
KEY = re.compile(r"^  ([a-z_.0-9]+) = \S+")
FILES = re.compile(r"FILE|DIR|RUN|CHECKPOINT|FOLDER|PATH|file|run")


class Option:
    def __init__(self, names, value, text):
        self.names = re.split(", ?", names)
        value = re.split(r" (?:Excludes|Needs|REQUIRED)", value or "")[0].strip()
        self.value = "" if value.startswith(("Excludes", "Needs", "REQUIRED")) else value
        self.text = text.strip().split(";")[0].split(". ")[0].rstrip(".")
        words = re.split(r"[|]", self.value)
        self.words = words if len(words) > 1 and all(re.fullmatch(r"[a-z0-9]+", word) for word in words) else []
        self.takes_file = bool(FILES.search(self.value))


class Help:
    """What `command --help` says."""

    def __init__(self, command):
        environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "XDG_RUNTIME_DIR": "/tmp"}
        self.lines = subprocess.run(
            [*command, "--help"], env=environment, check=True, capture_output=True, text=True
        ).stdout.splitlines()
        self.title = next(line for line in self.lines if not line.startswith("Usage:"))
        self.options, self.commands, self.keys = [], [], []
        for number, line in enumerate(self.lines):
            if option := OPTION.match(line):
                more = takewhile(lambda after: after.startswith(" " * 16), self.lines[number + 1 :])
                self.options.append(Option(option[1], option[2], " ".join([option[3] or "", *map(str.strip, more)])))
            elif (command := COMMAND.match(line)) and self._is_in("Subcommands:", line):
                self.commands.append((command[1], command[2]))
            elif key := KEY.match(line):
                self.keys.append(key[1])

    def _is_in(self, heading, line):
        return heading in self.lines[: self.lines.index(line)] and "Examples:" not in self.lines[: self.lines.index(line)]


def bash(name, helps):
    cases, values = [], []
    for command, help_ in helps.items():
        cases.append(f"    {command or chr(34) * 2}) words='{' '.join(n for o in help_.options for n in o.names)}' ;;")
        for option in help_.options:
            keys = help_.keys if "--set" in option.names else []
            for option_name in option.names if option.value else []:
                take = f"COMPREPLY=($(compgen -W '{' '.join(keys or option.words)}' -- \"$word\")); "
                take = ("compopt -o nospace; " if keys else "") + (take if keys or option.words else "")
                values.append(f"    '{command} {option_name}') {take}return ;;")
    commands = " ".join(command for command, _ in helps[""].commands)
    function = "_" + name.replace("-", "_")
    return "\n".join([
        f"# Completions of {name} for bash, made of its help.", f"{function}() {{",
        '    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command= words=',
        f"    ((COMP_CWORD < 2)) || [[ \" {commands} \" != *\" ${{COMP_WORDS[1]}} \"* ]] || command=${{COMP_WORDS[1]}}",
        '    case "$command $before" in', *values, "    esac", '    case "$command" in', *cases, "    esac",
        f"    [[ -n $command ]] || words+=' {commands}'",
        '    COMPREPLY=($(compgen -W "$words" -- "$word"))', "}",
        f"complete -o default -o bashdefault -F {function} {name}", ""])  # fmt: skip


def quoted(text, special=""):
    return "".join("\\" + letter if letter in special else letter for letter in text.replace("'", "’"))


def zsh_option(option, keys):
    lines = []
    for name in option.names:
        value = ""
        if option.value:
            words = keys if name == "--set" else option.words
            take = f"({' '.join(words)})" if words else "_files"
            value = f":{quoted(option.value, '[]:()')}:{take}"
        lines.append(f"'*{name}[{quoted(option.text, '[]:')}]{value}'")
    return lines


def zsh(name, helps):
    lines = [f"#compdef {name}", f"# Completions of {name} for zsh, made of its help."]
    top = [line for option in helps[""].options for line in zsh_option(option, [])]
    if len(helps) == 1:
        return "\n".join([*lines, "_arguments " + " ".join([*top, "'*:path:_files'"]), ""])
    commands = " ".join(f"'{command}:{quoted(text, ':')}'" for command, text in helps[""].commands)
    lines += ["local state line", "local -a commands", f"commands=({commands})",
              f"_arguments -C {' '.join(top)} '1:command:->command' '*::argument:->argument'",
              "case $state in", "command) _describe command commands ;;", "argument)", "    case $words[1] in"]  # fmt: skip
    for command, help_ in helps.items():
        if command:
            options = [line for option in help_.options for line in zsh_option(option, help_.keys)]
            lines.append(f"    {command}) _arguments {' '.join([*options, chr(39) + '*:file:_files' + chr(39)])} ;;")
    return "\n".join([*lines, "    esac ;;", "esac", ""])


def fish(name, helps):
    lines = [f"# Completions of {name} for fish, made of its help."]
    for command, text in helps[""].commands:
        lines.append(f"complete -c {name} -n __fish_use_subcommand -f -a {command} -d '{quoted(text)}'")
    for command, help_ in helps.items():
        condition = f"__fish_seen_subcommand_from {command}" if command else "__fish_use_subcommand" if help_.commands else "true"
        for option in help_.options:
            names = " ".join(f"-l {n[2:]}" if n.startswith("--") else f"-s {n[1:]}" for n in option.names)
            words = [key + "=" for key in help_.keys] if "--set" in option.names else option.words
            take = f" -x -a '{' '.join(words)}'" if words else " -r -F" if option.takes_file else " -x" if option.value else ""
            lines.append(f"complete -c {name} -n '{condition}' {names}{take} -d '{quoted(option.text)}'")
    return "\n".join([*lines, ""])


def manual(name, command, title, version, folder):
    page = subprocess.run(
        ["help2man", "--no-info", "--section=1", f"--name={title}", f"--version-string={version}",
         f"--source=Lockstep {version}", "--manual=Lockstep", shlex.join(command)],
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen", "XDG_RUNTIME_DIR": "/tmp"},
        check=True, capture_output=True, text=True).stdout  # fmt: skip
    page = re.sub(r"^\.TH .*?\"?1\"? ", f'.TH {name.upper()} "1" ', page, count=1, flags=re.M)
    page = page.replace(Path(command[0]).name, name) if len(command) == 1 else page
    page = re.sub(r"^(\.SH NAME\n).*?( \\- )", rf"\1{name}\2", page, flags=re.M)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.1.gz").write_bytes(gzip.compress(page.encode(), 9, mtime=0))


def write(file, text):
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def main(out, version, *programs):
    script = Path(__file__).with_name("fetch-cuda.sh")
    manual("lockstep-fetch-cuda", [str(script)], "brings NVIDIA's libraries", version, Path(out) / "cuda/man/man1")
    for program, component in zip(programs, ("train", "window")):
        name, share = Path(program).name, Path(out) / component
        helps = {"": Help([program])}
        for command, text in helps[""].commands:
            helps[command] = Help([program, command])
            manual(f"{name}-{command}", [program, command], text, version, share / "man/man1")
        manual(name, [program], "trains in synchronous towers and shows it live", version, share / "man/man1")
        write(share / "bash-completion/completions" / name, bash(name, helps))
        write(share / "zsh/vendor-completions" / f"_{name}", zsh(name, helps))
        write(share / "fish/vendor_completions.d" / f"{name}.fish", fish(name, helps))
    write(Path(out) / "made", "")


main(*sys.argv[1:])
