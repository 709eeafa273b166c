/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slot.h - the types of literals in a wish and of slots in a recipe. */
#ifndef OFFLINE_SLOT_H
#define OFFLINE_SLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a literal can be, and what a recipe's slot asks for. The names are
 * those of slot_name(): "path", "glob", … */
enum slot_type {
    SLOT_PATH,   /* a file or directory: logs/, ~/x.txt, report.pdf, $DIR */
    SLOT_GLOB,   /* *.c, file?.txt, img[0-9]* */
    SLOT_EXT,    /* jpg, of ".jpg", "*.jpg", "jpg files"; without its dot */
    SLOT_SIZE,   /* 10M, 5 GB, "two megabytes" */
    SLOT_AGE,    /* 3 days, 2 weeks, "the last hour", yesterday, today */
    SLOT_DATE,   /* 2024-05-01, "may 1 2024" */
    SLOT_NUMBER, /* 10, "ten" */
    SLOT_PORT,   /* the 8080 of "port 8080", ":8080" */
    SLOT_USER,   /* of "user bob", "owned by bob", bob@ */
    SLOT_GROUP,  /* of "group staff" */
    SLOT_HOST,   /* example.com, 10.0.0.1, bob@box, "the server box" */
    SLOT_URL,    /* https://… */
    SLOT_MODE,   /* 755, 0644, u+x, "rwxr-xr-x" */
    SLOT_NAME,   /* one word that names: a branch, package, service, process,
                    variable, container */
    SLOT_TEXT,   /* anything: what stands in quotes, a pattern, a sentence */
    SLOT_TYPES
};

/* What words before a quantity say of it: "more than 5 MB", "older than 3
 * days", "at least 2", "exactly 10". "between 1 and 5 MB" gives two values,
 * AT_LEAST and AT_MOST. */
enum bound {
    BOUND_NONE,
    BOUND_MORE,
    BOUND_LESS,
    BOUND_AT_LEAST,
    BOUND_AT_MOST,
    BOUND_EXACT
};

/* A literal of the request. */
struct request_value {
    uint32_t types;      /* 1u << SLOT_…, all that it may be */
    enum slot_type is;   /* the likeliest of them */
    char *text;          /* as written, without quotes; not yet for a shell */
    bool quoted;         /* stood in quotes */
    bool exists, is_dir; /* of a path, on this machine, now */
    enum bound bound;
    bool negated; /* "not named x", "except *.c" */
    bool within;  /* "in x", "under x": what is meant lies in there */
    /* of sizes: bytes ('c'), 'k', 'M', 'G', 'T'; of ages: 's', 'm' (minutes),
     * 'h', 'd', 'w', 'M' (months), 'y'; of a number: 0 */
    int64_t amount;
    char unit;
};

const char *slot_name(enum slot_type type);
int slot_find(const char *name, size_t n); /* enum slot_type, or -1 */

#endif
