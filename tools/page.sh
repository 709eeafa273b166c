#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# page.sh - the page of the gateway as one C table: what stands before its
# style, the style, what stands between, the script, and the rest.
# usage: page.sh DIR > gateway_page_parts.c
set -eu
dir=$1

# Each line becomes one string literal of its own, and none ends the last one.
# "?" is escaped because of trigraphs.
literals() {
    LC_ALL=C awk '{
        gsub(/\\/, "&&"); gsub(/"/, "\\\""); gsub(/\?/, "\\?")
        gsub(/\t/, "\\t")
        printf "%s    \"%s", (NR > 1 ? "\\n\"\n" : ""), $0
    } END { print "\"" }'
}

# The part of index.html from one mark to the next, without them.
between() {
    LC_ALL=C awk -v from="$1" -v to="$2" '
        BEGIN { on = from == "" }
        {
            while ($0 != "") {
                if (!on) {
                    at = index($0, from)
                    if (!at) next
                    $0 = substr($0, at + length(from)); on = 1
                }
                at = to == "" ? 0 : index($0, to)
                if (at) { printf "%s", substr($0, 1, at - 1); exit }
                print; next
            }
            if (on) print ""
        }' "$dir/index.html"
}

script() {
    printf '"use strict";\n(() => {\n'
    for name in text link task view board main; do
        cat "$dir/page_$name.js"
    done
    printf '})();\n'
}

printf '/* Made by tools/page.sh from the files of server/gateway/page. */\n'
printf '#include "server/gateway/gateway_page.h"\n\n'
printf 'const char *\ngateway_page_part(enum gateway_page_part part)\n{\n'
printf '    static const char *const parts[GATEWAY_PAGE_PARTS] = {\n'
between '' '@STYLE@' | literals
printf '    ,\n'
literals <"$dir/page.css"
printf '    ,\n'
between '@STYLE@' '@SCRIPT@' | literals
printf '    ,\n'
script | literals
printf '    ,\n'
between '@SCRIPT@' '' | literals
printf '    };\n\n    return parts[part];\n}\n'
