#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_worktrees.py - working trees of tasks: made, compared, kept, removed,
and nothing that the repository names is run."""

import os
import subprocess

from probe import HERE  # noqa: F401

import home  # noqa: E402
import tap  # noqa: E402


def git(place, directory, *words):
    return subprocess.run(
        ["git", "-C", directory, *words], capture_output=True, text=True,
        env={**place.env, "GIT_CONFIG_GLOBAL": "/dev/null",
             "GIT_AUTHOR_NAME": "n", "GIT_AUTHOR_EMAIL": "n@x",
             "GIT_COMMITTER_NAME": "n", "GIT_COMMITTER_EMAIL": "n@x"},
        check=True).stdout.strip()


def write(*names, text="text\n"):
    with open(os.path.join(*names), "w", encoding="utf-8") as out:
        out.write(text)


def probe(place, *words):
    return place.run([home.program("worktree-probe"), *words])


def repository(place, repo=None):
    """One whose hook and filters leave a mark in the tree they work in."""
    repo = repo or os.path.join(place.work, "repo")
    os.makedirs(os.path.join(repo, "sub"))
    git(place, repo, "init", "-q", "-b", "main")
    write(repo, "a", text="one\n")
    write(repo, "sub", "b")
    write(repo, ".gitattributes", text="a filter=bad diff=bad\n")
    write(repo, ".gitignore", text="ignored\n")
    git(place, repo, "add", "-A")
    git(place, repo, "commit", "-q", "-m", "first")
    hook = os.path.join(repo, ".git", "hooks", "post-checkout")
    write(hook, text="#!/bin/sh\ntouch hooked\n")
    os.chmod(hook, 0o755)
    for name, value in (("filter.bad.smudge", "touch smudged; cat"),
                        ("filter.bad.clean", "touch cleaned; cat"),
                        ("diff.bad.command", "touch diffed; echo bad"),
                        ("diff.external", "touch diffed; echo bad"),
                        ("core.fsmonitor", "touch watched; false")):
        git(place, repo, "config", name, value)
    return repo


def make(t, place, repo, task):
    done = probe(place, "make", os.path.join(repo, "sub"), task)
    t.is_(done.err, "", "%s: a tree is made" % task)
    return done.out.split("\n")[:2]


def a_place_of_others(t, place, repo):
    """Who may write to the directory of the trees could replace them."""
    beside = repo + ".worktrees"
    os.symlink(place.folder("elsewhere"), beside)
    t.ok("symbolic link is no place" in probe(place, "make", repo, "s1").err,
         "no tree is made where a symbolic link leads")
    os.unlink(beside)
    os.mkdir(beside)
    os.chmod(beside, 0o777)
    t.ok("chmod go-w " + beside in probe(place, "make", repo, "s1").err,
         "nor where others may write")
    os.rmdir(beside)


def nothing_beside(t, place):
    """A repository in a directory that its user cannot write to."""
    title = "a tree that cannot be beside its repository is at home"
    if os.geteuid() == 0:
        t.skip(title, "root can write everywhere")
        return
    shared = place.folder("shared")
    repo = repository(place, os.path.join(shared, "far"))
    os.chmod(shared, 0o555)
    t.is_(make(t, place, repo, "h1")[0],
          os.path.join(place.env["HOME"], "far.worktrees", "h1"), title)
    os.chmod(shared, 0o755)


def change_at_once(place, repo, tree):
    """In the same moment in which git has last looked, and as long as it was:
    by the time of its index git knows that it has to look into the file."""
    git(place, repo, "config", "core.trustctime", "false")
    index = git(place, tree, "rev-parse", "--git-path", "index")
    name = os.path.join(tree, "a")
    then = os.stat(name).st_mtime - 60
    os.utime(name, (then, then))
    git(place, tree, "-c", "core.fsmonitor=false", "-c",
        "filter.bad.clean=cat", "update-index", "--refresh")
    os.utime(os.path.join(tree, index), (then, then))
    write(name, text="two\n")
    os.utime(name, (then, then))


def main():
    t = tap.Tap()
    with home.Home() as place:
        repo = repository(place)
        a_place_of_others(t, place, repo)
        nothing_beside(t, place)
        tree, base = make(t, place, repo, "t1")
        t.is_(tree, repo + ".worktrees/t1", "beside the repository")
        t.is_(base, git(place, repo, "rev-parse", "HEAD"), "of its commit")
        t.is_(sorted(os.listdir(tree)),
              [".git", ".gitattributes", ".gitignore", "a", "sub"],
              "with what is in that, and no hook or filter ran")
        t.is_(probe(place, "diff", tree, base, "10000").out, "",
              "nothing is changed yet")
        again = probe(place, "make", repo, "t1")
        t.ok("already exists" in again.err, "a second one is refused",
             again.err)
        change_at_once(place, repo, tree)
        write(tree, "a new one")
        diff = probe(place, "diff", tree, base, "10000").out
        t.ok("-one\n+two\n" in diff and "b/a new one" in diff,
             "a change and a new file are seen", diff)
        t.ok("bad" not in diff, "by git's own words")
        t.ok(probe(place, "diff", tree, base, "40").out.endswith("\ncut\n"),
             "a long one is cut")
        t.is_(probe(place, "clean", tree).out,
              "kept: it holds changes that are not committed\n",
              "what is not committed is kept")
        left = sorted(os.listdir(tree))
        t.is_(left, [".git", ".gitattributes", ".gitignore", "a", "a new one",
                     "sub"], "nothing ran, and nothing is lost")
        for name in ("filter.bad.clean", "core.fsmonitor"):
            git(place, repo, "config", "--unset", name)
        git(place, tree, "add", "-A")
        git(place, tree, "commit", "-q", "-m", "second", "--no-verify")
        t.ok("+two" in probe(place, "diff", tree, base, "10000").out,
             "a commit is a change from the base")
        t.is_(probe(place, "clean", tree).out,
              "kept: it holds commits that are not merged\n",
              "what is not merged is kept")
        git(place, repo, "merge", "-q", "agentsh/t1")
        write(tree, "ignored")
        t.is_(probe(place, "clean", tree).out, "removed \n",
              "what is merged is removed")
        t.ok(not os.path.exists(repo + ".worktrees"), "with its directory")
        t.is_(git(place, repo, "branch", "--format=%(refname:short)"), "main",
              "and its branch")
        tree, _ = make(t, place, repo, "t2")
        git(place, tree, "checkout", "-q", "--detach")
        t.ok("kept" in probe(place, "clean", tree).out,
             "one whose branch was left is kept")
        for task in ("", "../x", "-x", "a b", "x" * 101):
            t.ok("no id" in probe(place, "make", repo, task).err,
                 "%.6s... is no name of a task" % task)
        t.ok("in no repository" in probe(place, "make", place.work, "t3").err,
             "elsewhere there is none")
        empty = os.path.join(place.work, "empty")
        os.mkdir(empty)
        git(place, empty, "init", "-q")
        t.ok("no commit yet" in probe(place, "make", empty, "t3").err,
             "nor of what has no commit")
        t.ok("no commit" in probe(place, "diff", tree, "--output=x", "9").err,
             "an option is no commit")
    t.done()


if __name__ == "__main__":
    main()
