/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp_files.h - reads and writes files by the editor, where it offers that. */
#ifndef SERVER_ACP_ACP_FILES_H
#define SERVER_ACP_ACP_FILES_H

#include "server/acp/acp_client.h"
#include "tool/peer_files.h"

struct acp_session;

/* What the client offers, for calls of this session; returns out, or NULL where
 * it offers neither. */
const struct peer_files *acp_files_of(struct acp_session *s,
                                      struct peer_files *out);

#endif
