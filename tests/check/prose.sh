#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# prose.sh - what is written for a person is read by no program.
# shellcheck disable=SC2154 # tap.sh sets root, checks and scratch
set -u
. "$(dirname "$0")/tap.sh"

# complaints DIR. risk_findings.c compares the reasons that it makes.
complaints() {
    (cd "$1" && find src plugins -name '*.[ch]' \
        ! -path src/guard/risk/risk_findings.c | LC_ALL=C sort |
        LC_ALL=C xargs awk -f "$checks/code.awk" -f "$checks/prose.awk")
}

plant src/guard/planted.c <<'END'
/* strstr(e->text, "x") */
static void
f(struct err *e, const struct risk *r, struct err *other)
{
    const char *text = r->reasons[0].text;
    const char *copy = e->text;

    if (strstr(e->text, "no such"))
        return;
    n = strcspn(text, " ");
    while (a && !strncmp(copy +
                         1, "b", 1))
        return;
    if (strcmp(f->reason, "x") == 0 || q->why.text[0])
        memcmp(other->text, "y", 1);
    puts(e->text);
    snprintf(out, 10, "%s", r->reasons[0].text);
    copy_of(text);
}

static void
g(struct word *w)
{
    const char *text = w->text;

    strcmp(text, w->text);
    strcmp(e.kind, "strstr(e->text)");
}
END
mkdir -p "$scratch/plugins"
complaints "$scratch" >"$scratch/out"
while IFS='|' read -r name complaint; do
    sees "it sees $name" "src/guard/planted.c:$complaint" "$scratch/out"
done <<'END'
a word looked for in an error|8: strstr() reads a text for a person
a reason's first word, by another name|10: strcspn() reads a text for a person
an error's beginning, on two lines|11: strncmp() reads a text for a person
a finding's reason compared|14: strcmp() reads a text for a person
an error that is an argument|14: memcmp() reads a text for a person
END
if [ "$(wc -l <"$scratch/out")" -eq 5 ]; then
    ok 'it sees nothing else'
else
    not_ok 'it sees nothing else' <"$scratch/out"
fi

complaints "$root" >"$scratch/c"
clean 'no C reads the text of an error or a reason' "$scratch/c"
done_testing
