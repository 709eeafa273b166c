/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_mcp.c - the texts of mcp.json, and what is made of a server's. */
#include "unit_seat.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "tool/mcp/mcp_config.h"
#include "tool/mcp/mcp_roots.h"
#include "tool/mcp/mcp_schema.h"
#include "json/schema.h"

static const struct {
    const char *text, *becomes; /* NULL: refused */
} texts[] = {
    {"", ""},
    {"plain $HOME {x}", "plain $HOME {x}"},
    {"${MCP_A}", "one"},
    {"a${MCP_A}b${MCP_A}c", "aonebonec"},
    {"${MCP_A:-two}", "one"},
    {"${MCP_NONE:-two}", "two"},
    {"${MCP_NONE:-}", ""},
    {"${MCP_EMPTY:-x}", "x"},
    {"${MCP_EMPTY}", ""},
    {"${MCP_B}", "${MCP_A}"}, /* a value is not looked into */
    {"${unclosed", "${unclosed"},
    {"${MCP_NONE}", NULL},
    {"${}", NULL},
    {"${:-x}", NULL},
};

/* The entry of a server with this one argument. */
static struct mcp_config *
with_argument(const char *text)
{
    CLEANUP_BUF struct buf json = buf_of(1024);
    struct mcp_config *s = calloc(1, sizeof(*s));

    assert_non_null(s);
    buf_printf(&json,
               "{\"mcpServers\":{\"a\":{\"command\":\"x\",\"args\":"
               "[\"%s\"]}}}",
               text);
    s->seat = unit_seat();
    assert_non_null(s->files[0] = strdup("user"));
    assert_int_equal(mcp_config_add(s, 0, json.p, json.len, NULL), 0);
    assert_int_equal(s->n, 1);
    return s;
}

static void
variables_are_put_in_once(void **state)
{
    (void)state;
    setenv("MCP_A", "one", 1);
    setenv("MCP_B", "${MCP_A}", 1);
    setenv("MCP_EMPTY", "", 1);
    unsetenv("MCP_NONE");
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
        CLEANUP(mcp_config_free_p)
        struct mcp_config *s = with_argument(texts[i].text);
        const struct mcp_server *a = &s->all[0];
        const char *got = a->fault.code ? NULL : a->argv[1];

        if (!got != !texts[i].becomes ||
            (got && strcmp(got, texts[i].becomes) != 0))
            fail_msg("%s: %s", texts[i].text, got ? got : "refused");
    }
}

#define LONG_NAME                                                              \
    "NAME_OF_MORE_THAN_A_HUNDRED_BYTES_NAME_OF_MORE_THAN_A_HUNDRED_BYTES_"     \
    "NAME_OF_MORE_THAN_A_HUNDRED_BYTES_NAME_OF_MORE_THAN_A_HUNDRED_BYTES_"

static void
a_name_that_cannot_be_is_told_alone(void **state)
{
    static const struct {
        const char *text, *says;
    } rows[] = {
        {"${} and a key", "${}: bad substitution"},
        {"${:-x} and a key", "${:-x}: bad substitution"},
        {"${" LONG_NAME "} and a key",
         "${NAME_OF_MORE_THAN_A_HUNDRED_BYTES_NAME_O…}: a name of more than "
         "127 bytes"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        CLEANUP(mcp_config_free_p)
        struct mcp_config *s = with_argument(rows[i].text);
        const struct err *why = &s->all[0].fault;
        const char *ending = strstr(why->text, rows[i].says);

        if (!ending || strcmp(ending, rows[i].says) != 0)
            fail_msg("%s", why->text);
    }
}

static const struct {
    const char *text, *name;
} names[] = {
    {"files", "files"},
    {"My Server", "my_server"},
    {"a.b/c", "a_b_c"},
    {"getURL2", "geturl2"},
    {"--x", "x"},
    {"é1", "1"},
    {"a\xC3\xA9z", "a_z"},
    {"...", ""},
    {"", ""},
};

static void
a_name_is_made_to_fit(void **state)
{
    char got[16];

    (void)state;
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        mcp_config_name(names[i].text, got, sizeof(got));
        assert_string_equal(got, names[i].name);
    }
    mcp_config_name("abcdefghijklmnopqrstuvwxyz", got, sizeof(got));
    assert_string_equal(got, "abcdefghijklmno");
}

#define WRAPPED(schema)                                                        \
    "{\"type\":\"object\",\"properties\":{\"v\":" schema "}}"

/* A schema of the member v, a value that it takes, one that it refuses (NULL:
 * it takes everything). */
static const struct {
    const char *schema, *good, *bad;
} schemas[] = {
    {"{\"type\":\"string\",\"format\":\"uri\"}", "\"x\"", "1"},
    {"{\"type\":\"string\",\"pattern\":\"^\\\\d+$\"}", "\"x\"", "1"},
    {"{\"exclusiveMinimum\":3,\"maximum\":9}", "1", "10"},
    {"{\"oneOf\":[{\"type\":\"string\",\"pattern\":\"a\"},"
     "{\"type\":\"string\"}]}",
     "\"a\"", "4"},
    {"{\"not\":{\"type\":\"string\"}}", "\"x\"", NULL},
    {"{\"$ref\":\"#/$defs/n\"}", "1", NULL}, /* defined nowhere */
    {"{\"items\":[{\"type\":\"string\"}]}", "[1]", NULL},
    {"{\"type\":\"array\",\"items\":{\"enum\":[1]}}", "[1]", "[2]"},
    {"{\"patternProperties\":{\"x\":{}},\"additionalProperties\":false}",
     "{\"x\":1}", NULL},
    {"{\"properties\":{},\"additionalProperties\":false}", "{}", "{\"x\":1}"},
    {"{\"type\":\"no such\"}", "1", NULL},
    {"{\"required\":4}", "{}", NULL},
    {"true", "1", NULL},
    {"7", "1", NULL},
};

static struct json *
must_parse(const char *text)
{
    struct err e = {0};
    struct json *v = json_parse(text, strlen(text), 0, &e);

    if (!v)
        fail_msg("%s: %s", text, e.text);
    return v;
}

/* Whether the value of v fits what is left of the schema. */
static bool
fits(const char *schema, const char *value)
{
    CLEANUP(json_free_p) struct json *whole = must_parse(schema);
    CLEANUP_BUF struct buf text = buf_of(65536);
    CLEANUP_BUF struct buf v = buf_of(65536);
    CLEANUP(json_free_p) struct json *left = NULL;
    CLEANUP(json_free_p) struct json *object = NULL;
    CLEANUP(json_schema_free_p) struct json_schema *s = NULL;
    struct json_writer w;
    struct err e = {0};

    json_write_init(&w, &text);
    mcp_schema_write(&w, whole);
    left = must_parse(text.p);
    buf_printf(&v, "{\"v\":%s}", value);
    object = must_parse(v.p);
    if (!(s = json_schema_new(left, &e)))
        fail_msg("%s: %s", text.p, e.text);
    return json_schema_check(s, object, 0, NULL) == 0;
}

static void
what_is_known_of_a_schema_is_checked_and_nothing_else(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(schemas) / sizeof(*schemas); i++) {
        CLEANUP_BUF struct buf whole = buf_of(65536);

        buf_printf(&whole, WRAPPED("%s"), schemas[i].schema);
        if (!fits(whole.p, schemas[i].good))
            fail_msg("%s refuses %s", whole.p, schemas[i].good);
        if (schemas[i].bad && fits(whole.p, schemas[i].bad))
            fail_msg("%s takes %s", whole.p, schemas[i].bad);
    }
    assert_true(fits("{}", "1"));
    assert_true(fits("[]", "1"));
    assert_true(fits("{\"type\":\"string\"}", "1"));
}

static void
definitions_are_found_by_their_new_name(void **state)
{
    const char *const schema = "{\"type\":\"object\",\"properties\":{\"v\":{"
                               "\"$ref\":\"#/$defs/n\"}},\"$defs\":{\"n\":{"
                               "\"type\":\"integer\",\"multipleOf\":2}}}";

    (void)state;
    assert_true(fits(schema, "3"));
    assert_false(fits(schema, "\"x\""));
}

static void
a_root_is_an_address_and_stands_once(void **state)
{
    const struct manifest_needs n = {.read = {"workspace", "/a b/\xC3\xA9"},
                                     .write = {"workspace"}};
    CLEANUP_BUF struct buf out = buf_of(MCP_ROOTS_MAX);

    (void)state;
    mcp_roots_write(unit_seat(), &n, "/w", &out);
    assert_string_equal(
        out.p, "{\"roots\":[{\"uri\":\"file:///w\",\"name\":\"w\"},"
               "{\"uri\":\"file:///a%20b/%C3%A9\",\"name\":\"\xC3\xA9\"}]}");
    buf_clear(&out);
    mcp_roots_write(unit_seat(), &n, NULL, &out);
    assert_null(strstr(out.p, "file:///w"));
}

static void
the_users_server_is_the_one_of_two(void **state)
{
    static const char user[] = "{\"mcpServers\":{\"a\":{\"command\":\"x\"}}}";
    static const char system[] =
        "{\"mcpServers\":{\"A\":{\"command\":\"y\"},"
        "\"b\":{\"command\":\"z\",\"agentsh\":{\"read\":[]}}}}";
    CLEANUP(mcp_config_free_p)
    struct mcp_config *s = calloc(1, sizeof(*s));

    (void)state;
    assert_non_null(s);
    s->seat = unit_seat();
    s->files[0] = strdup("user");
    s->files[1] = strdup("system");
    assert_int_equal(mcp_config_add(s, 0, user, strlen(user), NULL), 0);
    assert_int_equal(mcp_config_add(s, 1, system, strlen(system), NULL), 0);
    assert_int_equal(s->n, 2);
    assert_string_equal(s->all[0].argv[0], "x");
    assert_string_equal(s->all[0].needs.read[0], "workspace");
    assert_false(s->all[0].needs.network);
    assert_string_equal(s->all[1].name, "b");
    assert_null(s->all[1].needs.read[0]);
    assert_string_equal(s->all[1].file, "system");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(variables_are_put_in_once),
        cmocka_unit_test(a_name_that_cannot_be_is_told_alone),
        cmocka_unit_test(a_name_is_made_to_fit),
        cmocka_unit_test(what_is_known_of_a_schema_is_checked_and_nothing_else),
        cmocka_unit_test(definitions_are_found_by_their_new_name),
        cmocka_unit_test(a_root_is_an_address_and_stands_once),
        cmocka_unit_test(the_users_server_is_the_one_of_two),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
