# SPDX-License-Identifier: GPL-3.0-or-later
"""test_syntax.py - the commands that the guard's parser finds in a line are
those that shfmt finds; where the two disagree, bash says who is right.

Reads syntax_lines (one line of shell each, with a pilcrow for a newline),
makes others of them with a fixed seed, and compares the simple commands and
their literal words. With AGENTSH_SYNTAX_LINES=FILE, or arguments, it reads
more lines: the last column of FILE, where tabs make columns.
"""

import collections
import json
import os
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.environ.get("top_srcdir", "."),
                                "tests", "lib"))
import tap  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
PRINTER = os.path.join(os.environ.get("top_builddir", "build"),
                       "tests", "guard", "print_calls")
WANTED = 10000
AGREEMENT = 0.995
SEED = 20
BATCH = 100
EXPANDS, ANYTHING = "\x01", "\x02"


# ---- lines

def own_lines():
    with open(os.path.join(HERE, "syntax_lines"), encoding="utf-8") as f:
        return [line.rstrip("\n").replace("\u00b6", "\n") for line in f]


def file_lines(path):
    with open(path, encoding="utf-8", errors="replace") as f:
        return [line.rstrip("\n").split("\t")[-1] for line in f]


INSERTS = ["|", "||", "&&", ";", ";;", "&", "(", ")", "{", "}", "'", '"', "`",
           "\\", "$", "$(", "${", "$((", "))", "<", ">", ">>", "<<E\n", "<(",
           "\n", " ", "#", "!", "*", "~", "=", "[", "]", "[[ ", " ]]",
           "if ", "; then ", "; fi", " do ", "; done", " in ", "esac", "a=(",
           "$(a)", "`b`", '"$x"', "'q'", "{a,b}", "2>&1", "\\\n"]


WRAPS = ["(%s)", "{ %s; }", "$(%s)", 'echo "$(%s)"', "if %s; then a; fi",
         "! %s", "x=$(%s) y", "while %s; do a; done", "f() { %s; }",
         "case x in a) %s;; esac", "a <(%s)", "cat <<E\n$(%s)\nE",
         "echo ${x:-$(%s)}", "for x in a; do %s; done", "%s &", "time %s",
         "echo $((1 + $(%s)))", "%s | a", "a[$(%s)]=b", "a=(b $(%s))",
         "[[ -n $(%s) ]]", "%s 2>&1 >b"]


def mutate(line, other, rng):
    """One change of a line: a cut, a copy, something more, a part of another,
    or a place inside something."""
    at = rng.randrange(len(line) + 1)
    to = min(len(line), at + rng.choice((1, 1, 1, 2, 3, 8)))
    kind = rng.randrange(10)
    if kind == 0:
        return line[:at] + line[to:]
    if kind == 1:
        return line[:to] + line[at:]
    if kind in (2, 3):
        return line[:at] + rng.choice(INSERTS) + line[at:]
    if kind == 4:
        return line[:at] + other[rng.randrange(len(other) + 1):]
    if kind < 7:
        return rng.choice(WRAPS).replace("%s", line)
    return line + rng.choice(("; ", " | ", "\n", " && ", " ")) + other


def mutations(lines, n):
    rng = random.Random(SEED)
    made = dict.fromkeys(lines)
    while len(made) < n:
        line = mutate(rng.choice(lines), rng.choice(lines), rng)
        if rng.random() < 0.3:
            line = mutate(line, rng.choice(lines), rng)
        made[line] = None
    return list(made)


# ---- the guard's side

def ours(lines):
    """For each line its calls, or None when there is a fault."""
    data = b"".join(line.encode() + b"\0" for line in lines)
    out = subprocess.run([PRINTER], input=data, stdout=subprocess.PIPE,
                         check=True).stdout
    records = out.decode(errors="replace").split("\0")[:-1]
    if len(records) != len(lines):
        raise SystemExit("print_calls answered %d lines of %d" %
                         (len(records), len(lines)))
    return [None if record.startswith("\x03") else
            sorted(tuple(call.split("\x1f")[:-1])
                   for call in record.split("\x1e")[:-1])
            for record in records]


# ---- shfmt's side

def rejected(lines):
    """The indexes of those that shfmt does not take, by one process."""
    with tempfile.TemporaryDirectory() as folder:
        for i, line in enumerate(lines):
            with open("%s/%d.bash" % (folder, i), "w", encoding="utf-8",
                      newline="") as f:
                f.write(line)
        run = subprocess.run(["shfmt", "-ln", "bash", "-l", folder],
                             stdout=subprocess.DEVNULL, text=True,
                             stderr=subprocess.PIPE, errors="replace")
    return {int(m.group(1))
            for m in re.finditer(r"/(\d+)\.bash:\d+:\d+: ", run.stderr)}


def unescape(text, quoted):
    text = text.replace("\\\n", "")
    if quoted:
        return re.sub(r'\\([$`"\\])', r"\1", text)
    return re.sub(r"\\(.)", r"\1", text, flags=re.S)


def word_text(word):
    text = ""
    for part in word.get("Parts", []):
        kind = part["Type"]
        if kind == "Lit":
            text += unescape(part["Value"], False)
        elif kind == "SglQuoted":
            if part.get("Dollar"):
                return ANYTHING
            text += part.get("Value", "")
        elif kind == "DblQuoted":
            for inner in part.get("Parts", []):
                if inner["Type"] != "Lit":
                    return EXPANDS
                text += unescape(inner["Value"], True)
        else:
            return EXPANDS
    return text


def assign_text(assign):
    """An argument of declare and its like."""
    if assign.get("Naked"):
        if "Value" in assign:
            return word_text(assign["Value"])
        return ANYTHING if "Index" in assign else assign["Name"]["Value"]
    if "Array" in assign or "Index" in assign:
        return ANYTHING
    value = word_text(assign["Value"]) if "Value" in assign else ""
    if value in (EXPANDS, ANYTHING):
        return value
    return assign["Name"]["Value"] + ("+=" if assign.get("Append") else "=") + \
        value


def calls_of(tree):
    """(offset, words) of each simple command, in any order."""
    found, todo = [], [tree]
    while todo:
        node = todo.pop()
        if isinstance(node, list):
            todo.extend(node)
            continue
        if not isinstance(node, dict):
            continue
        kind = node.get("Type")
        at = node.get("Pos", {}).get("Offset", 0)
        if kind == "CallExpr" and node.get("Args"):
            found.append((at, tuple(word_text(w) for w in node["Args"])))
        elif kind == "DeclClause":
            found.append((at, (node["Variant"]["Value"],) + tuple(
                assign_text(a) for a in node.get("Args", []))))
        elif kind == "LetClause":
            found.append((at, ("let",) + (ANYTHING,) * len(node["Exprs"])))
        todo.extend(node.values())
    return found


def shfmt_batch(lines, taken, out):
    """Calls of the lines at the indexes `taken`, by as few processes as
    give an answer."""
    starts, text = [], ""
    for i in taken:
        starts.append(len(text.encode()))
        text += lines[i] + "\n"
    run = subprocess.run(["shfmt", "-ln", "bash", "--to-json"],
                         input=text.encode(), stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL)
    if run.returncode != 0 and len(taken) > 1:
        half = len(taken) // 2
        shfmt_batch(lines, taken[:half], out)
        shfmt_batch(lines, taken[half:], out)
        return
    for i in taken:
        out[i] = [] if run.returncode == 0 else None
    if run.returncode != 0:
        return
    for at, words in calls_of(json.loads(run.stdout)):
        k = len(starts) - 1
        while starts[k] > at:
            k -= 1
        out[taken[k]].append(words)


def theirs(lines):
    bad = rejected(lines)
    out = [None] * len(lines)
    good = [i for i in range(len(lines)) if i not in bad]
    # What goes on in the next line stands alone.
    alone = [i for i in good if re.search(r"\\\n?$|<<", lines[i])]
    rest = [i for i in good if i not in set(alone)]
    for i in range(0, len(rest), BATCH):
        shfmt_batch(lines, rest[i:i + BATCH], out)
    for i in alone:
        shfmt_batch(lines, [i], out)
    return out


# ---- who is right

def bash_takes(line):
    run = subprocess.run(["bash", "--norc", "-O", "extglob", "-n", "-c", line],
                         stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                         stderr=subprocess.PIPE, errors="replace", text=True)
    return run.returncode == 0 and not any(
        "warning" not in said for said in run.stderr.splitlines())


def same_call(a, b):
    return len(a) == len(b) and all(
        x == y or ANYTHING in (x, y) for x, y in zip(a, b))


def same(a, b):
    """Both found the same calls, in any order."""
    left = list(b)
    for call in a:
        match = next((c for c in left if same_call(call, c)), None)
        if match is None:
            return False
        left.remove(match)
    return not left


# Where the two disagree although bash takes the line, or bash cannot say: what
# the line looks like, and why the guard's answer is the one to have.
CAUSES = [
    (r"`[^`]*\\",
     "shfmt keeps backslashes that bash takes away inside backticks"),
    (r"[?*+@!]\(.*(\$\(|`)",
     "shfmt does not see what runs in an extended pattern"),
    (r"[<>]&[ \t]*-[^ \t\n;&|)]",
     ">&- ends with its minus in bash, not in shfmt"),
    (r"['\")}`]#", "# right behind a quote or bracket is no comment in bash"),
    (r"!\(", "bash negates a subshell by !( unless extglob is set"),
    (r"\\\n[ \t]*#|#.*\\\n", "a comment is never continued in bash"),
    (r"coproc\s+\w+\s+\S",
     "shfmt takes the first word of a simple coprocess for its name"),
    (r"\|&?\s*time\b", "behind a pipe time is a program to bash"),
    (r"\$\(\((.|\n)*case",
     "bash matches the brackets of $(( without knowing of case"),
    (r"\\$", "a backslash at the end is text in bash"),
    (r"<<(.|\n)*(\$\(|`|\$\{)",
     "bash reads what a here-document runs when it comes to it, the guard now"),
]


def cause_of(line):
    return next((why for pattern, why in CAUSES if re.search(pattern, line)),
                None)


def compare(lines):
    """Counts by what they are, and the lines that nothing explains."""
    counts, open_ = collections.Counter(), []
    for line, mine, other in zip(lines, ours(lines), theirs(lines)):
        if mine is None and other is None:
            counts["both reject it"] += 1
        elif mine is not None and other is not None and \
                same(mine, [tuple(c) for c in other]):
            counts["the same commands"] += 1
        elif (mine is None) != (other is None) and \
                bash_takes(line) == (mine is not None):
            counts["bash does as the guard, not as shfmt"] += 1
        elif cause_of(line):
            counts[cause_of(line)] += 1
        else:
            counts["not explained"] += 1
            open_.append((line, mine, other))
    return counts, open_


def check(t, name, lines):
    counts, open_ = compare(lines)
    share = 1 - len(open_) / len(lines)
    for what, n in counts.most_common():
        t.diag("%6d %s" % (n, what))
    for line, mine, other in open_[:int(os.environ.get("SHOW", "40"))]:
        t.diag("%r\n    guard: %s\n    shfmt: %s%s" % (
            line, mine, other, "" if (mine is None) == (other is None) else
            "\n    bash:  %s" % ("takes it" if bash_takes(line)
                                 else "rejects it")))
    t.ok(share >= AGREEMENT, "%d %s agree" % (len(lines), name),
         "%.2f %%" % (100 * share))


def main():
    t = tap.Tap()
    try:
        subprocess.run(["shfmt", "--version"], stdout=subprocess.DEVNULL,
                       check=True)
    except OSError:
        t.skip_all("shfmt is not here")
    own = own_lines()
    check(t, "lines", own)
    check(t, "lines and changes of them", mutations(own, WANTED))
    more = sys.argv[1:]
    if os.environ.get("AGENTSH_SYNTAX_LINES"):
        more.append(os.environ["AGENTSH_SYNTAX_LINES"])
    for path in more:
        check(t, "lines of %s" % os.path.basename(path), file_lines(path))
    t.done()


main()
