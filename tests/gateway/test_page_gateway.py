#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_page_gateway.py - the gateway's page in Chromium with the gateway itself,
whose agent is a fake: logging in, a task from its creation to its end, and a
gateway that is killed and comes back."""

import os
import signal
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))
sys.path.insert(0, os.path.dirname(__file__))
import browser  # noqa: E402
import gatewayclient  # noqa: E402
import home  # noqa: E402
import tap  # noqa: E402
from test_page import rules  # noqa: E402

TOKEN = "sesame, open"


class Gateway(gatewayclient.Gateway):
    """The gateway, at one port however often it is started."""

    def start(self):
        super().start()
        where = self.how["args"].index("--listen") + 1
        self.how["args"][where] = "%s:%d" % self.at


def check_login(t, b, g):
    b.go("http://127.0.0.1:%d/" % g.port)
    t.ok(b.until("return document.querySelector('#login').open"),
         "the token is asked for")
    b.type("sesame", "#token")
    b.press("Enter")
    t.ok(b.shows("That is not the token", "#login"), "another is refused")
    b.type(TOKEN)
    b.press("Enter")
    t.ok(b.shows("Connected", "#link") and b.shows("There is no task yet"),
         "with it one is in")
    t.is_(b.js("return document.cookie"), "", "no script sees the cookie")
    b.faults()
    b.go("http://127.0.0.1:%d/" % g.port)
    t.ok(b.shows("There is no task yet"), "and stays in")
    t.is_(rules(b), [], "an empty board is for everyone")


def send(b, text):
    b.js("document.querySelector('#prompt').focus()")
    b.type(text)
    b.press("Enter")
    b.until("return document.querySelector('#prompt').value === ''")


def check_task(t, b):
    b.press("n")
    b.type("First <b>task</b>")
    b.press("Tab")
    b.type("done")
    b.click("#create-worktree")
    b.click("#create .primary")
    t.ok(b.shows("First <b>task</b>", "#task-title"), "a task is made")
    t.ok(b.shows("Turn ended", "#task-facts"), "and its turn runs",
         b.text("#task"))
    b.click("#diff summary")
    t.ok(b.shows("Nothing has changed", "#diff"),
         "in a working tree of its own", b.text("#task"))
    send(b, "ask me")
    t.ok(b.shows("May I?", "#asks"), "a question is there", b.text("#task"))
    t.ok(b.shows("(1)", "head title") or
         b.js("return document.title").startswith("(1)"), "and in the title")
    send(b, "later")
    t.ok(b.shows("later", "#queue"), "a message is queued meanwhile")
    b.click("#queue button")
    t.ok(b.until("return document.querySelector('#queue').hidden"),
         "and taken back")
    b.js("document.querySelector('#prompt').value = ''")
    b.js("document.querySelector('#asks button').click()")
    t.ok(b.until("return document.querySelector('#asks').hidden"),
         "the question is answered")
    t.ok(b.shows("answered: Yes (", "#log"), "which the transcript has",
         b.text("#log"))
    t.ok(b.until("return document.querySelector('#task-facts').innerText."
                 "includes('Turn ended')"), "and the turn ends")
    t.is_(rules(b), [], "the task is for everyone")


def check_kill(t, b, g):
    send(b, "hang on")
    t.ok(b.shows("hang on", "#log"), "a turn runs")
    before = b.text("#log")
    g.close(signal.SIGKILL)
    t.ok(b.shows("The gateway is lost", "body", 5), "a killed gateway is said")
    g.start()
    t.ok(b.shows("Connected", "#link", 12), "it is there again")
    t.ok(b.until("return document.querySelector('#lost').hidden"),
         "without logging in anew")
    after = b.text("#log")
    t.ok(after.startswith(before), "the transcript is as it was",
         before[-300:], "--", after[:3000][-600:])
    t.ok(b.shows("Failed or stopped", "#task-facts"),
         "and the turn is said to be interrupted", b.text("#task-facts"))
    text = b.js("return document.querySelector('#log').innerText")
    where = b.js("return location.href")
    b.go("about:blank")
    b.go(where)
    b.shows("hang on", "#log")
    t.is_(b.text("#log"), text, "a page that opens later sees the same",
          b.js("return location.href"), b.text("body"), b.faults())
    b.until("return !document.querySelector('#complete').disabled")
    b.click("#complete")
    t.ok(b.shows("Done", "#task-facts"), "it is marked as done",
         b.text("main"), b.text("#notes"))


def check_logout(t, b):
    faults = [f for f in b.faults() if "login" not in f and "/ws" not in f]
    t.is_(faults, [], "the console has no fault")
    b.click("#logout")
    t.ok(b.until("return document.querySelector('#login')?.open && !document."
                 "body.innerText.includes('First')"), "one can log out")


def main():
    t = tap.Tap()
    t.needs("chromium", "chromedriver", "git",
            gatewayclient.STUB)
    with home.Home() as place:
        path = place.secret(TOKEN + "\n")
        for words in (["init", "-q"], ["add", "."], [
                "-c", "user.name=a", "-c", "user.email=a@b.example", "commit",
                "-qm", "first", "--allow-empty"]):
            subprocess.run(["git", *words], cwd=place.work, env=place.env,
                           check=True)
        g = Gateway(place, "--token-file", path)
        with browser.Browser() as b:
            check_login(t, b, g)
            check_task(t, b)
            check_kill(t, b, g)
            check_logout(t, b)
        t.is_(g.close(), 0, "the gateway ends")
    t.done()


if __name__ == "__main__":
    main()
