/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ini_file.c - parses an INI file, by inih.
 *
 * inih gives its handler no line number and lets some things pass in silence:
 * a section without keys, text after ']', a line cut at its buffer's end. So
 * the lines reach inih through next_ini_line(), which counts and checks them.
 */
#include "config/ini_file.h"

#include <ini.h>
#include <string.h>

#include "base/utf8.h"

/* The longest line is a command that prints an API key. */
#define LINE_BYTES 4096

struct ini_source {
    const struct ini_events *events;
    void *arg;
    const char *path;
    const char *at, *end; /* text not yet handed to inih */
    unsigned line;        /* of the line handed over last, from 1 */
    bool failed;
    struct err *e;
};

/* Puts file and line in front of what e says. */
static int
fail_here(struct ini_source *s)
{
    s->failed = true;
    return err_wrap(s->e, "%s:%u", s->path, s->line);
}

/* Sets inih's options, which are variables in Debian's build. With its defaults
 * an indented line would be a continuation, a value would end at " ;", and a
 * line at 200 bytes. */
static void
set_inih_options(void)
{
    ini_allow_multiline = false;
    ini_allow_inline_comments = false;
    ini_stop_on_first_error = true;
    ini_use_stack = false;
    ini_initial_alloc = LINE_BYTES;
    ini_max_line = LINE_BYTES;
}

/* Removes the blanks around the line. Returns its length. */
static size_t
trim_blanks(const char **line, size_t len)
{
    while (len > 0 && strchr(" \t", (*line)[len - 1]))
        len--;
    while (len > 0 && strchr(" \t", **line)) {
        (*line)++;
        len--;
    }
    return len;
}

static int
check_section(struct ini_source *s, const char *line, size_t len)
{
    char name[INI_SECTION_MAX + 1];

    if (line[len - 1] != ']')
        return err_set(s->e, ERR_CONFIG,
                       "a section is [name] on a line of its own");
    if (len - 2 > INI_SECTION_MAX)
        return err_set(s->e, ERR_CONFIG, "unknown section");
    memcpy(name, line + 1, len - 2);
    name[len - 2] = '\0';
    return s->events->section(s->arg, name, s->e);
}

/* Checks a line, its newline included, before inih reads it. */
static int
check_ini_line(struct ini_source *s, const char *line, size_t len, size_t max)
{
    struct err *e = s->e;

    if (len > max)
        return err_set(e, ERR_CONFIG, "the line is longer than %zu bytes", max);
    if (!utf8_valid(line, len))
        return err_set(e, ERR_CONFIG, "the line is not valid UTF-8");
    len -= len > 0 && line[len - 1] == '\n';
    len -= len > 0 && line[len - 1] == '\r';
    for (size_t i = 0; i < len; i++) {
        if (((unsigned char)line[i] < ' ' && line[i] != '\t') ||
            line[i] == 0x7F)
            return err_set(e, ERR_CONFIG, "control character 0x%02X",
                           (unsigned)line[i]);
    }
    len = trim_blanks(&line, len);
    return len > 0 && *line == '[' ? check_section(s, line, len) : 0;
}

/* inih's fgets: the next line with its newline. */
static char *
next_ini_line(char *line, int size, void *stream)
{
    struct ini_source *s = stream;
    const char *newline = memchr(s->at, '\n', (size_t)(s->end - s->at));
    const char *next = newline ? newline + 1 : s->end;
    size_t len = (size_t)(next - s->at);

    if (s->failed || len == 0)
        return NULL;
    s->line++;
    /* inih treats a line that fills its buffer as truncated */
    if (check_ini_line(s, s->at, len, (size_t)size - 2) < 0) {
        fail_here(s);
        return NULL;
    }
    memcpy(line, s->at, len);
    line[len] = '\0';
    s->at = next;
    return line;
}

/* inih's handler: 0 stops. */
static int
on_ini_value(void *user, const char *section, const char *name,
             const char *value)
{
    struct ini_source *s = user;

    if (s->events->value(s->arg, section, name, value, s->line, s->e) == 0)
        return 1;
    fail_here(s);
    return 0;
}

int
ini_file_parse(const char *path, const char *text, size_t n,
               const struct ini_events *ev, void *arg, struct err *e)
{
    static const char bom[] = "\xEF\xBB\xBF";
    struct ini_source s = {.events = ev,
                           .arg = arg,
                           .path = path,
                           .at = text,
                           .end = text + n,
                           .e = e};
    int rc;

    if (n >= strlen(bom) && memcmp(text, bom, strlen(bom)) == 0)
        s.at += strlen(bom);
    set_inih_options();
    rc = ini_parse_stream(next_ini_line, &s, on_ini_value, &s);
    if (s.failed)
        return -1;
    if (rc < 0)
        return err_set(e, ERR_NOMEM, "%s: out of memory for a line", path);
    if (rc > 0)
        return err_set(e, ERR_CONFIG,
                       "%s:%d: expected \"name = value\", a [section] or a "
                       "comment",
                       path, rc);
    return 0;
}
