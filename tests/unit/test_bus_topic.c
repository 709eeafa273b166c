/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_bus_topic.c - which topics a pattern matches, and messages that are read
 * in place. */
#include "tests/unit/unit.h"

#include <string.h>

#include "server/bus/bus_quick.h"
#include "server/bus/bus_topic.h"

#define MANY 1024 /* patterns of a client */

static const struct topic_row {
    const char *pattern, *topic;
    bool matches;
} topic_rows[] = {
    {"inbound:*", "inbound:x", true},
    {"inbound:*", "inbound:", true},
    {"inbound:*", "inbound:a:b", true},
    {"inbound:*", "outbound:x", false},
    {"*", "", true},
    {"*", "anything", true},
    {"**", "a", true},
    {"?", "\xc3\xa9", true},
    {"??", "\xc3\xa9", false},
    {"a?", "a", false},
    {"?*", "", false},
    {"[abc]", "b", true},
    {"[abc]", "d", false},
    {"[a-c]", "b", true},
    {"[a-c]", "-", false},
    {"[a-]", "-", true},
    {"[-a]", "-", true},
    {"[!a]", "b", true},
    {"[!a]", "a", false},
    {"[^a]", "^", true},
    {"[^a]", "b", false},
    {"[]a]", "]", true},
    {"[!]a]", "]", false},
    {"[!]a]", "b", true},
    {"[\xc3\xa9-\xc3\xaf]", "\xc3\xaa", true},
    {"[z-a]", "m", false},
    {"[", "[", true},
    {"[a", "[a", true},
    {"[a", "a", false},
    {"[]", "[]", true},
    {"[!", "[!", true},
    {"x[", "x[", true},
    {"*a*b*c", "1a2b3c", true},
    {"*a*b*c", "1a2b3", false},
    {"*[ab]c", "xxac", true},
    {"*ab*", "aab", true},
    {"*ab", "abab", true},
    {"*ab", "aba", false},
    {"a*ab", "ab", false},
    {"*a?c", "abbabc", true},
    {"*b[", "ab[", true},
    {"a-", "a-b", true},
    {"a-", "a", false},
    {"a:", "a:", true},
    {"a-*", "a-", true},
    {"a", "a", true},
    {"a", "ab", false},
    {"A", "a", false},
    {"a\\*", "a*", false},
    {"a\\*", "a\\x", true},
};

static void
matches_by_character(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(topic_rows) / sizeof(topic_rows[0]); i++) {
        const struct topic_row *row = &topic_rows[i];

        if (bus_topic_matches(row->pattern, strlen(row->pattern), row->topic,
                              strlen(row->topic)) != row->matches)
            fail_msg("%s and %s", row->pattern, row->topic);
    }
    assert_true(bus_topic_matches("a\0*", 3, "a\0b", 3));
    assert_false(bus_topic_matches("a\0b", 3, "a\0c", 3));
}

static void
takes_few_steps(void **state)
{
    char pattern[BUS_TOPIC_MAX], topic[BUS_TOPIC_MAX];

    (void)state;
    memset(topic, 'a', sizeof(topic));
    for (size_t i = 0; i < sizeof(pattern); i++)
        pattern[i] = i % 2 ? 'a' : '*';
    pattern[sizeof(pattern) - 1] = 'b';
    assert_false(
        bus_topic_matches(pattern, sizeof(pattern), topic, sizeof(topic)));
    /* many of them, each a text that is nowhere, but nearly everywhere */
    memset(pattern, 'a', sizeof(pattern) / 2);
    pattern[0] = pattern[sizeof(pattern) / 2] = '*';
    pattern[sizeof(pattern) / 2 - 1] = 'b';
    for (size_t i = 0; i < MANY; i++)
        assert_false(bus_topic_matches(pattern, sizeof(pattern) / 2 + 1, topic,
                                       sizeof(topic)));
}

#define SEND(params)                                                           \
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"sendMessage\","                \
    "\"params\":{" params "}}"

/* Messages, and what the quick reader makes of them. */
static const struct quick_row {
    const char *text;
    enum bus_quick_kind kind;
    const char *topic, *payload;
    bool success, stop;
} quick_rows[] = {
    {SEND("\"topic\":\"t\",\"payload\":{\"a\":[1,-2.5e3,null]}"),
     BUS_QUICK_SEND, "t", "{\"a\":[1,-2.5e3,null]}", false, false},
    {" {\n\"params\" : { \"payload\": {} , \"topic\":\"t\" }, "
     "\"id\":\"x\\n\",\"method\":\"sendMessage\",\"jsonrpc\":\"2.0\"} ",
     BUS_QUICK_SEND, "t", "{}", false, false},
    {"{\"jsonrpc\":\"2.0\",\"id\":5,\"result\":{\"success\":true,"
     "\"stopPropagation\":true}}",
     BUS_QUICK_ANSWER, NULL, NULL, true, true},
    {"{\"jsonrpc\":\"2.0\",\"result\":{\"success\":false},\"id\":5}",
     BUS_QUICK_ANSWER, NULL, NULL, false, false},
    {"{\"jsonrpc\":\"2.0\",\"id\":5,\"result\":{}}", BUS_QUICK_ANSWER, NULL,
     NULL, true, false},
    {SEND("\"topic\":\"t\",\"payload\":{\"a\":1,\"a\":2}"), BUS_QUICK_OTHER,
     NULL, NULL, false, false},
    {SEND("\"topic\":\"t\",\"payload\":{\"a\":01}"), BUS_QUICK_OTHER, NULL,
     NULL, false, false},
    {SEND("\"topic\":\"t\",\"payload\":{\"a\":\"\\ud800\"}"), BUS_QUICK_OTHER,
     NULL, NULL, false, false},
    {SEND("\"topic\":\"\\u0041\",\"payload\":{}"), BUS_QUICK_OTHER, NULL, NULL,
     false, false},
    {SEND("\"topic\":\"\",\"payload\":{}"), BUS_QUICK_OTHER, NULL, NULL, false,
     false},
    {SEND("\"topic\":\"t\",\"payload\":[]"), BUS_QUICK_OTHER, NULL, NULL, false,
     false},
    {SEND("\"topic\":\"t\""), BUS_QUICK_OTHER, NULL, NULL, false, false},
    {SEND("\"topic\":\"t\",\"payload\":{}") "x", BUS_QUICK_OTHER, NULL, NULL,
     false, false},
    {"{\"jsonrpc\":\"2.0\",\"id\":5.0,\"result\":{}}", BUS_QUICK_OTHER, NULL,
     NULL, false, false},
    {"{\"jsonrpc\":\"2.0\",\"id\":5,\"result\":{},\"method\":"
     "\"sendMessage\"}",
     BUS_QUICK_OTHER, NULL, NULL, false, false},
    {"{\"jsonrpc\":\"2.0\",\"id\":5,\"error\":{}}", BUS_QUICK_OTHER, NULL, NULL,
     false, false},
    {"{\"jsonrpc\":\"2.0\",\"id\":", BUS_QUICK_OTHER, NULL, NULL, false, false},
    {"", BUS_QUICK_OTHER, NULL, NULL, false, false},
};

static void
reads_in_place(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(quick_rows) / sizeof(quick_rows[0]); i++) {
        const struct quick_row *row = &quick_rows[i];
        struct bus_quick q;

        if (bus_quick_read(row->text, strlen(row->text), &q) != row->kind)
            fail_msg("%s", row->text);
        if (row->topic) {
            assert_int_equal(q.topic.n, strlen(row->topic));
            assert_memory_equal(q.topic.p, row->topic, q.topic.n);
            assert_int_equal(q.payload.n, strlen(row->payload));
            assert_memory_equal(q.payload.p, row->payload, q.payload.n);
        }
        if (row->kind == BUS_QUICK_ANSWER) {
            assert_int_equal(q.success, row->success);
            assert_int_equal(q.stop, row->stop);
            assert_int_equal(q.id.n, 1);
        }
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matches_by_character),
        cmocka_unit_test(takes_few_steps),
        cmocka_unit_test(reads_in_place),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
