# SPDX-License-Identifier: GPL-3.0-or-later
"""test_by_name.py - what is run by its name is not written unasked.

Each line is judged in a home and in a workspace below it, with directories of
PATH in both, by the presets that allow most."""

import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))

import tap
from home import Home, program

# cwd, line, what it must have beside not being allowed
ASKED = [
    ("work", "cp x ~/bin/ls", "by-name"),
    ("work", "cp x ~/bin/", "by-name"),
    ("work", "cp x ~/bin", "by-name"),
    ("work", "cp -t ~/bin x", "by-name"),
    ("work", "mv x $HOME/bin/git", "by-name"),
    ("work", "ln -s /tmp/x ~/bin/ls", "by-name"),
    ("work", "install -m 755 x ~/bin/ls", "by-name"),
    ("work", "tar -xf a.tar -C ~/bin", "by-name"),
    ("work", "echo x > ~/bin/ls", "by-name"),
    ("work", "echo x | tee ~/bin/ls", "by-name"),
    ("work", "touch ~/bin/new", "by-name"),
    ("work", "mkdir -p ~/bin/x", "by-name"),
    ("work", "cp x tools/ls", "by-name"),
    ("work", "cp x ./tools/../tools/ls", "by-name"),
    ("work", "touch tools/new", "by-name"),
    ("work", "touch linked/new", "by-name"),
    ("work", "tar -xf a.tar", "by-name"),
    ("work", "mkdir later", "by-name"),
    ("work", "cp x later", "by-name"),
    ("work", "echo x >> ~/.bashrc", "by-name"),
    ("work", "touch ~/.config/autostart/x.desktop", "by-name"),
    ("work", "touch ~/.config/systemd/user/x.service", "by-name"),
    ("work", "touch ~/.local/share/applications/x.desktop", "by-name"),
    ("work", "touch ~/.local/share/bash-completion/completions/ls", "by-name"),
    ("work", "touch ~/.local/lib/python3.11/site-packages/usercustomize.py",
     "by-name"),
    ("work", "touch .git/hooks/pre-commit", "by-name"),
    ("work", "touch sitecustomize.py", "by-name"),
    ("work", "touch /etc/cron.d/x", "by-name"),
    ("work", "touch /etc/profile.d/x.sh", "by-name"),
    ("work", "touch /usr/local/bin/x", "by-name"),
    ("home", "touch notes.txt", "nowhere"),
    ("home", "cp x bin/ls", "by-name"),
    ("home", "cp x ~/bin/ls", "by-name"),
    ("home", "mkdir new", "nowhere"),
    ("home", "echo x > Documents/new", "nowhere"),
    ("root", "touch tmp/agentsh-new", "nowhere"),
    ("above", "touch new", "nowhere"),
]
ALLOWED = [
    ("work", "touch new.txt"),
    ("work", "echo x > sub/new.txt"),
    ("work", "cp x sub/y"),
    ("work", "mkdir binary"),
    ("work", "ls ~/bin"),
    ("home", "ls -la bin"),
    ("home", "cat notes.txt"),
]
PRESETS = "standard", "permissive"


def judge(home, where, line, preset):
    folder = os.path.join(home.env["XDG_CONFIG_HOME"], "agentsh")
    with open(os.path.join(folder, "policy"), "w", encoding="utf-8") as out:
        out.write("preset %s\n" % preset)
    os.chmod(os.path.join(folder, "policy"), 0o600)
    work = home.work
    home.work = where
    try:
        done = home.run([program("agentsh"), "policy", "test", "-o", "json",
                         "--", line])
    finally:
        home.work = work
    return json.loads(done.out)


def prepare(home):
    top = home.env["HOME"]
    work = os.path.join(top, "proj")
    for name in ("bin", "Documents", "proj/sub", "proj/tools", "proj/.git/hooks"):
        os.makedirs(os.path.join(top, name))
    os.symlink("tools", os.path.join(work, "linked"))
    for name in ("x", "notes.txt", "proj/x"):
        with open(os.path.join(top, name), "w", encoding="utf-8") as out:
            out.write("x\n")
    home.env["PATH"] = ":".join([os.path.join(top, "bin"),
                                 os.path.join(work, "tools"),
                                 os.path.join(work, "later"),
                                 home.env["PATH"]])
    return {"work": work, "home": top, "root": "/",
            "above": os.path.dirname(top)}


def main():
    t = tap.Tap()
    with Home() as home:
        places = prepare(home)
        for preset in PRESETS:
            for where, line, fact in ASKED:
                verdict = judge(home, places[where], line, preset)
                t.ok(verdict["decision"] != "allow",
                     "%s, in %s: %s" % (preset, where, line), verdict)
                if preset == "standard":
                    home_policy(home, t, places[where], line, fact)
            for where, line in ALLOWED:
                verdict = judge(home, places[where], line, preset)
                t.is_(verdict["decision"], "allow",
                      "%s, in %s: %s" % (preset, where, line), verdict)
    t.done()


def home_policy(home, t, where, line, fact):
    """With one rule for the fact it is that rule which decides."""
    folder = os.path.join(home.env["XDG_CONFIG_HOME"], "agentsh")
    path = os.path.join(folder, "policy")
    with open(path, "w", encoding="utf-8") as out:
        out.write("deny risk %s\n" % fact)
    os.chmod(path, 0o600)
    work, home.work = home.work, where
    try:
        done = home.run([program("agentsh"), "policy", "test", "-o", "json",
                         "--", line])
    finally:
        home.work = work
    verdict = json.loads(done.out) if done.out else {"decision": done.err}
    t.is_(verdict.get("decision"), "deny", "%s is %s" % (line, fact), verdict)


if __name__ == "__main__":
    main()
