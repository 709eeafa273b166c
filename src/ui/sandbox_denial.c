/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sandbox_denial.c - says which limit of the sandbox made a command fail. */
#include "ui/sandbox_denial.h"

#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/message.h"
#include "base/shell_quote.h"
#include "guard/denial.h"
#include "guard/exit_status.h"
#include "sandbox/denials.h"

/* Bytes of a command; a longer one is not read. */
#define COMMAND_MAX (128u << 10)
#define NO_SANDBOX  125

int
sandbox_denial_notes(struct err *e)
{
    int fd = memfd_create("notes", MFD_CLOEXEC);

    return fd < 0 ? err_sys(e, "notes") : fd;
}

/* Appends the words as a command line with the same meaning. */
static int
put_command_line(const char *const *argv, struct buf *line)
{
    for (const char *const *word = argv; *word; word++) {
        if (word != argv)
            buf_ch(line, ' ');
        shell_quote_word(line, *word);
    }
    return line->bad ? -1 : 0;
}

static bool
explain_denial(const struct seat *s, const struct sandbox_spec *spec,
               const char *line, const struct denial_run *ran, struct buf *out)
{
    struct path_context where = path_context_of(s);
    struct guard_finding f = {0};
    bool explained = false;

    where.workspace = spec->workspace;
    where.home = spec->home;
    if (syntax_read(line, strlen(line), &f.syntax, NULL) == 0 &&
        risk_read(&f.syntax, &where, &f.risk, NULL) == 0)
        explained = denial_explain(&f, ran, &where, NULL, out);
    guard_finding_done(&f);
    return explained;
}

/* Success, a launcher that failed, or a signal that the sandbox does not send.
 */
static bool
is_not_denial(int status)
{
    return status == 0 || status == NO_SANDBOX ||
           (status > EXIT_STATUS_SIGNALLED &&
            status != EXIT_STATUS_SIGNALLED + SIGSYS);
}

bool
sandbox_denial_explain(struct app *a, const struct sandbox_spec *spec,
                       const struct view *view, const char *const *argv,
                       int notes, int status)
{
    CLEANUP(denials_done) struct denials refused = {0};
    CLEANUP_BUF struct buf line = buf_of(COMMAND_MAX);
    CLEANUP_BUF struct buf out = buf_of(COMMAND_MAX);
    struct denial_run ran = {.profile = spec->profile,
                             .reduced = spec->reduced,
                             .net = spec->net,
                             .workspace = spec->workspace,
                             .copy_of = view && view->apart ? view->workspace
                                                            : NULL,
                             .writable = spec->writable,
                             .calls = refused.names};
    struct err e = {0};

    if (is_not_denial(status) || spec->profile == PROFILE_FULL)
        return false;
    while (spec->writable[ran.n_writable])
        ran.n_writable++;
    if (notes >= 0 && denials_read(notes, &refused, NULL) == 0)
        ran.n_calls = refused.n;
    if (status == EXIT_STATUS_NOT_FOUND && ran.n_calls == 0)
        return false; /* the shell has said what is missing */
    if (status == EXIT_STATUS_SIGNALLED + SIGSYS)
        buf_str(&out,
                _("blocked: a system call of another architecture, such as "
                  "of 32-bit programs"));
    else if (put_command_line(argv, &line) < 0 ||
             !explain_denial(a->seat, spec, line.p, &ran, &out))
        return false;
    if (buf_ok(&out, "the blocked system calls", &e) < 0)
        return false;
    app_print(a, out.p);
    return true;
}
