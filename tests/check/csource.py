# SPDX-License-Identifier: GPL-3.0-or-later
"""csource.py - C files as the checks of their structure read them.

It needs no compiler: the house's layout (a function's name at the beginning of
a line, clang-format) says what is a definition.
"""

import functools
import os
import re

_TOKENS = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"'
                     r"|'(?:\\.|[^'\\\n])+'", re.S)
_INCLUDE = re.compile(r'^\s*#\s*include "([^"]+)"', re.M)
_DEFINED = re.compile(r"^(\w+)\([^;]*?\)\s*\n?\{", re.M)
_STATIC = re.compile(r"^static [^\n;={]*(?:\n|\b)(\w+)\(", re.M)
_CALL = re.compile(r"(?<![.>\w])(\w+)\(")
_PROTOTYPE = re.compile(r"^(?!static|typedef|extern|#|\s)[\w\s*]*?\b(\w+)\(",
                        re.M)


def _blank(match):
    text = match.group(0)
    return '""' if text[0] == '"' else "\n" * text.count("\n")


def _is_function(name):
    return not name.startswith("__") and not name.isupper()


class File:
    """One file: its path below the root, its text, and its code, which is the
    text without comments and the contents of strings."""

    def __init__(self, root, path):
        with open(os.path.join(root, path), encoding="utf-8") as f:
            self.text = f.read()
        self.path = path
        self.code = _TOKENS.sub(_blank, self.text)
        self.lines = self.text.count("\n")
        self.includes = set(_INCLUDE.findall(self.text))
        self.words = set(re.findall(r"\b[A-Za-z_]\w*\b", self.code))
        self.statics = set(_STATIC.findall(self.code))
        self.functions = {name for name in _DEFINED.findall(self.code)
                          if _is_function(name)} - self.statics
        self.calls = set(_CALL.findall(self.code)) - self.statics

    def prototypes(self):
        """The functions that a header declares."""
        return [name for name in _PROTOTYPE.findall(self.code)
                if _is_function(name)]

    def tags(self):
        """The struct and enum tags that the file defines."""
        return re.findall(r"\b(?:struct|enum) (\w+)\s*\{", self.code)


_file = functools.cache(File)  # each is read once


def read(root, *folders):
    """The .c, .h and .inc files below some folders of root, by path."""
    files = {}
    for folder in folders:
        for where, _, names in os.walk(os.path.join(root, folder)):
            for name in names:
                if name.endswith((".c", ".h", ".inc")):
                    path = os.path.relpath(os.path.join(where, name), root)
                    files[path] = _file(root, path)
    return dict(sorted(files.items()))


def circles(graph):
    """The strongly connected parts of more than one node, each sorted.

    graph: a dict from a node to the set of nodes that it uses. The method is
    Tarjan's (1972), without recursion."""
    index, low, on_stack, stack, found = {}, {}, set(), [], []
    for root in graph:
        if root in index:
            continue
        work = [(root, iter(sorted(graph[root])))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while work:
            node, rest = work[-1]
            for other in rest:
                if other not in index:
                    index[other] = low[other] = len(index)
                    stack.append(other)
                    on_stack.add(other)
                    work.append((other, iter(sorted(graph[other]))))
                    break
                if other in on_stack:
                    low[node] = min(low[node], index[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    part = []
                    while not part or part[-1] != node:
                        part.append(stack.pop())
                        on_stack.discard(part[-1])
                    if len(part) > 1:
                        found.append(sorted(part))
    return sorted(found)
