#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# embed.sh - the presets as one C table, in the order of the arguments.
# usage: embed.sh FILE... > policy_preset.c
set -eu

# Each line of a file becomes one string literal of its own.
embed() {
    name=${1##*/}
    printf '    {"%s",' "${name%.policy}"
    LC_ALL=C awk '{
        gsub(/\\/, "&&"); gsub(/"/, "\\\""); gsub(/\?/, "\\?")
        printf "\n     \"%s\\n\"", $0
    }' "$1"
    printf '},\n'
}

cat <<'END'
/* Made by src/guard/policy/presets/embed.sh from the files beside it. */
#include <string.h>

#include "guard/policy/policy_rule.h"

static const struct {
    const char *name, *text;
} presets[] = {
END
for file; do
    embed "$file"
done
cat <<'END'
};

const char *
policy_preset_name(size_t i)
{
    return i < sizeof(presets) / sizeof(presets[0]) ? presets[i].name : NULL;
}

const char *
policy_preset_text(const char *name)
{
    for (size_t i = 0; policy_preset_name(i); i++)
        if (strcmp(presets[i].name, name) == 0)
            return presets[i].text;
    return NULL;
}
END
