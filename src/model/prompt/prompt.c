/* SPDX-License-Identifier: GPL-3.0-or-later */
/* prompt.c - writes the messages that are sent to a model. */
#include "model/prompt/prompt.h"

#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/redact.h"
#include "base/sha256.h"
#include "base/utf8.h"

#define MARK_HEX 16 /* digits of the digest in a mark: 64 bits */

const char *
prompt_aiaction_schema(void)
{
    return prompt_text(PROMPT_SCHEMA);
}

/* Replaces NULs, which would end the message early. */
static void
add_without_nul(struct buf *out, const char *p, size_t n)
{
    while (n > 0) {
        const char *nul = memchr(p, '\0', n);
        size_t part = nul ? (size_t)(nul - p) : n;

        buf_add(out, p, part);
        if (!nul)
            return;
        utf8_encode(out, UTF8_REPLACEMENT);
        p += part + 1;
        n -= part + 1;
    }
}

/* Whether quote_data() wrote the text, or it is equivalent: one quotation whose
 * marks have the digest of what is between them. */
static bool
is_quoted(const char *p, size_t n)
{
    size_t n_open = strlen("<data->\n") + MARK_HEX, n_close = n_open + 1;
    char mark[MARK_HEX + 16], hex[SHA256_HEX_SIZE];

    if (n < n_open + n_close || memcmp(p, "<data-", 6) != 0)
        return false;
    n -= n_open + n_close;
    snprintf(mark, sizeof(mark), "</%.*s", (int)n_open - 1, p + 1);
    if (memcmp(p + n_open + n, mark, n_close) != 0)
        return false;
    sha256_hex(p + n_open, n, hex);
    if (memcmp(p + 6, hex, MARK_HEX) == 0)
        return true;
    sha256_hex(p + n_open, n > 0 ? n - 1 : 0, hex); /* the newline was added */
    return memcmp(p + 6, hex, MARK_HEX) == 0;
}

static int
quote_data(struct buf *out, const char *heading, const char *p, size_t n)
{
    CLEANUP_BUF struct buf redacted = buf_of(out->max);
    CLEANUP_BUF struct buf clean = buf_of(out->max);
    char hex[SHA256_HEX_SIZE];

    redact(p, n, &redacted);
    add_without_nul(&clean, redacted.p, redacted.len);
    if (redacted.bad || clean.bad)
        out->bad = true;
    sha256_hex(clean.p, clean.len, hex);
    buf_printf(out, "\n%s<data-%.*s>\n", heading, MARK_HEX, hex);
    buf_add(out, clean.p, clean.len);
    if (clean.len > 0 && clean.p[clean.len - 1] != '\n')
        buf_ch(out, '\n');
    return buf_printf(out, "</data-%.*s>\n", MARK_HEX, hex);
}

int
prompt_data(enum prompt_part heading, const char *p, size_t n, struct buf *out)
{
    return quote_data(out, prompt_text(heading), p, n);
}

int
prompt_quote(const char *heading, const char *p, size_t n, struct buf *out,
             struct err *e)
{
    const char *known = prompt_text(PROMPT_RESULT);
    size_t skip = 1 + strlen(known);

    if (n > skip && p[0] == '\n' && memcmp(p + 1, known, skip - 1) == 0 &&
        is_quoted(p + skip, n - skip)) {
        p += skip;
        n -= skip;
    }
    if (is_quoted(p, n)) {
        buf_printf(out, "\n%s", heading);
        buf_add(out, p, n);
    } else {
        (void)quote_data(out, heading, p, n);
    }
    return buf_ok(out, "the request", e);
}

int
prompt_system(bool look, const char *step_tools, struct buf *out, struct err *e)
{
    buf_str(out, prompt_text(PROMPT_SYSTEM));
    if (step_tools && step_tools[0])
        buf_printf(out, "%s%s", prompt_text(PROMPT_TOOLS), step_tools);
    if (look)
        buf_str(out, prompt_text(PROMPT_LOOK));
    return buf_ok(out, "the request", e);
}

int
prompt_user(const struct prompt_params *p, struct buf *out, struct err *e)
{
    if (p->before)
        buf_str(out, p->before);
    if (p->context)
        (void)prompt_data(PROMPT_CONTEXT, p->context, strlen(p->context), out);
    if (p->input)
        (void)prompt_data(PROMPT_INPUT, p->input, p->input_len, out);
    if (p->recipes && p->recipes[0]) {
        buf_printf(out, "\n%s", prompt_text(PROMPT_RECIPES));
        redact(p->recipes, strlen(p->recipes),
               out); /* they hold words of the request */
    }
    buf_printf(out, "\n%s", prompt_text(p->mode));
    redact(p->text, strlen(p->text), out);
    buf_ch(out, '\n');
    return buf_ok(out, "the request", e);
}

int
prompt_repair(const char *why, struct buf *out, struct err *e)
{
    buf_str(out, prompt_text(PROMPT_REPAIR));
    buf_str(out, why);
    buf_ch(out, '\n');
    return buf_ok(out, "the request", e);
}
