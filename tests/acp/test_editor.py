#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_editor.py - what an editor offers is used: its files, its servers."""

import json
import os
import shutil
import sys
import time

from talk import Talk, act, say, step

import tap  # noqa: E402
from fault.answer import Call  # noqa: E402

FILES = {"fs": {"readTextFile": True, "writeTextFile": True}}
SERVER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "mcp",
                      "fake_server.py")


def call(name, **args):
    return {"text": "", "finish": "tool",
            "calls": (Call(name, json.dumps(args), "call_a"),)}


def write(path, content):
    return step(1, "tee %s" % path, tool="fs.write_file", action="write",
                args={"path": path, "content": content})


class Offering(Talk):
    """An editor with these capabilities, and files of its own."""

    def __init__(self, *answers, **capabilities):
        super().__init__(*answers)
        self.capabilities = capabilities
        self.files, self.log = {}, []
        self.editor.serve = {"fs/read_text_file": self.read,
                             "fs/write_text_file": self.write}

    def __enter__(self):
        self.editor.initialize(**self.capabilities)
        self.session = self.editor.new()
        return self

    def read(self, params):
        self.log.append(("read", params))
        return {"content": self.files[params["path"]]}

    def write(self, params):
        self.log.append(("write", params))
        self.files[params["path"]] = params["content"]
        return {}


def reads_by_the_editor(t):
    with Offering(call("fs_read_file", path="note.txt"), say(),
                  **FILES) as talk:
        path = talk.path("note.txt")
        with open(path, "w", encoding="utf-8") as f:
            f.write("saved\n")
        talk.files[path] = "not saved yet\n"
        talk.prompt()
        t.is_([(what, p["path"]) for what, p in talk.log], [("read", path)],
              "a file is read by the editor")
        t.ok("not saved yet" in talk.sent(1), "the model gets its text")


def does_not_read_links_by_the_editor(t):
    with Offering(call("fs_read_file", path="link"), say(), **FILES) as talk:
        os.symlink("/etc/hostname", talk.path("link"))
        talk.prompt()
        t.is_(talk.log, [], "a link is not followed by the editor")
    with Offering(call("fs_read_file", path="/etc/hostname"), say(),
                  **FILES) as talk:
        talk.prompt()
        t.is_(talk.log, [], "nor is a file outside its directories read")


def writes_by_the_editor(t):
    with Offering(act(write("new.txt", "hello\n")), say(), **FILES) as talk:
        talk.prompt()
        question = talk.editor.asked[0]["params"]["toolCall"]
        t.is_([c for c in question["content"] if c["type"] == "diff"],
              [{"type": "diff", "path": talk.path("new.txt"),
                "oldText": None, "newText": "hello\n"}],
              "a question shows the change")
        t.is_(question["locations"], [{"path": talk.path("new.txt")}],
              "and where it is")
        t.is_(talk.files, {talk.path("new.txt"): "hello\n"},
              "the editor writes what got a yes")
        t.ok(not os.path.exists(talk.path("new.txt")), "and we do not")
    with Offering(act(write("new.txt", "hello\n")), say()) as talk:
        talk.prompt()
        t.ok(os.path.exists(talk.path("new.txt")),
             "without the offer we do")


def an_editor_that_fails(t):
    with Offering(call("fs_read_file", path="gone.txt"), say(),
                  **FILES) as talk:
        talk.editor.serve = {}
        turn = talk.editor.prompt(talk.session, "read it")
        talk.editor.until(lambda: talk.editor.calls)
        talk.editor.send({"jsonrpc": "2.0", "error": {
            "code": -32603, "message": "no such file in here"},
            "id": talk.editor.calls[0]["id"]})
        t.is_(talk.editor.wait(turn), {"stopReason": "end_turn"},
              "an error of the editor's is a failed call")
        t.ok("no such file in here" in talk.sent(1), "and the model is told")


def a_call_that_is_abandoned(t):
    with Offering(call("fs_read_file", path="note.txt"), **FILES) as talk:
        talk.editor.serve = {}
        with open(talk.path("note.txt"), "w", encoding="utf-8"):
            pass
        turn = talk.editor.prompt(talk.session, "read it")
        talk.editor.until(lambda: talk.editor.calls)
        talk.editor.notify("session/cancel", {"sessionId": talk.session})
        t.is_(talk.editor.wait(turn), {"stopReason": "cancelled"},
              "a turn is cancelled while the model reads a file")
        t.is_(talk.statuses(), ["failed"], "and so is the call")
        talk.restart()
        talk.editor.request("session/load", {
            "sessionId": talk.session, "cwd": talk.place.work,
            "mcpServers": []})
        t.ok(talk.statuses() == ["failed"] and
             "killed" not in json.dumps(talk.editor.updates),
             "a replay says so", json.dumps(talk.editor.updates))


def servers(talk):
    """The processes of the fake server."""
    return sorted(pid for pid, line in talk.place.left().items()
                  if line.split()[:1] == [sys.executable])


def uses_its_servers(t):
    with Talk(call("fake_echo", text="through the wall"), say(),
              call("fake_echo", text="again"), say(), say()) as talk:
        shutil.copy(SERVER, talk.path("server"))  # which it may read
        server = {"name": "Fake", "command": sys.executable,
                  "args": [talk.path("server")], "env": []}
        talk.session = talk.editor.new(mcpServers=[server])
        talk.prompt("echo by the server")
        t.ok("fake_echo" in talk.sent(0), "a server's tools are offered",
             json.dumps(talk.editor.of("agent_thought_chunk")))
        t.ok("through the wall" in talk.sent(1), "and called")
        first = servers(talk)
        t.is_(len(first), 1, "the server stays for the session's next prompt")
        talk.prompt("again")
        t.is_(servers(talk), first, "which uses the same process")
        talk.editor.request("session/close", {"sessionId": talk.session})
        t.ok(tap.poll(lambda: not servers(talk)), "and it ends with that")
        other = talk.editor.new()
        talk.session = other
        talk.prompt("what tools are there")
        t.ok("fake_echo" not in talk.sent(4), "to its session alone")


def refuses_other_servers(t):
    with Talk() as talk:
        for wrong in ({"name": "x", "type": "sse", "url": "http://a/",
                       "headers": []}, {"name": "x"}, 5, {"name": "",
                                                         "command": "x"}):
            error = talk.editor.request("session/new", {
                "cwd": talk.place.work, "mcpServers": [wrong]})
            t.is_(error.get("code"), -32602, "%s is refused" %
                  json.dumps(wrong))
        begun = time.monotonic()
        error = talk.editor.request("session/new", {
            "cwd": talk.place.work, "mcpServers": [
                {"name": "s%d" % n, "command": "x", "args": [], "env": []}
                for n in range(20000)]})
        t.ok("more than 256" in error.get("message", ""),
             "so are twenty thousand of them", json.dumps(error))
        t.ok(time.monotonic() - begun < 5, "at once")


def takes_one_server_of_a_name(t):
    with Talk(call("fake_echo", text="once"), say()) as talk:
        shutil.copy(SERVER, talk.path("server"))
        server = {"name": "Fake", "command": sys.executable,
                  "args": [talk.path("server")], "env": []}
        talk.session = talk.editor.new(
            mcpServers=[server, {**server, "command": "/nowhere"}])
        talk.prompt("echo")
        t.ok("once" in talk.sent(1), "of two servers the first is used")
        talk.editor.close()
        t.ok("one before it has this name" in talk.editor.errors,
             "and the other one is in the log", talk.editor.errors)
        talk.editor = talk.start()


def takes_notices(t):
    for capabilities, kind in (({"session": {"notices": {}}}, "notice"),
                               ({}, "agent_thought_chunk")):
        with Offering({"text": '{"kind": "nonsense"}'}, say(), **capabilities) as talk:
            talk.prompt()
            seen = talk.editor.of(kind)
            t.ok(seen and "asking again" in json.dumps(seen),
                 "a delay is told by %s" % kind, json.dumps(seen))


def fills_forms(t):
    with Offering(elicitation={"form": {}}) as talk:
        talk.editor.request("session/set_config_option", {
            "sessionId": talk.session, "configId": "model",
            "value": "offline"})
        seen = []

        def answer(params):
            seen.append(params)
            fields = params["requestedSchema"]["properties"]
            if "command" not in fields:
                return {"action": "decline"}
            return {"action": "accept", "content": {
                "command": fields["command"]["oneOf"][0]["const"]}}
        talk.editor.serve["elicitation/create"] = answer
        talk.editor.permit = lambda p: "reject_once"
        talk.editor.request("session/prompt", {
            "sessionId": talk.session,
            "prompt": [{"type": "text", "text": "say hello"}]})
        t.ok(seen and seen[0]["mode"] == "form",
             "an answer that names commands is a form", json.dumps(seen))
        title = seen[0]["requestedSchema"]["properties"]["command"]["oneOf"][
            0]["title"]
        started = talk.editor.of("tool_call")
        t.ok(started and title.startswith(started[0]["title"]),
             "what is chosen becomes a step",
             json.dumps([title, started]))
        seen.clear()
        talk.prompt("replace a by b in notes")
        t.ok(seen and "TEXT" not in json.dumps(seen) and
             "oneOf" in json.dumps(seen),
             "no command that lacks a value is offered", json.dumps(seen))


def a_value_is_one_word(t):
    for value, command in (("notes", "mkdir notes"), ("a b", "mkdir 'a b'"),
                           ("a; touch pwn", "mkdir 'a; touch pwn'"),
                           ("-rf", "mkdir ./-rf"),
                           ("`touch pwn`", "mkdir '`touch pwn`'"),
                           ('say "x"', "mkdir 'say \"x\"'")):
        with Offering(elicitation={"form": {}}) as talk:
            talk.editor.request("session/set_config_option", {
                "sessionId": talk.session, "configId": "model",
                "value": "offline"})
            talk.editor.serve["elicitation/create"] = lambda params: {
                "action": "accept", "content": {"value": value}}
            talk.editor.permit = lambda p: "reject_once"
            talk.prompt("/run make a directory")
            t.is_([u["title"] for u in talk.editor.of("tool_call")],
                  [command], "the value %s is one word" % json.dumps(value))


def logs_out(t):
    with Offering(auth={"terminal": True}) as talk:
        methods = talk.editor.answers[1]["result"]["authMethods"]
        t.is_([m.get("type", "agent") for m in methods], ["agent", "terminal"],
              "there are two ways to log in")
        t.is_(talk.editor.request("logout", {}), {}, "an editor logs out")
        new = {"cwd": talk.place.work, "mcpServers": []}
        t.is_(talk.editor.request("session/new", new).get("code"), -32000,
              "and opens no session then")
        t.is_(talk.editor.request("authenticate", {"methodId": "x"}).get(
            "code"), -32602, "nor by a way that was not offered")
        t.is_(talk.editor.request("authenticate", {"methodId": "agent"}), {},
              "until it logs in")
        t.ok("sessionId" in talk.editor.request("session/new", new),
             "and does afterwards")


def without_a_key(t):
    with Talk() as talk:
        talk.editor.close()
        talk.place.env.pop("OPENAI_API_KEY")
        talk.place.env.pop("OPENAI_BASE_URL")
        talk.editor = talk.start()
        methods = talk.editor.initialize(auth={"terminal": True})[
            "authMethods"]
        t.is_([m["id"] for m in methods], ["setup"],
              "without a key there is only the setup")
        error = talk.editor.request("session/new", {
            "cwd": talk.place.work, "mcpServers": []})
        t.ok(error.get("code") == -32000 and "OPENAI_API_KEY" in
             error["message"], "and no session", json.dumps(error))


def main():
    t = tap.Tap()
    for test in (reads_by_the_editor, does_not_read_links_by_the_editor,
                 writes_by_the_editor, an_editor_that_fails,
                 a_call_that_is_abandoned,
                 uses_its_servers, refuses_other_servers,
                 takes_one_server_of_a_name, takes_notices,
                 fills_forms, a_value_is_one_word, logs_out, without_a_key):
        test(t)
    t.done()


if __name__ == "__main__":
    main()
