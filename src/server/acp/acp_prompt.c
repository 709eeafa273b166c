/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp_prompt.c - reads a prompt: its words, its verb, and what is attached. */
#include "server/acp/acp_prompt.h"

#include <limits.h>
#include <string.h>

#include "base/array.h"
#include "base/percent.h"
#include "base/str.h"

#define BLANKS " \t\r\n"

void
acp_prompt_init(struct acp_prompt *p)
{
    *p = (struct acp_prompt){.mode = AIACTION_DO};
    buf_init(&p->text, ACP_PROMPT_MAX);
    buf_init(&p->attached, ACP_PROMPT_MAX);
}

void
acp_prompt_done(struct acp_prompt *p)
{
    if (!p)
        return;
    buf_done(&p->text);
    buf_done(&p->attached);
    model_images_free(p->images);
}

static int
add_prompt_text(const struct json *block, struct acp_prompt *p, struct err *e)
{
    const char *text = json_get_str(block, "text");

    if (!text)
        return err_set(e, ERR_INVALID, "text: must be a string without NUL");
    if (p->text.len > 0)
        buf_ch(&p->text, '\n');
    buf_str(&p->text, text);
    return 0;
}

/* A linked file is named by its path, and all else by its whole address. False:
 * it is no address of a file here. */
static bool
put_linked_path(struct buf *out, const char *uri)
{
    CLEANUP_BUF struct buf path = buf_of(PATH_MAX);

    if (!str_begins(uri, "file://"))
        return false;
    uri += strlen("file://");
    if (str_begins(uri, "localhost/"))
        uri += strlen("localhost");
    if (*uri != '/' || !percent_decode(uri, strcspn(uri, "?#"), false, &path))
        return false;
    buf_add(out, path.p, path.len);
    return true;
}

/* The model may read it by a tool. */
static int
add_prompt_link(const struct json *block, struct acp_prompt *p, struct err *e)
{
    const char *uri = json_get_str(block, "uri");

    if (!uri || !json_get_str(block, "name"))
        return err_set(e, ERR_INVALID,
                       "a resource_link has the strings uri and name");
    buf_str(&p->text, p->text.len ? " (" : "(");
    if (!put_linked_path(&p->text, uri))
        buf_str(&p->text, uri);
    buf_ch(&p->text, ')');
    return 0;
}

static int
add_prompt_resource(const struct json *block, struct acp_prompt *p,
                    struct err *e)
{
    const struct json *r = json_get(block, "resource");
    const char *uri = json_get_str(r, "uri");
    const char *text = json_get_str(r, "text");

    if (!uri)
        return err_set(e, ERR_INVALID, "resource: has a string uri");
    if (!text)
        return err_set(e, ERR_INVALID,
                       "resource: only text is taken, and %.100s has none",
                       uri);
    buf_printf(&p->attached, "%s%s:\n", p->attached.len ? "\n" : "", uri);
    buf_str(&p->attached, text);
    return 0;
}

/* The line beside the others' texts is what the journal has of an image. */
static int
add_prompt_image(const struct json *block, struct acp_prompt *p, struct err *e)
{
    const char *type = json_get_str(block, "mimeType");
    const char *uri = json_get_str(block, "uri");
    size_t n = 0;
    const char *data = json_str(json_get(block, "data"), &n);

    if (!type || !data)
        return err_set(e, ERR_INVALID,
                       "an image has the strings data and mimeType");
    if (!p->images && !(p->images = model_images_new(e)))
        return -1;
    if (model_images_add(p->images, type, data, n, e) < 0)
        return -1;
    buf_printf(&p->attached, "%simage %zu: %s, %zu bytes%s%s\n",
               p->attached.len ? "\n" : "", p->images->n, type, n / 4 * 3,
               uri ? ", " : "", uri ? uri : "");
    return 0;
}

static int
refuse_block(const struct json *block, struct acp_prompt *p, struct err *e)
{
    (void)p;
    return err_set(e, ERR_INVALID,
                   "%s: is not taken (promptCapabilities says what is)",
                   json_get_str(block, "type"));
}

static int
add_block(const struct json *block, struct acp_prompt *p, struct err *e)
{
    static const struct {
        const char *type;
        int (*add)(const struct json *, struct acp_prompt *, struct err *);
    } rows[] = {
        {"text", add_prompt_text},         {"resource_link", add_prompt_link},
        {"resource", add_prompt_resource}, {"image", add_prompt_image},
        {"audio", refuse_block},
    };
    const char *type = json_get_str(block, "type");

    for (size_t i = 0; type && i < ARRAY_SIZE(rows); i++) {
        if (strcmp(type, rows[i].type) == 0)
            return rows[i].add(block, p, e);
    }
    return err_set(e, ERR_INVALID, "unknown content type \"%.40s\"",
                   type ? type : "");
}

/* A first word "/VERB" says what kind of answer is wanted. */
static void
read_verb(struct acp_prompt *p)
{
    static const struct {
        const char *word;
        enum aiaction_mode mode;
    } rows[] = {{"do", AIACTION_DO},
                {"run", AIACTION_RUN},
                {"explain", AIACTION_EXPLAIN}};
    const char *text = p->text.p + strspn(p->text.p, BLANKS);
    const char *word = text + (text[0] == '/');
    size_t n = strcspn(word, BLANKS);

    for (size_t i = 0; text[0] == '/' && i < ARRAY_SIZE(rows); i++) {
        if (strlen(rows[i].word) != n || memcmp(rows[i].word, word, n) != 0)
            continue;
        p->mode = rows[i].mode;
        text = word + n + strspn(word + n, BLANKS);
        break;
    }
    p->words = (size_t)(text - p->text.p);
}

static int
finish_prompt(struct acp_prompt *p, struct err *e)
{
    if (buf_ok(&p->text, "the prompt", e) < 0 ||
        buf_ok(&p->attached, "what is attached", e) < 0)
        return -1;
    read_verb(p);
    return 0;
}

int
acp_prompt_read(const struct json *blocks, struct acp_prompt *p, struct err *e)
{
    size_t i = 0;

    if (!blocks || json_type(blocks) != JSON_ARRAY)
        return err_set(e, ERR_INVALID,
                       "prompt: must be an array of content blocks");
    for (const struct json *b = json_first(blocks); b; b = json_next(b), i++) {
        if (add_block(b, p, e) < 0)
            return err_wrap(e, "prompt[%zu]", i);
    }
    return finish_prompt(p, e);
}

int
acp_prompt_read_text(const char *text, struct acp_prompt *p, struct err *e)
{
    buf_str(&p->text, text);
    return finish_prompt(p, e);
}

struct user_request
acp_prompt_request(const struct acp_prompt *p)
{
    return (struct user_request){.mode = p->mode,
                                 .text = p->text.p + p->words,
                                 .input = p->attached.p,
                                 .input_len = p->attached.len,
                                 .input_name = "what the editor attached",
                                 .images = p->images};
}
