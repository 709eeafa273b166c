/* SPDX-License-Identifier: GPL-3.0-or-later */
/* find.h - what the files of the composer for find share.
 *
 * Each file reads one subject of a request (names, ages, sizes …) and writes
 * find's own words for it into the part of the line where an expert would put
 * them. The words that a reader has understood are used, and later readers
 * pass them over: what can be read in two ways goes to the one that stands
 * first in the table of find.c. */
#ifndef OFFLINE_FIND_H
#define OFFLINE_FIND_H

#include "offline/compose/compose.h"

/* The parts of a line, in the order in which they are written; each begins
 * with a blank unless it is empty. */
enum find_part {
    FIND_LINKS, /* -L */
    FIND_PLACE,
    FIND_DEPTH, /* -mindepth, -maxdepth, -xdev, -daystart */
    FIND_PRUNE, /* -path ./x -prune -o */
    FIND_TYPE,
    FIND_NAME,
    FIND_SIZE,
    FIND_TIME,
    FIND_PERM,
    FIND_OWNER,
    FIND_ACTION,
    FIND_ERRORS, /* 2>/dev/null */
    FIND_PIPE,   /* | xargs …, | sort …, > file */
    FIND_PARTS
};

#define FIND_PART_BYTES (4u << 10)

struct find {
    const struct request *q;
    uint64_t used; /* the words that have been understood */
    struct buf part[FIND_PARTS];
    struct buf kinds; /* names of which any will do: "-name '*.c' -o …" */
    unsigned n_kinds;
    struct buf run; /* what is done with each: "chmod 644 {}" */
    bool one_each;  /* it takes one at a time: \; and never + */
    bool deletes;   /* what is found is deleted */
    bool none;      /* it cannot be said safely: nothing is offered */
    bool plain;     /* "files": that directories are not meant is likely, but
                       not said */
    bool regular;   /* -type f, whatever was said */
    bool placed;    /* the request says where */
    bool counts;    /* how many are wanted */
    unsigned skips; /* directories that are passed over */
    unsigned tests; /* of find, that were read */
    unsigned open;  /* words in capitals: what the request did not say */
};

/* find_pattern.c: whether word i may be a name; its test, and those of the
 * list that it begins, which go to FIND_NAME: form has %s for what was said,
 * test is NULL for -name. */
bool find_is_name(const struct find *f, size_t i);
void find_add_list(struct find *f, size_t i, const char *form,
                   const char *test);
void find_add_kind(struct find *f, const char *tests); /* one of kinds */
void find_join_kinds(struct find *f); /* kinds go to FIND_NAME */
bool find_ignores_case(const struct find *f);
/* Whether something says how the files are called. */
static inline bool
find_named(const struct find *f)
{
    return f->part[FIND_NAME].len || f->kinds.len;
}

/* The readers, each in a file of its name. */
void find_read_depth(struct find *f);
void find_read_skip(struct find *f);
void find_read_look(struct find *f);
void find_read_content(struct find *f);
void find_read_action(struct find *f);
void find_read_perm(struct find *f);
void find_read_owner(struct find *f);
void find_read_time(struct find *f);
void find_read_size(struct find *f);
void find_read_naming(struct find *f);
void find_read_name(struct find *f);
void find_read_kind(struct find *f);
void find_read_rest(struct find *f);
void find_read_type(struct find *f);
void find_read_run(struct find *f);
void find_read_order(struct find *f);

/* 0..1: how likely find is meant at all, when all has been read; 0: it is
 * not. */
double find_fit(const struct find *f);

/* "find files by name and age, and delete them" */
void find_title(const struct find *f, char *title, size_t size);

/* Claims row; whether it was there. */
bool find_says(struct find *f, const char *row);
/* The first place of the row among words that nobody has used; it claims
 * nothing. */
bool find_sees(const struct find *f, const char *row, struct compose_hit *hit);

/* The first value of that type from word `from` on that nobody has used;
 * REQUEST_NONE. */
size_t find_value(const struct find *f, enum slot_type type, size_t from);
void find_use(struct find *f, size_t word);
/* Appends what word i says, in quotes where need be. */
void find_add_word(struct find *f, struct buf *out, size_t i);
/* Appends a test to its part and counts it. */
void find_test(struct find *f, enum find_part part, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

#endif
