/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp_options.c - what a person sets for one session: mode, model, rounds. */
#include "server/acp/acp_options.h"

#include <stdio.h>
#include <string.h>

#include "action/tool_loop.h"
#include "base/array.h"
#include "base/err.h"

#define OFFLINE "offline"

struct choice {
    const char *value, *name, *description;
};

static const struct choice modes[] = {
    [ACP_MODE_ASK] = {"ask", "Ask", "Asks before a step that writes."},
    [ACP_MODE_AUTO] = {"auto", "Auto",
                       "Asks only where the rules say so: steps that write in "
                       "the working directory run."},
    [ACP_MODE_READ_ONLY] = {"read-only", "Read only",
                            "Steps that need approval are refused."},
};

/* The largest is what tool_loop.h bounds. */
static const struct choice rounds[] = {{"2", "2 answers", NULL},
                                       {"4", "4 answers", NULL},
                                       {"8", "8 answers", NULL}};

void
acp_options_init(struct acp_options *o, const char *model)
{
    *o = (struct acp_options){.rounds = TOOL_LOOP_ROUNDS_MAX,
                              .offline = model == NULL};
    snprintf(o->model, sizeof(o->model), "%s", model ? model : "");
}

const char *
acp_options_mode(const struct acp_options *o)
{
    return modes[o->mode].value;
}

static int
set_mode_option(struct acp_options *o, const char *value)
{
    for (size_t i = 0; i < ARRAY_SIZE(modes); i++) {
        if (strcmp(modes[i].value, value) == 0) {
            o->mode = (enum acp_mode)i;
            return 0;
        }
    }
    return -1;
}

static int
set_model_option(struct acp_options *o, const char *value)
{
    bool offline = strcmp(value, OFFLINE) == 0;

    if (!offline && (!o->model[0] || strcmp(value, o->model) != 0))
        return -1;
    o->offline = offline;
    return 0;
}

static int
set_rounds_option(struct acp_options *o, const char *value)
{
    for (size_t i = 0; i < ARRAY_SIZE(rounds); i++) {
        if (strcmp(rounds[i].value, value) == 0) {
            o->rounds = value[0] - '0';
            return 0;
        }
    }
    return -1;
}

static const struct {
    const char *id;
    int (*set)(struct acp_options *, const char *);
} setters[] = {{"mode", set_mode_option},
               {"model", set_model_option},
               {"rounds", set_rounds_option}};

int
acp_options_set(struct acp_options *o, const char *id, const struct json *value,
                struct err *e)
{
    const char *text = json_text(value);

    for (size_t i = 0; i < ARRAY_SIZE(setters); i++) {
        if (strcmp(setters[i].id, id) != 0)
            continue;
        if (text && setters[i].set(o, text) == 0)
            return 0;
        return err_set(e, ERR_INVALID, "%s: is none of the values on offer",
                       id);
    }
    return err_set(e, ERR_INVALID, "there is no option \"%.40s\"", id);
}

static void
put_described(struct json_writer *w, const char *description)
{
    if (description)
        json_member_str(w, "description", description);
    json_close_object(w);
}

void
acp_options_put_modes(struct json_writer *w, const struct acp_options *o)
{
    json_key(w, "modes");
    json_open_object(w);
    json_member_str(w, "currentModeId", acp_options_mode(o));
    json_key(w, "availableModes");
    json_open_array(w);
    for (size_t i = 0; i < ARRAY_SIZE(modes); i++) {
        json_open_object(w);
        json_member_str(w, "id", modes[i].value);
        json_member_str(w, "name", modes[i].name);
        put_described(w, modes[i].description);
    }
    json_close_array(w);
    json_close_object(w);
}

static void
open_select(struct json_writer *w, const char *id, const char *option,
            const char *name, const char *category, const char *value)
{
    json_open_object(w);
    json_member_str(w, id, option);
    json_member_str(w, "name", name);
    if (category)
        json_member_str(w, "category", category);
    json_member_str(w, "type", "select");
    json_member_str(w, "currentValue", value);
    json_key(w, "options");
    json_open_array(w);
}

static void
put_choice(struct json_writer *w, const struct choice *c)
{
    json_open_object(w);
    json_member_str(w, "value", c->value);
    json_member_str(w, "name", c->name);
    put_described(w, c->description);
}

static void
close_select(struct json_writer *w)
{
    json_close_array(w);
    json_close_object(w);
}

void
acp_options_put(struct json_writer *w, const struct acp_options *o,
                const char *id)
{
    const struct choice asked = {o->model, o->model, NULL};
    static const struct choice engine = {
        OFFLINE, "Offline engine", "Recipes on this machine; asks no model."};
    char number[16];

    snprintf(number, sizeof(number), "%d", o->rounds);
    json_open_array(w);
    open_select(w, id, "mode", "Mode", "mode", acp_options_mode(o));
    for (size_t i = 0; i < ARRAY_SIZE(modes); i++)
        put_choice(w, &modes[i]);
    close_select(w);
    open_select(w, id, "model", "Model", "model",
                o->offline ? OFFLINE : o->model);
    if (o->model[0])
        put_choice(w, &asked);
    put_choice(w, &engine);
    close_select(w);
    open_select(w, id, "rounds", "Rounds", NULL, number);
    for (size_t i = 0; i < ARRAY_SIZE(rounds); i++)
        put_choice(w, &rounds[i]);
    close_select(w);
    json_close_array(w);
}

void
acp_options_save(const struct acp_options *o, struct buf *out)
{
    char number[16];
    struct json_writer w;

    snprintf(number, sizeof(number), "%d", o->rounds);
    json_write_init(&w, out);
    json_open_object(&w);
    json_member_str(&w, "mode", acp_options_mode(o));
    json_member_str(&w, "model", o->offline ? OFFLINE : o->model);
    json_member_str(&w, "rounds", number);
    json_close_object(&w);
}

void
acp_options_load(struct acp_options *o, const char *text)
{
    CLEANUP(json_free_p)
    struct json *root = text ? json_parse(text, strlen(text), 0, NULL) : NULL;

    for (size_t i = 0; i < ARRAY_SIZE(setters); i++) {
        const char *value = json_get_str(root, setters[i].id);

        if (value)
            (void)setters[i].set(o, value);
    }
}
