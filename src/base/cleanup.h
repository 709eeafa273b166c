/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cleanup.h - scope-bound release of resources; the one place for GNU C.
 *
 * base/ is the ground everything stands on: errors, bytes, files, processes,
 * the event loop, time. It knows nothing of what agentsh does: no JSON, no
 * terminal, no model. It never prints and never ends the program; what can
 * fail says so through struct err. */
#ifndef BASE_CLEANUP_H
#define BASE_CLEANUP_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Calls f(&variable) when the variable leaves its scope. */
#define CLEANUP(f) __attribute__((cleanup(f)))

/* Hands ownership out of a CLEANUP variable: `return TAKE_PTR(p);` */
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

/* Defines NAME_p, the CLEANUP form of `void NAME(TYPE *)`. */
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

/* Closes a descriptor when it is one; keeps errno. */
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
