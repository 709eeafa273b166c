/* SPDX-License-Identifier: GPL-3.0-or-later */
/* look_call.c - one call of a model's: checked, judged, made, told. */
#include <mntent.h>
#include <stdio.h>
#include <string.h>

#include "action/look_in.h"
#include "base/clock.h"
#include "base/owner.h"
#include "guard/path/path_table.h"
#include "model/prompt/origin.h"
#include "tool/request.h"
#include "json/write.h"

#define CALL_MS   30000 /* of one call, as tools are used to */
#define REASON    1024
#define TEXT_MAX  (4u << 20) /* both streams of a tool, and its meta */
#define NAMES_MAX 800

/* Why it was not made. */
static void refuse(struct look *k, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

static void
refuse(struct look *k, const char *fmt, ...)
{
    char text[REASON];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(text, sizeof(text), fmt, ap);
    va_end(ap);
    look_over(k, text, strlen(text), false, true);
}

static void
refuse_name(struct look *k, const char *name)
{
    CLEANUP_BUF struct buf names = buf_of(NAMES_MAX);

    k->malformed = "not offered";
    for (size_t i = 0; i < k->n_offers; i++)
        buf_printf(&names, "%s%s", i ? ", " : "", k->offers[i].name);
    refuse(k, "unknown tool \"%.64s\"; available: %.800s", name, names.p);
}

static void
refuse_args(struct look *k, const char *what, const struct err *why)
{
    k->malformed = what;
    refuse(k, "the %s: %s", what, why->text);
}

static bool
is_in_system(const char *path)
{
    return path_is(path, PATH_IS_SETTING | PATH_IS_PACKAGED);
}

/* Both as it is written, where nobody but root can turn it elsewhere while it
 * is read, and as it is. */
static bool
is_roots(const char *path)
{
    CLEANUP(free_p)
    char *real = is_in_system(path) ? realpath(path, NULL) : NULL;

    return real && is_in_system(real) && !strstr(path, "/../") &&
           owner_check_path(real, OWNER_ROOTS, NULL) == 0;
}

/* A list of paths, or one. */
static bool
all_roots(const struct json *v)
{
    const char *path = json_str(v, NULL);

    if (path)
        return is_roots(path);
    if (json_count(v) == 0)
        return false;
    for (const struct json *one = json_first(v); one; one = json_next(one)) {
        if (!json_str(one, NULL) || !is_roots(json_str(one, NULL)))
            return false;
    }
    return true;
}

/* Whether root or we have named every directory on which something is mounted:
 * another user may mount on one of his own (fusermount). */
static bool
mounts_are_ours(void)
{
    FILE *mounts = setmntent("/proc/self/mounts", "re");
    const struct mntent *m;
    bool ours = mounts != NULL;

    while (ours && (m = getmntent(mounts)) != NULL)
        ours = !origin_names_others(m->mnt_dir);
    if (mounts)
        endmntent(mounts);
    return ours;
}

static bool
leaves_out_disks(const struct json *args)
{
    const struct json *parts = json_get(args, "parts");

    for (const struct json *v = json_first(parts); v; v = json_next(v))
        if (!json_str(v, NULL) || strcmp(json_str(v, NULL), "disks") == 0)
            return false;
    return json_count(parts) > 0;
}

/* Of built-in tools that read no file named in a call: whether all that this
 * one tells comes from the kernel's tables and from files of root's, so that
 * no other user chooses a word of it. Whoever runs a process chooses its name,
 * so `services` is none of them. */
static bool
tells_of_the_system(const struct tool *t, const struct json *args)
{
    if (strcmp(t->name, "sysinfo") == 0)
        return leaves_out_disks(args) || mounts_are_ours();
    return strcmp(t->name, "packages") == 0;
}

bool
look_is_outside(const struct look *k)
{
    const struct look_offer *o = k->offer;

    if (o->tool->source != TOOL_BUILTIN || o->action->hosts[0])
        return true;
    if (!o->action->reads[0])
        return !tells_of_the_system(o->tool, k->args);
    for (const char *const *name = o->action->reads; *name; name++) {
        if (!all_roots(json_get(k->args, *name)))
            return true;
    }
    return false;
}

/* Members that a model can use; how long it took is not one. */
static void
add_meta(struct buf *out, const struct json *meta)
{
    struct json_writer w;
    bool any = false;

    json_write_init(&w, out);
    for (const struct json *v = json_first(meta); v; v = json_next(v)) {
        if (strcmp(json_name(v, NULL), "duration_ms") == 0)
            continue;
        if (!any)
            buf_str(out, "meta: ");
        if (!any)
            json_open_object(&w);
        any = true;
        json_key(&w, json_name(v, NULL));
        json_put_value(&w, v);
    }
    if (any)
        json_close_object(&w);
}

static void
add_stream(struct buf *out, const char *label, const char *p, size_t n)
{
    if (n == 0)
        return;
    buf_str(out, label);
    buf_add(out, p, n);
    if (p[n - 1] != '\n')
        buf_ch(out, '\n');
}

/* The call has ended, and this is what the model may know of it. */
static void
end_call(struct look *k, const struct buf *text, size_t wrote, bool failed)
{
    k->ms += clock_ms() - k->began_ms;
    k->wrote = wrote;
    tool_call_free(k->call);
    k->call = NULL;
    look_over(k, text->p, text->len, true, failed);
}

static void
on_done(void *arg, const struct tool_result *r)
{
    struct look *k = arg;
    const char *timeout = err_tool_code(ERR_TIMEOUT);
    CLEANUP_BUF struct buf text = buf_of(TEXT_MAX);

    if (r->error_code)
        buf_printf(&text, "error: %s\n", r->error_code);
    k->timed_out = r->error_code && strcmp(r->error_code, timeout) == 0;
    add_stream(&text, "", r->out, r->out_len);
    add_stream(&text, "stderr: ", r->err, r->err_len);
    add_meta(&text, r->meta);
    end_call(k, &text, r->out_len ? r->out_len : text.len, !r->ok);
}

static void
on_failed(void *arg, const struct err *why)
{
    struct look *k = arg;
    CLEANUP_BUF struct buf text = buf_of(REASON);

    buf_printf(&text, "error: %s: %s\n", err_tool_code(why->code), why->text);
    k->timed_out = why->code == ERR_TIMEOUT;
    end_call(k, &text, 0, true);
}

static int
start(struct look *k, const struct permit *p, struct err *e)
{
    static const struct tool_events events = {.done = on_done,
                                              .failed = on_failed};
    CLEANUP(sandbox_setup_done) struct sandbox_setup site = {0};
    /* what its walls show it, and nothing to write */
    static const char *const read[] = {"/", NULL}, *const write[] = {NULL};
    const struct tool_setting setting = {.read_roots = read,
                                         .write_roots = write,
                                         .sandbox = &site.spec,
                                         .config = k->set.config,
                                         .pool = k->pool};
    int64_t left = LOOK_MS_MAX - k->ms;
    char workspace[PATH_MAX];
    const struct tool_request rq = {
        .action = k->offer->action->name,
        .args = k->args,
        .timeout_ms = left < CALL_MS ? left : CALL_MS,
    };

    const char *in = guard_workspace(&k->where, workspace);

    if ((in && secret_tree_find(&k->secrets, in, k->where.named, e) < 0) ||
        permit_site(p, k->offer->tool, in, k->secrets.paths, k->set.config,
                    &site, e) < 0)
        return -1;
    k->began_ms = clock_ms();
    k->limit_ms = request_limit(k->offer->tool, &rq, &setting);
    k->call = tool_call_start(k->loop, k->offer->tool, &rq, &setting, &events,
                              k, e);
    return k->call ? 0 : -1;
}

/* The same call again has the same answer; nothing is run for it. */
static bool
tell_again(struct look *k)
{
    CLEANUP_BUF struct buf text = buf_of(MODEL_ARGS_MAX + REASON);
    struct json_writer w;

    buf_printf(&text, "%s ", k->offer->name);
    json_write_init(&w, &text);
    json_put_canonical(&w, k->args);
    sha256_hex(text.p, text.len, k->key);
    for (size_t i = 0; i < k->n_told; i++) {
        const struct look_told *told = &k->told[i];

        if (strcmp(told->key, k->key) == 0) {
            look_again(k, told);
            return true;
        }
    }
    return false;
}

static void
judge_and_start(struct look *k)
{
    const struct look_offer *o = k->offer;
    CLEANUP(permit_done) struct permit p = {0};
    struct err e = {0};

    if (permit_judge(k->set.policy, o->tool, o->action->name, k->args,
                     &k->where, &p, &e) < 0)
        refuse(k, "%s", e.text);
    else if (p.decision != GUARD_ALLOW)
        refuse(k, "refused: %s",
               p.reason[0] ? p.reason : "denied by the rules");
    else if (start(k, &p, &e) < 0)
        refuse(k, "error: %s: %s", err_tool_code(e.code), e.text);
    else
        look_begun(k);
}

static struct json *
read_args(const struct model_tool_call *w, struct err *e)
{
    bool none = strspn(w->args, " \t\r\n") == w->args_len;

    return none ? json_parse("{}", 2, 0, e)
                : json_parse(w->args, w->args_len, JSON_UNIQUE, e);
}

void
look_make_call(struct look *k)
{
    const struct model_tool_call *w = &k->tool_calls[k->at];
    struct err e = {0};

    k->offer = look_find_offer(k, w->name);
    k->args = read_args(w, &e);
    k->key[0] = '\0';
    k->malformed = NULL;
    k->timed_out = false;
    if (!k->offer)
        refuse_name(k, w->name);
    else if (!k->args)
        refuse_args(k, "arguments are not valid JSON", &e);
    else if (k->offer->action->args_check &&
             json_schema_check(k->offer->action->args_check, k->args,
                               JSON_SCHEMA_NULL_ABSENT, &e) < 0)
        refuse_args(k, "invalid arguments", &e);
    else if (k->bytes >= LOOK_BYTES_MAX || k->ms >= LOOK_MS_MAX)
        refuse(k, "no more tool calls: answer with what you have");
    else if (!tell_again(k))
        judge_and_start(k);
}
