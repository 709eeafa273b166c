# SPDX-License-Identifier: GPL-3.0-or-later
"""bench.py - what agentsh costs, beside what its peers cost.

    make bench [BENCH_ROUNDS=n]

Each row runs ours and the peer by turns and compares the medians. A row that
passes its limit is marked MISSED; the exit status is 0 all the same, since
another program may have had the machine. Where that matters most, a row of
CPU time stands below: it counts only what the process itself did.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "..", "lib"))

import acp  # noqa: E402
import additions  # noqa: E402
import agentctl  # noqa: E402
import bus  # noqa: E402
import conversation  # noqa: E402
import facts  # noqa: E402
import fix  # noqa: E402
import gateway  # noqa: E402
import guest  # noqa: E402
import holds  # noqa: E402
import mcp  # noqa: E402
import mcp_http  # noqa: E402
import home  # noqa: E402
import journal  # noqa: E402
import judgements  # noqa: E402
import servers  # noqa: E402
import prompts  # noqa: E402
import repairs  # noqa: E402
import repl  # noqa: E402
import table  # noqa: E402
import tool_calls  # noqa: E402
import tools  # noqa: E402
import sandbox_cost  # noqa: E402
import undo  # noqa: E402
import wishes  # noqa: E402

COMMAND_LINE = "tar -xzvf a.tgz -C /srv"
PIPELINE = ("find . -type f -printf '%s %p\\n' | sort -rn -k1,1 | "
            "head -n 10")
QUESTION = ["explain", COMMAND_LINE]
CHUNKS = 10000
# Each prompt's difference is small beside what else a shell does.
HOOK_ROUNDS = 5


class Bench:
    """What the rows share."""

    def __init__(self, place, rounds):
        self.place, self.rounds = place, rounds
        self.agentsh, self.ai = home.program("agentsh"), home.program("ai")
        self.measure = os.path.join(home.BUILDDIR, "tests", "bench", "measure")
        self.empty = os.path.join(home.BUILDDIR, "tests", "bench", "empty")

    def run(self, argv, **env):
        """Wall and CPU microseconds, KiB, exit status."""
        done = subprocess.run(
            [self.measure, *argv], cwd=self.place.work, check=True,
            env={**self.place.env, **env}, capture_output=True, text=True)
        return [int(word) for word in done.stdout.split()]

    def by_turns(self, ours, peer, rounds=None):
        """The results of both, each a list of columns. The first turn warms
        the caches of the system and does not count."""
        pairs = [(ours(), peer()) for _ in range((rounds or self.rounds) + 1)]
        return ([list(column) for column in zip(*(a for a, _ in pairs[1:]))],
                [list(column) for column in zip(*(b for _, b in pairs[1:]))])

    def ask(self, server):
        status = (result := self.run([self.ai, *QUESTION],
                                     **server.env()))[3]
        if status != 0:
            raise RuntimeError("ai explain ended with %d" % status)
        return result


def version(bench):
    ours, peer = bench.by_turns(
        lambda: bench.run([bench.agentsh, "--version"]),
        lambda: bench.run([bench.empty]), 5 * bench.rounds)
    yield table.Row("agentsh --version", "us", ours[0], peer[0], "empty C",
                    table.at_most_times(2))
    yield table.Row("agentsh --version, resident", "kb", ours[2], peer[2],
                    "empty C", table.at_most("4 MB", 4096))


def hook(name):
    """A session's runtime directory is in memory, so it is here too."""
    def rows(bench):
        memory_fs = "/dev/shm" if os.path.isdir("/dev/shm") else None
        with tempfile.TemporaryDirectory(dir=memory_fs) as runtime:
            with_hook, without = prompts.measure(
                name, bench.agentsh,
                {**bench.place.env, "XDG_RUNTIME_DIR": runtime},
                HOOK_ROUNDS * bench.rounds)
        for at, what in enumerate(("", ", CPU")):
            yield table.Row("a prompt of %s with the hook%s" % (name, what),
                            "us", [turn[at] for turn in with_hook],
                            [turn[at] for turn in without], "without it",
                            table.at_most_more("0.2 ms", 200))
    return rows


def hook_start(name):
    def rows(bench):
        memory_fs = "/dev/shm" if os.path.isdir("/dev/shm") else None
        with tempfile.TemporaryDirectory(dir=memory_fs) as runtime:
            with_hook, without = prompts.starts(
                name, bench.agentsh,
                {**bench.place.env, "XDG_RUNTIME_DIR": runtime},
                bench.place.folder("start-" + name), 2 * bench.rounds)
        for at, what in enumerate(("", ", CPU")):
            yield table.Row("a start of %s with the hook%s" % (name, what),
                            "us", [turn[at] for turn in with_hook],
                            [turn[at] for turn in without], "without it",
                            table.at_most_more("4 ms", 4000))
    return rows


def line_key(bench):
    """What a shell's key waits for, with the offline engine."""
    words = ["line", "--for-key", "--offline", "--",
             "find files larger than 100M"]
    ours, peer = bench.by_turns(
        lambda: bench.run([bench.agentsh, *words]),
        lambda: bench.run([bench.agentsh, "--version"]))
    yield table.Row("a key, offline", "us", ours[0], peer[0], "--version",
                    table.at_most("30 ms", 30000))


def curl_of(request, port, place):
    """The same request by curl."""
    path, headers, body = request
    with open(place.path("body"), "wb") as out:
        out.write(body)
    argv = ["curl", "-sN", "-o", "/dev/null", "--data-binary",
            "@" + place.path("body")]
    for name, value in headers:
        if name.lower() not in ("host", "content-length", "accept-encoding"):
            argv += ["-H", "%s: %s" % (name, value)]
    return argv + ["http://127.0.0.1:%d%s" % (port, path)]


def recorded(bench):
    """The request that ai explain sends."""
    with servers.Slow() as slow:
        slow.go.set()
        bench.run([bench.ai, *QUESTION], **slow.env())
        if not slow.request:
            raise RuntimeError("ai explain sent no request")
        return slow.request


def explain(bench):
    if not shutil.which("curl"):
        raise FileNotFoundError("curl is not here")
    request = recorded(bench)
    with servers.Fast() as fast:
        argv = curl_of(request, fast.port, bench.place)
        ours, peer = bench.by_turns(lambda: bench.ask(fast),
                                    lambda: bench.run(argv))
    yield table.Row("ai explain, a model at once", "us", ours[0], peer[0],
                    "curl", table.at_most_more("5 ms", 5000))
    yield table.Row("ai explain, CPU", "us", ours[1], peer[1], "curl",
                    table.at_most_more("5 ms", 5000))


def chunks(bench):
    """Many chunks less few, for each chunk; the peer is curl, which only
    writes them."""
    with servers.Fast(CHUNKS) as many, servers.Fast(1) as few:
        ours, peer = bench.by_turns(lambda: bench.ask(many),
                                    lambda: bench.ask(few))
    each = [(a - b) / (CHUNKS - 1) for a, b in zip(ours[1], peer[1])]
    yield table.Row("CPU for each streamed chunk", "us", each, None, "",
                    table.at_most("10 us", 10))


def resident(pid):
    """VmHWM of a process and of its children, in KiB."""
    children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)],
                              capture_output=True, text=True, check=False)
    total = 0
    for one in [str(pid), *children.stdout.split()]:
        with open("/proc/%s/status" % one, encoding="utf-8") as status:
            total += next(int(line.split()[1]) for line in status
                          if line.startswith("VmHWM"))
    return total


def memory(bench):
    sizes = []
    for _ in range(3):
        with servers.Slow() as slow:
            front = subprocess.Popen(
                [bench.ai, *QUESTION], cwd=bench.place.work,
                env={**bench.place.env, **slow.env()},
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL)
            if not slow.asked.wait(10):
                front.kill()
                front.wait()
                raise RuntimeError("ai explain sent no request")
            sizes.append(resident(front.pid))
            slow.go.set()
            front.wait()
    yield table.Row("front and model process, resident", "kb", sizes, None, "",
                    table.at_most("18 MB", 18 * 1024))


def offline(bench):
    """A line of one command and a pipeline, the pages read anew and from the
    cache. Warm once more without the journal, which waits for the disk."""
    cache = bench.place.env["XDG_CACHE_HOME"]
    page = ["man", "-P", "cat", "tar"] if shutil.which("man") else ["true"]
    name = "man tar" if shutil.which("man") else "true"

    def run(line):
        result = bench.run([bench.ai, "explain", "--offline", line])
        if result[3] != 0:
            raise RuntimeError("ai explain ended with %d" % result[3])
        return result

    def cold(line):
        shutil.rmtree(cache, ignore_errors=True)
        os.mkdir(cache, 0o700)
        return run(line)

    for title, do, line, limit in (
            ("cold", cold, COMMAND_LINE, 60),
            ("warm cache", run, COMMAND_LINE, 10),
            ("a pipeline, cold", cold, PIPELINE, 60),
            ("a pipeline, warm", run, PIPELINE, 10)):
        ours, peer = bench.by_turns(lambda: do(line), lambda: bench.run(page))
        yield table.Row("ai explain offline, " + title, "us", ours[0], peer[0],
                        name, table.at_most("%d ms" % limit, limit * 1000))
    bench.place.config("[record]\njournal = false\n")
    ours, peer = bench.by_turns(lambda: run(PIPELINE),
                                lambda: bench.run([bench.agentsh, "--version"]))
    bench.place.config("")
    yield table.Row("the same without a journal", "us", ours[0], peer[0],
                    "--version", table.at_most("5 ms", 5000))
    yield table.Row("the engine alone, warm", "us", engine_times(bench), None,
                    "", table.at_most("1 ms", 1000))


def engine_times(bench):
    """What explaining the pipeline takes inside the process."""
    printer = os.path.join(home.BUILDDIR, "tests", "offline", "print_parts")
    done = subprocess.run([printer, "--time", "20"], check=True,
                          input=(PIPELINE + "\n") * bench.rounds, text=True,
                          env=bench.place.env, capture_output=True)
    return [int(line) for line in done.stdout.split()]


def inside(bench):
    """From a process that is there already, as steps start in the front."""
    done = subprocess.run(
        [os.path.join(home.BUILDDIR, "tests", "bench", "inside"),
         str(20 * bench.rounds), bench.place.work,
         home.program("agentsh-launch"),
         os.path.join(home.BUILDDIR, "plugins", "cmd.run", "cmd.run")],
        env=bench.place.env, check=True, capture_output=True, text=True)
    ours, plain, executed = zip(*(map(int, line.split())
                                  for line in done.stdout.splitlines()))
    yield table.Row("sh -c true, confined by the front", "us", ours, plain,
                    "posix_spawn", table.at_most_more("0.9 ms", 900))
    yield table.Row("the same, the first time", "us", executed, plain,
                    "posix_spawn", table.for_comparison())


ROWS = {
    "version": version,
    "hook-bash": hook("bash"),
    "hook-zsh": hook("zsh"),
    "hook-fish": hook("fish"),
    "start-bash": hook_start("bash"),
    "start-zsh": hook_start("zsh"),
    "start-fish": hook_start("fish"),
    "key": line_key,
    "explain": explain,
    "chunks": chunks,
    "memory": memory,
    "offline": offline,
    "wishes": wishes.rows,
    "conversation": conversation.rows,
    "journal": journal.kept,
    "additions": additions.kept,
    "undo": undo.undone,
    "exec": sandbox_cost.started,
    "inside": inside,
    "opens": sandbox_cost.opened,
    "calls": tools.called,
    "requests": tools.read_by_requests,
    "stream": tools.streamed,
    "facts": facts.rows,
    "fix": fix.rows,
    "judgements": judgements.rows,
    "repairs": repairs.rows,
    "repl": repl.rows,
    "tool-calls": tool_calls.rows,
    "acp-start": acp.started,
    "acp-turn": acp.turns,
    "acp-many": acp.many,
    "acp-hold": acp.held,
    "bus": bus.trips,
    "bus-idle": holds.first(bus.idle),
    "bus-fan": holds.first(bus.fan),
    "bus-replay": holds.first(bus.replay),
    "bus-hold": bus.held,
    "guest": guest.requests,
    "guest-memory": guest.memory,
    "guest-hold": guest.held,
    "agentctl": holds.first(agentctl.calls),
    "agentctl-hold": agentctl.held,
    "gateway-start": holds.first(gateway.started),
    "gateway-event": holds.first(gateway.first_event),
    "gateway": holds.first(gateway.work),
    "gateway-hold": gateway.held,
    "mcp": mcp.calls,
    "mcp-hold": mcp.held,
    "mcp-http": holds.first(mcp_http.rows),
    "spaces-hold": mcp.spaces_held,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("rows", nargs="*", choices=[[], *ROWS])
    args = parser.parse_args()
    rows = []
    with home.Home() as place:
        bench = Bench(place, args.rounds)
        for name in args.rows or ROWS:
            try:
                rows += ROWS[name](bench)
            except (OSError, RuntimeError, subprocess.SubprocessError) as why:
                rows.append(table.Skipped(name, str(why)))
    table.draw(rows)


main()
