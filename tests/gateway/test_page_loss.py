#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_page_loss.py - the gateway's page in Chromium: a gateway that ends, is
silent and comes back, events that are lost and repeated, long transcripts."""

import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))
sys.path.insert(0, os.path.dirname(__file__))
import browser  # noqa: E402
import fake_gateway  # noqa: E402
import tap  # noqa: E402
from test_page import PAGE, open_page  # noqa: E402

SAID_S = 5      # for a loss to be said
BACK_S = 9      # to be there again: the longest pause between two tries
LONG = 20000    # events
NODES = 5000    # elements at most, whatever is shown
DRAW_S = 10     # for the newest of them to be there


def numbers(b):
    """The numbers that the transcript has, in its order."""
    return b.js("return (document.querySelector('#log').innerText.match("
                "/(?<=#)\\d+(?=;)/g) ?? []).map(Number)")


def write(g, id_, first, n):
    for i in range(first, first + n):
        g.event(id_, "acp.content", {"text": "#%d; " % i})


def check_end(t, b, g, id_):
    open_page(b, g, "#task/" + id_)
    write(g, id_, 0, 20)
    b.shows("#19;", "#log")
    b.type("half a thou", "#prompt")
    g.stop()
    begun = time.monotonic()
    t.ok(b.shows("The gateway is lost", "body", SAID_S) and
         b.text("#link-text") == "Gateway lost", "a gateway that ends is said")
    t.ok(time.monotonic() - begun < SAID_S / 2, "sooner than a silent one")
    t.ok(b.js("return document.querySelector('#stop').disabled && document."
              "querySelector('#task-title').innerText === 'Count'"),
         "what was there stays, and cannot be used")
    b.type("ght", "#prompt")
    b.press("Enter")
    t.ok(b.shows("Not sent, your text is still there", "#notes"),
         "what is sent now is not lost")
    write(g, id_, 20, 20)
    g.ask(id_, "away", "asked while it was away")
    g.start()
    t.ok(b.shows("#39;", "#log", BACK_S), "it comes back")
    t.is_(numbers(b), list(range(40)), "with what came meanwhile, all of it "
          "once")
    t.ok(b.shows("asked while it was away", "#asks"), "and its question")
    t.ok(b.until("return document.querySelector('#lost').hidden && document."
                 "querySelector('#said').innerText !== ''"), "which is said")
    t.is_(b.js("return document.querySelector('#prompt').value"),
          "half a thought", "the text is there")
    b.press("Enter")
    b.until("return document.querySelector('#prompt').value === ''")
    refs = [p["client_ref"] for a, p in g.calls if a == "orchestrator.prompt"]
    t.is_(len(refs), 1, "and is sent once")
    after = [p["after"] for a, p in g.calls
             if a == "task.subscribe" and p["task_id"] == id_]
    t.ok(after[-1] >= 20, "what it had was not asked for again", after)


def check_silence(t, b, g, id_):
    g.mute()
    begun = time.monotonic()
    t.ok(b.shows("The gateway is lost", "body", SAID_S + 2),
         "a gateway that is silent is said to be lost")
    seconds = time.monotonic() - begun
    t.ok(seconds < SAID_S, "within %d s" % SAID_S, seconds)
    t.diag("after %.1f s" % seconds)
    write(g, id_, 40, 5)
    t.ok(b.shows("#44;", "#log", BACK_S), "and it is called again")
    t.is_(numbers(b), list(range(45)), "without gap or repetition")


def check_gaps(t, b, g, id_):
    seq = g.tasks[id_]["last_seq"]
    g.drops = {(id_, seq + 3), (id_, seq + 4), (id_, seq + 8)}
    write(g, id_, 45, 10)
    t.ok(b.until("return document.querySelector('#log').innerText.includes("
                 "'#54;')"), "what was left out is asked for")
    t.is_(numbers(b), list(range(55)), "and stands where it belongs")
    g.drops = set()
    for action, payload in g.events[id_][-9:] + g.events[id_][:5]:
        for w in g.watchers:
            g.notify(w, action, payload)
    write(g, id_, 55, 1)
    b.shows("#55;", "#log")
    t.is_(numbers(b), list(range(56)), "what comes twice is shown once")
    g.kinds = False
    other = g.task("Another")
    open_page(b, g)
    b.shows("Another")
    b.js("location.hash = '#task/' + arguments[0]", id_)
    write(g, id_, 56, 50)
    write(g, other, 0, 5)
    b.shows("#105;", "#log")
    t.is_(numbers(b), list(range(106)),
          "a task is whole, although all of them are sent")
    g.kinds = True


def check_long(t, b, g):
    id_ = g.task("Long", "running")
    for i in range(LONG):
        kind = i % 4
        if kind == 0:
            g.event(id_, "acp.content", {"text": "line %d\n\n" % i})
        elif kind < 3:
            g.event(id_, "acp.toolCall", {
                "toolCallId": "t%d" % (i // 4), "title": "call %d" % (i // 4),
                "status": ["", "in_progress", "completed"][kind], "content": [
                    {"type": "content", "content": {"text": "out\n" * 20}}]})
        else:
            g.event(id_, "acp.log", {"message": "log #%d;" % i})
    open_page(b, g, "#task/" + id_)
    t.ok(b.shows("#%d;" % (LONG - 1), "#log", DRAW_S), "the end of a long "
         "transcript is there")
    t.ok(all(p.get("after", 0) > LONG - 1000 for a, p in g.calls
             if a == "task.subscribe" and p["task_id"] == id_),
         "without what nobody looks at")
    t.ok(b.js("return document.querySelectorAll('*').length") < NODES,
         "it is few elements")
    for _ in range(12):
        b.click("#older")
        b.until("return !document.querySelector('#older').disabled")
    first = numbers(b)[0]
    t.ok(b.js("return document.querySelectorAll('*').length") < NODES,
         "older ones come on demand, and they are as few")
    t.ok(b.until("return !document.querySelector('#newest').hidden"),
         "the newest are a key away")
    b.click("#older")
    t.ok(b.until("return Number(document.querySelector('#log').innerText."
                 "match(/(?<=#)\\d+(?=;)/)[0]) < arguments[0]", first),
         "older and older")
    held = numbers(b)
    t.ok(held == sorted(set(held)), "in their order", held)
    b.click("#newest")
    t.ok(b.shows("#%d;" % (LONG - 1), "#log"), "and back")
    b.js("window.longest = 0; let last = performance.now(); window.beat = "
         "setInterval(() => { const now = performance.now(); window.longest = "
         "Math.max(window.longest, now - last); last = now; }, 4)")
    begun = time.monotonic()
    for i in range(5000):
        g.event(id_, "acp.content", {"text": "word%d " % i})
    g.event(id_, "acp.log", {"message": "the end #1;"})
    t.ok(b.shows("the end #1;", "#log"), "5000 events are there")
    t.diag("after %.1f s" % (time.monotonic() - begun))
    longest = b.js("return window.longest")
    t.diag("longest hold of the page: %d ms" % longest)
    t.ok(longest < 1000, "and the page is not held meanwhile", longest)


def main():
    t = tap.Tap()
    t.needs("chromium", "chromedriver")
    g = fake_gateway.FakeGateway(PAGE)
    id_ = g.task("Count", "running")
    with browser.Browser() as b:
        check_end(t, b, g, id_)
        check_silence(t, b, g, id_)
        check_gaps(t, b, g, id_)
        check_long(t, b, g)
    t.done()


if __name__ == "__main__":
    main()
