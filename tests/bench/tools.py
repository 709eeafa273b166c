# SPDX-License-Identifier: GPL-3.0-or-later
"""tools.py - what a tool's call costs in the front, beside a bare spawn."""

import os
import subprocess

import home
import table

FILE_BYTES = 102400
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


def streamed(bench):
    times, sizes = zip(*(map(lambda column: column[0],
                             calls(bench, 1, "stream"))
                         for _ in range(5)))
    limit = STREAM_MB * 1048576 / SPEED_MB
    yield table.Row("%d MiB of output streamed" % STREAM_MB, "us", times, None,
                    "", table.at_most("%d MB/s" % SPEED_MB, limit))
    yield table.Row("the front meanwhile, resident", "kb", sizes, None, "",
                    table.at_most("10 MB", 10240))
