# SPDX-License-Identifier: GPL-3.0-or-later
# stanzas.awk - turns the texts of stanzas into C for xgettext: the title of
# NAME: TITLE, of recipes and of rules, and the text of a step, "    - TEXT",
# which only recipes have; in rules that row is an example.

function put(text)
{
    gsub(/\\/, "&&", text)
    gsub(/"/, "\\\"", text)
    print "N_(\"" text "\");"
}

/^[^#: ]+:/ {
    sub(/^[^:]+: */, "")
    if ($0 != "")
        put($0)
}

FILENAME ~ /\/recipes\// && /^    - / { put(substr($0, 7)) }
