# SPDX-License-Identifier: Apache-2.0
"""Listed: every source is built, every test is run, every header is included by somebody, and Beast stays
behind the few files that need it."""

import re

from rules.arrows import target_of
from rules.tree import Finding

BEAST_FILES_MAX = 6
# Seams that wait for their first user.
WAITING = {
    "src/core/key/fingerprint.hpp", "src/core/key/identity.hpp", "src/core/key/key_syntax.hpp",
    "src/core/policy/route.hpp", "src/core/record/judge.hpp", "src/core/record/row_format.hpp",
    "src/effect/effect.hpp", "src/net/http/service.hpp", "src/store/port/records.hpp",
}


def words_of(text):
    return set(re.findall(r"[\w./${}-]+", text))


def build_files(tree):
    return [file for file in tree if file.pure.name == "CMakeLists.txt" or file.suffix == ".cmake"]


def is_listed(file, lists):
    for build_file, words in lists:
        folder = build_file.folder
        if folder == ".":
            names = {file.path}
        elif file.path.startswith(folder + "/"):
            names = {file.path[len(folder) + 1 :]}
        else:
            names = set()
        names.add("${PROJECT_SOURCE_DIR}/" + file.path)
        names.add("${CMAKE_CURRENT_SOURCE_DIR}/" + file.path[len(folder) + 1 :])
        if names & words:
            return True
    return False


def check_unlisted(tree):
    lists = [(file, words_of(re.sub(r"#.*", "", file.text))) for file in build_files(tree)]
    for file in tree:
        runs = file.suffix == ".cpp" or (file.suffix == ".py" and file.pure.stem.endswith("_test"))
        if runs and not is_listed(file, lists):
            yield Finding(file.path, 0, "listed", "no CMakeLists.txt names it")


def check_dead(tree):
    included = set()
    for file in tree.cpp():
        for _, name, quoted in file.includes:
            target = target_of(tree, name)
            if target is None and quoted:
                target = str(file.pure.parent / name)
            included.add(target)
    texts = "".join(file.text for file in build_files(tree))
    for file in tree.cpp():
        dead = file.path not in included | WAITING and file.path not in texts
        if file.suffix == ".hpp" and dead:
            yield Finding(file.path, 0, "dead", "nobody includes it")


def check_beast(tree):
    users = sorted({file.path for file in tree.cpp() for _, name, _ in file.includes if name.startswith("boost/beast")})
    if len(users) > BEAST_FILES_MAX:
        yield Finding(users[-1], 0, "beast",
                      f"Beast is included by {len(users)} files, at most {BEAST_FILES_MAX}: {', '.join(users)}")


def check(tree):
    yield from check_unlisted(tree)
    yield from check_dead(tree)
    yield from check_beast(tree)
