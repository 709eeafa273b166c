/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_guest.c - params of a guest agent's peer, and addresses of sockets,
 * whatever they are, are read or refused with a reason. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "server/guest/guest_exec.h"
#include "server/guest/guest_params.h"
#include "server/guest/guest_start.h"
#include "wire/address.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
must(bool holds)
{
    if (!holds)
        abort();
}

/* Reads params of each type by name or by position. */
static void
read_params(const struct json *params)
{
    static const struct guest_param list[] = {{"id", JSON_NUMBER, true},
                                              {"path", JSON_STRING, true},
                                              {"argv", JSON_ARRAY, true},
                                              {"env", JSON_OBJECT, true},
                                              {0}};
    const struct json *v[GUEST_PARAMS_MAX];
    struct err e = {0};
    int64_t n = 5;

    if (guest_params_read(list, params, v, &e) < 0) {
        must(e.code == ERR_INVALID && e.text[0]);
        return;
    }
    for (int i = 0; i < 4; i++)
        must(!v[i] || json_type(v[i]) == list[i].type);
    if (guest_params_int(v[0], "id", 0, 100, &n, &e) == 0)
        must(n >= 0 && n <= 100);
}

static void
read_start(const struct json *params)
{
    static const char *const variables[] = {"PATH=/bin", "A=b", NULL};
    CLEANUP(seat_free_p) struct seat *seat = seat_of_process(NULL);
    const struct guest_shared sh = {
        .seat = seat, .root_fd = -1, .variables = variables};
    CLEANUP(guest_start_done) struct guest_start s = {0};
    struct err e = {0};

    if (guest_start_read(&s, &sh, params, &e) < 0) {
        must(e.code != ERR_NONE && e.text[0]);
        return;
    }
    must(s.spec.program && s.spec.argv[0]);
    must(s.spec.timeout_ms >= 0);
}

static void
read_address(const char *text)
{
    CLEANUP_BUF struct buf shown = buf_of(1024);
    struct address a;
    struct err e = {0};

    if (strncmp(text, "fd:", 3) == 0) /* which are this process's own */
        return;
    if (address_read(text, &a, &e) < 0) {
        must(e.code == ERR_USAGE && e.text[0]);
        return;
    }
    address_put(&shown, &a);
    must(shown.len > 0);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(json_free_p)
    struct json *v = json_parse((const char *)data, size, JSON_UNIQUE, NULL);
    CLEANUP(free_p) char *text = strndup((const char *)data, size);
    CLEANUP_BUF struct buf line = buf_of(1u << 20);

    must(text != NULL);
    read_address(text);
    guest_exec_put_line("sh", text, &line);
    if (json_type(v) == JSON_OBJECT || json_type(v) == JSON_ARRAY) {
        read_params(v);
        read_start(v);
    }
    return 0;
}
