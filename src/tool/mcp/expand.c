/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expand.c - variables in the texts of mcp.json, and names made of others. */
#include <ctype.h>
#include <limits.h>
#include <string.h>

#include "base/buf.h"
#include "base/path.h"
#include "base/utf8.h"
#include "tool/mcp/entry.h"

#define TEXT_MAX                                                               \
    (128u * 1024) /* as long as a word of a command line may be                \
                   */
#define NAME_MAX_BYTES 128
#define SHOWN_BYTES    40 /* of one that cannot be */

/* One ${…}, its text between the braces. */
static int
put_variable(struct buf *out, const char *text, size_t n, struct err *e)
{
    const char *other = memmem(text, n, ":-", 2), *value;
    size_t len = other ? (size_t)(other - text) : n;
    char name[NAME_MAX_BYTES];

    if (len == 0)
        return err_set(e, ERR_CONFIG, "${%.*s}: bad substitution",
                       (int)utf8_boundary(text, n, SHOWN_BYTES), text);
    if (len >= sizeof(name))
        return err_set(e, ERR_CONFIG, "${%.*s…}: a name of more than %d bytes",
                       (int)utf8_boundary(text, n, SHOWN_BYTES), text,
                       NAME_MAX_BYTES - 1);
    memcpy(name, text, len);
    name[len] = '\0';
    value = getenv(name);
    if (value && (value[0] || !other))
        buf_str(out, value);
    else if (other)
        buf_add(out, other + 2, n - len - 2);
    else
        return err_set(e, ERR_CONFIG, "the variable %s is not set", name);
    return 0;
}

char *
mcp_expand(const char *text, struct err *e)
{
    CLEANUP_BUF struct buf out = buf_of(TEXT_MAX);

    while (*text) {
        const char *at = strstr(text, "${"), *end = at ? strchr(at, '}') : NULL;

        if (!end) {
            buf_str(&out, text);
            break;
        }
        buf_add(&out, text, (size_t)(at - text));
        if (put_variable(&out, at + 2, (size_t)(end - at - 2), e) < 0)
            return NULL;
        text = end + 1;
    }
    return buf_ok(&out, "a text", e) < 0 ? NULL : buf_take(&out);
}

void
mcp_name(const char *text, char *out, size_t size)
{
    size_t n = 0;

    for (; *text && n + 1 < size; text++) {
        unsigned char c = (unsigned char)*text;
        bool plain = c < 0x80 && (isalnum(c) || c == '_' || c == '-');

        if (plain && (n > 0 || isalnum(c)))
            out[n++] = (char)tolower(c);
        else if (n > 0 && (c & 0xC0) != 0x80) /* once for a character */
            out[n++] = '_';
    }
    out[n] = '\0';
}

char *
mcp_program(const struct mcp_entry *m, struct err *e)
{
    CLEANUP(free_p) char *told = path_expand_home(m->argv[0]);
    char *found = told && (told[0] == '/' || !strchr(told, '/'))
                      ? path_find_program(told)
                      : NULL;

    if (!found)
        err_set(e, ERR_NOT_FOUND, "its command %.80s: command not found",
                m->argv[0]);
    return found;
}
