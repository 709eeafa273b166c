/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_redirect.c - what redirections do to files, and where a command's
 * standard input comes from. */
#include <string.h>

#include "guard/path/path_table.h"
#include "guard/risk/risk_expand.h"
#include "guard/risk/risk_findings.h"
#include "guard/risk/risk_hosts.h"
#include "guard/risk/risk_internal.h"
#include "guard/risk/risk_paths.h"

static bool
is_socket_name(const char *text)
{
    return strncmp(text, "/dev/tcp/", 9) == 0 ||
           strncmp(text, "/dev/udp/", 9) == 0;
}

bool
risk_is_socket(const struct syntax_redirect *r)
{
    for (; r; r = r->next)
        if (is_socket_name(r->target->text))
            return true;
    return false;
}

static void
connect_socket(struct risk_state *st, const struct risk_arg *a)
{
    const char *host = a->text + 9;
    const char *name = risk_copy(st, host, strcspn(host, "/"));

    risk_add_host(st,
                  (struct risk_host){a->known ? name : "", "", a->from, a->to});
    if (!risk_host_is_loopback(name))
        risk_report(st, RISK_NETWORK,
                    (struct risk_reason){
                        .kind = RISK_KIND_HOST,
                        .program = "",
                        .about = name,
                        .from = a->from,
                        .to = a->to,
                        .says = "a redirection to /dev/tcp contacts a host"});
}

static void
apply_redirect(struct risk_state *st, const struct risk_frame *f,
               const struct syntax_redirect *r, const struct risk_arg *a)
{
    if (is_socket_name(a->text)) {
        connect_socket(st, a);
        return;
    }
    switch (r->kind) {
    case SYNTAX_READ:
        risk_path_touch(st, f, a, RISK_READS, false, "<");
        return;
    case SYNTAX_WRITE:
    case SYNTAX_WRITE_BOTH:
        risk_path_touch(st, f, a, st->no_clobber ? RISK_MAKES : RISK_CHANGES,
                        false, ">");
        return;
    case SYNTAX_CLOBBER:
        risk_path_touch(st, f, a, RISK_CHANGES, false, ">");
        return;
    case SYNTAX_APPEND:
    case SYNTAX_APPEND_BOTH:
        risk_path_touch(st, f, a, RISK_MAKES, false, ">>");
        return;
    case SYNTAX_READ_WRITE: /* overwritten, not truncated */
        risk_path_touch(st, f, a,
                        r->fd == SYNTAX_FD_DEFAULT || r->fd == 0 ? RISK_MAKES
                                                                 : RISK_CHANGES,
                        false, "<>");
        return;
    default:
        return;
    }
}

void
risk_apply_redirects(struct risk_state *st, const struct risk_frame *f,
                     const struct syntax_node *node)
{
    for (const struct syntax_redirect *r = node->redirects; r; r = r->next) {
        struct risk_args args = {0};

        if (r->kind == SYNTAX_DUP_IN || r->kind == SYNTAX_DUP_OUT ||
            r->kind == SYNTAX_HEREDOC || r->kind == SYNTAX_HERE_STRING)
            continue;
        risk_expand_word(st, f, r->target, &args);
        for (size_t i = 0; i < args.n; i++)
            apply_redirect(st, f, r, &args.v[i]);
    }
}

static struct risk_input
unknown_input(const struct risk_frame *f, size_t from, size_t to)
{
    return (struct risk_input){RISK_INPUT_UNKNOWN, "", risk_line_from(f, from),
                               risk_line_to(f, to)};
}

/* The text that a word expands to; NULL: not known. */
static const char *
known_word_text(struct risk_state *st, const struct risk_frame *f,
                const struct syntax_word *w)
{
    struct risk_args args = {0};

    if (!(w->flags & SYNTAX_EXPANDS))
        return w->text;
    risk_expand_word(st, f, w, &args);
    if (args.n != 1 || !args.v[0].known)
        return NULL;
    return args.v[0].text;
}

static struct risk_input
input_of_redirect(struct risk_state *st, const struct risk_frame *f,
                  const struct syntax_redirect *r)
{
    struct risk_input in = unknown_input(f, r->from, r->to);
    const char *text = NULL;

    switch (r->kind) {
    case SYNTAX_HEREDOC:
        text = r->heredoc ? r->heredoc->text : "";
        break;
    case SYNTAX_HERE_STRING:
        text = known_word_text(st, f, r->target);
        break;
    case SYNTAX_READ:
        if (path_is(r->target->text, PATH_IS_NULL))
            in.kind = RISK_INPUT_NONE;
        return in;
    case SYNTAX_DUP_IN:
        if (strcmp(r->target->text, "-") == 0 ||
            strcmp(r->target->text, "0") == 0)
            in.kind = RISK_INPUT_NONE;
        return in;
    default:
        return in;
    }
    if (!text)
        return in;
    in.kind = RISK_INPUT_TEXT;
    in.text = text;
    return in;
}

/* The last redirect of standard input, NULL without one. */
static const struct syntax_redirect *
input_redirect(const struct syntax_node *node)
{
    const struct syntax_redirect *found = NULL;

    for (const struct syntax_redirect *r = node->redirects; r; r = r->next) {
        bool reads = r->kind == SYNTAX_READ || r->kind == SYNTAX_READ_WRITE ||
                     r->kind == SYNTAX_HEREDOC ||
                     r->kind == SYNTAX_HERE_STRING || r->kind == SYNTAX_DUP_IN;

        if ((reads && (r->fd == 0 || r->fd == SYNTAX_FD_DEFAULT)) ||
            (r->kind == SYNTAX_DUP_OUT && r->fd == 0))
            found = r;
    }
    return found;
}

static bool
redirects_output(const struct syntax_node *node)
{
    for (const struct syntax_redirect *r = node->redirects; r; r = r->next)
        if (r->kind != SYNTAX_HEREDOC && r->kind != SYNTAX_HERE_STRING &&
            r->kind != SYNTAX_READ)
            return true;
    return false;
}

/* What printf prints, when its format is simple enough; NULL: not known. */
static const char *
printf_output(struct risk_state *st, const struct risk_args *a)
{
    const char *format = a->n > 1 ? a->v[1].text : "";
    const char *text = "";

    if (a->n == 2 && !strpbrk(format, "%\\"))
        return format;
    if (strcmp(format, "%s\\n") != 0 && strcmp(format, "%s") != 0 &&
        strcmp(format, "%s\n") != 0)
        return NULL;
    for (size_t i = 2; i < a->n; i++)
        text = risk_join(st, risk_join(st, text, i > 2 ? "\n" : ""),
                         a->v[i].text);
    return text;
}

/* What echo prints; NULL: it may interpret escapes. */
static const char *
echo_output(struct risk_state *st, const struct risk_args *a)
{
    const char *text = "";
    bool escapes = false;
    size_t i = 1;

    for (; i < a->n && a->v[i].text[0] == '-'; i++) {
        const char *s = a->v[i].text + 1;

        if (!*s || strspn(s, "neE") != strlen(s))
            break;
        escapes = escapes || strchr(s, 'e');
    }
    for (size_t first = i; i < a->n; i++) {
        if ((escapes || st->frame->bashless) && strchr(a->v[i].text, '\\'))
            return NULL;
        text = risk_join(st, risk_join(st, text, i > first ? " " : ""),
                         a->v[i].text);
    }
    return text;
}

/* What a command surely writes into a pipe; NULL: not known. */
static const char *
known_output(struct risk_state *st, const struct risk_frame *f,
             const struct syntax_node *node)
{
    const struct syntax_redirect *r = input_redirect(node);
    struct risk_args a = {0};

    if (node->kind != SYNTAX_CALL || !node->words || redirects_output(node))
        return NULL;
    for (const struct syntax_word *w = node->words; w; w = w->next)
        risk_expand_word(st, f, w, &a);
    for (size_t i = 0; i < a.n; i++)
        if (!a.v[i].known || a.v[i].pattern || a.v[i].tilde)
            return NULL;
    if (a.n == 0)
        return NULL;
    if (strcmp(a.v[0].text, "echo") == 0)
        return echo_output(st, &a);
    if (strcmp(a.v[0].text, "printf") == 0)
        return printf_output(st, &a);
    if (strcmp(a.v[0].text, "cat") == 0 && a.n == 1 && r) {
        struct risk_input in = input_of_redirect(st, f, r);

        return in.kind == RISK_INPUT_TEXT ? in.text : NULL;
    }
    return NULL;
}

static struct risk_input
input_of_pipe(struct risk_state *st, const struct risk_frame *f,
              const struct syntax_node *before)
{
    struct risk_input in = unknown_input(f, before->from, before->to);
    const char *text = known_output(st, f, before);

    if (text) {
        in.kind = RISK_INPUT_TEXT;
        in.text = text;
    }
    return in;
}

static const struct syntax_node *
previous_sibling(const struct syntax_node *parent,
                 const struct syntax_node *node)
{
    const struct syntax_node *before = parent->kids;

    if (before == node)
        return NULL;
    while (before && before->next != node)
        before = before->next;
    return before;
}

/* tee >(sh): whether a body's input is what is written to it. */
static bool
is_written_to(const struct syntax_node *holder, const struct syntax_node *body)
{
    for (const struct syntax_word *w = holder->words; w; w = w->next)
        for (const struct syntax_part *p = w->parts; p; p = p->next)
            if (p->body == body)
                return p->kind == SYNTAX_PROCESS_OUT;
    for (const struct syntax_redirect *r = holder->redirects; r; r = r->next)
        for (const struct syntax_part *p = r->target->parts; p; p = p->next)
            if (p->body == body)
                return p->kind == SYNTAX_PROCESS_OUT;
    return false;
}

struct risk_input
risk_input_of(struct risk_state *st, const struct risk_frame *f,
              const struct syntax_node *node)
{
    size_t from = node->from, to = node->to;

    while (node) {
        const struct syntax_redirect *r = input_redirect(node);
        const struct syntax_node *up = node->parent, *before = NULL;

        if (r)
            return input_of_redirect(st, f, r);
        if (node == f->body)
            break;
        if (up && up->kind == SYNTAX_PIPELINE)
            before = previous_sibling(up, node);
        if (before)
            return input_of_pipe(st, f, before);
        if (up && up->kind == SYNTAX_COPROC)
            return unknown_input(f, up->from, up->to);
        if (!up && node->holder && is_written_to(node->holder, node))
            return unknown_input(f, node->from, node->to);
        node = up ? up : node->holder;
    }
    if (st->reads) /* exec < file, of this shell or of an outer one */
        return unknown_input(f, from, to);
    return f->input;
}
