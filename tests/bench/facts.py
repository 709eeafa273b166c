# SPDX-License-Identifier: GPL-3.0-or-later
"""facts.py - what it costs to look at the machine, beside what others print.

A call alone is what one request adds to `agentsh tool call`: its plugin is
started, confined and asked, since none waits yet, and what came of it is
recorded in a journal that is opened for that. What the tool itself takes is
told by a front that runs, which starts and asks it, or asks one that waits.
"""

import json
import shutil

import table
import tools

# tool, its action and arguments, the limit in ms for a call, the peer
FACTS = (
    ("sysinfo", "get", {}, 3, ["free"]),
    ("services", "list", {}, 20, ["ss", "-tulnp"]),
    ("packages", "list", {"name": "libc6"}, 50, ["dpkg-query", "-W"]),
)


def asked(bench, requests):
    """One run of agentsh tool call with these lines to answer."""
    path = bench.place.path("requests")
    with open(path, "w", encoding="utf-8") as out:
        out.writelines(json.dumps(one) + "\n" for one in requests)
    words = bench.run(["sh", "-c", 'cd / && exec "$0" tool call <"$1"',
                       bench.agentsh, path])
    if words[3] != 0:
        raise RuntimeError("agentsh tool call ended with %d" % words[3])
    return words


def called(bench):
    for tool, action, args, limit, _ in FACTS:
        request = {"tool": tool, "action": action, "args": args}
        ours, none = bench.by_turns(lambda: asked(bench, [request]),
                                    lambda: asked(bench, []),
                                    2 * bench.rounds)
        each = [a - b for a, b in zip(ours[0], none[0])]
        yield table.Row("a call of %s, confined afresh" % tool, "us", each,
                        None, "", table.at_most("%d ms" % limit, limit * 1000))


def told(bench):
    """Each with all that it tells, without what a front does beside it."""
    fresh, kept, services = tools.calls(bench, 4 * bench.rounds, "sysinfo",
                                        "sysinfo-kept", "services")
    for name, times, limit in (
            ("sysinfo of a front that runs, a new plugin", fresh, 3),
            ("sysinfo of a front that runs, persistent", kept, 3),
            ("services of a front that runs, a new plugin", services, 20)):
        yield table.Row(name, "us", times, None, "",
                        table.at_most("%d ms" % limit, limit * 1000))


def shown(bench):
    for tool, _, args, limit, peer in FACTS:
        argv = [bench.agentsh, tool, *args.values()]
        if not shutil.which(peer[0]):
            yield table.Skipped("agentsh " + tool, peer[0] + " is not here")
            continue
        ours, theirs = bench.by_turns(lambda: bench.run(argv),
                                      lambda: bench.run(peer),
                                      2 * bench.rounds)
        yield table.Row("agentsh " + tool, "us", ours[0], theirs[0], peer[0],
                        table.at_most("%d ms" % (limit + 10),
                                      (limit + 10) * 1000))


def rows(bench):
    yield from called(bench)
    yield from told(bench)
    yield from shown(bench)
