# SPDX-License-Identifier: GPL-3.0-or-later
"""test_fs_write.py - fs.write_file: all of a file, and nothing beside it."""

import base64
import contextlib
import json
import os
import re
import stat
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))
sys.path.insert(0, os.path.dirname(__file__))

import fs  # noqa: E402
import home  # noqa: E402
import tap  # noqa: E402

CONTESTS = 50  # for one name
BACKUP = r"\.aishell-20\d{12}\.bak"

REFUSED = (
    ("parents are not made", {"path": "no/x", "content": ""}, "NOT_FOUND",
     "no/x"),
    ("nor for a link's target", {"path": "far", "content": ""}, "NOT_FOUND",
     ""),
    ("a name below a file", {"path": "file/x", "content": ""}, "NOT_FOUND",
     "file/x"),
    ("a new name that ends in a slash", {"path": "new/", "content": ""},
     "NOT_FOUND", "new/"),
    ("a directory is not written", {"path": "dir", "content": ""},
     "IO_ERROR", "directory"),
    ("nor is the root", {"path": ".", "content": ""}, "IO_ERROR",
     "directory"),
    ("a FIFO is not waited for", {"path": "fifo", "content": ""},
     "IO_ERROR", "fifo"),
    ("a loop of links ends", {"path": "loop", "content": ""}, "IO_ERROR",
     "loop"),
    ("content must be there", {"path": "file"}, "INVALID_ARGS", "content"),
    ("it must be text", {"path": "file", "content": 1}, "INVALID_ARGS",
     "content"),
    ("a path must be there", {"content": ""}, "INVALID_ARGS", "path"),
    ("backup is true or false", {"path": "file", "content": "",
                                 "backup": 1}, "INVALID_ARGS", "backup"),
    *(("%r is no encoding" % name, {"path": "file", "content": "",
                                    "encoding": name}, "INVALID_ARGS",
       "encoding") for name in ("utf8", "Base64", "base64\0", 64)),
    *(("%r is no base64" % text, {"path": "file", "content": text,
                                  "encoding": "base64"}, "INVALID_ARGS",
       "content") for text in
      ("a", "YQ", "YQ=", "Y Q=", "YQ==\n", "YR==", "YQ==YQ==", "YQ-_",
       "Y\0Q=", "é==")),
    ("exclusive is true or false", {"path": "new", "content": "",
                                    "exclusive": "yes"}, "INVALID_ARGS",
     "exclusive"),
    *(("where %s is nothing is created" % what,
       {"path": path, "content": "", "exclusive": True}, "IO_ERROR",
       "exists") for what, path in
      (("a file", "file"), ("a directory", "dir"), ("a FIFO", "fifo"),
       ("the root", "."), ("a link to a file", "to-file"),
       ("a link to nothing", "far"), ("a link to what leads out", "out"),
       ("a loop of links", "loop"))),
    ("a new file has its directory all the same",
     {"path": "no/x", "content": "", "exclusive": True}, "NOT_FOUND",
     "no/x"),
    *(("%r is no mode" % mode, {"path": "file", "content": "",
                                "mode": mode}, "INVALID_ARGS", "mode")
      for mode in ("", "7", "0999", "4755", "01777", "u+x", "-644", 420)),
    *(("no write gets out by " + path, {"path": path, "content": ""},
       "PERMISSION_DENIED", "is outside of") for path in
      ("../outside", "out", "up/outside", "outside-new", "/etc/agentsh-no",
       "dir/../../x", "/", "..", "/proc/self/cwd/../outside",
       "/proc/self/root/agentsh-no")),
)


def fill(h):
    fs.write(os.path.join(h.root, "outside"), b"outside")
    fs.write(h.path("file"), b"old")
    os.mkdir(h.path("dir"))
    os.mkfifo(h.path("fifo"))
    for name, target in (("far", "no/where"), ("loop", "loop"),
                         ("up", ".."), ("out", "../outside"),
                         ("outside-new", "../new"), ("to-file", "file")):
        os.symlink(target, h.path(name))


def contents(t, h, tool):
    for name, content in (("text", "a\nb\n"), ("nothing", ""),
                          ("a NUL", "a\0b"), ("é😀", "é😀"),
                          ("much", "x" * (8 << 20))):
        got = tool.call({"path": "c", "content": content, "backup": False})
        t.ok(got.ok and got.stdout == "" and "backup_path" not in got.meta and
             got.meta["bytes_written"] == len(content.encode()) and
             fs.read(h.path("c")) == content.encode(), "%s is written" % name,
             got)
    os.unlink(h.path("c"))


def encoded(t, h, tool):
    content = bytes(range(256)) * 5 + b"\xff"
    got = tool.call({"path": "c", "encoding": "base64", "backup": False,
                     "content": base64.b64encode(content).decode()})
    t.ok(got.ok and fs.read(h.path("c")) == content and
         got.meta["bytes_written"] == len(content),
         "any bytes are written as base64", got)
    got = tool.call({"path": "c", "encoding": "base64", "content": "",
                     "backup": False})
    t.ok(got.ok and fs.read(h.path("c")) == b"", "and none", got)
    got = tool.call({"path": "c", "encoding": None, "content": "YQ==",
                     "backup": False, "exclusive": None})
    t.is_(fs.read(h.path("c")), b"YQ==", "unasked, nothing is decoded")
    os.unlink(h.path("c"))


def exclusive(t, h, tool):
    got = tool.call({"path": "x", "content": "1", "exclusive": True,
                     "mode": "0600"})
    t.ok(got.ok and got.meta["created"] and "backup_path" not in got.meta and
         fs.read(h.path("x")) == b"1" and
         stat.S_IMODE(os.stat(h.path("x")).st_mode) == 0o600,
         "an exclusive call creates a file", got)
    got = tool.call({"path": "x", "content": "2", "exclusive": False,
                     "backup": False})
    t.ok(got.ok and fs.read(h.path("x")) == b"2", "another replaces it", got)
    os.unlink(h.path("x"))
    with contextlib.ExitStack() as all_of_them:
        tools = [all_of_them.enter_context(fs.Tool(h, "fs.write_file"))
                 for _ in range(4)]
        firsts = 0
        for i in range(CONTESTS):
            for number, one in enumerate(tools):
                one.send({"path": "x", "content": str(number),
                          "exclusive": True})
            oks = [json.loads(one.line())["ok"] for one in tools]
            firsts += oks.count(True) == 1 and \
                fs.read(h.path("x")) == b"%d" % oks.index(True)
            os.unlink(h.path("x"))
        t.is_(firsts, CONTESTS, "of several at once one creates the file")


def backups(t, h, tool):
    got = tool.call({"path": "new", "content": "1"})
    t.ok(got.ok and "backup_path" not in got.meta and got.meta["created"],
         "of a new file there is no backup", got)
    os.utime(h.path("new"), (5, 7))
    os.chmod(h.path("new"), 0o640)
    old = os.stat(h.path("new"))
    got = tool.call({"path": "new", "content": "2"})
    kept = got.meta["backup_path"]
    t.ok(re.fullmatch(re.escape(h.path("new")) + BACKUP, kept),
         "a backup is beside it", kept)
    st = os.stat(kept)
    t.ok(fs.read(kept) == b"1" and st.st_mode == old.st_mode and
         st.st_mtime == 7 and st.st_atime == 5 and st.st_uid == old.st_uid,
         "it is the file as it was, with mode and times", st)
    t.ok(fs.read(h.path("new")) == b"2" and
         os.stat(h.path("new")).st_mode == old.st_mode,
         "the file keeps its mode")
    names = {tool.call({"path": "new", "content": str(i)})
             .meta["backup_path"] for i in range(3, 8)}
    t.ok(len(names) == 5 and {fs.read(x) for x in names} ==
         {b"2", b"3", b"4", b"5", b"6"}, "each of many is kept", names)
    t.ok(any(re.search(BACKUP + "-1$", x) for x in names),
         "a clash gets a number", names)
    for name in names | {kept, h.path("new")}:
        os.unlink(name)
    fs.write(h.path("x" * 240), b"old")
    got = tool.call({"path": "x" * 240, "content": "new"})
    t.ok(got.code == "IO_ERROR" and "backup" in got.stderr and
         fs.read(h.path("x" * 240)) == b"old",
         "where no backup can be made nothing is written", got)
    os.unlink(h.path("x" * 240))


def modes(t, h, tool):
    for mode, bits in (("0600", 0o600), ("755", 0o755), ("0000", 0)):
        tool.call({"path": "m", "content": "", "mode": mode})
        t.is_(stat.S_IMODE(os.stat(h.path("m")).st_mode), bits,
              "a new file gets mode " + mode)
        os.unlink(h.path("m"))
    for mask, bits in ((0o022, 0o644), (0o077, 0o600), (0, 0o644)):
        with fs.Tool(h, "fs.write_file", prefix=(
                "sh", "-c", 'umask %o; exec "$0"' % mask)) as other:
            other.call({"path": "m", "content": ""})
        t.is_(stat.S_IMODE(os.stat(h.path("m")).st_mode), bits,
              "without one it is 0644 less the umask %03o" % mask)
        os.unlink(h.path("m"))
    fs.write(h.path("m"), b"", 0o644)
    tool.call({"path": "m", "content": "x", "mode": "0400",
               "backup": False})
    t.is_(stat.S_IMODE(os.stat(h.path("m")).st_mode), 0o400,
          "an old file gets the mode that is named")
    fs.write(h.path("s"), b"", 0o4755)
    tool.call({"path": "s", "content": "x", "backup": False})
    t.is_(stat.S_IMODE(os.stat(h.path("s")).st_mode), 0o755,
          "new content does not run as another user")
    os.unlink(h.path("m"))
    os.unlink(h.path("s"))


def links(t, h, tool):
    os.symlink("dir/target", h.path("link"))
    got = tool.call({"path": "link", "content": "1"})
    t.ok(got.ok and os.readlink(h.path("link")) == "dir/target" and
         fs.read(h.path("dir", "target")) == b"1",
         "a link to nothing yet makes its target", got)
    os.symlink(h.path("link"), h.path("dir", "chain"))
    got = tool.call({"path": "dir/chain", "content": "2"})
    t.ok(got.ok and os.path.islink(h.path("link")) and
         fs.read(h.path("dir", "target")) == b"2",
         "a chain of links stays, its end is written", got)
    t.ok(got.meta["backup_path"].startswith(h.path("dir", "target.")),
         "the backup is beside the target", got)
    fs.write(h.path("one"), b"old")
    os.link(h.path("one"), h.path("two"))
    got = tool.call({"path": "one", "content": "new"})
    t.ok(got.meta.get("other_names") == 1 and fs.read(h.path("two")) ==
         b"old" and fs.read(h.path("one")) == b"new",
         "another name of the file keeps what it had, and that is said", got)
    with open(h.path("two"), "ab") as out:
        out.write(b"er")
    t.is_(fs.read(got.meta["backup_path"]), b"old",
          "then the backup is a file of its own")


def attributes(t, h, tool):
    name = "extended attributes stay"
    fs.write(h.path("a"), b"old")
    try:
        os.setxattr(h.path("a"), "user.test", b"value")
    except OSError as why:
        t.skip(name, why.strerror)
        return
    tool.call({"path": "a", "content": "new"})
    t.is_(os.getxattr(h.path("a"), "user.test"), b"value", name)


def of_others(t, h):
    names = ("a file that must not be written is not replaced",
             "one that may be is, and is whole", "its old owner keeps the old")
    prefix = fs.somebody(h, "fs.write_file")
    if not prefix:
        for name in names:
            t.skip(name, "nobody else can be had")
        return
    os.mkdir(h.path("open"))
    os.chmod(h.path("open"), 0o777)
    fs.write(h.path("open", "closed"), b"old", 0o644)
    fs.write(h.path("open", "shared"), b"old", 0o666)
    with fs.Tool(h, "fs.write_file", prefix) as tool:
        got = tool.call({"path": "open/closed", "content": "new"})
        t.ok(got.code == "PERMISSION_DENIED" and
             fs.read(h.path("open", "closed")) == b"old", names[0], got)
        got = tool.call({"path": "open/shared", "content": "new"})
        t.ok(got.ok and fs.read(h.path("open", "shared")) == b"new",
             names[1], got)
        kept = got.meta["backup_path"]
        t.ok(fs.read(kept) == b"old" and os.stat(kept).st_uid in
             (0, 12345), names[2], kept)


def owner(t, h, tool):
    if os.getuid() != 0:
        t.skip("owner and group stay", "needs root")
        return
    fs.write(h.path("theirs"), b"old", 0o640)
    os.chown(h.path("theirs"), 12345, 54321)
    tool.call({"path": "theirs", "content": "new", "backup": False})
    st = os.stat(h.path("theirs"))
    t.ok(st.st_uid == 12345 and st.st_gid == 54321 and
         stat.S_IMODE(st.st_mode) == 0o640, "owner and group stay", st)


SCRIPT = """mount -t tmpfs -o size=256k none disk && cd disk &&
dd if=/dev/urandom of=old bs=1k count=%d status=none && sum=$(cksum <old) &&
"$0" && test "$(cksum <old)" = "$sum" && ls -A >&2"""


def full_disk(t, h):
    """On a disk of its own, in a mount namespace."""
    os.mkdir(h.path("disk"))
    name = "a full disk leaves the file, and nothing beside it"
    if subprocess.run(["unshare", "-m", "mount", "-t", "tmpfs", "none",
                       h.path("disk")], capture_output=True,
                      check=False).returncode != 0:
        t.skip(name, "no mount namespace here")
        return
    line = fs.request("fs.write_file", {"path": "old",
                                        "content": "x" * 200000})
    done = subprocess.run(
        ["unshare", "-m", "sh", "-c", SCRIPT % 200,
         fs.program("fs.write_file")], input=line, capture_output=True,
        cwd=h.work, env=h.env, check=False)
    t.ok(done.returncode == 0 and b"No space left" in done.stdout and
         b"IO_ERROR" in done.stdout and done.stderr == b"old\n", name, done)
    done = subprocess.run(
        ["unshare", "-m", "sh", "-c", (SCRIPT % 200).replace(
            '= "$sum"', '!= "$sum"'), fs.program("fs.write_file")],
        input=fs.request("fs.write_file", {"path": "old", "content": "x"}),
        capture_output=True, cwd=h.work, env=h.env, check=False)
    t.ok(done.returncode == 0 and done.stderr.count(b"old") == 2,
         "a backup needs no room on it", done)


def main():
    t = tap.Tap()
    with home.Home() as h, fs.Tool(h, "fs.write_file") as tool:
        fill(h)
        before = fs.tree(h.root)
        fs.refusals(t, tool, REFUSED)
        fs.refusals(t, tool, [("without roots nothing is written",
                               {"path": "file", "content": ""},
                               "PERMISSION_DENIED", "permission denied")],
                    roots={"write": []})
        contents(t, h, tool)
        encoded(t, h, tool)
        exclusive(t, h, tool)
        backups(t, h, tool)
        modes(t, h, tool)
        t.is_(fs.tree(h.root), before, "nothing else has changed, and no "
              "temporary file is left")
        links(t, h, tool)
        attributes(t, h, tool)
        owner(t, h, tool)
        of_others(t, h)
        full_disk(t, h)
    t.done()


if __name__ == "__main__":
    main()
