# SPDX-License-Identifier: GPL-3.0-or-later
"""git.py - what a step leaves in a workspace is not run by git outside.

Each row is a workspace, one or two commands that run in it one after the
other, and the git that a person runs outside later. The control runs the same
commands without walls: there git has to run the planted program, or the row
proves nothing. A second table is work that has to go on working.
"""

import os
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))
sys.path.insert(0, os.path.dirname(__file__))

import place  # noqa: E402
import tap  # noqa: E402

WRITE = place.WRITE

# Functions of every script. A workspace is R, with one repository in it, and
# $RAN is what a planted program makes.
COMMON = r"""
set -f
repo() { git init -q "$1" && git -C "$1" config user.name a &&
    git -C "$1" config user.email a@b.invalid && echo a >"$1/a" &&
    git -C "$1" add a && git -C "$1" commit -qm one; }
program() { mkdir -p "$(dirname "$1")"; rm -f "$1"
    printf '#!/bin/sh\n: >"%s"\n' "$RAN" >"$1"; chmod +x "$1"; }
# a configuration that makes every git status run the program
evil() { printf '[core]\n\trepositoryformatversion = 0\n\tbare = false\n' >"$1"
    printf "\tfsmonitor = '%s/evil'\n" "$TOP" >>"$1"; program "$TOP/evil"; }
hook() { program "$1/pre-commit"; }
commit() { git -C "$1" -c user.name=a -c user.email=a@b.invalid \
    commit -qm two --allow-empty; }
"""

# name, what makes the workspace, the steps, what a person does outside
REBASE = ("GIT_SEQUENCE_EDITOR=: git rebase -q -i HEAD~1 --exec false || :; ")

ATTACKS = (
    ("a hook is written", "repo .", ["hook .git/hooks"], "commit ."),
    ("a configuration is written", "repo .", ["evil .git/config"],
     "git status"),
    ("a commondir leads elsewhere", "repo .",
     ["mkdir c; cp -r .git/objects .git/refs c/; evil c/config; "
      "echo ../c >.git/commondir"], "git status"),
    ("so it does where a submodule lives",
     "repo m; mkdir -p .git; repo .; mkdir .git/modules; "
     "mv m/.git .git/modules/m; echo 'gitdir: ../.git/modules/m' >m/.git",
     ["mkdir c; cp -r .git/objects .git/refs c/; evil c/config; "
      "echo \"$TOP/c\" >.git/modules/m/commondir"], "git -C m status"),
    ("a directory is closed, then opened", "repo .; repo sub",
     ["chmod 000 sub", "chmod 755 sub; hook sub/.git/hooks"], "commit sub"),
    ("a repository is closed, then opened", "repo .",
     ["chmod 000 .git", "chmod 755 .git; hook .git/hooks"], "commit ."),
    ("one is closed for looking only", "repo .; repo sub",
     ["chmod 311 sub", "chmod 755 sub; hook sub/.git/hooks"], "commit sub"),
    ("one is closed for entering only", "repo .; repo sub",
     ["chmod 644 sub", "chmod 755 sub; hook sub/.git/hooks"], "commit sub"),
    ("submodules are closed, then opened",
     "repo m; repo .; mkdir .git/modules; mv m/.git .git/modules/m; "
     "echo 'gitdir: ../.git/modules/m' >m/.git",
     ["chmod 000 .git/modules", "chmod 755 .git/modules; "
      "hook .git/modules/m/hooks"], "commit m"),
    ("a directory above is moved away and replaced", "repo v/sub",
     ["mv v w; mkdir v; cp -r w/sub v/; hook v/sub/.git/hooks"],
     "commit v/sub"),
    ("it is moved too deep", "repo sub",
     ["mkdir -p a/b/c/d/e/f/g; mv sub a/b/c/d/e/f/g",
      "hook a/b/c/d/e/f/g/sub/.git/hooks"], "commit a/b/c/d/e/f/g/sub"),
    ("it is moved to where packages are", "repo sub",
     ["mkdir -p node_modules/x/y/z; mv sub node_modules/x/y/z/",
      "hook node_modules/x/y/z/sub/.git/hooks"],
     "commit node_modules/x/y/z/sub"),
    ("a repository lies deep", "repo a/b/c/d/e/f",
     ["hook a/b/c/d/e/f/.git/hooks"], "commit a/b/c/d/e/f"),
    ("a package is a repository", "repo node_modules/x; repo node_modules/@s/x",
     ["hook node_modules/x/.git/hooks; hook node_modules/@s/x/.git/hooks"],
     "commit node_modules/x; commit node_modules/@s/x"),
    ("so is what holds the packages", "repo node_modules; repo node_modules/@s",
     ["evil node_modules/.git/config; evil node_modules/@s/.git/config"],
     "git -C node_modules status; git -C node_modules/@s status"),
    ("it is one without a working tree", ":",
     ["for d in node_modules node_modules/@s node_modules/x; do "
      "mkdir -p $d/objects $d/refs; echo 'ref: refs/heads/main' >$d/HEAD; "
      "evil $d/config; git config -f $d/config core.worktree .; done"],
     "for d in . @s x; do (cd node_modules/$d; git status); done"),
    ("a new one stands there", "mkdir -p node_modules/x",
     ["git init -q node_modules/x; evil node_modules/x/.git/config"],
     "git -C node_modules/x status"),
    ("a new repository has hooks", "", ["repo new; hook new/.git/hooks"],
     "commit new"),
    ("it has a hook that is not yet executable", "",
     ["repo new; hook new/.git/hooks; chmod -x new/.git/hooks/pre-commit",
      "chmod +x new/.git/hooks/pre-commit"], "commit new"),
    ("it has such a configuration", "", ["repo new; evil new/.git/config"],
     "git -C new status"),
    ("the workspace becomes one", "", ["repo .; evil .git/config"],
     "git status"),
    ("it has a key that is spelled oddly", "",
     ["repo new; program evil; printf '[Core]FSMonitor=\"\\\n\\\"%s\\\"\"\n' "
      "\"$TOP/evil\" >new/.git/config"], "git -C new status"),
    ("it has a key behind a comment that goes on", "",
     ["repo new; program evil; printf '# \\\n[core]fsmonitor=\"\\\"%s\\\"\" # \\\n' "
      "\"$TOP/evil\" >new/.git/config"], "git -C new status"),
    ("its configuration includes another", "",
     ["repo new; evil x; printf '[include]\n\tpath = %s/x\n' \"$TOP\" "
      ">new/.git/config"], "git -C new status"),
    ("its configuration is written by another name", "",
     ["repo new; ln new/.git/config x", "evil x"], "git -C new status"),
    ("a configuration has another name already", "repo .; ln .git/config x",
     ["evil x"], "git status"),
    ("a hook has another name already",
     "repo .; echo : >x; chmod +x x; ln x .git/hooks/pre-commit",
     ["p=$(mktemp); program $p; cat $p >x"], "commit ."),
    ("a hook is a link", "repo .; echo : >x; chmod +x x; "
     "ln -s ../../x .git/hooks/pre-commit", ["program x"], "commit ."),
    ("a link leads to a hook's link", "repo .; mkdir s t; echo : >t/x; "
     "chmod +x t/x; ln -s t u; ln -s ../u/x s/y; "
     "ln -s ../../s/y .git/hooks/pre-commit",
     ["program v/x; rm u; ln -s v u"], "commit ."),
    ("a bare repository is made", "",
     ["git init -q --bare b; evil b/config; "
      "git config -f b/config core.worktree \"$TOP/b\""],
     "cd b && git status"),
    ("the workspace becomes a bare one", "repo .",
     ["rm .git/HEAD; git init -q --bare x; cp -r x/HEAD x/objects x/refs .; "
      "evil config; git config -f config core.worktree \"$TOP\""],
     "git status"),
    ("a bare one gets a hook", "git init -q --bare b",
     ["program b/hooks/pre-receive"],
     "git clone -q b c 2>/dev/null; cd c; commit .; git push -q"),
    ("a bare one is hidden and shown again", "git init -q --bare b",
     ["mv b/HEAD b/x; mv b/refs b/y", "program b/hooks/pre-receive || :",
      "mv b/x b/HEAD; mv b/y b/refs"],
     "git clone -q b c 2>/dev/null; cd c; commit .; git push -q"),
    ("a linked working tree has its repository elsewhere", "",
     ["repo x; git -C x worktree add -q ../w; rm x/.git/HEAD; mv x/.git y; "
      "rm -r x; evil y/config; echo \"gitdir: $TOP/y/worktrees/w\" >w/.git"],
     "cd w; git status"),
    ("a .git that is a file leads into a repository", "repo .",
     ["mkdir -p s .git/x; cp -r .git/HEAD .git/objects .git/refs .git/x/; "
      "evil .git/x/config; echo 'gitdir: ../.git/x' >s/.git"],
     "git -C s status"),
    ("a .git that is a link is replaced", "repo x; mv x/.git g; "
     "ln -s ../g x/.git", ["rm x/.git; cp -r g h; evil h/config; "
                           "ln -s ../h x/.git"], "git -C x status"),
    ("what it leads to is written", "repo x; mv x/.git g; ln -s ../g x/.git",
     ["evil g/config"], "git -C x status"),
    ("a link that leads to hooks", "", ["repo n; rm -rf n/.git/hooks; hook h; "
     "ln -s ../../h n/.git/hooks"], "commit n"),
    ("a new repository is closed at the end", "",
     ["repo d/n; evil d/n/.git/config; chmod 000 d"],
     "chmod 755 d; git -C d/n status"),
    ("its directory can only be listed", "",
     ["repo d/n; evil d/n/.git/config; chmod 444 d"],
     "chmod 755 d; git -C d/n status"),
    ("it cannot be written to at the end", "",
     ["repo n; evil n/.git/config; hook n/.git/hooks; chmod 555 n/.git"],
     "chmod 755 n/.git; git -C n status; commit n"),
    ("core.hooksPath names a directory", "repo .; mkdir h; "
     "git config core.hooksPath h", ["hook h"], "commit ."),
    ("it names one that is not there", "repo .; "
     "git config core.hooksPath h/_", ["hook h/_"], "commit ."),
    ("it names one by a link", "repo .; mkdir h; ln -s h l; "
     "git config core.hooksPath l", ["hook g; rm l; ln -s g l"], "commit ."),
    ("the person's own hooksPath is in each repository", "repo .; "
     "git config --global core.hooksPath .hooks", ["hook .hooks"],
     "commit ."),
    ("or in the workspace", "repo .; mkdir h; "
     "git config --global core.hooksPath \"$TOP/h\"", ["hook h"], "commit ."),
    ("in a new repository too", "git config --global core.hooksPath .hooks",
     ["repo n; hook n/.hooks"], "commit n"),
    ("a file is included", "repo .; : >inc; git config include.path ../inc",
     ["evil inc"], "git status"),
    ("one that is not there is included", "repo .; "
     "git config include.path ../inc", ["evil inc"], "git status"),
    ("what an included file includes", "repo .; : >x; printf '[include]\n"
     "\tpath = x\n' >inc; git config include.path ../inc", ["evil x"],
     "git status"),
    ("a program of the workspace is named", "repo .; echo : >fs; chmod +x fs; "
     "git config core.fsmonitor ./fs", ["program fs"], "git status"),
    ("one with arguments, by a shell", "repo .; echo : >tool; "
     "git config filter.f.clean 'sh ./tool --x'; echo '* filter=f' "
     ">.gitattributes", ["program tool"], "echo b >a; git add a"),
    ("one that is not there yet", "repo .; "
     "git config core.fsmonitor ./fs/run", ["program fs/run"], "git status"),
    ("a driver of the person's is replaced", "repo .; mkdir bin; "
     "echo cat >bin/conv; chmod +x bin/conv; git config --global "
     "diff.d.textconv \"'$TOP/bin/conv'\"; echo '* diff=d' >.gitattributes",
     ["program bin/conv"], "echo b >a; git diff"),
    ("settings of a working tree wait to be read", "repo .",
     ["evil .git/config.worktree"],
     "git config extensions.worktreeConfig true; git status"),
    ("they wait in a linked one", "repo .; git worktree add -q w",
     ["evil .git/worktrees/w/config.worktree"],
     "git config extensions.worktreeConfig true; git -C w status"),
    ("a program is named without a repository", "echo : >fs; chmod +x fs; "
     "git config --global core.fsmonitor \"'$TOP/fs'\"",
     ["program fs; repo n"], "git -C n status"),
    ("a program of each repository is named", "git config --global "
     "core.fsmonitor ./fs", ["repo n; program n/fs"], "git -C n status"),
    ("a rebase is to go on", "repo .; echo b >b; git add b; git commit -qm b",
     ["program evil; GIT_SEQUENCE_EDITOR=: git rebase -q -i HEAD~1 --exec "
      "false || :; echo \"exec '$TOP/evil'\" >.git/rebase-merge/git-rebase-todo"],
     "git rebase --continue"),
    ("a rebase is moved in with its directory", "repo .; echo b >b; git add b; "
     "git commit -qm b; " + REBASE + "mv .git/rebase-merge .git/x; "
     "echo \"exec '$TOP/evil'\" >.git/x/git-rebase-todo",
     ["program evil; mv .git/x .git/rebase-merge"], "git rebase --continue"),
    ("its plan is longer than any", "repo .; echo b >b; git add b; "
     "git commit -qm b",
     ["program evil; " + REBASE + "{ head -c 1100000 /dev/zero | "
      "tr '\\0' '#'; echo; "
      "echo \"exec '$TOP/evil'\"; } >.git/rebase-merge/git-rebase-todo"],
     "git rebase --continue"),
    ("it is closed, and opened by the next step", "repo .; echo b >b; "
     "git add b; git commit -qm b",
     ["program evil; " + REBASE + "echo \"exec '$TOP/evil'\" "
      ">.git/rebase-merge/git-rebase-todo; chmod 000 .git/rebase-merge",
      "chmod 700 .git/rebase-merge"], "git rebase --continue"),
    ("files are checked out elsewhere", "mkdir ../other; : >../other/x",
     ["repo n; program n/x; git -C n add x; git -C n commit -qm x; "
      "git -C n config core.worktree \"$TOP/../other\""],
     "git -C n checkout -q -f HEAD; sh ../other/x"),
)

# Work that goes on as it does outside: the last line says so.
WORK = (
    ("a commit with hooks that were there", "repo .; "
     "program .git/hooks/pre-commit; sed -i 's/.*RAN.*/:/' "
     ".git/hooks/pre-commit", "echo b >b; git add b; git commit -qm b; "
     "git log --format=%s -1", "b"),
    ("branches, merges, stash, rebase, gc, fsck", "repo .",
     "git checkout -qb x; echo b >b; git add b; git commit -qm b; "
     "git checkout -q -; echo c >>a; git stash -q; git merge -q x; "
     "git stash pop -q; git commit -qam c; git rebase -q x; git gc -q; "
     "git fsck --no-progress; git log --format=%s -1", "c"),
    ("a linked working tree", "repo .",
     "git worktree add -q w; cd w; echo b >b; git add b; git commit -qm b; "
     "git -C .. log --format=%s -1 w --", "b"),
    ("it goes on working outside", "repo .", "git worktree add -q w",
     "|git -C w log --format=%s -1", "one"),
    ("a clone with submodules", "repo s; repo o; git -C o "
     "-c protocol.file.allow=always submodule add -q ../s s >/dev/null; "
     "git -C o commit -qm s", "git -c protocol.file.allow=always clone -q "
     "--recurse-submodules o c; git -C c/s log --format=%s -1", "one"),
    ("which is not changed afterwards", "repo s; repo o; git -C o "
     "-c protocol.file.allow=always submodule add -q ../s s >/dev/null; "
     "git -C o commit -qm s", "git -c protocol.file.allow=always clone -q "
     "--recurse-submodules o c",
     "|find . -name '*.aside-*'; git -C c/s status --porcelain; "
     "git -C c submodule status | cut -c 1", " "),
    ("a new repository keeps what it was given", "",
     "repo n; git -C n remote add origin https://example.com/x.git",
     "|git -C n config remote.origin.url; git -C n log --format=%s -1", "one"),
    ("its other keys are in the file beside", "",
     "repo n; git -C n config alias.x '!x'; git -C n config user.name b",
     "|git -C n config user.name; git -C n config alias.x || "
     "find n/.git -name 'config.aside-*' -exec grep 'x = ' {} +",
     "\tx = !x"),
    ("a repository in its directory", "repo a/b",
     "echo b >a/b/c; echo d >a/d; rm a/d; echo ok", "ok"),
    ("nothing is left beside", "repo .; repo s; git init -q --bare b",
     ":", "|git status --porcelain | sort; ls .git b | grep -c "
     "'commondir\\|worktree\\|agentsh'", "0"),
)


class Stage:
    """One row's workspace, and a home without any other settings."""

    def __init__(self, uid):
        self.place = p = place.Place(uid)
        shutil.rmtree(p.work)
        os.mkdir(p.work)
        self.own(p.work)
        self.ran = os.path.join(p.work, "ran")

    def own(self, path):
        if self.place.uid is not None:
            os.chown(path, self.place.uid, self.place.uid)

    def script(self, text):
        return ("RAN='%s'; TOP='%s'; export RAN TOP\n%s%s" %
                (self.ran, self.place.work, COMMON, text))

    def outside(self, text):
        return self.place.run(["/bin/sh", "-c", self.script(text)])

    def inside(self, text, profile):
        if profile is None:
            return self.outside(text)
        return self.place.sh(profile, self.script(text),
                             "--readable=%s/.gitconfig" % self.place.home)


def attack(uid, row, profile):
    """Whether git ran the program that was planted, and what was said."""
    _, make, steps, later = row
    stage = Stage(uid)
    with stage.place:
        stage.outside(make)
        errors = "".join(stage.inside(s, profile).stderr for s in steps)
        if os.path.exists(stage.ran):
            os.unlink(stage.ran)
        errors += stage.outside(later).stderr
        return os.path.exists(stage.ran), errors


def attacks(t, uid):
    who = "" if uid is None else ", for somebody"
    for row in tap.sample(ATTACKS):
        ran, errors = attack(uid, row, None)
        t.ok(ran, "%s: outside git runs it%s" % (row[0], who), errors)
        if row[0] == MOVED and not place.WHOLE:
            t.skip(row[0], "needs namespaces")
            continue
        ran, errors = attack(uid, row, WRITE)
        t.ok(not ran, "%s: it does not behind the walls%s" % (row[0], who),
             errors)


# A repository that may be moved, to where none is looked for.
MOVED = "it is moved to where packages are"

# Where nothing is mounted, what was changed is set aside at the end.
REDUCED = ("a hook is written", "a configuration is written",
           "a commondir leads elsewhere", "a new repository has hooks",
           "it has such a configuration")


def reduced(t, uid):
    for row in ATTACKS:
        if row[0] in REDUCED:
            ran, errors = attack(uid, row, "reduced")
            t.ok(not ran, row[0] + ": nor in reduced", errors)


def work(t, uid):
    for name, make, *steps, wanted in tap.sample(WORK):
        stage = Stage(uid)
        with stage.place:
            stage.outside(make)
            got = stage.inside(steps[0], WRITE)
            errors = got.stderr
            if len(steps) > 1:
                got = stage.outside(steps[1][1:])
            t.is_((got.stdout.rstrip("\n") + "\n").split("\n")[-2], wanted,
                  name, errors, got.stderr)


def main():
    t = tap.Tap()
    t.needs("git")
    place.needs_landlock(t)
    for uid in place.users(t):
        attacks(t, uid)
        if place.WHOLE:
            reduced(t, uid)
        work(t, uid)
    t.done()


if __name__ == "__main__":
    main()
