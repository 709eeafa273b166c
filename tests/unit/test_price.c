/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_price.c - which price a model has, and what its tokens cost. */
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/path.h"
#include "model/price.h"
#include "model/provider/provider_table.h"
#include "model/selection.h"
#include "tests/unit/own_dir.h"

#define ROW(server, model, in, more)                                           \
    server " " model " " in " 0.1 1.25 5 USD 2026-01-02 http://h " more "\n"

static const char rows[] = "# a comment\n\n" ROW("openai", "gpt-x", "1", "")
    ROW("openai", "gpt-x-*", "2", "") ROW("*.example.org", "*/big", "3", "")
        ROW("openai", "old", "4", "until=2026-06-30")
            ROW("openai", "old", "5", "up_to=1000 # dearer above");

/* "": there is no row. */
struct wanted {
    const char *server, *model, *today;
    int64_t in;
};

static void
the_first_row_that_fits_counts(void **state)
{
    static const struct wanted wanted[] = {
        {"openai", "gpt-x", "2026-01-01", 1000000},
        {"openai", "gpt-x-2026-03-04", "2026-01-01", 1000000},
        {"openai", "gpt-x-20260304", "2026-01-01", 1000000},
        {"openai", "gpt-x-mini", "2026-01-01", 2000000},
        {"openai", "gpt-x-2026-03-4", "2026-01-01", 2000000},
        {"openai", "gpt-xy", "2026-01-01", 0},
        {"openai", "GPT-X", "2026-01-01", 0},
        {"anthropic", "gpt-x", "2026-01-01", 0},
        {"api.example.org", "a/big", "2026-01-01", 3000000},
        {"example.org", "a/big", "2026-01-01", 0},
        {"", "gpt-x", "2026-01-01", 0},
        {"openai", "old", "2026-06-30", 4000000},
        {"openai", "old", "2026-07-01", 5000000},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(wanted); i++) {
        const struct price_query q = {wanted[i].server, wanted[i].model,
                                      wanted[i].today};
        struct price p = {0};
        struct err e = {0};
        int rc = price_read("prices", rows, &q, &p, &e);

        if (rc != (wanted[i].in != 0) || p.in != wanted[i].in)
            fail_msg("%s %s: %d %lld %s", q.server, q.model, rc,
                     (long long)p.in, e.text);
    }
}

static void
a_wrong_line_is_named(void **state)
{
    static const struct {
        const char *text, *words;
    } wrong[] = {
        {"openai\n", "prices:1: model is missing"},
        {"\n#\nopenai m 1 1 1 1 USD 2026-01-02\n",
         "prices:3: source is missing"},
        {"openai m 1,5", "prices:1: in must be a number"},
        {"openai m -1", "in must be a number"},
        {"openai m 0.1234567", "at most 6 decimals"},
        {"openai m 1 x", "cached must be"},
        {"openai m 1 1 x", "written must be"},
        {"openai m 1 1 1 1e3", "out must be"},
        {"openai m 1000001", "in must be"},
        {"openai m 1 1 1 1 usd", "currency must be three"},
        {"openai m 1 1 1 1 USD 2026-1-2", "date must be a date"},
        {ROW("o", "m", "1", "more=1"), "\"more=1\" after the source"},
        {ROW("o", "m", "1", "up_to=0"), "up_to= takes a number of tokens"},
        {ROW("o", "m", "1", "up_to"), "up_to= takes a number of tokens"},
        {ROW("o", "m", "1", "until=never"), "until= takes a date"},
        {ROW("o", "m", "1", "up_to=1 until=2026-01-01 up_to=2"),
         "too many words"},
    };
    static const struct price_query q = {"openai", "m", "2026-01-01"};

    (void)state;
    for (size_t i = 0; i < N_OF(wrong); i++) {
        struct price p = {.in = 7};
        struct err e = {0};

        if (price_read("prices", wrong[i].text, &q, &p, &e) != -1 ||
            !strstr(e.text, wrong[i].words))
            fail_msg("%s: %s", wrong[i].text, e.text);
        assert_int_equal(e.code, ERR_CONFIG);
        assert_int_equal(p.in, 7);
    }
}

static void
a_line_has_a_largest_size(void **state)
{
    static const struct price_query q = {"openai", "m", "2026-01-01"};
    char text[2000];
    struct price p;
    struct err e = {0};

    (void)state;
    memset(text, 'x', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    assert_int_equal(price_read("prices", text, &q, &p, &e), -1);
    assert_non_null(strstr(e.text, "prices:1: longer than"));
}

struct bill {
    struct price price;
    struct price_use use;
    int64_t units; /* -1: not known */
};

/* A million tokens at 1 cost 1. Cached tokens are a part of those that were
 * read. */
static void
tokens_cost_what_their_price_says(void **state)
{
    static const struct bill bills[] = {
        {{1000000, 100000, 1250000, 5000000, 0, "USD", ""},
         {1000000, -1, -1, 1000000, 0},
         6 * COST_UNITS},
        {{1000000, 100000, 1250000, 5000000, 0, "USD", ""},
         {1000, 600, 300, 10, 1000},
         100 * 1000000 + 600 * 100000 + 300 * 1250000 + 10 * 5000000},
        {{1, 1, 1, 1, 0, "USD", ""}, {1, 0, 0, 0, 1}, 1},
        {{0, 0, 0, 0, 0, "USD", ""}, {5, 0, 0, 5, 5}, 0},
        /* counts that are not told, or cannot be */
        {{1, 1, 1, 1, 0, "USD", ""}, {-1, 0, 0, 1, 0}, -1},
        {{1, 1, 1, 1, 0, "USD", ""}, {1, 0, 0, -1, 0}, -1},
        {{1, 1, 1, 1, 0, "USD", ""}, {0, 0, 0, 0, 0}, -1},
        {{1, 1, 1, 1, 0, "USD", ""}, {5, 6, 0, 1, 5}, -1},
        {{1, 1, 1, 1, 0, "USD", ""}, {5, 3, 3, 1, 5}, -1},
        /* a price that is not known matters with tokens that it is for */
        {{1, -1, -1, 1, 0, "USD", ""}, {5, 0, -1, 1, 5}, 6},
        {{1, -1, -1, 1, 0, "USD", ""}, {5, 1, 0, 1, 5}, -1},
        {{1, 1, -1, 1, 0, "USD", ""}, {5, 1, 1, 1, 5}, -1},
        {{1, 1, 1, -1, 0, "USD", ""}, {5, 1, 1, 1, 5}, -1},
        /* it holds up to a size of one request, not of their sum */
        {{1, 1, 1, 1, 100, "USD", ""}, {150, 0, 0, 1, 100}, 151},
        {{1, 1, 1, 1, 100, "USD", ""}, {150, 0, 0, 1, 101}, -1},
        {{1000000000000, 1, 1, 1, 0, "USD", ""},
         {INT64_C(1) << 40, 0, 0, 1, 1},
         -1},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(bills); i++) {
        struct cost c = price_cost(&bills[i].price, &bills[i].use);

        if (c.known != (bills[i].units >= 0) ||
            (c.known && c.units != bills[i].units))
            fail_msg("bill %zu: %d %lld", i, c.known, (long long)c.units);
    }
}

/* A selection that was made by hand; its strings are borrowed. */
static struct model_selection
selection_of(const char *provider, const char *url, const char *model)
{
    struct model_selection m = {.provider = provider_find(provider)};
    static char config[100];

    snprintf(config, sizeof(config), "%s", in_dir("agentsh"));
    m.dirs.config = config;
    m.url = (char *)(uintptr_t)(url ? url : m.provider->url);
    m.model = (char *)(uintptr_t)model;
    return m;
}

static int
find(const char *config, const struct model_selection *m, const char *model,
     struct price *p, struct err *e)
{
    CLEANUP(config_free_p) struct config *c = NULL;
    char absent[128];

    snprintf(absent, sizeof(absent), "%s", in_dir("absent"));
    put_file("config", config, 0600);
    c = config_load_files(absent, in_dir("config"), e);
    assert_non_null(c);
    return price_find(c, m, model, p, e);
}

static void
put_prices(const char *text)
{
    put_file("agentsh/" PRICE_FILE, text, 0600);
}

static void
the_persons_file_goes_before_the_installed_one(void **state)
{
    struct model_selection m = selection_of("anthropic", NULL,
                                            "claude-haiku-4-5");
    struct price p = {0};
    struct err e = {0};

    (void)state;
    put_prices("");
    assert_int_equal(find("", &m, NULL, &p, &e), 1); /* the shipped one */
    assert_int_equal(p.in, 1000000);
    assert_int_equal(p.cached, 100000);
    assert_int_equal(p.written, 1250000);
    assert_int_equal(p.out, 5000000);
    assert_string_equal(p.currency, "USD");
    assert_int_equal(find("", &m, "claude-haiku-4-5-20251001", &p, &e), 1);
    put_prices("anthropic claude-haiku-4-5 7 7 7 7 EUR 2026-02-03 mine\n");
    /* by either name */
    assert_int_equal(find("", &m, "claude-something", &p, &e), 1);
    assert_int_equal(p.in, 7000000);
    assert_string_equal(p.currency, "EUR");
    assert_int_equal(
        find("[model]\nprice_in = 2\nprice_out = 3.5\n", &m, NULL, &p, &e), 1);
    assert_int_equal(p.in, 2000000);
    assert_int_equal(p.cached, 2000000);
    assert_int_equal(p.out, 3500000);
    assert_string_equal(p.currency, "");
    put_prices("anthropic\n");
    assert_int_equal(find("", &m, NULL, &p, &e), -1);
    assert_non_null(strstr(e.text, "/agentsh/prices:1: model is missing"));
    put_prices("");
}

/* Another server takes other prices for a model of the same name. */
static void
no_price_is_guessed(void **state)
{
    static const char settings[] = "[model]\nprice_in = 2\nprice_out = 3\n";
    struct model_selection m = selection_of("openai", NULL, "unheard-of");
    struct price p = {0};
    struct err e = {0};

    (void)state;
    assert_int_equal(find("", &m, "", &p, &e), 0);
    m = selection_of("openai", "https://proxy.example/v1", "gpt-5-mini");
    assert_int_equal(find("", &m, NULL, &p, &e), 0);
    put_prices("proxy.example gpt-5-mini 7 - - 7 USD 2026-02-03 mine\n");
    assert_int_equal(find("", &m, NULL, &p, &e), 1);
    assert_int_equal(p.cached, PRICE_NOT_KNOWN);
    put_prices("* * 7 7 7 7 USD 2026-02-03 mine\n");
    m = selection_of("ollama", NULL, "qwen3:4b");
    assert_int_equal(find("", &m, NULL, &p, &e), 0);
    assert_int_equal(find(settings, &m, NULL, &p, &e), 0);
    m = selection_of("openai", "http://localhost:8080/v1", "gpt-5-mini");
    assert_int_equal(find("", &m, NULL, &p, &e), 0);
    put_prices("");
}

/* Every row can be read, and says where it is from. */
static void
the_shipped_rows_are_right(void **state)
{
    CLEANUP(free_p) char *path = path_share(PRICE_FILE);
    CLEANUP_BUF struct buf b = buf_of(PRICE_FILE_MAX);
    static const struct price_query q = {"openai", "gpt-5-mini", "2026-01-01"};
    struct price p;
    struct err e = {0};

    (void)state;
    assert_non_null(path);
    assert_int_equal(file_read(path, &b, &e), 0);
    if (price_read(path, b.p, &q, &p, &e) < 0)
        fail_msg("%s", e.text);
    for (const char *s = b.p; *s; s += strcspn(s, "\n"), s += *s == '\n') {
        if (*s != '#' && *s != '\n' &&
            !memmem(s, strcspn(s, "\n"), "  https://", 10))
            fail_msg("no source: %.60s", s);
    }
}

static void
a_price_is_written_for_the_journal(void **state)
{
    static const struct price p = {250000, 25000, PRICE_NOT_KNOWN, 2000000,
                                   0,      "USD", "2026-01-02"};
    CLEANUP_BUF struct buf b = buf_of(200);

    (void)state;
    price_put(&b, &p);
    assert_string_equal(b.p, "in 0.25 cached 0.025 written - out 2.00 USD for "
                             "a million tokens, looked up 2026-01-02");
}

static int
set_up(void **state)
{
    (void)state;
    return mkdir(in_dir("agentsh"), 0700);
}

static int
tear_down(void **state)
{
    static const char *const names[] = {"config", "agentsh/" PRICE_FILE};

    (void)state;
    return remove_dir(names, N_OF(names));
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_row_that_fits_counts),
        cmocka_unit_test(a_wrong_line_is_named),
        cmocka_unit_test(a_line_has_a_largest_size),
        cmocka_unit_test(tokens_cost_what_their_price_says),
        cmocka_unit_test(the_persons_file_goes_before_the_installed_one),
        cmocka_unit_test(no_price_is_guessed),
        cmocka_unit_test(the_shipped_rows_are_right),
        cmocka_unit_test(a_price_is_written_for_the_journal),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
