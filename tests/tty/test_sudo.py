# SPDX-License-Identifier: GPL-3.0-or-later
"""test_sudo.py - steps that become root by the real sudo, with a real password.

It is typed on a terminal, as a person does, by a user who is in a mount
namespace of the test's own (tests/lib/sudoer.py).
"""

import json
import os
import shutil
import signal
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))

import home
import sudoer
import tap
from review import AI, MENU, save, step

AGENTSH = home.program("agentsh")
WORD = "Type yes to run step"
ASKS = "password for " + sudoer.NAME
REFUSED = "which agentsh does not run here: "


def propose(p, h, *steps):
    """Shows a plan, up to the first question."""
    path = save(h, *steps)
    os.chown(path, sudoer.UID, sudoer.UID)
    p.send("%s do --plan %s\r" % (AI, path))
    return p.wait_for(MENU)


def begin(p, h, *steps):
    """The same, with a yes to the plan and to its first privileged step."""
    if not propose(p, h, *steps):
        return False
    p.send("r")
    if not p.wait_for(WORD):
        return False
    p.send("yes\r")
    return True


def status(p):
    text = p.ask("echo status=$?") or ""
    return text[text.rfind("status=") + 7:].split()[0]


def press(p, key):
    """Presses a key until the prompt comes: sudo itself misses a Ctrl-C in the
    moment after it has asked."""
    for _ in range(20):
        p.send(key)
        text = p.until_prompt(1)
        if text is not None:
            return text
    return None


def log_of(h):
    """The rows of the last run, as the user sees them."""
    def become():
        os.setgroups([])
        os.setresgid(sudoer.UID, sudoer.UID, sudoer.UID)
        os.setresuid(sudoer.UID, sudoer.UID, sudoer.UID)

    def rows(*words):
        done = subprocess.run([AI, "log", *words, "-o", "json"], cwd=h.work,
                              env=h.env, capture_output=True, check=False,
                              preexec_fn=become, timeout=30)
        return json.loads(done.stdout or b"{}")
    return rows(rows()["runs"][0]["run"])


def holds(path, secret):
    try:
        with open(path, "rb") as file:
            return secret in file.read()
    except OSError:
        return False


def found_in_processes(secret):
    """Who has it in its words or its environment."""
    return [home.name_of(pid) for pid in home.pids()
            for name in ("environ", "cmdline")
            if holds("/proc/%d/%s" % (pid, name), secret)
            and pid != os.getpid()]


def found_in_memory(h, secret):
    """Which of our own programs has it in its memory."""
    found = []
    for pid, name in h.left(closed=True).items():
        if "agentsh" not in name and "/ai " not in name:
            continue
        with open("/proc/%d/maps" % pid, encoding="ascii") as maps, \
                open("/proc/%d/mem" % pid, "rb") as memory:
            for line in maps:
                first, last = (int(x, 16)
                               for x in line.split()[0].split("-"))
                # the shadow of a sanitizer has no bytes of the program
                if " r" not in line or "[v" in line or last - first > 1 << 30:
                    continue
                try:
                    memory.seek(first)
                    if secret in memory.read(last - first):
                        found.append(name)
                except (OSError, ValueError, OverflowError):
                    pass
    return found


def found_in_files(h, secret):
    return [os.path.join(folder, name)
            for top in filter(None, (h.root, h.memory, "/run/sudo"))
            for folder, _, names in os.walk(top) for name in names
            if holds(os.path.join(folder, name), secret)]


def asked_once(t, m, h, p, before):
    secret = m.password.encode()
    t.ok(begin(p, h, step(1, "sudo sh -c 'echo out; echo err >&2; id -u; "
                             "touch %s; until [ -e %s ]; do :; done'" %
                          (h.path("runs"), h.path("go"))),
               step(2, "echo x | sudo tee made >/dev/null"),
               step(3, "sudo -k")) and p.wait_for(ASKS),
         "the real sudo asks, on the terminal", p.text()[-900:])
    t.is_(found_in_processes(secret), [], "nobody has the password yet")
    p.send(m.password + "\r")
    t.ok(tap.poll(lambda: os.path.exists(h.path("runs"))),
         "with the password it runs", p.text()[-900:])
    t.is_(found_in_processes(secret), [],
          "no word and no environment of a process has it")
    t.is_(found_in_memory(h, secret), [], "nor has our memory")
    with open(h.path("go"), "w", encoding="ascii"):
        pass
    at = len(p.seen)
    for n in (2, 3):
        t.ok(p.wait_for(WORD + " %d" % n), "step %d is asked about by itself" %
             n, p.text()[-900:])
        p.send("yes\r")
    p.until_prompt()
    t.ok(all("\n%s\r" % x in p.seen[at:] for x in ("out", "err", "0")),
         "its output is shown", p.seen[at:])
    t.ok("password" not in p.seen[at:],
         "sudo's ticket holds: it asks once for all steps", p.seen[at:])
    t.is_(status(p), "0", "all of it succeeded")
    t.ok(h.read("made") == "x\n" and
         os.stat(h.path("made")).st_uid == 0, "and was done by root")
    t.is_(sudoer.modes(p), before, "the terminal is as before")
    got = log_of(h)
    ran = [r["event"] for r in got["rows"] if r["kind"] in ("ran", "step")]
    text = json.dumps(got)
    t.ok("out\\\\n" in text or "out\\n" in text or "out" in text,
         "the record has the output", text)
    t.is_(found_in_files(h, secret), [], "no file has the password", ran)
    t.ok(m.password not in p.seen, "and the screen never showed it")


def cancelled(t, h, p, before):
    sudoer.forget()
    begin(p, h, step(1, "sudo id"), step(2, "touch next"))
    p.wait_for(ASKS)
    text = press(p, "\x03")
    t.ok(text and "interrupted in step 1" in text,
         "Ctrl-C where sudo asks ends the plan", text)
    t.is_(status(p), "130", "as an interrupted one")
    t.ok(not os.path.exists(h.path("next")), "and nothing else runs")
    t.is_(sudoer.modes(p), before, "the terminal echoes again")


def in_german(t, h):
    """What sudo says in another language is known as well."""
    env = {"LC_ALL": "C.UTF-8", "LANGUAGE": "de"}
    says = subprocess.run(["sudo", "-n", "-u", "nobody", "-k", "true"],
                          preexec_fn=lambda: os.setresuid(*[sudoer.UID] * 3),
                          env={**os.environ, **env}, capture_output=True,
                          text=True, check=False).stderr
    if "Passwort" not in says:
        t.skip("sudo in German", "it has no German here: " + says.strip())
        return
    p = sudoer.person(h, **env)
    sudoer.forget()
    begin(p, h, step(1, "sudo id"), step(2, "touch next"))
    t.ok(p.wait_for("Passwort f"), "sudo asks in German", p.text()[-900:])
    text = press(p, "\x03")
    t.ok(text and "interrupted in step 1" in text and "Passwort ist" in text,
         "Ctrl-C where it asks ends the plan, in German too", text)
    t.is_(status(p), "130", "as an interrupted one")
    p.child.close(True)


def interrupted(t, m, h, p, before):
    sudoer.forget()
    begin(p, h, step(1, "sudo sh -c 'echo on; exec sleep 1917'"))
    p.wait_for(ASKS)
    p.send(m.password + "\r")
    p.wait_for("on\r")
    text = press(p, "\x03")
    t.ok(text and "interrupted in step 1" in text,
         "Ctrl-C reaches what sudo runs", text)
    t.is_(status(p), "130", "and ends the plan")
    t.ok(tap.poll(lambda: not [n for n in map(home.name_of, home.pids())
                               if n.startswith("sleep 1917")]),
         "nothing goes on")
    t.is_(sudoer.modes(p), before, "the terminal is as before that")


def wrong(t, h, p, before):
    sudoer.forget()
    begin(p, h, step(1, "sudo touch made-by-root"))
    for n in range(3):
        t.ok(p.wait_for(ASKS), "it asks for the %d. time" % (n + 1), p.text()[-900:])
        p.send("wrong\r")
    t.ok(p.wait_for("3 incorrect password attempts") and p.wait_for("etry"),
         "after three wrong ones it says so, and the step has failed",
         p.text()[-900:])
    p.send("q")
    p.until_prompt()
    t.is_(status(p), "1", "as its exit status says")
    t.ok(not os.path.exists(h.path("made-by-root")), "nothing was done")
    t.is_(sudoer.modes(p), before, "and the terminal is as before")


def not_asked(t, h, p):
    sudoer.forget()
    before = len(p.text())
    begin(p, h, step(1, "sudo -n id"))
    failed = p.wait_for("etry")
    text = p.text()[before:]
    t.ok(failed and "interrupted" not in text,
         "where sudo -n has no ticket the step fails: nobody interrupted it",
         text)
    p.send("q")
    p.until_prompt()


def suspended(t, m, h, p, before):
    sudoer.forget()
    begin(p, h, step(1, "sudo sh -c 'echo on; read x </dev/tty; echo =$x='"))
    p.wait_for(ASKS)
    p.send(m.password + "\r")
    p.wait_for("on\r")
    # sudo starts it in the background, until it reads the terminal
    tap.poll(lambda: sudoer.is_raw(p))
    p.send("\x1a")
    t.ok(p.until_prompt() is not None, "Ctrl-Z stops all of it", p.text()[-900:])
    t.is_(sudoer.modes(p), before, "the shell has its terminal")
    p.send("fg\r")
    p.send("typed\r")
    text = p.until_prompt()
    t.ok(text and "=typed=" in text, "and fg gives it back", text)
    t.is_(sudoer.modes(p), before, "after which it is as before")


def hidden_ticket(t, h, p):
    """The ticket of the session is there: no other step gets it."""
    text = p.ask("sudo -n true && echo ticket-$((40+2))")
    t.ok("ticket-42" in (text or ""), "(a ticket is held)", text)
    with open(h.path("script"), "w", encoding="ascii") as out:
        out.write("#!/bin/sh\nsudo -n id -u > got 2>&1; id -u >>got\n")
    os.chmod(h.path("script"), 0o755)
    for command in ("./script", "sh -c \"$(cat script)\"",
                    "x=su; ${x}do -n id -u > got 2>&1"):
        if os.path.exists(h.path("got")):
            os.unlink(h.path("got"))
        propose(p, h, step(1, command))
        p.send("r" if "[r]un" in p.text()[-200:] else "q")
        for _ in range(4):
            n = p.child.expect_exact([WORD, "etry", "[q]uit", "PROMPT> "],
                                     timeout=15)
            p.keep()
            if n == 3:
                break
            p.send(("yes\r", "q", "r")[n])
        t.ok(not h.read("got").startswith("0"),
             "a sudo that the line does not show gets no ticket: " + command,
             h.read("got"), p.text()[-900:])


# What the guard or sudo itself would not stop, each a way to get the password
# or the rights of root by what a person does not see.
TRICKS = (
    ("sh -c 'sudo id'", "hides"),
    ("env X=1 sudo id", "hides"),
    ("echo id | xargs sudo", "read"),
    ("su -c id", "hides"),
    ("./sudo id", "not this machine's own"),
    ("echo pw | sudo -S id", "-S"),
    ("sudo -nS id", "-S"),
    ("sudo --stdin id", "--stdin"),
    ("SUDO_ASKPASS=./ask sudo -A id", "SUDO_ASKPASS"),
    ("sudo -A id", "-A"),
    ("sudo -s", "-s"),
    ("sudo -i", "-i"),
    ("sudo LD_PRELOAD=./x.so id", "LD_PRELOAD"),
    ("LD_PRELOAD=./x.so sudo id", "LD_PRELOAD"),
    ("PATH=.:$PATH sudo id", "PATH"),
    ("export PATH=.:/usr/bin; sudo id", ""),
    ("read PATH <<<.; sudo id", ""),
    ("hash -p ./sudo sudo; sudo id", ""),
    ("alias sudo=./sudo; sudo id", "alias"),
    ("sudo() { ./sudo; }; /usr/bin/sudo id", ""),
    ("enable -f ./x.so sudo; sudo id", ""),
    ("for PATH in .; do sudo id; done", ""),
    ("sudo $HIDDEN", ""),
    ("sudo -u $HIDDEN id", ""),
    ("eval sudo id", ""),
    ("sudo -p 'GitHub password: ' id", "-p"),
)


def tricks(t, h, p):
    for name in ("sudo", "ask"):
        with open(h.path(name), "w", encoding="ascii") as out:
            out.write("#!/bin/sh\ntouch %s\n" % h.path("tricked"))
        os.chmod(h.path(name), 0o755)
    for command, why in TRICKS:
        propose(p, h, step(1, command))
        shown = p.seen.rfind("A test")
        t.ok("[r]un" not in p.seen[shown:] and "[i]nsert" in p.seen[shown:],
             "not run here: " + command, p.text()[-700:])
        p.send("q")
        text = " ".join((p.until_prompt() or "").split())
        t.ok(REFUSED in text and why in text, "and it says why: " + command,
             text)
    p.ask("PATH=.:$PATH")
    propose(p, h, step(1, "sudo id"))
    p.send("q")
    text = " ".join((p.until_prompt() or "").split())
    t.ok(REFUSED in text, "nor where PATH has a place that is not root's",
         text)
    t.ok(not os.path.exists(h.path("tricked")), "nothing of that has run")


MANIFEST = {
    "name": "mine", "version": "1", "summary": "asks", "executable": "run",
    "needs": {"privileged": ["/usr/bin/id", "/usr/bin/true"]},
    "actions": {"go": {"summary": "asks for it", "destructive": False,
                       "args": {"type": "object"}}},
}
PROGRAM = r"""#!/bin/sh
read -r line
printf '%s\n' '{"event":"need","argv":["WORDS"],"privileged":true}'
read -r line
line=$(printf %s "$line" | sed 's/[\\"]/\\&/g')
printf '{"ok":true,"stdout":"%s","stderr":"","meta":{}}\n' "$line"
"""


def plant(h, words):
    folder = os.path.join(h.env["XDG_DATA_HOME"], "agentsh", "plugins", "mine")
    os.makedirs(folder, 0o700, exist_ok=True)
    with open(os.path.join(folder, "plugin.json"), "w",
              encoding="utf-8") as out:
        json.dump(MANIFEST, out)
    with open(os.path.join(folder, "run"), "w", encoding="utf-8") as out:
        out.write(PROGRAM.replace("WORDS", words))
    os.chmod(os.path.join(folder, "run"), 0o700)
    sudoer.own(h)


def trust(p):
    p.send("%s tool trust mine\r" % AGENTSH)
    p.wait_for("[n]o")
    p.send("y")
    p.until_prompt()


def tools(t, m, h, p, before):
    plant(h, '/usr/bin/id","-u')
    trust(p)
    sudoer.forget()
    begin(p, h, step(1, "true", tool="mine", action="go", args={}))
    t.ok(p.wait_for("as root: ") and
         p.wait_for("Type yes to run this as root") and
         "/usr/bin/id -u" in p.text()[-200:],
         "what a tool wants run as root is asked about", p.text()[-900:])
    p.send("yes\r")
    t.ok(p.wait_for(ASKS), "and sudo asks for the password", p.text()[-900:])
    p.send(m.password + "\r")
    text = p.until_prompt() or ""
    t.ok("\n0\n" in text.replace("\r", ""), "root's command has run", text)
    t.is_(status(p), "0", "and the tool has answered")
    t.is_(sudoer.modes(p), before, "and the terminal is as before")


def called(t, h, p):
    """Without a terminal: sudo -n."""
    line = '{"tool":"mine","action":"go"}'
    for words, password in (('/usr/bin/true', False), ('/usr/bin/id', True)):
        plant(h, words)
        trust(p)
        sudoer.forget()
        text = p.ask("echo '%s' | setsid -w %s tool call; echo st=$?" %
                     (line, AGENTSH))
        t.ok(text and ("PERMISSION_DENIED" in text) == password,
             "without a terminal sudo -n is tried: " + words, text)
        if password:
            t.ok("needs root (sudo: " in text and
                 "sudo /usr/bin/id" in text,
                 "and where it needs a password the tool is told", text)


def named(h, name):
    """The process of that name that was started here."""
    for pid in h.left(closed=True):
        try:
            with open("/proc/%d/comm" % pid, encoding="utf-8") as file:
                if file.read().strip() == name:
                    return pid
        except OSError:
            pass
    return 0


def killed(t, h, shell):
    """Each process, while sudo has turned the echo off."""
    for name in ("agentsh-front", "agentsh-launch", "sudo", ""):
        p = sudoer.person(h, shell)
        before = sudoer.modes(p)
        sudoer.forget()
        begin(p, h, step(1, "sudo id"))
        p.wait_for(ASKS)
        what = "%s: %s where sudo asks" % (
            shell, name + " killed" if name else "Ctrl-C")
        pid = named(h, name) if name else 0
        if pid:
            os.kill(pid, signal.SIGKILL)
        else:
            t.ok(not name and press(p, "\x03"), what, p.text()[-500:])
        if name and not p.until_prompt(2):
            press(p, "q")
        if shell == "zsh" and name == "agentsh-front":
            t.skip("modes: " + what, "zsh may be faster than the keeper")
            p.child.close(True)
            continue
        t.ok(tap.poll(lambda: sudoer.modes(p) == before, 5),
             "the terminal is as before: " + what, sudoer.modes(p),
             p.text()[-500:])
        p.child.close(True)


def main():
    t = tap.Tap()
    why = sudoer.missing()
    if why:
        t.skip_all(why)
    m = sudoer.Machine()
    try:
        with home.Home() as h:
            sudoer.own(h)
            p = sudoer.person(h)
            before = sudoer.modes(p)
            t.ok("isig" in before, "(the modes are read)", before)
            asked_once(t, m, h, p, before)
            cancelled(t, h, p, before)
            in_german(t, h)
            interrupted(t, m, h, p, before)
            wrong(t, h, p, before)
            not_asked(t, h, p)
            suspended(t, m, h, p, before)
            hidden_ticket(t, h, p)
            tools(t, m, h, p, before)
            called(t, h, p)
            tricks(t, h, p)
            p.child.close(True)
            for shell, (argv, _) in sudoer.SHELLS.items():
                if shutil.which(argv[0]):
                    killed(t, h, shell)
                else:
                    t.skip(shell, "needs " + argv[0])
            t.ok(p.no_one_left(), "nothing is left", h.left())
    finally:
        m.done()
    t.done()


main()
