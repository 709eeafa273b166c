#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""words.py - the source says things in the words of its field.

Words of a private dialect stand in no file's name and in no identifier of a
header, and a word that a newcomer searches for is the name of a file.
"""

import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))
sys.path.insert(0, os.path.dirname(__file__))
import csource  # noqa: E402
import tap  # noqa: E402

# A word of the dialect, and the field's word for it.
DIALECT = {
    "account": "prior results", "agreed": "consent", "asking": "query",
    "beyond": "out of scope", "blame": "http error", "chronicle": "audit",
    "cue": "phrase match", "deceit": "homoglyph", "deed": "last command",
    "door": "frontend", "ears": "input", "hears": "on input",
    "inquiry": "agent loop", "learned": "quirk", "lend": "terminal handover",
    "outlet": "output queue", "recall": "audit log", "rehearse": "attempt",
    "remembered": "cached", "ruin": "protected paths", "said": "reply",
    "shorten": "optimize", "sketch": "command builder",
    "spoken": "text tool calls", "told": "report", "trial": "plugin check",
    "unaided": "offline answer", "unasked": "auto-approved",
    "walls": "confinement", "wish": "request",
}

# What a reader of shells, sandboxes and model clients searches for.
FIELD = """
    answer api_error approval audit bash command completion|complete config
    context conversation denial discovery doctor editor elevate environ exec
    exit_status expansion explain glob history homoglyph http_request
    json_parse landlock launch ledger lexer linebuf loop manifest markdown
    mcp_session mounts namespaces options overlay owner parse plan policy
    prefork preview probe prompt protect provider quirk recipe redact registry
    retention retry review risk seccomp secret session_store sha256 spec sqlite
    stream transcript trust utf8 width zygote
""".split()


def dialect(files):
    for path, f in files.items():
        names = {os.path.basename(path)}
        if path.endswith(".h"):
            names |= f.words
        for name in sorted(names):
            for word in re.split(r"[_.]|(?<=[a-z])(?=[A-Z])", name):
                if word.lower() in DIALECT:
                    yield "%s: %s: say %s" % (path, name,
                                              DIALECT[word.lower()])


def missing(files):
    names = [os.path.basename(path) for path in files if path.endswith(".c")]
    for word in FIELD:
        if not any(re.search(r"(?:^|_)(?:%s)" % word, name)
                   for name in names):
            yield "no file is named for '%s'" % word


PLANTED = {
    "src/a/wish.c": "int\nf(int told)\n{\n    return told;\n}\n",
    "src/a/b.h": "/* a wish */\nstruct a_deed;\nint plan_run(int walls);\n",
    "src/a/retry.c": "",
}


def main():
    t = tap.Tap()
    t.once()
    with tempfile.TemporaryDirectory() as root:
        for path, text in PLANTED.items():
            os.makedirs(os.path.dirname(os.path.join(root, path)),
                        exist_ok=True)
            with open(os.path.join(root, path), "w", encoding="utf-8") as f:
                f.write(text)
        files = csource.read(root, "src")
        t.is_(list(dialect(files)), [
            "src/a/b.h: a_deed: say last command",
            "src/a/b.h: walls: say confinement",
            "src/a/wish.c: wish.c: say request",
        ], "it sees words of the dialect")
        found = list(missing(files))
        t.ok("no file is named for 'audit'" in found and
             "no file is named for 'retry'" not in found,
             "it sees that a word has no file", *found)
    files = csource.read(os.environ.get("top_srcdir", "."), "src")
    found = list(dialect(files))
    t.ok(not found, "names are in the words of the field", *found)
    found = list(missing(files))
    t.ok(not found, "what is searched for is the name of a file", *found)
    t.done()


main()
