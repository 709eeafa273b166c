/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp_form.c - asks the user by a form what an answer leaves open. */
#include "server/acp/acp_form.h"

#include <stdio.h>
#include <string.h>

#include "json/write.h"

#define NUMBER_SIZE 24
#define LABEL_MAX   (AIACTION_COMMAND_MAX + 1024)

/* Whether one of the commands is whole: a form has no room for the values that
 * the words in capitals of the others stand for. */
static bool
has_whole_command(const struct proposal *p)
{
    for (size_t i = 0; i < p->n_choices; i++) {
        if (!p->choices[i].lacks)
            return true;
    }
    return false;
}

bool
acp_form_is_useful(const struct proposal *p)
{
    return p->lacks || has_whole_command(p);
}

static void
put_command_choice(struct json_writer *w, const struct proposal_choice *c,
                   size_t i)
{
    CLEANUP_BUF struct buf label = buf_of(LABEL_MAX);
    char number[NUMBER_SIZE];

    snprintf(number, sizeof(number), "%zu", i + 1);
    buf_printf(&label, "%s%s%s", c->command, c->title[0] ? "  " : "", c->title);
    json_open_object(w);
    json_member_str(w, "const", number);
    json_member_str(w, "title", label.bad ? c->command : label.p);
    json_close_object(w);
}

static void
put_command_choices(struct json_writer *w, const struct proposal *p)
{
    json_key(w, "command");
    json_open_object(w);
    json_member_str(w, "type", "string");
    json_member_str(w, "title", "Command");
    json_key(w, "oneOf");
    json_open_array(w);
    for (size_t i = 0; i < p->n_choices; i++) {
        if (!p->choices[i].lacks)
            put_command_choice(w, &p->choices[i], i);
    }
    json_close_array(w);
    json_close_object(w);
}

void
acp_form_write(struct buf *out, const char *session, const struct proposal *p)
{
    struct json_writer w;

    json_write_init(&w, out);
    json_open_object(&w);
    json_member_str(&w, "sessionId", session);
    json_member_str(&w, "mode", "form");
    json_member_str(&w, "message",
                    p->lacks ? "A value is missing in the request."
                             : "Which command is meant?");
    json_key(&w, "requestedSchema");
    json_open_object(&w);
    json_member_str(&w, "type", "object");
    json_key(&w, "properties");
    json_open_object(&w);
    if (p->lacks) {
        json_key(&w, "value");
        json_open_object(&w);
        json_member_str(&w, "type", "string");
        json_member_str(&w, "title", "Value");
        json_close_object(&w);
    }
    if (has_whole_command(p))
        put_command_choices(&w, p);
    json_close_object(&w);
    json_close_object(&w);
    json_close_object(&w);
}

enum acp_form_end
acp_form_read(const struct jsonrpc *m, const struct proposal *p, size_t *choice,
              const char **value)
{
    const struct json *result = m && m->kind == JSONRPC_RESULT ? m->result
                                                               : NULL;
    const char *action = json_get_str(result, "action");
    const struct json *content = json_get(result, "content");
    const char *command = json_get_str(content, "command");
    char number[NUMBER_SIZE];

    if (!action || strcmp(action, "accept") != 0)
        return ACP_FORM_LEFT;
    *value = json_get_str(content, "value");
    if (p->lacks && *value && (*value)[0])
        return ACP_FORM_NAMED;
    for (*choice = 0; command && *choice < p->n_choices; ++*choice) {
        snprintf(number, sizeof(number), "%zu", *choice + 1);
        if (strcmp(number, command) == 0)
            return p->choices[*choice].lacks ? ACP_FORM_LEFT : ACP_FORM_CHOSEN;
    }
    return ACP_FORM_LEFT;
}
