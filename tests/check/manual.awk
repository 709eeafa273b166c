# SPDX-License-Identifier: GPL-3.0-or-later
# manual.awk - the tagged items of an mdoc(7) page, one a line:
#
#     SECTION SUBSECTION MACRO NAME text of the item, without macros
#
# separated by tabs; the subsection is the last word of its title, or "-". An
# item with several tags is a line for each.

function flush(i) {
    for (i = 1; i <= tags; i++)
        print section "\t" sub_section "\t" macro "\t" tag[i] "\t" text
    tags = 0
    text = ""
}

# "Fl m Ar name , Fl -model Ar name" has the tags m and -model.
function read_tags(line, part, word, n, i) {
    n = split(line, part, / , /)
    for (i = 1; i <= n; i++) {
        split(part[i], word, " ")
        if (word[1] ~ /^(Cm|Fl|Ic|Ev|Pa|Er)$/) {
            macro = word[1]
            tag[++tags] = word[2]
        } else {
            tag[++tags] = word[1]
        }
    }
}

/^\.S[hs] / {
    flush()
    if ($1 == ".Sh") {
        section = substr($0, 5)
        sub_section = "-"
    } else {
        sub_section = $NF
    }
    next
}

/^\.It / {
    flush()
    macro = "-"
    read_tags(substr($0, 5))
    next
}

/^\.El/ {
    flush()
    next
}

{
    sub(/^\.[A-Z][a-z] /, "")
    text = text " " $0
}

END {
    flush()
}
