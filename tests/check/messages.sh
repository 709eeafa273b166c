#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# messages.sh - po/agentsh.pot lists what the source says.
# shellcheck disable=SC2154 # tap.sh sets root, checks and scratch
set -u
. "$(dirname "$0")/tap.sh"

if ! command -v xgettext >/dev/null || ! command -v msgcat >/dev/null; then
    skip "po/agentsh.pot is what make messages makes" "xgettext is not here"
    done_testing
fi

# ---- it sees what it looks for

plant planted/src/a.c <<'END'
int a(struct err *e) { return err_set(e, ERR_IO, "no room " "in %s", name); }
int b(struct err *e) { return err_wrap(e, "%s: cannot move it", name); }
const char *c = "said to nobody";
END
plant planted/src/table.c <<'END'
static const struct row rows[] = {{"--key", "how much is shown"}};
END
plant planted/src/guard/risk/programs/a.txt <<'END'
rm
  values -t
  destructive unless --help: deletes what
    is named
END
plant planted/src/offline/recipes/a.txt <<'END'
copy-all: copy all of "it"
    - Look at {path}
    ? what nobody reads here
    $ cp
END
plant planted/src/offline/repair/rules/a.txt <<'END'
words list: one two three
use-name: Use the name {name}
    + a real message of it
    - another real message
END
plant planted/po/tables <<'END'
# tables
src/table.c
END
mkdir -p "$scratch/planted/plugins"
sh "$root/po/messages.sh" "$scratch/planted" >"$scratch/out" 2>&1
while IFS='|' read -r what line; do
    sees "$what" "$line" "$scratch/out"
done <<'END'
it sees an error|msgid "no room in %s"
it sees what stands in front of one|msgid "%s: cannot move it"
it sees a text of a table|msgid "how much is shown"
it sees a reason of the guard|msgid "deletes what is named"
it sees the title of a recipe|msgid "copy all of \"it\""
it sees the text of a step|msgid "Look at {path}"
it sees the title of a rule|msgid "Use the name {name}"
it names the file|#: src/guard/risk/programs/a.txt
END
grep -e 'said to nobody' -e 'nobody reads' -e 'real message' -e 'two three' -e '--key' -e 'Date' "$scratch/out" >"$scratch/more"
clean "and nothing else" "$scratch/more"

# ---- the tree

sh "$root/po/messages.sh" "$root" >"$scratch/now" 2>&1
diff "$root/po/agentsh.pot" "$scratch/now" | head -n 20 >"$scratch/out"
[ -s "$scratch/out" ] && echo 'To do: make messages' >>"$scratch/out"
clean "po/agentsh.pot is what make messages makes" "$scratch/out"

done_testing
