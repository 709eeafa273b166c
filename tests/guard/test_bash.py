# SPDX-License-Identifier: GPL-3.0-or-later
"""test_bash.py - whatever bash runs, the guard finds: lines are grown around
every construct of bash's grammar, with one command in them that makes the file
M, and bash runs them behind the walls of the sandbox. Where M is there
afterwards, the guard must have found a call of touch, or have said that the
line cannot be read (opaque).

Lines come from bash_grammar, and from changes of these: a text cut out, put in
twice, put into another. A seed decides them: FUZZ_SEED=N. As many lines as
FUZZ_LINES says, or for FUZZ_SECONDS seconds (then the seed is counted on);
FUZZ_KEEP=FILE appends each line that the guard missed. Arguments are files of
lines to try instead, with a pilcrow for a newline.
"""

import collections
import os
import random
import re
import sys
import time

sys.path.insert(0, os.path.join(os.environ.get("top_srcdir", "."),
                                "tests", "lib"))
import tap  # noqa: E402
from bash_runs import bash_ran, guard_read, has_sandbox  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
LINES = int(os.environ.get("FUZZ_LINES", "500"))
SECONDS = float(os.environ.get("FUZZ_SECONDS", "0"))
SEED = int(os.environ.get("FUZZ_SEED", "1"))
KEEP = os.environ.get("FUZZ_KEEP")
BATCH = 300
DEPTH = 3        # of commands inside commands
LONGEST = 600
CHANGED = 0.4    # of the lines
NESTED = 0.1     # of them, in another
OPAQUE = 0x20
SHELLS = ("bash", "sh", "source", ".")
INSERTS = ["|", "||", "&&", ";", "&", "(", ")", "{", "}", "'", '"', "`", "\\",
           "$", "$(", "${", "$((", "))", "((", "<", ">", "<<<", "<(", "\n", " ",
           "#", "!", "*", "~", "=", "+=", "[", "]", "[[ ", " ]]", "x", "x=",
           "$x", '"$x"', "b[", "\\\n", ",", ":", "@", "-", "0", "1", "eval ",
           "local ", "declare ", "export ", "command ", "builtin ", "f ",
           "do ", "done ", "in ", "then ", "fi ", "esac ", ";;", "$'"]


# ---- lines

def read_grammar():
    rows = collections.defaultdict(list)
    with open(os.path.join(HERE, "bash_grammar"), encoding="utf-8") as f:
        for line in f:
            line = line.rstrip("\n")
            if line and not line.startswith("#"):
                symbol, text = line.split(" ", 1)
                rows[symbol].append(text)
    return rows


def grow(rows, symbol, rng, depth=0):
    """A text for a symbol; deep inside the first one, which ends it."""
    text = rows[symbol][0]
    if depth < DEPTH or symbol == "line":
        text = rng.choice(rows[symbol])
    out, at = "", 0
    while (begin := text.find("«", at)) >= 0:
        end = text.index("»", begin)
        out += text[at:begin]
        out += grow(rows, text[begin + 1:end], rng, depth + 1)
        at = end + 1
    return out + text[at:]


def change(line, other, rng):
    at = rng.randrange(len(line) + 1)
    to = min(len(line), at + rng.choice((1, 1, 1, 2, 3, 8)))
    kind = rng.randrange(7)
    if kind == 0:
        return line[:at] + line[to:]
    if kind == 1:
        return line[:to] + line[at:]
    if kind in (2, 3):
        return line[:at] + rng.choice(INSERTS) + line[at:]
    if kind == 4:
        return line[:at] + other[rng.randrange(len(other) + 1):]
    if kind == 5:
        return line[:at] + other + line[at:]
    return line + rng.choice(("; ", " | ", "\n", " && ", " & ")) + other


def in_backquotes(line):
    return "`" + re.sub(r"([\\\\`$])", r"\\\1", line) + "`"


def nest(line, rng):
    """A line as the text of another: each quotes it in a way of its own."""
    quoted = line.replace("'", "'\\''")
    return rng.choice((
        "echo " + in_backquotes(line),
        'echo "' + in_backquotes(line) + '"',
        "echo " + in_backquotes("f() { :; }; echo " + in_backquotes(line)),
        "eval '%s'" % quoted,
        "bash -c '%s'" % quoted,
        "x=$(%s\n)" % line,
        "trap '%s' EXIT" % quoted,
        "bash <<'END'\n%s\nEND" % line,
        "f() { %s\n}; f" % line,
        "(%s\n) | cat" % line,
        "eval \"$(printf '%%s\\n' '%s')\"" % quoted))


def lines_of(rows, rng, n):
    """n lines that differ; those that could harm a batch are left out."""
    made = {}
    while len(made) < n:
        line = grow(rows, "line", rng).replace("¶", "\n")
        while rng.random() < CHANGED:
            other = grow(rows, "line", rng).replace("¶", "\n")
            line = change(line, other, rng)
        if rng.random() < NESTED:
            line = nest(line, rng)
        if len(line) < LONGEST and "\0" not in line:
            made[line] = None
    return list(made)


# ---- bash and the guard

def makes(words):
    """touch with M, or with what is not known; > M; a shell that reads the file
    u or t, or z that the line makes: the guard says that nobody has read it."""
    name = os.path.basename(words[0]) if words else ""
    if name in SHELLS:
        return any("\x01" in word or os.path.basename(word) in ("u", "t", "z")
                   for word in words[1:])
    return name in ("touch", ">") and any(
        "\x01" in word or os.path.basename(word) == "M" for word in words[1:])


def compare(lines, counts):
    """The lines whose command the guard does not see."""
    missed = []
    for line, ran, (facts, calls) in zip(lines, bash_ran(lines),
                                         guard_read(lines)):
        sees = any(makes(words) for words in calls)
        if ran and facts & OPAQUE:
            counts["opaque, and ran"] += 1
        elif ran and sees:
            counts["found, and ran"] += 1
        elif ran:
            counts["missed"] += 1
            missed.append(line)
        elif facts & OPAQUE:
            counts["opaque, and nothing ran"] += 1
        else:
            counts["nothing ran"] += 1
    return missed


def keep(missed):
    if KEEP:
        with open(KEEP, "a", encoding="utf-8") as f:
            f.writelines(line.replace("\n", "¶") + "\n" for line in missed)


def grown(rows):
    """Batches of lines, as many as are wanted."""
    seed, left, until = SEED, LINES, time.monotonic() + SECONDS
    while time.monotonic() < until if SECONDS else left > 0:
        n = BATCH if SECONDS else min(BATCH, left)
        yield lines_of(rows, random.Random(seed), n)
        left -= n
        seed += 1


def named(paths):
    for path in paths:
        with open(path, encoding="utf-8") as f:
            yield [line.rstrip("\n").replace("¶", "\n") for line in f]


def main():
    t = tap.Tap()
    if not has_sandbox():
        t.skip_all("no sandbox or no /usr/bin/python3 here")
    counts, missed = collections.Counter(), []
    for lines in named(sys.argv[1:]) if sys.argv[1:] else grown(read_grammar()):
        found = compare(lines, counts)
        keep(found)
        missed += found
    for what, n in counts.most_common():
        t.diag("%6d %s" % (n, what))
    t.ok(not missed, "the guard finds what bash runs, or says that it cannot "
         "read the line (seed %d)" % SEED,
         *[repr(line) for line in missed[:40]])
    t.done()


main()
