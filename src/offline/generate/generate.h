/* SPDX-License-Identifier: GPL-3.0-or-later */
/* generate.h - writes commands for requests that no recipe can cover.
 *
 * generate/ has one generator for each family of programs (find, grep, sort,
 * tar, ps ...). A generator reads a request for what its program can do (the
 * tests and actions of find, the columns of cut) and adds commands to the
 * shortlist, each with the set of words that it uses. It must not know recipes
 * or ranking: engine/rank.c decides which command wins.
 * What can fail: memory. A generator that does not apply adds nothing. */
#ifndef OFFLINE_GENERATE_GENERATE_H
#define OFFLINE_GENERATE_GENERATE_H

#include "base/cleanup.h"
#include "offline/generate/shortlist.h"

struct generator {
    const char *name; /* "find", as in a recipe's `compose find` row */
    int (*generate)(const struct request *q, struct shortlist *s,
                    struct err *e);
};

/* The table of all generators; the last row has the name NULL. */
const struct generator *generator_all(void);

/* The generator for find. The others are declared at the end of this header. */
int generate_find(const struct request *q, struct shortlist *s, struct err *e);

/* Whether word i is in a list with blanks, by its stem or as it is written. A
 * word in quotes never is. */
bool generate_is(const struct request *q, size_t i, const char *list);

/* A match of a row: unused words that follow each other, weak ones ignored. A
 * row is "current|this directory|folder", with | between alternatives; "?in" is
 * optional; "{path}" is a value that may be of that type (slot.h); "{}" is any
 * word or value that is not weak. */
struct generate_hit {
    size_t from, to; /* words [from, to) */
    size_t at;       /* the word that matched {}, or REQUEST_NONE */
    uint64_t set;    /* its words */
};

/* Finds the first match at or behind word `from`. */
bool generate_match(const struct request *q, const char *row, uint64_t used,
                    size_t from, struct generate_hit *hit);
/* The first word of the first match, whose words are added to *used; or
 * REQUEST_NONE. */
size_t generate_claim(const struct request *q, const char *row, uint64_t *used);
/* Claims every row of a list that ends with NULL; whether any matched. */
bool generate_claims(const struct request *q, const char *const *rows,
                     uint64_t *used);

/* The text of a word: of its value, or as it is written. The result may point
 * into room. */
const char *generate_text(const struct request *q, size_t i, struct buf *room);

/* Whether what begins at word i is excluded: "not named", "except". */
bool generate_negated(const struct request *q, size_t i);

/* Whether word i may be a name: a value, or an unknown word. */
bool generate_is_name(const struct request *q, size_t i);

/* The nearest word before i that is not weak, or REQUEST_NONE. */
size_t generate_before(const struct request *q, size_t i);
static inline bool
generate_used(uint64_t used, size_t i)
{
    return used >> i & 1;
}

/* Whether a value may be of that type. Accepts NULL: false. */
bool generate_may(const struct request_value *v, enum slot_type type);

/* Appends a word for the shell, quoted where that is needed. A ~ at the begin
 * of a path stays unquoted; $NAME is still expanded. */
void generate_word(struct buf *out, const char *text);
/* The same, always quoted: in single quotes, or in double quotes when it has
 * $NAME. */
void generate_quoted(struct buf *out, const char *text);
/* Appends a path operand: * and ? stay patterns of the shell, and ./ is put
 * before a dash. */
void generate_path(struct buf *out, const char *text);

/* Appends what is done with the lines that a command prints: " | sort -rn |
 * head -n 5", " | wc -l", " > list.txt". It reads only words that are not in
 * *used, and adds those that it read. Returns whether it appended anything. */
bool generate_tail(const struct request *q, uint64_t *used, struct buf *out);

/* Appends " 2>/dev/null" where errors are not wanted. generate_tail() does that
 * too; a generator that reads "discard" itself calls this first. */
void generate_errors(const struct request *q, uint64_t *used, struct buf *out);

/* Appends the directories in which the command works, as words of the shell:
 * "under /var/log", "in the current directory", "~/src"; "." when the request
 * names none. Adds their words to *used. Returns whether it names any. */
bool generate_places(const struct request *q, uint64_t *used, struct buf *out);

/* The other generators of the table. */

/* Texts: the lines of files, their columns and their letters. */
int generate_columns(const struct request *q, struct shortlist *s,
                     struct err *e);
int generate_compare(const struct request *q, struct shortlist *s,
                     struct err *e);
int generate_edit(const struct request *q, struct shortlist *s, struct err *e);
int generate_grep(const struct request *q, struct shortlist *s, struct err *e);
int generate_letters(const struct request *q, struct shortlist *s,
                     struct err *e);
int generate_lines(const struct request *q, struct shortlist *s, struct err *e);
int generate_split(const struct request *q, struct shortlist *s, struct err *e);
int generate_sort(const struct request *q, struct shortlist *s, struct err *e);

/* Files: what there is of them, and what is done with them. */
int generate_archive(const struct request *q, struct shortlist *s,
                     struct err *e);
int generate_copy(const struct request *q, struct shortlist *s, struct err *e);
int generate_link(const struct request *q, struct shortlist *s, struct err *e);
int generate_loops(const struct request *q, struct shortlist *s, struct err *e);
int generate_ls(const struct request *q, struct shortlist *s, struct err *e);
int generate_make(const struct request *q, struct shortlist *s, struct err *e);
int generate_remove(const struct request *q, struct shortlist *s,
                    struct err *e);
int generate_permissions(const struct request *q, struct shortlist *s,
                         struct err *e);
int generate_sync(const struct request *q, struct shortlist *s, struct err *e);
int generate_usage(const struct request *q, struct shortlist *s, struct err *e);

/* Systems: git, processes, services, containers, network, users, packages. */
int generate_git_branch(const struct request *q, struct shortlist *s,
                        struct err *e);
int generate_git_commit(const struct request *q, struct shortlist *s,
                        struct err *e);
int generate_git_log(const struct request *q, struct shortlist *s,
                     struct err *e);
int generate_processes(const struct request *q, struct shortlist *s,
                       struct err *e);
int generate_services(const struct request *q, struct shortlist *s,
                      struct err *e);
int generate_media(const struct request *q, struct shortlist *s, struct err *e);
int generate_picture(const struct request *q, struct shortlist *s,
                     struct err *e);
int generate_containers(const struct request *q, struct shortlist *s,
                        struct err *e);
int generate_fetch(const struct request *q, struct shortlist *s, struct err *e);
int generate_sockets(const struct request *q, struct shortlist *s,
                     struct err *e);
int generate_remote(const struct request *q, struct shortlist *s,
                    struct err *e);
int generate_accounts(const struct request *q, struct shortlist *s,
                      struct err *e);
int generate_packages(const struct request *q, struct shortlist *s,
                      struct err *e);

#endif
