/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rerun.h - runs the last command again, to see what it shows.
 *
 * The same line is run once by the shell that it was typed in: in a view of
 * the workspace that is dropped, without network, input, terminal and question,
 * for 10 s at most. Then everything that it started is ended. It counts only
 * when it ends with the status that was recorded, and met no limit of the
 * sandbox: what it says is then what the person saw. rerun_check.h decides
 * which lines are run. A recorded command is run again once, also when that
 * was interrupted: last_rerun_read tells what came of it. */
#ifndef UI_RERUN_H
#define UI_RERUN_H

#include "model/prompt/last_command.h"
#include "ui/app.h"

struct rerun;

/* Is called once, from the loop. text is what the command showed, "" where
 * that is nothing; NULL: that does not count, and why says why not;
 * ERR_INTERRUPTED: a signal ended it. Both are borrowed. It may free the run.
 */
typedef void rerun_cb(void *arg, const char *text, const struct err *why);

/* Starts it, or asks first where the settings say so. last is borrowed. NULL:
 * it is not run again, and e says why not, as a clause. */
struct rerun *rerun_start(struct app *a, const struct last_command *last,
                          rerun_cb *cb, void *arg, struct err *e);
void rerun_free(struct rerun *r); /* ends what still runs; accepts NULL */
DEFINE_CLEANUP(struct rerun, rerun_free)

#endif
