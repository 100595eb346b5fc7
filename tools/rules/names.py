# SPDX-License-Identifier: Apache-2.0
"""Names: a file, a folder and a type are called what they are about. A name that fits everything is none."""

import re

from rules.tree import Finding

EMPTY = {"util", "utils", "common", "misc", "helper", "helpers", "manager", "managers", "base", "stuff"}
TYPE = re.compile(r"\b(?:class|struct|enum class)\s+"
                  r"(\w*(?:Manager|Helper|Helpers|Util|Utils|Impl|Misc|Stuff)|Data|Info|Base)\b")
VERB = re.compile(r"(?<![\w.>:])((?:handle|process)_\w+|do_it)\s*\(")
FILE = re.compile(r"[a-z0-9_]+(?:\.[a-z0-9_]+)*")


def check_paths(tree):
    told = set()
    for file in tree:
        for part in file.pure.parts:
            stem = part.lstrip(".").split(".")[0]
            words = set(re.split(r"[^a-z]+", stem.lower()))
            empty = words & EMPTY
            place = file.path if part == file.pure.name else part
            if empty and place not in told:
                told.add(place)
                yield Finding(file.path, 0, "names", f"{part}: {empty.pop()} says nothing; name it after what it holds")
        if file.is_cpp or file.suffix == ".py":
            if not FILE.fullmatch(file.pure.name):
                yield Finding(file.path, 0, "names", "file names are snake_case")


def check_identifiers(tree):
    for file in tree.cpp():
        for match in TYPE.finditer(file.code):
            yield Finding(file.path, file.line_of(match.start()), "names", f"type {match.group(1)} says nothing")
        for match in VERB.finditer(file.code):
            yield Finding(file.path, file.line_of(match.start()), "names",
                          f"{match.group(1)}() says nothing; name what is done")


def check(tree):
    yield from check_paths(tree)
    yield from check_identifiers(tree)
