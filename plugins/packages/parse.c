/* SPDX-License-Identifier: GPL-3.0-or-later */
/* parse.c - the forms of package managers' lists. */
#include <stdlib.h>
#include <string.h>

#include "plugins/packages/database.h"

static int
add(struct database *d, const struct package *p, struct err *e)
{
    size_t room = d->room ? 2 * d->room : 1024;
    struct package *rows;

    if (d->n == d->room) {
        rows = reallocarray(d->rows, room, sizeof(*rows));
        if (!rows)
            return err_sys(e, "packages");
        d->rows = rows;
        d->room = room;
    }
    d->rows[d->n++] = *p;
    return 0;
}

/* "Key: value" at the beginning of a line; names of fields ignore case, but
 * dpkg writes them so. */
static bool
field(struct span line, const char *key, struct span *value)
{
    size_t n = strlen(key);

    if (line.n <= n || line.p[n] != ':' || memcmp(line.p, key, n) != 0)
        return false;
    *value = span_trim((struct span){line.p + n + 1, line.n - n - 1});
    return true;
}

/* "install ok installed", "hold ok installed": the third word counts. */
static bool
is_installed(struct span status)
{
    struct span word;

    return span_word(&status, &word) && span_word(&status, &word) &&
           span_word(&status, &word) && span_is(word, "installed");
}

static void
take_dpkg(struct span line, struct package *p, bool *installed)
{
    struct span value;

    switch (line.p[0]) { /* most lines are of descriptions: a look is enough */
    case 'P':
        field(line, "Package", &p->name);
        break;
    case 'S':
        if (field(line, "Status", &value))
            *installed = is_installed(value);
        break;
    case 'V':
        field(line, "Version", &p->version);
        break;
    case 'A':
        field(line, "Architecture", &p->arch);
        break;
    default:
        break;
    }
}

int
database_parse_dpkg(struct database *d, struct err *e)
{
    struct span rest = {d->text.p, d->text.len}, line;
    struct package p = {0};
    bool installed = false, more = true;

    while (more) {
        more = span_line(&rest, &line);
        if (more && line.n > 0) {
            take_dpkg(line, &p, &installed);
            continue;
        }
        if (installed && p.name.n > 0 && add(d, &p, e) < 0)
            return -1;
        p = (struct package){0};
        installed = false;
    }
    return 0;
}

int
database_parse_apk(struct database *d, struct err *e)
{
    struct span rest = {d->text.p, d->text.len}, line;
    struct package p = {0};
    bool more = true;

    while (more) {
        more = span_line(&rest, &line);
        if (more && line.n > 0) {
            (void)(field(line, "P", &p.name) || field(line, "V", &p.version) ||
                   field(line, "A", &p.arch));
            continue;
        }
        if (p.name.n > 0 && add(d, &p, e) < 0)
            return -1;
        p = (struct package){0};
    }
    return 0;
}

/* The version is what stands behind the last hyphen but one. */
static bool
split_directory(struct span line, struct package *p)
{
    size_t at = line.n;

    for (int hyphens = 0; at > 0 && hyphens < 2; at--)
        hyphens += line.p[at - 1] == '-';
    if (at == 0)
        return false;
    p->name = (struct span){line.p, at};
    p->version = (struct span){line.p + at + 1, line.n - at - 1};
    return p->version.n > 0;
}

int
database_parse_pacman(struct database *d, struct err *e)
{
    struct span rest = {d->text.p, d->text.len}, line;

    while (span_line(&rest, &line)) {
        struct package p = {0};

        if (split_directory(line, &p) && add(d, &p, e) < 0)
            return -1;
    }
    return 0;
}

int
database_parse_rpm(struct database *d, struct err *e)
{
    struct span rest = {d->text.p, d->text.len}, line;

    while (span_line(&rest, &line)) {
        struct package p = {0};

        if (!span_split(&line, '\t', &p.name) ||
            !span_split(&line, '\t', &p.version) || p.name.n == 0)
            continue;
        p.arch = line;
        if (span_is(p.arch, "(none)"))
            p.arch.n = 0;
        /* keys that it trusts, listed as packages */
        if (!span_is(p.name, "gpg-pubkey") && add(d, &p, e) < 0)
            return -1;
    }
    return 0;
}
