/* SPDX-License-Identifier: GPL-3.0-or-later */
/* judge_digest.c - what an approval covers, as one number. */
#include "action/judge_in.h"
#include "json/write.h"

/* A step's command and paths, every byte escaped at worst. */
#define CANON_MAX                                                              \
    (6u * (AIACTION_COMMAND_MAX + AIACTION_ARGS_MAX +                          \
           (2 + 3 * PROFILE_DIRS_MAX) * 4096u))

static void
put_paths(struct json_writer *w, const char *name, char *const *dirs, size_t n)
{
    json_key(w, name);
    json_open_array(w);
    for (size_t i = 0; i < n; i++)
        json_put_str(w, dirs[i]);
    json_close_array(w);
}

/* What a step that runs unasked may add. */
static void
put_added(struct json_writer *w, const struct profile_choice *c)
{
    json_key(w, "added");
    json_open_array(w);
    for (size_t i = 0; i < c->n_added; i++) {
        json_put_str(w, c->added[i].path);
        json_put_bool(w, c->added[i].below);
    }
    json_close_array(w);
}

/* Names are sorted: canonical as it is written. */
static void
put_command(struct json_writer *w, const struct step *s,
            const struct judgement *j)
{
    const struct profile_choice *c = &j->found.profile;

    put_added(w, c);
    json_member_str(w, "command", s->command);
    json_member_str(w, "directory", j->directory);
    json_member_bool(w, "net", c->net);
    json_member_str(w, "profile", profile_row(c->profile)->name);
    put_paths(w, "readable", c->readable, c->n_readable);
    json_member_str(w, "tool", AIACTION_TOOL);
    put_paths(w, "writable", c->writable, c->n_writable);
}

static void
put_call(struct json_writer *w, const struct step *s, const struct judgement *j)
{
    json_member_str(w, "action", s->action);
    json_key(w, "args");
    json_put_canonical(w, s->args);
    json_member_str(w, "command", s->command);
    json_member_str(w, "directory", j->directory);
    json_member_str(w, "hash", j->tool->hash);
    json_member_bool(w, "privileged", j->permit.privileged);
    json_member_str(w, "tool", s->tool);
    json_member_str(w, "walls", j->walls);
    put_paths(w, "writable", j->permit.writable, j->permit.n_writable);
}

int
judge_digest(const struct step *s, const struct judgement *j,
             char hex[SHA256_HEX_SIZE], struct err *e)
{
    CLEANUP_BUF struct buf canon = buf_of(CANON_MAX);
    struct json_writer w;

    json_write_init(&w, &canon);
    json_open_object(&w);
    if (j->tool)
        put_call(&w, s, j);
    else
        put_command(&w, s, j);
    json_close_object(&w);
    if (buf_ok(&canon, "the step", e) < 0)
        return -1;
    sha256_hex(canon.p, canon.len, hex);
    return 0;
}
