# SPDX-License-Identifier: GPL-3.0-or-later
"""test_fs_list.py - fs.list_dir: every name, once, as it is."""

import os
import re
import socket
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))
sys.path.insert(0, os.path.dirname(__file__))

import fs  # noqa: E402
import home  # noqa: E402
import tap  # noqa: E402

REFUSED = (
    ("a missing directory is told", {"path": "none"}, "NOT_FOUND", "none"),
    ("a file is no directory", {"path": "d/plain"}, "IO_ERROR",
     "not a directory"),
    ("nor is a FIFO", {"path": "d/fifo"}, "IO_ERROR", "fifo"),
    ("a path must be there", {}, "INVALID_ARGS", "path"),
    ("no entries cannot be asked for", {"path": "d", "max_entries": 0},
     "INVALID_ARGS", "max_entries"),
    ("nor too many", {"path": "d", "max_entries": 10001}, "INVALID_ARGS",
     "max_entries"),
    ("hidden is true or false", {"path": "d", "hidden": "yes"},
     "INVALID_ARGS", "hidden"),
)

LINES = """.dot
A
a b
dir/
fifo|
link@
new\\nline
plain
run*
socket=
tab\\tback\\\\slash\\033
\ufffdbad
é
"""


def fill(h):
    os.mkdir(h.path("d"))
    os.mkdir(h.path("d", "dir"))
    os.mkfifo(h.path("d", "fifo"))
    os.symlink("some/where", h.path("d", "link"))
    with socket.socket(socket.AF_UNIX) as listener:
        here = os.getcwd()
        os.chdir(h.path("d"))
        listener.bind("socket")
        os.chdir(here)
    for name in (b".dot", b"A", b"a b", b"new\nline", b"plain",
                 b"tab\tback\\slash\033", "é".encode(), b"\x80bad"):
        fs.write(os.fsencode(h.path("d")) + b"/" + name, b"12345")
    fs.write(h.path("d", "run"), b"", 0o755)
    os.utime(h.path("d", "plain"), (0, 86400))


def everything(t, tool):
    got = tool.call({"path": "d"})
    entries = got.meta["entries"]
    t.is_(got.stdout, LINES, "a name a line, sorted by bytes, with a mark")
    t.is_([x["name"] for x in entries],
          [".dot", "A", "a b", "dir", "fifo", "link", "new\nline", "plain",
           "run", "socket", "tab\tback\\slash\033", "\ufffdbad", "é"],
          "the entries have the same names, as they are")
    t.is_({x["type"] for x in entries},
          {"file", "directory", "symlink", "fifo", "socket"},
          "each has its type")
    by_name = {x["name"]: x for x in entries}
    t.is_(by_name["plain"], {"name": "plain", "type": "file", "size": 5,
                             "mtime": "1970-01-02T00:00:00Z",
                             "mode": "0644"}, "size, time and mode are told")
    t.is_(by_name["link"]["target"], "some/where", "so is a link's target")
    t.ok(got.meta["total"] == 13 and not got.meta["truncated"],
         "nothing is missing", got.meta)
    got = tool.call({"path": "d", "hidden": False})
    t.ok(got.stdout == LINES.removeprefix(".dot\n") and
         got.meta["total"] == 12, "hidden names can be left out", got)
    t.is_(tool.call({"path": "d/dir"}).meta["entries"], [],
          "an empty directory has no entries")


def many(t, h, tool):
    os.mkdir(h.path("many"))
    for i in range(2500):
        fs.write(h.path("many", "%04d" % (i * 7919 % 2500)))
    got = tool.call({"path": "many"})
    t.ok(got.stdout == "".join("%04d\n" % i for i in range(1000)) and
         got.meta["truncated"] and got.meta["total"] == 2500,
         "of many names the first thousand come", got.meta["total"])
    got = tool.call({"path": "many", "max_entries": 3})
    t.is_(got.stdout, "0000\n0001\n0002\n", "or as many as are asked for")
    got = tool.call({"path": "many", "max_entries": 2500})
    t.ok(len(got.meta["entries"]) == 2500 and not got.meta["truncated"],
         "or all of them")
    os.mkdir(h.path("long"))
    for i in range(5000):
        fs.write(h.path("long", "%04d" % i + "x" * 250))
    got = tool.call({"path": "long", "max_entries": 10000})
    n = len(got.meta["entries"])
    t.ok(len(got.stdout) <= 1 << 20 and got.stdout.count("\n") == n and
         n > 4000 and got.meta["truncated"] and got.meta["total"] == 5000,
         "an answer holds what it can", n)


def roots(t, h, tool):
    only = {"read": [h.path("d")]}
    fs.refusals(t, tool, [
        ("no list gets out by " + path, {"path": path}, "PERMISSION_DENIED",
         "is outside of") for path in
        (".", "..", "/", "d/..", "d/up", "/proc/self/cwd")], roots=only)
    t.ok(tool.call({"path": "d"}, roots=only).ok, "a root itself is listed")
    t.ok(tool.call({"path": "/"}).ok, "so is / where all may be read")


def not_entered(t, h):
    """A directory may be readable and not searchable."""
    name = "a directory that must not be entered still tells its names"
    prefix = fs.somebody(h, "fs.list_dir")
    if not prefix:
        t.skip(name, "nobody else can be had")
        return
    os.chmod(h.path("d"), 0o744)
    with fs.Tool(h, "fs.list_dir", prefix) as tool:
        got = tool.call({"path": "d"})
    os.chmod(h.path("d"), 0o755)
    t.ok(got.ok and got.meta["entries"][0] == {"name": ".dot",
                                               "type": "unknown"}, name, got)


def main():
    t = tap.Tap()
    with home.Home() as h, fs.Tool(h, "fs.list_dir") as tool:
        fill(h)
        everything(t, tool)
        os.symlink("../..", h.path("d", "up"))
        fs.refusals(t, tool, REFUSED)
        many(t, h, tool)
        roots(t, h, tool)
        not_entered(t, h)
        got = tool.call({"path": "/proc/self/fd"})
        t.ok(re.match("0@\n1@\n", got.stdout), "/proc is listed", got)
    t.done()


if __name__ == "__main__":
    main()
