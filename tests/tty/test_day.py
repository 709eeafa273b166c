# SPDX-License-Identifier: GPL-3.0-or-later
"""test_day.py - a day in a shell: ninety things that a person does one after
another, in bash, zsh and fish with the hook and in the REPL, in tmux.

An action is what is typed, or keys, and the screen that comes of it: lines
that are there as a whole ("..." stands for any text), and texts that are not.
What differs from run to run (where the home is, process numbers, times, names
of runs) is masked first. Nothing waits for a time: an action is over when its
lines are there and, where it says so, an empty prompt is the last line.

AGENTSH_DAY_SCREENS=DIR keeps every screen, masked, to be compared with those
of another run.
"""

import os
import re
import subprocess

from hookshell import home, tap

from review import save, step
from shellpane import Pane, kinds
from test_line_key import OFFLINE, explain_keys, line_keys, undo_keys

PROMPT = {
    "bash": r"@~>", "zsh": r"@~>", "fish": r"@~\d+\.\d+>",
    "repl": r"\(ai\) @~>",
}
# What fish suggests behind a line may stay on the screen when Enter comes at the
# same moment.
COMPLETE = {
    "bash": 'eval "$(agentsh completion bash)"\n',
    "zsh": "autoload -U compinit; compinit -u -D\n"
           'eval "$(agentsh completion zsh)"\n',
    "fish": "agentsh completion fish | source\n"
            "set -g fish_autosuggestion_enabled 0\n",
}
MASKS = [
    (r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d)?Z?", "WHEN"),
    (r"\b[A-Z][a-z]{2} +\d+ \d\d:\d\d\b", "WHEN"),
    (r"\b(\d{4}){1,2}-\d{6}(-\w+)?\b", "RUN"),
    (r"\brun \d[-\w]+:", "run RUN:"),
    (r" {2,}(?=sandbox: .* \d+(\.\d+)? m?s$)", "  "),
    (r"\b\d+(\.\d+)? m?s\b", "TIME"),
    (r"\[(\d)\] \d+", r"[\1] PID"),
    (r"^1 +\d+ +\d+% +running", "1  PID  CPU  running"),
    (r"^\* [0-9a-f]{8}\b", "* ID"),
    (r"^([–⊘✓✗]) {2,}(now|\d+ ?\w+) {2,}(.*?) {2,}[0-9a-z]{5}$",
     r"\1  AGE  \3  RUN"),
]


class Day:
    """One shell's day: a pane, and what was seen in it."""

    def __init__(self, t, place, kind, pane):
        self.t, self.place, self.kind, self.pane = t, place, kind, pane
        self.number = 0
        self.before = []
        self.screens = os.environ.get("AGENTSH_DAY_SCREENS")

    def screen(self):
        """The screen's lines, masked; a prompt is "$ "."""
        text = re.sub(PROMPT[self.kind], "$ ", self.pane.text(),
                      flags=re.MULTILINE)
        text = text.replace(self.place.work, "/HERE")
        for pattern, name in MASKS:
            text = re.sub(pattern, name, text, flags=re.MULTILINE)
        return [line.rstrip() for line in text.split("\n")]

    def own(self, what):
        """What is expected here: one for all, or one for each kind."""
        if isinstance(what, dict):
            what = what.get(self.kind, what.get("else", ()))
        return what

    def clear(self):
        self.pane.keys("C-l")
        if not tap.poll(lambda: self.screen() == ["$"]):
            self.t.diag("not cleared:\n" + "\n".join(self.screen()))

    def compare(self, name, there, absent, prompt):
        """Waits for the lines, and tells whether all is as expected."""
        there, absent = self.own(there), self.own(absent)
        there = [there] if isinstance(there, str) else there
        absent = [absent] if isinstance(absent, str) else absent
        before, lines = self.before, []

        def seen():
            lines[:] = self.screen()
            return (not prompt or lines[-1] == "$") and lines != before and \
                not missing(lines, there)

        tap.poll(seen, 20)
        wrong = [text for text in absent
                 if any(text in line for line in lines)]
        self.number += 1
        name = "%s: %d, %s" % (self.kind, self.number, name)
        self.t.ok(seen() and not wrong, name,
                  "missing: %r" % missing(lines, there),
                  "not wanted: %r" % wrong, *lines)
        if self.screens:
            with open(os.path.join(self.screens, self.kind), "a",
                      encoding="utf-8") as out:
                out.write("== %s\n%s\n" % (name, "\n".join(lines)))

    def type(self, text):
        self.before = self.screen()
        self.pane.call("send-keys", "-l", text)

    def put(self, line):
        """Types a line, and waits until it stands there."""
        self.type(line)
        width = int(self.pane.call("display-message", "-p", "#{pane_width}"))
        tap.poll(lambda: len(line) > width - 12 or
                 self.screen()[0] == ("$ " + line).rstrip())
        self.before = self.screen()

    def line(self, name, typed, there=(), absent=(), prompt=True):
        """A line at an empty prompt, on a screen of its own."""
        self.clear()
        typed = self.own(typed)
        self.put(typed)
        self.pane.keys("Enter")
        self.compare(name, there, absent, prompt)

    def edit(self, name, typed, keys, there, absent=()):
        """A line that is typed and then changed by keys, and stays."""
        self.clear()
        self.put(typed)
        self.keys(name, keys, there, absent, False)

    def keys(self, name, keys, there=(), absent=(), prompt=True):
        """Keys at what is on the screen already."""
        self.before = self.screen()
        self.pane.keys(*self.own(keys))
        self.compare(name, there, absent, prompt)

    def plan(self, name, steps, there, options="", absent=()):
        """A saved plan, up to its question."""
        save(self.place, *[step(i + 1, line) if isinstance(line, str) else
                           line for i, line in enumerate(steps)],
             name=".plan.json")
        end = "...quit:" if "--plain" in options else "...[q]uit ?"
        self.line(name, "ai do --plan .plan.json" + options, [*there, end],
                  absent, False)

    def resize(self, columns, rows):
        """tmux tells the terminal a while later."""
        self.pane.call("resize-window", "-x", str(columns), "-y", str(rows))
        tty = self.pane.call("display-message", "-p", "#{pane_tty}").strip()

        def told():
            with open(tty, encoding="utf-8") as file:
                size = os.get_terminal_size(file.fileno())
            return size == (columns, rows)

        tap.poll(told)


def missing(lines, there):
    """Those of the expected lines that are not on the screen, or not as often
    as they are expected."""
    def seen(want):
        form = re.escape(want).replace(re.escape("..."), ".*")
        return sum(bool(re.fullmatch(form, line)) for line in lines)

    return [want for want in there if seen(want) < there.count(want)]


MENU = ">[r]un  ...[q]uit ?"
KEPT = "     can be undone: what it changes is kept before"
DECLINED = "ai: not approved: nothing was run"
FRONT = "sh -c 'echo be\"\"gun; exec sed -u s/^/got:/'"
SHOWED = {"else": "what it showed is from tmux, between the last two prompts; "
                  "status %d",
          "repl": "what it showed is from the transcript of this shell; "
                  "status %d"}
TAKE = ["C-e", "C-u"]  # where fish completes, Ctrl-C ends only that
CAT = "cat: %s: No such file or directory"


def morning(day):
    """Shell lines, directories, jobs, history, completion."""
    day.line("a first line", "echo good morning", ["good morning"])
    day.line("where it is", "pwd", ["/HERE"])
    day.line("directories are made", "mkdir -p sub/deep", [], ":")
    day.line("cd", "cd sub/deep", [], ":")
    day.line("and it is there", "pwd", ["/HERE/sub/deep"])
    day.line("cd back", "cd ../..; pwd", ["/HERE"])
    day.line("a variable", "export DAY=monday", [], ":")
    day.line("which stays", "echo $DAY", ["monday"])
    day.line("a pipeline", "printf 'b\\na\\n' | sort", ["a", "b"])
    day.line("quotes", "echo \"a  b\" 'c'", ["a  b c"])
    day.line("a status", {"else": "false; echo got $?",
                          "fish": "false; echo got $status"}, ["got 1"])
    day.line("a loop", {"else": "for i in 1 2; do echo n$i; done",
                        "fish": "for i in 1 2; echo n$i; end"}, ["n1", "n2"])
    day.line("a pattern", "echo *.txt", ["notes.txt other.txt"])
    day.line("a file is written", "echo kept > kept.log; cat kept.log",
             ["kept"])
    day.line("a job", "sleep 300 &", {"else": ["[1] PID"], "fish": []})
    day.line("is listed", "jobs",
             {"else": ["[1]+  Running                 sleep 300 &"],
              "zsh": ["[1]  + running    sleep 300"],
              "fish": ["1...running sleep 300 &"]})
    day.line("and ended", "kill %1; wait",
             {"else": ["[1]+  Terminated              sleep 300"],
              "zsh": ["[1]  + terminated  sleep 300"],
              "fish": ["fish: Job 1, 'sleep 300 &' terminated by signal "
                       "SIGTERM..."]})
    day.line("a program in front", FRONT, ["begun"], prompt=False)
    day.keys("Ctrl-Z stops it", ["C-z"],
             {"else": ["[1]+  Stopped                 " + FRONT],
              "zsh": ["zsh: suspended  " + FRONT],
              "fish": ["...fish: Job 1,...has stopped"]})
    day.line("fg goes on", "fg",
             {"else": [FRONT], "zsh": ["[1]  + continued  " + FRONT],
              "fish": ["Send job 1 (%s) to foreground" % FRONT]},
             prompt=False)
    day.type("again")  # a shell tells of it before it does it
    day.keys("which reads", ["Enter"], ["got:again"], prompt=False)
    day.keys("Ctrl-C ends it", ["C-c"], ["^C..."])
    day.edit("the line before comes back", "", ["Up"], ["$ fg"])
    day.keys("Ctrl-U takes it away", TAKE, ["$"], "fg")
    day.clear()
    day.put("never run")
    day.keys("Ctrl-C leaves a line", ["C-c"], ["$ never run..."], "not found")
    day.edit("a name is completed", "cat not", ["Tab"], ["$ cat notes.txt"])
    day.keys("and the line runs", ["Enter"], ["one", "two"])
    day.edit("a verb is completed", "ai expl", ["Tab"], ["$ ai explain"])
    day.keys("Ctrl-U takes it away", TAKE, ["$"], "explain")


def noon(day):
    """Wishes and plans, and what comes back of them into the shell."""
    day.line("a wish", "ai run --offline 'find files larger than 100M'",
             ["  1  find files by size  find . -type f -size +100M", MENU],
             prompt=False)
    day.keys("is declined", ["q"], [MENU + " quit", DECLINED])
    day.line("another", "ai run --offline 'list the files by size'",
             ["  1  the largest files first  ls -lS .", MENU], prompt=False)
    day.keys("and runs", ["r"], ["total...", "-rw...8 WHEN notes.txt"])
    day.plan("a plan of two steps", ["touch one", "touch two"],
             ["  1  Step 1  touch one", KEPT, "  2  Step 2  touch two"])
    day.keys("runs", ["r"], ["1/2 Step 1", "2/2 Step 2"])
    day.line("and was run", "echo o* t*", ["one other.txt two"])
    day.plan("step by step", ["echo first", "echo second"], [], " --step")
    day.keys("asks for each", ["r"],
             ["Step 1:  [r]un  [s]kip  e[x]plain  [q]uit ?"], prompt=False)
    day.keys("the first runs", ["r"],
             ["first", "[r]un  [s]kip  e[x]plain  [q]uit ?"], prompt=False)
    day.keys("the second does not", ["s"],
             ["[r]un  [s]kip  e[x]plain  [q]uit ? skip"],
             ["2/2 Step 2"])
    preview(day)
    day.plan("a command for the prompt", ["echo typed by hand"], [])
    day.keys("is put there", ["i"], ["$ echo typed by hand"],
             "not on your prompt", False)
    day.keys("and runs by Enter", ["Enter"], ["typed by hand"])
    day.plan("a cd", ["cd sub"], ["     then in your shell: cd sub"])
    day.keys("runs", ["r"], [MENU + " run"])
    day.line("in the shell", "pwd", ["/HERE/sub"])
    day.line("and back", "cd ..; pwd", ["/HERE"])
    day.plan("an export", ["export LUNCH=soup"],
             ["     then in your shell: export LUNCH=soup"])
    day.keys("runs", ["r"], [MENU + " run"])
    day.line("in the shell", "echo $LUNCH", ["soup"])
    mistakes(day)


def preview(day):
    if not tap.is_here("namespaces"):
        return
    day.plan("a preview", ["echo three >> notes.txt"],
             ["A test...sandbox: preview"], " --preview")
    day.keys("runs in a view", ["r"],
             ["1 change in /HERE", "+three",
              "[k]eep  [d]iff  [x] drop  [l]ater ?"], prompt=False)
    day.keys("is kept", ["k"], ["kept: 1 change"])
    day.line("and is there", "cat notes.txt", ["one", "two", "three"])


def mistakes(day):
    showed = day.own(SHOWED)
    day.line("a mistake", "gti status",
             {"bash": ["bash: gti: command not found"],
              "repl": ["bash: gti: command not found"],
              "zsh": ["zsh: command not found: gti"],
              "fish": ["fish: Unknown command: gti"]})
    day.line("is mended", "ai fix --offline",
             [showed % 127, "  1  Run git  git status", ">[r]un...[q]uit ?"],
             prompt=False)
    day.keys("and runs", ["r"], ["On branch main", "        kept.log"])
    day.line("a name that is nearly there", "cat nots.txt",
             [CAT % "nots.txt"])
    day.line("is found", "ai fix --offline",
             [showed % 1, "  1  Use the path notes.txt  cat notes.txt",
              ">[r]un...[q]uit ?"], prompt=False)
    day.keys("and declined", ["q"], [DECLINED], "three")
    day.line("a failed line", "cat missing.c", [CAT % "missing.c"])
    day.line("is explained without words", "ai explain --offline",
             ["cat missing.c", "shows the lines of missing.c",
              "Its exit status was 1: it failed; see its output."])


def evening(day):
    """Undo, keys, and what happened."""
    day.plan("a file is removed", ["rm notes.txt"],
             ["     ! deletes notes.txt...", KEPT,
              "[r]un  >...[q]uit ?"])
    day.keys("asks for a yes", ["r"], ["Type yes to run step 1:"],
             prompt=False)
    day.type("yes")
    day.keys("and runs", ["Enter"], ["Type yes to run step 1: yes"])
    day.line("is gone", "cat notes.txt", [CAT % "notes.txt"])
    day.line("undo", "ai undo",
             ["     /HERE/notes.txt  put back", KEPT, "...[q]uit ?"],
             prompt=False)
    day.keys("puts it back", ["r"], ["...[q]uit ? run"])
    day.line("as it was", "cat notes.txt", ["one", "two"], CAT % "notes.txt")
    wish = "find files larger than 100M"
    day.edit("a key turns words into a command", wish,
             line_keys(day.kind), ["$ find . -type f -size +100M"])
    day.keys("the shell's undo brings them back", undo_keys(day.kind),
             ["$ " + wish], (), False)
    day.keys("Ctrl-U takes them away", TAKE, ["$"], wish)
    day.edit("a key explains a line", "tar -xzf a.tgz",
             explain_keys(day.kind),
             ["takes everything out of a.tgz", "$ tar -xzf a.tgz"] +
             (["$ tar -xzf a.tgz"] if day.kind != "zsh" else []))
    # what zsh explains stays below the line
    day.keys("the line is left", {"else": TAKE, "zsh": ["C-c"]})
    day.line("the conversations", "agentsh session list",
             ["* ID  WHEN  shell ..." + wish + "  /HERE"])
    day.line("the log", "ai log",
             ["Today", "✓  AGE  gti status  RUN", "⊘  AGE  cat nots.txt  RUN",
              "–  AGE  cat missing.c  RUN"])
    day.line("of a run that is not", "ai log none",
             ["ai: no such run: 'none'"])
    day.line("is whole", "ai log --verify",
             ["✓ ... runs since WHEN: no change found"])


def night(day):
    """The terminal: an editor, its size, the plain look, pages and files."""
    day.plan("an editor", ["vi other.txt"],
             ["     vi edits a file; it gets your terminal, and what it shows "
              "is not kept", MENU.replace(">[r]un  ", ">[r]un...")])
    day.keys("has the terminal", ["r"], ["x", "~", '"other.txt"...'],
             prompt=False)
    day.type("ohello\x1b:wq\r")
    day.compare("and gives it back", [MENU + " run"], ["hello"], True)
    day.line("what it wrote", "cat other.txt", ["x", "hello"])
    day.resize(40, 30)
    day.line("a smaller window", "stty size", ["30 40"])
    day.plan("a plan in it", ["touch one"],
             ["  1  Step 1", "       touch one"])
    day.keys("is declined", ["q"], ["quit", DECLINED])
    day.resize(100, 40)
    day.plan("the plain look", ["touch one"],
             ["Type one of run (recommended), ...help, quit:"], " --plain",
             "[r]un")
    day.type("quit")
    day.keys("takes words", ["Enter"], [DECLINED])
    day.line("an answer into less", "ai help do | less", ["...--plan...", "(END)"],
             "ai help", prompt=False)
    day.keys("which ends", ["q"], ["$ ai help do | less"], "--plan")
    day.line("an answer into a file",
             "ai explain --offline 'tar -xzf a' > said", [],
             "takes everything")
    day.line("is there", "head -n 2 said",
             ["tar -xzf a", "takes everything out of a"])


def plant(place):
    """A repository with a few files, and who commits in it."""
    place.env["PATH"] = os.path.dirname(home.program("ai")) + ":" + \
        place.env["PATH"]
    for name, text in (("notes.txt", "one\ntwo\n"), ("other.txt", "x\n")):
        with open(place.path(name), "w", encoding="utf-8") as out:
            out.write(text)
    with open(os.path.join(place.env["HOME"], ".gitconfig"), "w",
              encoding="utf-8") as out:
        out.write("[user]\nname = Tester\nemail = t@example.org\n"
                  "[init]\ndefaultBranch = main\n")
    with open(os.path.join(place.env["HOME"], ".bashrc"), "w",
              encoding="utf-8") as out:
        out.write("PS1='@~>'\n")
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "begin"]):
        subprocess.run(["git", *words], cwd=place.work, env=place.env,
                       check=True)


def live(t, kind):
    with home.Home() as place:
        place.config(OFFLINE)
        plant(place)
        before = COMPLETE.get(kind, "")
        if kind == "fish":
            before += "set -gx XDG_CONFIG_HOME %s\n" % \
                place.env["XDG_CONFIG_HOME"]
        with Pane(place, kind, before=before) as pane:
            pane.see("(ai)" if kind == "repl" else "@~")
            day = Day(t, place, kind, pane)
            morning(day)
            noon(day)
            evening(day)
            night(day)


def main():
    t = tap.Tap()
    t.needs("tmux", "git", "vi", "less")
    for kind in kinds():
        live(t, kind)
    t.done()


if __name__ == "__main__":
    main()
