#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# embed.sh - the scripts for the shells as one C table. Comments and empty lines
# of the hooks stay here, and what indents the lines of that of bash, where no
# text goes over two lines: a shell reads the rest each time it starts.
# usage: embed.sh NAME-OF-AI FILE… > hook_text.c
set -eu
ai=$1
shift

# Each line of a file becomes one string literal of its own. "?" is escaped
# because of trigraphs.
embed() {
    printf '        {"%s",' "${1##*/}"
    sed "s/@AI_NAME@/$ai/g" "$1" | LC_ALL=C awk -v hook="${1##*/}" '
    hook ~ /^agentsh/ && FNR > 2 && /^[ \t]*(#|$)/ { next }
    hook == "agentsh.bash" { sub(/^[ \t]+/, "") }
    {
        gsub(/\\/, "&&"); gsub(/"/, "\\\""); gsub(/\?/, "\\?")
        gsub(/\t/, "\\t")
        printf "\n         \"%s\\n\"", $0
    }'
    printf '},\n'
}

printf '/* Made by hooks/embed.sh from the files beside it. */\n'
printf '#include "ui/hook_text.h"\n\n'
printf 'const struct hook_text *\nhook_texts(void)\n{\n'
printf '    static const struct hook_text texts[] = {\n'
for file; do
    embed "$file"
done
printf '        {0},\n    };\n\n    return texts;\n}\n'
