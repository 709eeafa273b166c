# SPDX-License-Identifier: GPL-3.0-or-later
"""test_fs_edit.py - fs.edit_file: all edits or none, and what they changed."""

import os
import stat
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))
sys.path.insert(0, os.path.dirname(__file__))

import fs  # noqa: E402
import home  # noqa: E402
import tap  # noqa: E402

MIB = 1 << 20


def edit(find, replace, **more):
    return {"find": find, "replace": replace, **more}


# what it shows, before, edits, after, edits_made
EDITS = (
    ("one place", b"a b c", [edit("b", "x")], b"a x c", 1),
    ("nothing in its place", b"a b c", [edit(" b", "")], b"a c", 1),
    ("the whole file", b"abc", [edit("abc", "")], b"", 1),
    ("every place", b"aXbXc", [edit("X", "--", all=True)], b"a--b--c", 2),
    ("a place that overlaps itself counts once", b"aaa",
     [edit("aa", "b", all=True)], b"ba", 1),
    ("each edit works on what the one before made", b"1",
     [edit("1", "2"), edit("2", "3 4"), edit("4", "5")], b"3 5", 3),
    ("text is no pattern", b"a.c abc", [edit("a.c", "$1\\0&")],
     b"$1\\0& abc", 1),
    ("lines", b"a\nb\nc\n", [edit("a\nb\n", "x\ny\nz\n")],
     b"x\ny\nz\nc\n", 1),
    ("bytes around that are no text", b"\xff\0a\xfe", [edit("a", "é")],
     b"\xff\0\xc3\xa9\xfe", 1),
    ("a NUL", b"a\0b", [edit("\0", "\0\0")], b"a\0\0b", 1),
    ("null is as if it were absent", b"a", [edit("a", "b", all=None)], b"b",
     1),
)

REFUSED = (
    ("a text that is not there", [edit("old", "new"), edit("zz", "y")],
     "NOT_FOUND", "edit 2: the text is not in the file"),
    ("a text that is there twice", [edit("o", "O")], "INVALID_ARGS",
     "edit 1: the text is in the file 2 times"),
    ("one that an edit before took away", [edit("old", "new"),
                                           edit("old", "x")], "NOT_FOUND",
     "edit 2"),
    ("nothing to find", [edit("", "x")], "INVALID_ARGS", "edit 1: find"),
    ("nothing to put", [{"find": "old"}], "INVALID_ARGS", "replace"),
    ("no text to find", [edit(1, "x")], "INVALID_ARGS", "find"),
    ("all is true or false", [edit("old", "x", all="yes")], "INVALID_ARGS",
     "all"),
    ("no edits", [], "INVALID_ARGS", "edits"),
    ("edits that are no list", {}, "INVALID_ARGS", "edits"),
    ("edits that are not there", None, "INVALID_ARGS", "edits"),
    ("an edit that is no object", ["old"], "INVALID_ARGS", "find"),
    ("too many", [edit("old", "old")] * 101, "INVALID_ARGS", "edits"),
)

PATHS = (
    ("a missing file", "none", "NOT_FOUND"),
    ("a directory", "dir", "IO_ERROR"),
    ("a FIFO", "fifo", "IO_ERROR"),
    ("a file outside", "../outside", "PERMISSION_DENIED"),
    ("a link to one", "out", "PERMISSION_DENIED"),
)


def edits(t, h, tool):
    for name, before, what, after, made in EDITS:
        fs.write(h.path("e"), before, 0o640)
        got = tool.call({"path": "e", "edits": what, "backup": False})
        t.ok(got.ok and fs.read(h.path("e")) == after and
             got.meta["edits_made"] == made and
             got.meta["bytes_written"] == len(after) and
             stat.S_IMODE(os.stat(h.path("e")).st_mode) == 0o640, name, got,
             fs.read(h.path("e")))
    os.unlink(h.path("e"))


def diffs(t, h, tool):
    fs.write(h.path("d"), b"".join(b"%d\n" % i for i in range(1, 21)))
    got = tool.call({"path": "d", "edits": [edit("10\n", "ten\n"),
                                            edit("20\n", "end")]})
    p = h.path("d")
    t.is_(got.stdout, "--- %s\n+++ %s\n"
          "@@ -7,7 +7,7 @@\n 7\n 8\n 9\n-10\n+ten\n 11\n 12\n 13\n"
          "@@ -17,4 +17,4 @@\n 17\n 18\n 19\n-20\n+end\n"
          "\\ No newline at end of file\n" % (p, p), "the answer is a diff")
    kept = got.meta["backup_path"]
    t.ok(fs.read(kept).endswith(b"20\n") and not got.meta["truncated"],
         "what it held is kept", kept)
    os.unlink(kept)
    before = os.stat(p)
    got = tool.call({"path": "d", "edits": [edit("ten", "ten")]})
    t.ok(got.ok and got.stdout == "" and got.meta["bytes_written"] == 0 and
         os.stat(p).st_ino == before.st_ino and os.listdir(h.work).count("d")
         == 1 and "backup_path" not in got.meta,
         "a file that would be the same is left alone", got)
    fs.write(p, b"\0x")
    got = tool.call({"path": "d", "edits": [edit("x", "y")],
                     "backup": False})
    t.ok(got.ok and got.stdout == "" and got.meta["truncated"],
         "of what is no text there is no diff", got)
    fs.write(p, (b"x" + b" " * 39 + b"\n") * 20000)
    got = tool.call({"path": "d", "edits": [edit("x", "y", all=True)],
                     "backup": False})
    t.ok(got.ok and got.meta["edits_made"] == 20000 and
         got.meta["truncated"] and len(got.stdout) <= MIB and
         fs.read(p) == (b"y" + b" " * 39 + b"\n") * 20000,
         "a diff has its bounds", got.meta)
    fs.write(p, b"x" * (16 * MIB))
    got = tool.call({"path": "d", "edits": [edit("x" * (MIB // 4), "x" * MIB,
                                                 all=True)]})
    t.ok(not got.ok and got.code == "IO_ERROR" and os.stat(p).st_size ==
         16 * MIB, "so has what is made of a file", got.stderr)
    with open(p, "ab") as out:
        out.write(b"!")
    got = tool.call({"path": "d", "edits": [edit("!", "?")]})
    t.is_(got.code, "IO_ERROR", "and a file itself")
    fs.write(p, b"a\r\nb\r\n")
    got = tool.call({"path": "d", "edits": [edit("a\nb", "c")]})
    t.ok("\\r\\n" in got.stderr, "other ends of lines are told", got)
    os.unlink(p)


def main():
    t = tap.Tap()
    with home.Home() as h, fs.Tool(h, "fs.edit_file") as tool:
        fs.write(os.path.join(h.root, "outside"), b"old")
        fs.write(h.path("file"), b"old hello\n")
        os.mkdir(h.path("dir"))
        os.mkfifo(h.path("fifo"))
        os.symlink("../outside", h.path("out"))
        before = fs.tree(h.root)
        fs.refusals(t, tool, [
            (name + " is refused", {"path": "file", "edits": what}, code,
             says) for name, what, code, says in REFUSED])
        fs.refusals(t, tool, [
            (name + " is refused", {"path": path,
                                    "edits": [edit("old", "new")]}, code, "")
            for name, path, code in PATHS])
        edits(t, h, tool)
        diffs(t, h, tool)
        t.is_(fs.tree(h.root), before, "nothing else has changed, and no "
              "temporary file is left")
        os.symlink("file", h.path("link"))
        tool.call({"path": "link", "edits": [edit("old", "new")]})
        t.ok(os.path.islink(h.path("link")) and
             fs.read(h.path("file")) == b"new hello\n",
             "a link stays and its target is edited")
    t.done()


if __name__ == "__main__":
    main()
