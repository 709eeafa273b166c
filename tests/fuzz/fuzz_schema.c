/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_schema.c - a schema and, behind it in the same text, a value. */
#include <stdint.h>
#include <stdlib.h>

#include "json/schema.h"

static void
check_value(const struct json *schema, const struct json *value)
{
    struct err e = {0};
    CLEANUP(json_schema_free_p)
    struct json_schema *s = json_schema_new(schema, &e);

    if (!s) {
        if (e.code != ERR_INVALID || e.text[0] == '\0')
            abort();
        return;
    }
    for (unsigned flags = 0; flags <= JSON_SCHEMA_NULL_ABSENT; flags++) {
        if (json_schema_check(s, value, flags, &e) < 0 &&
            (e.code != ERR_INVALID || e.text[0] == '\0'))
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    size_t span = json_span(text, size, NULL);
    CLEANUP(json_free_p) struct json *schema = NULL;
    CLEANUP(json_free_p) struct json *value = NULL;

    if (span == 0)
        return 0;
    schema = json_parse(text, span, 0, NULL);
    value = json_parse(text + span, size - span, 0, NULL);
    if (schema && value)
        check_value(schema, value);
    return 0;
}
