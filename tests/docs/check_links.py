#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tests/docs/check_links.py [ROOT]: every link in every Markdown file leads to a file of the repository, and to a heading of
it where it names one, both as GitHub and as mkdocs number them. Of links to elsewhere only the form is looked at.
Prints `file:line: reason` of each that does not, and fails."""
import re
import sys
from pathlib import Path

ROOT = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[2]).resolve()
LINK = re.compile(r"!?\[[^\]]*\]\(\s*<?([^)\s>]+)>?[^)]*\)")


def text_lines(path):
    """Lines with their numbers, without code; what lies in it is no link."""
    is_fenced = False
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line.lstrip().startswith("```"):
            is_fenced = not is_fenced
        elif not is_fenced and not line.startswith("    "):
            yield number, re.sub(r"`[^`]*`", "`", line)


def anchors(path):
    """What a heading can be called by: the name that both give it."""
    is_fenced, names = False, set()
    for line in path.read_text().splitlines():
        is_fenced ^= line.startswith("```")
        if not is_fenced and (heading := re.match(r"#+ +(.*)", line)):
            kept = re.sub(r"[^\w\s-]", "", heading[1].replace("`", "").lower()).strip()
            if re.sub(r"[-\s]+", "-", kept) == kept.replace(" ", "-"):
                names.add(kept.replace(" ", "-"))
    return names


def fault(page, target):
    if re.match(r"[a-z]+:", target):
        return None if re.fullmatch(r"https?://[\w.-]+\.[a-z]+(:\d+)?(/[\w.~/%+,=&?#:@-]*)?", target) else "is no address"
    name, _, anchor = target.partition("#")
    path = (page.parent / name).resolve() if name else page
    if not path.is_relative_to(ROOT) or not path.exists():
        return "is not there"
    if not path.is_file():
        return "is a folder, which is no page"
    if anchor and anchor not in anchors(path):
        return f"has no heading '{anchor}'"
    return None


def main():
    pages = [page for page in sorted(ROOT.rglob("*.md")) if page.relative_to(ROOT).parts[0] not in ("build", "shared")]
    count, faults = 0, 0
    for page in pages:
        for number, line in text_lines(page):
            for target in LINK.findall(line):
                reason = fault(page, target)
                count += 1
                faults += reason is not None
                if reason:
                    print(f"{page.relative_to(ROOT)}:{number}: {target} {reason}")
    print(f"{count} links in {len(pages)} files, {faults} of them wrong")
    return 1 if faults or not count else 0


if __name__ == "__main__":
    sys.exit(main())
