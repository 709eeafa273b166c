/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_mcp_server.c - params of a client, whatever they are, are read or
 * refused with a reason, no state but the one that was given is accepted, and
 * what is written back is JSON. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "server/mcp/mcp_answer.h"
#include "server/mcp/mcp_client.h"
#include "server/mcp/mcp_prompt.h"
#include "server/mcp/mcp_question.h"
#include "server/mcp/mcp_resource.h"
#include "server/mcp/mcp_ticket.h"
#include "wire/jsonrpc.h"

#define WRITTEN_MAX (4u << 20)
#define DIGEST      "0123456789abcdef"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
must(bool holds)
{
    if (!holds)
        abort();
}

static void
check_json(const struct buf *b)
{
    must(b->bad || (b->len > 0 && json_span(b->p, b->len, NULL) == b->len));
}

/* What holds for a request is what it says, in either era. */
static void
read_frames(const struct json *params)
{
    struct mcp_client c = {0};
    struct mcp_frame f;
    struct err e = {0};
    int code = mcp_frame_read(&c, params, &f, &e);

    must(code == 0 ? f.era == MCP_ERA_REQUEST : e.text[0]);
    must(code != MCP_ERA_UNSUPPORTED_VERSION || f.version);
    if (mcp_client_initialize(&c, params, &e) < 0) {
        must(e.code == ERR_INVALID && e.text[0] && !c.initialized);
        c.initialized = true;
    }
    must(!c.version || c.version[0] == '2');
    code = mcp_frame_read(&c, params, &f, &e);
    must(code != 0 || f.era != MCP_ERA_UNKNOWN);
    must(code != 0 || !f.token || json_type(f.token) == JSON_STRING ||
         json_type(f.token) == JSON_NUMBER);
}

/* Only the word accept is a yes. */
static void
read_answers(const struct json *params)
{
    const char *action = json_get_str(params, "action");
    bool yes = false;
    struct err e = {0};

    if (mcp_question_read(params, &yes, &e) < 0)
        must(!yes && e.text[0]);
    else
        must(yes == (strcmp(action, "accept") == 0));
    (void)mcp_question_find(json_get(params, "inputResponses"), 1);
}

static void
find_tickets(const char *text)
{
    CLEANUP(mcp_tickets_free_p) struct mcp_tickets *all = mcp_tickets_new(NULL);
    CLEANUP_BUF struct buf state = buf_of(MCP_TICKET_TEXT_MAX);
    int owner = 0;
    struct mcp_ticket *k = mcp_ticket_new(all, DIGEST, &owner, &state, NULL);

    must(k && mcp_ticket_find(all, state.p, NULL) == &owner);
    must(!mcp_ticket_find(all, text, NULL));
    /* a state of which any byte differs is none */
    if (text[0] && state.len > 0) {
        size_t at = (unsigned char)text[0] % state.len;

        state.p[at] = state.p[at] == '0' ? '1' : '0';
        must(!mcp_ticket_find(all, state.p, NULL));
    }
    mcp_ticket_free(k);
    must(!mcp_ticket_find(all, state.p, NULL));
}

/* A tool's result is JSON, whatever the tool wrote. */
static void
write_results(const struct json *params, const char *text, size_t n)
{
    const struct manifest m = {.name = "x.y"};
    const struct tool t = {.name = "x.y", .manifest = &m};
    const struct manifest_action a = {.name = "call", .meta = params};
    const struct tool_result r = {.ok = n % 2 == 0,
                                  .out = text,
                                  .out_len = n,
                                  .err = text,
                                  .err_len = n / 2,
                                  .has_exit_code = true,
                                  .exit_code = (int)(n % 256),
                                  .truncated = n % 3 == 0,
                                  .meta = params};
    CLEANUP_BUF struct buf b = buf_of(WRITTEN_MAX);
    CLEANUP_BUF struct buf schema = buf_of(WRITTEN_MAX);
    struct json_writer w;

    mcp_answer_write(&b, n % 5 ? MCP_ERA_REQUEST : MCP_ERA_HANDSHAKE, &t, &a,
                     &r, NULL);
    check_json(&b);
    if (!mcp_answer_has_schema(&t, &a))
        return;
    json_write_init(&w, &schema);
    mcp_answer_put_schema(&w, &a);
    check_json(&schema);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(json_free_p)
    struct json *params = json_parse((const char *)data, size, JSON_UNIQUE,
                                     NULL);
    CLEANUP_BUF struct buf text = buf_of(size + 1);
    enum mcp_level level;

    buf_add(&text, data, size);
    if (!memchr(data, 0, size)) {
        (void)mcp_resource_is_uri(text.p);
        (void)mcp_prompt_verb(text.p, text.p);
        find_tickets(text.p);
    }
    if (!params)
        return 0;
    read_frames(params);
    read_answers(params);
    (void)mcp_level_read(json_get(params, "level"), &level, NULL);
    write_results(params, text.p, text.len);
    return 0;
}
