/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp_files.c - reads and writes files by the editor. */
#include "server/acp/acp_files.h"

#include <stdlib.h>

#include "server/acp/acp_editor.h"
#include "wire/rpc.h"
#include "json/write.h"

/* Room for a file of 10 MiB with each byte escaped. */
#define FILE_PARAMS_MAX (64u << 20)
#define FILE_MS         30000 /* an editor may ask its user */

struct file_request {
    struct rpc_call *call;
    peer_files_cb *cb;
    void *arg;
    bool reads;
};

static void
on_file_answer(void *arg, const struct jsonrpc *m, const struct err *why)
{
    CLEANUP(free_p) struct file_request *f = arg;
    struct err e = {0};
    const char *text = "";
    size_t n = 0;

    if (m && m->kind == JSONRPC_ERROR)
        err_set(&e, ERR_IO, "the editor: %.200s", m->message);
    else if (!m)
        e = *why;
    else if (f->reads && !(text = json_str(json_get(m->result, "content"), &n)))
        err_set(&e, ERR_PEER, "the editor answered without content");
    f->cb(f->arg, text ? text : "", n, e.code ? &e : NULL);
}

static bool
offers(const struct acp_editor *ed, bool reads)
{
    return reads ? ed->client.reads_files : ed->client.writes_files;
}

/* Of several, the one that sent the prompt does it where it can. */
static struct acp_editor *
find_files_editor(const struct acp_session *s, bool reads)
{
    if (s->asker && offers(s->asker, reads))
        return s->asker;
    for (size_t i = 0; i < s->n_editors; i++) {
        if (offers(s->editors[i], reads))
            return s->editors[i];
    }
    return NULL;
}

static void *
ask_editor(struct acp_session *s, const char *method, const struct buf *params,
           bool reads, peer_files_cb *cb, void *arg, struct err *e)
{
    const struct acp_editor *ed = find_files_editor(s, reads);
    CLEANUP(free_p) struct file_request *f = calloc(1, sizeof(*f));

    if (!f) {
        err_nomem(e);
        return NULL;
    }
    if (!ed) {
        err_set(e, ERR_PEER, "the editor that has the file is gone");
        return NULL;
    }
    *f = (struct file_request){.cb = cb, .arg = arg, .reads = reads};
    f->call = rpc_call_start(ed->rpc, method, params, FILE_MS, on_file_answer,
                             f, e);
    return f->call ? TAKE_PTR(f) : NULL;
}

static void
open_file_params(struct json_writer *w, struct buf *out,
                 const struct acp_session *s, const char *path)
{
    json_write_init(w, out);
    json_open_object(w);
    json_member_str(w, "sessionId", s->id);
    json_member_str(w, "path", path);
}

static void *
read_by_editor(void *owner, const char *path, int64_t line, int64_t lines,
               peer_files_cb *cb, void *arg, struct err *e)
{
    struct acp_session *s = owner;
    CLEANUP_BUF struct buf b = buf_of(FILE_PARAMS_MAX);
    struct json_writer w;

    open_file_params(&w, &b, s, path);
    if (line > 0 && line <= UINT32_MAX)
        json_member_int(&w, "line", line);
    if (lines > 0 && lines <= UINT32_MAX)
        json_member_int(&w, "limit", lines);
    json_close_object(&w);
    return ask_editor(s, "fs/read_text_file", &b, true, cb, arg, e);
}

static void *
write_by_editor(void *owner, const char *path, const char *text, size_t n,
                peer_files_cb *cb, void *arg, struct err *e)
{
    struct acp_session *s = owner;
    CLEANUP_BUF struct buf b = buf_of(FILE_PARAMS_MAX);
    struct json_writer w;

    open_file_params(&w, &b, s, path);
    json_key(&w, "content");
    json_put_strn(&w, text, n);
    json_close_object(&w);
    return ask_editor(s, "fs/write_text_file", &b, false, cb, arg, e);
}

static void
cancel_by_editor(void *handle)
{
    CLEANUP(free_p) const struct file_request *f = handle;

    rpc_call_cancel(f->call);
}

const struct peer_files *
acp_files_of(struct acp_session *s, struct peer_files *out)
{
    bool reads = find_files_editor(s, true);
    bool writes = find_files_editor(s, false);

    *out = (struct peer_files){.read = reads ? read_by_editor : NULL,
                               .write = writes ? write_by_editor : NULL,
                               .cancel = cancel_by_editor,
                               .owner = s};
    return out->read || out->write ? out : NULL;
}
