/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verbs.h - the verbs of the assistant, the same at every door. */
#ifndef PERSON_VERBS_H
#define PERSON_VERBS_H

#include <stdbool.h>
#include <stddef.h>

#include "person/options.h"

/* What any verb takes; each names its own below. */
#define VERB_OPTIONS (FOR_WISH | FOR_PLAN | FOR_REPORT | FOR_LOG)

/* The one list: VERB(name, arguments, help, options). A door that runs them
 * makes rows of it, each with its function call_NAME. */
#define VERBS(VERB)                                                            \
    VERB(do, "TEXT…", "plan a job, show it, ask once, run it",                 \
         FOR_WISH | FOR_PLAN | FOR_REPORT)                                     \
    VERB(run, "TEXT…", "propose a command, show it, ask once, run it",         \
         FOR_WISH | FOR_PLAN | FOR_REPORT)                                     \
    VERB(explain, "TEXT…",                                                     \
         "explain a command line, or answer a question; runs nothing",         \
         FOR_WISH | FOR_REPORT)                                                \
    VERB(log, "[RUN]", "show what was asked, proposed, approved and run",      \
         FOR_LOG | FOR_REPORT)                                                 \
    VERB(help, "[VERB]", "help for the program, or for a verb", 0)

/* A verb's name; NULL past the last. */
const char *verbs_name(size_t i);

/* Whether the word is a verb. */
bool verbs_name_is(const char *word);

/* The options of a verb (FOR_…); of another word, those of any. */
unsigned verbs_options(const char *word);

/* Whether the word is a verb of a wish: what follows it and its options is one
 * text. */
bool verbs_has(const char *word);

#endif
