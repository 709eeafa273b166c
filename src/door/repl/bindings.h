/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bindings.h - keys do here what they do in the person's bash.
 *
 * Both line editors read ~/.inputrc; what start-up files say with `bind` only
 * bash knows. Its variables and bindings are taken over; keys that are bound
 * to functions of bash's own, or to commands (bind -x), are passed to bash
 * together with the line, which comes back changed. */
#ifndef REPL_BINDINGS_H
#define REPL_BINDINGS_H

#include "door/repl/complete.h"

void bindings_init(struct dialog *d, const struct complete_ops *ops);

/* Asks bash for all there is and takes it over. */
void bindings_take(void);

/* A key's function for a line that bash changes: what bash has bound to the
 * key is called there. clears: as for complete_ops. False: it will not. */
bool bindings_pass(bool clears);

#endif
