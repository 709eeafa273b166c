/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guest_machine.h - the methods info and clock.set. */
#ifndef SERVER_GUEST_GUEST_MACHINE_H
#define SERVER_GUEST_GUEST_MACHINE_H

#include "server/guest/guest_connection.h"

/* {} → what the agent and its machine are; {unix_ms} → {}. */
rpc_request_cb guest_machine_info, guest_machine_set_clock;

#endif
