/* SPDX-License-Identifier: GPL-3.0-or-later */
/* find_kind.c - kinds of files that people name by what they are for. */
#include <string.h>

#include "offline/compose/find.h"

#define FILES "file|files|source|sources|script|scripts|program|programs"

static const struct kind {
    const char *row, *names;
} kinds[] = {
    {"python " FILES, "*.py"},
    {"perl " FILES, "*.pl"},
    {"ruby " FILES, "*.rb"},
    {"shell|bash " FILES, "*.sh"},
    {"javascript " FILES, "*.js"},
    {"typescript " FILES, "*.ts"},
    {"java " FILES, "*.java"},
    {"rust " FILES, "*.rs"},
    {"golang|go " FILES, "*.go"},
    {"readme " FILES, "README*"},
    {"pdfs|pdf", "*.pdf"},
    {"jpegs|jpgs", "*.jpg"},
    {"mp3s", "*.mp3"},
    {"c++|cpp " FILES, "*.cpp"},
    {"c ?source|code " FILES, "*.c"},
    {"c header " FILES, "*.h"},
    {"header " FILES, "*.h"},
    {"object " FILES, "*.o"},
    {"markdown " FILES, "*.md"},
    {"text " FILES, "*.txt"},
    {"log|logs " FILES, "*.log"},
    {"configuration|config " FILES, "*.conf"},
    {"backup " FILES, "*.bak"},
    {"web|html " FILES "|page", "*.html"},
    {"jpeg|jpg image|images|photo|photos|picture|pictures", "*.jpg"},
    {"png image|images", "*.png"},
    {"image|images|photo|photos|picture|pictures ?file|files",
     "*.jpg *.jpeg *.png *.gif"},
    {"video|videos|movie|movies ?file|files", "*.mp4 *.mkv *.avi *.mov"},
    {"audio|music|songs|song ?file|files", "*.mp3 *.flac *.ogg *.wav"},
    {"temporary|temp " FILES, "*.tmp"},
    {"core dump|dumps ?file|files", "core"},
    {"core file|files", "core"},
};

/* "a b" to "-iname a -o -iname b" */
static void
add_names(struct find *f, const char *names, bool no)
{
    CLEANUP_BUF struct buf tests = buf_of(FIND_PART_BYTES);
    const char *test = strchr(names, ' ') ? "-iname" : "-name";

    while (*names) {
        size_t n = strcspn(names, " ");
        bool glob = memchr(names, '*', n) != NULL;

        buf_printf(&tests, glob ? "%s%s '%.*s'" : "%s%s %.*s",
                   tests.len ? " -o " : "", test, (int)n, names);
        names += n;
        names += strspn(names, " ");
    }
    if (no)
        find_test(f, FIND_NAME, " ! \\( %s \\)", tests.p);
    else
        find_add_kind(f, tests.p);
}

void
find_read_kind(struct find *f)
{
    struct compose_hit hit;

    if (find_named(f))
        return;
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        if (find_sees(f, kinds[i].row, &hit)) {
            f->used |= hit.set;
            add_names(f, kinds[i].names, compose_negated(f->q, hit.from));
            f->plain = true;
        }
}
