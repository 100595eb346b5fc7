# SPDX-License-Identifier: Apache-2.0
"""The tree that the rules read: every file that belongs to the project, once, with its comments and its code
told apart. A rule is a function from a Tree to findings; it never opens a file by itself."""

import os
import re
import subprocess
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePosixPath

CPP = {".cpp", ".hpp"}
HASH = {".py", ".cmake", ".sh", ".yml", ".yaml"}
SLASH = {".js", ".mjs", ".ts"}
SKIPPED_FOLDERS = {"build", ".git", ".cache", "node_modules", "__pycache__"}

# Line and block comments, raw and plain strings, numbers (for their ' separators), characters.
TOKEN = re.compile(
    r"""(?P<line>//[^\n]*)|(?P<block>/\*.*?\*/)"""
    r"""|(?P<raw>R"(?P<mark>[^()\\\s]{0,16})\(.*?\)(?P=mark)")"""
    r"""|(?P<text>"(?:[^"\\\n]|\\.)*")"""
    r"""|(?P<number>\b\d[\w.]*(?:'[\w.]+)*)"""
    r"""|(?P<char>'(?:[^'\\\n]|\\.)+')""",
    re.S,
)


@dataclass(frozen=True, order=True)
class Finding:
    path: str
    line: int
    rule: str
    text: str

    def __str__(self):
        place = f"{self.path}:{self.line}" if self.line else self.path
        return f"{place}: {self.rule}: {self.text}"


def blank(text):
    """Spaces of the same shape, so that lines and columns stay where they are."""
    return re.sub(r"[^\n]", " ", text)


@dataclass
class SourceFile:
    path: str
    text: str

    @property
    def pure(self):
        return PurePosixPath(self.path)

    @property
    def suffix(self):
        return self.pure.suffix

    @property
    def folder(self):
        return str(self.pure.parent)

    @cached_property
    def lines(self):
        return self.text.splitlines()

    @property
    def is_cpp(self):
        return self.suffix in CPP

    @property
    def is_test(self):
        return self.path.startswith("test/") or self.pure.stem.endswith(("_test", "_fixture"))

    @property
    def is_script(self):
        return self.text.startswith("#!")

    @cached_property
    def _parts(self):
        comments, out, at = [], [], 0
        for match in TOKEN.finditer(self.text):
            kind = match.lastgroup if match.lastgroup != "mark" else "raw"
            out.append(self.text[at : match.start()])
            if kind in ("line", "block"):
                comments.append((self.text.count("\n", 0, match.start()) + 1, match.group()))
            out.append(match.group() if kind == "number" else blank(match.group()))
            at = match.end()
        out.append(self.text[at:])
        return "".join(out), comments

    @property
    def code(self):
        """C++ (or JavaScript) without comments and literals; same lines, same columns."""
        return self._parts[0]

    @property
    def comments(self):
        """(line, text) of every C++ comment, in order."""
        return self._parts[1]

    @cached_property
    def includes(self):
        """(line, name, quoted) of every #include."""
        found = []
        for number, line in enumerate(self.lines, 1):
            match = re.match(r'\s*#\s*include\s*([<"])([^>"]+)[>"]', line)
            if match:
                found.append((number, match.group(2), match.group(1) == '"'))
        return found

    def line_of(self, offset):
        return self.text.count("\n", 0, offset) + 1


@dataclass
class Tree:
    files: dict = field(default_factory=dict)

    @staticmethod
    def of(texts):
        """A tree made of a mapping path -> text; what the self test plants its examples in."""
        return Tree({path: SourceFile(path, text) for path, text in texts.items()})

    @staticmethod
    def read(root):
        texts = {}
        for path in sorted(list_files(root)):
            full = os.path.join(root, path)
            if os.path.islink(full) or not os.path.isfile(full):
                continue
            with open(full, "rb") as stream:
                raw = stream.read()
            if b"\0" in raw:
                continue
            texts[path] = raw.decode("utf-8", "replace")
        return Tree.of(texts)

    def __iter__(self):
        return iter(self.files.values())

    def get(self, path):
        return self.files.get(path)

    def cpp(self):
        return [file for file in self if file.is_cpp]


def list_files(root):
    """What git tracks or would track; without git (a tarball), everything outside of build folders."""
    command = ["git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        done = subprocess.run(command, capture_output=True, check=True)
        return [path for path in done.stdout.decode().split("\0") if path]
    except (OSError, subprocess.CalledProcessError):
        found = []
        for folder, folders, names in os.walk(root):
            folders[:] = [name for name in folders if name not in SKIPPED_FOLDERS]
            found += [os.path.relpath(os.path.join(folder, name), root) for name in names]
        return found
