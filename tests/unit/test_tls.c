/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_tls.c - two sides that encrypt what they send, and certificates that
 * are wrong. */
#include "tests/unit/unit.h"

#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "server/server_http.h"
#include "tests/unit/own_dir.h"
#include "wire/tls_acceptor.h"
#include "wire/tls_handshake.h"
#include "wire/websocket_client.h"

#define WAIT_MS 10000
#define MUCH    (3u << 20)

static void
add_names(X509 *x, const char *names)
{
    X509V3_CTX ctx;
    X509_EXTENSION *ext;

    X509V3_set_ctx_nodb(&ctx);
    X509V3_set_ctx(&ctx, x, x, NULL, NULL, 0);
    ext = X509V3_EXT_conf_nid(NULL, &ctx, NID_subject_alt_name, names);
    assert_non_null(ext);
    assert_int_equal(X509_add_ext(x, ext, -1), 1);
    X509_EXTENSION_free(ext);
}

/* NAME.crt and NAME.key, which vouch for themselves. */
static void
make_certificate(const char *name, const char *names)
{
    EVP_PKEY *key = EVP_EC_gen("P-256");
    X509 *x = X509_new();
    char file[32];
    FILE *out;

    assert_non_null(key);
    X509_set_version(x, 2);
    ASN1_INTEGER_set(X509_get_serialNumber(x), 1);
    X509_gmtime_adj(X509_getm_notBefore(x), -60);
    X509_gmtime_adj(X509_getm_notAfter(x), 3600);
    X509_set_pubkey(x, key);
    X509_NAME_add_entry_by_txt(X509_get_subject_name(x), "CN", MBSTRING_ASC,
                               (const unsigned char *)name, -1, -1, 0);
    X509_set_issuer_name(x, X509_get_subject_name(x));
    add_names(x, names);
    assert_true(X509_sign(x, key, EVP_sha256()) > 0);
    snprintf(file, sizeof(file), "%s.crt", name);
    out = fopen(in_dir(file), "we");
    assert_int_equal(PEM_write_X509(out, x), 1);
    fclose(out);
    snprintf(file, sizeof(file), "%s.key", name);
    out = fopen(in_dir(file), "we");
    assert_int_equal(PEM_write_PrivateKey(out, key, NULL, NULL, 0, NULL, NULL),
                     1);
    fclose(out);
    assert_int_equal(chmod(in_dir(file), 0600), 0);
    X509_free(x);
    EVP_PKEY_free(key);
}

static char *
path_in_dir(const char *name)
{
    return strdup(in_dir(name));
}

static int
make_files(void **state)
{
    (void)state;
    make_certificate("one", "DNS:one.example,IP:127.0.0.1");
    make_certificate("two", "DNS:two.example");
    put_file("none.crt", "no certificate\n", 0600);
    put_file("half.crt",
             "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n",
             0600);
    return 0;
}

static int
remove_files(void **state)
{
    static const char *const names[] = {"one.crt",  "one.key",  "two.crt",
                                        "two.key",  "none.crt", "half.crt",
                                        "open.key", "new.crt",  "new.key"};

    (void)state;
    return remove_dir(names, ARRAY_SIZE(names));
}

static void
says_what_is_wrong_with_files(void **state)
{
    static const struct file_row {
        const char *certificate, *key, *said;
    } rows[] = {
        {"gone.crt", "one.key", "gone.crt"},
        {"none.crt", "one.key", "holds no certificate"},
        {"half.crt", "one.key", "a certificate cannot be used"},
        {"one.key", "one.key", "holds no certificate"},
        {"one.crt", "gone.key", "--tls-key"},
        {"one.crt", "two.key", "is not the key of the certificate"},
        {"one.crt", "one.crt", "holds no private key"},
        {"one.crt", "open.key", "is open to others"},
        {"one.crt", "", "is not a regular file"},
    };

    (void)state;
    put_file("open.key", "x\n", 0644);
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        CLEANUP(free_p) char *certificate = path_in_dir(rows[i].certificate);
        CLEANUP(free_p) char *key = path_in_dir(rows[i].key);
        struct err e = {0};

        if (strcmp(rows[i].key, "one.crt") == 0)
            chmod(key, 0600);
        assert_null(tls_server_context_new(certificate, key, &e));
        if (!strstr(e.text, rows[i].said))
            fail_msg("row %zu: %s", i, e.text);
    }
}

/* Two sides of one socket. */
struct sides {
    struct tls_context *server_context, *client_context;
    struct tls *server, *client;
    int fds[2];
};

static void
open_sides(struct sides *s, const char *name, const char *trusted)
{
    CLEANUP(free_p) char *certificate = path_in_dir("one.crt");
    CLEANUP(free_p) char *key = path_in_dir("one.key");
    CLEANUP(free_p) char *ca = path_in_dir(trusted);
    struct err e = {0};

    assert_int_equal(socketpair(AF_UNIX,
                                SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0,
                                s->fds),
                     0);
    s->server_context = tls_server_context_new(certificate, key, &e);
    s->client_context = tls_client_context_new(ca, &e);
    if (!s->server_context || !s->client_context)
        fail_msg("%s", e.text);
    s->server = tls_new(s->server_context, s->fds[0], NULL, &e);
    s->client = tls_new(s->client_context, s->fds[1], name, &e);
    assert_non_null(s->server);
    assert_non_null(s->client);
}

static void
close_sides(struct sides *s)
{
    tls_free(s->server);
    tls_free(s->client);
    tls_context_free(s->server_context);
    tls_context_free(s->client_context);
    close(s->fds[0]);
    close(s->fds[1]);
}

/* The result of the client's, and its error. */
static int
shake_hands(struct sides *s, struct err *e)
{
    int client = 0, server = 0;

    for (int i = 0; i < 20 && client >= 0 && (client == 0 || server == 0);
         i++) {
        if (client == 0)
            client = tls_handshake(s->client, e);
        if (server == 0)
            server = tls_handshake(s->server, NULL);
    }
    return client;
}

static void
trusts_whom_it_is_told_to(void **state)
{
    static const struct trust_row {
        const char *name, *trusted, *said; /* NULL: it is accepted */
    } rows[] = {
        {"one.example", "one.crt", NULL},
        {"127.0.0.1", "one.crt", NULL},
        {"two.example", "one.crt", "hostname mismatch"},
        {"127.0.0.2", "one.crt", "IP address mismatch"},
        {"one.example", "two.crt", "self-signed certificate"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        struct sides s = {0};
        struct err e = {0};
        int rc;

        open_sides(&s, rows[i].name, rows[i].trusted);
        rc = shake_hands(&s, &e);
        if (rc != (rows[i].said ? -1 : 1) ||
            (rows[i].said && !strstr(e.text, rows[i].said)))
            fail_msg("row %zu: %d, %s", i, rc, e.text);
        close_sides(&s);
    }
}

/* Sends all bytes, as the socket takes them, and reads them on the other side.
 */
static void
carry(struct tls *from, int from_fd, struct tls *to, int to_fd,
      const char *bytes, size_t n, size_t piece)
{
    char *read_into = malloc(READ_BUFFER_BYTES);
    size_t sent = 0, got = 0;

    while (got < n) {
        ssize_t part;

        if (tls_unsent(from) > 0) {
            assert_true(tls_flush(from) >= 0);
        } else if (sent < n) {
            struct iovec v = {(char *)bytes + sent,
                              n - sent < piece ? n - sent : piece};

            part = tls_send(from, from_fd, &v, 1);
            assert_true(part > 0);
            sent += (size_t)part;
        }
        part = tls_read(to, to_fd, read_into, READ_BUFFER_BYTES);
        if (part < 0)
            assert_int_equal(errno, EAGAIN);
        else
            assert_memory_equal(read_into, bytes + got, (size_t)part);
        got += part > 0 ? (size_t)part : 0;
    }
    free(read_into);
}

static void
carries_what_it_is_given(void **state)
{
    struct sides s = {0};
    struct err e = {0};
    char *bytes = malloc(MUCH), *into = malloc(TLS_READ_MIN);

    (void)state;
    for (size_t i = 0; i < MUCH; i++)
        bytes[i] = (char)(i * 2654435761u >> 13);
    open_sides(&s, "one.example", "one.crt");
    if (shake_hands(&s, &e) != 1)
        fail_msg("%s", e.text);
    carry(s.client, s.fds[1], s.server, s.fds[0], bytes, 3000, 1);
    carry(s.server, s.fds[0], s.client, s.fds[1], bytes, MUCH, 1000000);
    carry(s.client, s.fds[1], s.server, s.fds[0], bytes, MUCH, 20000);
    carry(NULL, s.fds[0], NULL, s.fds[1], bytes, 4, 4); /* plain */
    assert_int_equal(tls_read(s.client, s.fds[1], into, TLS_READ_MIN), -1);
    assert_int_equal(errno, EAGAIN);
    tls_shut(s.server, s.fds[0]);
    assert_int_equal(tls_read(s.client, s.fds[1], into, TLS_READ_MIN), 0);
    assert_int_equal(tls_read(s.client, s.fds[1], into, TLS_READ_MIN), 0);
    close_sides(&s);
    free(bytes);
    free(into);
}

static void
tells_an_end_from_a_cut(void **state)
{
    struct sides s = {0};
    char *into = malloc(TLS_READ_MIN);

    (void)state;
    open_sides(&s, "one.example", "one.crt");
    assert_int_equal(shake_hands(&s, NULL), 1);
    (void)tls_read(s.client, s.fds[1], into, TLS_READ_MIN);
    shutdown(s.fds[0], SHUT_WR);
    assert_int_equal(tls_read(s.client, s.fds[1], into, TLS_READ_MIN), -1);
    assert_int_equal(errno, ECONNRESET);
    assert_int_equal(write(s.fds[1], "this is no record", 17), 17);
    assert_int_equal(tls_read(s.server, s.fds[0], into, TLS_READ_MIN), -1);
    assert_int_equal(errno, EPROTO);
    assert_int_equal(tls_read(s.server, s.fds[0], into, TLS_READ_MIN), -1);
    close_sides(&s);
    free(into);
}

/* A server that accepts by TLS, and a client of it, both of WebSocket. */
struct served {
    struct websocket_shared sh;
    struct tls_acceptor *acceptor;
    struct tls_context *trusted;
    struct tls_handshake *handshake; /* the client's */
    struct websocket *client;
    int fd;
    size_t got;      /* bytes that were said back */
    size_t messages; /* or a handshake that failed */
    size_t ended;
    struct err why;
};

static void
on_served_message(void *owner, struct websocket *ws, char *bytes, size_t n,
                  bool text)
{
    struct served *s = owner;

    assert_true(text);
    if (ws != s->client) { /* the server says it back */
        websocket_send_text(ws, bytes, n);
        return;
    }
    s->got += n;
    s->messages++;
}

static void
on_served_ended(void *owner, struct websocket *ws, unsigned status,
                const char *reason)
{
    struct served *s = owner;

    (void)ws;
    (void)reason;
    assert_int_equal(status, WEBSOCKET_NORMAL);
    s->ended++;
}

static const struct websocket_events served_events = {
    .message = on_served_message, .ended = on_served_ended};

static struct websocket *
open_encrypted(struct served *s, int fd, struct tls *t, bool client)
{
    struct websocket *ws = websocket_new(&s->sh, fd, NULL, client,
                                         &served_events, s, NULL);

    assert_non_null(ws);
    websocket_use_tls(ws, t);
    return ws;
}

static void
on_served_accepted(void *arg, int fd, struct tls *t, unsigned number)
{
    assert_int_equal(number, 7);
    (void)open_encrypted(arg, fd, t, false);
}

static void
on_client_shaken(void *arg, struct tls *t, const struct err *why)
{
    struct served *s = arg;

    if (why) {
        s->why = *why;
        s->messages++;
        close(s->fd);
    } else {
        s->client = open_encrypted(s, s->fd, t, true);
        websocket_send_text(s->client, "hello", 5);
    }
    tls_handshake_free(s->handshake);
    s->handshake = NULL;
}

static void
turn_until_true(struct served *s, const size_t *n, size_t least)
{
    int64_t end = clock_ms() + WAIT_MS;

    while (*n < least && clock_ms() < end)
        loop_turn(s->sh.loop, 50, NULL);
    assert_true(*n >= least);
}

/* Serves by new.crt and new.key, and trusts a certificate. */
static void
open_served(struct served *s, const char *trusted)
{
    CLEANUP(free_p) char *ca = path_in_dir(trusted);

    memset(s, 0, sizeof(*s));
    s->sh.loop = loop_new(NULL);
    s->sh.buffer = read_buffer_new(NULL);
    s->sh.limits = (struct websocket_limits){.message_bytes = MUCH,
                                             .queued_bytes = 4 * MUCH,
                                             .ping_ms = 60000,
                                             .pong_ms = 60000};
    s->trusted = tls_client_context_new(ca, NULL);
    assert_non_null(s->trusted);
}

/* A client that says hello, or what it is told in the handshake. */
static void
connect_to_served(struct served *s, const char *name)
{
    int fds[2];

    assert_int_equal(
        socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, fds),
        0);
    tls_acceptor_take(s->acceptor, fds[0], 7);
    assert_true(tls_acceptor_pending(s->acceptor) > 0);
    s->fd = fds[1];
    s->messages = 0;
    s->handshake = tls_handshake_new(s->sh.loop, s->trusted, s->fd, name,
                                     on_client_shaken, s, NULL);
    assert_non_null(s->handshake);
    turn_until_true(s, &s->messages, 1);
}

static void
close_served(struct served *s)
{
    tls_handshake_free(s->handshake);
    tls_acceptor_free(s->acceptor);
    websocket_drop_all(&s->sh);
    tls_context_free(s->trusted);
    read_buffer_free(s->sh.buffer);
    loop_free(s->sh.loop);
}

static void
says_messages_back_by_the_loop(void **state)
{
    static const size_t sizes[] = {0, 1, 16384, 70000, MUCH};
    CLEANUP(free_p) char *certificate = path_in_dir("one.crt");
    CLEANUP(free_p) char *key = path_in_dir("one.key");
    struct served s;
    struct tls_acceptor_setup set = {
        .certificate = certificate, .key = key, .accepted = on_served_accepted};
    struct err e = {0};
    char *text = malloc(MUCH);
    size_t all = 5;

    (void)state;
    memset(text, 'x', MUCH);
    open_served(&s, "one.crt");
    set.loop = s.sh.loop;
    set.arg = &s;
    if (tls_acceptor_new(&set, &s.acceptor, &e) < 0)
        fail_msg("%s", e.text);
    connect_to_served(&s, "one.example");
    assert_non_null(s.client);
    assert_int_equal(tls_acceptor_pending(s.acceptor), 0);
    for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
        websocket_send_text(s.client, text, sizes[i]);
        all += sizes[i];
    }
    turn_until_true(&s, &s.messages, 1 + ARRAY_SIZE(sizes));
    assert_int_equal(s.got, all);
    assert_int_equal(websocket_queued(s.client), 0);
    websocket_close(s.client, WEBSOCKET_NORMAL, NULL);
    turn_until_true(&s, &s.ended, 2);
    assert_int_equal(tls_acceptor_failed(s.acceptor), 0);
    close_served(&s);
    free(text);
}

static void
copy_pair(const char *name, const char *certificate, const char *key)
{
    CLEANUP_BUF struct buf text = buf_of(1u << 16);
    char file[32];

    snprintf(file, sizeof(file), "%s.crt", name);
    assert_int_equal(file_read(in_dir(file), &text, NULL), 0);
    assert_int_equal(file_write(certificate, text.p, text.len, 0600, NULL), 0);
    buf_clear(&text);
    snprintf(file, sizeof(file), "%s.key", name);
    assert_int_equal(file_read(in_dir(file), &text, NULL), 0);
    assert_int_equal(file_write(key, text.p, text.len, 0600, NULL), 0);
}

static void
keeps_its_certificate_when_the_new_one_is_wrong(void **state)
{
    CLEANUP(free_p) char *certificate = path_in_dir("new.crt");
    CLEANUP(free_p) char *key = path_in_dir("new.key");
    struct served s;
    struct tls_acceptor_setup set = {
        .certificate = certificate, .key = key, .accepted = on_served_accepted};
    struct err e = {0};

    (void)state;
    copy_pair("one", certificate, key);
    open_served(&s, "two.crt");
    set.loop = s.sh.loop;
    set.arg = &s;
    assert_int_equal(tls_acceptor_new(&set, &s.acceptor, &e), 0);
    connect_to_served(&s, "two.example");
    assert_int_equal(s.why.code, ERR_PEER);
    assert_int_equal(file_write(certificate, "x", 1, 0600, NULL), 0);
    assert_int_equal(tls_acceptor_reload(s.acceptor, &e), -1);
    connect_to_served(&s, "two.example"); /* it still speaks, as one */
    assert_non_null(strstr(s.why.text, "certificate"));
    copy_pair("two", certificate, key);
    assert_int_equal(tls_acceptor_reload(s.acceptor, &e), 0);
    connect_to_served(&s, "two.example");
    assert_non_null(s.client);
    turn_until_true(&s, &s.got, 5);
    close_served(&s);
}

/* A server of HTTP with one path, which says messages back. */
struct wss_server {
    struct served served; /* the client's side, and the loop */
    struct server_http *http;
    char url[64];
};

static void
on_wss_opened(void *owner, struct websocket *ws)
{
    (void)owner;
    assert_non_null(ws);
}

static void
on_wss_request(void *arg, struct http_connection *c)
{
    struct wss_server *w = arg;

    assert_true(server_http_open_websocket(w->http, c, &served_events,
                                           &w->served, on_wss_opened));
}

static void
on_wss_log(void *arg, const char *line)
{
    struct wss_server *w = arg;
    const char *port = strstr(line, "127.0.0.1:");

    if (port)
        snprintf(w->url, sizeof(w->url), "wss://%.*s/echo",
                 (int)strcspn(port, " ") - 1, port);
}

static void
on_wss_client(void *owner, struct websocket *ws, const struct err *why)
{
    struct served *s = owner;

    s->client = ws;
    s->messages++;
    if (why)
        s->why = *why;
}

static void
connect_by_wss(struct wss_server *w)
{
    struct served *s = &w->served;
    const struct websocket_client_setup set = {.shared = &s->sh,
                                               .url = w->url,
                                               .trust = s->trusted,
                                               .timeout_ms = WAIT_MS,
                                               .events = &served_events,
                                               .owner = s,
                                               .opened = on_wss_client};

    s->messages = 0;
    assert_non_null(websocket_client_new(&set, NULL));
    turn_until_true(s, &s->messages, 1);
}

static void
serves_wss(void **state)
{
    static const char *const listen[] = {"tcp:127.0.0.1:0", NULL};
    CLEANUP(free_p) char *certificate = path_in_dir("one.crt");
    CLEANUP(free_p) char *key = path_in_dir("one.key");
    struct wss_server w = {0};
    const struct server_http_route routes[] = {{"/echo", "GET", on_wss_request},
                                               {0}};
    struct server_http_setup set = {.listen = listen,
                                    .tls_cert = certificate,
                                    .tls_key = key,
                                    .max_connections = 9,
                                    .routes = routes,
                                    .arg = &w,
                                    .log = on_wss_log,
                                    .log_arg = &w};
    struct err e = {0};

    (void)state;
    open_served(&w.served, "one.crt");
    set.loop = w.served.sh.loop;
    set.websocket = w.served.sh.limits;
    if (!(w.http = server_http_new(&set, &e)))
        fail_msg("%s", e.text);
    connect_by_wss(&w);
    if (!w.served.client)
        fail_msg("%s", w.served.why.text);
    for (size_t i = 1; i <= 1000; i++) {
        websocket_send_text(w.served.client, "hello", 5);
        if (i % 10 == 0)
            turn_until_true(&w.served, &w.served.messages, 1 + i);
    }
    tls_context_free(w.served.trusted);
    w.served.trusted = tls_client_context_new(NULL, NULL);
    connect_by_wss(&w);
    assert_null(w.served.client);
    assert_non_null(strstr(w.served.why.text, "self-signed"));
    server_http_free(w.http);
    close_served(&w.served);
}

static void
takes_two_files_or_none(void **state)
{
    struct tls_acceptor_setup set = {0};
    struct tls_acceptor *a = NULL;
    struct err e = {0};

    (void)state;
    assert_int_equal(tls_acceptor_new(&set, &a, &e), 0);
    assert_null(a);
    assert_int_equal(tls_acceptor_reload(a, &e), 0);
    set.key = "x";
    assert_int_equal(tls_acceptor_new(&set, &a, &e), -1);
    assert_int_equal(e.code, ERR_USAGE);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(says_what_is_wrong_with_files),
        cmocka_unit_test(trusts_whom_it_is_told_to),
        cmocka_unit_test(carries_what_it_is_given),
        cmocka_unit_test(tells_an_end_from_a_cut),
        cmocka_unit_test(says_messages_back_by_the_loop),
        cmocka_unit_test(keeps_its_certificate_when_the_new_one_is_wrong),
        cmocka_unit_test(serves_wss),
        cmocka_unit_test(takes_two_files_or_none),
    };

    return cmocka_run_group_tests(tests, make_files, remove_files);
}
