#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_turns.py - prompts of an editor: steps, permissions, cancels, results."""

import json
import os
import time

from talk import Talk, act, say, step

import home  # noqa: E402
import tap  # noqa: E402


def answers_in_words(t):
    with Talk(say("Hello there.")) as talk:
        end = talk.prompt("say hello")
        t.is_(end, {"stopReason": "end_turn"}, "an answer ends the turn")
        t.is_(talk.editor.said(), "Hello there.", "its text comes once")
        usage = talk.editor.of("usage_update")
        t.ok(usage and usage[0]["used"] > 0, "what it used is told",
             json.dumps(usage))


def runs_what_reads(t):
    with Talk(act(step(1, "echo one; echo two >&2")), say("Seen.")) as talk:
        end = talk.prompt()
        t.is_(end, {"stopReason": "end_turn"}, "a step that reads runs")
        t.is_(talk.editor.asked, [], "and is not asked about")
        t.is_(talk.statuses(), ["completed"], "its status is told")
        last = talk.editor.of("tool_call_update")[-1]
        texts = [c["content"]["text"] for c in last["content"]]
        t.is_(texts, ["one\n", "two\n"], "with what it wrote")
        t.ok("two" in talk.sent(1), "the model gets the results")
        t.is_(talk.editor.said(), "A planSeen.",
              "the summary comes first, and the answer last")


def asks_about_what_writes(t):
    with Talk(act(step(1, "rm -f old"), step(2, "rm -f other")),
              say("Gone.")) as talk:
        for name in ("old", "other"):
            with open(talk.path(name), "w", encoding="utf-8"):
                pass
        talk.editor.permit = lambda p: (
            "allow_once" if "old" in p["toolCall"]["title"] else "reject_once")
        end = talk.prompt()
        t.is_(end["stopReason"], "end_turn", "a no ends the turn")
        t.is_(len(talk.editor.asked), 2, "each step has its question")
        t.ok(not os.path.exists(talk.path("old")), "what got a yes ran")
        t.ok(os.path.exists(talk.path("other")), "what got a no did not")
        t.is_(talk.statuses(), ["completed", "failed"], "both are told")
        kinds = [o["kind"] for o in talk.editor.asked[0]["params"]["options"]]
        t.ok("allow_once" in kinds and "reject_once" in kinds,
             "a question has a yes and a no", str(kinds))


def late_and_double_answers(t):
    with Talk(act(step(1, "rm -f old")), say()) as talk:
        with open(talk.path("old"), "w", encoding="utf-8"):
            pass
        talk.editor.permit = lambda p: None
        turn = talk.editor.prompt(talk.session, "do it")
        t.ok(talk.editor.until(lambda: talk.editor.asked),
             "a question waits")
        talk.editor.notify("session/cancel", {"sessionId": talk.session})
        t.is_(talk.editor.wait(turn), {"stopReason": "cancelled"},
              "a cancel withdraws it")
        ident = talk.editor.asked[0]["id"]
        for _ in range(2):
            talk.editor.answer_permission(ident, "allow_once")
        t.is_(talk.editor.request("session/set_mode", {
            "sessionId": talk.session, "modeId": "ask"}), {},
            "answers that come late are read")
        t.ok(os.path.exists(talk.path("old")), "and nothing runs by them")


def wrong_answers_are_a_no(t):
    for wrong in ({"outcome": {"outcome": "selected"}}, {}, {"outcome": 5},
                  {"outcome": {"outcome": "selected", "optionId": "yes"}}):
        with Talk(act(step(1, "rm -f old"))) as talk:
            with open(talk.path("old"), "w", encoding="utf-8"):
                pass
            talk.editor.permit = lambda p: None
            turn = talk.editor.prompt(talk.session, "do it")
            talk.editor.until(lambda: talk.editor.asked)
            talk.editor.send({"jsonrpc": "2.0", "result": wrong,
                              "id": talk.editor.asked[0]["id"]})
            end = talk.editor.wait(turn)
            t.ok(os.path.exists(talk.path("old"))
                 and end["stopReason"] == "end_turn",
                 "%s runs nothing" % json.dumps(wrong), json.dumps(end))


def cancels_a_step_that_ignores_term(t):
    command = "trap '' TERM INT HUP; echo ready; sleep 1000 & wait; wait"
    with Talk(act(step(1, command))) as talk:
        turn = talk.editor.prompt(talk.session, "do it")
        t.ok(talk.editor.until(lambda: "ready" in json.dumps(
            talk.editor.of("tool_call_update"))), "its output comes live")
        begun = time.monotonic()
        talk.editor.notify("session/cancel", {"sessionId": talk.session})
        t.is_(talk.editor.wait(turn), {"stopReason": "cancelled"},
              "a cancel ends a step that ignores SIGTERM")
        t.ok(time.monotonic() - begun < 2, "within two seconds")
        mine = talk.editor.child.pid
        t.ok(tap.poll(lambda: not set(talk.place.left()) - {mine}),
             "and its descendants", str(talk.place.left()))


def cancels_a_model_that_never_answers(t):
    for fault in ("hang", "stall"):
        with Talk({"fault": fault}, say("Here again.")) as talk:
            turn = talk.editor.prompt(talk.session, "do it")
            tap.poll(lambda: talk.editor.read(0.01) or talk.server.requests)
            talk.editor.notify("$/cancel_request", {"requestId": turn})
            t.is_(talk.editor.wait(turn, 3), {"stopReason": "cancelled"},
                  "a model with the fault %s is left" % fault)
            t.is_(talk.prompt(), {"stopReason": "end_turn"},
                  "and asked again by the next prompt")


def modes(t):
    write = act(step(1, "touch made"))
    with Talk(write, say(), write, say(), act(step(1, "rm -f made")), say()
              ) as talk:
        talk.editor.request("session/set_config_option", {
            "sessionId": talk.session, "configId": "mode",
            "value": "read-only"})
        t.is_(talk.editor.of("current_mode_update")[-1]["currentModeId"],
              "read-only", "a change of the option is one of the mode")
        talk.editor.request("session/set_mode", {
            "sessionId": talk.session, "modeId": "auto"})
        options = talk.editor.of("config_option_update")[-1]["configOptions"]
        t.is_([o["currentValue"] for o in options if o["id"] == "mode"],
              ["auto"], "and the other way round")


def journal(talk):
    """The runs that the journal has, the newest first."""
    done = talk.place.run([home.program("ai"), "-o", "json", "log"])
    return json.loads(done.out)["runs"]


def the_journal_has_the_words(t):
    words = "find the zebra " * 20 + "and the end"
    with Talk(say("Hello."), act(step(1, "sleep 1000")),
              say("That was long.")) as talk:
        talk.prompt(words)
        turn = talk.editor.prompt(talk.session, "wait for long")
        talk.editor.until(lambda: "in_progress" in json.dumps(
            talk.editor.of("tool_call_update")))
        talk.editor.request("session/close", {"sessionId": talk.session})
        t.is_(talk.editor.wait(turn), {"stopReason": "cancelled"},
              "a session that is closed cancels its turn")
        talk.session = talk.editor.new()
        talk.prompt("x" * ((1 << 20) - 100))
        t.ok("configOptions" in talk.editor.request("session/load", {
            "sessionId": talk.session, "cwd": talk.place.work,
            "mcpServers": []}), "a very long prompt harms nothing")
        talk.editor.close()
        runs = journal(talk)
        t.is_([r.get("outcome") for r in runs[1:]], ["interrupted", "done"],
              "the journal has the end of each", json.dumps(runs)[:2000])
        t.is_([r["text"] for r in runs[1:]], ["wait for long", words],
              "and what was asked for")
        talk.editor = talk.start()


def allows_for_the_session(t):
    web = "curl -s http://127.0.0.1:1/"
    with Talk(act(step(1, web)), say(), act(step(1, web)), say(),
              act(step(1, web + "x")), say()) as talk:
        talk.editor.permit = lambda p: [
            o["optionId"] for o in p["options"]
            if o["kind"] in ("allow_always", "reject_once")][0]
        talk.prompt()
        names = [o["name"] for o in talk.editor.asked[0]["params"]["options"]]
        t.ok(any(web in name for name in names),
             "a yes for the session says what it allows", str(names))
        talk.prompt()
        t.is_(len(talk.editor.asked), 1, "and is not asked for again")
        talk.session = talk.editor.new()
        talk.editor.permit = lambda p: "reject_once"
        talk.prompt()
        t.is_(len(talk.editor.asked), 2, "but is in another session")


def read_only(t):
    with Talk(act(step(1, "touch made")), act(step(1, "ls")), say()) as talk:
        talk.editor.request("session/set_mode", {
            "sessionId": talk.session, "modeId": "read-only"})
        end = talk.prompt()
        t.ok(end == {"stopReason": "end_turn"}
             and not os.path.exists(talk.path("made"))
             and not talk.editor.asked, "a session that only reads adds no file")
        t.ok("refused" in talk.editor.said(), "and says so",
             talk.editor.said())
        t.is_(talk.prompt(), {"stopReason": "end_turn"}, "it does read")
        t.is_(talk.statuses()[-1], "completed", "and tells what")


def read_only_after_a_yes_for_the_session(t):
    move = act(step(1, "mv one two"))
    with Talk(move, say(), move) as talk:
        with open(talk.path("one"), "w", encoding="utf-8"):
            pass
        talk.editor.permit = lambda p: "allow_always"
        talk.prompt()
        t.ok(os.path.exists(talk.path("two")), "a yes for the session runs it")
        os.rename(talk.path("two"), talk.path("one"))
        talk.editor.request("session/set_mode", {
            "sessionId": talk.session, "modeId": "read-only"})
        talk.prompt()
        t.is_((os.path.exists(talk.path("one")), len(talk.editor.asked)),
              (True, 1), "and does not where the session only reads")


def asks_for_more(t):
    if not tap.is_here("namespaces"):  # nothing says which modes changed
        t.skip("a step that did more than it may is asked about",
               "needs namespaces")
        return
    with Talk(act(step(1, "chmod 600 mine; chmod 640 mine")), say()) as talk:
        with open(talk.path("mine"), "w", encoding="utf-8"):
            pass
        os.chmod(talk.path("mine"), 0o644)
        end = talk.prompt()
        t.is_(len(talk.editor.asked), 1,
              "a step that did more than it may is asked about")
        t.is_(os.stat(talk.path("mine")).st_mode & 0o777, 0o640,
              "and does it after a yes")
        t.is_((end["stopReason"], talk.statuses()), ("end_turn",
                                                     ["completed"]),
              "and is done then")
    with Talk(act(step(1, "chmod 640 mine")), say()) as talk:
        with open(talk.path("mine"), "w", encoding="utf-8"):
            pass
        os.chmod(talk.path("mine"), 0o644)
        talk.editor.permit = lambda p: "reject_once"
        talk.prompt()
        t.is_(len(talk.editor.asked), 1, "so is one that changes a mode")
        t.is_(os.stat(talk.path("mine")).st_mode & 0o777, 0o644,
              "after a no it does nothing")
        t.is_(talk.statuses(), ["failed"], "and has failed")
    with Talk(act(step(1, "chmod +x mine")), say()) as talk:
        with open(talk.path("mine"), "w", encoding="utf-8"):
            pass
        os.chmod(talk.path("mine"), 0o644)
        talk.prompt()
        t.is_(os.stat(talk.path("mine")).st_mode & 0o777, 0o755,
              "after a yes it does it")
        t.is_((len(talk.editor.asked), talk.statuses()), (1, ["completed"]),
              "and is done then")


def main():
    t = tap.Tap()
    for test in (answers_in_words, runs_what_reads, asks_about_what_writes,
                 late_and_double_answers, wrong_answers_are_a_no,
                 cancels_a_step_that_ignores_term,
                 cancels_a_model_that_never_answers, modes,
                 the_journal_has_the_words, allows_for_the_session, read_only,
                 read_only_after_a_yes_for_the_session, asks_for_more):
        test(t)
    t.done()


if __name__ == "__main__":
    main()
