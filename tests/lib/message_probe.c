/* SPDX-License-Identifier: GPL-3.0-or-later */
/* message_probe.c - says each line of standard input in the language of the
 * locale (base/message_put.h), for the tests. "\n" in a line is a newline. */
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/message.h"
#include "base/message_put.h"

#define LINE_SIZE 8192

static void
turn(char *line, const char *from, char to)
{
    for (char *at; (at = strstr(line, from)) != NULL;) {
        *at = to;
        memmove(at + 1, at + 2, strlen(at + 2) + 1);
    }
}

int
main(void)
{
    char line[LINE_SIZE];

    message_init();
    while (fgets(line, sizeof(line), stdin)) {
        CLEANUP_BUF struct buf out = buf_of(2 * LINE_SIZE);

        line[strcspn(line, "\n")] = '\0';
        turn(line, "\\n", '\n');
        if (message_put(&out, line) < 0)
            return 1;
        for (const char *p = out.p; *p; p++)
            fputs(*p == '\n' ? "\\n" : (char[]){*p, '\0'}, stdout);
        putchar('\n');
    }
    return 0;
}
