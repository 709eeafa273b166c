#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_page.py - the gateway's page in Chromium: its main flows, by mouse and
by keyboard alone, what it must keep for everyone, and texts that are markup.
With a folder as its argument it leaves pictures there."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))
sys.path.insert(0, os.path.dirname(__file__))
import browser  # noqa: E402
import fake_gateway  # noqa: E402
import home  # noqa: E402
import tap  # noqa: E402

PAGE = os.path.join(home.SRCDIR, "src", "server", "gateway", "page")
LOOKS = [(w, h, dark) for w, h in ((1280, 900), (390, 844))
         for dark in (False, True)]
EVIL = ["<img src=x onerror=\"window.pwned=1\">",
        "<script>window.pwned=1</script>",
        "\"><svg/onload=window.pwned=1>",
        "javascript:window.pwned=1",
        "</style></textarea></title><iframe src=javascript:pwned=1>",
        "[x](javascript:window.pwned=1) `<b>` **<i>a</i>** "
        "https://e.example/\"onmouseover=\"window.pwned=1",
        "\u202egnp.exe\u202c \u200b\u0007\x1b[31m\x1b]0;t\x07red\x9b1m"]


def rules(b):
    with open(os.path.join(os.path.dirname(__file__), "page_rules.js"),
              encoding="utf-8") as file:
        return b.js(file.read())


def open_page(b, g, where=""):
    b.go("about:blank")
    b.go("http://127.0.0.1:%d/%s" % (g.port, where))
    b.shows("Connected", "#link")


def check_board(t, b, g, tasks):
    open_page(b, g)
    t.ok(b.shows("Translate the manual"), "the board has the tasks")
    t.is_(b.js("return [...document.querySelectorAll('.column h3')].map(h => "
               "h.innerText.replace(/\\s+/g, ' '))"),
          ["Running 2", "Turn ended 1", "Queued 2", "Not started 1",
           "Failed or stopped 1", "Done 2"], "by their states")
    t.ok(b.text("main").startswith("Waiting for you"),
         "what waits for a person comes first")
    t.ok(b.shows("2 of 5 agents at work \u00b7 61 turns so far \u00b7 1,265 k "
                 "tokens \u00b7 $12.50"), "what is used is last")
    t.is_(b.js("return document.title"), "(2) agentsh", "and in the title")
    b.js("[...document.querySelectorAll('#waiting button')].find(n => "
         "n.innerText === 'Reject' && n.closest('li').innerText.includes("
         "'rm -rf')).click()")
    b.until("return document.querySelectorAll('.ask').length === 1")
    t.is_(g.calls[-1], ("task.respond", {
        "task_id": tasks[1], "request_id": "q2", "option_id": "no"}),
        "a question is answered on the board")
    g.ask(tasks[1], "q3", "curl -o x https://example.org/")
    t.ok(b.shows("curl -o x", "#waiting"), "a new one is there at once")
    t.ok(b.shows("Waiting for you: curl", "#said"), "and is read out")
    with g.lock:
        g.asks.pop((tasks[1], "q3"))
    g.event(tasks[1], "acp.permissionExpired", {"request_id": "q3"})
    t.ok(b.until("return !document.querySelector('#waiting').innerText"
                 ".includes('curl')"), "and gone when nobody answered")
    b.type("manual german", "#search")
    t.ok(b.until("return document.querySelectorAll('.card').length === 1"),
         "words are searched in any order")
    b.type("x", "#search")
    t.ok(b.shows("No task has these words"), "it says that there is none")


def check_task(t, b, g, id_):
    open_page(b, g, "#task/" + id_)
    t.ok(b.shows("Now I run all tests", "#log"), "a task has its transcript")
    t.ok(b.shows("Plan (2 of 4)", "#plan"), "its plan")
    t.ok("3 of 20 turns" in b.text("#task-facts") and
         "51 k tokens" in b.text("#task-facts") and
         "$0.42 of $2" in b.text("#task-facts"), "what it used",
         b.text("#task-facts"))
    t.is_(b.js("const n = [...document.querySelectorAll('.f1')]; return "
               "n.map(s => s.textContent)"), ["not ok"],
          "the colours of a command")
    t.ok("\n 100%\n" in b.text("#log"), "and its lines as a terminal has them")
    b.click("#diff summary")
    t.ok(b.shows("+    if (u->name &&", "#diff"), "the changes")
    g.event(id_, "acp.content", {"text": " All is"})
    g.event(id_, "acp.content", {"text": " well now."})
    t.ok(b.shows("All is well now.", "#log"), "what comes is there at once")
    t.ok(b.until("return document.querySelector('#log').scrollHeight - "
                 "document.querySelector('#log').scrollTop - document."
                 "querySelector('#log').clientHeight < 5"), "and in sight")
    t.ok(b.shows("Then write an entry", "#queue"), "what is queued is seen")
    b.click("#queue button")
    t.ok(b.until("return document.querySelector('#queue').hidden && document."
                 "querySelector('#prompt').value.startsWith('Then write')"),
         "and taken back")
    b.click("#asks .primary")
    t.ok(b.until("return document.querySelector('#asks').hidden"),
         "its question is answered there")
    t.ok(b.shows("answered: Allow (page)", "#log"), "and how, is written down")
    b.type("mend it", "#find")
    b.press("Enter")
    t.ok(b.shows("1 of 1", "#find-note"), "words are found in it")
    b.click("#stop")
    t.ok(b.shows("Failed or stopped", "#task-facts"), "it is stopped")


def check_keyboard(t, b, g):
    open_page(b, g)
    b.shows("Translate the manual")
    b.press("n")
    t.is_(b.focus(), "create-name", "n begins a task")
    b.type("Count the lines")
    b.press("Tab")
    b.type("Of every file.")
    b.press("Tab", "Tab", "Tab", "Tab", "Space", "Tab", "Enter", "Tab")
    b.type("/srv")
    b.press("Tab")
    b.type("9")
    b.press(*["Tab"] * 5, "Enter")
    t.ok(b.shows("Count the lines", "#task-title"), "Enter makes it")
    made = [p for a, p in g.calls if a == "task.create"][-1]
    t.is_([made.get(k) for k in ("title", "description", "worktree",
                                 "directory", "limits")],
          ["Count the lines", "Of every file.", True, "/srv", {"turns": 9}],
          "as it was typed")
    t.ok(any(a == "orchestrator.trigger" for a, p in g.calls), "and queues it")
    t.is_(b.focus(), "task-title", "the focus is at its title")
    b.press("p")
    b.type("Begin.")
    b.press("Shift+Enter", "b", "Enter")
    b.until("return document.querySelector('#prompt').value === ''")
    t.is_([p["prompt"] for a, p in g.calls if a == "orchestrator.prompt"],
          ["Begin.\nb"], "a message is sent, with its lines")
    b.shows("Begin.", "#log")
    b.type("Go on.")
    b.press("Enter")
    t.ok(b.shows("Go on.", "#queue"), "another one waits for its turn")
    b.press("Escape", "Escape")
    t.ok(b.until("return document.body.dataset.view === 'board'"),
         "Escape leads back")
    t.ok(b.until("return document.activeElement.innerText?.startsWith("
                 "'Count the lines')"), "to the card of the task")
    before = b.focus()
    b.press("j", "k")
    t.is_(b.focus(), before, "j and k go through the tasks")
    b.press("/")
    t.is_(b.focus(), "search", "/ searches")
    b.press("Escape", "w")
    t.ok(b.js("return document.activeElement.closest('.ask') !== null"),
         "w goes to what waits")
    b.press("?")
    t.ok(b.js("return document.querySelector('#keys').open"), "? has the keys")
    b.press("Escape")
    seen, ring = [], True
    open_page(b, g)
    b.shows("Translate the manual")
    for _ in range(60):
        b.press("Tab")
        at, outline = b.js(
            "const a = document.activeElement, s = getComputedStyle(a); "
            "return [a.tagName + '#' + a.id + a.innerText?.slice(0, 20), "
            "s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= 2]")
        if at.startswith("BODY") or at in seen:
            break
        seen.append(at)
        ring = ring and outline
    t.ok(len(seen) > 12 and seen[0].startswith("A#Skip"),
         "Tab goes through all of it, and out again", seen)
    t.ok(ring, "and is seen wherever it is")


def check_rules(t, b, g, tasks, pictures):
    for width, height, dark in LOOKS:
        name = "%d-%s" % (width, "dark" if dark else "light")
        b.look(width, height, dark, calm=True)
        for where, ready, view in (
                ("", "Translate", "board"),
                ("#task/" + tasks[0], "well now", "task")):
            open_page(b, g, where)
            b.shows(ready)
            if view == "task":
                b.click("#plan summary")
                b.click("#diff summary")
                b.shows("read_user", "#diff")
                b.js("for (const d of document.querySelectorAll('#log "
                     "details')) d.open = true")
            t.is_(rules(b), [], "the %s is for everyone, %s" % (view, name))
            if not dark:
                t.is_(b.nameless(), [], "and has names for a screen reader")
            if pictures:
                b.picture(os.path.join(pictures, "%s-%s.png" % (view, name)))
        b.press("n")
        t.is_(rules(b), [], "so is the form of a new one, " + name)
        if pictures:
            b.picture(os.path.join(pictures, "form-%s.png" % name))
    b.look(1280, 900)


def check_markup(t, b, g):
    evil = " ".join(EVIL)
    id_ = g.task(evil, "failed", description=evil, agent_type=evil, error=evil,
                 usage={"turns": evil, "cost": evil}, limits={"cost": evil},
                 working_tree=evil, metadata={"diff": "\n".join(["+" + e for e in EVIL])})
    g.task(["no", {"text": evil}], {"state": evil})
    g.ask(id_, evil, evil, [{"optionId": evil, "name": evil, "kind": evil}, 7,
                            None, {"name": {}}],
          toolCall={"rawInput": {"command": evil}, "content": [
              {"type": "diff", "path": evil, "oldText": evil, "newText": 5}]})
    g.prompts[id_].append({"prompt_id": evil, "prompt": evil})
    for kind in ("content", "update", "toolCall", "result", "error", "log",
                 "progress", "status", "prompt", evil):
        for data in (evil, {"text": evil}, [evil, None, 4], None, 5, {
                "sessionUpdate": evil, "message": evil, "status": evil,
                "title": evil, "toolCallId": evil, "toolName": evil,
                "content": [{"type": "content", "content": {"text": evil}}, 4],
                "summary": evil, "details": evil, "stage": evil,
                "progress": evil, "level": evil, "prompt": evil,
                "kind": evil, "rawInput": evil, "rawOutput": evil}):
            g.event(id_, "acp." + kind, data)
    g.event(id_, "acp.update", {"sessionUpdate": "plan", "entries": [
        {"content": evil, "status": evil}, None, "x"]})
    open_page(b, g, "#task/" + id_)
    t.ok(b.shows("onerror", "#log"), "markup is shown as it is")
    b.js("for (const d of document.querySelectorAll('details')) d.open = true")
    t.ok(b.shows("+<script>", "#diff"), "in changes too")
    b.press("n")
    t.is_(b.js("return [window.pwned ?? null, document.querySelectorAll("
               "'img,iframe,svg,object,embed').length, document."
               "querySelectorAll('script').length, [...document."
               "querySelectorAll('a[href]')].map(a => a.protocol).filter(p => "
               "p !== 'http:' && p !== 'https:'), [...document."
               "querySelectorAll('*')].filter(n => n.getAttributeNames().some("
               "a => a.startsWith('on') || a === 'style')).length]"),
          [None, 0, 1, [], 0], "nothing of it is an element, or runs")
    t.is_(b.js("return /[\\u202e\\u200b\\u0007\\x1b\\x9b]/.test(document.body."
               "innerText)"), False, "and no character is there unseen")
    t.ok("\u2039U+202E\u203agnp.exe" in b.text("#asks"),
         "but named, where a person is asked", b.text("#asks")[-200:])
    t.is_(b.faults(), [], "the console has no fault")
    t.ok(b.js("try { document.body.innerHTML = '<p>'; return false } catch (e)"
              " { return e instanceof TypeError }"),
         "the page's policy lets nobody write markup")


def check_login(t, b):
    g = fake_gateway.FakeGateway(PAGE, token="sesame")
    g.task("Behind a door")
    b.go("http://127.0.0.1:%d/" % g.port)
    t.ok(b.until("return document.querySelector('#login').open"),
         "a token is asked for by a form")
    t.is_(b.focus(), "token", "which has the focus")
    t.is_(rules(b), [], "and is for everyone")
    b.press("Escape", "Escape")
    t.ok(b.until("return document.querySelector('#login').open"), "it stays")
    b.type("wrong", "#token")
    b.press("Enter")
    t.ok(b.shows("That is not the token", "#login"), "a wrong one is said")
    b.type("sesame")
    b.press("Enter")
    t.ok(b.shows("Behind a door"), "the right one leads in")
    t.is_(b.js("return [document.cookie, document.querySelector('#token')."
               "value, Object.keys(localStorage).length]"), ["", "", 0],
          "no script has it afterwards")
    b.faults()
    b.go("http://127.0.0.1:%d/" % g.port)
    t.ok(b.shows("Behind a door"), "nor is it asked for twice")
    b.click("#logout")
    t.ok(b.until("return document.querySelector('#login')?.open && !document."
                 "body.innerText.includes('Behind')"), "one can log out")
    b.faults()
    g.stop()


def main():
    t = tap.Tap()
    t.needs("chromium", "chromedriver")
    pictures = sys.argv[1] if len(sys.argv) > 1 else None
    g = fake_gateway.FakeGateway(PAGE)
    tasks = fake_gateway.example(g)
    with browser.Browser() as b:
        check_board(t, b, g, tasks)
        check_task(t, b, g, tasks[0])
        g.ask(tasks[0], "q4", "sudo apt-get install -y libcmocka-dev")
        check_keyboard(t, b, g)
        check_rules(t, b, g, tasks, pictures)
        check_markup(t, b, g)
        check_login(t, b)
    t.done()


if __name__ == "__main__":
    main()
