/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp_options.h - what a person sets for one session: mode, model, rounds.
 *
 * The protocol has them as configuration options, and the mode also in the
 * older form `modes`. A change by one form is shown in both. */
#ifndef SERVER_ACP_ACP_OPTIONS_H
#define SERVER_ACP_ACP_OPTIONS_H

#include "base/buf.h"
#include "json/json.h"
#include "json/write.h"

enum acp_mode {
    ACP_MODE_ASK,       /* what writes is asked about */
    ACP_MODE_AUTO,      /* what the rules allow is not */
    ACP_MODE_READ_ONLY, /* no questions: what needs an approval is refused */
};

#define ACP_MODEL_SIZE 128 /* bytes of a model's name, with the NUL */

struct acp_options {
    enum acp_mode mode;
    bool offline;               /* the offline engine, by choice */
    char model[ACP_MODEL_SIZE]; /* that is asked; "": there is none */
    int rounds;                 /* answers of a model in one turn */
};

void acp_options_init(struct acp_options *o, const char *model);

/* Sets one: configId is "mode", "model" or "rounds"; value as it was offered.
 * ERR_INVALID: it is another. */
int acp_options_set(struct acp_options *o, const char *id,
                    const struct json *value, struct err *e);

/* Write the members "modes" and "configOptions" of an answer; and the value of
 * configOptions alone, where each has its name in the member `id`. */
void acp_options_put_modes(struct json_writer *w, const struct acp_options *o);
void acp_options_put(struct json_writer *w, const struct acp_options *o,
                     const char *id);
/* The word for the mode. */
const char *acp_options_mode(const struct acp_options *o);

/* For the session's file: an object, and back; what is wrong in it is ignored.
 */
void acp_options_save(const struct acp_options *o, struct buf *out);
void acp_options_load(struct acp_options *o, const char *text);

#endif
