/* SPDX-License-Identifier: GPL-3.0-or-later */
/* proc_job.h - a session's leader that has one job; for proc.c alone. */
#ifndef BASE_PROC_JOB_H
#define BASE_PROC_JOB_H

/* The calling process leads a session with this terminal. Returns 0 in a new
 * process, the job in the foreground, which is to execute its program; -1 when
 * there is none. The leader does not return: it stops when the job is stopped,
 * continues it when it is continued, and ends with the job's status. */
int proc_lead_job(int terminal);

#endif
