#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# manual.sh - the manual pages are sound, and say what the tables say.
# shellcheck disable=SC2034,SC2154 # what tap.sh reads; what it sets
set -u
by_machine=1 # by its mandoc and man
. "$(dirname "$0")/tap.sh"
build=${top_builddir:-$root/build}
tables=$build/tests/check/print_tables

# tags PAGE SECTION MACRO: the names of its items.
tags() {
    awk -f "$checks/manual.awk" "$1" | awk -F '\t' -v s="$2" -v m="$3" \
        '$1 == s && $3 == m { print $4 }' | LC_ALL=C sort -u
}

# differences KNOWN TOLD: between two sorted lists.
differences() {
    LC_ALL=C comm -23 "$1" "$2" | sed 's/^/not in the page: /'
    LC_ALL=C comm -13 "$1" "$2" | sed 's/^/not in the program: /'
}

# same NAME: what is known is what is told.
same() {
    differences "$scratch/known" "$scratch/told" >"$scratch/differences"
    clean "$1" "$scratch/differences"
}

# setting_complaints PAGE: about each setting that is not told as it is, and
# each that is none. Standard input is the table.
setting_complaints() {
    awk -f "$checks/manual.awk" "$1" >"$scratch/items"
    awk -F '\t' '
        function says(text, word) {
            return (" " text " ") ~ ("[^a-z0-9_]" word "[^a-z0-9_]")
        }
        FNR == NR {
            if ($1 == "SETTINGS")
                told[$2, $4] = $5 " "
            next
        }
        !(($1, $2) in told) {
            print "[" $1 "] " $2 " is not in the page"
            next
        }
        {
            text = told[$1, $2]
            delete told[$1, $2]
            if ($3 != "-" && !says(text, $3))
                print $2 ": its default " $3 " is not told"
            n = $4 == "-" ? 0 : split($4, word, "|")
            for (i = 1; i <= n; i++) {
                if (!says(text, word[i]))
                    print $2 ": its word " word[i] " is not told"
            }
        }
        END {
            for (name in told) {
                sub(SUBSEP, "] ", name)
                print "[" name " is no setting"
            }
        }' "$scratch/items" -
}

# help_options, help_verbs: of a help text on standard input.
help_options() {
    sed -n 's/^ *\(-.*\)/\1/p' | grep -o -E -e '(^|[ ,])--?[A-Za-z][a-z-]*' |
        tr -d ' ,' | LC_ALL=C sort -u
}

help_verbs() {
    sed -n 's/^  \([a-z][a-z]*\) .*/\1/p' | LC_ALL=C sort -u
}

# ---- it sees what it looks for

plant page.5 <<'END'
.Sh SETTINGS
.Ss Section model
.Bl -tag
.It Cm provider
One of
.Cm one ,
.Cm two .
.It Cm wait_s , rest_s
Seconds; 10.
.It Cm gone
Nothing.
.El
.Ss Section shell
.Bl -tag
.It Cm moved
Now 100.
.El
.Sh OPTIONS
.Bl -tag
.It Fl m Ar name , Fl -model Ar name
The model.
.It Fl q
Less.
.El
END
printf 'model\tprovider\t-\tone|two|three
model\twait_s\t10\t-
model\trest_s\t1\t-
model\tmoved\t100\t-
shell\tnew\t-\t-
' | setting_complaints "$scratch/page.5" >"$scratch/out"
while IFS='|' read -r name complaint; do
    sees "it sees $name" "$complaint" "$scratch/out"
done <<'END'
a word that is not told|provider: its word three is not told
a default that is not told|rest_s: its default 1 is not told
a setting in another section|[model] moved is not in the page
a setting that is missing|[shell] new is not in the page
a setting that is none|[model] gone is no setting
a setting that moved away|[shell] moved is no setting
END
if [ "$(wc -l <"$scratch/out")" -eq 6 ]; then
    ok 'it sees nothing else'
else
    not_ok 'it sees nothing else' <"$scratch/out"
fi

plant help <<'END'
usage: x VERB
  do TEXT     a plan, see --model
options:
  -m, --model NAME   the model (-z is none)
      --step         ask
END
tags "$scratch/page.5" OPTIONS Fl | sed 's/^/-/' >"$scratch/told"
help_options <"$scratch/help" >"$scratch/known"
differences "$scratch/known" "$scratch/told" >"$scratch/out"
sees 'it sees an option that is missing' 'not in the page: --step' \
    "$scratch/out"
sees 'it sees an option that is none' 'not in the program: -q' "$scratch/out"
help_verbs <"$scratch/help" >"$scratch/out"
sees 'it sees a verb' 'do' "$scratch/out"

# ---- the pages

for page in "$root"/man/*.[1-8] "$root"/plugins/*/*.7; do
    if command -v mandoc >/dev/null; then
        mandoc -T lint -W warning "$page" >"$scratch/lint" 2>&1
        clean "${page##*/} has no mandoc warnings" "$scratch/lint"
    else
        skip "${page##*/} has no mandoc warnings" 'no mandoc'
    fi
    if man --version >/dev/null 2>&1 && command -v groff >/dev/null; then
        LC_ALL=C.UTF-8 MANROFFSEQ='' man --warnings -E UTF-8 -l -Tutf8 -Z \
            "$page" 2>&1 >/dev/null | cat >"$scratch/lint"
        clean "${page##*/} has no groff warnings" "$scratch/lint"
    else
        skip "${page##*/} has no groff warnings" 'no man-db'
    fi
done

name='agentsh-config(5) tells each setting, its default and its words'
if [ -x "$tables" ]; then
    "$tables" settings | setting_complaints "$root/man/agentsh-config.5" \
        >"$scratch/settings"
    clean "$name" "$scratch/settings"
else
    skip "$name" 'print_tables is not built'
fi

name='ai(1) tells each exit status'
if [ -x "$tables" ]; then
    "$tables" statuses | LC_ALL=C sort -u >"$scratch/known"
    tags "$root/man/ai.1" 'EXIT STATUS' - >"$scratch/told"
    same "$name"
else
    skip "$name" 'print_tables is not built'
fi

for section in FACTS PRESETS; do
    name="agentsh-policy(5) tells the $section of rules"
    if [ -x "$tables" ]; then
        "$tables" "$(echo "$section" | tr '[:upper:]' '[:lower:]')" |
            LC_ALL=C sort -u >"$scratch/known"
        tags "$root/man/agentsh-policy.5" "$section" Cm >"$scratch/told"
        same "$name"
    else
        skip "$name" 'print_tables is not built'
    fi
done

while IFS='|' read -r table section macro; do
    name="agentsh-plugin(7) tells the $table under $section"
    if [ -x "$tables" ]; then
        "$tables" "$table" | LC_ALL=C sort -u >"$scratch/known"
        tags "$root/man/agentsh-plugin.7" "$section" "$macro" >"$scratch/told"
        same "$name"
    else
        skip "$name" 'print_tables is not built'
    fi
done <<'END'
manifest|THE MANIFEST|Cm
needs|NEEDS|Cm
actions|ACTIONS|Cm
codes|ERROR CODES|Er
END

name='ai(1) tells each key of a review'
if [ -x "$tables" ]; then
    "$tables" keys | LC_ALL=C sort -u >"$scratch/known"
    tags "$root/man/ai.1" REVIEW Ic | grep '^[a-z]$' >"$scratch/told"
    same "$name"
else
    skip "$name" 'print_tables is not built'
fi

name='agentsh(1) tells each profile, and --profile takes each'
if [ -x "$tables" ] && [ -x "$build/agentsh" ]; then
    "$tables" profiles | LC_ALL=C sort -u >"$scratch/known"
    tags "$root/man/agentsh.1" 'THE SANDBOX' - >"$scratch/told"
    "$build/agentsh" completion bash | sed -n \
        's/^option;--profile;;NAME;\([^;]*\);.*/\1/p' | tr '|' '\n' |
        LC_ALL=C sort -u >"$scratch/taken"
    differences "$scratch/known" "$scratch/taken" >"$scratch/untaken"
    differences "$scratch/known" "$scratch/told" >>"$scratch/untaken"
    clean "$name" "$scratch/untaken"
else
    skip "$name" 'print_tables or agentsh is not built'
fi

if [ -x "$build/agentsh" ]; then
    # the same binary is the short command when it is called by that name
    short=$(sed -n 's/^#define AI_NAME "\(.*\)"/\1/p' "$build/config.h")
    ln -s "$build/agentsh" "$scratch/$short"
    "$scratch/$short" --help >"$scratch/short"
    help_options <"$scratch/short" >"$scratch/known"
    tags "$root/man/ai.1" OPTIONS Fl | sed 's/^/-/' >"$scratch/told"
    same 'ai(1) tells the options of ai --help'
    help_verbs <"$scratch/short" >"$scratch/known"
    tags "$root/man/ai.1" DESCRIPTION Cm >"$scratch/told"
    same 'ai(1) tells the verbs of ai --help'

    # agentsh takes the verbs of ai too
    "$build/agentsh" --help | cat "$scratch/short" - | help_verbs \
        >"$scratch/known"
    tags "$root/man/agentsh.1" DESCRIPTION Cm >"$scratch/told"
    same 'agentsh(1) tells the commands of agentsh --help'
else
    skip 'ai(1) and agentsh(1) tell what --help tells' 'agentsh is not built'
fi
done_testing
