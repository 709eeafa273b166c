/* SPDX-License-Identifier: GPL-3.0-or-later */
/* options.h - one table of options, read from the words of a command line. */
#ifndef PERSON_OPTIONS_H
#define PERSON_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

/* What was said; text is borrowed from argv, NULL where nothing was. */
struct options {
    const char *model, *provider, *output, *plan_in, *plan_out, *mode;
    const char *profile, *workspace;
    bool offline, yes, step, preview, dry_run, show_request, quiet, verbose,
        no_color;
    const char *count, *lang, *search, *status, *directory;
    bool run_all, why, all;
    bool no_look, net, lines, verify, tools, help, version;
};

/* Which calls know an option. */
#define FOR_ALL    1u   /* every program and verb */
#define FOR_WISH   2u   /* ai do, run, explain */
#define FOR_PLAN   16u  /* ai do and run: how a plan is dealt with */
#define FOR_REPORT 4u   /* what can be printed for programs */
#define FOR_CHECK  8u   /* agentsh action check */
#define FOR_EXEC   32u  /* agentsh exec: its words are a command, as they are */
#define FOR_LOG    128u /* ai log */
#define FOR_TRIAL  512u /* agentsh plugin check */
#define FOR_NEW    1024u /* agentsh plugin new */
#define FOR_ENGINE 2048u /* agentsh offline */
#define FOR_DOCTOR 4096u /* agentsh doctor */
/* No option's, but of calls: their words are a line, whose own options are
 * none of ours. */
#define FOR_LINE 64u
/* The same: their words are names, which options may follow. */
#define FOR_NAMES 256u

/* Reads options from words[*at] on, as far as they are options of `known`;
 * *at is then the first word that is none. "--" ends them and is consumed.
 * ERR_USAGE for an unknown one, a missing or a wrong argument. */
int options_read(const char *const *words, int n, int *at, unsigned known,
                 struct options *o, struct err *e);

/* Whether a word, as it is typed, is an option of `known` or several letters
 * of such; its argument may be wrong. */
bool options_knows(const char *word, unsigned known);

/* Whether the value of the last option in an option word (--NAME, -x, -xy) is
 * the next word. */
bool options_takes_value(const char *word, unsigned known);

/* The name of the i-th option of `known`, without its hyphens; NULL past the
 * last. */
const char *options_name(size_t i, unsigned known);

/* "a|b": the only arguments of the last option in an option word; NULL: it has
 * none, or any. */
const char *options_arguments(const char *word, unsigned known);

/* Appends a line for each option of `known`, for --help. */
void options_help(struct buf *out, unsigned known);

/* Appends a line for each option of `known`, for shells:
 * option;--NAME;-LETTER;ARGUMENT;WORD|WORD;HELP, fields empty where there is
 * none. */
void options_list(struct buf *out, unsigned known);

#endif
