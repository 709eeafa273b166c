/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_page_load.c - any bytes as a manual page become a page or an error. */
#include <stdint.h>
#include <stdlib.h>

#include "base/utf8.h"
#include "offline/manual/page_load.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The form that goes to the cache must read back. */
static void
check_form(struct buf *form)
{
    struct page *p;
    struct err e;

    for (size_t i = 0; i < form->len; i++)
        if ((unsigned char)form->p[i] < 0x20 && form->p[i] != '\t' &&
            form->p[i] != '\n' && form->p[i] != PAGE_VALUE_ON &&
            form->p[i] != PAGE_VALUE_OFF)
            abort();
    if (!utf8_valid(form->p, form->len))
        abort();
    p = page_new(buf_take(form), &e);
    if (p && (!p->name || p->n > PAGE_ROWS_MAX))
        abort();
    page_free(p);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct buf source, form;
    struct err e;

    buf_init(&source, 8 * 1024 * 1024);
    buf_init(&form, PAGE_BYTES_MAX);
    if (zread_bytes(data, size, &source, &e) == 0 &&
        page_load_source(source.p, source.len, "x", "1", &form, &e) == 0)
        check_form(&form);
    buf_done(&source);
    buf_done(&form);
    return 0;
}
