/* SPDX-License-Identifier: GPL-3.0-or-later */
/* find.h - what the files of the generator for find share.
 *
 * Each reader reads one subject of a request (names, ages, sizes ...) and
 * writes the tests of find for it into one part of the command. It marks its
 * words as used, and later readers ignore them: what can be read in two ways
 * goes to the reader that comes first in the table of find.c. */
#ifndef OFFLINE_GENERATE_FIND_H
#define OFFLINE_GENERATE_FIND_H

#include "offline/generate/generate.h"

/* The parts of the command in order. Each begins with a blank, or is empty. */
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
    uint64_t used; /* the words that were read */
    struct buf part[FIND_PARTS];
    struct buf kinds; /* alternatives of names: "-name '*.c' -o ..." */
    unsigned n_kinds;
    struct buf run; /* what -exec runs: "chmod 644 {}" */
    bool one_each;  /* it takes one file at a time: \; instead of + */
    bool deletes;   /* what is found is deleted */
    bool none;      /* no safe command: nothing is offered */
    bool plain;     /* "files": probably without directories */
    bool regular;   /* -type f, whatever the request says */
    bool placed;    /* the request names a directory */
    bool counts;    /* the request asks how many */
    unsigned skips; /* directories that are skipped */
    unsigned tests; /* tests of find so far */
    unsigned open;  /* words in capitals for what the request does not name */
};

void find_join_kinds(struct find *f); /* moves kinds to FIND_NAME */

/* Whether there is a test for names. */
static inline bool
find_named(const struct find *f)
{
    return f->part[FIND_NAME].len || f->kinds.len;
}

/* The readers: find_names.c, find_measures.c, find_actions.c, find_depth.c. */
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
void find_read_order(struct find *f);

/* Whether the row matches unused words; marks them. */
bool find_says(struct find *f, const char *row);
/* The first match of the row among unused words; marks nothing. */
bool find_sees(const struct find *f, const char *row, struct generate_hit *hit);

/* The first unused value of that type at or behind word `from`, or
 * REQUEST_NONE. */
size_t find_value(const struct find *f, enum slot_type type, size_t from);
void find_use(struct find *f, size_t word);
/* Appends the text of word i, quoted where that is needed. */
void find_add_word(struct find *f, struct buf *out, size_t i);
/* Appends a test to its part and counts it. */
void find_test(struct find *f, enum find_part part, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

#endif
