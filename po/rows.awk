# SPDX-License-Identifier: GPL-3.0-or-later
# rows.awk - turns the texts of the tables of programs into C for xgettext:
# what a program does, what its options and operands mean, and
# the sentences about a call.

function put(text)
{
    gsub(/\\/, "&&", text)
    gsub(/"/, "\\\"", text)
    print "N_(\"" text "\");"
}

/^#/ || /^ *%/ { next }

/^[^ ]/ {
    put(substr($0, index($0, ": ") + 2))
    next
}

{ sub(/^ +/, "") }

/^~ / {
    put(match($0, /  +/) ? substr($0, 3, RSTART - 3) : substr($0, 3))
    next
}

match($0, /  +/) { put(substr($0, RSTART + RLENGTH)) }
