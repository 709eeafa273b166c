# SPDX-License-Identifier: GPL-3.0-or-later
# make.awk - turns the tables into C: one string a stanza, in the form of
# offline/manual/page.h. Stops at a row that it does not understand.

function fail(why)
{
    printf "%s:%d: %s: %s\n", FILENAME, FNR, why, $0 > "/dev/stderr"
    failed = 1
    exit 1
}

function quote(s)
{
    gsub(/\\/, "&&", s)
    gsub(/"/, "\\\"", s)
    gsub(/\?/, "\\?", s)
    gsub(/\t/, "\\t", s)
    return "\"" s "\\n\""
}

# "-f --file =ARCHIVE" to "-f: --file:" and "ARCHIVE"
function take_words(left,    n, w, i, mark)
{
    names = ""; value = ""; mark = ""
    n = split(left, w, " ")
    if (n > 1 && w[n] ~ /^=./) {
        value = substr(w[n--], 2)
        mark = ":"
    } else if (n > 1 && w[n] ~ /^\[=.*\]$/) {
        value = substr(w[n], 3, length(w[n]) - 3)
        mark = "::"
        n--
    }
    for (i = 1; i <= n; i++) {
        # only a long option or the last letter has the optional value
        m = mark == "::" && n > 1 && w[i] !~ /^--/ && has_long(w, n) ? "" : mark
        names = names (i > 1 ? " " : "") w[i] m
    }
}

function has_long(w, n,    i)
{
    for (i = 1; i <= n; i++)
        if (w[i] ~ /^--/)
            return 1
    return 0
}

function row(    line, at, left, right)
{
    line = $0
    sub(/^ +/, "", line)
    if (line ~ /^%/)
        return "Q\t" substr(line, 2)
    if (line ~ /^~ /) {
        line = substr(line, 3)
        at = match(line, /  +/)
        return at ? "D\t" substr(line, 1, at - 1) "\t" \
            substr(line, at + RLENGTH) : "D\t" line
    }
    at = match(line, /  +/)
    if (!at)
        fail("no meaning")
    if (line ~ /^\?/) {
        left = substr(line, 2, at - 2) " "
        right = substr(line, at + RLENGTH)
        at = index(left, " ")
        sub(/ $/, "", left)
        return "V\t" substr(left, 1, at - 1) "\t" substr(left, at + 1) "\t" \
            right
    }
    left = substr(line, 1, at - 1)
    right = substr(line, at + RLENGTH)
    if (left ~ /^@/) {
        at = index(left " ", " ")
        return "P\t" substr(left, 2, at - 2) "\t" substr(left, at + 1) "\t" right
    }
    take_words(left)
    return (left ~ /^[-+]./ || left == "-" ? "O" : "T") "\t" names "\t" value \
        "\t" right
}

function close_stanza()
{
    if (open)
        print "    },"
    open = 0
}

BEGIN {
    print "/* SPDX-License-Identifier: GPL-3.0-or-later */"
    print "/* Made by make.awk from the tables beside it. */"
    print "static const struct {\n    const char *name, *text;\n} tables[] = {"
}

/^#/ || /^ *$/ { next }

/\t/ { fail("a tab") }

/^[^ ]/ {
    close_stanza()
    at = index($0, ": ")
    if (at < 2)
        fail("no name and colon")
    name = substr($0, 1, at - 1)
    if (name in seen)
        fail("a second stanza for " name)
    seen[name] = 1
    printf "    {\n        \"%s\",\n        %s\n", name,
        quote("N\t" name "\t\t" substr($0, at + 2))
    open = 1
    next
}

{
    if (!open)
        fail("a row outside a stanza")
    print "        " quote(row())
}

END {
    if (failed)
        exit 1
    close_stanza()
    print "};"
}
