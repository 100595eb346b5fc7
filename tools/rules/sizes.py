# SPDX-License-Identifier: Apache-2.0
"""Sizes: a file is one idea, and a function fits on a screen. Split by noun, not by number."""

import ast
import re

from rules.tree import HASH, SLASH, Finding, blank

HEADER_LINES_MAX = 250
SOURCE_LINES_MAX = 400
TEST_LINES_MAX = 600
FUNCTION_LINES_MAX = 70
LINE_COLUMNS_MAX = 120

TEMPLATE = re.compile(r"^\s*(?:template\s*<[^{}]*?>\s*)+", re.S)
TYPE = re.compile(r"\s*(?:inline\s+)?(?:namespace|class|struct|union|enum|extern)\b")


def opens_function(head):
    """True when the text before a brace ends in a function's signature."""
    head = TEMPLATE.sub("", head)
    return ")" in head and not TYPE.match(head) and not head.rstrip().endswith(("=", "(", ","))


def is_code(file):
    named = file.pure.name in ("CMakeLists.txt", "Makefile")
    return named or file.is_cpp or file.suffix in HASH | SLASH or file.is_script


def functions_of(code):
    """(first line, last line) of every function of C++ code from which comments and literals are blanked."""
    code = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", lambda match: blank(match.group()), code, flags=re.M)
    found, stack, start, line, start_line, parens = [], [], 0, 1, 1, 0
    for at, char in enumerate(code):
        if char == "\n":
            line += 1
        elif char in "()":
            parens += 1 if char == "(" else -1
        elif char == "{":
            head = code[start:at]
            if re.search(r"[\w>]$", head):  # a value in braces, as in an initialiser list
                stack.append(None)
                continue
            opens = not any(stack) and parens == 0 and opens_function(head)
            stack.append(start_line + head[: len(head) - len(head.lstrip())].count("\n") if opens else 0)
            start, start_line = at + 1, line
        elif char == "}" and stack:
            first = stack.pop()
            if first:
                found.append((first, line))
            if first is not None:
                start, start_line = at + 1, line
        elif char == ";" and parens == 0:
            start, start_line = at + 1, line
    return found


def check_lines(file):
    count = len(file.lines)
    if file.suffix == ".hpp" and count > HEADER_LINES_MAX:
        yield Finding(file.path, 0, "sizes", f"header of {count} lines, at most {HEADER_LINES_MAX}")
    elif file.is_test and count > TEST_LINES_MAX:
        yield Finding(file.path, 0, "sizes", f"test file of {count} lines, at most {TEST_LINES_MAX}")
    elif not file.is_test and file.suffix != ".hpp" and count > SOURCE_LINES_MAX:
        yield Finding(file.path, 0, "sizes", f"source of {count} lines, at most {SOURCE_LINES_MAX}")
    for number, line in enumerate(file.lines, 1):
        if len(line) > LINE_COLUMNS_MAX:
            yield Finding(file.path, number, "sizes", f"line of {len(line)} columns, at most {LINE_COLUMNS_MAX}")


def check_functions(file):
    spans = []
    if file.is_cpp:
        spans = functions_of(file.code)
    elif file.suffix == ".py" or (file.is_script and "python" in file.lines[0]):
        tree = ast.parse(file.text)
        spans = [(node.lineno, node.end_lineno) for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    for first, last in spans:
        if last - first + 1 > FUNCTION_LINES_MAX:
            yield Finding(file.path, first, "sizes",
                          f"function of {last - first + 1} lines, at most {FUNCTION_LINES_MAX}")


def check(tree):
    for file in tree:
        if is_code(file):
            yield from check_lines(file)
            yield from check_functions(file)
