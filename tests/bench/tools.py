# SPDX-License-Identifier: GPL-3.0-or-later
"""tools.py - what a tool's call costs in the front, beside a bare spawn; and
one of `agentsh tool call`, requested one after another, or many ahead."""

import json
import os
import subprocess
import threading
import time

import home
import table

FILE_BYTES = 102400
SMALL_BYTES = 240
REQUESTS = 2000
STREAM_MB = 100
SPEED_MB = 150


def calls(bench, rounds, *modes):
    """A list of microseconds for each mode, measured by turns."""
    done = subprocess.run(
        [os.path.join(home.BUILDDIR, "tests", "bench", "calls"), str(rounds),
         bench.place.work,
         os.path.join(home.BUILDDIR, "tests", "bench", "plugins"), *modes],
        env=bench.place.env, check=True, capture_output=True, text=True)
    return list(zip(*(map(int, line.split())
                      for line in done.stdout.splitlines())))


def called(bench):
    with open(os.path.join(bench.place.work, "file"), "w",
              encoding="ascii") as out:
        out.write("sixteen bytes..\n" * (FILE_BYTES // 16))
    fresh, kept, read, plain = calls(bench, 10 * bench.rounds, "fresh", "kept",
                                     "read", "plain")
    name = "posix_spawn of bash"
    yield table.Row("cmd.run of true, a new plugin", "us", fresh, plain, name,
                    table.at_most_times(2.2))
    yield table.Row("cmd.run of true, a persistent one", "us", kept, plain,
                    name, table.at_most_times(1.6))
    yield table.Row("fs.read_file of 100 KiB, persistent", "us", read, None,
                    "", table.at_most("1 ms", 1000))


def requested(bench, ahead):
    """Microseconds for each of many requests to read a small file, in one
    agentsh tool call. ahead: all are written before an answer is awaited."""
    line = (json.dumps({"tool": "fs.read_file", "action": "read",
                        "args": {"path": "small"}}) + "\n").encode()
    with subprocess.Popen([bench.agentsh, "tool", "call"], bufsize=0,
                          env=bench.place.env, cwd=bench.place.work,
                          stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE) as front:
        answers = os.fdopen(os.dup(front.stdout.fileno()), "rb", 1 << 16)
        os.write(front.stdin.fileno(), line)
        answers.readline()
        begun = time.perf_counter()
        if ahead:
            writer = threading.Thread(target=lambda: [
                os.write(front.stdin.fileno(), 20 * line)
                for _ in range(REQUESTS // 20)])
            writer.start()
        for _ in range(REQUESTS):
            if not ahead:
                os.write(front.stdin.fileno(), line)
            if not json.loads(answers.readline())["ok"]:
                raise RuntimeError("a request has failed")
        took = time.perf_counter() - begun
        if ahead:
            writer.join()
        front.stdin.close()
        answers.close()
    return 1e6 * took / REQUESTS


def read_by_requests(bench):
    with open(os.path.join(bench.place.work, "small"), "w",
              encoding="ascii") as out:
        out.write("x" * SMALL_BYTES)
    for ahead, name, limit in ((False, "one after another", 200),
                               (True, "many ahead", 60)):
        times = [requested(bench, ahead) for _ in range(bench.rounds)]
        yield table.Row("tool call of fs.read_file, " + name, "us", times,
                        None, "", table.at_most("%d us" % limit, limit))


def streamed(bench):
    times, sizes = zip(*(map(lambda column: column[0],
                             calls(bench, 1, "stream"))
                         for _ in range(5)))
    limit = STREAM_MB * 1048576 / SPEED_MB
    yield table.Row("%d MiB of output streamed" % STREAM_MB, "us", times, None,
                    "", table.at_most("%d MB/s" % SPEED_MB, limit))
    yield table.Row("the front meanwhile, resident", "kb", sizes, None, "",
                    table.at_most("10 MB", 10240))
