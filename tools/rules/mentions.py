# SPDX-License-Identifier: Apache-2.0
"""Mentions: a comment that names a function, a type or a constant names one that exists. A rename that leaves
its comments behind is caught here."""

import re

from rules.tree import Finding

CALL = re.compile(r"`(?:[\w:.]*(?:::|\.|->))?(~?\w+)\(\)`")
CAMEL = re.compile(r"(?<![\w/.-])(?:(?:[A-Z][a-z]+\d*){2,}|k[A-Z][a-z]\w+)(?![\w-])")
WORD = re.compile(r"[A-Za-z_]\w*")
# Names of products and formats that are written like types.
FOREIGN = {"GoogleTest", "TigerBeetle", "FoundationDB", "JavaScript", "TypeScript", "OpenTelemetry", "GitHub",
           "RapidCheck", "WebSocket", "ClickHouse", "SipHash", "WeChat", "AliPay", "SplitMix64"}


def check(tree):
    known = set(FOREIGN)
    for file in tree:
        if file.is_cpp:
            known.update(WORD.findall(file.code))
            for _, name, _ in file.includes:
                known.update(WORD.findall(name))
        elif file.pure.name == "CMakeLists.txt" or file.suffix == ".cmake":
            known.update(WORD.findall(file.text))
    for file in tree.cpp():
        for first, comment in file.comments:
            for offset, line in enumerate(comment.split("\n")):
                names = CALL.findall(line) + CAMEL.findall(line)
                for name in names:
                    if name.lstrip("~") not in known:
                        yield Finding(file.path, first + offset, "mentions",
                                      f"the comment names {name}, which is nowhere in the code")
