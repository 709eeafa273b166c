# SPDX-License-Identifier: GPL-3.0-or-later
"""test_fs_read.py - fs.read_file: what comes back, and what is refused."""

import base64
import os
import socket
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))
sys.path.insert(0, os.path.dirname(__file__))

import fs  # noqa: E402
import home  # noqa: E402
import tap  # noqa: E402

MIB = 1 << 20

# what it shows, content, arguments, text, bytes_read, truncated
PIECES = (
    ("a whole file", b"hello", {}, "hello", 5, False),
    ("an empty file", b"", {}, "", 0, False),
    ("a file as long as was asked for is whole", b"hello",
     {"max_bytes": 5}, "hello", 5, False),
    ("a longer one is cut", b"hello", {"max_bytes": 4}, "hell", 4, True),
    ("a cut does not split a character", "aé€😀".encode(),
     {"max_bytes": 9}, "aé€", 6, True),
    ("a character that does not fit is for the next call", "é".encode(),
     {"max_bytes": 1}, "", 0, True),
    ("bytes that are no text are replaced", b"a\xff\xfeb", {},
     "a\ufffd\ufffdb", 4, False),
    ("half a character at the end of a file is replaced", b"a\xe2\x82", {},
     "a\ufffd", 3, False),
    ("a NUL is text", b"a\0b\n", {}, "a\0b\n", 4, False),
    ("carriage returns stay", b"a\r\nb\r", {}, "a\r\nb\r", 5, False),
    ("an offset", b"0123456789", {"offset": 4, "max_bytes": 3}, "456", 3,
     True),
    ("an offset behind the end", b"01", {"offset": 7}, "", 0, False),
    ("lines", b"a\nb\nc\nd\n", {"line": 2, "lines": 2}, "b\nc\n", 4, True),
    ("the last lines", b"a\nb\nc", {"line": 2, "lines": 9}, "b\nc", 3,
     False),
    ("a line behind the end", b"a\n", {"line": 5}, "", 0, False),
    ("lines from the beginning", b"a\nb\n", {"lines": 1}, "a\n", 2, True),
    ("all lines there are", b"a\nb\n", {"lines": 2}, "a\nb\n", 4, False),
    ("null is as if it were absent", b"x",
     {"max_bytes": None, "offset": None, "line": None, "encoding": None},
     "x", 1, False),
    ("utf-8 can be asked for", "é".encode(), {"encoding": "utf-8"}, "é", 2,
     False),
    ("base64 gives every byte", b"a\xff\0\n", {"encoding": "base64"},
     "Yf8ACg==", 4, False),
    ("of an empty file it is empty", b"", {"encoding": "base64"}, "", 0,
     False),
    ("it splits characters", "é😀".encode(),
     {"encoding": "base64", "offset": 1, "max_bytes": 2}, "qfA=", 2, True),
    ("lines come as base64", b"a\nb\xff\nc\n",
     {"encoding": "base64", "line": 2, "lines": 1}, "Yv8K", 3, True),
)

# content, offset, max_bytes, text, where it began and ended
RANGES = (
    ("a range of whole characters stays", "aé😀b", 1, 6, "é😀", 1, 7),
    ("one that begins within a character begins behind it", "aé😀b", 2, 5,
     "😀", 3, 7),
    ("whichever of its bytes that is", "a😀b", 4, 9, "b", 5, 6),
    ("its end is not moved by that", "é😀", 1, 4, "", 2, 2),
    ("nor beyond what was asked for", "😀b", 1, 2, "", 3, 3),
    ("one that ends within a character ends before it", "aé😀b", 0, 5, "aé",
     0, 3),
    ("a character at the end of the file", "aé", 2, 9, "", 3, 3),
    ("a range behind the end", "é", 7, 3, "", 7, 7),
)

# what is no text: it is no part of a character, whatever stands before it
BYTES = (
    ("a byte that continues nothing is not passed over", b"a\x82b", 1,
     "\ufffdb", 1),
    ("nor one too many", b"\xc3\xa9\xa9b", 2, "\ufffdb", 2),
    ("nor half a character", b"\xe2\x82a", 1, "\ufffda", 1),
)

REFUSED = (
    ("a missing file is told", {"path": "none"}, "NOT_FOUND", "none"),
    ("so is one in a missing directory", {"path": "no/ne"}, "NOT_FOUND",
     "no/ne"),
    ("and one below a file", {"path": "file/x"}, "NOT_FOUND", "file/x"),
    ("a link to nothing", {"path": "dangling"}, "NOT_FOUND", ""),
    ("a directory is no file", {"path": "dir"}, "IO_ERROR", "directory"),
    ("a FIFO is not waited for", {"path": "fifo"}, "IO_ERROR", "fifo"),
    ("a socket is no file", {"path": "socket"}, "IO_ERROR", "socket"),
    ("nor is a device", {"path": "/dev/zero"}, "IO_ERROR", "device"),
    ("a loop of links ends", {"path": "loop"}, "IO_ERROR", "loop"),
    ("a path must be there", {}, "INVALID_ARGS", "path"),
    ("it must be text", {"path": 7}, "INVALID_ARGS", "path"),
    ("it must not be empty", {"path": ""}, "INVALID_ARGS", "path"),
    ("it holds no NUL", {"path": "a\0b"}, "INVALID_ARGS", "NUL"),
    ("of a long path the end is told", {"path": "x/" * 3000 + "end"},
     "NOT_FOUND", "x/x/end: No"),
    ("a name has its bounds", {"path": "x" * 256}, "IO_ERROR", "too long"),
    ("nothing at all cannot be asked for",
     {"path": "file", "max_bytes": 0}, "INVALID_ARGS", "max_bytes"),
    ("nor more than an answer holds",
     {"path": "file", "max_bytes": MIB + 1}, "INVALID_ARGS", "max_bytes"),
    ("nor half a byte", {"path": "file", "max_bytes": 1.5}, "INVALID_ARGS",
     "max_bytes"),
    ("an offset is not negative", {"path": "file", "offset": -1},
     "INVALID_ARGS", "offset"),
    ("a line and an offset are one too many",
     {"path": "file", "offset": 1, "line": 1}, "INVALID_ARGS", "line"),
    *(("%r is no encoding" % name, {"path": "file", "encoding": name},
       "INVALID_ARGS", "encoding") for name in
      ("", "utf8", "base64\0", "BASE64", 64, False)),
)


def pieces(t, h, tool):
    for name, content, args, text, size, cut in PIECES:
        fs.write(h.path("piece"), content)
        got = tool.call({"path": "piece", **args})
        t.ok(got.ok and got.stdout == text and got.stderr == "" and
             got.meta["bytes_read"] == size and
             got.meta["truncated"] == cut and
             got.meta["size"] == len(content), name, got)


def ranges(t, h, tool):
    for name, content, offset, most, text, begin, end in RANGES:
        fs.write(h.path("piece"), content.encode())
        got = tool.call({"path": "piece", "offset": offset,
                         "max_bytes": most})
        t.ok(got.ok and got.stdout == text and
             got.meta["offset"] == begin and got.meta["end"] == end and
             got.meta["bytes_read"] == end - begin, name, got)
    for name, content, offset, text, begin in BYTES:
        fs.write(h.path("piece"), content)
        got = tool.call({"path": "piece", "offset": offset})
        t.ok(got.stdout == text and got.meta["offset"] == begin, name, got)

    content = os.urandom(2 * MIB)
    fs.write(h.path("random"), content)
    read, at = b"", 0
    while at < len(content):
        got = tool.call({"path": "random", "encoding": "base64",
                         "max_bytes": MIB, "offset": at})
        if not got.ok or len(got.stdout) > MIB:
            break
        read += base64.b64decode(got.stdout, validate=True)
        at = got.meta["end"]
    t.ok(read == content and at == 2 * MIB,
         "two MiB of any bytes come in pieces of base64", len(read), at)
    text = "a€😀é" * 50000
    fs.write(h.path("text"), text.encode())
    parts, at, more = [], 0, True
    while more and len(parts) < 100:
        got = tool.call({"path": "text", "max_bytes": 9999, "offset": at})
        parts.append(got.stdout)
        at, more = got.meta["end"], got.meta["truncated"]
    t.is_("".join(parts), text, "a text comes in pieces, each whole")


def sizes(t, h, tool):
    fs.write(h.path("more"), b"x" * 102401)
    got = tool.call({"path": "more"})
    t.ok(got.meta["bytes_read"] == 102400 and got.meta["truncated"],
         "without a size 102400 bytes come", got.meta)

    with open(h.path("sparse"), "wb") as out:
        out.truncate(100 * MIB)
    got = tool.call({"path": "sparse", "max_bytes": MIB})
    t.ok(got.ok and len(got.stdout) == MIB and
         got.meta["size"] == 100 * MIB, "a MiB of a hole comes back")
    got = tool.call({"path": "sparse", "offset": 100 * MIB - 3})
    t.ok(got.stdout == "\0\0\0" and not got.meta["truncated"],
         "so does the end of a large file", got)

    fs.write(h.path("bad"), b"\xff" * MIB)
    text, at = "", 0
    while True:
        got = tool.call({"path": "bad", "max_bytes": MIB, "offset": at})
        text += got.stdout
        at += got.meta["bytes_read"]
        if len(got.stdout.encode()) > MIB or not got.meta["truncated"]:
            break
    t.ok(text == "\ufffd" * MIB,
         "a MiB of what is no text comes in more than one answer",
         len(text), at)


def links(t, h, tool):
    os.symlink(h.path("file"), h.path("absolute"))
    os.symlink("dir/../file", h.path("relative"))
    for path in ("absolute", "relative", "./dir/.././file",
                 h.path("dir", "..", "file"), "self/self/file"):
        got = tool.call({"path": path},
                        roots={"read": [h.work], "write": []})
        t.is_(got.stdout, "inside", path.replace(h.work, "") + " is read")
    outside = os.path.join(h.root, "outside")
    fs.write(outside, b"secret")
    os.symlink(outside, h.path("out"))
    os.symlink("..", h.path("up"))
    fs.refusals(t, tool, [
        ("no read gets out by " + path.replace(h.root, ""), {"path": path},
         "PERMISSION_DENIED", "is outside of") for path in
        ("out", "../outside", "up/outside", outside, "/etc/passwd", "/",
         "dir/../../outside", "/proc/self/root/etc/passwd",
         "/proc/self/cwd/../outside")], roots={"read": [h.work]})
    got = tool.call({"path": "out"}, roots={"read": [h.work]})
    t.ok("out: " in got.stderr and h.work[-30:] in got.stderr,
         "path and root are named", got)
    got = tool.call({"path": "out"}, roots={"read": ["/none", h.root]})
    t.is_(got.stdout, "secret", "any of the roots will do")
    os.symlink(h.work, os.path.join(h.root, "alias"))
    got = tool.call({"path": "file"},
                    roots={"read": [os.path.join(h.root, "alias")]})
    t.is_(got.stdout, "inside", "a root may be named by a link")
    got = tool.call({"path": "file"}, roots={"read": []})
    t.is_(got.code, "PERMISSION_DENIED", "no root, no file")
    got = tool.call({"path": "file"}, roots={"read": [h.work[:-1]]})
    t.is_(got.code, "PERMISSION_DENIED", "a root is no beginning of a name")


def made_as_read(t, tool):
    got = tool.call({"path": "/proc/self/status"})
    t.ok(got.ok and got.stdout.startswith("Name:") and
         got.meta["size"] == 0 and got.meta["bytes_read"] > 100,
         "a file of /proc without a size is read", got)
    got = tool.call({"path": "/proc/self/status", "line": 2, "lines": 1})
    t.ok(got.stdout.startswith("Umask:"), "so are its lines", got)


HIDE = """mount -t tmpfs none dir && : >dir/empty && chmod 000 dir/empty &&
: >empty && mount --bind dir/empty file &&
exec setpriv --bounding-set=-dac_override,-dac_read_search "$0" """


def hidden(t, h):
    """As the walls hide a secret file: by one without rights that lies over it,
    from who has no right to pass over rights."""
    name = "a file that is hidden is refused, not empty"
    if subprocess.run(["unshare", "-m", "mount", "-t", "tmpfs", "none",
                       h.path("dir")], capture_output=True,
                      check=False).returncode != 0:
        t.skip(name, "no mount namespace here")
        return
    done = subprocess.run(
        ["unshare", "-m", "sh", "-c", HIDE, fs.program("fs.read_file")],
        input=b"".join(fs.request("fs.read_file", {"path": path})
                       for path in ("file", "empty")),
        capture_output=True, cwd=h.work, env=h.env, check=False)
    lines = done.stdout.split(b"\n")
    t.ok(b"PERMISSION_DENIED" in lines[0], name, done)
    t.ok(b'"ok":true' in lines[1], "one that is empty is read", done)


def process(t, h):
    with fs.Tool(h, "fs.read_file") as tool:
        tool.process.stdin.write(b'{"tool"\n{"tool":"x","action":"read"}\n')
        t.ok(b"PARSE_ERROR" in tool.line(), "no JSON is told")
        t.ok(b"INVALID_ARGS" in tool.line(), "another tool's request too")
        got = tool.call({"path": "file"}, action="write")
        t.is_(got.code, "INVALID_ARGS", "and an action that it has not")
        t.is_(tool.call({"path": "file"}).stdout, "inside",
              "it goes on to answer")
    t.is_(tool.process.returncode, 0, "it ends with its input")


def main():
    t = tap.Tap()
    with home.Home() as h, fs.Tool(h, "fs.read_file") as tool:
        fs.write(h.path("file"), b"inside")
        os.mkdir(h.path("dir"))
        os.mkfifo(h.path("fifo"))
        os.symlink("none", h.path("dangling"))
        os.symlink("loop", h.path("loop"))
        os.symlink(".", h.path("self"))
        with socket.socket(socket.AF_UNIX) as listener:
            here = os.getcwd()
            os.chdir(h.work)  # the name of a socket is short
            listener.bind("socket")
            os.chdir(here)
        pieces(t, h, tool)
        ranges(t, h, tool)
        sizes(t, h, tool)
        fs.refusals(t, tool, REFUSED)
        links(t, h, tool)
        made_as_read(t, tool)
        process(t, h)
        hidden(t, h)
    t.done()


if __name__ == "__main__":
    main()
