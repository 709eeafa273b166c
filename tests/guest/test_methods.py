# SPDX-License-Identifier: GPL-3.0-or-later
"""test_methods.py - the six methods that every guest agent has."""

import os
import stat
import sys

import agent

import home  # noqa: E402
import tap  # noqa: E402

MIB = 1 << 20


def check_exec(t, a):
    ran = a.result("exec", cmd="echo out; echo err >&2; exit 3")
    t.is_(ran, {"exit_code": 3, "stdout": "out\n", "stderr": "err\n"},
          "a command's status and streams")
    t.is_(a.result("exec", cmd="cat; pwd")["stdout"], a.place.work + "\n",
          "its input is empty, and it runs in the agent's directory")
    t.is_(a.result("exec", cmd="kill -TERM $$")["exit_code"], -1,
          "a signal is -1")
    t.is_(a.result("exec", cmd="printf 'a\\303\\050\\377z'")["stdout"],
          "a\ufffd(\ufffdz", "bytes that are no text are replaced")
    t.is_(a.result("exec", cmd="echo \0 x"),
          {"exit_code": -1, "stdout": "",
           "stderr": "nul byte found in command"}, "a NUL is told")
    t.is_(a.result("exec", cmd="(sleep 0.2; echo late) & echo soon")["stdout"],
          "soon\nlate\n", "what a child of it prints belongs to it")


def check_truncation(t, a):
    fill = "head -c %d /dev/zero | tr '\\0' %s"
    whole = a.result("exec", cmd=fill % (MIB, "a"))
    t.is_(len(whole["stdout"]), MIB, "1 MiB comes whole")
    cut = a.result("exec", cmd=fill % (MIB + 1, "a"))["stdout"]
    t.is_(cut[MIB:], "\n... [output truncated]", "one byte more is cut")
    wide = a.result("exec", cmd="printf x; yes \u00e9 | tr -d '\\n' | "
                    "head -c %d" % (2 * MIB))["stdout"]
    text = wide[:-len("\n... [output truncated]")]
    t.is_(len(text.encode()), MIB - 1, "it is cut between two characters")
    both = a.result("exec", cmd="(%s >&2) & %s; wait" % (
        fill % (3 * MIB, "e"), fill % (3 * MIB, "o")))
    t.is_([len(both["stdout"]), len(both["stderr"])],
          [MIB + 23, MIB + 23], "both streams are drained")
    bad = a.result("exec", cmd="head -c %d /dev/zero | tr '\\0' '\\377'" % MIB)
    t.is_(len(bad["stdout"].encode()) - 23, MIB // 3 * 3,
          "1 MiB is counted after bytes are replaced")
    escaped = a.result("exec", cmd=fill % (MIB, "'\\001'"))["stdout"]
    t.ok(escaped == "\1" * MIB, "control characters too")


def check_code(t, a):
    def run(lang, code):
        return a.result("exec_code", lang=lang, code=code)

    t.is_(run("Python", "import sys; print(6*7); sys.exit(5)"),
          {"exit_code": 5, "stdout": "42\n", "stderr": ""},
          "code in a language, whose name ignores case")
    t.is_(run("bash", "[[ a == a ]] && echo yes")["stdout"], "yes\n", "bash")
    t.is_(run("SH", "echo $0")["stdout"], "sh\n", "and sh")
    t.is_(run("CO\u2028BOL\0", ""),
          {"exit_code": -1, "stdout": "",
           "stderr": "unsupported language: CO\u2028BOL\0"},
          "one that is unknown is named as it was sent")
    with agent.Agent(a.place, PATH="/nonexistent") as poor:
        t.is_(poor.result("exec_code", lang="js", code="1")["stderr"],
              "failed to execute node: No such file or directory",
              "a missing interpreter is named")


def check_files(t, a):
    text = "\ufeffa\r\nb\0\u00e9\U0001f600\"\\\x7f"
    t.is_(a.result("write_file", path="new/deep/file", content=text),
          {"success": True}, "a file is written, with its directories")
    t.is_(a.result("read_file", path=a.place.path("new/deep/file")),
          {"content": text}, "and read, byte for byte")
    os.symlink("deep/file", a.place.path("new/link"))
    os.chmod(a.place.path("new/deep/file"), 0o640)
    a.call("write_file", path="new/link", content="x")
    t.is_(a.place.read("new/deep/file"), "x", "a link is followed")
    t.ok(os.path.islink(a.place.path("new/link")), "and stays one")
    t.is_(stat.S_IMODE(os.stat(a.place.path("new/deep/file")).st_mode), 0o640,
          "the mode stays")
    os.symlink("nowhere", a.place.path("new/dangling"))
    a.call("write_file", path="new/dangling", content="made")
    t.is_(a.place.read("new/nowhere"), "made", "a link's target is made")
    listed = a.result("list_dir", path="new")["entries"]
    t.is_(listed, [{"name": "dangling", "is_dir": False, "size": 0},
                   {"name": "deep", "is_dir": True, "size": 0},
                   {"name": "link", "is_dir": False, "size": 0},
                   {"name": "nowhere", "is_dir": False, "size": 4}],
          "entries come sorted, links as links")
    t.is_(os.listdir(a.place.path("new/deep")), ["file"],
          "no temporary file is left")


def check_ranges(t, a):
    for options in ({"append": "yes"}, {"truncate": 1}):
        t.is_(a.call("fs.write", path="ranged", data="eA==", **options)
              ["error"]["code"], -32602, "an option that is none: %s" %
              options)
    t.ok(not os.path.exists(a.place.path("ranged")), "writes nothing")
    a.call("fs.write", path="ranged", data="YWJj")
    a.call("fs.write", path="ranged", data="ZA==", append=True)
    a.call("fs.write", path="ranged", data="WA==", offset=1)
    t.is_(a.place.read("ranged"), "aXcd", "at the end, and at an offset")
    a.call("fs.write", path="ranged", data="Zg==", truncate=True)
    t.is_(a.place.read("ranged"), "f", "and in place of all")


def failure(answer):
    return answer["error"]["code"], answer["error"]["message"]


def check_file_errors(t, a):
    t.is_(failure(a.call("read_file", path="none")),
          (-32603, "none: No such file or directory"), "a missing file")
    t.is_(failure(a.call("read_file", path=".")),
          (-32603, ".: Is a directory"), "a directory")
    t.is_([failure(a.call("write_file", path=path, content="x"))[1]
           for path in ("newdir/", "")],
          ["newdir/: Is a directory", ": No such file or directory"],
          "a name of no file")
    with open(a.place.path("latin"), "wb") as out:
        out.write(b"\xff")
    t.is_(failure(a.call("read_file", path="latin")),
          (-32603, "latin: not valid UTF-8"), "a file that is no text")
    with open(a.place.path("big"), "wb") as out:
        out.truncate(10 * MIB + 1)
    t.is_(failure(a.call("read_file", path="big")),
          (-32603, "file too large (10485761 bytes, max 10485760 bytes)"),
          "a file that is too large")
    with open(a.place.path("big"), "wb") as out:
        out.write(b"b" * 10 * MIB)
    t.is_(len(a.result("read_file", path="big")["content"]), 10 * MIB,
          "10 MiB are not")
    os.mkfifo(a.place.path("fifo"))
    t.is_(a.result("read_file", path="fifo"), {"content": ""},
          "nobody waits for a FIFO's writer")
    t.is_(failure(a.call("write_file", path="latin/x", content="")),
          (-32603, "latin/x: Not a directory"), "a file is no directory")
    t.is_(failure(a.call("write_file", path="x\0y", content="")),
          (-32603, "nul byte found in path"), "a NUL in a path")
    t.is_(failure(a.call("list_dir", path="latin")),
          (-32603, "latin: Not a directory"), "a file has no entries")


def check_params(t, a):
    for method, params, message in (
            ("exec", {}, "invalid params: cmd is missing"),
            ("exec", {"cmd": 1}, "invalid params: cmd must be a string"),
            ("exec", ["a", "b"],
             "invalid params: more than 1 values in the array"),
            ("exec", [], "invalid params: cmd is missing"),
            ("write_file", {"path": "q"}, "invalid params: content is missing"),
            ("exec", None, "params: must be an object or an array"),
            ("exec", "x", "params: must be an object or an array")):
        line = b'{"jsonrpc":"2.0","id":7,"method":"%s","params":%s}\n' % (
            method.encode(), agent.json.dumps(params).encode())
        t.is_(failure(a.raw(line)), (-32602, message),
              "%s of %s" % (method, params))
    t.is_(a.raw(agent.message(8, "exec", ["echo pos"]))["result"]["stdout"],
          "pos\n", "params by position")
    t.is_(a.raw('{"jsonrpc":"2.0","id":1,"method":"ping","params":null}\n'),
          {"jsonrpc": "2.0", "id": 1, "result": {"pong": True}},
          "ping ignores its params")


def check_messages(t, a):
    for line, code in (
            ("garbage", -32700), ("[]", -32600), ("5", -32600),
            ('{"jsonrpc":"2.0","method":"ping"}', -32600),
            ('{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600),
            ('{"jsonrpc":"2.0","id":-1,"method":"ping"}', -32600),
            ('{"jsonrpc":"2.0","id":1.0,"method":"ping"}', -32600),
            ('{"jsonrpc":"2.0","id":"1","method":"ping"}', -32600),
            ('{"jsonrpc":"2.0","id":18446744073709551616,"method":"ping"}',
             -32600),
            ('{"jsonrpc":"2.0","id":"1","method":5}', -32600),
            ('{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', -32600)):
        seen = a.raw(line + "\n")
        t.is_((seen["id"], seen["error"]["code"]), (None, code),
              "refused without an id: " + line)
    for line in ('{"id":1,"method":"ping"}', '{"jsonrpc":"2.0","id":1}',
                 '{"jsonrpc":"2.0","id":1,"result":{}}'):
        seen = a.raw(line + "\n")
        t.is_((seen["id"], seen["error"]["code"]), (1, -32600),
              "refused with its id: " + line)
    t.is_(a.raw('{"jsonrpc":"2.0","id":18446744073709551615,'
                '"method":"ping"}\n')["id"], 18446744073709551615,
          "the largest id comes back")
    t.is_(failure(a.call("PING")), (-32601, "method not found: PING"),
          "a method's name counts its case")
    a.write(b"\r\n   \n  ")
    t.ok("result" in a.call("ping"), "blanks and blank lines are skipped")


def check_order(t, a):
    numbers = [a.send("exec", cmd="sleep 0.1; echo 1"), a.send("ping"),
               a.send("exec", cmd="echo 2"), a.send("ping")]
    t.is_([a.next()["id"] for _ in numbers], numbers,
          "requests of one connection run in their order")


def main():
    t = tap.Tap()
    with home.Home() as place, agent.Agent(place) as a:
        for check in (check_exec, check_truncation, check_code, check_files, check_ranges,
                      check_file_errors, check_params, check_messages,
                      check_order):
            check(t, a)
        t.is_(a.close(), 0, "the end of input ends the agent")
        t.is_(a.log, b"", "which had nothing to say")
        t.ok(not place.left(), "and nothing of it is left")
    t.done()


if __name__ == "__main__":
    sys.exit(main())
