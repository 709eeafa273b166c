#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""shown.py - prints the template of what is translated, for xgettext's users.

    po/shown.py [TOP_SRCDIR] >po/shown.pot

That is what passes through base/message.h: the texts in _(), P_() and N_(),
those of app_note(), which translates itself, the help of options, verbs and
commands, which stands in tables, and the texts of recipes, of rules, and of the
tables that explain programs. And all messages of po/agentsh.pot, which is made
before it: errors and the guard's reasons, which base/message_put.h looks up
when they are printed. po/english names what is left out of those, po/system
the words of the system. No date and no line numbers, so that only a
changed message changes it.
"""

import os
import re
import subprocess
import sys
import tempfile

FOLDERS = ("src/base", "src/term", "src/action", "src/guard/effects",
           "src/offline", "src/ui", "src/frontend")
STANZAS = {"src/offline/repair/rules": "stanzas.awk",
           "src/offline/recipes": "stanzas.awk",
           "src/offline/manual/tables": "rows.awk"}
KEYWORDS = ("_", "N_", "P_:1,2", "app_note:2", "message_for:2", "FORM:1",
            "FORM_LIST:1", "builder_add:4", "builder_add_plain:4",
            "finish_permissions:3", "explain_add:6", "explain_add_word:4",
            "explain_words:2", "message_printf:2")
STRING = r'"(?:[^"\\]|\\.)*"(?:\s*\\?\s*"(?:[^"\\]|\\.)*")*'
# The text of a table's row is the last group.
ROWS = (r"AT\(\w+\),\s*(%s)\s*}" % STRING,
        r"\b(?:VERB|SERVER)\(\w+,\s*\\?\s*%s,\s*\\?\s*(?:%s,\s*\\?\s*)?(%s)"
        % (STRING, STRING, STRING),
        r"\.help\s*=\s*(%s)" % STRING)
CONVERSION = r"%[-0-9.*]*(?:ll|z|l|j)?[a-zA-Z]"
HEADER = """# What agentsh shows to a person. Made by make messages: do not edit.
msgid ""
msgstr ""
"Project-Id-Version: agentsh\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"""


def sources(top):
    for folder in FOLDERS:
        for at, _, names in os.walk(os.path.join(top, folder)):
            for name in names:
                if name.endswith((".c", ".h")):
                    yield os.path.relpath(os.path.join(at, name), top)


def with_rows(text):
    """The source, with the texts of its tables once more, marked. PRI…: none
    of them is looked for here."""
    rows = [match for pattern in ROWS for match in re.findall(pattern, text)]
    return text + "".join("\nN_(%s);" % row.replace("\\\n", "\n")
                          for row in rows)


def lines(top, name):
    with open(os.path.join(top, "po", name), encoding="utf-8") as file:
        return [line.rstrip("\n") for line in file
                if line.strip() and line[0] != "#"]


def system(top):
    """The words of the system, marked."""
    return "".join('\nN_("%s");' % line for line in lines(top, "system"))


def msgid(entry):
    """What follows msgid in an entry, with its plural."""
    return entry[entry.index("\nmsgid ") + 1:].partition("\nmsgstr")[0]


def has_words(entry):
    """Whether there is something to translate. What has a carriage return is
    for a protocol or a raw terminal."""
    text = re.sub(r"(?m)^#.*$|^msgid(_plural)?|^msgstr.*", "", entry)
    return "\\r" not in text and re.search(r"[A-Za-z]{2}",
                                          re.sub(CONVERSION, "", text))


def said(top, told):
    """The entries of po/agentsh.pot that are not told already, without those
    that po/english names."""
    english = tuple(lines(top, "english"))
    known = {msgid(e).partition("\nmsgid_plural")[0] for e in told}
    with open(os.path.join(top, "po", "agentsh.pot"), encoding="utf-8") as file:
        entries = file.read().strip().split("\n\n")[1:]
    for entry in entries:
        places = re.findall(r"^#: (.*)", entry, re.M)
        if (any(not p.startswith(english) for line in places
                for p in line.split()) and has_words(entry) and
                msgid(entry).partition("\nmsgid_plural")[0] not in known):
            yield entry


def stanzas(top, scratch):
    """The names of the files of stanzas, whose texts are written there as
    C."""
    for folder, script in STANZAS.items():
        for name in sorted(os.listdir(os.path.join(top, folder))):
            if not name.endswith(".txt"):
                continue
            name = os.path.join(folder, name)
            path = os.path.join(scratch, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as out:
                subprocess.run(
                    ["awk", "-f", os.path.join(top, "po", script),
                     os.path.join(top, name)], stdout=out, check=True)
            yield name


def main():
    top = sys.argv[1] if len(sys.argv) > 1 else \
        os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    with tempfile.TemporaryDirectory() as scratch:
        names = sorted(sources(top))
        for name in names:
            path = os.path.join(scratch, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(os.path.join(top, name), encoding="utf-8") as file:
                text = file.read()
            if name == "src/base/message.h":
                text = ""
            if name == "src/base/err.c":
                text += system(top)
            with open(path, "w", encoding="utf-8") as out:
                out.write(with_rows(text))
        names += stanzas(top, scratch)
        done = subprocess.run(
            ["xgettext", "--language=C", "--from-code=UTF-8", "--no-wrap",
             "--keyword",
             *("--keyword=" + k for k in KEYWORDS), "--add-location=file",
             "--sort-by-file", "--package-name=agentsh", "-o", "-", *names],
            cwd=scratch, capture_output=True, check=False)
        if done.returncode != 0:
            sys.exit(done.stderr.decode())
    entries = done.stdout.decode().split("\n\n")
    told = [e for e in entries[1:] if has_words(e)]
    told += said(top, told)
    sys.stdout.write(HEADER + "\n" + "\n\n".join(e.strip() for e in told) +
                     "\n")


if __name__ == "__main__":
    main()
