#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_draft.py - an editor that asks for the draft of version 2."""

import json
import os
import subprocess

from draft import DraftTalk
from talk import Talk, act, say, step

import tap  # noqa: E402
from fault.answer import Call  # noqa: E402


def write(path, content, number=1):
    return step(number, "tee %s" % path, tool="fs.write_file", action="write",
                args={"path": path, "content": content})


def call(name, **args):
    return {"text": "", "finish": "tool",
            "calls": (Call(name, json.dumps(args), "call_a"),)}


class Checked(DraftTalk):
    """A talk at whose end every message must have been as the draft says."""

    def __init__(self, t, *answers):
        self.t, self.editors = t, []
        super().__init__(*answers)

    def start(self, *options, **env):
        editor = super().start(*options, **env)
        self.editors.append(editor)
        return editor

    def __exit__(self, *why):
        super().__exit__(*why)
        found = [f for e in self.editors for f in e.faults]
        seen = sum(len(e.log) for e in self.editors)
        self.t.ok(seen > 0 and not found,
                  "each message is one of the draft's",
                  "\n".join(found[:20]))

    def ask(self, method, **params):
        return self.editor.request(method, params)

    def resume(self, **more):
        return self.ask("session/resume", sessionId=self.session,
                        cwd=self.place.work, **more)

    def make(self, name):
        with open(self.path(name), "w", encoding="utf-8"):
            pass


class Mixed(Checked):
    """A session that was made in version 1."""

    def __enter__(self):
        old = Talk.start(self)
        old.initialize()
        self.session = old.new()
        old.wait(old.prompt(self.session, "in version 1"))
        old.close()
        self.editor.initialize()
        return self


class Forbidden(DraftTalk):
    draft = False


def chooses_the_version(t):
    with Talk() as talk:
        for number in (0, 1, 2, 3, 65535):
            editor = talk.start()
            t.is_(editor.initialize(number)["protocolVersion"], 1,
                  "%d is answered with 1 by default" % number)
            editor.close()
    with Checked(t) as talk:
        for number in (0, 1, 3, 65535):
            editor = Talk.start(talk)
            t.is_(editor.initialize(number)["protocolVersion"], 1,
                  "%d is, too, where the draft is allowed" % number)
            editor.close()
        t.is_(talk.editor.sent[1], "initialize", "and 2 is not")
    with Forbidden() as talk:
        t.ok("sessionId" in talk.editor.request("session/new", {
            "cwd": talk.place.work, "mcpServers": []}),
            "a setting that says no is the default")


def initializes(t):
    with Checked(t) as talk:
        editor = talk.start()
        t.is_(editor.request("initialize", {"protocolVersion": 2}).get("code"),
              -32602, "a client has a name")
        init = editor.initialize(auth={"terminal": {}})
        t.is_(init["protocolVersion"], 2, "version 2 is answered with 2")
        t.is_([(m["type"], m["methodId"]) for m in init["authMethods"]],
              [("agent", "agent"), ("terminal", "setup")],
              "with the ways to log in")
        t.is_(editor.initialize()["protocolVersion"], 2,
              "it may be asked again")
        t.is_(editor.initialize(1).get("code"), -32600,
              "but not for another version")
        for method in ("session/load", "session/set_mode", "authenticate",
                       "logout", "tool_call/cancel"):
            t.is_(editor.request(method, {}).get("code"), -32601,
                  "it has no %s" % method)
        t.is_(editor.initialize().get("code"), -32600,
              "after another request it is initialized for good")
        editor.close()
    with Talk() as talk:
        t.is_(talk.editor.request("auth/login", {"methodId": "agent"}).get(
            "code"), -32601, "version 1 has no auth/login")


def logs_in_and_out(t):
    with Checked(t) as talk:
        t.is_(talk.ask("auth/logout"), {}, "a client logs out")
        t.is_(talk.ask("session/new", cwd=talk.place.work).get("code"),
              -32000, "then no session is opened")
        for wrong in ({}, {"methodId": "setup"}, {"methodId": 5}):
            t.is_(talk.ask("auth/login", **wrong).get("code"), -32602,
                  "%s is no way to log in" % json.dumps(wrong))
        t.is_(talk.ask("auth/login", methodId="agent"), {}, "it logs in")
        t.ok("sessionId" in talk.ask("session/new", cwd=talk.place.work),
             "and opens one")


def answers_in_words(t):
    with Checked(t, say("Hello there.")) as talk:
        answer = talk.act("say hello")
        ids = list(talk.editor.messages("user"))
        t.is_([answer["messageId"]], ids, "a prompt is answered with its id")
        t.is_(talk.editor.messages("user"), {ids[0]: "say hello"},
              "and shown under it")
        log = talk.editor.log
        at = [i for i, m in enumerate(log) if "messageId" in m.get(
            "result", {})][0]
        t.ok(not any(u.get("params", {}).get("update", {}).get(
            "sessionUpdate", "").startswith("agent") for u in log[:at]),
             "before the model says a word")
        t.is_(talk.editor.states(), ["running", "end_turn"],
              "the session runs, and is idle")
        t.is_(list(talk.editor.messages().values()), ["Hello there."],
              "the answer is a message")
        t.ok(talk.editor.of("usage_update")[0]["used"] > 0,
             "what it used is told")
        t.is_(talk.editor.of("session_info_update")[0]["title"], "say hello",
              "and the title")


def shows_the_prompt_as_it_came(t):
    with Checked(t, say()) as talk:
        blocks = [{"type": "text", "text": "look at"},
                  {"type": "resource_link", "name": "a",
                   "uri": "file:///a%20%C3%BC&b#L1"},
                  {"type": "resource", "resource": {"uri": "file:///b",
                                                    "text": "of b"}}]
        talk.ask("session/prompt", sessionId=talk.session, prompt=blocks)
        t.ok(talk.editor.until_idle(), "a prompt of many blocks is answered")
        t.is_(talk.editor.of("user_message")[0]["content"], blocks,
              "its message has them all")
        t.ok("(/a \\u00fc&b)" in talk.sent(0),
             "a linked file is named by its path", talk.sent(0))
        t.is_(talk.ask("session/prompt", sessionId=talk.session, prompt=[
            {"type": "image", "data": "", "mimeType": "image/png"}]).get(
                "code"), -32602, "an image is refused by a model that takes none")


def runs_steps(t):
    with Checked(t, act(step(1, "echo one; echo two >&2")), say("Seen.")
                 ) as talk:
        talk.act()
        t.is_(talk.statuses(), ["completed"], "a step is a tool call")
        last = list(talk.editor.calls_by_id().values())[0]
        t.is_([c["content"]["text"] for c in last["content"]],
              ["one\n", "two\n"], "with what it wrote")
        t.is_(last["title"], "echo one; echo two >&2", "and its command")
        plans = talk.editor.of("plan_update")
        t.is_({p["plan"]["planId"] for p in plans}, {"turn1-plan1"},
              "its plan has one id")
        t.is_([e["status"] for e in plans[-1]["plan"]["entries"]],
              ["completed"], "and is completed")
        t.is_(list(talk.editor.messages().values()), ["A plan", "Seen."],
              "the summary and the answer are two messages")


def calls_of_the_model(t):
    with Checked(t, call("fs_read_file", path="note"), say()) as talk:
        with open(talk.path("note"), "w", encoding="utf-8") as f:
            f.write("noted\n")
        talk.act()
        (one,) = talk.editor.calls_by_id().values()
        t.is_((one["status"], one["kind"]), ("completed", "read"),
              "what the model calls is a tool call")


def asks_about_commands(t):
    with Checked(t, act(step(1, "rm -f old"), step(2, "rm -f other"),
                        step(3, "rm -f third")), say()) as talk:
        for name in ("old", "other", "third"):
            talk.make(name)
        talk.editor.permit = lambda p: (
            "allow_once" if "old" in p["subject"]["command"]
            else "reject_once")
        talk.act()
        first = talk.editor.asked[0]["params"]
        ids = list(talk.editor.calls_by_id())
        t.is_(first["subject"], {"type": "command", "command": "rm -f old",
                                 "cwd": talk.place.work,
                                 "toolCallId": ids[0]},
              "a question is about a command")
        t.is_(first["title"], "rm -f old", "which its title shows")
        t.ok(not os.path.exists(talk.path("old")), "what got a yes ran")
        t.ok(os.path.exists(talk.path("other")), "what got a no did not")
        t.is_(talk.statuses(), ["completed", "failed", "cancelled"],
              "and what is behind it is cancelled")
        t.is_(talk.editor.states(), ["running", "requires_action", "running",
                                     "requires_action", "running",
                                     "end_turn"],
              "the session says when it waits for the person")
        t.is_([e["status"] for e in talk.editor.of("plan_update")[-1]["plan"][
            "entries"]], ["completed", "cancelled", "cancelled"],
              "and the plan what will not run")


def wrong_answers_are_a_no(t):
    for wrong in ({"outcome": {"outcome": "selected"}}, {}, {"outcome": 5},
                  {"outcome": {"outcome": "_other", "optionId": "allow_once"}},
                  {"outcome": {"outcome": "selected", "optionId": "yes"}}):
        with Checked(t, act(step(1, "rm -f old"))) as talk:
            talk.make("old")
            talk.editor.permit = lambda p: None
            talk.prompt()
            talk.editor.until(lambda: talk.editor.asked)
            talk.editor.send({"jsonrpc": "2.0", "result": wrong,
                              "id": talk.editor.asked[0]["id"]})
            talk.editor.until_idle()
            t.ok(os.path.exists(talk.path("old")),
                 "%s runs nothing" % json.dumps(wrong))


def allows_for_the_session(t):
    with Checked(t, act(step(1, "touch made")), say(),
                 act(step(1, "touch made")), say()) as talk:
        talk.editor.permit = lambda p: "allow_always"
        talk.act()
        talk.act(times=2)
        t.is_(len(talk.editor.asked), 1, "a yes for the session is kept")


def asks_about_files(t):
    with Checked(t, act(write("new file", "one\ntwo\n")), say(),
                 act(write("old", "".join("%d\n" % n for n in range(20)
                                          if n != 9))), say()) as talk:
        talk.act()
        path = talk.path("new file")
        ask = talk.editor.asked[0]["params"]["subject"]["toolCall"]
        (diff,) = [c for c in ask["content"] if c["type"] == "diff"]
        t.is_(diff["changes"], [{"operation": "add", "path": path,
                                 "fileType": "text"}],
              "a question about a file says what becomes of it")
        t.is_(diff["patch"]["text"],
              "diff --git %s %s\nnew file mode 100644\n--- /dev/null\n"
              "+++ %s\t\n@@ -0,0 +1,2 @@\n+one\n+two\n" % (path, path, path),
              "as a patch")
        t.ok(os.path.exists(path), "a yes writes it")
        with open(talk.path("old"), "w", encoding="utf-8") as f:
            f.writelines("%d\n" % n for n in range(20))
        talk.act(times=2)
        ask = talk.editor.asked[1]["params"]["subject"]["toolCall"]
        (diff,) = [c for c in ask["content"] if c["type"] == "diff"]
        t.is_(diff["changes"][0]["operation"], "modify",
              "another is changed")
        t.ok(diff["patch"]["text"].endswith(
            "@@ -7,7 +7,6 @@\n 6\n 7\n 8\n-9\n 10\n 11\n 12\n"),
            "and only the change is shown", diff["patch"]["text"])


def patches_apply(t):
    """What git makes of the patches that questions show."""
    if not tap.is_here("git"):
        t.skip("patches are applied by git", "git")
        return
    rows = [("", "a\n"), ("a\n", ""), ("a", "a\n"), ("a\n", "a"), ("a", "b"),
            ("a\nb\nc\n", "x\na\nb\nc\n"), ("a\nb\nc\n", "a\nb\nc\nx"),
            ("a\n" * 9, "a\n" * 8), ("\n\n", "\n"), ("1\n2\n3\n4\n5\n6\n7\n8\n",
                                                    "1\nB\n3\n4\n5\n6\nG\n8")]
    answers = []
    for i, (_, new) in enumerate(rows):
        answers.append(act(write("f%d" % i, new)))
    with Checked(t, *answers) as talk:
        for i, (old, new) in enumerate(rows):
            with open(talk.path("f%d" % i), "w", encoding="utf-8") as f:
                f.write(old)
            talk.editor.permit = lambda p: "reject_once"
            talk.act(times=i + 1)
            call = talk.editor.asked[-1]["params"]["subject"]["toolCall"]
            (diff,) = [c for c in call["content"] if c["type"] == "diff"]
            done = subprocess.run(
                ["git", "apply", "--unsafe-paths", "-p1"], cwd="/", input=diff["patch"]["text"].encode(),
                capture_output=True, check=False)
            with open(talk.path("f%d" % i), encoding="utf-8") as f:
                t.ok(f.read() == new, "git makes %r of %r" % (new, old),
                     done.stderr.decode() + diff["patch"]["text"])


def cancels(t):
    with Checked(t, act(step(1, "echo ready; sleep 1000"), step(2, "true")),
                 say("Again.")) as talk:
        talk.prompt()
        t.ok(talk.editor.until(lambda: "ready" in json.dumps(
            talk.editor.of("tool_call_update")[2:])),
            "the output of a step comes live")
        talk.editor.notify("session/cancel", {"sessionId": talk.session})
        t.ok(talk.editor.until_idle(), "a cancel ends it")
        t.is_(talk.editor.states()[-1], "cancelled", "which is the reason")
        t.is_(talk.statuses(), ["cancelled", "cancelled"],
              "its steps were cancelled")
        first = list(talk.editor.calls_by_id().values())[0]
        t.is_([c["content"]["text"] for c in first["content"]], ["ready\n"],
              "and what one wrote is still shown")
        t.is_([e["status"] for e in talk.editor.of("plan_update")[-1]["plan"][
            "entries"]], ["cancelled"] * 2, "the plan says the same")
        talk.act(times=2)
        t.is_(talk.editor.states()[-1], "end_turn", "and the next prompt runs")


def cancels_a_question(t):
    with Checked(t, act(step(1, "rm -f old"))) as talk:
        talk.make("old")
        talk.editor.permit = lambda p: None
        talk.prompt()
        talk.editor.until(lambda: talk.editor.asked)
        talk.editor.notify("session/cancel", {"sessionId": talk.session})
        t.ok(talk.editor.until_idle(), "a cancel ends a question")
        t.is_([c["params"]["requestId"] for c in talk.editor.calls],
              [talk.editor.asked[0]["id"]], "which is withdrawn")
        talk.editor.answer_permission(talk.editor.asked[0]["id"], "allow_once")
        talk.ask("session/list")
        t.ok(os.path.exists(talk.path("old")), "a late yes runs nothing")
        t.is_(talk.statuses(), ["cancelled"], "the step is cancelled")


def holds_prompts(t):
    with Checked(t, act(step(1, "rm -f old")), say("One."), say("Two."),
                 say("Three.")) as talk:
        talk.make("old")
        talk.editor.permit = lambda p: None
        first = talk.prompt("the first")
        talk.editor.until(lambda: talk.editor.asked)
        ids = [talk.editor.prompt(talk.session, "number %d" % n)
               for n in (2, 3, 4)]
        talk.editor.notify("$/cancel_request", {"requestId": ids[1]})
        t.is_(talk.editor.wait(ids[1]).get("code"), -32800,
              "a prompt that waits is withdrawn")
        t.ok(ids[0] not in talk.editor.answers, "the others wait")
        talk.editor.answer_permission(talk.editor.asked[0]["id"], "allow_once")
        seen = [first] + [talk.editor.wait(i) for i in (ids[0], ids[2])]
        talk.editor.until_idle(3)
        t.is_(talk.editor.messages("user"),
              dict(zip([m["messageId"] for m in seen],
                       ["the first", "number 2", "number 4"])),
              "and are answered in their order")
        t.is_(list(talk.editor.messages().values()),
              ["A plan", "One.", "Two.", "Three."], "each by the model")


def cancels_prompts_that_wait(t):
    for how in ("cancel", "close"):
        with Checked(t, act(step(1, "rm -f old"))) as talk:
            talk.make("old")
            talk.editor.permit = lambda p: None
            talk.prompt()
            talk.editor.until(lambda: talk.editor.asked)
            ids = [talk.editor.prompt(talk.session, "more") for _ in range(20)]
            codes = [talk.editor.wait(i)["code"] for i in ids[16:]]
            t.is_(codes, [-32603] * 4, "sixteen prompts wait")
            if how == "cancel":
                talk.editor.notify("session/cancel",
                                   {"sessionId": talk.session})
            else:
                talk.ask("session/close", sessionId=talk.session)
            codes = [talk.editor.wait(i)["code"] for i in ids[:16]]
            t.is_(codes, [-32800] * 16, "and %s ends them" % how)
            t.ok(talk.editor.until_idle(), "with the turn")
            t.is_(talk.editor.states()[-1], "cancelled", "that is cancelled")


def closes(t):
    with Checked(t, act(step(1, "echo ready; sleep 1000"), step(2, "true"))
                 ) as talk:
        talk.prompt()
        talk.editor.until(lambda: "ready" in json.dumps(
            talk.editor.of("tool_call_update")[2:]))
        t.is_(talk.ask("session/close", sessionId=talk.session), {},
              "a session is closed")
        t.is_(talk.editor.states()[-1], "cancelled",
              "after the end of its work was told")
        t.is_(talk.statuses(), ["cancelled", "cancelled"], "and of its steps")
        mine = talk.editor.child.pid
        t.ok(tap.poll(lambda: not set(talk.place.left()) - {mine}),
             "what ran is ended", str(talk.place.left()))
        t.is_(talk.ask("session/close", sessionId=talk.session), {},
              "to close it again is no error")
        error = talk.ask("session/prompt", sessionId=talk.session, prompt=[
            {"type": "text", "text": "more"}])
        t.is_((error["code"], error["data"]),
              (-32002, {"sessionId": talk.session}), "but a prompt is")


def resumes(t):
    with Checked(t, act(step(1, "echo first-output"), write("f", "new\n", 2)),
                 say("Seen it."), say("Once more.")) as talk:
        before = talk.act("show the output")
        messages = talk.editor.messages()
        statuses = talk.statuses()
        t.is_(statuses, ["completed"] * 2, "steps run")
        calls = list(talk.editor.calls_by_id())
        talk.restart()
        result = talk.resume()
        t.is_([u["update"]["sessionUpdate"] for u in talk.editor.updates],
              ["state_update"], "a session is resumed in silence")
        t.is_(talk.editor.states(), ["idle"], "but for its state")
        t.is_([c["name"] for c in result["availableCommands"]],
              ["do", "run", "explain"], "the answer has the verbs")
        talk.resume(replayFrom={"type": "start"})
        t.is_(talk.editor.messages(), messages, "or what was said is replayed")
        t.is_(talk.editor.messages("user"),
              {before["messageId"]: "show the output"}, "with its ids")
        t.is_((list(talk.editor.calls_by_id()), talk.statuses()),
              (calls, statuses), "and the steps with their ends")
        t.ok("first-output" in json.dumps(talk.editor.updates),
             "and what they wrote")
        again = talk.act("again", times=3)
        t.ok(again["messageId"] != before["messageId"]
             and len(talk.editor.messages()) == len(messages) + 1,
             "new messages have new ids")
        for wrong in ({"type": "end"}, {}, "start", []):
            t.is_(talk.resume(replayFrom=wrong).get("code"), -32602,
                  "nothing is replayed from %s" % json.dumps(wrong))
        t.is_(talk.ask("session/resume", sessionId="x" * 32,
                       cwd=talk.place.work).get("code"), -32002,
              "an unknown session is not resumed")


def joins_a_turn(t):
    with Checked(t, act(step(1, "rm -f old")), say("Gone.")) as talk:
        talk.make("old")
        talk.editor.permit = lambda p: None
        talk.prompt("remove it")
        talk.editor.until(lambda: talk.editor.asked)
        talk.editor.updates.clear()
        talk.resume(replayFrom={"type": "start"})
        t.is_(talk.editor.states(), ["requires_action"],
              "a session that is at work is joined")
        t.is_(list(talk.editor.messages("user").values()), ["remove it"],
              "with what was said")
        talk.editor.answer_permission(talk.editor.asked[0]["id"], "allow_once")
        talk.editor.until_idle()
        t.ok(not os.path.exists(talk.path("old")), "and it goes on")


def shows_sessions_of_version_1(t):
    with Mixed(t, act(write("f", "new\n")), say("One.")) as talk:
        talk.resume(replayFrom={"type": "start"})
        t.is_(list(talk.editor.messages().values()), ["A plan", "One."],
              "what version 1 kept is replayed")
        t.is_(list(talk.editor.messages("user").values()), ["in version 1"],
              "each message with an id")
        t.is_(talk.statuses(), ["completed"], "and the steps")
        t.ok("git_patch" in json.dumps(talk.editor.updates),
             "with changes as the draft has them")


def replays_to_version_1(t):
    with Checked(t, act(step(1, "echo out")), say("One.")) as talk:
        talk.act("in version 2")
        talk.ask("session/list")  # what is listed is in the store
        old = Talk.start(talk)
        old.initialize(1)
        result = old.request("session/load", {
            "sessionId": talk.session, "cwd": talk.place.work,
            "mcpServers": []})
        t.ok("modes" in result, "version 1 loads a session of the draft")
        t.is_((old.said(), [u["status"] for u in old.of("tool_call_update")]),
              ("A planOne.", ["completed"]), "and is sent what was said")
        old.close()


def options(t):
    with Checked(t) as talk:
        def put(**params):
            return talk.ask("session/set_config_option",
                            sessionId=talk.session, **params)
        result = put(configId="mode", type="id", value="auto")
        t.is_([o["currentValue"] for o in result["configOptions"]
               if o["configId"] == "mode"], ["auto"], "an option is set")
        for wrong in ({"configId": "mode", "value": "auto"},
                      {"configId": "mode", "type": "boolean", "value": True},
                      {"configId": "mode", "type": "id", "value": "none"},
                      {"configId": "none", "type": "id", "value": "auto"},
                      {"type": "id", "value": "auto"}):
            t.is_(put(**wrong).get("code"), -32602,
                  "%s sets none" % json.dumps(wrong))


def lists_and_deletes(t):
    with Checked(t, say()) as talk:
        talk.act("name it")
        listed = talk.ask("session/list")["sessions"]
        t.is_([(s["sessionId"], s.get("title")) for s in listed],
              [(talk.session, "name it")], "sessions are listed")
        t.is_(talk.ask("session/delete", sessionId=talk.session), {},
              "and deleted")
        t.is_(talk.ask("session/list")["sessions"], [], "then they are gone")
        t.is_(talk.ask("session/delete", sessionId=talk.session).get("code"),
              -32002, "and not known")
        t.is_(talk.resume().get("code"), -32002, "nor resumed")


def failures(t):
    with Checked(t, {"fault": "unauthorized"}, say("Here.")) as talk:
        answer = talk.act()
        t.ok("messageId" in answer, "a prompt is accepted before the model")
        last = talk.editor.of("state_update")[-1]
        t.is_(last.get("stopReason"), "error", "a fault ends the turn")
        t.ok(last.get("error", {}).get("message"), "and says why",
             json.dumps(last))
        talk.act(times=2)
        t.is_(talk.editor.states()[-1], "end_turn", "the next prompt runs")


def main():
    t = tap.Tap()
    for test in (chooses_the_version, initializes, logs_in_and_out,
                 answers_in_words, shows_the_prompt_as_it_came, runs_steps,
                 calls_of_the_model, asks_about_commands,
                 wrong_answers_are_a_no, allows_for_the_session,
                 asks_about_files, patches_apply, cancels, cancels_a_question,
                 holds_prompts, cancels_prompts_that_wait, closes, resumes,
                 joins_a_turn, shows_sessions_of_version_1,
                 replays_to_version_1, options, lists_and_deletes, failures):
        test(t)
    t.done()


if __name__ == "__main__":
    main()
