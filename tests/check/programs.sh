#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# programs.sh - the tables of programs: a mistake is told with its place.
# shellcheck disable=SC2154 # tap.sh sets root, checks and scratch
set -u
. "$(dirname "$0")/tap.sh"

tables=$root/src/guard/risk/programs

# complaints FILE…
complaints() {
    LC_ALL=C awk -f "$tables/make.awk" "$@" 2>&1 >"$scratch/made" |
        sed "s|$scratch/||g"
}

# ---- it sees what it looks for

plant bad.txt <<'END'
# a table
  destructive: deletes files
rm
  destructiv: deletes files
  destructive
  destructive if -f
  deletes
  deletes ARGS if
  deletes ARGS NONSENSE
  code cobol ARGS
  wraps after x
  values file
  values -a
  values -b
  shell -o=x
  destructive when raining: gets wet
  + destructive
  + wet: rm x
  + destructive: rm x
rm
  - destructive: rm --help
mv
  changes LAST
"git push"
  - destructive: git push
END
complaints "$scratch/bad.txt" >"$scratch/out"
while IFS='|' read -r name line complaint; do
    sees "it sees $name" "bad.txt:$line: $complaint" "$scratch/out"
done <<'END'
a line before any stanza|2|neither a name at the margin nor a line behind two blanks
a fact that is none|4|neither a fact nor a word of README: destructiv
a fact without a reason|5|a fact without a reason
nothing to delete|7|a word is missing
a condition without words|8|a word is missing
what is no argument|9|no option: NONSENSE
another language|10|an unknown language: cobol
a number that is none|11|after needs a number
a value of what is no option|12|no option: file
a second list|14|a second line of values
a value that is no beginning|15|a value's beginning ends in *: -o=x
a condition that is none|16|an unknown condition: raining
an example without a line|17|an example has FACT…: COMMAND
an example of what is no fact|18|an unknown fact: wet
a name that stands twice|20|rm has a stanza at bad.txt:3
a stanza without an example|22|a stanza without an example
a subcommand without its program|24|git push: no stanza for git
END

plant good.txt <<'END'
rm unlink
  destructive if -f --force
    unless 1=x -o=*y*: deletes files
  deletes ARGS
  + destructive: rm -f x
END
complaints "$scratch/good.txt" >"$scratch/out"
clean 'it sees nothing else' "$scratch/out"

# ---- the tree

complaints "$tables"/*.txt >"$scratch/out"
clean 'the tables have no mistake' "$scratch/out"
done_testing
