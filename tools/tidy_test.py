# SPDX-License-Identifier: Apache-2.0
"""Each house rule fires on a planted example, and keeps quiet beside it."""

import importlib.machinery
import importlib.util
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, HERE)
loader = importlib.machinery.SourceFileLoader("tidy", os.path.join(HERE, "tidy"))
tidy = importlib.util.module_from_spec(importlib.util.spec_from_loader("tidy", loader))
loader.exec_module(tidy)

from rules import arrows, listed, mentions, names, sizes, wording  # noqa: E402
from rules.tree import Tree  # noqa: E402

LICENCE = "// SPDX-License-" "Identifier: Apache-2.0\n"
HEAD = LICENCE + "// A thing.\n#pragma once\n"


def told(rule, texts):
    return [str(finding) for finding in rule.check(Tree.of(texts))]


class Planted(unittest.TestCase):
    def fires(self, rule, texts, expected):
        found = told(rule, texts)
        self.assertTrue(any(expected in line for line in found), f"{expected!r} not in {found}")

    def quiet(self, rule, texts):
        self.assertEqual(told(rule, texts), [])


class Arrows(Planted):
    def test_an_include_against_the_order_is_printed_with_its_line(self):
        tree = {"src/core/key/a.hpp": HEAD + '#include "store/port/b.hpp"\n', "src/store/port/b.hpp": HEAD}
        self.fires(arrows, tree, "src/core/key/a.hpp:4: arrows: src/core/key includes src/store/port/b.hpp")

    def test_an_include_along_the_order_is_fine(self):
        self.quiet(arrows, {"src/store/port/b.hpp": HEAD + '#include "core/key/a.hpp"\n', "src/core/key/a.hpp": HEAD})

    def test_core_folders_have_an_order_among_themselves(self):
        tree = {"src/core/key/a.cpp": LICENCE + '#include "core/policy/p.hpp"\n', "src/core/policy/p.hpp": HEAD}
        self.fires(arrows, tree, "does not come before it")

    def test_only_app_and_tests_name_a_backend(self):
        include = LICENCE + '#include "store/sqlite/s.hpp"\n'
        store = {"src/store/sqlite/s.hpp": HEAD}
        self.fires(arrows, {"src/gateway/g.cpp": include, **store}, "names the backend src/store/sqlite")
        self.fires(arrows, {"src/store/memory/m.cpp": include, **store}, "does not come before it")
        self.quiet(arrows, {"app/pawl.cpp": include, "src/gateway/g_test.cpp": include, **store})

    def test_a_folder_without_a_place_is_told(self):
        self.fires(arrows, {"src/novel/a.cpp": LICENCE}, "no place in the order")

    def test_a_quoted_include_is_a_file_of_the_tree(self):
        self.fires(arrows, {"src/core/key/a.cpp": LICENCE + '#include "nowhere.hpp"\n'}, '"nowhere.hpp" is not a file')

    def test_core_does_no_io_and_has_no_clock_thread_or_chance(self):
        for header in ["boost/asio.hpp", "boost/asio/post.hpp", "thread", "random", "mutex", "sys/socket.h", "fstream"]:
            self.fires(arrows, {"src/core/key/a.cpp": LICENCE + f"#include <{header}>\n"}, f"<{header}>")
        self.quiet(arrows, {"src/core/key/a.cpp": LICENCE + "#include <chrono>\n#include <string>\n"})

    def test_core_takes_no_loop_and_no_clock(self):
        tree = {"src/core/key/a.cpp": LICENCE + '#include "runtime/task/loop.hpp"\n', "src/runtime/task/loop.hpp": HEAD}
        self.fires(arrows, tree, "core has no loop")

    def test_what_is_simulated_is_given_its_clock(self):
        for call in ["std::chrono::system_clock::now()", "std::thread t", "std::random_device d", "time(nullptr)",
                     "::socket(AF_INET, 0, 0)", "SystemClock clock", "std::this_thread::yield()"]:
            self.fires(arrows, {"src/gateway/a.cpp": LICENCE + f"void f() {{ {call}; }}\n"}, "is injected here")
        self.quiet(arrows, {"src/gateway/a.cpp": LICENCE + "// std::thread\nauto t = wall_time(0); x.time(1);\n"})


class Sizes(Planted):
    def test_limits_hold_at_the_limit_and_fire_one_beyond(self):
        for path, most in [("src/core/key/a.hpp", 250), ("src/core/key/a.cpp", 400), ("src/core/key/a_test.cpp", 600),
                           ("test/service/a.py", 600), ("tools/a.py", 400)]:
            self.quiet(sizes, {path: "\n" * most})
            self.fires(sizes, {path: "\n" * (most + 1)}, f"of {most + 1} lines")

    def test_a_line_has_120_columns_at_most(self):
        self.quiet(sizes, {"src/a.cpp": "x" * 120 + "\n"})
        self.fires(sizes, {"src/a.cpp": "x" * 121 + "\n"}, "src/a.cpp:1: sizes: line of 121 columns")

    def test_a_function_has_70_lines_at_most(self):
        heads = ["int f(int x)", "Foo::Foo(int a)\n    : a_{a}, b_(2)", "template <class T>\nT g(T x) const noexcept",
                 "auto h(int x) -> std::vector<int>", "TEST(Record, Sentence)"]
        for head in heads:
            lines = head.count("\n") + 2
            start = f"namespace pawl {{\n\n{head} {{\n    if (a) {{\n    }}\n"
            self.quiet(sizes, {"src/a.cpp": start + "    x();\n" * (68 - lines) + "}\n}\n"})
            self.fires(sizes, {"src/a.cpp": start + "    x();\n" * (69 - lines) + "}\n}\n"}, "at most 70")

    def test_a_class_and_a_table_are_no_functions(self):
        body = "    int x;\n" * 80
        table = f"constexpr std::array kRows = to_array({{\n{body}}});\n"
        self.quiet(sizes, {"src/a.cpp": f"class A {{\n{body}}};\n" + table})

    def test_braces_in_strings_and_comments_do_not_count(self):
        text = "int f() {\n    g(\"{\", '{', R\"x({)x\");  // {\n}\n" + "int a;\n" * 80
        self.quiet(sizes, {"src/a.cpp": text})

    def test_a_python_function_has_70_lines_at_most(self):
        self.quiet(sizes, {"tools/a.py": "def f():\n" + "    x = 1\n" * 69})
        self.fires(sizes, {"tools/a.py": "def f():\n" + "    x = 1\n" * 70}, "function of 71 lines")


class Names(Planted):
    def test_names_that_fit_everything_are_refused(self):
        for path in ["src/core/util/a.cpp", "src/core/key/helpers.cpp", "src/net/common_http.cpp", "test/base.py"]:
            self.fires(names, {path: LICENCE}, "says nothing")
        self.quiet(names, {"src/store/sqlite/database.cpp": LICENCE, "src/core/key/commonly.cpp": LICENCE})

    def test_files_are_snake_case(self):
        self.fires(names, {"src/core/key/KeySyntax.cpp": LICENCE}, "snake_case")

    def test_types_and_functions_say_what_they_are(self):
        for code in ["class RecordManager {};", "struct Data {};", "struct FooImpl {};", "void handle_request() {}",
                     "int x = process_row(1);"]:
            self.fires(names, {"src/a.cpp": code + "\n"}, "says nothing")
        self.quiet(names, {"src/a.cpp": "struct Metadata {}; // class RecordManager\n"
                                        "auto x = crc.process_bytes(1);\n"})


class Wording(Planted):
    def test_the_first_line_is_the_licence(self):
        self.fires(wording, {"src/a.cpp": "int x;\n"}, "the first line is the licence")
        self.quiet(wording, {"tools/a": "#!/bin/sh\n# SPDX-License-" "Identifier: Apache-2.0\n"})

    def test_a_header_has_a_head_and_a_guard(self):
        self.fires(wording, {"src/a.hpp": LICENCE + "#pragma once\n"}, "starts with what it models")
        self.fires(wording, {"src/a.hpp": LICENCE + "// A.\n"}, "#pragma once is missing")

    def test_space_tabs_and_the_last_line(self):
        self.fires(wording, {"src/a.cpp": LICENCE + "int x; \n"}, "space at the end")
        self.fires(wording, {"src/a.cpp": LICENCE + "\tint x;\n"}, "tab")
        self.fires(wording, {"src/a.cpp": LICENCE + "int x;"}, "the last line has no end")
        self.quiet(wording, {"Makefile": "# SPDX-License-" "Identifier: Apache-2.0\nall:\n\techo\n"})

    def test_paths_of_one_machine_and_registry_hosts_stand_nowhere(self):
        for text in ["/wo" "rk/main/x", "/tm" "p/wt/x", "/ho" "me/ann/x", "de" "b.debian.org", "regi" "stry.npmjs.org"]:
            self.fires(wording, {"docs/a.md": text + "\n"}, "wording")
        self.quiet(wording, {"docs/a.md": "/tmp/pawl.db and /v1/wo" "rk/main\n"})

    def test_nothing_is_put_off_skipped_or_swallowed(self):
        for text in ["// TO" "DO: later", "// FIX" "ME", "GTEST_" "SKIP();", "TEST(A, DISA" "BLED_B) {}",
                     "try { f(); } cat" "ch (...) {}", "#pragma clang diagnostic ign" 'ored "-Wshadow"']:
            self.fires(wording, {"src/a.cpp": LICENCE + text + "\n"}, "wording")

    def test_silenced_lint_gives_its_reason(self):
        for text in ["// NOL" "INT", "// NOL" "INT(bugprone-x)"]:
            self.fires(wording, {"src/a.cpp": LICENCE + text + "\n"}, "names its check and the reason")
        self.quiet(wording, {"src/a.cpp": LICENCE + "// NOL" "INT(bugprone-x): the loop owns it\n"})

    def test_hidden_state_and_borrowed_members_are_refused(self):
        for code in ["thread_local int x;", "static Foo& instance();", "std::string_view name_;",
                     "std::span<int> rows_;",
                     "Task<void> f(int a, std::string_view b);", "Task<Result<int>> g(std::span<int> b) {}",
                     "Task<void> f(int a, const Parts& b);", "Task<Result<int>> g(const std::vector<int>& b) {}",
                     "Task<int> h(Parts&& b);"]:
            self.fires(wording, {"src/a.cpp": LICENCE + code + "\n"}, "state")
        self.quiet(wording, {"src/core/key/a.cpp": LICENCE + "class Cursor { std::string_view rest_; };\n"})
        self.quiet(wording, {"src/a.cpp": LICENCE + "std::string_view name; int f(std::string_view b);\n"
                                          "Task<int> g(Loop& on, int a);\nint h(std::string_view c);\n"})


class Listed(Planted):
    def test_a_source_is_named_by_a_build_file(self):
        lists = "src/core/CMakeLists.txt"
        self.fires(listed, {"src/core/a.cpp": LICENCE, lists: "# a.cpp\n"}, "no CMakeLists.txt names it")
        self.quiet(listed, {"src/core/sub/a.cpp": LICENCE, lists: "SOURCES sub/a.cpp)\n"})

    def test_a_python_test_is_named_too(self):
        self.fires(listed, {"test/a_test.py": "", "test/CMakeLists.txt": ""}, "no CMakeLists.txt names it")
        self.quiet(listed, {"test/service/harness.py": ""})

    def test_a_header_nobody_includes_is_dead(self):
        self.fires(listed, {"src/core/a.hpp": HEAD}, "dead: nobody includes it")
        self.quiet(listed, {"src/core/a.hpp": HEAD, "test/a.hpp": HEAD + '#include "core/a.hpp"\n#include "a.hpp"\n'})

    def test_beast_is_included_by_six_files_at_most(self):
        texts = {f"src/net/http/a{n}.hpp": HEAD + '#include <boost/beast/http.hpp>\n' for n in range(6)}
        texts["CMakeLists.txt"] = " ".join(texts)
        self.quiet(listed, texts)
        texts["src/net/http/b.hpp"] = HEAD + "#include <boost/beast/core.hpp>\n"
        self.fires(listed, texts, "Beast is included by 7 files")


class Mentions(Planted):
    def test_a_comment_names_what_exists(self):
        for text in ["// See `gone()`.", "// A GoneType.", "// At most kGone.", "/* `Foo::gone()` */"]:
            self.fires(mentions, {"src/a.cpp": text + "\nint x;\n"}, "nowhere in the code")
        self.quiet(mentions, {"src/a.cpp": "// See `here()`, HereType, kHere, W3C, 4 KiB, D83D.\n"
                                           "HereType here(int kHere);\n"})

    def test_a_name_that_only_a_comment_or_text_holds_does_not_exist(self):
        self.fires(mentions, {"src/a.cpp": '// GoneType\nauto x = "GoneType";  // GoneType\n'}, "GoneType")


class Whole(unittest.TestCase):
    def test_findings_are_sorted_and_told_once(self):
        tree = Tree.of({"src/b.cpp": "int x; \n", "src/a.cpp": "int x; \n"})
        found = tidy.findings(tree)
        self.assertEqual(found, sorted(set(found)))
        self.assertGreaterEqual(len(found), 4)

    def test_without_git_the_folder_is_walked(self):
        tree = Tree.read(os.path.join(HERE, "rules"))
        self.assertTrue(tree.get("tree.py"))


if __name__ == "__main__":
    unittest.main()
