#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_port.py - several editors on the sessions of agentsh acp --listen."""

import os
import signal
import threading
import time

from editor import Gone
from port import Port, Remote, ready
from talk import act, say, step

import faults  # noqa: E402
import listener  # noqa: E402
import tap  # noqa: E402

CANCEL = "$/cancel_request"


def texts(ed, kind):
    return [u["content"]["text"] for u in ed.of(kind)]


def begin(port, *names):
    """Editors, and a session that the first has opened."""
    eds = [ready(port, name=n) for n in names]
    return eds, eds[0].new()


def touch(port, name):
    with open(port.path(name), "w", encoding="utf-8"):
        pass


def keep_silent(*eds):
    for ed in eds:
        ed.permit = lambda params: None


def eight_turns_at_once(t):
    answers = [act(step(1, "sleep 0.3; echo $PPID")) for _ in range(8)]
    with Port(*answers, *[say("Done.") for _ in range(8)]) as port:
        ed = ready(port)
        sessions = [ed.new() for _ in range(8)]
        turns = [ed.prompt(s, "go") for s in sessions]
        ends = [ed.wait(i).get("stopReason") for i in turns]
        t.is_(ends, ["end_turn"] * 8, "eight turns of one editor run at once")
        t.is_([len(ed.of("tool_call", s)) for s in sessions], [1] * 8,
              "each session has its own step")
        others = [ready(port, name="n%d" % i) for i in range(8)]
        t.is_(len({o.web.upgraded[1]["acp-connection-id"] for o in others}), 8,
              "each connection has its own id")


def two_editors_see_one_turn(t):
    with Port(act(step(1, "rm -f old")), say("Gone.")) as port:
        touch(port, "old")
        (a, b), s = begin(port, "one", "two")
        keep_silent(a, b)
        t.is_(sorted(b.load(s)), ["configOptions", "modes"],
              "a session that another has open is loaded")
        turn = a.prompt(s, "do it")
        t.ok(a.until(lambda: a.asked) and b.until(lambda: b.asked),
             "a question goes to both")
        t.is_(texts(b, "user_message_chunk"), ["do it"],
              "the other sees what was asked")
        t.is_(texts(a, "user_message_chunk"), [], "who asked it knows")
        refused = b.wait(b.prompt(s, "and this"))
        t.is_(refused.get("code"), -32600, "a second prompt is refused")
        b.answer_permission(b.asked[0]["id"], "allow_once")
        t.is_(a.wait(turn), {"stopReason": "end_turn"},
              "the first answer counts")
        t.is_([(c["method"], c["params"]["requestId"]) for c in a.calls],
              [(CANCEL, a.asked[0]["id"])], "and is withdrawn from the other")
        a.answer_permission(a.asked[0]["id"], "reject_once")
        t.ok(not os.path.exists(port.path("old")), "what got the yes ran")
        b.until(lambda: "Gone." in b.said(s))
        t.is_((a.said(s), b.said(s)), ("A planGone.",) * 2,
              "both see the same words")
        t.is_([u["toolCallId"] for u in a.of("tool_call_update")],
              [u["toolCallId"] for u in b.of("tool_call_update")],
              "and the same steps")


def late_editor_catches_up(t):
    with Port(act(step(1, "rm -f old")), say("Gone.")) as port:
        touch(port, "old")
        (a, b), s = begin(port, "one", "two")
        c = ready(port, name="three")
        keep_silent(a, b, c)
        turn = a.prompt(s, "do it")
        a.until(lambda: a.asked)
        b.load(s)
        t.is_([u["update"]["sessionUpdate"] for u in b.updates][:4],
              ["user_message_chunk", "agent_message_chunk", "tool_call",
               "plan"], "who loads a session at work sees how far it is")
        c.load(s, "session/resume")
        t.is_(c.said(s), "", "who resumes it is not replayed")
        t.is_([len(c.of("tool_call")), len(c.of("plan"))], [1, 1],
              "but sees the open steps")
        t.ok(b.until(lambda: b.asked) and c.until(lambda: c.asked),
             "both are asked what is open")
        c.answer_permission(c.asked[0]["id"], "allow_once")
        t.is_(a.wait(turn), {"stopReason": "end_turn"}, "and may answer it")


def answer_with_a_form_is_kept_once(t):
    with Port() as port:
        a = Remote(port, name="fills forms")
        a.initialize(elicitation={"form": {}})
        (b, c, d), s = [ready(port, name=n) for n in "bcd"], a.new()
        a.request("session/set_config_option", {
            "sessionId": s, "configId": "model", "value": "offline"})
        turn = a.prompt(s, "say hello")
        t.ok(a.until(lambda: a.calls), "a form is open")
        b.load(s)
        c.load(s, "session/resume")
        shown = a.of("agent_message_chunk")
        t.is_([len(shown), b.of("agent_message_chunk"),
               c.of("agent_message_chunk")], [1, shown, shown],
              "who comes then sees once what it is about")
        a.send({"jsonrpc": "2.0", "id": a.calls[0]["id"],
                "result": {"action": "decline"}})
        t.is_(a.wait(turn), {"stopReason": "end_turn"},
              "the turn ends with the form")
        d.load(s)
        t.is_([a.of("agent_message_chunk"), d.of("agent_message_chunk")],
              [shown, shown], "and the answer is not sent or kept again")


def session_outlives_its_editor(t):
    with Port(act(step(1, "rm -f old")), say("Gone.")) as port:
        touch(port, "old")
        (a,), s = begin(port, "one")
        keep_silent(a)
        a.prompt(s, "do it")
        t.ok(a.until(lambda: a.asked), "a question is open")
        a.close()
        b = ready(port, name="two")
        keep_silent(b)
        b.load(s, "session/resume")
        t.ok(b.until(lambda: b.asked), "it waits for who comes next")
        b.answer_permission(b.asked[0]["id"], "allow_once")
        t.ok(b.until(lambda: "Gone." in b.said(s)),
             "the turn goes on without who began it")
        t.ok(not os.path.exists(port.path("old")), "and its step runs")
        b.close()
        c = ready(port, name="three")
        c.load(s)
        t.is_(c.said(s), "A planGone.", "what was said is kept")


def other_answers_when_one_leaves(t):
    with Port(act(step(1, "rm -f old")), say("Gone.")) as port:
        touch(port, "old")
        (a, b), s = begin(port, "one", "two")
        keep_silent(a, b)
        b.load(s)
        turn = b.prompt(s, "do it")
        t.ok(a.until(lambda: a.asked) and b.until(lambda: b.asked),
             "both are asked")
        a.close()
        b.answer_permission(b.asked[0]["id"], "allow_once")
        t.is_(b.wait(turn), {"stopReason": "end_turn"},
              "who stays decides alone")


def errors_are_no_answer_for_others(t):
    with Port(act(step(1, "rm -f old")), say("Gone.")) as port:
        touch(port, "old")
        (a, b), s = begin(port, "one", "two")
        keep_silent(a, b)
        b.load(s)
        turn = a.prompt(s, "do it")
        b.until(lambda: b.asked)
        a.until(lambda: a.asked)
        b.send({"jsonrpc": "2.0", "id": b.asked[0]["id"],
                "error": {"code": -32601, "message": "no such method"}})
        t.is_(b.request("session/list", {}).get("sessions", [{}])[0].get(
            "sessionId"), s, "an editor that cannot ask says so")
        a.answer_permission(a.asked[0]["id"], "allow_once")
        t.is_(a.wait(turn), {"stopReason": "end_turn"},
              "the other's yes counts")
        t.ok(not os.path.exists(port.path("old")), "and the step runs")


def options_and_ends_are_shared(t):
    with Port(say("One."), say("Two.")) as port:
        (a, b), s = begin(port, "one", "two")
        stranger = ready(port, name="three")
        t.is_(stranger.wait(stranger.prompt(s, "hi")).get("code"), -32602,
              "who has not opened a session cannot prompt it")
        b.load(s)
        a.request("session/set_config_option", {
            "sessionId": s, "configId": "mode", "value": "auto"})
        t.ok(b.until(lambda: b.of("current_mode_update")) and
             b.until(lambda: b.of("config_option_update")),
             "an option that one sets is told the other")
        t.is_(b.request("session/close", {"sessionId": s}), {},
              "one closes it for itself")
        t.is_(a.wait(a.prompt(s, "go on")), {"stopReason": "end_turn"},
              "the other goes on")
        b.load(s)
        t.is_(b.request("session/delete", {"sessionId": s}), {},
              "deleted it is gone for all")
        t.is_(a.wait(a.prompt(s, "hi")).get("code"), -32602,
              "also for who had it open")


def cancel_by_the_other(t):
    with Port(act(step(1, "sleep 60"))) as port:
        (a, b), s = begin(port, "one", "two")
        b.load(s)
        turn = a.prompt(s, "wait")
        b.until(lambda: any(u.get("status") == "in_progress"
                            for u in b.of("tool_call_update")))
        b.notify("session/cancel", {"sessionId": s})
        t.is_(a.wait(turn), {"stopReason": "cancelled"},
              "either editor cancels the turn")


def draft_queues_of_both(t):
    with Port(act(step(1, "sleep 0.3")), say("One."), say("Two."),
              say("Three."), settings="[acp]\ndraft = on\n") as port:
        a, b = Remote(port, name="one"), Remote(port, name="two")
        t.is_([e.initialize(2).get("protocolVersion") for e in (a, b)],
              [2, 2], "two editors speak the draft")
        s = a.new()
        b.load(s, "session/resume")
        first = a.prompt(s, "one")
        a.wait(first)
        second, third = b.prompt(s, "two"), b.prompt(s, "three")
        b.request("session/list", {})
        b.close()
        t.ok(a.until(lambda: "idle" in [u.get("state") for u in
                                        a.of("state_update")]),
             "the turn ends")
        ended = a.wait(a.prompt(s, "four"))
        t.ok("messageId" in ended, "what waited of one that left is forgotten",
             str((second, third, ended)))
        v1 = ready(port, name="three")
        t.ok(v1.load(s).get("code") == -32602,
             "another version cannot join it")


def drain(t):
    with Port(act(step(1, "sleep 0.7; echo end")), say("Done.")) as port:
        (a,), s = begin(port, "one")
        turn = a.prompt(s, "wait")
        a.until(lambda: any(u.get("status") == "in_progress"
                            for u in a.of("tool_call_update")))
        port.child.send_signal(signal.SIGTERM)
        t.is_(a.wait(turn), {"stopReason": "end_turn"},
              "a turn that runs ends when the agent is to end")
        t.is_(a.until_closed(), 1001, "then the connection is closed")
        t.is_(port.stop(), 0, "and the agent ends")
    with Port(act(step(1, "sleep 60"))) as port:
        (a,), s = begin(port, "one")
        a.prompt(s, "wait")
        a.until(lambda: any(u.get("status") == "in_progress"
                            for u in a.of("tool_call_update")))
        began = time.monotonic()
        port.child.send_signal(signal.SIGTERM)
        try:
            Remote(port)
            late = False
        except (Gone, OSError):
            late = True
        t.ok(late, "nobody connects any more")
        port.child.send_signal(signal.SIGTERM)
        port.child.wait(20)
        t.is_(port.stop(), 0, "a second signal ends it")
        t.ok(time.monotonic() - began < 8, "at once")


def prompts_until_end(ed, session, ends):
    """Prompts one after another, until one is cancelled, as an agent that ends
    does; what has no answer is None."""
    try:
        while not ends or ends[-1] == "end_turn":
            ends.append(None)
            ends[-1] = ed.wait(ed.prompt(session, "go")).get("stopReason")
    except (Gone, OSError):
        pass
    ends.append(ed.until_closed())


def drain_under_load(t):
    with Port(*[say()] * 2000) as port:
        eds = [ready(port, name="n%d" % i) for i in range(4)]
        ends = [[] for _ in eds]
        askers = [threading.Thread(target=prompts_until_end,
                                   args=(e, e.new(), ends[i]))
                  for i, e in enumerate(eds)]
        for one in askers:
            one.start()
        tap.poll(lambda: all(len(e) > 2 for e in ends), 20)
        begun = time.monotonic()
        port.child.send_signal(signal.SIGTERM)
        for one in askers:
            one.join(20)
        status = port.stop()
        took = time.monotonic() - begun
        t.is_(status, 0, "SIGTERM under load ends it")
        turns = [x for e in ends for x in e if x == "end_turn"]
        t.is_(len(turns), len([r for r in port.server.requests
                               if r["method"] == "POST"]),
              "each turn that began has ended")
        # None: it was sent when the agent had nothing to do any more
        t.is_([e[-2:] for e in ends if e[-2:] not in (
            ["cancelled", 1001], [None, 1001])], [],
              "one that begins then is cancelled, and all are closed in order")
        t.diag("%d turns; %.2f s to the end" % (len(turns), took))


def wrong_rules(t, port):
    rules = os.path.join(port.place.env["XDG_CONFIG_HOME"], "agentsh",
                         "policy")
    with open(rules, "w", encoding="utf-8") as f:
        f.write("frob\n")
    port.child.send_signal(signal.SIGHUP)
    t.ok(port.until(lambda: b"what was loaded before stays: " in port.log and
                    b"policy:1: " in port.log),
         "which says that rules are wrong", port.log)
    os.unlink(rules)


def settings_anew(t):
    with Port(say("Hello.")) as port:
        (a,), s = begin(port, "one")
        port.place.config(faults.CONFIG % faults.PATIENT +
                          "[acp]\ndraft = on\n")
        port.child.send_signal(signal.SIGHUP)
        ed, version = None, 1
        end = time.monotonic() + 20
        while version != 2 and time.monotonic() < end:
            ed = Remote(port, name="two")
            version = ed.initialize(2).get("protocolVersion")
        t.is_(version, 2, "SIGHUP loads the settings anew")
        wrong_rules(t, port)
        t.is_(a.wait(a.prompt(s, "hi")), {"stopReason": "end_turn"},
              "what is open goes on")


def settings_anew_during_the_search(t):
    """SIGHUP comes while a command still prints the model's key."""
    with Port(say("Hello."), settings="api_key_command = until [ -e "
              "\"$HOME/loaded\" ]; do sleep 0.01; done; echo key\n",
              OPENAI_API_KEY="") as port:
        port.child.send_signal(signal.SIGHUP)
        port.until(lambda: b"all is loaded anew" in port.log)
        with open(os.path.join(port.place.env["HOME"], "loaded"), "wb"):
            pass
        (a,), s = begin(port, "one")
        t.is_(a.wait(a.prompt(s, "hi")), {"stopReason": "end_turn"},
              "settings are loaded anew while it looks for a model", port.log)


def rules_of_a_gateway(t):
    with Port(act(step(1, "touch new")), say("Done."), command="gateway",
              options=("--policy", "restrictive")) as port:
        (a,), s = begin(port, "one")
        keep_silent(a)
        turn = a.prompt(s, "do it")
        t.ok(a.until(lambda: a.asked),
             "a gateway's --policy holds for its editors")
        a.answer_permission(a.asked[0]["id"], "allow_once")
        t.is_(a.wait(turn), {"stopReason": "end_turn"}, "and nobody else's")
        port.how["args"][-1] = "nope"
        port.stop()
        try:
            port.start()
            why = ""
        except listener.Gone as gone:
            why = str(gone)
        t.ok("restrictive, standard, permissive" in why,
             "one that is not there is refused at once", why)


def main():
    t = tap.Tap()
    for check in (eight_turns_at_once, two_editors_see_one_turn,
                  late_editor_catches_up, answer_with_a_form_is_kept_once,
                  session_outlives_its_editor,
                  other_answers_when_one_leaves,
                  errors_are_no_answer_for_others,
                  options_and_ends_are_shared, cancel_by_the_other,
                  draft_queues_of_both, settings_anew,
                  settings_anew_during_the_search, rules_of_a_gateway,
                  drain, drain_under_load):
        check(t)
    t.done()


if __name__ == "__main__":
    main()
