# SPDX-License-Identifier: GPL-3.0-or-later
"""test_tries.py - wishes in words, their commands run, and what came of it.

tries/*.txt hold one try a stanza: a recipe or generator, a wish, and rows:

    delete-glob: throw away the log files in here
        < touch a.log b.log; mkdir sub; touch sub/c.log notes
        decoys
        % notes sub sub/c.log

The wish is asked of the offline engine in a directory of the try's own. The
recipe (or generator) of that name must be among what it answers; its command
is run, confined to the directory, and must do what the rows say. A job is
asked of `ai do`; its steps are run one after the other until one fails.

    < LINE      runs first, in the directory (bash -e)
    + LINE      runs before the command, in its shell, confined as it is
    = LINE      runs after it in the same shell; what it prints counts, too
    > TEXT      the lines that are printed, in this order; blanks count as one
                and empty lines not at all. > alone: nothing is printed
    : TEXT      the same, in any order
    ~ REGEX     one of the lines matches
    ! STATUS    it ends with this instead of 0
    ? LINE      must succeed afterwards
    % NAMES     what is in the directory afterwards, and nothing else; names
                as the shell quotes them
    decoys DIR  names that invite mistakes are put there (.), and must be as
                they were: blanks, a newline, a dash in front, a hidden one, a
                link that leads out. They are not named in %
    where NAME  skipped when there is no such program; `where namespaces`: when
                the processes that it sees are not its own alone
    net         it may use the network, which is this machine alone: @PORT is a
                free port in all rows
"""

import concurrent.futures
import dataclasses
import glob
import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))

import home
import tap

AGENTSH = home.program("agentsh")
AI = home.program("ai")
FOLDER = os.path.join(home.SRCDIR, "tests", "offline", "tries")
RECIPES = os.path.join(home.SRCDIR, "src", "offline", "recipes")
SECONDS = 120   # for one command: a key of 4096 bits is luck
TOO_LONG = 124
AT_ONCE = 4
FORMS = 3      # of a recipe, at most, that are run
FEWEST = 320   # recipes and generators that are tried
FIRST = 0.85   # of the wishes whose first answer does what was wanted

DECOYS = ["two  blanks", "new\nline", "-rf", ".hidden", "*", "$HOME", "it's"]


class Try:
    """One stanza."""

    def __init__(self, place, head):
        self.place = place
        self.recipe, self.wish = [s.strip() for s in head.split(":", 1)]
        self.rows = {mark: [] for mark in "<+=>:~!?%"}
        self.decoys, self.programs, self.net = [], [], False

    def set_port(self, port):
        self.wish = self.wish.replace("@PORT", port)
        for mark, rows in self.rows.items():
            self.rows[mark] = [row.replace("@PORT", port) for row in rows]

    def __str__(self):
        return "%s: %s: %s" % (self.place, self.recipe, self.wish)

    def add(self, row):
        mark, _, rest = row.partition(" ")
        if mark == "where":
            self.programs += rest.split()
        elif mark == "net":
            self.net = True
        elif mark == "decoys":
            self.decoys += rest.split() or ["."]
        elif mark in self.rows:
            self.rows[mark].append(rest.strip())
        else:
            raise SystemExit("%s: what is %r?" % (self.place, row))

    def lacks(self, path):
        return [p for p in self.programs if not (
            tap.is_here(p) if p == "namespaces" or p[0] == "/" else
            shutil.which(p, path=path))]


def read(path):
    tries = []
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if not line.strip() or line.startswith("#"):
                continue
            if line[0].isspace():
                tries[-1].add(line.strip())
            else:
                tries.append(Try("%s:%d" % (os.path.basename(path), number),
                                 line))
    return tries


def job_titles():
    """The names of the jobs by their titles, which is what plans show."""
    titles = {}
    for path in glob.glob(os.path.join(RECIPES, "job-*.txt")):
        with open(path, encoding="utf-8") as file:
            heads = [line.split(":", 1) for line in file
                     if re.match(r"[a-z0-9-]+:", line)]
        titles.update((title.strip(), name) for name, title in heads)
    return titles


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return str(s.getsockname()[1])


class Place:
    """Where a try runs: a directory inside the one that it may write to."""

    jobs = job_titles()

    def __init__(self, h, one, name):
        self.h, self.one = h, one
        self.root = h.path(name)
        self.here = os.path.join(self.root, "here")
        os.makedirs(self.here)
        self.complaint = ""
        if one.rows["<"]:
            made = self.start(["bash", "-e", "-c", "\n".join(one.rows["<"])])
            if made.returncode:
                self.complaint = "before it: " + made.stderr
        for folder in one.decoys:
            self.decoys(os.path.join(self.here, folder))

    def start(self, argv, stdin=""):
        try:
            return subprocess.run(
                argv, cwd=self.here, env=self.h.env, capture_output=True,
                text=True, timeout=SECONDS, check=False, input=stdin,
                errors="replace")
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess(argv, TOO_LONG, "", "no end")

    def decoys(self, folder):
        out = os.path.join(self.root, "outside")
        os.makedirs(out, exist_ok=True)
        for path in [os.path.join(folder, name) for name in DECOYS] + [
                os.path.join(out, "precious.log")]:
            with open(path, "w", encoding="utf-8") as file:
                file.write("decoy\n")
        os.symlink(out, os.path.join(folder, "way out"))

    def harmed(self):
        """The decoys that are not as they were."""
        paths = [os.path.join(self.here, folder, name)
                 for folder in self.one.decoys
                 for name in DECOYS + ["way out/precious.log"]]
        return [path for path in paths if not untouched(path)]

    def names(self):
        """What is there, decoys left out."""
        own = {os.path.normpath(os.path.join(folder, name))
               for folder in self.one.decoys for name in DECOYS + ["way out"]}
        found = set()
        for folder, folders, files in os.walk(self.here):
            rel = os.path.relpath(folder, self.here)
            found |= {os.path.normpath(os.path.join(rel, name))
                      for name in folders + files}
        return sorted(found - own)

    def run(self, commands):
        """The commands in a sandbox that may write in root alone. Several
        are steps: each has a shell of its own, until one fails."""
        if len(commands) > 1:
            commands = ["bash -c %s || exit" % shlex.quote(command)
                        for command in commands]
        lines = self.one.rows["+"] + commands + self.one.rows["="]
        return self.start([AGENTSH, "exec", "--workspace", self.root] +
                          ["--net"] * self.one.net +
                          ["--", "bash", "-c", "\n".join(lines)])

    def remove(self):
        subprocess.run(["chmod", "-R", "u+rwx", self.root], check=False,
                       capture_output=True)
        shutil.rmtree(self.root, ignore_errors=True)


def is_confined(h):
    """Whether commands can neither write beside their directory nor signal the
    processes of others: only then do they run here."""
    os.makedirs(h.path("walls", "here"))
    done = h.run([AGENTSH, "exec", "--workspace", h.path("walls", "here"), "--",
                  "bash", "-c", "kill -0 %d || echo kept; echo x >%s" % (
                      os.getpid(), shlex.quote(h.path("walls", "beyond")))])
    return done.out == "kept\n" and not os.path.exists(
        h.path("walls", "beyond"))


def git_config(h):
    """Git outside of the sandbox knows who it works for."""
    path = os.path.join(h.root, "gitconfig")
    with open(path, "w", encoding="utf-8") as file:
        file.write("[user]\n\tname = T\n\temail = t@example.org\n"
                   "[init]\n\tdefaultBranch = main\n")
    h.env.update(GIT_CONFIG_GLOBAL=path, GIT_CONFIG_NOSYSTEM="1")


def untouched(path):
    try:
        with open(path, encoding="utf-8") as file:
            return file.read() == "decoy\n"
    except OSError:
        return False


@dataclasses.dataclass
class Answer:
    names: tuple      # of the recipe and the generator that have made it
    commands: list
    missing: bool = False  # a program that it starts is not here


def ask(place):
    """What is answered, best first."""
    one = place.one
    if one.recipe in place.jobs.values():
        done = place.start([AI, "do", "--dry-run", "-o", "json", "--offline",
                            one.wish])
        plan = json.loads(done.stdout or "{}")
        return [Answer((place.jobs.get(plan.get("summary")),),
                       [s["shell_command"] for s in plan.get("steps", [])])]
    done = place.start([AGENTSH, "offline", "--why"], one.wish + "\n")
    return [Answer((row.get("recipe"), row.get("composer")), [row["command"]],
                   "missing" in row["features"])
            for row in json.loads(done.stdout)["ranked"]]


def compare(rows, got):
    """What is wrong with the lines that were printed."""
    wrong = []
    wanted = [" ".join(line.split()) for line in rows[">"] or rows[":"]]
    wanted = [line for line in wanted if line]
    if rows[">"] and got != wanted or rows[":"] and (
            sorted(got) != sorted(wanted)):
        wrong.append("printed: %r" % (got,))
    return wrong + ["nothing matches %s in %r" % (m, got) for m in rows["~"]
                    if not any(re.search(m, line) for line in got)]


def judge(place, commands):
    """Runs the commands: what is wrong with them, a line each."""
    rows = place.one.rows
    done = place.run(commands)
    got = [" ".join(line.split()) for line in done.stdout.splitlines()
           if line.split()]
    wrong = compare(rows, got)
    if done.returncode != int((rows["!"] or ["0"])[0]):
        wrong.append("status %d: %s" % (done.returncode, done.stderr))
    wrong += ["failed: " + line for line in rows["?"]
              if place.start(["bash", "-c", line]).returncode]
    wrong += ["harmed: %r" % (path,) for path in place.harmed()]
    names = sorted(os.path.normpath(n) for n in shlex.split(
        " ".join(rows["%"])))
    if rows["%"] and names != place.names():
        wrong.append("there is: %r" % (place.names(),))
    if wrong:
        wrong += ["command: " + command for command in commands]
    return wrong


def outcome(h, one, name, commands):
    """What is wrong with the commands, in a place of their own."""
    place = Place(h, one, name)
    try:
        return judge(place, commands)
    finally:
        place.remove()


def attempt(h, one, number):
    """(What is wrong with the recipe, what with the first answer), or None
    where it cannot run. One of the first forms of the recipe must do it: which
    of them comes first is for the ranking, and is seen in the first answer."""
    if one.net:
        one.set_port(free_port())
    place = Place(h, one, str(number))
    answers = [] if place.complaint else ask(place)
    place.remove()
    named = [a for a in answers if one.recipe in a.names]
    if not named:
        none = [place.complaint or "not among the answers: %r" % answers[:5]]
        return none, none
    named = [a for a in named if not a.missing][:FORMS]
    if not named:
        return None
    first = outcome(h, one, "%d-first" % number, answers[0].commands)
    wrong = []
    for n, answer in enumerate(named):
        bad = first if answer is answers[0] else outcome(
            h, one, "%d-%d" % (number, n), answer.commands)
        if not bad or any(line.startswith("harmed") for line in bad):
            wrong = bad
            break
        wrong = wrong or bad
    return wrong, first and ["first: %s" % answers[0].commands] + first


def report(t, tries, results):
    for one in tries:
        if one in results:
            t.ok(not results[one][0], str(one), *results[one][0])
        else:
            t.skip(str(one), "a program that it starts is not here")
    other = {one: bad for one, (_, bad) in results.items() if bad}
    for one, bad in other.items():
        t.diag("%s: %s" % (one, bad[0]))
    t.diag("%d recipes and generators, %d wishes" % (
        len({one.recipe for one in results}), len(results)))
    t.ok(len(other) <= (1 - FIRST) * len(results),
         "the first answer does it for %d of %d wishes" % (
             len(results) - len(other), len(results)))


def main():
    t = tap.Tap()
    wanted = sys.argv[1:]
    tries = [one for path in sorted(glob.glob(os.path.join(FOLDER, "*.txt")))
             for one in read(path)]
    tries = [one for one in tries if not wanted or one.recipe in wanted or
             one.place.split(".")[0] in wanted]
    tried = tap.sample(tries)
    with home.Home() as h, concurrent.futures.ThreadPoolExecutor(
            AT_ONCE) as pool:
        git_config(h)
        if not is_confined(h):
            t.skip_all("commands cannot be confined here")
        there = [one for one in tried if not one.lacks(h.env["PATH"])]
        found = pool.map(lambda n: attempt(h, there[n], n), range(len(there)))
        results = {one: result for one, result in zip(there, found) if result}
    report(t, tried, results)
    if not wanted:
        t.ok(len({one.recipe for one in tries}) >= FEWEST,
             "at least %d recipes are tried" % FEWEST)
    t.done()


if __name__ == "__main__":
    main()
