/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gateway_change.c - how gateways write changes of their tables to each other.
 */
#include "server/gateway/gateway_change.h"

#include <endian.h>
#include <string.h>

static bool
form_of_change(unsigned what, struct gateway_form *f)
{
    switch (what) {
    case CHANGE_CLAIM:
        *f = (struct gateway_form){1, 0, 0, 0};
        return true;
    case CHANGE_RELEASE:
        *f = (struct gateway_form){1, 2, 0, 0};
        return true;
    case CHANGE_REQUEST:
    case CHANGE_ANSWER:
        *f = (struct gateway_form){3, 1, 0, 0};
        return true;
    case GATEWAY_PUT_TASK:
    case GATEWAY_ADD_EVENT:
    case GATEWAY_PUT_PROMPT:
    case GATEWAY_REMOVE_PROMPT:
    case GATEWAY_PUT_PERMISSION:
    case GATEWAY_PUT_REF:
    case GATEWAY_REMOVE_EVENTS:
    case GATEWAY_REMOVE_PROMPTS:
    case GATEWAY_REMOVE_PERMISSIONS:
    case GATEWAY_REMOVE_TASK:
        *f = *gateway_rows_form((enum gateway_statement)what);
        return true;
    default:
        return false;
    }
}

void
gateway_change_put(struct buf *out, unsigned what,
                   const struct gateway_values *v)
{
    struct gateway_form f;

    if (!form_of_change(what, &f))
        return;
    buf_ch(out, (char)(unsigned char)what);
    for (unsigned i = 0; i < f.texts; i++) {
        const char *text = v->text[i] ? v->text[i] : "";
        uint32_t size = (uint32_t)strlen(text) + 1, be = htobe32(size);

        buf_add(out, &be, sizeof(be));
        buf_add(out, text, size);
    }
    for (unsigned i = 0; i < f.numbers; i++) {
        uint64_t be = htobe64((uint64_t)v->number[i]);

        buf_add(out, &be, sizeof(be));
    }
}

static bool
read_change_text(const char **at, const char *end, const char **out)
{
    uint32_t size;

    if ((size_t)(end - *at) < sizeof(size))
        return false;
    memcpy(&size, *at, sizeof(size));
    size = be32toh(size);
    *at += sizeof(size);
    if (size == 0 || (size_t)(end - *at) < size ||
        memchr(*at, '\0', size) != *at + size - 1)
        return false;
    *out = *at;
    *at += size;
    return true;
}

bool
gateway_change_read(const char **at, const char *end, unsigned *what,
                    struct gateway_values *v)
{
    struct gateway_form f;
    uint64_t be;

    memset(v, 0, sizeof(*v));
    if (*at == end)
        return false;
    *what = (unsigned char)*(*at)++;
    if (!form_of_change(*what, &f))
        return false;
    for (unsigned i = 0; i < f.texts; i++)
        if (!read_change_text(at, end, &v->text[i]))
            return false;
    for (unsigned i = 0; i < f.numbers; i++) {
        if ((size_t)(end - *at) < sizeof(be))
            return false;
        memcpy(&be, *at, sizeof(be));
        v->number[i] = (int64_t)be64toh(be);
        *at += sizeof(be);
    }
    return true;
}
