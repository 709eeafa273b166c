/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slot.h - the types of values in a request, and of slots in a recipe. */
#ifndef OFFLINE_PARSE_SLOT_H
#define OFFLINE_PARSE_SLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a value can be, and what a slot of a recipe takes. slot_name() has their
 * names: "path", "glob" ... */
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
    SLOT_TEXT,   /* any text: in quotes, a pattern, a sentence */
    SLOT_TYPES
};

/* The bound that words put on a quantity: "more than 5 MB", "older than 3
 * days", "at least 2", "exactly 10". "between 1 and 5 MB" is two values,
 * AT_LEAST and AT_MOST. */
enum bound {
    BOUND_NONE,
    BOUND_MORE,
    BOUND_LESS,
    BOUND_AT_LEAST,
    BOUND_AT_MOST,
    BOUND_EXACT
};

/* A value of the request. */
struct request_value {
    uint32_t types;      /* a set of 1u << SLOT_*: all that it may be */
    enum slot_type is;   /* the most likely of them */
    char *text;          /* as written, without quotes; not yet for a shell */
    bool quoted;         /* was in quotes */
    bool exists, is_dir; /* of a path: as the system had it when it was read */
    enum bound bound;
    bool negated; /* "not named x", "except *.c" */
    bool within;  /* "in x", "under x": x contains what is meant */
    /* of sizes: bytes ('c'), 'k', 'M', 'G', 'T'; of ages: 's', 'm' (minutes),
     * 'h', 'd', 'w', 'M' (months), 'y'; of a number: 0 */
    int64_t amount;
    char unit;
};

/* The name of a type, and the type of a name; -1 when there is no such type. */
const char *slot_name(enum slot_type type);
int slot_find(const char *name, size_t n);

#endif
