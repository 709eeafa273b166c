# SPDX-License-Identifier: GPL-3.0-or-later
"""table.py - the rows of the benchmark: ours, the peer, the ratio."""

import statistics

UNITS = {"us": (("s", 1e6), ("ms", 1e3), ("us", 1)),
         "kb": (("MB", 1024), ("KB", 1))}


def show(value, unit):
    """A number with the unit that a person would give it."""
    if value is None:
        return "-"
    for name, size in UNITS[unit]:
        if abs(value) >= size or size == 1:
            return "%.*f %s" % (2 if abs(value) < 10 * size else 1,
                                value / size, name)
    return "?"


class Row:
    """One line. ours and peer are lists of measurements in `unit`; limit is
    what is not to be passed, told as a text and as a number in `unit`."""

    def __init__(self, name, unit, ours, peer, peer_name, limit):
        self.name, self.unit, self.peer_name = name, unit, peer_name
        self.ours = statistics.median(ours)
        self.peer = statistics.median(peer) if peer else None
        self.limit_text, test = limit
        self.held = test(self.ours, self.peer)

    def cells(self):
        ratio = "%.2f" % (self.ours / self.peer) if self.peer else "-"
        peer = show(self.peer, self.unit)
        if self.peer is not None:
            peer += " " + self.peer_name
        return [self.name, show(self.ours, self.unit), peer, ratio,
                self.limit_text, "ok" if self.held else "MISSED"]


class Skipped:
    """A line for what could not be measured here, and why."""

    def __init__(self, name, why):
        self.name, self.why = name, why

    def cells(self):
        return [self.name, "-", "-", "-", "-", self.why]


def at_most(text, value):
    return "<= " + text, lambda ours, peer: ours <= value


def at_most_times(factor):
    return "<= %.3gx" % factor, lambda ours, peer: ours <= factor * peer


def both(one, other):
    return (", ".join((one[0], other[0])),
            lambda ours, peer: one[1](ours, peer) and other[1](ours, peer))


def at_most_more(text, value):
    return "<= peer + " + text, lambda ours, peer: ours <= peer + value


def for_comparison():
    return "", lambda ours, peer: True


def draw(rows):
    head = ["what", "ours", "peer", "ratio", "limit", ""]
    lines = [head] + [row.cells() for row in rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    for line in lines:
        print("  ".join(cell.ljust(width) for cell, width
                        in zip(line, widths)).rstrip())
