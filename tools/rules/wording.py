# SPDX-License-Identifier: Apache-2.0
"""Wording: what every file starts with, and what must stand in none. Patterns are written so that this file
does not match itself."""

import re

from rules.sizes import is_code
from rules.tree import Finding

SPDX = "SPDX-License-Identifier: Apache-2.0"
EVERYWHERE = [
    (re.compile(r"(?<![\w.])(?:/w[o]rk/(?:main|shared|steering|\.library)|/t[m]p/wt\b"
                r"|/h[o]me/\w+/|/r[o]ot/\.?\w|/f[a]rm/)"),
     "path of one machine"),
    (re.compile(r"\bd[e]b\.debian\.org|s[e]curity\.debian\.org|r[e]gistry\.npmjs|repo1?\.m[a]ven|pr[o]xy\.golang"
                r"|pypi\.o[r]g/simple"), "registry host"),
]
IN_CODE = [
    (re.compile(r"\b(?:T[O]DO|F[I]XME|X[X]X|H[A]CK)\b"), "finish it or write it into the plan"),
    (re.compile(r"GTEST_S[K]IP|\bDIS[A]BLED_|unittest\.s[k]ip|\.s[k]ipTest"), "a test that is skipped shows nothing"),
    (re.compile(r"\bcatch\s*\(\s*\.\.\.\s*\)\s*\{\s*\}"), "an error is swallowed"),
    (re.compile(r"#\s*pragma\s+(?:clang|GCC)\s+diagnostic\s+ign[o]red"), "a warning is silenced"),
]
NOLINT = re.compile(r"\bNOL[I]NT(?:NEXTLINE|BEGIN)?\b(\([\w.*,-]+\):?\s+\S+\s+\S+)?")
HIDDEN_STATE = re.compile(r"\bthread_local\b|\bstatic\s+[\w:<>]+\s*&\s*(?:instance|get_instance|shared|global)\s*\(")
BORROWED_MEMBER = re.compile(r"\bstd::(?:string_view|span<[^;>]*>)\s+\w+_\s*(?:;|=|\{)")
# A service is referred to (`Loop&`); what can be a temporary is not.
BORROWED_PARAMETER = re.compile(r"\bTask<[^;{}()]*>\s+[\w:]+\s*"
                                r"\(([^;{}]*?(?:\bstd::(?:string_view|span<)|\bconst\s+[\w:]+(?:<[^;{}()]*>)?\s*&|&&)"
                                r"[^;{}]*?)\)")


def check_head(file):
    first = file.lines[:2] if file.is_script else file.lines[:1]
    if not any(SPDX in line for line in first):
        yield Finding(file.path, 1, "head", f"the first line is the licence: {SPDX}")
        return
    if file.suffix == ".hpp":
        if len(file.lines) < 2 or not file.lines[1].startswith("// "):
            yield Finding(file.path, 2, "head", "a header starts with what it models, and why this way")
        if "#pragma once" not in file.lines:
            yield Finding(file.path, 0, "head", "#pragma once is missing")


def check_space(file):
    for number, line in enumerate(file.lines, 1):
        if line != line.rstrip():
            yield Finding(file.path, number, "space", "space at the end of the line")
        if "\t" in line and file.pure.name != "Makefile":
            yield Finding(file.path, number, "space", "tab")
    if file.text and not file.text.endswith("\n"):
        yield Finding(file.path, len(file.lines), "space", "the last line has no end")


def check_words(file):
    patterns = EVERYWHERE + (IN_CODE if is_code(file) else [])
    for number, line in enumerate(file.lines, 1):
        for pattern, reason in patterns:
            match = pattern.search(line)
            if match:
                yield Finding(file.path, number, "wording", f"{match.group()}: {reason}")
        if file.is_cpp:
            match = NOLINT.search(line)
            if match and not match.group(1):
                yield Finding(file.path, number, "wording",
                              "silenced lint names its check and the reason: NOL" "INT(check): why, in words")


def check_state(file):
    if not file.path.startswith(("src/", "app/", "include/")) or file.is_test:
        return
    waits_for_nothing = file.path.startswith(("src/core/", "src/runtime/codec/"))  # a cursor may borrow its text
    patterns = [(HIDDEN_STATE, "hidden state; pass it"), (BORROWED_PARAMETER, "a coroutine owns its parameters")]
    if not waits_for_nothing:
        patterns.append((BORROWED_MEMBER, "a member owns what it keeps"))
    for pattern, reason in patterns:
        for match in pattern.finditer(file.code):
            text = re.sub(r"\s+", " ", match.group())
            yield Finding(file.path, file.line_of(match.start()), "state", f"{text[:60]}: {reason}")


def check(tree):
    for file in tree:
        if is_code(file):
            yield from check_head(file)
            yield from check_space(file)
        yield from check_words(file)
        if file.is_cpp:
            yield from check_state(file)
