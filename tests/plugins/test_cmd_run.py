# SPDX-License-Identifier: GPL-3.0-or-later
"""test_cmd_run.py - cmd.run: the variables and the input of a command."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))
sys.path.insert(0, os.path.dirname(__file__))

import fs  # noqa: E402
import home  # noqa: E402
import tap  # noqa: E402

MIB = 1 << 20

# what it shows, arguments, stdout
RUNS = (
    ("without stdin there is nothing to read",
     {"command": "readlink /proc/self/fd/0; wc -c"}, "/dev/null\n0\n"),
    ("null is as if it were absent",
     {"command": "wc -c", "stdin": None, "env": None, "tty": None}, "0\n"),
    ("no terminal is what there is anyway",
     {"command": "test -t 0 -o -t 1; echo $?", "tty": False}, "1\n"),
    ("stdin is read to its end", {"command": "cat", "stdin": "a\né\0\n"},
     "a\né\0\n"),
    ("by several commands", {"command": "read a; cat; echo $a",
                             "stdin": "1\n2\n3\n"}, "2\n3\n1\n"),
    ("an empty one as well", {"command": "wc -c", "stdin": ""}, "0\n"),
    ("1 MiB of it", {"command": "wc -c", "stdin": "x" * MIB},
     "%d\n" % MIB),
    ("which nobody need read", {"command": "echo on", "stdin": "x" * MIB},
     "on\n"),
    ("a variable is added", {"command": 'echo "$A" "$B"',
                             "env": {"A": "1 2", "B": "$A\n'"}},
     "1 2 $A\n'\n"),
    ("programs have it", {"command": "env | grep ^A=", "env": {"A": "x=y"}},
     "A=x=y\n"),
    ("one that is there is replaced, once",
     {"command": "env | grep -c ^HOME=; echo ~", "env": {"HOME": "/none"}},
     "1\n/none\n"),
    ("an empty one is set", {"command": "echo ${A-unset}.",
                             "env": {"A": ""}}, ".\n"),
    ("the others stay", {"command": 'test -n "$PATH" && echo $SET',
                         "env": {"A": "1"}}, "here\n"),
    ("the next command has none of it", {"command": "echo ${A-unset}; wc -c"},
     "unset\n0\n"),
    ("as many as are allowed",
     {"command": "env | grep -c ^N_",
      "env": {"N_%d" % i: "x" for i in range(256)}}, "256\n"),
    ("and as long", {"command": "echo ${#A}",
                     "env": {"A": "x" * (128 * 1024 - 3)}}, "131069\n"),
)

ON_A_TERMINAL = (
    ("all three are a terminal",
     {"command": "test -t 0 && test -t 1 && test -t 2 && echo yes"},
     "yes\r\n"),
    ("which is its own", {"command": "echo x >/dev/tty; ps -o tpgid= -p $$ | "
                                     "grep -qx \" *$$\" && echo in front"},
     "x\r\nin front\r\n"),
    ("standard error is in its output", {"command": "echo a; echo b >&2"},
     "a\r\nb\r\n"),
    ("it stays one when nothing has it open",
     {"command": "exec </dev/null >/dev/null 2>&1; "
                 "for i in $(seq 300); do /bin/echo -n x >/dev/tty; done; "
                 "head -c 100000 /dev/zero | tr '\\0' x >/dev/tty; "
                 "echo end >/dev/tty"}, "x" * 100300 + "end\r\n"),
    ("it has a size", {"command": "stty size"}, "24 80\r\n"),
    ("and a type", {"command": "echo $TERM", "env": {"TERM": "vt220"}},
     "vt220\r\n"),
    ("its input ends at once", {"command": "wc -c"}, "0\r\n"),
    ("what is typed is echoed, and read as a line",
     {"command": "read -r a; stty -echo; echo \"<$a>\"", "stdin": "\u00e9 1\n"},
     "\u00e9 1\r\n<\u00e9 1>\r\n"),
    ("a text without a newline ends as well",
     {"command": "cat", "stdin": "xy"}, "xyxy"),
    ("what it leaves behind holds nothing up",
     {"command": "sleep 1000 & echo on"}, "on\r\n"),
    ("no terminal where none is wanted",
     {"command": "tty", "tty": False}, "not a tty\n"),
)

REFUSED = (
    *(("%r is no environment" % (env,), {"command": "echo", "env": env},
       "INVALID_ARGS", "env") for env in
      ([], "A=1", 1, {"A": 1}, {"A": None}, {"A": ["x"]}, {"": "x"},
       {"A=B": "x"}, {"1": "x"}, {"A-B": "x"}, {"é": "x"}, {"A\0": "x"},
       {"A": "x\0"}, {"BASH_FUNC_f%%": "() { :; }"})),
    ("too many variables",
     {"command": "echo", "env": {"N%d" % i: "" for i in range(257)}},
     "INVALID_ARGS", "256"),
    ("too long ones", {"command": "echo",
                       "env": {"A": "x" * 65536, "B": "x" * 65536}},
     "INVALID_ARGS", "131072"),
    ("an input that is no text", {"command": "cat", "stdin": 1},
     "INVALID_ARGS", "stdin"),
    ("one that is too long", {"command": "cat", "stdin": "é" * MIB},
     "INVALID_ARGS", "1048576"),
    ("half a terminal", {"command": "echo", "tty": 1}, "INVALID_ARGS", "tty"),
)


def check_terminal(t, tool):
    for name, args, out in ON_A_TERMINAL:
        got = tool.call({"tty": True, **args}, action="execute")
        t.ok(got.ok and got.stdout == out and got.stderr == "", name, got)
    got = tool.call({"command": "sleep 1000", "tty": True, "stdin": "\x03"},
                    action="execute")
    t.is_((got.stdout, got.meta["exit_code"]), ("^C", 130),
          "a ^C interrupts")
    got = tool.call({"command": "wc -c", "tty": True,
                     "stdin": "fifteen bytes.\n" * (MIB // 30)},
                    action="execute")
    t.ok(got.stdout.rstrip().endswith(str(MIB // 30 * 15)),
         "much is typed as it is read", got.stdout[-80:])
    got = tool.call({"command": "trap '' HUP INT TERM; while :; do "
                                "sleep 1000; done", "tty": True,
                     "timeout_ms": 300}, action="execute")
    t.is_(got.meta.get("error_code"), "TIMEOUT", "its time limit holds")


def main():
    t = tap.Tap()
    with home.Home() as h:
        h.env["SET"] = "here"
        with fs.Tool(h, "cmd.run") as tool:
            fs.refusals(t, tool, REFUSED, action="execute")
            for name, args, out in RUNS:
                got = tool.call(args, action="execute")
                t.ok(got.ok and got.stdout == out and got.stderr == "", name,
                     got)
            check_terminal(t, tool)
            got = tool.call({"command": "cat", "stdin": "of the caller"},
                            action="execute", input="of the front")
            t.is_(got.stdout, "of the front", "the front's input comes first")
            got = tool.call({"command": "no", "stdin": "in",
                             "env": {"A": "ran"}}, action="execute",
                            argv=["/bin/sh", "-c", "cat; echo $A"])
            t.is_(got.stdout, "inran\n",
                  "a program that no shell reads has both as well")
    t.done()


if __name__ == "__main__":
    main()
