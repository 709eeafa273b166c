#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""width_table.py - writes width_table.h from Python's Unicode database.

Run by hand when Unicode moves:
    src/term/width_table.py >src/term/width_table.h
"""
import sys
import unicodedata

# Blocks whose unassigned characters are wide too (UAX #11, section 6).
WIDE_BLOCKS = [(0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF),
               (0x20000, 0x2FFFD), (0x30000, 0x3FFFD)]
# Medial vowels and final consonants combine with the lead before them.
JAMO = [(0x1160, 0x11FF), (0xD7B0, 0xD7FB)]


def inside(cp, blocks):
    return any(first <= cp <= last for first, last in blocks)


def is_zero(cp):
    category = unicodedata.category(chr(cp))
    return (category in ("Mn", "Me", "Cf") and cp != 0xAD) or \
        category in ("Zl", "Zp") or inside(cp, JAMO)


def is_wide(cp):
    # Python gives unassigned characters no width of their own.
    assigned = unicodedata.category(chr(cp)) != "Cn"
    return not is_zero(cp) and (
        inside(cp, WIDE_BLOCKS) or
        assigned and unicodedata.east_asian_width(chr(cp)) in "WF")


def ranges(test):
    first = None
    for cp in range(0x80, 0x110001):
        yes = cp < 0x110000 and test(cp)
        if yes and first is None:
            first = cp
        if not yes and first is not None:
            yield first, cp - 1
            first = None


def table(name, test):
    lines = [f"static const struct utf8_range {name}[] = {{"]
    row = "   "
    for first, last in ranges(test):
        item = f" {{0x{first:X}, 0x{last:X}}},"
        if len(row) + len(item) > 80:
            lines.append(row)
            row = "   "
        row += item
    return lines + [row, "};"]


def main():
    print("/* SPDX-License-Identifier: GPL-3.0-or-later */")
    print("/* width_table.h - made by width_table.py from Unicode "
          f"{unicodedata.unidata_version}. */")
    print("#ifndef TERM_WIDTH_TABLE_H\n#define TERM_WIDTH_TABLE_H\n")
    print("#include \"base/utf8.h\"\n\n/* clang-format off */")
    print("/* Combining, format and other characters of no column. */")
    print("\n".join(table("zero", is_zero)))
    print("\n/* East Asian wide and fullwidth ones, and emoji. */")
    print("\n".join(table("wide", is_wide)))
    print("/* clang-format on */\n\n#endif")
    return 0


if __name__ == "__main__":
    sys.exit(main())
