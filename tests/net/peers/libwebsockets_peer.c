/* SPDX-License-Identifier: GPL-3.0-or-later */
/* libwebsockets_peer.c - the flow of run.py by libwebsockets.
 *
 *     libwebsockets_peer bus|gateway PORT PATH
 *
 * It does not tell which code the other side closed with: what is looked at is
 * that the end comes at once, not by the library's own limit of time. */
#include <libwebsockets.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    PATIENCE_S = 10,
    CLOSE_S = 2,
    LONG_TEXT = 300000,
    ROOM = 1 << 20,
    MESSAGES = 16 /* that may come before one is taken */
};

struct lws_peer {
    struct lws_context *context;
    struct lws *wsi;
    bool open, over, failed, ponged, ping, close;
    char *out;     /* the text to send; LWS_PRE bytes before it are free */
    char in[ROOM]; /* whole messages, each with its NUL, and a part */
    size_t got, whole[MESSAGES]; /* bytes; where each whole message ends */
    size_t n_whole;
    bool any; /* whole message */
    char taken[ROOM];
};

static void
fail_flow(const char *what, const char *detail)
{
    fprintf(stderr, "%s: %.300s\n", what, detail);
    exit(1);
}

static void
take_bytes(struct lws_peer *p, const void *in, size_t n)
{
    if (p->n_whole == MESSAGES || n >= ROOM - p->got)
        fail_flow("too much has come", p->in);
    memcpy(p->in + p->got, in, n);
    p->got += n;
    if (!lws_is_final_fragment(p->wsi) || lws_remaining_packet_payload(p->wsi))
        return;
    p->in[p->got++] = '\0';
    p->whole[p->n_whole++] = p->got;
    p->any = true;
}

static int
write_what_waits(struct lws_peer *p)
{
    unsigned char ping[LWS_PRE + 5];

    if (p->out) {
        size_t n = strlen(p->out);

        if (lws_write(p->wsi, (unsigned char *)p->out, n, LWS_WRITE_TEXT) <
            (int)n)
            return -1;
        free(p->out - LWS_PRE);
        p->out = NULL;
    } else if (p->ping) {
        p->ping = false;
        memcpy(ping + LWS_PRE, "hello", 5);
        lws_write(p->wsi, ping + LWS_PRE, 5, LWS_WRITE_PING);
    } else if (p->close) {
        lws_close_reason(p->wsi, LWS_CLOSE_STATUS_NORMAL, NULL, 0);
        return -1;
    }
    return 0;
}

static int
peer_event(struct lws *wsi, enum lws_callback_reasons reason, void *user,
           void *in, size_t n)
{
    struct lws_peer *p = user;

    (void)wsi;
    switch (reason) {
    case LWS_CALLBACK_CLIENT_ESTABLISHED:
        p->open = true;
        break;
    case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
        p->failed = true;
        break;
    case LWS_CALLBACK_CLIENT_RECEIVE:
        take_bytes(p, in, n);
        break;
    case LWS_CALLBACK_CLIENT_RECEIVE_PONG:
        p->ponged = n == 5 && !memcmp(in, "hello", 5);
        break;
    case LWS_CALLBACK_CLIENT_WRITEABLE:
        return write_what_waits(p);
    case LWS_CALLBACK_CLIENT_CLOSED:
        p->over = true;
        break;
    default:
        break;
    }
    return 0;
}

static void
turn_until(struct lws_peer *p, const bool *flag, int seconds, const char *what)
{
    time_t end = time(NULL) + seconds;

    while (!*flag) {
        if (p->failed || time(NULL) > end)
            fail_flow("it does not come", what);
        lws_service(p->context, 0);
    }
}

static struct lws_peer *
open_peer(struct lws_context *context, int port, const char *path)
{
    struct lws_peer *p = calloc(1, sizeof(*p));
    struct lws_client_connect_info info = {
        .context = context,
        .address = "127.0.0.1",
        .host = "127.0.0.1",
        .port = port,
        .path = path,
        .userdata = p,
        .pwsi = &p->wsi,
        .local_protocol_name = "peer",
    };

    p->context = context;
    lws_client_connect_via_info(&info);
    turn_until(p, &p->open, PATIENCE_S, "the handshake");
    return p;
}

static void
send_text(struct lws_peer *p, const char *text)
{
    size_t n = strlen(text);
    char *room = malloc(LWS_PRE + n + 1);
    time_t end = time(NULL) + PATIENCE_S;

    p->out = memcpy(room + LWS_PRE, text, n + 1);
    lws_callback_on_writable(p->wsi);
    while (p->out) {
        if (time(NULL) > end)
            fail_flow("it cannot be sent", text);
        lws_service(p->context, 0);
    }
}

static const char *
receive_text(struct lws_peer *p)
{
    size_t n;

    turn_until(p, &p->any, PATIENCE_S, "a message");
    n = p->whole[0];
    memcpy(p->taken, p->in, n);
    p->got -= n;
    memmove(p->in, p->in + n, p->got);
    p->n_whole--;
    for (size_t i = 0; i < p->n_whole; i++)
        p->whole[i] = p->whole[i + 1] - n;
    p->any = p->n_whole > 0;
    return p->taken;
}

static void
expect_words(const char *text, const char *words)
{
    if (!strstr(text, words))
        fail_flow(words, text);
}

static void
ask_peer(struct lws_peer *p, const char *text, const char *words)
{
    const char *answer;

    send_text(p, text);
    do
        answer = receive_text(p);
    while (strstr(answer, "\"notification\""));
    expect_words(answer, words);
}

static void
ping_and_close(struct lws_peer *p)
{
    p->ping = true;
    lws_callback_on_writable(p->wsi);
    turn_until(p, &p->ponged, PATIENCE_S, "a pong");
    p->close = true;
    lws_callback_on_writable(p->wsi);
    turn_until(p, &p->over, CLOSE_S, "the end");
}

static void
publish_text(struct lws_peer *sender, struct lws_peer *taker, size_t size)
{
    char *text = calloc(1, size + 1), *line = malloc(size + 200);
    const char *request, *id;

    memset(text, 'x', size);
    snprintf(line, size + 200,
             "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"sendMessage\","
             "\"params\":{\"topic\":\"inbound:chat-1\","
             "\"payload\":{\"text\":\"%s\"}}}",
             text);
    send_text(sender, line);
    request = receive_text(taker);
    snprintf(line, size + 200, "\"text\":\"%s\"", text);
    expect_words(request, line);
    id = strstr(request, "\"id\":");
    if (!id)
        fail_flow("a request without id", request);
    snprintf(line, size + 200,
             "{\"jsonrpc\":\"2.0\",\"id\":%ld,\"result\":"
             "{\"success\":true,\"stopPropagation\":true}}",
             strtol(id + 5, NULL, 10));
    send_text(taker, line);
    expect_words(receive_text(sender), "\"stopPropagation\":true");
    free(text);
    free(line);
}

static void
bus_flow(struct lws_peer *taker, struct lws_peer *sender)
{
    const char *hello =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\","
        "\"params\":{\"clientId\":\"lws\","
        "\"clientInfo\":{\"name\":\"lws\",\"version\":\"1\"}}}";

    ask_peer(taker, hello, "\"result\"");
    ask_peer(sender, hello, "\"result\"");
    ask_peer(taker,
             "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"subscribe\","
             "\"params\":{\"topic\":\"inbound:*\"}}",
             "\"success\":true");
    publish_text(sender, taker, 5);
    publish_text(sender, taker, LONG_TEXT);
    ping_and_close(sender);
    ping_and_close(taker);
}

static void
gateway_flow(struct lws_peer *p)
{
    const char *made;
    char id[64] = "", line[300];

    send_text(p, "{\"id\":\"1\",\"type\":\"request\",\"action\":"
                 "\"task.create\",\"payload\":{\"title\":\"by lws\","
                 "\"agent_type\":\"agentsh\"}}");
    do
        made = receive_text(p);
    while (strstr(made, "\"notification\""));
    made = strstr(made, "\"payload\":");
    made = made ? strstr(made, "\"id\":\"") : NULL;
    if (!made || sscanf(made, "\"id\":\"%63[^\"]", id) != 1)
        fail_flow("no task", p->taken);
    snprintf(line, sizeof(line),
             "{\"id\":\"2\",\"type\":\"request\",\"action\":"
             "\"task.subscribe\",\"payload\":{\"task_id\":\"%s\"}}",
             id);
    ask_peer(p, line, "\"response\"");
    snprintf(line, sizeof(line),
             "{\"id\":\"3\",\"type\":\"request\",\"action\":\"task.get\","
             "\"payload\":{\"id\":\"%s\"}}",
             id);
    ask_peer(p, line, "\"by lws\"");
    ping_and_close(p);
}

int
main(int argc, char **argv)
{
    const struct lws_protocols protocols[] = {
        {.name = "peer", .callback = peer_event}, {0}};
    struct lws_context_creation_info info = {
        .port = CONTEXT_PORT_NO_LISTEN,
        .protocols = protocols,
    };
    struct lws_context *context;
    int port;

    if (argc != 4)
        return 2;
    lws_set_log_level(LLL_ERR, NULL);
    context = lws_create_context(&info);
    port = (int)strtol(argv[2], NULL, 10);
    if (!strcmp(argv[1], "bus"))
        bus_flow(open_peer(context, port, argv[3]),
                 open_peer(context, port, argv[3]));
    else
        gateway_flow(open_peer(context, port, argv[3]));
    lws_context_destroy(context);
    return 0;
}
