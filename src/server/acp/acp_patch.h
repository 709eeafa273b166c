/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp_patch.h - writes the change of a file as a patch that git would write. */
#ifndef SERVER_ACP_ACP_PATCH_H
#define SERVER_ACP_ACP_PATCH_H

#include "json/write.h"

#define ACP_PATCH_MAX (4u << 20) /* bytes; a longer one is left out */

/* Writes an object of the type "diff": which file changes how, and the patch.
 * path is absolute. old NULL: there is no such file; or, with exists, its text
 * is not known, and there is no patch. */
void acp_patch_put(struct json_writer *w, const char *path, const char *old,
                   const char *new, bool exists);

#endif
