# SPDX-License-Identifier: GPL-3.0-or-later
"""acp.py - what the agent of an editor costs, beside other agents."""

import contextlib
import glob
import http.client
import os
import re
import subprocess
import sys
import time

import acp_client
import home
import peers
import servers
import table

HERE = os.path.dirname(os.path.abspath(__file__))
AGENTS = ("claude-agent-acp", "codex-acp", "opencode", "gemini")
# The example only waits where another agent would ask its model.
NO_WAITING = ("--import=data:text/javascript,globalThis.setTimeout="
              "(f,ms,...a)=>setImmediate(f,...a)")
SESSIONS = 16
PROMPTS = 40
CANCELS = 1000
BIG_BYTES = 900 << 10  # about what a prompt may have
LONG_BYTES = 15 << 20  # about what a line may have


class Model:
    """acp_model.py, in a process of its own."""

    def __enter__(self):
        self.process = subprocess.Popen(
            [sys.executable, os.path.join(HERE, "acp_model.py")], text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        port = int(self.process.stdout.readline().split()[1])
        self.env = servers.env_for(port)
        return self

    def __exit__(self, *why):
        self.process.stdin.close()
        self.process.kill()  # answers under way are nobody's any more
        self.process.wait()
        self.process.stdout.close()


def ours(bench, env):
    return acp_client.Agent([bench.agentsh, "acp"], bench.place.work,
                            {**bench.place.env, **env,
                             "AGENTSH_PROVIDER": "openai",
                             "AGENTSH_MODEL": "m"})


def theirs(bench, name, **env):
    """A peer has the home of the benchmark too, and a key of nobody's."""
    return acp_client.Agent(peers.find(name), bench.place.work, {
        **bench.place.env, "OPENAI_API_KEY": "sk-of-no-one",
        "ANTHROPIC_API_KEY": "sk-of-no-one", "GEMINI_API_KEY": "of-no-one",
        **env})


def start_times(make):
    """Microseconds to the answered initialize, and KiB of all processes."""
    with make() as agent:
        took = (agent.initialize() - agent.begun) * 1e6
        return took, sum(kib for _, kib in
                         acp_client.sizes(agent.child.pid, "VmHWM"))


def started(bench):
    env = servers.env_for(9)  # it is not asked here
    what = "agentsh acp, initialize answered"
    times, sizes = [], []
    for name in AGENTS:
        try:
            mine, other = bench.by_turns(
                lambda: start_times(lambda: ours(bench, env)),
                lambda: start_times(lambda: theirs(bench, name)),
                max(3, bench.rounds // 3))
        except (OSError, RuntimeError) as why:
            yield table.Skipped(what, str(why))
            continue
        times, sizes = times + mine[0], sizes + mine[1]
        yield table.Row(what, "us", mine[0], other[0], name,
                        table.at_most("10 ms", 10000))
        yield table.Row("the same, resident", "kb", mine[1], other[1], name,
                        table.at_most("8 MB", 8192))
    if not times:
        times, sizes = zip(*(start_times(lambda: ours(bench, env))
                             for _ in range(2 * bench.rounds)))
        yield table.Row(what, "us", times, None, "",
                        table.at_most("10 ms", 10000))
        yield table.Row("the same, resident", "kb", sizes, None, "",
                        table.at_most("8 MB", 8192))


def turn_us(agent, session, text):
    """From the prompt to its answer."""
    begun = time.perf_counter()
    return (agent.wait(agent.prompt(session, text))[0] - begun) * 1e6


def model_us(env):
    """What the model itself takes for a request."""
    connection = http.client.HTTPConnection(
        env["OPENAI_BASE_URL"].split("/")[2], timeout=acp_client.LIMIT_S)
    with contextlib.closing(connection):
        connection.connect()
        begun = time.perf_counter()
        connection.request("POST", "/v1/chat/completions", b"{}")
        connection.getresponse().read()
        return (time.perf_counter() - begun) * 1e6


def turns(bench):
    """A turn of ours less what the model takes; one of the example, which
    waits for nothing here."""
    peer = None
    with contextlib.ExitStack() as stack:
        fast = stack.enter_context(servers.Fast())
        agent = stack.enter_context(ours(bench, fast.env()))
        agent.initialize()
        session = agent.open_session()
        try:
            peer = stack.enter_context(theirs(
                bench, "example agent", NODE_OPTIONS=NO_WAITING))
            peer.initialize()
            other = peer.open_session()
        except OSError as why:
            yield table.Skipped("the example agent", str(why))
        results = [(turn_us(agent, session, "say hello")
                    - model_us(fast.env()),
                    turn_us(peer, other, "say hello") if peer else 0)
                   for _ in range(PROMPTS)][1:]
    mine, example = zip(*results)
    yield table.Row("a turn of agentsh acp, less the model's", "us", mine,
                    example if peer else None, "example agent",
                    table.at_most("5 ms", 5000))


def busy(agent, sessions, words):
    """Turns that go on in all of these: each has shown text or output."""
    shown = set()
    for at, session in enumerate(sessions):
        word = words[at % len(words)]
        agent.prompt(session, word)
        shown.add((session, "agent_message_chunk" if word == "drip"
                   else "tool_call_update"))
    agent.until(lambda: shown <= agent.kinds)


def first_update_us(agent, session):
    agent.first.pop(session, None)
    begun = time.perf_counter()
    ident = agent.prompt(session, "and now quick")
    agent.until(lambda: session in agent.first)
    took = (agent.first[session] - begun) * 1e6
    agent.wait(ident)
    return took


def many(bench):
    with Model() as model, ours(bench, model.env) as agent:
        agent.initialize()
        prompting = agent.open_session()
        alone = [first_update_us(agent, prompting) for _ in range(PROMPTS)]
        before = acp_client.sizes(agent.child.pid, "VmRSS")[0][1]
        sessions = [agent.open_session() for _ in range(SESSIONS)]
        busy(agent, sessions, ("drip", "steps"))
        among = [first_update_us(agent, prompting) for _ in range(PROMPTS)]
        processes = acp_client.sizes(agent.child.pid, "VmRSS")
    yield table.Row("first update of a prompt among %d turns" % SESSIONS,
                    "us", among, alone, "without them",
                    table.at_most("20 ms", 20000))
    yield table.Row("a session of agentsh acp, resident", "kb",
                    [(processes[0][1] - before) / SESSIONS], None, "",
                    table.at_most("1 MB", 1024))
    if [name for name, _ in processes].count("agentsh-model") != 1:
        raise RuntimeError("not one model process")


def source_text():
    """What editors put into prompts."""
    text = ""
    for path in sorted(glob.glob(os.path.join(home.SRCDIR, "src", "*",
                                              "*.c"))):
        with open(path, encoding="utf-8") as source:
            text += source.read()
    return text * (LONG_BYTES // len(text) + 1)


def load(agent):
    """Floods of output, long prompts, and a thousand cancels."""
    agent.initialize()
    sessions = [agent.open_session() for _ in range(SESSIONS)]
    busy(agent, sessions, ("drip", "flood", "steps", "flood"))
    big, cancelled = agent.open_session(), agent.open_session()
    text = source_text()
    for size in (BIG_BYTES, LONG_BYTES):
        with contextlib.suppress(RuntimeError):  # the latter is refused
            agent.wait(agent.prompt(big, text[:size] + " quick"))
    for _ in range(CANCELS):
        ident = agent.prompt(cancelled, "drip")
        agent.cancel(cancelled)
        agent.wait(ident)
    for session in sessions:
        agent.cancel(session)


def held(bench):
    """What the agent of a build with --enable-loop-report says at its end."""
    found = {"the clock": [], "its time on a processor": []}
    places = {}
    with Model() as model:
        for _ in range(max(3, bench.rounds // 5)):
            agent = ours(bench, model.env)
            with agent:
                load(agent)
            for us, by, place in re.findall(
                    r"held for (\d+) us at most, by ([a-z ]+), at (\S+)",
                    agent.close()):
                found[by].append(int(us))
                places[int(us)] = place
    if not found["the clock"]:
        raise RuntimeError("configure with --enable-loop-report")
    for by, times in found.items():
        yield table.Row("the loop held under load, by " + by, "us", times,
                        None, "", table.at_most("5 ms", 5000))
        worst = max(times)
        print("%d us: %s" % (worst, function_at(places[worst])),
              file=sys.stderr)


def function_at(place):
    """The function's name and line, where the program has symbols."""
    name, _, offset = place.rpartition("+")
    path = os.path.join(home.BUILDDIR, name)
    done = subprocess.run(["addr2line", "-f", "-e", path, offset],
                          capture_output=True, text=True, check=False)
    return "%s (%s)" % (" ".join(done.stdout.split()), place)
