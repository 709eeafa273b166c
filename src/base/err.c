/* SPDX-License-Identifier: GPL-3.0-or-later */
/* err.c - sets struct err, and maps error codes to exit statuses and the like.
 */
#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"

struct err_row {
    int exit_status;
    const char *tool;
};

static const struct err_row rows[ERR_N] = {
    [ERR_NONE] = {0, ""},
    [ERR_USAGE] = {2, "INVALID_ARGS"},
    [ERR_CONFIG] = {2, "CONFIG_ERROR"},
    [ERR_PARSE] = {2, "PARSE_ERROR"},
    [ERR_INVALID] = {2, "INVALID_ARGS"},
    [ERR_NOT_FOUND] = {1, "NOT_FOUND"},
    [ERR_PERMISSION] = {1, "PERMISSION_DENIED"},
    [ERR_IO] = {1, "IO_ERROR"},
    [ERR_NOMEM] = {1, "IO_ERROR"},
    [ERR_TIMEOUT] = {6, "TIMEOUT"},
    [ERR_MODEL] = {3, "MODEL_ERROR"},
    [ERR_ANSWER] = {4, "NOT_AN_ACTION"},
    [ERR_DENIED] = {5, "POLICY_DENIED"},
    [ERR_SANDBOX] = {125, "SANDBOX_UNAVAILABLE"},
    [ERR_INTERRUPTED] = {130, "INTERRUPTED"},
    [ERR_UNSUPPORTED] = {1, "UNSUPPORTED"},
    [ERR_PEER] = {1, "IO_ERROR"},
    [ERR_TOOL] = {1, "STEP_FAILED"},
    [ERR_UNFIT] = {7, "NOTHING_FITS"},
};

static enum err_code
code_of_errno(int sys)
{
    switch (sys) {
    case ENOENT:
    case ENOTDIR:
        return ERR_NOT_FOUND;
    case EACCES:
    case EPERM:
    case EROFS:
        return ERR_PERMISSION;
    case ENOMEM:
        return ERR_NOMEM;
    case ETIMEDOUT:
        return ERR_TIMEOUT;
    default:
        return ERR_IO;
    }
}

__attribute__((format(printf, 2, 0))) static void
set_text(struct err *e, const char *fmt, va_list ap)
{
    vsnprintf(e->text, sizeof(e->text), fmt, ap);
}

__attribute__((format(printf, 4, 0))) static void
set_fields(struct err *e, enum err_code code, enum err_kind kind,
           const char *fmt, va_list ap)
{
    e->code = code;
    e->kind = kind;
    e->sys = 0;
    e->at = 0;
    set_text(e, fmt, ap);
}

int
err_set(struct err *e, enum err_code code, const char *fmt, ...)
{
    va_list ap;

    if (!e)
        return -1;
    va_start(ap, fmt);
    set_fields(e, code, ERR_KIND_NONE, fmt, ap);
    va_end(ap);
    return -1;
}

int
err_set_kind(struct err *e, enum err_code code, enum err_kind kind,
             const char *fmt, ...)
{
    va_list ap;

    if (!e)
        return -1;
    va_start(ap, fmt);
    set_fields(e, code, kind, fmt, ap);
    va_end(ap);
    return -1;
}

int
err_set_at(struct err *e, enum err_code code, size_t at, const char *fmt, ...)
{
    va_list ap;

    if (!e)
        return -1;
    va_start(ap, fmt);
    set_fields(e, code, ERR_KIND_NONE, fmt, ap);
    va_end(ap);
    e->at = at;
    return err_wrap(e, "byte %zu", at);
}

const char *
err_system(int sys)
{
    const char *text = strerrordesc_np(sys);

    return text ? text : "Unknown error";
}

int
err_nomem(struct err *e)
{
    return err_set(e, ERR_NOMEM, "out of memory");
}

int
err_sys(struct err *e, const char *fmt, ...)
{
    int sys = errno;
    va_list ap;
    size_t n;

    if (!e)
        return -1;
    va_start(ap, fmt);
    set_fields(e, code_of_errno(sys), ERR_KIND_NONE, fmt, ap);
    e->sys = sys;
    va_end(ap);
    n = strlen(e->text);
    snprintf(e->text + n, sizeof(e->text) - n, ": %s", err_system(sys));
    errno = sys;
    return -1;
}

int
err_wrap(struct err *e, const char *fmt, ...)
{
    char inner[sizeof(e->text)];
    va_list ap;
    size_t n;

    if (!e)
        return -1;
    memcpy(inner, e->text, sizeof(inner));
    va_start(ap, fmt);
    set_text(e, fmt, ap);
    va_end(ap);
    n = strlen(e->text);
    snprintf(e->text + n, sizeof(e->text) - n, ": %s", inner);
    return -1;
}

static const struct err_row *
code_row(enum err_code code)
{
    return &rows[(unsigned)code < ERR_N ? code : ERR_IO];
}

int
err_exit_status(enum err_code code)
{
    return code_row(code)->exit_status;
}

const char *
err_tool_code(enum err_code code)
{
    return code_row(code)->tool;
}

void
fd_close_p(int *fd)
{
    int sys = errno;

    if (*fd >= 0)
        close(*fd);
    errno = sys;
}
