/* SPDX-License-Identifier: GPL-3.0-or-later */
/* app.h - the state of one run of the program, passed to every function.
 *
 * ui/ holds what the command line and the REPL share: the verbs do, run,
 * explain and log, the review of a plan, the output while it runs, and the
 * reports. It prints, and it asks at the terminal. It does not read command
 * lines (but for the table of options) and it does not end the program: a verb
 * returns the exit status. It must not know which frontend called it.
 * Results (an answer, a command's output, JSON) go to standard output;
 * everything else goes to `screen`. What can fail: files of the user's
 * (settings, rules, journal), the model, the sandbox, and the terminal. */
#ifndef UI_APP_H
#define UI_APP_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/log.h"
#include "base/loop.h"
#include "base/seat.h"
#include "config/config.h"
#include "guard/policy/policy.h"
#include "record/journal.h"
#include "term/term.h"
#include "json/write.h"

enum app_output { OUTPUT_TEXT, OUTPUT_JSON, OUTPUT_JSONL };

#define APP_REASON_SIZE 320 /* bytes; a server's title and host are in it */

struct run_audit;
struct run_audit_journal;
struct tool_loop_call;

/* What a run did before its last plan: items of two JSON arrays. They are
 * members of the object that -o json prints at the end. */
struct prior_results {
    struct buf tool_calls; /* of the model */
    struct buf plans;      /* reports of plans whose results it was sent */
};

struct app {
    const char *name; /* how the program was called: "ai", "agentsh" */
    struct loop *loop;
    struct seat *seat;         /* the process's own, as it was at the start */
    struct config *config;     /* NULL until app_config */
    struct policy *policy;     /* NULL until app_policy */
    struct registry *registry; /* NULL until app_registry */
    struct journal *journal;   /* NULL until app_journal, and where none is
                                  kept */
    struct journal_run *run;   /* in it; NULL when that is */
    bool journal_tried;
    struct run_audit *audit; /* of the run under way; NULL: none */
    int warm_process;        /* the socket of warm_process_borrow; -1: none */
    struct term screen;      /* plans, questions, progress: standard error, or
                                standard output when that alone is a terminal */
    struct term result;      /* standard output */
    struct log log;
    enum app_output output;
    bool quiet, verbose, no_color;
    struct prior_results prior;
    char **named;         /* paths below home that may be read, which
                             app_set_named_paths found; NULL: none */
    struct err unwritten; /* the first reason why a result was lost */
    bool reader_left;     /* the reader of standard output closed it */
    bool over;            /* app_over was called, with the status: */
    int status;
    /* why no model answers though one is expected: "Ollama at 127.0.0.1:11434
     * is not there"; "": none is expected */
    char offline_reason[APP_REASON_SIZE];
    const char *source; /* of ai fix: where the text came from; else NULL */
    char source_reason[APP_REASON_SIZE]; /* why from nowhere; "": it did */
};

/* Prepares the two terminals, the event loop and the seat. Where it fails,
 * app_fail can be called with e, and app_done must be. name is borrowed. */
int app_init(struct app *a, const char *name, bool no_color, struct err *e);
void app_done(struct app *a); /* accepts NULL */

/* Shows nothing that is drawn (term_set_plain) from now on. */
void app_set_plain(struct app *a);

/* Load the settings, the rules, or the registry of tools, at the first call.
 * app_registry loads the settings too. */
int app_config(struct app *a, struct err *e);
int app_policy(struct app *a, struct err *e);
int app_registry(struct app *a, struct err *e);

/* Sets a->named to the paths below the home directory that the user's own
 * words (text, which may be NULL) and the settings allow a step to read. */
void app_set_named_paths(struct app *a, const char *text);

/* Notes each directory of plugins that could not be read. app_registry calls
 * it. */
void app_note_lost_plugins(struct app *a, const struct registry *r);

/* The run in the journal, which is opened at the first call; that takes a
 * millisecond. NULL (which journal_add accepts): the settings say that none is
 * kept, or it cannot be opened, which is printed once. */
struct journal_run *app_journal(struct app *a);

/* The journal for run_audit.h; a failure to write is printed. */
struct run_audit_journal app_audit_journal(struct app *a);

/* Adds an event to the journal. A failure is printed once; the run goes on. */
void app_record(struct app *a, const char *kind,
                const struct journal_member *members);
/* The same, written together with the next event (journal_add_later). */
void app_record_later(struct app *a, const char *kind,
                      const struct journal_member *members);
/* Writes what was recorded later (journal_flush). */
void app_record_flush(struct app *a);
/* Called at the end of a run. On return the events are on the disk; with
 * `soon` the kernel writes them later. */
void app_record_sync(struct app *a, bool soon);

/* Print "NAME: text" to standard error: a text, or the text of an error. */
void app_print(struct app *a, const char *text);
void app_print_err(struct app *a, const struct err *e);

/* Prints a line for the user, unless quiet. Bytes from outside are escaped. */
void app_note(struct app *a, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Writes all of b to standard output and empties b. The first failure is kept
 * in a->unwritten for app_exit_status. A reader that closed the pipe (EPIPE)
 * is no failure; it sets a->reader_left. */
void app_put_result(struct app *a, struct buf *b);

/* Keeps the failure of a write to standard output that another function did. */
void app_result_failed(struct app *a, const struct err *why);

/* Writes b to standard output, for a caller that ends with app_fail. e is not
 * NULL. */
int app_write_result(const struct buf *b, struct err *e);

/* Report a tool call of the model that is over; and a plan that is not the
 * last one, as a JSON object of n bytes. With -o jsonl the call is printed as
 * a line at once. */
void app_report_tool_call(struct app *a, const struct tool_loop_call *c);
void app_report_prior_plan(struct app *a, const char *json, size_t n);

/* Writes the members "looked" and "before" of the prior results, unless they
 * are empty. */
void app_put_prior_results(const struct app *a, struct json_writer *w);

/* In run_status.c: */

/* What a verb returns in place of an exit status when it goes on from the loop.
 * app_over, called there, ends it with that status. */
#define APP_GOES_ON (-1)
void app_over(struct app *a, int status);

/* Turns the loop until app_over, and returns the status: for the mains alone.
 */
int app_wait(struct app *a);

/* Ends the run with an error: prints it, as JSON too where that is the output,
 * and adds it to the journal. Returns the exit status that belongs to e; 0
 * where the reader of standard output left, of which app_exit_status makes
 * 141. */
int app_fail(struct app *a, const struct err *e);

/* The exit status of a run that ends with `status`; called once, at the end.
 * Where a result was lost the reason is printed, and 0 becomes the status of
 * that error. Where the reader of standard output left, 0 becomes what a shell
 * makes of SIGPIPE (141), as for other programs. */
int app_exit_status(struct app *a, int status);

#endif
