# SPDX-License-Identifier: GPL-3.0-or-later
"""fix.py - what ai fix costs: with the text of the failure at hand, and where
the command is run again."""

import os

import table

COMMAND = "cat READM"
SHOWN = "cat: READM: No such file or directory\n"


def record(place, shown):
    """The last command, as a hook records it: every time another one."""
    folder = os.path.join(place.env["XDG_RUNTIME_DIR"], "agentsh")
    os.makedirs(folder, 0o700, exist_ok=True)
    texts = {"last": "status=1\ncwd=%s\nduration_ms=3\ncommand=%s" %
                     (place.work, COMMAND), "stderr": shown}
    for kind, text in texts.items():
        path = os.path.join(folder, "%s-%d-1" % (kind, os.getpid()))
        if text is None:
            continue
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)
        os.chmod(path, 0o600)


def rows(bench):
    with open(bench.place.path("README"), "w", encoding="utf-8") as out:
        out.write("x\n")
    session = {"AGENTSH_SESSION": "%d-1" % os.getpid()}
    argv = [bench.ai, "fix", "--offline", "--dry-run"]

    def again():
        record(bench.place, None)
        return bench.run(argv, **session)

    def at_hand():
        record(bench.place, SHOWN)
        return bench.run(argv, **session)

    # the second run first: what is at hand is a file that stays
    ran, alone = bench.by_turns(
        again, lambda: bench.run(["bash", "-c", COMMAND]))
    shown, empty = bench.by_turns(at_hand, lambda: bench.run([bench.empty]))
    if any(ran[3]) or any(shown[3]):
        raise RuntimeError("ai fix ended with %d" %
                           max(*ran[3], *shown[3]))
    yield table.Row("ai fix, its text at hand", "us", shown[0], empty[0],
                    "empty C", table.at_most("15 ms", 15000))
    yield table.Row("ai fix, its text at hand, CPU", "us", shown[1], empty[1],
                    "empty C", table.at_most("15 ms", 15000))
    yield table.Row("ai fix, with a second run", "us", ran[0], alone[0],
                    "the command itself",
                    table.at_most_more("40 ms", 40000))
    yield table.Row("ai fix, with a second run, CPU", "us", ran[1], alone[1],
                    "the command itself",
                    table.at_most_more("40 ms", 40000))
