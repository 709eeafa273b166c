/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_output.c - where a command's output goes, said in its sentence. */
#include <string.h>

#include "base/cleanup.h"
#include "offline/explain/explain_phrase.h"

static bool
is_nowhere(const struct syntax_redirect *r)
{
    return strcmp(r->target->text, "/dev/null") == 0;
}

static bool
appends(const struct syntax_redirect *r)
{
    return r->kind == SYNTAX_APPEND || r->kind == SYNTAX_APPEND_BOTH;
}

/* >&out, which is &>out. */
static bool
copies_to_file(const struct syntax_redirect *r)
{
    return r->kind == SYNTAX_DUP_OUT && r->fd == SYNTAX_FD_DEFAULT &&
           strspn(r->target->text, "0123456789-") < r->target->len;
}

/* Whether it opens a file to write to. */
static bool
opens(const struct syntax_redirect *r)
{
    return appends(r) || r->kind == SYNTAX_WRITE || r->kind == SYNTAX_CLOBBER ||
           r->kind == SYNTAX_WRITE_BOTH || copies_to_file(r);
}

/* Whether it says where output goes, error messages apart. */
static bool
takes_output(const struct syntax_redirect *r)
{
    return (opens(r) || r->kind == SYNTAX_DUP_OUT) &&
           (r->fd == 1 || r->fd == SYNTAX_FD_DEFAULT);
}

/* Where the output goes in the end: ", into a.txt". */
static void
say_last(const struct syntax_redirect *r, bool text, struct buf *out)
{
    static const char *const into[] = {", and writes that into", " into"};
    static const char *const onto[] = {", and adds that to", " at the end of"};
    const char *to = r->target->text;

    if (text && out->len > 0 && opens(r) && !is_nowhere(r))
        buf_ch(out, ',');
    if (opens(r) && is_nowhere(r))
        buf_str(out, ", and throws the output away");
    else if (opens(r))
        buf_printf(out, "%s %.60s", appends(r) ? onto[text] : into[text], to);
    else if (strcmp(to, "2") == 0)
        buf_str(out, ", as an error message");
    else if (strcmp(to, "-") == 0)
        buf_str(out, ", without any output");
    else if (strcmp(to, "1") != 0)
        buf_printf(out, ", to descriptor %.20s", to);
}

/* &>f, or >f and later 2>&1. */
static bool
takes_errors(const struct syntax_redirect *r)
{
    bool both = r->kind == SYNTAX_WRITE_BOTH || r->kind == SYNTAX_APPEND_BOTH ||
                copies_to_file(r);

    for (; r; r = r->next)
        both = both || (r->kind == SYNTAX_DUP_OUT && r->fd == 2 &&
                        strcmp(r->target->text, "1") == 0);
    return both;
}

bool
redirects_to_file(const struct syntax_node *node)
{
    const struct syntax_redirect *last = NULL;

    for (const struct syntax_redirect *r = node->redirects; r; r = r->next)
        if (takes_output(r))
            last = r;
    return last && opens(last) && !is_nowhere(last);
}

/* Files that are opened, and get nothing: all but the last of them. */
static void
say_opened(const struct syntax_node *node, const struct syntax_redirect *last,
           struct buf *out)
{
    const char *before = "; before that, ";

    for (const struct syntax_redirect *r = node->redirects; r; r = r->next) {
        if (r == last || !takes_output(r) || !opens(r) || is_nowhere(r))
            continue;
        buf_printf(out,
                   appends(r) ? "%smakes %.60s where it is missing"
                              : "%smakes or empties %.60s",
                   before, r->target->text);
        before = " and ";
    }
}

void
redirects_say(const struct syntax_node *node, bool text, struct buf *out)
{
    const struct syntax_redirect *last = NULL;

    for (const struct syntax_redirect *r = node->redirects; r; r = r->next) {
        if (takes_output(r))
            last = r;
        else if (opens(r) && r->fd == 2 && is_nowhere(r))
            buf_str(out, ", without error messages");
        else if (opens(r) && r->fd == 2)
            buf_printf(out, ", with error messages %s %.60s",
                       appends(r) ? "at the end of" : "in", r->target->text);
    }
    if (!last)
        return;
    say_last(last, text, out);
    if (takes_errors(last))
        buf_str(out, ", error messages too");
    say_opened(node, last, out);
}

bool
redirects_alone(const struct syntax_node *node, struct buf *out)
{
    CLEANUP_BUF struct buf to = buf_of(PHRASE_PART_MAX);
    const struct syntax_word *w = node->words;
    bool exec = w && !w->next && strcmp(w->text, "exec") == 0;
    const struct syntax_redirect *r = node->redirects;

    while (r && !(opens(r) && (!exec || takes_output(r))))
        r = r->next;
    if (!r || (w && !exec))
        return false;
    if (exec) {
        buf_str(out, "from now on writes all output");
        redirects_say(node, true, &to);
        buf_str(out, to.p);
    } else {
        buf_printf(out,
                   appends(r) ? "makes %.60s where it is missing"
                              : "makes %.60s, or empties it",
                   r->target->text);
    }
    return true;
}
