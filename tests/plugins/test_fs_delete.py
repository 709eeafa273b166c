# SPDX-License-Identifier: GPL-3.0-or-later
"""test_fs_delete.py - fs.delete_file: what goes, what is kept, what stays."""

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
    ("a missing name", {"path": "none"}, "NOT_FOUND", "none"),
    ("a name in a missing directory", {"path": "no/ne"}, "NOT_FOUND", ""),
    ("a file with a slash behind it", {"path": "file/"}, "NOT_FOUND", ""),
    ("a link to a directory with one", {"path": "to-dir/",
                                        "directory": True}, "NOT_FOUND", ""),
    ("a link that leads outside with one", {"path": "up/",
                                            "directory": True}, "NOT_FOUND",
     ""),
    ("a directory", {"path": "dir"}, "IO_ERROR", '"directory": true'),
    ("a directory with something in it", {"path": "dir",
                                          "directory": True}, "IO_ERROR",
     "not empty"),
    ("a file as a directory", {"path": "file", "directory": True},
     "IO_ERROR", "not a directory"),
    ("a link as a directory", {"path": "to-dir", "directory": True},
     "IO_ERROR", "symlink"),
    ("a FIFO", {"path": "fifo"}, "IO_ERROR", "fifo"),
    ("a socket", {"path": "socket"}, "IO_ERROR", "socket"),
    ("no path", {}, "INVALID_ARGS", "path"),
    ("a backup that is neither true nor false", {"path": "file",
                                                 "backup": 0},
     "INVALID_ARGS", "backup"),
    *(("the root as " + path, {"path": path, "directory": True},
       "PERMISSION_DENIED", "cannot be deleted") for path in
      (".", "dir/..", "../work", "./")),
    *(("what lies outside as " + path, {"path": path, "directory": True},
       "PERMISSION_DENIED", "is outside of") for path in
      ("..", "../outside", "up/outside", "/", "/proc/self/cwd/../outside")),
)


def fill(h):
    fs.write(os.path.join(h.root, "outside"), b"outside")
    fs.write(h.path("file"), b"file")
    os.mkdir(h.path("dir"))
    fs.write(h.path("dir", "in"), b"")
    os.mkfifo(h.path("fifo"))
    os.symlink("dir", h.path("to-dir"))
    os.symlink("..", h.path("up"))
    with socket.socket(socket.AF_UNIX) as listener:
        here = os.getcwd()
        os.chdir(h.work)
        listener.bind("socket")
        os.chdir(here)


def files(t, h, tool):
    before = os.stat(h.path("file"))
    got = tool.call({"path": "file"})
    kept = got.meta["backup_path"]
    t.ok(got.ok and fs.read(h.path("file")) is None and
         re.fullmatch(re.escape(h.path("file")) +
                      r"\.aishell-20\d{12}\.bak", kept), "a file goes", got)
    after = os.stat(kept)
    t.ok(after.st_ino == before.st_ino and
         after.st_mtime_ns == before.st_mtime_ns and
         after.st_mode == before.st_mode, "the backup is the file itself")
    names = {kept}
    for i in range(3):
        fs.write(h.path("file"), b"%d" % i)
        names.add(tool.call({"path": "file"}).meta["backup_path"])
    t.ok(len(names) == 4 and {fs.read(x) for x in names} ==
         {b"file", b"0", b"1", b"2"}, "no backup replaces another", names)
    fs.write(h.path("file"), b"")
    got = tool.call({"path": "file", "backup": False})
    t.ok(got.ok and "backup_path" not in got.meta and
         fs.read(h.path("file")) is None, "without a backup it is gone", got)
    fs.write(h.path("a\nb é"), b"")
    t.ok(tool.call({"path": "a\nb é", "backup": False}).ok and
         not os.path.exists(h.path("a\nb é")), "whatever its name is")


def links(t, h, tool):
    for name, target in (("to a file", "dir/in"), ("to nothing", "no/thing"),
                         ("to a directory", "dir"),
                         ("that leads outside", "../outside")):
        os.symlink(target, h.path("link"))
        got = tool.call({"path": "link", "backup": False})
        t.ok(got.ok and not os.path.lexists(h.path("link")),
             "a link %s goes" % name, got)
    os.symlink("../outside", h.path("link"))
    got = tool.call({"path": "link"})
    t.is_(os.readlink(got.meta["backup_path"]), "../outside",
          "a link is kept as a link")
    t.is_(fs.read(os.path.join(h.root, "outside")), b"outside",
          "what it led to stays")
    os.link(h.path("dir", "in"), h.path("hard"))
    tool.call({"path": "hard", "backup": False})
    t.ok(os.path.exists(h.path("dir", "in")) and
         not os.path.exists(h.path("hard")), "of two names one goes")


def directories(t, h, tool):
    for path in ("empty", "empty/", "./dir/../empty/."):
        os.mkdir(h.path("empty"))
        got = tool.call({"path": path, "directory": True})
        t.ok(got.ok and not os.path.exists(h.path("empty")) and
             "backup_path" not in got.meta, path + " goes", got)


def main():
    t = tap.Tap()
    with home.Home() as h, fs.Tool(h, "fs.delete_file") as tool:
        fill(h)
        before = fs.tree(h.root)
        fs.refusals(t, tool, [(name + " is not deleted", *row)
                              for name, *row in REFUSED])
        t.is_(fs.tree(h.root), before, "all that is still there")
        files(t, h, tool)
        links(t, h, tool)
        directories(t, h, tool)
    t.done()


if __name__ == "__main__":
    main()
