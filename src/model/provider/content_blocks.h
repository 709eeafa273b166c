/* SPDX-License-Identifier: GPL-3.0-or-later */
/* content_blocks.h - keeps the blocks of an answer that must go back raw.
 *
 * Some providers send reasoning as a list of objects beside the tool calls that
 * it led to, and refuse the next request, or think worse, unless they come back
 * as they were, in their order: Claude's thinking and redacted_thinking, and
 * OpenRouter's reasoning_details. A stream brings them in pieces: texts are
 * joined, and of every other member the first value counts. All blocks are
 * listed, those that are not kept too, so that a piece of one that we do not
 * know is not taken for text or a call. What exceeds a limit here is no error:
 * then no block goes back, which providers tolerate, but never a part of them.
 */
#ifndef MODEL_PROVIDER_CONTENT_BLOCKS_H
#define MODEL_PROVIDER_CONTENT_BLOCKS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "json/json.h"
#include "json/write.h"

/* No answer has as many: 16 calls, each with thinking and a text, are 48. */
#define CONTENT_BLOCKS_MAX 256u
/* Of all that is kept; JSON may need more than it, which TOOL_CALLS_EXTRA_MAX
 * bounds. */
#define CONTENT_BLOCKS_BYTES_MAX (160u << 10)
#define CONTENT_TEXTS            5 /* members whose pieces are joined */
/* The other members of a block; the most seen are 6, of 200 bytes. */
#define CONTENT_MEMBERS_MAX       12
#define CONTENT_MEMBERS_BYTES_MAX 4096u
#define CONTENT_MEMBER_MAX        32 /* bytes of a name */

enum content_kind {
    CONTENT_OTHER, /* nothing of ours */
    CONTENT_TEXT,
    CONTENT_THINKING,
    CONTENT_CALL,
};

struct content_block {
    enum content_kind kind;
    bool indexed;
    int64_t index;
    size_t call; /* the number of the call that it stands before */
    struct buf texts[CONTENT_TEXTS];
    bool has_text[CONTENT_TEXTS];
    struct buf members; /* all others, as JSON without the braces */
    struct json_writer writer;
    char names[CONTENT_MEMBERS_MAX][CONTENT_MEMBER_MAX];
    size_t n_names;
};

/* All zero in the beginning. */
struct content_blocks {
    struct content_block **rows; /* NULL before the first one */
    size_t n;
    size_t bytes; /* kept in all of them */
    bool lost;    /* a limit was exceeded: none of them goes back */
};

void content_blocks_done(struct content_blocks *b);

/* The block that has the index; where the provider sends none, the last one.
 * NULL: there is no such block. */
struct content_block *content_blocks_find(const struct content_blocks *b,
                                          const struct json *index);
/* Begins a block. NULL and ERR_ANSWER: there are more than the limit. */
struct content_block *content_blocks_begin(struct content_blocks *b,
                                           enum content_kind kind,
                                           const struct json *index,
                                           size_t call, struct err *e);
void content_blocks_set_type(struct content_block *k, const char *type);
/* Adds a member, or a piece of one, to the block; a null adds nothing. */
void content_blocks_add_member(struct content_blocks *b,
                               struct content_block *to, const char *name,
                               const struct json *v);
/* The same for all members of an object. */
void content_blocks_add(struct content_blocks *b, struct content_block *to,
                        const struct json *object);
/* Whether the block has this member with this value, or not at all. */
bool content_block_agrees(const struct content_block *k, const char *name,
                          const struct json *v);

/* Call number `call` is no call after all: those behind it move up. */
void content_blocks_remove_call(struct content_blocks *b, size_t call);

/* Appends the blocks before a call, thinking and texts, as a JSON array.
 * Returns how many they are. */
size_t content_blocks_write(const struct content_blocks *b, size_t call,
                            struct buf *out);
/* Whether there is anything that must go back. */
bool content_blocks_has_thinking(const struct content_blocks *b);

#endif
