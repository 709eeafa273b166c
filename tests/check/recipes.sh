#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# recipes.sh - recipes: a mistake is told with its place, and none is there.
# shellcheck disable=SC2154 # tap.sh sets root, checks and scratch
set -u
. "$(dirname "$0")/tap.sh"

make_index=${top_builddir:-.}/src/offline/recipes/make_index
if [ ! -x "$make_index" ]; then
    echo "1..0 # SKIP $make_index is not built"
    exit 0
fi

# complaints FILE...
complaints() {
    "$make_index" --check "$@" 2>&1 | sed "s|$scratch/||g"
}

# ---- it sees what cannot be read: the first in a file

while IFS='|' read -r name line complaint text; do
    printf '%b\n' "$text" | plant unread.txt
    complaints "$scratch/unread.txt" >"$scratch/out"
    sees "it sees $name" "unread.txt:$line: $complaint" "$scratch/out"
done <<'END'
a row without a stanza|1|a row without a stanza above it|    ? a b
a stanza without a phrase|1|a recipe without a phrase (?)|a: t\n    $ ls
a stanza without a command|2|a recipe without a command ($) or a composer|\na: t\n    ? list
a row of no kind|2|a row begins with ? $ - # compose needs or risk|a: t\n    ! x
an empty row|2|an empty row|a: t\n    ?
too few blanks|2|a row is indented by four blanks|a: t\n  ? x
a tab|2|a tab or a carriage return: use blanks|a: t\n    ? x\ty
no title|1|a recipe without a title|a:
a second needs|3|a second row of the kind|a: t\n    needs ls\n    needs ls
a risk that is none|2|risk is one of reads, writes, deletes, root|a: t\n    risk high
seven phrases|8|more than six phrases: keep those that differ most|a: t\n    ? a\n    ? b\n    ? c\n    ? d\n    ? e\n    ? f\n    ? g
a slot of no type|2|{file}: no type of slot; a shell's own brace is {{|a: t\n    $ ls {file}
an empty slot|2|{}: write {{}} for a shell's own|a: t\n    $ find -exec ls {} +
a lone brace|2|a lone }: a shell's own brace is written twice|a: t\n    $ a }
an unknown unit|2|{age.x}: ages have units smhdwMy, sizes ckMGT, paths dn|a: t\n    $ sleep {age.x}
a command and a composer|3|a command, and a composer: one of the two|a: t\n    compose find\n    $ find
a step without a command|3|the step before this one has no command ($)|a: t\n    - one\n    - two
a step behind a command|3|a step after a command without a step|a: t\n    $ ls\n    - two
a name twice|4|duplicate recipe a: unread.txt:1|a: t\n    ? list\n    $ ls\na: t
END

# ---- it sees what a reader would object to: all of it

plant bad.txt <<'END'
unread: what bash cannot read
    ? one and only
    ? two of them
    ? three of them
    $ ls 'a
    needs ls
needs: a program that is not named
    ? one and only
    ? two of them
    ? three of them
    $ ls | sudo -u bob sort
    needs ls cat
    risk root
slots: a slot of no command
    ? one {path} and {number}
    ? two of {path2}
    ? three of {ext}
    $ ls {path} {glob}
    needs ls
phrases: too few, and the same
    ? list files
    ? the files, list
    $ ls
    needs ls
quotes: on the wrong side
    ? one {text}
    ? two of {path}
    ? three {number}
    $ grep '{text}' {text!} "$(head -n '{number}' {path})"
    needs grep head
deletes: more than it says
    ? one and only
    ? two of them
    ? three of them
    $ rm -r {path:x}
    needs rm
writes: more than it says
    ? one and only
    ? two of them
    ? three of them
    $ ls > {path}
    needs ls
looks: less than it says
    ? one and only
    ? two of them
    ? three of them
    $ ls 2> /dev/null
    needs ls
    risk deletes
pushes: make a tag
    ? one {name}
    ? two things {name}
    ? three more {name}
    - Make it
    $ git tag {name}
    - Push it
    $ git push origin {name}
    needs git
    risk writes
empties: tidy up
    ? one thing
    ? two of them
    ? three of them
    - Look
    $ ls
    - Remove it
    $ rm -r {path:x}
    needs ls rm
    risk deletes
adds: begin a network project
    ? one thing
    ? two of them
    ? three of them
    - Get it
    $ npm add {name:x} && pip install {name:x}
    needs npm pip
    risk writes
rights: write it down
    ? one thing
    ? two of them
    ? three of them
    - Say it
    $ useradd {user:x}
    needs useradd
    risk root
plain: remove {path} as root
    ? one thing {path}
    ? two of them {path}
    ? three of them {path}
    - Check
    $ cat "$0" {@home}/notes {path} && sh -c 'test -e "$0"' {@home}/.netrc
    - Write it
    $ ls ~/x > {path}."$(date +%F)"
    needs cat sh ls date
    risk writes
END
complaints "$scratch/bad.txt" >"$scratch/out"
while IFS='|' read -r name line complaint; do
    sees "it sees $name" "bad.txt:$line: $complaint" "$scratch/out"
done <<'END'
an open quote|1|unread: bash would not read `ls 'a': unclosed single quote at byte 3
a program that is not named|7|needs: needs does not name sort
a wrapper that is not named|7|needs: needs does not name sudo
a program that is not started|7|needs: needs names cat, which no command starts
a number that no command takes|14|slots: no command has slot 1 of type number, a phrase has
a second path that no command takes|14|slots: no command has slot 2 of type path, a phrase has
two phrases|20|phrases: 2 phrases: three to six
two phrases of the same words|20|phrases: the same words: `list files' and `the files, list'
a text that gets quotes within quotes|25|quotes: {text} stands in quotes: {text!}
a bare text without quotes|25|quotes: {text!} stands in no quotes: leave the ! out
a risk that is too low|31|deletes: risk deletes: rm -r notes.txt: rm deletes files
a file that is made|37|writes: risk writes: ls > notes.txt: it makes or changes files
a risk that is too high|43|looks: risk deletes: the guard sees nothing but reading
a push that the title is silent about|50|pushes: its title does not mention the network: git push origin thing
a removal that the title is silent about|60|empties: its title does not mention removing, replacing or letting others in: rm -r notes.txt
an installation that the title is silent about|70|adds: its title does not mention installing: npm add thing && pip install thing
root that the title is silent about|78|rights: its title does not mention root's rights: useradd bob
a check that its walls make blind|86|plain: in observe, /home/nobody.here/.netrc is not seen: cat "$0" /home/nobody.here/notes notes.txt && sh -c 'test -e "$0"' /home/nobody.here/.netrc
a home that is known|86|plain: the home is known before: {@home}
a day that is known|86|plain: the day is known before: {@today}
END
if grep -q 'number.*quotes\|type ext' "$scratch/out"; then
    not_ok "numbers in quotes and patterns for extensions are fine" \
        <"$scratch/out"
else
    ok "numbers in quotes and patterns for extensions are fine"
fi

# ---- the recipes

(cd "$root" && "$make_index" --check src/offline/recipes/*.txt) \
    >"$scratch/all" 2>&1
for file in "$root"/src/offline/recipes/*.txt; do
    name=src/offline/recipes/${file##*/}
    grep -F "$name:" "$scratch/all" >"$scratch/out"
    clean "$name" "$scratch/out"
done
grep -v '^src/' "$scratch/all" | sed 's/^/# /'

done_testing
