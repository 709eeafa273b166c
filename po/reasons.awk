# SPDX-License-Identifier: GPL-3.0-or-later
# reasons.awk - turns the reasons of a table of programs into C for xgettext.

function end_of_fact()
{
    if (fact ~ /: [^:]*$/ && sub(/^.*: /, "", fact))
        print "N_(\"" fact "\")"
    fact = ""
}

/^  [a-z]/ {
    end_of_fact()
    fact = $0
    next
}
/^    / && fact != "" {
    sub(/^ +/, " ")
    fact = fact $0
    next
}
{ end_of_fact() }
END { end_of_fact() }
