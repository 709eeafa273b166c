#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# embed.sh - what `agentsh plugin new` writes, as one C table.
# usage: embed.sh plugins/templates/LANGUAGE/FILE… > template_text.c
set -eu

# A file is written without the .in of its name. Each line of it becomes one
# string literal of its own. "?" is escaped
# because of trigraphs.
embed() {
    dir=${1%/*}
    name=${1##*/}
    printf '        {"%s", "%s",' "${dir##*/}" "${name%.in}"
    LC_ALL=C awk '{
        gsub(/\\/, "&&"); gsub(/"/, "\\\""); gsub(/\?/, "\\?")
        gsub(/\t/, "\\t")
        printf "\n         \"%s\\n\"", $0
    }' "$1"
    printf '},\n'
}

printf '/* Made by plugins/templates/embed.sh from the files beside it. */\n'
printf '#include "frontend/cli/template_text.h"\n\n'
printf 'const struct template_text *\ntemplate_texts(void)\n{\n'
printf '    static const struct template_text texts[] = {\n'
for file; do
    embed "$file"
done
printf '        {0},\n    };\n\n    return texts;\n}\n'
