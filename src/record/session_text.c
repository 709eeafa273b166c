/* SPDX-License-Identifier: GPL-3.0-or-later */
/* session_text.c - checks and redacts the texts of a session. */
#include "record/session_text.h"

#include <stdbool.h>
#include <string.h>

#include "base/redact.h"
#include "base/utf8.h"
#include "json/json.h"

static int
check_text(const char *what, const char *p, size_t n, size_t max, struct err *e)
{
    if (n > max)
        return err_set(e, ERR_NOMEM, "%s is larger than %zu bytes", what, max);
    if (memchr(p, '\0', n) || !utf8_valid(p, n))
        return err_set(e, ERR_INVALID, "%s is not UTF-8, or has a NUL", what);
    return 0;
}

int
session_text_check(const char *what, const char *p, size_t max, struct err *e)
{
    return p ? check_text(what, p, strnlen(p, max + 1), max, e) : 0;
}

static int
check_json(const char *what, const char *p, bool array, struct err *e)
{
    CLEANUP(json_free_p)
    struct json *v = p ? json_parse(p, strlen(p), 0, NULL) : NULL;

    if (p && (!v || (array && json_type(v) != JSON_ARRAY)))
        return err_set(e, ERR_INVALID, "%s are not valid JSON", what);
    return 0;
}

int
session_text_check_info(const struct session_info *in, struct err *e)
{
    if (session_text_check("the directory", in->directory,
                           SESSION_DIRECTORY_MAX, e) < 0 ||
        session_text_check("the title", in->title, SESSION_TITLE_MAX, e) < 0 ||
        session_text_check("the settings", in->settings, SESSION_SETTINGS_MAX,
                           e) < 0 ||
        session_text_check("the list of roots", in->roots, SESSION_ROOTS_MAX,
                           e) < 0)
        return -1;
    if (check_json("the settings", in->settings, false, e) < 0)
        return -1;
    return check_json("the roots", in->roots, true, e);
}

int
session_text_redact_title(struct session_info *info, struct buf *text,
                          struct err *e)
{
    if (!info->title)
        return 0;
    (void)redact(info->title, strlen(info->title), text);
    info->title = text->p;
    return buf_ok(text, "the redacted title", e);
}

int
session_text_redact_item(const char *kind, const char *text, size_t n,
                         struct buf *redacted, struct err *e)
{
    if (kind[0] == '\0')
        return err_set(e, ERR_INVALID, "an item needs a kind");
    if (session_text_check("the kind", kind, SESSION_KIND_MAX, e) < 0 ||
        check_text("the item", text, n, SESSION_ITEM_MAX, e) < 0)
        return -1;
    (void)redact(text, n, redacted);
    return buf_ok(redacted, "the item", e);
}
