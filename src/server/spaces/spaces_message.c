/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spaces_message.c - reads and checks a line that an agent sends. */
#include "server/spaces/spaces_message.h"

#include <string.h>

#include "base/array.h"
#include "base/environ_given.h"
#include "base/utf8.h"
#include "json/write.h"

/* The fields of operations, and the rules that their values obey. */

typedef int check_value(const struct json *v, struct err *e);

static size_t
count_characters(const char *s, size_t n)
{
    size_t count = 0;

    for (size_t i = 0; i < n; i++)
        count += ((unsigned char)s[i] & 0xC0) != 0x80;
    return count;
}

static int
check_string(const struct json *v, struct err *e)
{
    return json_str(v, NULL) ? 0 : err_set(e, ERR_INVALID, "must be a string");
}

/* A string that the system gets, to which NUL is the end. */
static int
check_plain_string(const struct json *v, struct err *e)
{
    if (check_string(v, e) < 0)
        return -1;
    return json_text(v) ? 0 : err_set(e, ERR_INVALID, "must not contain a NUL");
}

static int
check_characters(const struct json *v, size_t max, struct err *e)
{
    size_t n;
    const char *s = json_str(v, &n);

    if (count_characters(s, n) > max)
        return err_set(e, ERR_INVALID, "must have at most %zu characters", max);
    return 0;
}

static int
check_message_text(const struct json *v, struct err *e)
{
    return check_string(v, e) < 0 ? -1
                                  : check_characters(v, SPACES_TEXT_MAX, e);
}

static int
check_content(const struct json *v, struct err *e)
{
    size_t n;

    if (check_string(v, e) < 0)
        return -1;
    (void)json_str(v, &n);
    if (n > SPACES_CONTENT_MAX)
        return err_set(e, ERR_INVALID, "must have at most %u bytes",
                       SPACES_CONTENT_MAX);
    return 0;
}

static int
check_workspace_path(const struct json *v, struct err *e)
{
    const char *s;

    if (check_plain_string(v, e) < 0)
        return -1;
    s = json_text(v);
    if (!*s)
        return err_set(e, ERR_INVALID, "must not be empty");
    if (*s == '/')
        return err_set(e, ERR_INVALID, "must be relative to the workspace");
    if (strstr(s, ".."))
        return err_set(e, ERR_INVALID, "must not contain \"..\"");
    return check_characters(v, SPACES_PATH_MAX, e);
}

static int
check_encoding(const struct json *v, struct err *e)
{
    const char *s = json_text(v);

    if (s && (strcmp(s, "utf-8") == 0 || strcmp(s, "base64") == 0))
        return 0;
    return err_set(e, ERR_INVALID, "must be \"utf-8\" or \"base64\"");
}

static int
check_flag(const struct json *v, struct err *e)
{
    return json_type(v) == JSON_BOOL
               ? 0
               : err_set(e, ERR_INVALID, "must be true or false");
}

static int
check_command(const struct json *v, struct err *e)
{
    return check_plain_string(v, e) < 0
               ? -1
               : check_characters(v, SPACES_COMMAND_MAX, e);
}

static int
check_timeout(const struct json *v, struct err *e)
{
    double ms;

    if (!json_num(v, &ms) || ms < SPACES_TIMEOUT_MIN_MS ||
        ms > SPACES_TIMEOUT_MAX_MS || (double)(int64_t)ms != ms)
        return err_set(e, ERR_INVALID, "must be an integer from %d to %d",
                       SPACES_TIMEOUT_MIN_MS, SPACES_TIMEOUT_MAX_MS);
    return 0;
}

static int
check_env(const struct json *v, struct err *e)
{
    CLEANUP(environ_given_done) struct environ_given given = {0};

    if (json_type(v) != JSON_OBJECT)
        return err_set(e, ERR_INVALID, "must be an object");
    for (const struct json *m = json_first(v); m; m = json_next(m)) {
        size_t n, value_n;
        const char *name = json_name(m, &n), *value = json_str(m, &value_n);

        if (!value)
            return err_set(e, ERR_INVALID, "values must be strings");
        if (environ_given_add(&given, name, n, value, value_n, e) < 0)
            return -1;
    }
    return 0;
}

static int
check_edit(const struct json *edit, struct err *e)
{
    static const char *const names[] = {"oldContent", "newContent"};

    if (json_type(edit) != JSON_OBJECT)
        return err_set(e, ERR_INVALID, "must be an object");
    for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
        const struct json *v = json_get(edit, names[i]);

        if (!v)
            return err_set(e, ERR_INVALID, "missing \"%s\"", names[i]);
        if (check_content(v, e) < 0)
            return err_wrap(e, "%s", names[i]);
    }
    return 0;
}

static int
check_edits(const struct json *v, struct err *e)
{
    size_t i = 0;

    if (json_type(v) != JSON_ARRAY || !json_first(v))
        return err_set(e, ERR_INVALID, "must be an array of at least one edit");
    for (const struct json *edit = json_first(v); edit;
         edit = json_next(edit), i++)
        if (check_edit(edit, e) < 0)
            return err_wrap(e, "[%zu]", i);
    return 0;
}

#define OF(type) (1u << (type))
#define OF_FILES                                                               \
    (OF(SPACES_CREATE) | OF(SPACES_READ) | OF(SPACES_EDIT) | OF(SPACES_DELETE))

/* In the order in which they are written. */
static const struct op_field {
    const char *name;
    unsigned types, required;
    check_value *check;
    const char *otherwise; /* JSON text of the default; NULL: it is left out */
} fields[] = {
    {"id", OF(SPACES_TYPE_N) - 1, 0, check_string, NULL},
    {"path", OF_FILES, OF_FILES, check_workspace_path, NULL},
    {"command", OF(SPACES_SHELL), OF(SPACES_SHELL), check_command, NULL},
    {"content", OF(SPACES_MESSAGE), OF(SPACES_MESSAGE), check_message_text,
     NULL},
    {"content", OF(SPACES_CREATE), OF(SPACES_CREATE), check_content, NULL},
    {"encoding", OF(SPACES_CREATE) | OF(SPACES_READ), 0, check_encoding,
     "\"utf-8\""},
    {"overwrite", OF(SPACES_CREATE), 0, check_flag, "false"},
    {"edits", OF(SPACES_EDIT), OF(SPACES_EDIT), check_edits, NULL},
    {"cwd", OF(SPACES_SHELL), 0, check_workspace_path, NULL},
    {"timeout", OF(SPACES_SHELL), 0, check_timeout, "30000"},
    {"env", OF(SPACES_SHELL), 0, check_env, NULL},
};

static const char *const type_names[SPACES_TYPE_N] = {
    [SPACES_MESSAGE] = "message",   [SPACES_CREATE] = "createFile",
    [SPACES_READ] = "readFile",     [SPACES_EDIT] = "editFile",
    [SPACES_DELETE] = "deleteFile", [SPACES_SHELL] = "shell",
};

const char *
spaces_type_name(enum spaces_type t)
{
    return type_names[t];
}

/* SPACES_TYPE_N: it has no type that is known. */
static enum spaces_type
find_op_type(const struct json *op)
{
    const char *name = json_get_str(op, "type");
    enum spaces_type t = 0;

    while (t < SPACES_TYPE_N && (!name || strcmp(name, type_names[t]) != 0))
        t++;
    return t;
}

static int
check_op_field(const struct json *op, enum spaces_type t,
               const struct op_field *f, struct err *e)
{
    const struct json *v = json_get(op, f->name);

    if (!v)
        return f->required & OF(t)
                   ? err_set(e, ERR_INVALID, "missing \"%s\"", f->name)
                   : 0;
    return f->check(v, e) < 0 ? err_wrap(e, "%s", f->name) : 0;
}

static int
check_operation(const struct json *op, struct err *e)
{
    enum spaces_type t = find_op_type(op);

    if (json_type(op) != JSON_OBJECT)
        return err_set(e, ERR_INVALID, "must be an object");
    if (t == SPACES_TYPE_N) {
        CLEANUP_BUF struct buf seen = buf_of(256);

        if (!json_get(op, "type"))
            return err_set(e, ERR_INVALID, "missing \"type\"");
        json_describe(&seen, json_get(op, "type"));
        return err_set(e, ERR_INVALID, "type: unknown operation %s", seen.p);
    }
    for (size_t i = 0; i < ARRAY_SIZE(fields); i++)
        if (fields[i].types & OF(t) && check_op_field(op, t, &fields[i], e) < 0)
            return -1;
    return 0;
}

/* The value of a field, where operations of this type have it. */
static const struct json *
find_op_field(const struct spaces_op *op, const char *name)
{
    for (size_t i = 0; i < ARRAY_SIZE(fields); i++)
        if (fields[i].types & OF(op->type) && strcmp(fields[i].name, name) == 0)
            return json_get(op->v, name);
    return NULL;
}

void
spaces_op_read(const struct json *v, struct spaces_op *out)
{
    double ms = SPACES_TIMEOUT_MS;
    const char *encoding;

    *out = (struct spaces_op){.type = find_op_type(v), .v = v};
    encoding = json_text(find_op_field(out, "encoding"));
    out->id = json_str(json_get(v, "id"), &out->id_len);
    out->path = json_text(
        find_op_field(out, out->type == SPACES_SHELL ? "cwd" : "path"));
    out->command = json_text(find_op_field(out, "command"));
    out->base64 = encoding && strcmp(encoding, "base64") == 0;
    (void)json_bool(find_op_field(out, "overwrite"), &out->overwrite);
    (void)json_num(find_op_field(out, "timeout"), &ms);
    out->timeout_ms = (int64_t)ms;
}

/* Messages. */

static int
check_version(const struct json *root, bool required, struct err *e)
{
    const struct json *v = json_get(root, "protocolVersion");
    const char *s = json_text(v);

    if (!v && !required)
        return 0;
    if (!v)
        return err_set(e, ERR_INVALID, "missing \"protocolVersion\"");
    if (!s || strcmp(s, SPACES_VERSION) != 0)
        return err_set(e, ERR_INVALID, "protocolVersion: must be \"%s\"",
                       SPACES_VERSION);
    return 0;
}

static int
check_operations(const struct json *v, struct err *e)
{
    size_t i = 0;

    if (!v)
        return err_set(e, ERR_INVALID, "missing \"operations\"");
    if (json_type(v) != JSON_ARRAY)
        return err_set(e, ERR_INVALID, "operations: must be an array");
    for (const struct json *op = json_first(v); op; op = json_next(op), i++)
        if (check_operation(op, e) < 0)
            return err_wrap(e, "operations[%zu]", i);
    return 0;
}

static int
read_approval(const struct json *v, struct spaces_line *out, struct err *e)
{
    const char *decision = json_get_str(v, "decision");

    if (json_type(v) != JSON_OBJECT)
        return err_set(e, ERR_INVALID, "must be an object");
    out->op = json_str(json_get(v, "operationId"), &out->op_len);
    if (!out->op)
        return err_set(e, ERR_INVALID, "operationId: must be a string");
    if (decision && strcmp(decision, "approved") == 0)
        out->decision = SPACES_APPROVED;
    else if (decision && strcmp(decision, "denied") == 0)
        out->decision = SPACES_DENIED;
    else
        return err_set(e, ERR_INVALID,
                       "decision: must be \"approved\" or \"denied\"");
    if (json_get(v, "reason") && !json_get_str(v, "reason"))
        return err_set(e, ERR_INVALID,
                       "reason: must be a string without a NUL");
    out->reason = json_get_str(v, "reason");
    return 0;
}

static int
read_resume(struct spaces_line *out, struct err *e)
{
    const struct json *approval = json_get(out->root, "approval");

    out->run = json_get_str(out->root, "runId");
    if (!out->run)
        return err_set(e, ERR_INVALID, "runId: must be a string");
    if (check_version(out->root, false, e) < 0)
        return -1;
    if (approval && read_approval(approval, out, e) < 0)
        return err_wrap(e, "approval");
    return 0;
}

int
spaces_line_parse(const char *line, size_t n, struct spaces_line *out,
                  struct err *e)
{
    *out = (struct spaces_line){0};
    if (!(out->root = json_parse(line, n, JSON_UNIQUE, e)))
        return -1;
    if (json_type(out->root) != JSON_OBJECT)
        return err_set(e, ERR_INVALID, "a message must be an object");
    if (json_get(out->root, "runId") && !json_get(out->root, "operations"))
        return read_resume(out, e);
    if (check_version(out->root, true, e) < 0 ||
        check_operations(json_get(out->root, "operations"), e) < 0)
        return -1;
    out->operations = json_get(out->root, "operations");
    return 0;
}

void
spaces_line_done(struct spaces_line *l)
{
    if (!l)
        return;
    json_free(l->root);
    *l = (struct spaces_line){0};
}

/* What a validator says. */

static void
put_operation(struct json_writer *w, const struct json *op)
{
    enum spaces_type t = find_op_type(op);

    json_open_object(w);
    json_member_str(w, "type", spaces_type_name(t));
    for (size_t i = 0; i < ARRAY_SIZE(fields); i++) {
        const struct op_field *f = &fields[i];
        const struct json *v = json_get(op, f->name);

        if (!(f->types & OF(t)) || (!v && !f->otherwise))
            continue;
        json_key(w, f->name);
        if (v)
            json_put_value(w, v);
        else
            json_put_raw(w, f->otherwise, strlen(f->otherwise));
    }
    json_close_object(w);
}

static void
put_message(struct json_writer *w, const struct spaces_line *l)
{
    if (!l->operations) {
        json_put_value(w, l->root);
        return;
    }
    json_open_object(w);
    json_member_str(w, "protocolVersion", SPACES_VERSION);
    json_key(w, "operations");
    json_open_array(w);
    for (const struct json *op = json_first(l->operations); op;
         op = json_next(op))
        put_operation(w, op);
    json_close_array(w);
    json_close_object(w);
}

void
spaces_line_put_error(struct buf *out, const struct err *why)
{
    struct json_writer w;

    json_write_init(&w, out);
    json_open_object(&w);
    json_member_bool(&w, "success", false);
    json_key(&w, "error");
    json_open_object(&w);
    json_member_str(&w, "code",
                    why->code == ERR_PARSE ? "PARSE_ERROR"
                                           : "VALIDATION_ERROR");
    json_member_str(&w, "message", why->text);
    json_close_object(&w);
    json_close_object(&w);
}

bool
spaces_line_check(const char *line, size_t n, struct buf *out)
{
    CLEANUP(spaces_line_done) struct spaces_line l = {0};
    struct json_writer w;
    struct err e = {0};
    int rc = spaces_line_parse(line, n, &l, &e);
    bool alone = l.root && json_get(l.root, "type") &&
                 !json_get(l.root, "operations") && !json_get(l.root, "runId");

    if (alone)
        rc = check_operation(l.root, &e);
    if (rc < 0) {
        spaces_line_put_error(out, &e);
        return false;
    }
    json_write_init(&w, out);
    json_open_object(&w);
    json_member_bool(&w, "success", true);
    json_key(&w, "data");
    if (alone)
        put_operation(&w, l.root);
    else
        put_message(&w, &l);
    json_close_object(&w);
    return true;
}
