/* SPDX-License-Identifier: GPL-3.0-or-later */
/* remembered.h - what the last search for model servers found. */
#ifndef MODEL_REMEMBERED_H
#define MODEL_REMEMBERED_H

#include "model/found.h"

/* 0, or -1 when it has nothing fresh for
 * these sockets and this wanted model. Only fills what it knows of servers
 * that out lists already. */
int remembered_load(const char *sockets, const char *want, struct found *out);
void remembered_store(const char *sockets, const char *want,
                      const struct found *f);

/* What it said turned out wrong: the next search asks. */
void remembered_forget(void);

#endif
