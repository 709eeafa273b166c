/* SPDX-License-Identifier: GPL-3.0-or-later */
/* price.c - what the tokens of a model cost, as a file says. */
#include "model/price.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/path.h"
#include "config/config_file.h"
#include "model/selection.h"

#define DECIMALS  6                            /* of a price */
#define PRICE_MAX (INT64_C(1000000) * 1000000) /* a million of a currency */
#define UP_TO_MAX (INT64_C(1) << 40)           /* as for a count of tokens */
#define ROW_MAX   1024                         /* bytes of a line */
#define WORDS_MAX (N_COLUMNS + ARRAY_SIZE(limits)) /* of a line */
#define BLANKS    " \t\r"

struct price_row {
    struct price price;
    const char *server, *model; /* patterns */
    char until[PRICE_DATE_SIZE];
};

static int
read_price(const char *word, int64_t *to)
{
    const char *end;

    if (strcmp(word, "-") == 0) {
        *to = PRICE_NOT_KNOWN;
        return 0;
    }
    end = cost_read_decimal(word, DECIMALS, PRICE_MAX, to);
    return end && !*end ? 0 : -1;
}

static int
read_price_in(const char *word, struct price_row *r)
{
    return read_price(word, &r->price.in);
}

static int
read_price_cached(const char *word, struct price_row *r)
{
    return read_price(word, &r->price.cached);
}

static int
read_price_written(const char *word, struct price_row *r)
{
    return read_price(word, &r->price.written);
}

static int
read_price_out(const char *word, struct price_row *r)
{
    return read_price(word, &r->price.out);
}

static int
read_price_server(const char *word, struct price_row *r)
{
    r->server = word;
    return 0;
}

static int
read_price_model(const char *word, struct price_row *r)
{
    r->model = word;
    return 0;
}

static int
read_currency(const char *word, struct price_row *r)
{
    if (!cost_is_currency(word))
        return -1;
    snprintf(r->price.currency, sizeof(r->price.currency), "%s", word);
    return 0;
}

static int
read_price_date(const char *word, char to[PRICE_DATE_SIZE])
{
    static const char form[] = "dddd-dd-dd";

    if (strlen(word) != sizeof(form) - 1)
        return -1;
    for (size_t i = 0; form[i]; i++) {
        bool digit = word[i] >= '0' && word[i] <= '9';

        if (form[i] == 'd' ? !digit : word[i] != form[i])
            return -1;
    }
    snprintf(to, PRICE_DATE_SIZE, "%s", word);
    return 0;
}

static int
read_looked_up(const char *word, struct price_row *r)
{
    return read_price_date(word, r->price.date);
}

/* The source is for people. */
static int
read_price_source(const char *word, struct price_row *r)
{
    (void)word;
    (void)r;
    return 0;
}

static int
read_up_to(const char *word, struct price_row *r)
{
    const char *end = cost_read_decimal(word, 0, UP_TO_MAX, &r->price.up_to);

    return end && !*end && r->price.up_to > 0 ? 0 : -1;
}

static int
read_until(const char *word, struct price_row *r)
{
    return read_price_date(word, r->until);
}

struct price_column {
    const char *name;
    int (*read)(const char *word, struct price_row *r);
    const char *form; /* what it has to be, for messages */
};

#define AMOUNT "a number with at most 6 decimals, such as 0.25, or -"
#define DAY    "a date such as 2026-01-31"
static const struct price_column columns[] = {
    {"server", read_price_server, "a name"},
    {"model", read_price_model, "a name"},
    {"in", read_price_in, AMOUNT},
    {"cached", read_price_cached, AMOUNT},
    {"written", read_price_written, AMOUNT},
    {"out", read_price_out, AMOUNT},
    {"currency", read_currency, "three capital letters, such as USD"},
    {"date", read_looked_up, DAY},
    {"source", read_price_source, "a word"},
};
#define N_COLUMNS ARRAY_SIZE(columns)

/* Behind the columns, as NAME=VALUE. */
static const struct price_column limits[] = {
    {"up_to", read_up_to, "a number of tokens"},
    {"until", read_until, DAY},
};

static int
read_price_limit(const char *word, struct price_row *r, struct err *e)
{
    size_t n = strcspn(word, "=");

    for (size_t i = 0; i < ARRAY_SIZE(limits); i++) {
        if (strlen(limits[i].name) != n || memcmp(word, limits[i].name, n) != 0)
            continue;
        if (word[n] && limits[i].read(word + n + 1, r) == 0)
            return 0;
        return err_set(e, ERR_CONFIG, "%s= takes %s, not \"%.40s\"",
                       limits[i].name, limits[i].form,
                       word[n] ? word + n + 1 : "");
    }
    return err_set(e, ERR_CONFIG,
                   "\"%.40s\" after the source; there may be up_to=TOKENS and "
                   "until=DATE",
                   word);
}

static int
read_price_word(size_t i, const char *word, struct price_row *r, struct err *e)
{
    if (i >= N_COLUMNS)
        return read_price_limit(word, r, e);
    if (columns[i].read(word, r) == 0)
        return 0;
    return err_set(e, ERR_CONFIG, "%s must be %s, not \"%.40s\"",
                   columns[i].name, columns[i].form, word);
}

/* Reads a line, which it cuts into words. Returns 1; 0: it has no row. */
static int
read_price_row(char *line, struct price_row *r, struct err *e)
{
    char *save = NULL;
    size_t n = 0;

    *r = (struct price_row){0};
    line[strcspn(line, "#")] = '\0';
    for (char *w = strtok_r(line, BLANKS, &save); w;
         w = strtok_r(NULL, BLANKS, &save)) {
        if (n == WORDS_MAX)
            return err_set(e, ERR_CONFIG, "too many words");
        if (read_price_word(n++, w, r, e) < 0)
            return -1;
    }
    if (n > 0 && n < N_COLUMNS)
        return err_set(e, ERR_CONFIG,
                       "%s is missing; a line is: server model "
                       "in cached written out currency date source",
                       columns[n].name);
    return n > 0;
}

/* Whether text is the date that a provider adds to the name of a model that it
 * keeps as it is: -20260131 or -2026-01-31. */
static bool
is_snapshot(const char *text)
{
    char date[PRICE_DATE_SIZE];

    if (text[0] != '-')
        return false;
    return read_price_date(text + 1, date) == 0 ||
           (strlen(text) == 9 && strspn(text + 1, "0123456789") == 8);
}

static bool
fits_model(const char *pattern, const char *model)
{
    size_t n = strlen(pattern);

    return fnmatch(pattern, model, 0) == 0 ||
           (strncmp(pattern, model, n) == 0 && is_snapshot(model + n));
}

static bool
fits_price_query(const struct price_row *r, const struct price_query *q)
{
    return fnmatch(r->server, q->server, 0) == 0 &&
           fits_model(r->model, q->model) &&
           (!r->until[0] || strcmp(q->today, r->until) <= 0);
}

int
price_read(const char *name, const char *text, const struct price_query *q,
           struct price *out, struct err *e)
{
    int found = 0;
    size_t n;

    for (int number = 1; *text; number++, text += n, text += *text == '\n') {
        char line[ROW_MAX];
        struct price_row r;
        int rc;

        n = strcspn(text, "\n");
        if (n >= sizeof(line))
            return err_set(e, ERR_CONFIG, "%s:%d: longer than %d bytes", name,
                           number, ROW_MAX - 1);
        memcpy(line, text, n);
        line[n] = '\0';
        rc = read_price_row(line, &r, e);
        if (rc < 0)
            return err_wrap(e, "%s:%d", name, number);
        if (rc > 0 && !found && fits_price_query(&r, q)) {
            *out = r.price;
            found = 1;
        }
    }
    return found;
}

/* The provider's name for its own address; else the host. */
static void
write_server(const struct model_selection *m, char *text, size_t size)
{
    char *port;

    if (strcmp(m->url, m->provider->url) == 0) {
        snprintf(text, size, "%s", m->provider->name);
        return;
    }
    provider_url_host(m->url, text, size);
    port = strrchr(text, ':');
    if (port && !strchr(port, ']')) /* not a part of [::1] */
        *port = '\0';
}

static void
write_today(char text[PRICE_DATE_SIZE])
{
    time_t now = time(NULL);
    struct tm tm;

    text[0] = '\0';
    if (localtime_r(&now, &tm))
        (void)strftime(text, PRICE_DATE_SIZE, "%Y-%m-%d", &tm);
}

/* path: taken; NULL: there is none. */
static int
find_in_file(char *path, const struct price_query *q, struct price *out,
             struct err *e)
{
    CLEANUP(free_p) char *own = path;
    CLEANUP_BUF struct buf b = buf_of(PRICE_FILE_MAX);
    bool exists = false;

    if (!own)
        return 0;
    if (config_file_read(own, CONFIG_FILE_ANYONE, &b, &exists, e) < 0)
        return -1;
    return exists && b.len > 0 ? price_read(own, b.p, q, out, e) : 0;
}

/* A row of the person's for either name goes before those that are installed.
 */
static int
find_in_files(const struct model_dirs *dirs, struct price_query *q,
              const char *const names[2], struct price *out, struct err *e)
{
    for (size_t file = 0; file < 2; file++) {
        for (size_t i = 0; i < 2; i++) {
            int rc;

            q->model = names[i];
            if (!q->model || !*q->model)
                continue;
            rc = find_in_file(file ? path_share(PRICE_FILE)
                                   : model_dirs_file(dirs->config, PRICE_FILE),
                              q, out, e);
            if (rc != 0)
                return rc;
        }
    }
    return 0;
}

/* The price that the settings name, in a currency without a name. */
static bool
find_in_settings(const struct config *c, struct price *out)
{
    double in = c ? config_number(c, CONFIG_MODEL_PRICE_IN) : 0;
    double per = c ? config_number(c, CONFIG_MODEL_PRICE_OUT) : 0;

    if (in <= 0 || per <= 0)
        return false;
    *out = (struct price){.in = (int64_t)(in * 1e6 + 0.5),
                          .out = (int64_t)(per * 1e6 + 0.5)};
    out->cached = out->written = out->in;
    return true;
}

int
price_find(const struct config *c, const struct model_selection *m,
           const char *model, struct price *out, struct err *e)
{
    char server[PRICE_SERVER_MAX], today[PRICE_DATE_SIZE];
    struct price_query q = {.server = server, .today = today};
    const char *const names[2] = {model, m->model};

    if (model_selection_is_local(m))
        return 0;
    if (find_in_settings(c, out))
        return 1;
    write_server(m, server, sizeof(server));
    write_today(today);
    return find_in_files(&m->dirs, &q, names, out, e);
}

/* Adds what n tokens cost; without tokens a price need not be known. */
static void
add_token_cost(struct cost *sum, int64_t n, int64_t price)
{
    struct cost more = *sum;

    if (n == 0)
        return;
    more.known = price != PRICE_NOT_KNOWN && n > 0 &&
                 !__builtin_mul_overflow(n, price, &more.units);
    cost_add(sum, &more);
}

struct cost
price_cost(const struct price *p, const struct price_use *use)
{
    struct cost sum = {0};
    int64_t cached = use->cached > 0 ? use->cached : 0;
    int64_t written = use->written > 0 ? use->written : 0;

    snprintf(sum.currency, sizeof(sum.currency), "%s", p->currency);
    if (use->in < 0 || use->out < 0 || (use->in == 0 && use->out == 0) ||
        cached > use->in || written > use->in - cached ||
        (p->up_to > 0 && use->most_in > p->up_to))
        return sum;
    sum.known = true;
    add_token_cost(&sum, use->in - cached - written, p->in);
    add_token_cost(&sum, cached, p->cached);
    add_token_cost(&sum, written, p->written);
    add_token_cost(&sum, use->out, p->out);
    return sum;
}

static void
put_price_part(struct buf *out, const char *name, int64_t price)
{
    struct cost c = {.units = price > 0 ? price * 1000000 : 0};

    buf_printf(out, "%s ", name);
    if (price == PRICE_NOT_KNOWN)
        buf_ch(out, '-');
    else
        cost_put_amount(out, &c);
    buf_ch(out, ' ');
}

void
price_put(struct buf *out, const struct price *p)
{
    put_price_part(out, "in", p->in);
    put_price_part(out, "cached", p->cached);
    put_price_part(out, "written", p->written);
    put_price_part(out, "out", p->out);
    buf_printf(out, "%s%sfor a million tokens", p->currency,
               p->currency[0] ? " " : "");
    if (p->date[0])
        buf_printf(out, ", looked up %s", p->date);
    else
        buf_str(out, ", a setting");
}
