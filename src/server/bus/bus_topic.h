/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bus_topic.h - which topics a pattern matches.
 *
 * `*` is any characters, a colon too, `?` one, [abc], [a-c] and [!abc] one of
 * a set; a bracket that is not closed is itself, and nothing is escaped. A
 * pattern with none of these is a topic, or, where it ends in a hyphen or a
 * colon, the front of topics. All is valid UTF-8, and compared by character;
 * case counts. */
#ifndef SERVER_BUS_BUS_TOPIC_H
#define SERVER_BUS_BUS_TOPIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BUS_TOPIC_MAX 1024 /* bytes of a topic, or of a pattern */

enum bus_pattern_kind { BUS_TOPIC_ITSELF, BUS_TOPIC_PREFIX, BUS_TOPIC_GLOB };

enum bus_pattern_kind bus_topic_kind(const char *pattern, size_t n);

bool bus_topic_matches(const char *pattern, size_t n, const char *topic,
                       size_t topic_n);

/* Of a topic or a pattern, for a table. */
uint64_t bus_topic_hash(const char *s, size_t n);

#endif
