/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_acp.c - params of an editor, whatever they are, are read or refused with
 * a reason, and what is written back is JSON. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "server/acp/acp_client.h"
#include "server/acp/acp_draft_update.h"
#include "server/acp/acp_options.h"
#include "server/acp/acp_prompt.h"
#include "server/acp/acp_servers.h"
#include "server/acp/acp_update.h"
#include "json/write.h"

#define ANSWER_MAX (1u << 20)
#define TITLE      80

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
must(bool holds)
{
    if (!holds)
        abort();
}

/* A refusal has a code and words. */
static bool
is_read(int rc, const struct err *e)
{
    must(rc == 0 || (e->code != ERR_NONE && e->text[0]));
    return rc == 0;
}

static void
check_json(const struct buf *b)
{
    must(b->bad || (b->len > 0 && json_span(b->p, b->len, NULL) == b->len));
}

static void
read_client(const struct json *params, bool draft)
{
    struct acp_client c;
    struct err e = {0};

    if (!is_read(acp_client_read(params, draft, &c, &e), &e))
        return;
    must(c.dialect != ACP_NOT_INITIALIZED);
    must(draft || c.dialect != ACP_DRAFT);
    for (int ready = 0; ready < 2; ready++) {
        CLEANUP_BUF struct buf b = buf_of(ANSWER_MAX);

        acp_client_answer(&c, ready, ready != draft, &b);
        must(!b.bad);
        check_json(&b);
    }
}

/* What the model and the editor are sent of a prompt. */
static void
check_prompt(const struct acp_prompt *p)
{
    const struct user_request rq = acp_prompt_request(p);
    CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);

    must(rq.text >= p->text.p && rq.text <= p->text.p + p->text.len);
    must(p->text.len <= ACP_PROMPT_MAX && rq.input_len <= ACP_PROMPT_MAX);
    must(utf8_valid(rq.text, strlen(rq.text)));
    must(utf8_valid(rq.input, rq.input_len));
    acp_update_chunk(&b, "0", "user_message_chunk", rq.text,
                     utf8_boundary(rq.text, strlen(rq.text), TITLE), NULL);
    check_json(&b);
}

static void
read_prompts(const struct json *params)
{
    const char *message = json_get_str(params, "message");
    CLEANUP(acp_prompt_done) struct acp_prompt blocks, text;
    struct err e = {0};

    acp_prompt_init(&blocks);
    acp_prompt_init(&text);
    if (is_read(acp_prompt_read(json_get(params, "prompt"), &blocks, &e), &e))
        check_prompt(&blocks);
    if (message && is_read(acp_prompt_read_text(message, &text, &e), &e))
        check_prompt(&text);
}

static void
read_servers(const struct json *params)
{
    CLEANUP_BUF struct buf b = buf_of(ACP_SERVERS_MAX);
    struct err e = {0};

    if (is_read(acp_servers_read(json_get(params, "mcpServers"), &b, &e), &e))
        check_json(&b);
}

/* What is kept of the options is what they are, and no value comes from the
 * editor. */
static void
check_options(const struct acp_options *o, const char *model)
{
    CLEANUP_BUF struct buf kept = buf_of(ANSWER_MAX);
    CLEANUP_BUF struct buf again = buf_of(ANSWER_MAX);
    CLEANUP_BUF struct buf shown = buf_of(ANSWER_MAX);
    struct acp_options other;
    struct json_writer w;

    must(strcmp(o->model, model ? model : "") == 0);
    must(o->rounds >= 1 && o->rounds <= 9);
    acp_options_save(o, &kept);
    acp_options_init(&other, model);
    acp_options_load(&other, kept.p);
    acp_options_save(&other, &again);
    must(!kept.bad && strcmp(kept.p, again.p) == 0);
    json_write_init(&w, &shown);
    json_open_object(&w);
    acp_options_put_modes(&w, o);
    json_key(&w, "configOptions");
    acp_options_put(&w, o, "id");
    json_close_object(&w);
    must(!shown.bad);
    check_json(&shown);
}

/* Each member of the params is an option to be set. */
static void
set_options(const struct json *params, const char *model, const char *text)
{
    struct acp_options o;
    const char *id = json_get_str(params, "configId");

    acp_options_init(&o, model);
    acp_options_load(&o, text);
    check_options(&o, model);
    for (const struct json *v = json_first(params); v; v = json_next(v)) {
        size_t n;
        const char *name = json_name(v, &n);
        struct err e = {0};

        if (name)
            (void)is_read(acp_options_set(&o, name, v, &e), &e);
        check_options(&o, model);
    }
    if (id) {
        struct err e = {0};

        (void)is_read(acp_options_set(&o, id, json_get(params, "value"), &e),
                      &e);
        check_options(&o, model);
    }
}

/* What was kept of a session is written in the draft's form, or not at all. */
static void
replay(const struct json *params)
{
    CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);

    acp_draft_replay(&b, params, 1);
    if (b.len > 0)
        check_json(&b);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(json_free_p)
    struct json *params = json_parse((const char *)data, size, JSON_UNIQUE,
                                     NULL);
    CLEANUP_BUF struct buf text = buf_of(size + 1);

    if (!params)
        return 0;
    buf_add(&text, data, size);
    read_client(params, false);
    read_client(params, true);
    replay(params);
    read_prompts(params);
    read_servers(params);
    set_options(params, "m", memchr(data, 0, size) ? NULL : text.p);
    set_options(params, NULL, NULL);
    return 0;
}
