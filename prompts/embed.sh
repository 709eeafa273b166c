#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# embed.sh - the prompts and the AiAction schema as one C function.
# usage: embed.sh DIR > prompt_text.c
set -eu
dir=$1

# Each line of a file becomes one string literal of its own. "?" is escaped
# because of trigraphs.
embed() {
    printf '        [%s] =' "$1"
    LC_ALL=C awk '{
        gsub(/\\/, "\\\\"); gsub(/"/, "\\\""); gsub(/\?/, "\\?")
        gsub(/\t/, "\\t")
        printf "\n            \"%s\\n\"", $0
    }' "$dir/$2"
    printf ',\n'
}

printf '/* Made by prompts/embed.sh from the files beside it. */\n'
printf '#include "model/prompt/prompt.h"\n\n'
printf 'const char *\nprompt_text(enum prompt_part part)\n{\n'
printf '    static const char *const texts[PROMPT_N] = {\n'
embed PROMPT_SYSTEM system.txt
embed PROMPT_DO do.txt
embed PROMPT_RUN run.txt
embed PROMPT_EXPLAIN explain.txt
embed PROMPT_REPAIR repair.txt
embed PROMPT_CONTEXT context.txt
embed PROMPT_INPUT input.txt
embed PROMPT_TOOLS tools.txt
embed PROMPT_LOOK look.txt
embed PROMPT_OFFER offer.txt
embed PROMPT_EXAMPLE example.txt
embed PROMPT_RECIPES recipes.txt
embed PROMPT_RESULT result.txt
embed PROMPT_STEPS steps.txt
embed PROMPT_CAME came.txt
embed PROMPT_REVISE revise.txt
embed PROMPT_SCHEMA aiaction.schema.json
printf '    };\n\n    return texts[part];\n}\n'
