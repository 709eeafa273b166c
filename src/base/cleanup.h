/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cleanup.h - releases resources at the end of a scope.
 *
 * The folder base/ holds what every other folder uses: errors (err.h), growing
 * buffers (buf.h), text (utf8.h, str.h, ascii.h), files and paths, child
 * processes (proc.h), the event loop (loop.h), time, and the redactor of
 * secrets (redact.h). It must not know what agentsh does: no JSON, no terminal,
 * no model, no settings. It never prints and never ends the program; a function
 * that can fail reports it through struct err.
 *
 * This header is the one place for extensions of GNU C. */
#ifndef BASE_CLEANUP_H
#define BASE_CLEANUP_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Calls f(&variable) when the variable goes out of scope. */
#define CLEANUP(f) __attribute__((cleanup(f)))

/* Moves the value out of a CLEANUP variable, which is then NULL or -1, so that
 * the caller owns it: `return TAKE_PTR(p);` */
#define TAKE_PTR(p)                                                            \
    ({                                                                         \
        __typeof__(p) take_ = (p);                                             \
        (p) = NULL;                                                            \
        take_;                                                                 \
    })
#define TAKE_FD(fd)                                                            \
    ({                                                                         \
        int take_ = (fd);                                                      \
        (fd) = -1;                                                             \
        take_;                                                                 \
    })

/* Defines NAME_p, which CLEANUP needs, from `void NAME(TYPE *)`. */
#define DEFINE_CLEANUP(type, name)                                             \
    static inline void name##_p(type **p)                                      \
    {                                                                          \
        name(*p);                                                              \
    }

static inline void
free_p(void *p)
{
    free(*(void **)p);
}

/* Closes *fd unless it is negative. errno stays as it is. */
void fd_close_p(int *fd);

static inline void
file_close_p(FILE **f)
{
    if (*f)
        fclose(*f);
}

static inline void
dir_close_p(DIR **d)
{
    if (*d)
        closedir(*d);
}

#endif
