/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bus_numbers.c - the name of a bus's numbers, and what nodes know of both. */
#include "server/bus/bus_numbers.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "json/json.h"
#include "json/write.h"

#define NUMBER_BYTES 32 /* of one and what stands around it */
#define NAME_BYTES   64 /* of the name, and the same */

int
bus_numbers_name(struct bus_numbers *n, struct err *e)
{
    uint64_t random;

    if (getrandom(&random, sizeof(random), 0) != (ssize_t)sizeof(random))
        return err_sys(e, "getrandom");
    snprintf(n->name, sizeof(n->name), "%016" PRIx64, random);
    return 0;
}

void
bus_numbers_anew(void *arg, uint64_t turn)
{
    struct bus_hub *h = arg;
    struct err e = {0};

    h->numbers = (struct bus_numbers){.turn = turn};
    if (h->keep && turn > 0 && bus_numbers_name(&h->numbers, &e) < 0)
        h->log(h->log_arg, e.text);
}

/* A piece of the numbers of all topics: an object of those that fit. */
struct topic_numbers {
    struct json_writer w;
    size_t from, n; /* topics */
    bool full;
};

static bool
put_last(void *arg, struct bus_topic_log *log)
{
    struct topic_numbers *t = arg;
    struct json_writer *w = &t->w;

    if (t->n < t->from) {
        t->n++;
        return true;
    }
    /* a character is six bytes of JSON at most */
    t->full = w->out->max - w->out->len < 6 * log->name_n + NUMBER_BYTES;
    if (t->full)
        return false;
    json_keyn(w, log->name, log->name_n);
    json_put_int(w, (int64_t)log->last);
    t->n++;
    return true;
}

/* No topic has the name "": it stands for all. */
static void
put_numbers_name(struct json_writer *w, const struct bus_numbers *n)
{
    char text[NAME_BYTES];

    if (!n->name[0])
        return;
    snprintf(text, sizeof(text), "%" PRIu64 " %s", n->turn, n->name);
    json_member_str(w, "", text);
}

size_t
bus_numbers_put(void *arg, struct buf *out, size_t from)
{
    const struct bus_hub *h = arg;
    struct topic_numbers t = {.from = from};

    json_write_init(&t.w, out);
    json_open_object(&t.w);
    if (h->keep && from == 0)
        put_numbers_name(&t.w, &h->numbers);
    if (h->keep)
        bus_keep_each(h->keep, put_last, &t);
    json_close_object(&t.w);
    return t.full ? t.n : 0;
}

/* False: it is none. */
static bool
read_numbers_name(const char *text, struct bus_numbers *out)
{
    char *end;

    if (!text || *text < '0' || *text > '9')
        return false;
    out->turn = strtoull(text, &end, 10);
    if (*end != ' ' || strlen(end + 1) != sizeof(out->name) - 1 ||
        strspn(end + 1, "0123456789abcdef") != sizeof(out->name) - 1)
        return false;
    memcpy(out->name, end + 1, sizeof(out->name));
    return true;
}

/* The numbers of a node that joins only let those here grow: one is left out,
 * so that who comes with it sees that there is something that did not come. */
static void
take_numbers(struct bus_hub *h, const struct json *all, bool exactly,
             struct err *e)
{
    struct bus_topic_log *log;

    for (const struct json *v = json_first(all); h->keep && v;
         v = json_next(v)) {
        size_t n;
        const char *name = json_name(v, &n);
        int64_t last;

        if (n == 0 || !json_int(v, &last) || last <= 0)
            continue;
        if (!(log = bus_keep_log(h->keep, name, n, e)))
            return;
        if (exactly)
            bus_keep_renumber(h->keep, log, (uint64_t)last);
        else if ((uint64_t)last > log->last)
            bus_keep_renumber(h->keep, log, (uint64_t)last + 1);
    }
}

static void
log_numbers_error(const struct bus_hub *h, struct err *e)
{
    if (e->code == ERR_NONE)
        return;
    err_wrap(e, "the numbers of the other nodes");
    h->log(h->log_arg, e->text);
}

bool
bus_numbers_take(void *arg, struct relay_bytes state)
{
    struct bus_hub *h = arg;
    struct bus_numbers theirs;
    struct err e = {0};
    CLEANUP(json_free_p)
    struct json *all = json_parse(state.p, state.n, JSON_UNIQUE, &e);

    if (all && h->numbers.name[0] &&
        read_numbers_name(json_get_str(all, ""), &theirs) &&
        theirs.turn < h->numbers.turn)
        return false;
    take_numbers(h, all, false, &e);
    log_numbers_error(h, &e);
    return true;
}

void
bus_numbers_adopt(void *arg, struct relay_bytes state)
{
    struct bus_hub *h = arg;
    struct bus_numbers theirs;
    struct err e = {0};
    CLEANUP(json_free_p)
    struct json *all = json_parse(state.p, state.n, JSON_UNIQUE, &e);

    if (all && h->keep && read_numbers_name(json_get_str(all, ""), &theirs))
        h->numbers = theirs;
    take_numbers(h, all, true, &e);
    log_numbers_error(h, &e);
}
