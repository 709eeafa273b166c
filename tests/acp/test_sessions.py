#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_sessions.py - sessions of an editor outlive the agent's process."""

import json
import os

from talk import Talk, act, say, step

import home  # noqa: E402
import tap  # noqa: E402


def ask(talk, method, **params):
    return talk.editor.request("session/" + method, params)


def load(talk, method="load", session=None):
    return ask(talk, method, sessionId=session or talk.session,
               cwd=talk.place.work, mcpServers=[])


def kinds(talk):
    return [u["update"]["sessionUpdate"] for u in talk.editor.updates]


def loads_what_was_shown(t):
    with Talk(act(step(1, "echo first-output")), say("Seen it."),
              say("Once more.")) as talk:
        talk.prompt("show the first output")
        talk.restart()
        result = load(talk)
        t.ok("configOptions" in result, "a session is loaded", str(result))
        t.is_(talk.editor.said(), "A planSeen it.",
              "what the agent said is sent again")
        t.is_([u["content"]["text"]
               for u in talk.editor.of("user_message_chunk")],
              ["show the first output"], "and the prompt")
        t.is_(talk.statuses(), ["completed"], "and the steps with their ends")
        t.ok("first-output" in json.dumps(talk.editor.updates),
             "and what they wrote")
        t.is_(kinds(talk)[-1], "available_commands_update",
              "the verbs come after the answer")
        talk.prompt("again")
        sent = talk.sent(2)
        t.ok("show the first output" in sent and "Seen it." in sent,
             "the model is sent what was said before")
        t.ok(sent.index("show the first output") < sent.index("Seen it."),
             "in its order")


def shells_have_theirs(t):
    """A shell's conversation is in the same store, and not in the editor's
    list; the shell lists both, and goes on with either."""
    shell = {"AGENTSH_SESSION": "12-34"}
    agentsh, ai = home.program("agentsh"), home.program("ai")
    with Talk(say("The editor knows."), say("So I said.")) as talk:
        talk.prompt("the editor asks")
        talk.place.run([ai, "run", "--offline", "--dry-run", "show the date"],
                       **shell)
        t.is_([s["sessionId"] for s in ask(talk, "list")["sessions"]],
              [talk.session], "an editor's list has no shell's")
        listed = json.loads(talk.place.run(
            [agentsh, "session", "list", "-o", "json"], **shell).out)
        t.is_(sorted(s["of"] for s in listed["sessions"]),
              ["editor", "shell"], "the shell lists both")
        done = talk.place.run([agentsh, "session", "show", talk.session])
        t.ok("the editor asks" in done.out and
             "The editor knows." in done.out, "and shows both", done)
        done = talk.place.run([agentsh, "session", "resume",
                               talk.session[:9]], **shell)
        talk.place.run([ai, "explain", "what did you say"], **shell)
        sent = talk.sent(1)
        t.ok(done.status == 0 and "the editor asks" in sent and
             sent.index("The editor knows.") < sent.index("did you say"),
             "it goes on with the editor's", done, sent[-800:])


def ends_what_was_killed(t):
    with Talk(act(step(1, "sleep 1000"), step(2, "true")), say()) as talk:
        talk.editor.prompt(talk.session, "wait")
        talk.editor.until(lambda: "in_progress" in talk.statuses())
        ask(talk, "list")  # answered when all is stored
        talk.editor.child.kill()
        talk.restart()
        load(talk)
        t.is_(talk.statuses(), ["failed", "failed"],
              "a step whose agent was killed has an end")
        talk.prompt("and then")
        t.is_(talk.statuses(), ["failed", "failed"], "and stays there")


def ends_what_was_closed(t):
    with Talk(act(step(1, "sleep 1000"), step(2, "true"))) as talk:
        turn = talk.editor.prompt(talk.session, "wait")
        talk.editor.until(lambda: "in_progress" in talk.statuses())
        ask(talk, "close", sessionId=talk.session)
        t.is_(talk.editor.wait(turn), {"stopReason": "cancelled"},
              "a session is closed while a step runs")
        t.is_(talk.statuses(), ["failed", "failed"], "its steps have an end")
        talk.editor.updates.clear()
        load(talk)
        t.ok(talk.statuses() == ["failed", "failed"] and
             "killed" not in json.dumps(talk.editor.updates),
             "and the same one when it is loaded",
             json.dumps(talk.editor.updates))


def gives_new_ids(t):
    with Talk(act(step(1, "true")), say(), act(step(1, "true")), say()
              ) as talk:
        talk.prompt("the first")
        before = {u["toolCallId"] for u in talk.editor.of("tool_call")}
        said = {u["messageId"] for u in talk.editor.of("agent_message_chunk")}
        talk.restart()
        load(talk, "resume")
        talk.prompt("the second")
        after = {u["toolCallId"] for u in talk.editor.of("tool_call")}
        t.ok(before and after and not before & after,
             "a tool call after a restart has an id of its own",
             "%s %s" % (before, after))
        after = {u["messageId"] for u in talk.editor.of("agent_message_chunk")}
        t.ok(said and after and not said & after, "and a message",
             "%s %s" % (said, after))


def resumes_without_words(t):
    with Talk(say("Hello."), say("Again.")) as talk:
        talk.prompt("greet me")
        talk.restart()
        load(talk, "resume")
        t.is_(talk.editor.said(), "", "a session is resumed in silence")
        talk.prompt("again")
        t.ok("greet me" in talk.sent(1), "and the model knows it")


def lists(t):
    with Talk(say("Hello.")) as talk:
        talk.prompt("name this session\nand more")
        other = os.path.join(talk.place.work, "other")
        os.mkdir(other)
        second = talk.editor.new(other)
        talk.restart()
        listed = ask(talk, "list")["sessions"]
        t.is_([s["sessionId"] for s in listed], [second, talk.session],
              "sessions are listed, the newest first")
        t.is_(listed[1].get("title"), "name this session",
              "a title is the first line of the first prompt")
        t.is_([s["sessionId"] for s in ask(talk, "list", cwd=other)[
            "sessions"]], [second], "of one directory where that is asked")
        t.is_(len(ask(talk, "list", cwd=os.path.join(
            other, "..", os.path.basename(other)))["sessions"]), 1,
              "however that is written")
        error = ask(talk, "list", cursor="nonsense")
        t.is_(error.get("code"), -32602, "a wrong cursor is an error")


def pages(t):
    with Talk() as talk:
        made = {talk.session} | {talk.editor.new() for _ in range(120)}
        seen, cursor = [], None
        for _ in range(10):
            more = {"cursor": cursor} if cursor else {}
            page = ask(talk, "list", **more)
            seen += [s["sessionId"] for s in page["sessions"]]
            cursor = page.get("nextCursor")
            if not cursor:
                break
        t.ok(len(seen) == len(made) and set(seen) == made,
             "pages hold each session once", "%d of %d" % (len(seen),
                                                           len(made)))


def deletes(t):
    with Talk(say("Hello.")) as talk:
        talk.prompt("remember the word xylophone")
        t.is_(ask(talk, "delete", sessionId=talk.session), {},
              "a session is deleted")
        t.is_(load(talk).get("code"), -32602, "and cannot be loaded")
        t.is_(ask(talk, "list")["sessions"], [], "nor listed")
        talk.editor.close()
        state = talk.place.env["XDG_STATE_HOME"]
        held = [name for folder, _, names in os.walk(state) for name in names
                if "sessions" in name and b"xylophone" in open(
                    os.path.join(folder, name), "rb").read()]
        t.is_(held, [], "its words are in no file of sessions")
        talk.editor = talk.start()


def keeps_options(t):
    with Talk() as talk:
        ask(talk, "set_mode", sessionId=talk.session, modeId="auto")
        talk.restart()
        t.is_(load(talk)["modes"]["currentModeId"], "auto",
              "options are kept with the session")


def refuses(t):
    with Talk() as talk:
        for ident in ("nothing", talk.session + "x", talk.session[:-1], " "):
            t.is_(load(talk, session=ident).get("code"), -32602,
                  "%r is no session" % ident.replace(talk.session, "ID"))
        t.is_(ask(talk, "new", cwd="relative", mcpServers=[]).get("code"),
              -32602, "a directory is absolute")
        t.is_(ask(talk, "new", cwd="/nowhere/at/all", mcpServers=[]).get(
            "code"), -32602, "and there")
        t.is_(ask(talk, "close", sessionId=talk.session), {},
              "a session is closed")
        t.is_(ask(talk, "prompt", sessionId=talk.session,
                  prompt=[]).get("code"), -32602, "and takes no prompt")
        t.ok("modes" in load(talk), "but can be loaded")


def main():
    t = tap.Tap()
    for test in (loads_what_was_shown, shells_have_theirs,
                 ends_what_was_killed, ends_what_was_closed, gives_new_ids,
                 resumes_without_words, lists, pages, deletes, keeps_options,
                 refuses):
        test(t)
    t.done()


if __name__ == "__main__":
    main()
