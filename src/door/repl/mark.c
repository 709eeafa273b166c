/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mark.c - find the in-band mark that ends a command's output. */
#include "door/repl/mark.h"

#include <stdio.h>
#include <string.h>
#include <sys/random.h>

int
mark_nonce(char nonce[TALK_NONCE_SIZE], struct err *e)
{
    unsigned char raw[(TALK_NONCE_SIZE - 1) / 2];

    if (getrandom(raw, sizeof(raw), 0) != (ssize_t)sizeof(raw))
        return err_sys(e, "random bytes");
    for (size_t i = 0; i < sizeof(raw); i++)
        snprintf(nonce + 2 * i, 3, "%02x", raw[i]);
    return 0;
}

void
mark_expect(struct mark *m, const char *nonce, unsigned long seq)
{
    int n = snprintf(m->text, sizeof(m->text), TALK_MARK_FMT, nonce, seq);

    m->len = (size_t)n < sizeof(m->text) ? (size_t)n : sizeof(m->text) - 1;
    m->held = 0;
    m->awaited = true;
}

/* The mark's first byte, ESC, is nowhere else in it: a match that fails can
 * only begin anew at the byte that failed. */
size_t
mark_scan(struct mark *m, const char *p, size_t n, struct buf *out)
{
    size_t at = 0;

    while (at < n && m->awaited) {
        if (m->held == 0) {
            const char *esc = memchr(p + at, m->text[0], n - at);
            size_t clean = esc ? (size_t)(esc - p) - at : n - at;

            buf_add(out, p + at, clean);
            at += clean;
            m->held = esc != NULL;
            at += esc != NULL;
        } else if (p[at] == m->text[m->held]) {
            at++;
            m->awaited = ++m->held < m->len;
        } else {
            buf_add(out, m->text, m->held);
            m->held = 0;
        }
    }
    if (!m->awaited)
        m->held = 0;
    return at;
}
