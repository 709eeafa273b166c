/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_host_lines.c - whatever two hosts write, each line begins with the name
 * of its host and is one line, and no byte but ends of lines is lost. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ui/host_lines.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct seen {
    size_t bytes; /* behind the names */
};

static void
on_line(void *arg, bool err, const char *line, size_t n)
{
    struct seen *s = arg;

    (void)err;
    if (n < 4 || (strncmp(line, "a: ", 3) != 0 && strncmp(line, "b: ", 3)) ||
        line[n - 1] != '\n' || memchr(line, '\n', n - 1) ||
        memchr(line, '\r', n))
        abort();
    s->bytes += n - 4;
}

/* A byte of the input says who writes, and whether all of it has come. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct host_list hosts = {.n = 0};
    struct seen s = {0};
    struct host_lines *l;
    size_t text = 0;

    if (host_list_read(&hosts, "a,b", NULL) < 0 ||
        !(l = host_lines_new(&hosts, on_line, &s, NULL)))
        abort();
    for (size_t i = 0; i + 1 < size; i += 2) {
        const char *host = data[i] & 1 ? "a" : "b";

        host_lines_add(l, host, data[i] & 2, (const char *)&data[i + 1], 1);
        text += data[i + 1] != '\n' && data[i + 1] != '\r';
        if (data[i] & 4)
            host_lines_end(l, host);
    }
    host_lines_end(l, "a");
    host_lines_end(l, "b");
    if (s.bytes != text)
        abort();
    host_lines_free(l);
    host_list_done(&hosts);
    return 0;
}
