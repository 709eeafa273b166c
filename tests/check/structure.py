#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""structure.py - files, headers and names are cut as HACKING says.

No private header beside a module, no file name, tag or static function's name
twice, no circle of files but in a grammar, no circle of folders, no header with
one user, no function exported for nobody, or for tests that are no fuzz targets
and are not listed here.
"""

import collections
import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))
sys.path.insert(0, os.path.dirname(__file__))
import csource  # noqa: E402
import tap  # noqa: E402

# A grammar is one: its rules call each other. A folder, or a file name's
# beginning.
GRAMMARS = [
    "src/guard/syntax/",
    "src/guard/risk/",
    "src/offline/explain/",
    "src/offline/manual/",
    "src/offline/parse/",
]

# The data that they declare or hold is made by a program.
GENERATED = {"src/frontend/cli/template_text.h", "src/ui/hook_text.h",
             "src/term/width_table.h"}

# Names that static functions of several files may have, and why. Any other one
# says what it does where it stands alone: in a backtrace, or in a search.
SHARED = {
    r"on_\w+": "handles an event, and is named in its file's table of events",
}

# Functions that tests alone call, and why no other way leads there.
TESTED = {
    "registry_open_in": "registry_open with explicit directories",
    "tool_call_start": "tool_invoke in a confinement of the test's own",
    "offline_proposal_text": "an answer in words, of answers of the test's own",
    "step_output_meta": "a line of the screen, without a plan that runs",
}

# Functions that nobody calls yet, and who will.
AWAITED = {
    "rpc_cancel_all": "a server that ends what runs for a peer that left",
    "registry_remove_servers": "a session that is loaded anew",
    "tool_pool_end_servers": "the same",
    "errand_elevate": "the servers that ask a person: a browser",
}

# Headers that nobody includes yet, with all their functions, and who will.
AWAITED_HEADERS = {}


def folder_of(path):
    return os.path.dirname(path)


def private_headers(files):
    for path in files:
        if path.endswith("_in.h"):
            yield "%s: a private header; pour it into its .c file" % path


def names_twice(files):
    seen = {}
    for path, f in files.items():
        name = os.path.basename(path)
        if name != "main.c":
            seen.setdefault(("file name", name), []).append(path)
        for tag in f.tags():
            seen.setdefault(("tag", tag), []).append(path)
    for (kind, name), paths in sorted(seen.items()):
        if len(paths) > 1:
            yield "%s '%s' twice: %s" % (kind, name, " ".join(paths))


def static_names_twice(files):
    seen = {}
    for path, f in files.items():
        for name in f.statics:
            seen.setdefault(name, []).append(path)
    for name, paths in sorted(seen.items()):
        if len(paths) > 1 and not any(re.fullmatch(row, name)
                                      for row in SHARED):
            yield "static function %s() twice: %s" % (name, " ".join(paths))


def in_a_grammar(part):
    return any(all(path.startswith(g) for path in part) for g in GRAMMARS)


def circles_of_files(files):
    home = {name: path for path, f in files.items() if path.endswith(".c")
            for name in f.functions}
    graph = {path: {home[name] for name in f.calls if name in home} - {path}
             for path, f in files.items() if path.endswith(".c")}
    for part in csource.circles(graph):
        if not in_a_grammar(part):
            yield "files that call each other: " + " ".join(part)


def circles_of_folders(files):
    graph = {}
    for path, f in files.items():
        mine = graph.setdefault(folder_of(path), set())
        mine |= {folder_of("src/" + name) for name in f.includes
                 if "src/" + name in files}
    for folder, uses in graph.items():
        # a wing's own folder and one inside it are one room and its corner
        uses -= {other for other in uses if (other + "/").startswith(
            folder + "/") or (folder + "/").startswith(other + "/")}
    for part in csource.circles(graph):
        yield "folders that include each other: " + " ".join(part)


def lone_headers(files, users):
    for path in files:
        if not path.endswith(".h") or path in GENERATED:
            continue
        name = path[len("src/"):]
        own = path[:-2] + ".c"
        others = [u for u, f in users.items() if name in f.includes
                  and u != own and not u.startswith("tests/")]
        if len(others) + (own in files) >= 2:
            if path in AWAITED_HEADERS:
                yield "AWAITED_HEADERS: %s has its users" % path
        elif path not in AWAITED_HEADERS:
            yield "%s: a header with one user%s" % (
                path, ": " + " ".join(others) if others else "")


def is_a_user(path):
    # a fuzz target calls a parser alone, and print_tables.c the tables that
    # are compared with the manual
    return not path.startswith("tests/") or \
        path.startswith(("tests/fuzz/", "tests/check/"))


def lone_functions(files, users, tested):
    found = set()
    using = collections.defaultdict(list)
    for user, f in users.items():
        for word in f.words:
            using[word].append(user)
    for path, header in files.items():
        if not path.endswith(".h") or path in AWAITED_HEADERS:
            continue
        for name in header.prototypes():
            # a macro of the header itself uses it: DEFINE_CLEANUP, STR_IN
            if len(re.findall(r"\b%s\b" % name, header.code)) > 1:
                continue
            others = [u for u in using[name]
                      if u != path and name not in users[u].functions]
            if not others:
                yield "%s: %s() is used by nobody else" % (path, name)
            elif not any(map(is_a_user, others)):
                found.add(name)
                if name not in tested:
                    yield "%s: %s() is there for tests alone" % (path, name)
    for name in sorted(tested.keys() - found):
        yield "TESTED: %s() is not there for tests alone" % name


CHECKS = [
    (private_headers, False, "no private header stands beside a module"),
    (names_twice, False, "no file name and no tag is there twice"),
    (static_names_twice, False,
     "a static function's name says which of them it is"),
    (circles_of_files, False, "files call each other only in a grammar"),
    (circles_of_folders, False, "no folders include each other"),
    (lone_headers, True, "every header has two users"),
    (lone_functions, True, "every exported function is used elsewhere"),
]


def complaints(check, wants_users, root, tested):
    files = csource.read(root, "src")
    if not wants_users:
        return list(check(files))
    users = csource.read(root, "src", "plugins", "tests")
    if check == lone_functions:
        return list(check(files, users, tested))
    return list(check(files, users))


PLANTED = {
    "src/a/one_in.h": "#ifndef X\n#define X\nint one_take(int x);\n#endif\n",
    "src/a/one.c": '#include "a/one_in.h"\nstruct spot {\n    int x;\n};\n'
                   "static int\nadd(int x)\n{\n    return two(x);\n}\n"
                   "int\none_take(int x)\n{\n    return add(x);\n}\n",
    "src/a/two.c": "struct spot {\n    int y;\n};\nstatic int\nadd(int x)\n"
                   "{\n    return one_take(x);\n}\n"
                   "int\ntwo(int x)\n{\n    return add(x);\n}\n",
    "src/b/two.c": '#include "a/three.h"\nstatic int\nput(int x)\n{\n'
                   "    return three(x) + x.two(1);\n}\n",
    "src/a/three.h": '#include "b/four.h"\nint three(int x);\n'
                     "int three_dead(int x);\nint three_tested(int x);\n"
                     "int three_fuzzed(int x);\nint three_listed(int x);\n",
    "src/a/three.c": '#include "a/three.h"\nint\nthree(int x)\n{\n'
                     "    return x;\n}\nint\nthree_dead(int x)\n{\n"
                     "    return x;\n}\nint\nthree_tested(int x)\n{\n"
                     "    return x;\n}\nint\nthree_fuzzed(int x)\n{\n"
                     "    return x;\n}\nint\nthree_listed(int x)\n{\n"
                     "    return x;\n}\n",
    "src/b/four.h": "/* one user */\n",
    "src/c/six.c": "static void\non_line(int x)\n{\n}\n",
    "src/c/seven.c": "static void\non_line(int x)\n{\n}\n",
    "src/guard/syntax/p.c": "int\np(int x)\n{\n    return q(x);\n}\n",
    "src/guard/syntax/q.c": "int\nq(int x)\n{\n    return p(x);\n}\n",
    "tests/unit/test_three.c": '#include "a/three.h"\nint\nmain(void)\n{\n'
                               "    return three_tested(0) + three_listed(0);"
                               "\n}\n",
    "tests/fuzz/fuzz_three.c": "int\nmain(void)\n{\n"
                               "    return three_fuzzed(0);\n}\n",
}

PLANTED_TESTED = {"three_listed": "a reason", "three": "used elsewhere too",
                  "three_gone": "nobody declares it"}

EXPECTED = {
    private_headers: [
        "src/a/one_in.h: a private header; pour it into its .c file"],
    names_twice: [
        "file name 'two.c' twice: src/a/two.c src/b/two.c",
        "tag 'spot' twice: src/a/one.c src/a/two.c"],
    static_names_twice: [
        "static function add() twice: src/a/one.c src/a/two.c"],
    circles_of_files: [
        "files that call each other: src/a/one.c src/a/two.c"],
    circles_of_folders: ["folders that include each other: src/a src/b"],
    lone_headers: [
        "src/a/one_in.h: a header with one user: src/a/one.c",
        "src/b/four.h: a header with one user: src/a/three.h"],
    lone_functions: [
        "src/a/three.h: three_dead() is used by nobody else",
        "src/a/three.h: three_tested() is there for tests alone",
        "TESTED: three() is not there for tests alone",
        "TESTED: three_gone() is not there for tests alone"],
}


def main():
    t = tap.Tap()
    t.once()
    with tempfile.TemporaryDirectory() as root:
        for path, text in PLANTED.items():
            os.makedirs(os.path.join(root, folder_of(path)), exist_ok=True)
            with open(os.path.join(root, path), "w", encoding="utf-8") as f:
                f.write(text)
        for check, wants_users, name in CHECKS:
            t.is_(complaints(check, wants_users, root, PLANTED_TESTED),
                  EXPECTED[check],
                  "it sees where this does not hold: " + name)
    root = os.environ.get("top_srcdir", ".")
    for check, wants_users, name in CHECKS:
        found = complaints(check, wants_users, root,
                           {**TESTED, **AWAITED})
        t.ok(not found, name, *found)
    t.done()


main()
