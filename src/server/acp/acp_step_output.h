/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp_step_output.h - keeps the end of what a step writes, and has it shown a
 * little later, so that a flood makes no flood of updates. */
#ifndef SERVER_ACP_ACP_STEP_OUTPUT_H
#define SERVER_ACP_ACP_STEP_OUTPUT_H

#include "base/buf.h"
#include "base/loop.h"

/* The members are of acp_step_output.c; `end` is to be read. */
struct acp_step_output {
    struct buf end; /* at most ACP_OUTPUT_SHOWN bytes */
    struct watch *due;
    bool armed; /* `due` runs */
    void (*show)(void *arg);
    void *arg;
};

/* show is called from the loop when there is something new. */
int acp_step_output_init(struct acp_step_output *o, struct loop *l,
                         void (*show)(void *arg), void *arg, struct err *e);
void acp_step_output_done(struct acp_step_output *o);

/* Another step begins. */
void acp_step_output_clear(struct acp_step_output *o);
void acp_step_output_add(struct acp_step_output *o, const char *bytes,
                         size_t n);
/* What was not shown yet will not be. */
void acp_step_output_stop(struct acp_step_output *o);

#endif
