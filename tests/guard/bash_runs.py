# SPDX-License-Identifier: GPL-3.0-or-later
"""bash_runs.py - lines, run by bash behind the walls of the sandbox, and read
by the guard: for test_bash.py and test_help.py."""

import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.environ.get("top_srcdir", "."),
                                "tests", "lib"))
import tap  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
BUILD = os.path.abspath(os.environ.get("top_builddir", "build"))
PRINTER = os.path.join(BUILD, "tests", "guard", "print_calls")
AGENTSH = os.path.join(BUILD, "agentsh")
# What writes in the workspace and nowhere else.
PROFILE = "workspace-write" if tap.is_here("namespaces") else "reduced"
with open(os.path.join(HERE, "run_lines.py"), encoding="utf-8") as runner:
    RUNNER = runner.read()


def sandboxed(workspace, *command):
    return [AGENTSH, "exec", "--profile", PROFILE, "--workspace", workspace,
            "--", *command]


def bash_ran(lines, any_change=False):
    """For each line whether it made the file M, or changed anything."""
    scratch = tempfile.mkdtemp(prefix="agentsh-bash-")
    work = os.path.join(scratch, "work")
    os.mkdir(work)
    what = ["any"] if any_change else []
    try:
        run = subprocess.run(
            sandboxed(work, "python3", "-c", RUNNER, *what), check=True,
            cwd=work, stdout=subprocess.PIPE,
            env={"PATH": "/usr/bin:/bin", "HOME": scratch, "LC_ALL": "C"},
            input=b"".join(line.encode() + b"\0" for line in lines))
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    if len(run.stdout) != len(lines):
        raise SystemExit("of %d lines %d were run" % (len(lines),
                                                      len(run.stdout)))
    return [c == ord("T") for c in run.stdout]


def has_sandbox():
    try:
        bash_ran([":"])
    except subprocess.CalledProcessError:
        return False
    return True


def guard_read(lines):
    """For each line its facts, and the words of its calls."""
    run = subprocess.run([PRINTER, "-r"], stdout=subprocess.PIPE, check=True,
                         input=b"".join(line.encode() + b"\0"
                                        for line in lines))
    records = run.stdout.decode(errors="replace").split("\0")[:-1]
    if len(records) != len(lines):
        raise SystemExit("print_calls read %d lines of %d" % (len(records),
                                                              len(lines)))
    found = []
    for record in records:
        facts, *calls = record.split("\x1e")[:-1]
        found.append((int(facts), [call.split("\x1f")[:-1]
                                   for call in calls]))
    return found
