#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_hostile_files.py - an editor that offers its files and lies."""

import json
import os

from hostile import Talk, act, is_well, pour, resident, run_all, say, step

import home  # noqa: E402
import tap  # noqa: E402
from fault.answer import Call  # noqa: E402

BOTH = {"fs": {"readTextFile": True, "writeTextFile": True}}


def call(name, **args):
    return {"text": "", "finish": "tool",
            "calls": (Call(name, json.dumps(args), "call_a"),)}


def write(path, content="new\n", **more):
    return act(step(1, "tee %s" % path, tool="fs.write_file", action="write",
                    args={"path": path, "content": content, **more}))


class Liar(Talk):
    """An editor whose files are answered by the test."""

    def __init__(self, *answers, offer=None):
        super().__init__(*answers)
        self.offer = BOTH if offer is None else offer
        self.turn = None

    def __enter__(self):
        self.editor.initialize(**self.offer)
        self.session = self.editor.new()
        return self

    def make(self, name, text="saved\n"):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def begin(self):
        self.turn = self.editor.prompt(self.session, "do it")

    def asked(self):
        """The editor's method that is called."""
        self.editor.until(lambda: self.editor.calls or
                          self.turn in self.editor.answers)
        return self.editor.calls[0] if self.editor.calls else None

    def reply(self, **answer):
        self.editor.send({"jsonrpc": "2.0", "id": self.editor.calls[0]["id"],
                          **answer})

    def end(self, seconds=20):
        return self.editor.wait(self.turn, seconds)


def wrong_answers(t):
    for answer in ({"result": {}}, {"result": None}, {"result": []},
                   {"result": {"content": 5}}, {"result": {"content": None}},
                   {"result": "text"}, {"error": {"code": 1, "message": "no"}},
                   {"error": 5}, {"error": {}},
                   {"result": {"content": "x"},
                    "error": {"code": 1, "message": "both"}},
                   {"result": {"content": "a\0b"}},
                   {"result": {"content": ""}},
                   {"result": {"content": "\ufeff\u202e\x1b[2J"}}):
        with Liar(call("fs_read_file", path="note"), say()) as talk:
            talk.make("note")
            talk.begin()
            t.ok(talk.asked(), "the editor is asked")
            talk.reply(**answer)
            talk.reply(**answer)
            t.is_(talk.end(), {"stopReason": "end_turn"},
                  "%s is read" % json.dumps(answer))
            t.ok("saved" not in talk.sent(1), "and nothing in its place")


def wrong_answers_to_writes(t):
    for answer in ({"result": None}, {"result": 5}, {"error": 5},
                   {"error": {"code": 1, "message": "disk full"}}):
        with Liar(write("note"), say()) as talk:
            talk.make("note")
            talk.begin()
            t.ok(talk.asked(), "the editor is asked to write")
            talk.reply(**answer)
            end = talk.end()
            failed = "error" in answer
            t.is_(talk.statuses(), ["failed" if failed else "completed"],
                  "%s to a write" % json.dumps(answer), json.dumps(end))
            with open(talk.path("note"), encoding="utf-8") as file:
                t.is_(file.read(), "saved\n", "and we write nothing")


def late_answers(t):
    for go in ("cancel", "close", "delete"):
        with Liar(call("fs_read_file", path="note"), say(), say()) as talk:
            talk.make("note")
            talk.begin()
            talk.asked()
            if go == "cancel":
                talk.editor.notify("session/cancel",
                                   {"sessionId": talk.session})
            else:
                talk.editor.request("session/" + go,
                                    {"sessionId": talk.session})
            t.is_(talk.end(), {"stopReason": "cancelled"},
                  "%s: a read that has no answer is left" % go)
            talk.reply(result={"content": "late-text"})
            is_well(t, talk, "%s: its late answer is read" % go)
            if go == "cancel":
                talk.prompt()
                t.ok("late-text" not in talk.sent(1), "and used by nobody")


def long_answers(t):
    with Liar(call("fs_read_file", path="note"), say()) as talk:
        talk.make("note")
        talk.begin()
        talk.asked()
        head = b'{"jsonrpc":"2.0","id":%d,"result":{"content":"' % (
            talk.editor.calls[0]["id"])
        before = resident(talk.editor.child.pid)
        pour(talk.editor, head + b"x" * (12 << 20) + b'"}}\n')
        t.is_(talk.end(), {"stopReason": "end_turn"}, "12 MiB are cut")
        t.ok(len(talk.sent(1)) < 1 << 20, "for the model",
             len(talk.sent(1)))
        t.ok(resident(talk.editor.child.pid) < before + (300 << 20),
             "in bounded memory", resident(talk.editor.child.pid))
    with Liar(call("fs_read_file", path="note"), say()) as talk:
        talk.make("note")
        talk.begin()
        talk.asked()
        head = b'{"jsonrpc":"2.0","id":%d,"result":{"content":"' % (
            talk.editor.calls[0]["id"])
        pour(talk.editor, head + b"x" * (20 << 20) + b'"}}\n')
        is_well(t, talk, "20 MiB are dropped")
        t.is_(talk.editor.answers[None]["error"]["code"], -32600,
              "and said to be too long")
        talk.editor.notify("session/cancel", {"sessionId": talk.session})
        t.is_(talk.end(), {"stopReason": "cancelled"},
              "its call can be cancelled")


def links_that_lead_out(t):
    out = "/etc/hostname"
    rows = (
        ("a link", lambda talk: os.symlink(out, talk.path("x")), "x"),
        ("a link to a directory",
         lambda talk: os.symlink("/etc", talk.path("x")), "x/hostname"),
        ("a chain", lambda talk: (os.symlink("y", talk.path("x")),
                                  os.symlink(out, talk.path("y"))), "x"),
        ("a link to nothing",
         lambda talk: os.symlink("/tmp/agentsh-nowhere", talk.path("x")),
         "x"),
        ("a loop", lambda talk: os.symlink("x", talk.path("x")), "x"),
        ("the parent", lambda talk: None, "../x"),
        ("the parent of a directory", lambda talk: None, "sub/../../x"),
        ("a link and its parent",
         lambda talk: os.symlink("/etc", talk.path("x")), "x/../etc/hostname"),
        ("/proc", lambda talk: None, "/proc/self/root/etc/hostname"),
        ("/proc/self/cwd", lambda talk: None, "/proc/self/cwd/x"),
        ("a secret", lambda talk: talk.make(".env", "KEY=1"), ".env"),
        ("a neighbour", lambda talk: os.mkdir(talk.place.work + "2"),
         "../work2/x"),
    )
    for name, make, path in rows:
        for what, first in (("read", call("fs_read_file", path=path)),
                            ("write", write(path))):
            with Liar(first, say(), say()) as talk:
                os.mkdir(talk.path("sub"))
                make(talk)
                talk.begin()
                talk.editor.until(lambda: talk.editor.calls or
                                  talk.turn in talk.editor.answers)
                t.is_(talk.editor.calls, [], "%s: the editor is not asked to "
                                             "%s" % (name, what))
                talk.end()


def a_link_made_in_between(t):
    """Between the question and its yes the file becomes a link."""
    with Liar(write("note"), say()) as talk:
        talk.make("note")
        talk.editor.permit = lambda p: None
        talk.begin()
        talk.editor.until(lambda: talk.editor.asked)
        os.unlink(talk.path("note"))
        os.symlink(talk.place.env["HOME"] + "/victim", talk.path("note"))
        talk.editor.permit = lambda p: "reject_once"
        talk.editor.answer_permission(talk.editor.asked[0]["id"],
                                      "allow_once")
        talk.end()
        t.is_(talk.editor.calls, [], "the editor does not write through it")
        t.ok(not os.path.exists(talk.place.env["HOME"] + "/victim"),
             "nor do we")


READS = ({"path": "note", "content": None}, {"path": "note", "content": "x"},
         {"path": "note", "max_bytes": -5}, {"path": "note", "max_bytes": 0},
         {"path": "note", "line": 0},
         {"path": "note", "line": 2 ** 40, "lines": 2 ** 62}, {"path": ""},
         {"path": None}, {"path": 5}, {}, {"path": "a\0b"},
         {"path": "note\0"}, {"path": "/" * 4000}, {"path": "note/"},
         {"path": "."}, {"path": "sub/../note"})
WRITES = ({"content": None}, {"content": 5}, {"content": ""},
          {"content": "a\0b"}, {"content": "x", "backup": None},
          {"content": "x", "mode": None}, {"content": "\U0001f642" * 1000})


def strange_reads(t):
    for offer in (BOTH, {"fs": {"readTextFile": True}},
                  {"fs": {"writeTextFile": True}}, {"fs": 5},
                  {"fs": {"readTextFile": "yes", "writeTextFile": 1}}):
        answers = [a for args in READS
                   for a in (call("fs_read_file", **args), say())]
        with Liar(*answers, offer=offer) as talk:
            talk.make("note")
            os.mkdir(talk.path("sub"))
            written = []
            talk.editor.serve = {
                "fs/read_text_file": lambda p: {"content": "read"},
                "fs/write_text_file": lambda p: written.append(p) or {}}
            for args in READS:
                end = talk.prompt()
                t.ok(end == {"stopReason": "end_turn"} and not written,
                     "a read with %s, of %s" % (json.dumps(args)[:60],
                                                json.dumps(offer)),
                     json.dumps(end), written)


def strange_writes(t):
    for offer in (BOTH, {"fs": {"writeTextFile": True}},
                  {"fs": {"readTextFile": True}}):
        for args in WRITES:
            with Liar(write("note", **args), {"text": "{}"}, say(),
                      offer=offer) as talk:
                seen = []
                talk.editor.serve = {
                    "fs/read_text_file": lambda p: {"content": "read"},
                    "fs/write_text_file": lambda p: seen.append(p) or {}}
                talk.begin()
                end = talk.end()
                t.ok("stopReason" in end or "code" in end,
                     "a write with %s" % json.dumps(args)[:60])
                if seen:
                    t.is_(seen[0]["content"], args["content"],
                          "the editor gets the content as it is")


def the_editor_asks_back(t):
    """While it is asked, it asks something itself, and leaves."""
    with Liar(call("fs_read_file", path="note"), say()) as talk:
        talk.make("note")
        talk.begin()
        talk.asked()
        is_well(t, talk, "it is answered while it is asked")
        talk.editor.child.stdin.close()
        talk.editor.child.stdin = None
        t.ok(tap.poll(lambda: not talk.place.left(), 3),
             "and what waits for it ends with it", talk.place.left())
        pid = talk.editor.child.pid
        t.ok(tap.poll(lambda: pid not in home.strays(), 3), "and the agent")


if __name__ == "__main__":
    run_all(wrong_answers, wrong_answers_to_writes, late_answers,
            long_answers, links_that_lead_out, a_link_made_in_between,
            strange_reads, strange_writes, the_editor_asks_back)
