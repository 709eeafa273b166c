/* SPDX-License-Identifier: GPL-3.0-or-later */
/* app.h - what a run of the program has: passed, never global.
 *
 * person/ holds the verbs and screens that the command line and the REPL
 * share: asking, reviewing, showing what runs, reporting. It prints, but it
 * does not parse command lines and does not end the program: verbs return the
 * exit status. Standard output carries results (an answer, a command's
 * output, JSON); everything else goes to `screen`. */
#ifndef PERSON_APP_H
#define PERSON_APP_H

#include <stdbool.h>

#include "base/log.h"
#include "base/loop.h"
#include "config/config.h"
#include "guard/policy/policy.h"
#include "person/account.h"
#include "record/journal.h"
#include "term/term.h"

enum app_output { OUTPUT_TEXT, OUTPUT_JSON, OUTPUT_JSONL };

struct chronicle;

struct app {
    const char *name; /* how it was called: "ai", "agentsh" */
    struct loop *loop;
    struct config *config;     /* NULL until app_config */
    struct policy *policy;     /* NULL until app_policy */
    struct registry *registry; /* NULL until app_registry */
    struct journal *journal;   /* NULL until app_journal, and where none is
                                  kept */
    bool journal_tried;
    struct chronicle *chronicle; /* of the run under way; NULL: none */
    struct term screen; /* plans, questions, progress: standard error, or
                           standard output when that alone is a terminal */
    struct term result; /* standard output */
    struct log log;
    enum app_output output;
    bool quiet, verbose, no_color;
    struct account account;
    char **named; /* below home, opened: app_name_places; NULL: nothing */
    struct err unwritten; /* why a result was lost: result.h */
    bool reader_left;     /* who read standard output has enough */
};

/* After a failure too, app_fail can say it and app_done is due. */
int app_init(struct app *a, const char *name, bool no_color, struct err *e);
void app_done(struct app *a);

/* Loads the settings, the rules, or the names of the tools, once. */
int app_config(struct app *a, struct err *e);
int app_policy(struct app *a, struct err *e);
int app_registry(struct app *a, struct err *e);

/* What the person's own words and the settings open below the home directory
 * from here on (secret_named_in): app->named. text may be NULL. */
void app_name_places(struct app *a, const char *text);

/* Notes which directories of plugins could not be read: app_registry does. */
void app_tell_places(struct app *a, const struct registry *r);

/* Where what happens is kept, opened when it is first asked for: that takes a
 * millisecond. NULL, which journal_add takes too: the settings say no, or it
 * cannot be opened, which is said once. */
struct journal *app_journal(struct app *a);

/* Adds an event to it. What cannot be kept is said once; the run goes on. */
void app_record(struct app *a, const char *kind,
                const struct journal_member *members);
/* The same, together with the next one: journal_add_later. */
void app_record_later(struct app *a, const char *kind,
                      const struct journal_member *members);
/* At the end of a run: what was added is on the disk; `soon`: will be. */
void app_record_sync(struct app *a, bool soon);

/* Prints "NAME: text" to standard error, a text of ours or an error's. */
void app_tell(struct app *a, const char *text);
void app_say(struct app *a, const struct err *e);

/* The same, as JSON too where that is the output, for what ended before there
 * was anything else to report. Returns the exit status that belongs to e. */
int app_fail(struct app *a, const struct err *e);

/* A line for the person, unless quiet. Bytes from outside are escaped. */
void app_note(struct app *a, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

#endif
