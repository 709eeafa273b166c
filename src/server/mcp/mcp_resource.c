/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_resource.c - what a client can read: runs of the journal, the last
 * output. */
#include "server/mcp/mcp_resource.h"

#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/utf8.h"
#include "server/mcp/mcp_journal_read.h"
#include "server/mcp/mcp_prompt.h"
#include "server/mcp/mcp_reply.h"

#define RUN_VARIABLE "run"
#define RUN_TEMPLATE MCP_RESOURCE_RUNS "{" RUN_VARIABLE "}"

struct mcp_resources {
    struct mcp_jobs *jobs;
    struct buf last; /* the last output, as text */
};

struct mcp_resources *
mcp_resources_new(struct mcp_jobs *jobs, struct err *e)
{
    struct mcp_resources *all = calloc(1, sizeof(*all));

    if (!all) {
        err_nomem(e);
        return NULL;
    }
    all->jobs = jobs;
    buf_init(&all->last, 2 * MCP_RESOURCE_OUTPUT + 256);
    return all;
}

void
mcp_resources_free(struct mcp_resources *all)
{
    if (!all)
        return;
    buf_done(&all->last);
    free(all);
}

/* The name of a run in a URI; NULL: it is of another form. */
static const char *
run_of_uri(const char *uri)
{
    size_t head = strlen(MCP_RESOURCE_RUNS);
    const char *run = uri + head;

    if (strncmp(uri, MCP_RESOURCE_RUNS, head) != 0 || !run[0] ||
        strlen(uri) >= MCP_RESOURCE_URI_MAX)
        return NULL;
    for (const char *p = run; *p; p++)
        if (!ascii_is_word(*p) && !strchr("-.:", *p))
            return NULL;
    return run;
}

bool
mcp_resource_is_uri(const char *uri)
{
    return strcmp(uri, MCP_RESOURCE_LAST) == 0 || run_of_uri(uri);
}

static void
keep_last_text(struct buf *to, const char *text, size_t n)
{
    if (n == 0)
        return;
    buf_add(to, text, utf8_boundary(text, n, MCP_RESOURCE_OUTPUT));
    if (n > MCP_RESOURCE_OUTPUT)
        buf_str(to, "\n... (cut)");
    if (to->p[to->len - 1] != '\n')
        buf_ch(to, '\n');
}

void
mcp_resources_keep(struct mcp_resources *all, const char *tool, const char *out,
                   size_t n_out, const char *err, size_t n_err)
{
    buf_clear(&all->last);
    buf_printf(&all->last, "%s\n", tool);
    keep_last_text(&all->last, out, n_out);
    keep_last_text(&all->last, err, n_err);
}

void
mcp_resources_list(struct mcp_resources *all, struct rpc_request *rq,
                   const struct json *params, enum mcp_era era)
{
    const struct json *cursor = json_get(params, "cursor");
    const char *after = cursor ? json_text(cursor) : "";

    if (!after || (cursor && !after[0]) || strlen(after) > MCP_JOB_NAME_MAX) {
        rpc_refuse(rq, JSONRPC_INVALID_PARAMS, "cursor: there is no such page",
                   NULL);
        return;
    }
    mcp_jobs_add(all->jobs, rq, mcp_journal_list, after, NULL, era, NULL);
}

void
mcp_resources_templates(struct rpc_request *rq, enum mcp_era era)
{
    CLEANUP_BUF struct buf b = buf_of(MCP_REPLY_MAX);
    struct json_writer w;

    mcp_reply_open(&w, &b, era, "complete");
    json_key(&w, "resourceTemplates");
    json_open_array(&w);
    json_open_object(&w);
    json_member_str(&w, "uriTemplate", RUN_TEMPLATE);
    json_member_str(&w, "name", "runs");
    json_member_str(&w, "title", "a run of the journal, by its name");
    json_member_str(&w, "mimeType", "application/json");
    json_close_object(&w);
    json_close_array(&w);
    mcp_reply_cache_list(&w, era);
    mcp_reply_close(&w, era);
    rpc_answer(rq, &b);
}

static void
read_last(const struct mcp_resources *all, struct rpc_request *rq,
          enum mcp_era era)
{
    CLEANUP_BUF struct buf b = buf_of(MCP_REPLY_MAX);
    struct json_writer w;

    mcp_reply_open(&w, &b, era, "complete");
    json_key(&w, "contents");
    json_open_array(&w);
    json_open_object(&w);
    json_member_str(&w, "uri", MCP_RESOURCE_LAST);
    json_member_str(&w, "mimeType", "text/plain");
    json_key(&w, "text");
    json_put_strn(&w, all->last.p, all->last.len);
    json_close_object(&w);
    json_close_array(&w);
    mcp_reply_cache_none(&w, era);
    mcp_reply_close(&w, era);
    rpc_answer(rq, &b);
}

void
mcp_resources_read(struct mcp_resources *all, struct rpc_request *rq,
                   const struct json *params, enum mcp_era era)
{
    const char *uri = json_get_str(params, "uri");
    const char *run = uri ? run_of_uri(uri) : NULL;

    if (!uri)
        rpc_refuse(rq, JSONRPC_INVALID_PARAMS, "uri: must be a string", NULL);
    else if (strcmp(uri, MCP_RESOURCE_LAST) == 0)
        read_last(all, rq, era);
    else if (!run)
        mcp_reply_no_resource(rq, era, uri);
    else
        mcp_jobs_add(all->jobs, rq, mcp_journal_run, run, NULL, era, uri);
}

/* What is completed: the verb of a prompt, or "" for the runs of the template.
 * NULL: neither. */
static const char *
completed_verb(const struct json *ref, const char *argument)
{
    const char *type = json_get_str(ref, "type");
    const char *uri = json_get_str(ref, "uri");

    if (type && strcmp(type, "ref/prompt") == 0)
        return mcp_prompt_verb(json_get_str(ref, "name"), argument);
    if (type && strcmp(type, "ref/resource") == 0 && uri &&
        strcmp(uri, RUN_TEMPLATE) == 0 && strcmp(argument, RUN_VARIABLE) == 0)
        return "";
    return NULL;
}

void
mcp_resources_complete(struct mcp_resources *all, struct rpc_request *rq,
                       const struct json *params, enum mcp_era era)
{
    const struct json *argument = json_get(params, "argument");
    const char *name = json_get_str(argument, "name");
    const char *value = json_get_str(argument, "value");
    const char *verb = name ? completed_verb(json_get(params, "ref"), name)
                            : NULL;

    if (!verb || !value || strlen(value) > MCP_JOB_NAME_MAX) {
        rpc_refuse(rq, JSONRPC_INVALID_PARAMS,
                   !value ? "argument: must have a name and a value, strings"
                   : verb ? "argument: its value is too long"
                          : "ref: there is no such prompt, template or "
                            "argument",
                   NULL);
        return;
    }
    mcp_jobs_add(all->jobs, rq, mcp_journal_complete, value,
                 verb[0] ? verb : NULL, era, NULL);
}
