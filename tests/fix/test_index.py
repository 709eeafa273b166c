# SPDX-License-Identifier: GPL-3.0-or-later
"""test_index.py - the index of the distribution's packages, which is large and
on a disk: what is in it is found wherever it stands, and a disk that is slow
does not hold ai fix."""

import os
import shlex
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))

import home
import tap

AI = home.program("ai")
NAME = "qqtool"
PIECE = 256 << 10  # what is read at a time
SLOW_S = 0.05      # for each read


def cache(at):
    """apt's own cache with the name at a place of it: its length before it."""
    entry = len(NAME).to_bytes(2, "little") + NAME.encode() + b"\0"
    return b"\1" * at + entry + b"\1" * 100


def lists(at):
    text = "x" * at + "\nPackage: %s\nVersion: 1\n" % NAME
    return text.encode()


def ask(h, files, *before):
    """ai fix, where apt has only these files."""
    script = "set -e\n"
    for folder in ("/var/cache/apt", "/var/lib/apt/lists"):
        script += "mount -t tmpfs none %s\n" % folder
    for path, content in files.items():
        source = os.path.join(h.root, os.path.basename(path))
        with open(source, "wb") as out:
            out.write(content)
        script += "cp %s %s\n" % (shlex.quote(source), path)
    with open(h.path("shown"), "w", encoding="utf-8") as out:
        out.write("bash: %s: command not found\n" % NAME)
    words = [*before, AI, "fix", "--offline", "--dry-run", "--command",
             NAME + " x", "--status", "127", "--stderr-file", "shown"]
    return h.run(["unshare", "-rm", "sh", "-c",
                  script + "exec " + shlex.join(words)])


def main():
    t = tap.Tap()
    t.needs("namespaces")
    if not os.path.isdir("/var/cache/apt") or \
            not os.path.isdir("/var/lib/apt/lists"):
        t.skip_all("no apt here")
    with home.Home() as h:
        got = ask(h, {})
        t.ok("install" not in got.out, "what is in no index is not proposed",
             got.out, got.err)
        for at in (0, PIECE - 1, PIECE - 2 - len(NAME), PIECE - 3 - len(NAME),
                   PIECE, 3 * PIECE - 5, 40 << 20):
            got = ask(h, {"/var/cache/apt/pkgcache.bin": cache(at)})
            t.ok("install " + NAME in got.out, "apt's cache has it at %d" % at,
                 got.out, got.err)
            got = ask(h, {"/var/lib/apt/lists/x_Packages": lists(at)})
            t.ok("install " + NAME in got.out, "a list has it at %d" % at,
                 got.out, got.err)
        if not tap.is_here("strace"):
            t.skip("a slow disk", "needs strace")
        else:
            slow = ("strace", "-f", "-o", "/dev/null", "-e", "trace=read",
                    "-P", "/var/cache/apt/pkgcache.bin", "-e",
                    "inject=read:delay_enter=%d" % (SLOW_S * 1e6))
            files = {"/var/cache/apt/pkgcache.bin": cache(0)}
            quick = ask(h, files, *slow)
            t.ok("install " + NAME in quick.out,
                 "a disk that is a little slow is waited for", quick.out,
                 quick.err)
            files = {"/var/cache/apt/pkgcache.bin": cache(100 << 20)}
            got = ask(h, files, *slow)
            t.ok("install" not in got.out and
                 got.seconds < 400 * SLOW_S / 4,
                 "one that would take %d s is given up" % (400 * SLOW_S),
                 got.seconds, quick.seconds, got.out, got.err)
            t.diag("given up after %.1f s, found after %.1f s" %
                   (got.seconds, quick.seconds))
    t.done()


main()
