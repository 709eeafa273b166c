/* SPDX-License-Identifier: GPL-3.0-or-later */
/* host_list.c - the hosts that a plan runs on, as --on names them. */
#include "action/host_list.h"

#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"

void
host_list_done(struct host_list *h)
{
    if (!h)
        return;
    for (size_t i = 0; i < h->n; i++)
        free(h->names[i]);
    *h = (struct host_list){.n = 0};
}

/* ssh may hand a name to a shell (ProxyCommand), and we show it. */
static bool
is_host_letter(char c)
{
    return ascii_is_word(c) || (c && strchr(".-@:/[]%+", c));
}

/* What begins with a hyphen, as the user or the host behind the @ or the //, is
 * an option to a program that ssh hands it to. */
static bool
has_option_part(const char *name, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (name[i] == '-' && (i == 0 || strchr("@/", name[i - 1])))
            return true;
    return false;
}

static int
check_host_name(const struct host_list *h, const char *name, size_t n,
                struct err *e)
{
    if (n == 0)
        return err_set(e, ERR_USAGE, "--on: a name of a host is empty");
    if (n > HOST_LIST_NAME_MAX)
        return err_set(e, ERR_USAGE, "--on: a name is longer than %d bytes",
                       HOST_LIST_NAME_MAX);
    for (size_t i = 0; i < n; i++)
        if (!is_host_letter(name[i]))
            return err_set(e, ERR_USAGE,
                           "--on: '%.*s' is no name of a host: names hold "
                           "letters, digits and .-_@:/[]%%+, with commas "
                           "between",
                           (int)n, name);
    if (name[0] == '@' || name[n - 1] == '@' || has_option_part(name, n))
        return err_set(e, ERR_USAGE, "--on: '%.*s' is no name of a host",
                       (int)n, name);
    for (size_t i = 0; i < h->n; i++)
        if (strlen(h->names[i]) == n && memcmp(h->names[i], name, n) == 0)
            return err_set(e, ERR_USAGE, "--on: %.*s is named twice", (int)n,
                           name);
    return 0;
}

int
host_list_read(struct host_list *h, const char *text, struct err *e)
{
    CLEANUP(host_list_done) struct host_list found = {.n = 0};

    for (bool more = true; more;) {
        size_t n = strcspn(text, ",");

        if (check_host_name(&found, text, n, e) < 0)
            return -1;
        if (found.n == HOST_LIST_MAX)
            return err_set(e, ERR_USAGE, "--on takes at most %d hosts",
                           HOST_LIST_MAX);
        if (!(found.names[found.n] = strndup(text, n)))
            return err_nomem(e);
        found.n++;
        more = text[n] == ',';
        text += n + more;
    }
    *h = found;
    found = (struct host_list){.n = 0};
    return 0;
}

size_t
host_list_index(const struct host_list *h, const char *name)
{
    size_t i = 0;

    while (i + 1 < h->n && strcmp(h->names[i], name) != 0)
        i++;
    return i;
}

void
host_list_put(const struct host_list *h, struct buf *out)
{
    for (size_t i = 0; i < h->n; i++)
        buf_printf(out, "%s%s", i > 0 ? ", " : "", h->names[i]);
}
