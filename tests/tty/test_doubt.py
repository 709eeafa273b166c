# SPDX-License-Identifier: GPL-3.0-or-later
"""test_doubt.py - what is near a request that the offline engine is not sure
of."""

import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))

import home
import tap
import terminal

AI = home.program("ai")
NOTE = r"(\(no lsof here\) )?"  # where it is not installed
PORT = "block port 80 for user bob"


def ask(h, wish, cols=80):
    term = terminal.Terminal(h, [AI, "--offline", "run", wish], cols=cols)
    if term.wait_for("uit"):
        term.send("q")
    status = term.finish()
    return status, term.text().replace("\r", "")


def rows(text):
    return [line for line in text.split("\n") if re.match(r"\d\. ", line)]


def test_rows(t):
    with home.Home() as h:
        _, text = ask(h, PORT)
        found = rows(text)
        t.ok(2 <= len(found) <= 3 and
             [r[0] for r in found] == ["1", "2", "3"][:len(found)],
             "the nearest commands are numbered", text)
        t.ok(all("sudo" in r or "80" in r for r in found) and
             re.search("lsof -i :80  " + NOTE + "which process holds", text),
             "a command and what it does stand on one line", text)
        remarks = text.split("offline engine")[0]
        lines = [line for line in remarks.split("\n") if line.strip()]
        t.ok(len(lines) <= 5 and all(len(line) <= 80 for line in lines),
             "the doubt, the commands and what to do are five lines", text)


def test_chance(t):
    with home.Home() as h:
        _, text = ask(h, PORT)
        t.ok("ufw status" not in text,
             "what shares one word with the wish is left out", text)
        _, text = ask(h, "sort the photos by color")
        t.ok(sum("find . " in line for line in rows(text)) <= 1,
             "another way to the same end is no other row", text)


def test_narrow(t):
    with home.Home() as h:
        _, text = ask(h, PORT, cols=40)
        flat = " ".join(text.split())
        t.ok(re.search("sudo lsof -i :80 " + NOTE +
                       "which process holds a port", flat),
             "a narrow screen breaks a row and loses nothing", text)


def press(h, wish, *keys):
    term = terminal.Terminal(h, [AI, "--offline", "run", wish])
    for text, key in keys:
        if not term.wait_for(text):
            break
        term.send(key)
    return term.finish(), term.text().replace("\r", "")


def test_choice(t):
    with home.Home() as h:
        status, text = press(h, "create a directory", ("[n]ame", "n"),
                             ("Value: ", "here\r"), ("[r]un", "r"))
        t.ok(status == 0 and os.path.isdir(h.path("here")),
             "what a command lacks is named in place, then reviewed", status,
             text)
    with home.Home() as h:
        status, text = press(h, "delete the file", ("[1]", "1"),
                             ("[r]un", ""), ("uit", "q"))
        t.ok(status == 5 and "git clean -nd" in text.rpartition("[1]")[2],
             "a number takes that command into the review", status, text)
    for keys in ((("[1]", "q"),), (("[1]", "\r"),),
                 (("[n]ame", "n"), ("Value: ", "\r"))):
        with home.Home() as h:
            status, text = press(h, "create a directory", *keys)
            t.ok(status == 7 and os.listdir(h.work) == [],
                 "%r: nothing runs, exit 7" % (keys[-1][1],), status, text)
    with home.Home() as h:
        status, text = press(h, "create a directory", ("[n]ame", "\x03"))
        t.is_(status, 130, "Ctrl-C ends it", text)


def main():
    t = tap.Tap()
    for test in (test_rows, test_chance, test_narrow, test_choice):
        test(t)
    t.done()


main()
