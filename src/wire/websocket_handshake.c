/* SPDX-License-Identifier: GPL-3.0-or-later */
/* websocket_handshake.c - the upgrade of an HTTP connection to WebSocket. */
#include "wire/websocket_handshake.h"

#include <string.h>
#include <strings.h>
#include <sys/random.h>

#include "base/base64.h"
#include "base/sha1.h"

#define KEY_BYTES 16

/* RFC 6455, 1.3 */
#define HANDSHAKE_GUID "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

void
websocket_handshake_accept(const char *key, char out[WEBSOCKET_ACCEPT_SIZE])
{
    unsigned char digest[SHA1_SIZE];
    CLEANUP_BUF struct buf text = buf_of(WEBSOCKET_KEY_SIZE +
                                         sizeof(HANDSHAKE_GUID));
    CLEANUP_BUF struct buf b = buf_of(WEBSOCKET_ACCEPT_SIZE);

    buf_printf(&text, "%s" HANDSHAKE_GUID, key);
    sha1(text.p, text.len, digest);
    base64_encode(&b, digest, sizeof(digest));
    memcpy(out, b.p, b.len);
    out[b.len] = '\0';
}

int
websocket_handshake_key(char key[WEBSOCKET_KEY_SIZE], struct err *e)
{
    CLEANUP_BUF struct buf b = buf_of(WEBSOCKET_KEY_SIZE);
    unsigned char bytes[KEY_BYTES];

    if (getrandom(bytes, sizeof(bytes), 0) != (ssize_t)sizeof(bytes))
        return err_sys(e, "random bytes");
    base64_encode(&b, bytes, sizeof(bytes));
    memcpy(key, b.p, b.len);
    key[b.len] = '\0';
    return 0;
}

bool
websocket_handshake_is_asked(const struct http_incoming *r)
{
    const char *upgrade = http_incoming_field(r, "upgrade");

    return upgrade && http_list_has(upgrade, "websocket");
}

/* Whether one of the headers with this name lists the word. */
static bool
fields_have(const struct http_incoming *r, const char *name, const char *word)
{
    for (size_t i = 0; i < r->n_fields; i++)
        if (strcmp(r->fields[i].name, name) == 0 &&
            http_list_has(r->fields[i].value, word))
            return true;
    return false;
}

static bool
is_key(const char *key)
{
    return key && strlen(key) == WEBSOCKET_KEY_SIZE - 1 &&
           base64_is_text(key, WEBSOCKET_KEY_SIZE - 1) &&
           key[WEBSOCKET_KEY_SIZE - 2] == '=' &&
           key[WEBSOCKET_KEY_SIZE - 3] == '=';
}

int
websocket_handshake_check(const struct http_incoming *r, struct buf *fields,
                          const char **why)
{
    const char *key = http_incoming_field(r, "sec-websocket-key");
    const char *version = http_incoming_field(r, "sec-websocket-version");
    char accept[WEBSOCKET_ACCEPT_SIZE];

    if (strcmp(r->method, "GET") != 0 || r->old || r->has_body) {
        *why = "a WebSocket is asked for by GET in HTTP/1.1, without a body";
        return 400;
    }
    if (!fields_have(r, "upgrade", "websocket") ||
        !fields_have(r, "connection", "upgrade")) {
        *why = "this is a WebSocket: Upgrade and Connection are to ask for it";
        buf_str(fields, "Upgrade: websocket\r\nConnection: Upgrade\r\n");
        return 426;
    }
    if (!version || strcmp(version, "13") != 0 ||
        http_incoming_count(r, "sec-websocket-version") > 1) {
        *why = "version 13 of WebSocket is spoken here";
        buf_str(fields, "Sec-WebSocket-Version: 13\r\n");
        return 426;
    }
    if (!is_key(key) || http_incoming_count(r, "sec-websocket-key") > 1) {
        *why = "the Sec-WebSocket-Key is none";
        return 400;
    }
    websocket_handshake_accept(key, accept);
    buf_str(fields, "Upgrade: websocket\r\nConnection: Upgrade\r\n");
    http_put_field(fields, "Sec-WebSocket-Accept", accept);
    return 0;
}
