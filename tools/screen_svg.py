#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""screen_svg.py - a picture of a tmux screen, as SVG.

    tmux capture-pane -p -e | tools/screen_svg.py [COLUMNS] >picture.svg

Reads lines with SGR sequences from standard input. The picture needs no font
of its own, is readable on a light and on a dark page, and depends on the
input alone.
"""

import re
import sys
import unicodedata
from xml.sax.saxutils import escape

WIDE, HIGH, PAD = 8.4, 19, 14  # of a cell, and around all, in pixels
SGR = re.compile(r"\x1b\[([0-9;]*)m")
OTHER = re.compile(r"\x1b[()][A-Z0-9]|\x1b\[[0-9;?]*[A-Za-ln-z]|[\x0e\x0f]")
# The terminal's eight colours, on a light page and on a dark one.
COLOURS = {
    1: ("#b3261e", "#ff8a80"), 2: ("#1b6e2b", "#7ee08f"),
    3: ("#8a5a00", "#f2c55c"), 4: ("#1f4fbf", "#8fb4ff"),
    5: ("#8a2a94", "#e39bf0"), 6: ("#00677a", "#6fd7e8"),
}
STYLE = """  <style>
    .page { fill: #f7f7f5; stroke: #c9c9c4 }
    text { fill: #1f2328; white-space: pre;
      font: 14px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace }
    .b { font-weight: bold } .d { fill-opacity: .7 } .i { font-style: italic }
    .u { text-decoration: underline }
%s    @media (prefers-color-scheme: dark) {
      .page { fill: #16191d; stroke: #3a4047 }
      text { fill: #e6e8ea }
%s    }
  </style>"""


def style():
    light, dark = ("".join("%s    .c%d { fill: %s }\n" % (indent, n, c[at])
                           for n, c in COLOURS.items())
                   for at, indent in ((0, ""), (1, "  ")))
    return STYLE % (light, dark)


def changed(classes, codes):
    """The classes after an SGR sequence."""
    for code in (int(c or 0) for c in codes.split(";")):
        if code == 0:
            classes = set()
        elif code in (22, 23, 24, 39):
            gone = {22: "bd", 23: "i", 24: "u", 39: ""}[code]
            classes = {c for c in classes if c not in gone
                       and not (code == 39 and c[0] == "c")}
        elif code in (1, 2, 3, 4):
            classes = classes | {"bdiu"[code - 1]}
        elif code - 30 in COLOURS:
            classes = {c for c in classes if c[0] != "c"}
            classes |= {"c%d" % (code - 30)}
    return classes


def cells(text):
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1
               for c in text)


def runs(line, classes):
    """(column, text, classes) of a line, and the classes behind it."""
    found, column, at = [], 0, 0
    for part in [*SGR.finditer(line), None]:
        text = line[at:part.start() if part else len(line)]
        if text.strip():
            blank = len(text) - len(text.lstrip())
            found.append((column + blank, text.strip(), classes))
        column += cells(text)
        if part:
            classes, at = changed(classes, part[1]), part.end()
    return found, classes


def picture(lines, columns):
    wide = columns * WIDE + 2 * PAD
    high = len(lines) * HIGH + 2 * PAD
    yield '<svg xmlns="http://www.w3.org/2000/svg" width="%g" height="%g" ' \
        'viewBox="0 0 %g %g" role="img">' % (wide, high, wide, high)
    yield "  <title>A review of a plan in a terminal</title>"
    yield style()
    yield '  <rect class="page" x=".5" y=".5" width="%g" height="%g" rx="8"/>' \
        % (wide - 1, high - 1)
    classes = set()
    for row, line in enumerate(lines):
        found, classes = runs(OTHER.sub("", line), classes)
        for column, text, of in found:
            yield '  <text x="%g" y="%g" textLength="%g"%s>%s</text>' % (
                PAD + column * WIDE, PAD + row * HIGH + 14,
                cells(text) * WIDE,
                ' class="%s"' % " ".join(sorted(of)) if of else "",
                escape(text))
    yield "</svg>"


def main():
    lines = sys.stdin.read().rstrip("\n").split("\n")
    columns = int(sys.argv[1]) if len(sys.argv) > 1 else 80
    sys.stdout.write("\n".join(picture(lines, columns)) + "\n")


if __name__ == "__main__":
    main()
