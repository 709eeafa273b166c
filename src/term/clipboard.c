/* SPDX-License-Identifier: GPL-3.0-or-later */
/* clipboard.c - copies text to the clipboard by OSC 52. */
#include "term/clipboard.h"

#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "base/cleanup.h"
#include "base/proc.h"
#include "term/term_query.h"

#define TMUX_MS    2000 /* for a busy machine; tmux usually answers in a few */
#define TMUX_BYTES 64
/* Base64 of CLIPBOARD_MAX and the sequence around it. */
#define FRAMED_MAX 100016u

/* Whether the primary device attributes of a terminal have the one for OSC 52,
 * as its authors agreed (vt-extensions, "clipboard access"). */
static bool
has_clipboard(const char *attributes)
{
    static const char clipboard[] = "52";

    for (const char *p = attributes; *p; p += *p == ';') {
        size_t n = strcspn(p, ";\n");

        if (n == strlen(clipboard) && strncmp(p, clipboard, n) == 0)
            return true;
        p += n;
        if (*p == '\n')
            return false;
    }
    return false;
}

static enum clipboard_result
ask_terminal(struct term *t)
{
    CLEANUP_BUF struct buf reply = buf_of(QUERY_BYTES);

    return term_query(t, "\033[c", 'c', 1, &reply) == 0 &&
                   has_clipboard(reply.p)
               ? CLIPBOARD_TAKEN
               : CLIPBOARD_SENT;
}

/* Asks tmux for its setting; where that fails, tmux may still accept the text.
 */
static int
ask_tmux(enum clipboard_result *end, struct err *e)
{
    static const char *const argv[] = {
        "/usr/bin/env", "tmux", "show-options", "-sv", "set-clipboard", NULL};
    const struct proc_spec spec = {
        .argv = argv, .fds = {PROC_NULL, PROC_PIPE, PROC_NULL}, .pass_fd = -1};
    CLEANUP_BUF struct buf value = buf_of(TMUX_BYTES);
    int status;

    *end = CLIPBOARD_SENT;
    if (proc_output(&spec, TMUX_MS, &value, &status, NULL) < 0 || status != 0)
        return 0;
    value.p[strcspn(value.p, "\n")] = '\0';
    if (strcmp(value.p, "on") == 0)
        *end = CLIPBOARD_TMUX;
    else if (value.p[0])
        return err_set(e, ERR_UNSUPPORTED,
                       "tmux accepts no text from programs (set-clipboard is "
                       "%.20s). To do: tmux set -s set-clipboard on",
                       value.p);
    return 0;
}

static int
find_clipboard(struct term *t, enum clipboard_result *end, struct err *e)
{
    const char *name = getenv("TERM"), *tmux = getenv("TMUX");

    if (!t->moves || (name && strcmp(name, "linux") == 0))
        return err_set(e, ERR_UNSUPPORTED,
                       "cannot copy: the terminal has no clipboard");
    if (tmux && *tmux)
        return ask_tmux(end, e);
    *end = ask_terminal(t);
    return 0;
}

int
clipboard_copy(struct term *t, const char *text, size_t n,
               enum clipboard_result *end, struct err *e)
{
    CLEANUP_BUF struct buf out = buf_of(FRAMED_MAX);

    if (n > CLIPBOARD_MAX)
        return err_set(e, ERR_INVALID,
                       "%zu bytes are too many for the clipboard (at most %u)",
                       n, CLIPBOARD_MAX);
    if (find_clipboard(t, end, e) < 0)
        return -1;
    buf_str(&out, "\033]52;c;");
    base64_encode(&out, text, n);
    buf_str(&out, "\033\\");
    return term_put(t, &out, e);
}

const char *
clipboard_result_text(enum clipboard_result end)
{
    static const char *const texts[] = {
        [CLIPBOARD_SENT] =
            "sent to the terminal; cannot tell whether it has a clipboard",
        [CLIPBOARD_TAKEN] = "copied to the terminal's clipboard",
        [CLIPBOARD_TMUX] = "copied to tmux's buffer, and sent to its terminal",
    };

    return texts[end];
}
