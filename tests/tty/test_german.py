#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_german.py - the German translation is complete, sound and used; what
programs read is English.

The locale is made here, in a directory of its own.
"""

import atexit
import functools
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unicodedata

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "lib"))

import home  # noqa: E402
import tap  # noqa: E402
import terminal  # noqa: E402
from review import AI, save, step  # noqa: E402

AGENTSH = home.program("agentsh")
PROBE = os.path.join(home.BUILDDIR, "tests", "lib", "message_probe")
PO = os.path.join(home.SRCDIR, "po", "de.po")
POT = os.path.join(home.SRCDIR, "po", "shown.pot")
STRING = r'"((?:[^"\\]|\\.)*)"'
ROW = re.compile(r"\{'(.)',\s*N_\(%s\)" % STRING)
NARROW = 40
ENGLISH = re.compile(r"\b(the|and|with|nothing|writes|deletes|run|step|"
                     r"network|explain|quit)\b")


def entries():
    """{msgid: the translations} of the catalogue."""
    with open(PO, encoding="utf-8") as file:
        text = file.read()
    found = {}
    for block in text.split("\n\n"):
        one = re.search(r"^msgid ((?:%s\n?)+)" % STRING, block, re.M)
        told = re.findall(r"^msgstr(?:\[\d\])? ((?:%s\n?)+)" % STRING, block,
                          re.M)
        if one and told:
            found[joined(one[1])] = [joined(t[0]) for t in told]
    return found


def joined(strings):
    return "".join(re.findall(STRING, strings))


def width(text):
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1
               for c in text)


def tool(*argv):
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def test_catalogue(t):
    status, said = tool("msgfmt", "--check", "--statistics", "-o", os.devnull,
                        PO)
    t.ok(status == 0 and re.search(r"^\d+ translated messages?\.$", said, re.M)
         and "warning" not in said, "msgfmt finds nothing, nothing is fuzzy "
         "or untranslated. To do: translate what po/de.po leaves empty", said)
    status, made = tool(sys.executable,
                        os.path.join(home.SRCDIR, "po", "shown.py"),
                        home.SRCDIR)
    with open(POT, encoding="utf-8") as file:
        t.ok(status == 0 and made == file.read(),
             "po/shown.pot is what the source shows. To do: make messages")
    with open(POT, encoding="utf-8") as file:
        wanted = {joined(m) for m, _ in
                  re.findall(r"^msgid ((?:%s\n?)+)" % STRING, file.read(),
                             re.M)}
    t.is_(sorted(wanted - set(entries())), [],
          "every message is in po/de.po. To do: make messages")


def label(text, key):
    """The letter that is shown, and what is drawn."""
    mark = re.search(r"\[(.)\]", text)
    if mark:
        return mark[1], text
    return key, text if key in text else "[%s] %s" % (key, text)


def menus():
    """(file, [(key, label)]) of each table of rows."""
    for folder in ("src/ui", "src/frontend/cli", "src/term"):
        for name in sorted(os.listdir(os.path.join(home.SRCDIR, folder))):
            path = os.path.join(home.SRCDIR, folder, name)
            if not name.endswith(".c"):
                continue
            with open(path, encoding="utf-8") as file:
                text = file.read()
            macros = {m[0]: m[1] for m in re.findall(
                r"#define (\w+_ROW)\b((?:.*\\\n)+.*)", text)}
            for table in re.findall(r"\] = \{\n(.*?)^ *\};", text,
                                    re.M | re.S):
                for macro, body in macros.items():
                    table = table.replace(macro, body)
                rows = ROW.findall(table)
                if len(rows) > 1:
                    yield name, rows


def test_menus(t):
    told = entries()
    seen = 0
    for name, rows in menus():
        seen += 1
        shown = [label(told[text][0], key) for key, text in rows]
        keys = [key for key, _ in shown]
        t.is_(len(set(keys)), len(keys), "%s: the keys of %s differ" %
              (name, " ".join(keys)))
        t.ok(all(key not in keys or keys.index(key) == at
                 for at, (key, _) in enumerate(rows)),
             "%s: an English key means what it means in English" % name,
             rows, shown)
        t.ok(all("[" in text and not text.startswith("[%s] " % key)
                 or key in text for key, text in shown),
             "%s: every word has its key in it" % name, shown)
        t.ok(all(width(text) + 6 <= NARROW for _, text in shown),
             "%s: every word fits %d columns" % (name, NARROW), shown)
        t.is_([key for key in keys if key != key.lower()], [],
              "%s: no key is a capital" % name)
    t.ok(seen >= 8, "the menus are found", seen)


@functools.cache
def make_locale():
    """A directory of it for all tests here, and whether it is one."""
    folder = tempfile.mkdtemp(prefix="agentsh-test-")
    atexit.register(shutil.rmtree, folder)
    subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8",
                    os.path.join(folder, "de_DE.UTF-8")],
                   capture_output=True, check=False)
    # without the package locales it makes one that nothing can use
    return folder, "Montag" in subprocess.run(
        ["locale", "day"], capture_output=True, check=False, text=True,
        errors="replace", env={**os.environ, "LOCPATH": folder,
                               "LC_ALL": "de_DE.UTF-8"}).stdout


class German(home.Home):
    """A Home whose person reads German."""

    def __init__(self):
        super().__init__()
        folder, self.made = make_locale()
        self.env.update(LOCPATH=folder, LANG="de_DE.UTF-8", LC_ALL="",
                        AGENTSH_LOCALE_DIR=os.path.abspath(
                            os.path.join(home.BUILDDIR, "po")))


def plan(h):
    with open(h.path("alt.txt"), "w", encoding="ascii") as out:
        out.write("alt\n")
    return save(h, step(1, "rm alt.txt"), step(2, "echo neu > neu.txt"))


def drive(h, words, answers, cols=80, **env):
    term = terminal.Terminal(h, words, cols=cols, **env)
    for wait, keys in answers:
        if not term.wait_for(wait):
            break
        term.send(keys)
    return term, term.finish()


def test_review(t):
    for cols in (80, NARROW):
        with German() as h:
            words = [AI, "do", "--plan", plan(h)]
            term, status = drive(h, words, [("a[b]brechen", "?"),
                                            ("nichts ausf\u00fchren (Enter)", ""),
                                            ("a[b]brechen", "b")], cols)
            text = " ".join(term.text().split())
            own = text.replace("A test", "").replace("Step", "")
            t.ok(status == 5 and "nicht zugestimmt" in text and
                 "sta[r]ten" in text and "l\u00f6scht alt.txt" in
                 text and "schreibt nur in diesem Verzeichnis" in text,
                 "a review in %d columns is in German" % cols, term.text())
            t.is_(ENGLISH.findall(own.partition("nicht zugestimmt")[0]), [],
                  "and nothing of it in English", own)
            t.ok(all(width(line) <= cols for line in
                     term.text().replace("\r", "").split("\n")),
                 "and fits", term.text())
    with German() as h:
        term, status = drive(h, [AI, "do", "--plan", plan(h)],
                             [("a[b]brechen", "r"), ("ja eingeben: ", "ja\r")])
        t.ok(status == 0 and h.read("neu.txt") == "neu\n",
             "it is run by its letter and the word ja", term.text())
    with German() as h:
        term, status = drive(h, [AI, "do", "--plan", plan(h)],
                             [("a[b]brechen", "q")])
        t.is_(status, 5, "the English letter means the same")
    with German() as h:
        term, status = drive(h, [AI, "do", "--plain", "--plan", plan(h)],
                             [("Eines eingeben: ", "hilfe\r"),
                              ("erkl\u00e4ren: ", ""),
                              ("Eines eingeben: ", "abbrechen\r")])
        t.ok(status == 5 and "\u2713" not in term.seen and
             "[" not in term.text().partition("Eines eingeben")[2],
             "--plain asks for German words", term.text())


def test_undo_and_fix(t):
    with German() as h:
        plan(h)
        done = h.run([AI, "do", "--plan", save(h, step(1, "mkdir neu")),
                      "--quiet", "--yes"])
        term, status = drive(h, [AI, "undo"],
                             [("a[b]brechen", "r")])
        text = term.text()
        t.ok(done.status == 0 and status == 0 and
             "2 Pfade zur\u00fccksetzen" in text
             and "neu  entfernen" in text and not os.path.exists(h.path("neu")),
             "a run is undone in German, by its letter", text)
        t.is_(ENGLISH.findall(text.replace("ai undo", "")), [],
              "and nothing of it in English", text)
        runs = json.loads(h.run([AI, "log", "-o", "json"]).out)["runs"]
        kept = h.run([AI, "log", runs[0]["run"], "-o", "json"]).out
        t.ok("Put back 2 paths" in kept and "zur\u00fcck" not in kept,
             "but the journal is English", kept)
        h.run([AI, "do", "--plan", save(h, step(1, "echo 1 > x"),
                                        step(2, "mkdir y")),
               "--quiet", "--yes"])
        with open(h.path("x"), "w", encoding="ascii") as out:
            out.write("since")
        done = h.run([AI, "undo", "--dry-run"])
        t.ok("x  bleibt" in done.out + done.err
             and "since" not in done.out + done.err,
             "what is left alone is said in German", done.out, done.err)
        term, status = drive(h, [AI, "do", "--plan",
                                 save(h, step(1, "rm alt.txt"))],
                             [("a[b]brechen", "b")])
        t.ok("r\u00fccknehmbar: " in term.text(),
             "so is the review's word about undoing", term.text())
        done = h.run([AI, "fix", "--offline", "--command", "grep x alt.txt",
                      "--status", "1"])
        t.ok("nicht erfasst (es gibt kein --stderr-file)" in done.err,
             "so is where the text of a failure is from", done.err)
        done = h.run([AI, "fix", "--offline", "--command", "no-such-program-x"])
        t.ok("keine Regel" in done.err, "so is the end without a rule",
             done.err)
        done = h.run([AI, "fix", "--command", "true", "--status", "0"])
        t.ok("nichts zu reparieren" in done.out, "so is a success", done.out)


def slots(text):
    # {a|=text}: the text is for an empty gap, and is translated
    return sorted(re.findall(r"\{[^{} ]*\}", re.sub(r"(\{|\|)=[^{}]*\}", r"\1}",
                                                    text)))


def test_slots(t):
    """A slot is filled in the German text as in the English one."""
    wrong = [m for m, told in entries().items()
             if any(slots(m) != slots(one) for one in told)]
    t.is_(wrong, [], "every translation has the slots of its text")
    with open(POT, encoding="utf-8") as file:
        blocks = file.read().split("\n\n")
    for place in ("src/offline/recipes/archives.txt",
                  "src/offline/repair/rules/git.txt",
                  "src/offline/manual/tables/files.txt",
                  "src/offline/generate/find.c"):
        t.ok(sum(place in b for b in blocks) > 5,
             "po/shown.pot has the texts of %s" % place)


ENGINE = (
    # words of ai, what is in the answer, what is not
    (["do", "--offline", "--dry-run", "back", "up", "this", "directory"],
     ["ein Verzeichnis in ein datiertes Archiv sichern und es pr\u00fcfen",
      "Das Archiv schreiben, ohne es selbst darin"],
     ["back up a directory", "Write the archive"]),
    (["do", "--offline", "--dry-run", "shrink", "the", "systemd", "journal"],
     ["Die neuesten 200M behalten"], ["Keep the newest", "{size"]),
    (["run", "--offline", "--dry-run", "find", "log", "files", "larger",
      "than", "10", "MB"], ["Dateien nach Name und Gr\u00f6\u00dfe finden"],
     ["find files by"]),
    (["run", "--offline", "kill", "everything"],
     ["Nicht sicher: ", "Versuchen Sie andere W\u00f6rter"], ["Not sure"]),
    (["explain", "--offline", "how", "do", "I", "list", "the", "largest",
      "files"], ["Dateien auflisten:", "das Gr\u00f6\u00dfte zuerst"],
     ["Other ways", "list files", "largest first"]),
    (["explain", "tar -xzf a.tgz 2>/dev/null | grep -v x > out.txt"],
     ["holt alles aus a.tgz, ohne Fehlermeldungen, dann: zeigt Zeilen aus "
      "Standardeingabe, ohne die, die zu x passen, und schreibt das in "
      "out.txt",
      "Dateien aus dem Archiv holen", "mit gzip packen oder auspacken",
      "eigene Tabelle zu tar", "das Archiv ist a.tgz",
      "Fehlermeldungen werden verworfen", "die Zeilen, die nicht passen",
      "die Ausgabe geht in out.txt, das zuerst geleert wird"],
     ["archive", "gzip(1)", "what is written"]),
    (["explain", "find . -name '*.c' -mtime -7 -size +10M; sudo sleep 5 &"],
     ["deren Name zu *.c passt, gr\u00f6\u00dfer als 10 MiB, ge\u00e4ndert in den "
      "letzten 7 Tagen; dann: als root: wartet 5 Sekunden, im Hintergrund"],
     ["below", "changed", "then"]),
    (["explain", "for i in a b; do rm $i; done"], ["beendet die Schleife"],
     ["for each", "deletes i"]),
    (["explain", "if [ -f a ]; then echo $HOME; fi"],
     ["ist eine gew\u00f6hnliche Datei", "der Wert von HOME", "beendet das if"],
     ["regular file", "the value of"]),
    (["explain", "rm -r b"], ["Risiko: zerst\u00f6rend"], ["risk: "]),
    (["explain", "frobnicate -x"], ["keine Handbuchseite zu frobnicate"],
     ["no manual page"]),
    (["fix", "--offline", "--command", "git chekout main", "--status", "1",
      "--stderr-file", "err.txt", "--dry-run"],
     ["Den Unterbefehl checkout ausf\u00fchren"], ["Run the"]),
    (["fix", "--offline", "--command", "grep x alt.txt", "--status", "1",
      "--stderr-file", "empty.txt"],
     ["Es fand keinen Treffer: es gibt nichts zu reparieren"],
     ["It found no match"]),
)


def test_engine(t):
    """What the offline engine answers, in German; programs and the journal
    get it in English."""
    with German() as h:
        plan(h)
        for name, text in (("empty.txt", ""), ("err.txt", FAILED)):
            with open(h.path(name), "w", encoding="ascii") as out:
                out.write(text)
        for words, told, english in ENGINE:
            done = h.run([AI, *words])
            said = " ".join((done.out + done.err).split())
            t.ok(all(one in said for one in told) and
                 not any(one in said for one in english),
                 "ai %s answers in German" % " ".join(words), said)
            verb, rest = words[0], words[1:]
            read = h.run([AI, verb, "-o", "json", *rest])
            t.is_([one for one in told if one in read.out], [],
                  "and in English to a program")
        rows = h.run([AI, "log", "-n", "100", "-o", "json"]).out
        runs = re.findall(r'"run":"([^"]*)"', rows)
        kept = "".join(h.run([AI, "log", run, "-o", "json"]).out
                       for run in runs)
        t.ok(len(runs) > 5 and "find files by name and size" in kept and
             "risk: destructive" in kept,
             "the journal has what was shown, in English", kept[-2000:])
        t.is_([one for _, told, _ in ENGINE for one in told if one in kept],
              [], "and nothing of it in German")


FAILED = ("git: 'chekout' is not a git command. See 'git --help'.\n\n"
          "The most similar command is\n\tcheckout\n")


def test_help(t):
    with German() as h:
        for argv in ([AI, "--help"], [AGENTSH, "--help"], [AI, "do", "-h"]):
            done = h.run(argv)
            t.ok(done.status == 0 and done.out.startswith("Aufruf: ") and
                 "\nOptionen\n" in done.out and "diese Hilfe" in done.out,
                 "%s is in German" % " ".join(argv[1:]), done.out)
        said = h.run([AGENTSH, "doctor"]).out
        t.ok(re.match("Bereit|Nicht bereit", said) and "Zu tun" not in said and
             "den Shell-Hook laden" in said and "Shell-Hook " in said,
             "so is what doctor finds", said)


CONVERSION = re.compile(r"%(?:(\d+)\$)?([-+ #0']*)(\*|\d+)?"
                        r"(?:\.(\*|\d+))?(?:hh?|ll?|[zjt])?([sdiuxXcgfo%])")


def made(fmt, args=None):
    """The text of a format with arguments that differ, and these by their
    numbers; with args, of a translation."""
    given = {} if args is None else args
    count = 0

    def conversion(match):
        nonlocal count
        number, _, width, precision, kind = match.groups()
        if kind == "%":
            return "%"
        count += (width == "*") + (precision == "*") + 1
        at = int(number) if number else count
        if args is None:
            given[at] = {"s": "w%dq" % at, "c": "Q", "g": "%d.5" % at,
                         "f": "%d.5" % at}.get(kind, "%d%d" % (at + 6, at))
        return "" if kind == "s" and precision == "0" else given[at]

    return CONVERSION.sub(conversion, fmt), given


def unescaped(text):
    return text.replace('\\"', '"').replace("\\\\", "\\")


def say(h, lines):
    done = h.run([PROBE], stdin="".join(line + "\n" for line in lines))
    return done.out.split("\n")[:-1]


def adjoin(fmt):
    """Whether two arguments have nothing between them, so that only one end of
    them is seen."""
    return re.search(r"%[^%\s]*?s%|%[^%\s]*?[dugxfz]%[^%\s]*?[dugxfz]", fmt)


def test_said(t):
    """Each message is found in its English text, whatever its arguments."""
    wanted = []
    for fmt, told in entries().items():
        # a slot of a stanza; a backslash, which the probe takes for "\\n"
        if (len(told) > 1 or "<PRI" in fmt or not fmt.strip() or
                ("{" in fmt and "%" in fmt) or "\\\\" in fmt or
                len(re.sub("[^A-Za-z]", "", CONVERSION.sub("", fmt))) < 3):
            continue
        english, args = made(unescaped(fmt))
        wanted.append((fmt, english, made(unescaped(told[0]), args)[0]))
    enough = len(wanted) > 2500
    wanted = tap.sample(wanted)
    with German() as h:
        got = say(h, [english for _, english, _ in wanted])
    wrong = [(fmt, german, said) for (fmt, _, german), said in
             zip(wanted, got) if german != said and not adjoin(fmt)]
    t.ok(enough and len(got) == len(wanted) and not wrong,
         "each of %d messages is found in the text that is made with it" %
         len(wanted), len(got), len(wrong), wrong[:20])


def test_errors(t):
    with German() as h:
        for argv, status, said in (
                ([AI, "do", "--no-such"], 2,
                 "ai: unbekannte Option '--no-such' (--help)\n"),
                ([AI, "do", "--plan", "nicht-da.json"], 2,
                 "ai: --plan: nicht-da.json: Datei oder Verzeichnis nicht "
                 "gefunden\n"),
                ([AI, "run", "--provider", "openai", "--model", "x", "y z"], 3,
                 "ai: OpenAI braucht einen Schl\u00fcssel. Abhilfe: "
                 "OPENAI_API_KEY setzen, oder api_key_file in [model] der "
                 "Einstellungen, oder --offline benutzen\n"),
                ([AGENTSH, "preview", "drop", "zz"], None,
                 "agentsh: kein solcher Probelauf: 'zz'\n"),
                ([AGENTSH, "exec", "--profile", "x", "--", "ls"], 2,
                 "ist eines von read-only|"),
                ([AGENTSH, "policy", "add", "ask x"], 2,
                 "agentsh: das zweite Wort muss command, read, write, host, "
                 "tool, action oder risk sein, nicht \"x\"\n")):
            done = h.run(argv)
            t.ok(said in done.err and (status is None or
                                       done.status == status),
                 "%s: its error is in German" % " ".join(argv[1:]),
                 done.status, done.err)
        for command, why in (
                ("git push --force", "git push \u00fcberschreibt dort die "
                 "Geschichte"),
                ("rm -rf /", "w\u00fcrde l\u00f6schen oder "
                 "\u00fcberschreiben: /, die Wurzel aller Dateien"),
                ("echo x > ~/.profile", "\u00e4ndert"),
                ("no-such-x $y", "no-such-x ist ein unbekannter Befehl")):
            done = h.run([AGENTSH, "policy", "test", command])
            t.ok(why in done.out and "denn" in done.out and
                 not ENGLISH.search(done.out.partition("denn")[2]),
                 "%s: the guard's reason is in German" % command, done.out)
        done = h.run([AI, "do", "--plan", save(h, step(1, "rm -rf /")), "--yes"])
        t.ok("Schritt 1: w\u00fcrde l\u00f6schen oder \u00fcberschreiben: /, "
             "die Wurzel aller Dateien" in done.err and done.status == 5,
             "so is a refusal, with the reason in it", done.err)
        term, status = drive(h, [AI, "do", "--plan", save(
            h, step(1, "crontab -r"))], [("a[b]brechen", "b")])
        text = " ".join(term.text().split())
        t.ok(status == 5 and "crontab l\u00f6scht alle geplanten Jobs" in text,
             "so is the review's reason", term.text())
        run = re.findall(r'"run":"([^"]*)"',
                         h.run([AI, "log", "-n", "1", "-o", "json"]).out)[0]
        done = h.run([AI, "log", run])
        t.ok("crontab l\u00f6scht alle geplanten Jobs" in done.out,
             "so is what ai log shows of it", done.out)
        done = h.run([AI, "log", run, "-o", "json"])
        t.ok("crontab deletes all scheduled jobs" in done.out,
             "while the journal has it in English", done.out)
        done = h.run([AI, "do", "--plan", save(h, step(1, "ls nicht-da")),
                      "--yes", "--quiet"])
        t.ok("Schritt 1 ist mit Status 2 fehlgeschlagen" in done.err,
             "so is a step's failure", done.err)
        done = h.run([AI, "do", "--plan", save(h, step(1, "ls nicht-da")),
                      "--yes", "-o", "json"])
        t.ok("step 1 failed with exit status 2" in done.out,
             "which a program reads in English", done.out)


def test_sandbox(t):
    """What the launcher, a child of ours, stopped."""
    with German() as h:
        done = h.run([AGENTSH, "exec", "--", "touch", "/usr/nicht-da"])
        if done.status == 125:
            t.skip("a blocked command in German", "no sandbox here")
            return
        t.ok("blockiert: /usr/nicht-da schreiben (Profil workspace-write: nur "
             in done.err and "ist schreibbar); im Profil full ausf\u00fchren"
             in done.err, "what the sandbox blocked is told in German",
             done.err)


def test_bounds(t):
    """Arguments are as they were; a text made to take long does not."""
    with German() as h:
        told = say(h, ["--plan: a b; rm deletes files: No such file or "
                       "directory", "x: profile", "\u00e4: %s%n", "a: b; " * 900,
                       "step 1: " * 400, "%s" * 900, "is is: " * 500,
                       "find deletes what it finds", "blocked: writing to salt and pepper",
                       'no rule "deletes files"'])
        t.is_(told[:3], ["--plan: a b; rm l\u00f6scht Dateien: Datei oder "
                         "Verzeichnis nicht gefunden", "x: profile",
                         "\u00e4: %s%n"], "words and names stay as they are")
        t.ok("salt and pepper" in told[8] and "deletes files" in told[9],
             "so is what has few words, or stands in quotes", told[8:])
        t.is_(told[7], "find l\u00f6scht, was es findet",
              "a name before what it does stays in front")
        t.ok(len(told) == 10 and told[3] == "a: b; " * 900 and
             told[5] == "%s" * 900, "a long text is whole")
        start = time.monotonic()
        say(h, ["a: b; step 1 needs x: " * 300] * 20)
        t.ok(time.monotonic() - start < 10, "in bounded time",
             time.monotonic() - start)


def without_times(value):
    if isinstance(value, dict):
        return {k: without_times(v) for k, v in value.items()
                if not re.search(r"time|ms$|run$|since|session|pid|directory|"
                                 r"sha256", k)}
    if isinstance(value, list):
        return [without_times(v) for v in value]
    return re.sub(r"/tmp/\S*|agentsh-test-\w+|\d+ms|\d{8}-\d+-\w+", "",
                  value) if isinstance(value, str) else value


def programs_read(h):
    """What programs read, of one session: statuses, JSON and the journal."""
    path = plan(h)
    told = []
    for argv in (["ai", "do", "--plan", path, "-o", "json"],
                 ["ai", "do", "--plan", path, "--dry-run", "-o", "json"],
                 ["ai", "do", "--plan", path, "--no-such", "-o", "json"],
                 ["ai", "do", "--plan", "nicht-da", "-o", "json"],
                 ["ai", "log", "nicht-da", "-o", "json"],
                 ["agentsh", "policy", "test", "-o", "json",
                  "git push --force; crontab -r"],
                 ["ai", "run", "--offline", "-o", "json", "--yes",
                  "sort alt.txt"],
                 ["ai", "explain", "--offline", "-o", "json", "rm -r a"],
                 ["ai", "fix", "--offline", "-o", "json", "--command", "x",
                  "--status", "0"],
                 ["ai", "run", "--offline", "-o", "jsonl", "--yes",
                  "sort alt.txt"],
                 ["agentsh", "policy", "test", "-o", "json", "rm -rf /"],
                 ["agentsh", "doctor", "-o", "json"],
                 ["ai", "log", "-o", "json"],
                 ["ai", "log", "--verify", "-o", "json"]):
        done = h.run([{"ai": AI, "agentsh": AGENTSH}[argv[0]], *argv[1:]])
        lines = [json.loads(line) for line in done.out.splitlines() if line]
        if argv[1] == "doctor":  # the state of the home differs
            lines = [sorted(line) for line in lines]
        told.append((argv[:2], done.status, without_times(lines)))
    return told


def test_programs(t):
    with German() as h:
        german = programs_read(h)
        ran = h.run([AI, "log", "-o", "json"]).out
        rows = [h.run([AI, "log", run, "-o", "json"]).out for run in
                re.findall(r'"run":"([^"]*)"', ran)]
    with home.Home() as h:
        english = programs_read(h)
    for one, other in zip(german, english):
        t.is_(one, other, "%s: exit status and JSON are the same in both "
              "languages" % " ".join(one[0]))
    words = {w for told in entries().values() for w in told
             if len(w) > 12 and " " in w.strip() and "%" not in w}
    t.ok(len(rows) > 3 and not [w for w in words for r in rows if w in r],
         "the journal is English", [w for w in words for r in rows if w in r])


WRONG = r"""msgid ""
msgstr "Language: de\nContent-Type: text/plain; charset=UTF-8\n"

msgid "no such run: '%.60s'"
msgstr "Lauf %n%s%s"

msgid "out of memory"
msgstr "Speicher %s"

msgid "nothing is run"
msgstr "nichts"
"""


def test_wrong_formats(t):
    """A catalogue cannot make printf(3) read or write what is not there."""
    with German() as h:
        place = os.path.join(h.folder("wrong"), "de", "LC_MESSAGES")
        os.makedirs(place)
        source = os.path.join(place, "agentsh.po")
        with open(source, "w", encoding="utf-8") as out:
            out.write(WRONG)
        tool("msgfmt", "-o", source[:-2] + "mo", source)
        h.env["AGENTSH_LOCALE_DIR"] = os.path.join(place, "..", "..")
        t.is_(say(h, ["out of memory", "no such run: 'x'", "nothing is run"]),
              ["out of memory", "no such run: 'x'", "nichts"],
              "a translation that takes other arguments is not used")


def main():
    t = tap.Tap()
    t.once()
    if not shutil.which("msgfmt") or not shutil.which("xgettext"):
        t.skip_all("gettext's tools are not here")
        return
    test_catalogue(t)
    test_menus(t)
    test_slots(t)
    with German() as h:
        made = h.made
    if not made or not os.path.exists(os.path.join(
            home.BUILDDIR, "po", "de", "LC_MESSAGES", "agentsh.mo")):
        t.skip("a session in German", "no locale can be made here")
        t.done()
        return
    for test in (test_said, test_wrong_formats, test_bounds, test_errors, test_sandbox,
                 test_review, test_undo_and_fix, test_engine, test_help,
                 test_programs):
        test(t)
    t.done()


if __name__ == "__main__":
    main()
