/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_bus_keep.c - which topics a bus forgets. */
#include "tests/unit/unit.h"

#include <stdio.h>
#include <string.h>

#include "server/bus/bus_keep.h"

/* Asks for more topics than there may be, so many that each list of them has
 * been looked at. */
static void
ask_for_too_many(struct bus_keep *k)
{
    char name[16];

    for (unsigned i = 0; i < 2 * BUS_KEEP_TOPICS; i++) {
        snprintf(name, sizeof(name), "t%u", i);
        (void)bus_keep_log(k, name, strlen(name), NULL);
    }
}

static void
a_topic_stays_while_there_is_a_message_of_it(void **state)
{
    static const struct relay_message in = {.topic_json = {"\"held\"", 6},
                                            .payload = {"{}", 2}};
    const struct bus_keep_limits limits = {.messages = 1};
    CLEANUP(loop_free_p) struct loop *l = loop_new(NULL);
    CLEANUP(bus_keep_free_p)
    struct bus_keep *k = bus_keep_new(l, &limits, NULL);
    struct bus_topic_log *log;
    struct bus_message *m;

    (void)state;
    assert_non_null(k);
    log = bus_keep_log(k, "held", 4, NULL);
    m = bus_message_new(&in, log, NULL);
    assert_non_null(m);
    ask_for_too_many(k);
    assert_ptr_equal(bus_keep_find(k, "held", 4), log);
    assert_ptr_equal(m->log, log);
    bus_message_unref(m);
    ask_for_too_many(k);
    assert_null(bus_keep_find(k, "held", 4));
}

static void
keep_one_of(struct bus_keep *k, unsigned i)
{
    static const struct relay_message in = {.topic_json = {"\"t\"", 3},
                                            .payload = {"{}", 2}};
    char name[16];
    struct bus_topic_log *log;
    struct bus_message *m;

    snprintf(name, sizeof(name), "t%u", i);
    log = bus_keep_log(k, name, strlen(name), NULL);
    assert_non_null(log);
    m = bus_message_new(&in, log, NULL);
    assert_int_equal(bus_keep_add(k, m, NULL), 0);
    bus_message_unref(m);
}

static void
a_quiet_topic_makes_room_for_a_new_one(void **state)
{
    const struct bus_keep_limits limits = {.messages = 2};
    CLEANUP(loop_free_p) struct loop *l = loop_new(NULL);
    CLEANUP(bus_keep_free_p)
    struct bus_keep *k = bus_keep_new(l, &limits, NULL);
    struct bus_keep_counts counts;

    (void)state;
    assert_non_null(k);
    for (unsigned i = 0; i < BUS_KEEP_TOPICS + 1000; i++)
        keep_one_of(k, i);
    counts = bus_keep_count(k);
    assert_int_equal(counts.topics, BUS_KEEP_TOPICS);
    assert_int_equal(counts.messages, BUS_KEEP_TOPICS);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_topic_stays_while_there_is_a_message_of_it),
        cmocka_unit_test(a_quiet_topic_makes_room_for_a_new_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
