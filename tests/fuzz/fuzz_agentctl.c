/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_agentctl.c - bodies of clients, lines of agents and commands, whatever
 * they are: what is passed on is one line and one message, and what was asked
 * is answered once. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "server/agentctl/agentctl_calls.h"
#include "server/agentctl/agentctl_message.h"
#include "server/agentctl/agentctl_output.h"
#include "server/agentctl/agentctl_questions.h"
#include "server/agentctl/agentctl_words.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
must(bool holds)
{
    if (!holds)
        abort();
}

/* What is passed on is a valid message, of one line, with our id. */
static void
check_passed(const struct jsonrpc *m, enum agentctl_kind kind, size_t size)
{
    CLEANUP_BUF struct buf line = buf_of(8 * size + 4096);
    CLEANUP(jsonrpc_done) struct jsonrpc again = {0};
    enum agentctl_kind same;
    struct agentctl_reading read;
    struct err why = {0}, e = {0};
    int rc;

    agentctl_reading_init(&read);
    agentctl_message_finish(&line, &read, m->root,
                            kind == AGENTCTL_NOTIFICATION ? NULL : "17");
    must(!line.bad && !memchr(line.p, '\n', line.len));
    rc = jsonrpc_parse(line.p, line.len, &again, &why);
    must(agentctl_message_check(&again, rc, &why, &same, &e) == 0);
    must(same == kind);
    must(kind == AGENTCTL_NOTIFICATION || strcmp(again.id, "17") == 0);
}

static void
on_answer(void *arg, const struct agentctl_line *line, const struct err *why)
{
    int *times = arg;

    must(line && !why);
    ++*times;
}

static void
read_agents_line(const struct jsonrpc *m, const char *text, size_t size)
{
    CLEANUP(agentctl_calls_free_p)
    struct agentctl_calls *calls = agentctl_calls_new(NULL, NULL, NULL, NULL);
    struct agentctl_questions questions = {0};
    const struct agentctl_line line = {text, size, NULL};
    struct agentctl_reading read;
    int times = 0;

    agentctl_reading_init(&read);
    read.all = true;
    must(agentctl_calls_add(calls, "\"own\"", 0, on_answer, &times, NULL) == 1);
    must(agentctl_calls_answer(calls, m, &line, &read) == (times == 1));
    if (m->id && agentctl_questions_add(&questions, m, text, size, NULL) == 0) {
        char *id = agentctl_questions_take(&questions, m);

        must(id && strcmp(id, m->id) == 0 && questions.n == 0);
        free(id);
    }
    agentctl_questions_clear(&questions);
}

static void
keep_line(const char *text, size_t size)
{
    CLEANUP(agentctl_output_free_p)
    struct agentctl_output *o = agentctl_output_new(2, NULL);
    CLEANUP_BUF struct buf out = buf_of(AGENTCTL_OUTPUT_JSON_MAX);
    CLEANUP(json_free_p) struct json *v = NULL;

    agentctl_output_add(o, AGENTCTL_STDERR, text, size);
    agentctl_output_put(o, 0, &out);
    v = json_parse(out.p, out.len, JSON_UNIQUE, NULL);
    must(!out.bad && json_get(v, "content"));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    CLEANUP(jsonrpc_done) struct jsonrpc m = {0};
    CLEANUP(free_p) char *command = strndup(text, size);
    enum agentctl_kind kind;
    struct err why = {0}, e = {0};
    int rc = jsonrpc_parse(text, size, &m, &why);
    char **words;

    if (agentctl_message_check(&m, rc, &why, &kind, &e) == 0)
        check_passed(&m, kind, size);
    else
        must(e.text[0] != '\0');
    read_agents_line(&m, text, size);
    keep_line(text, size);
    must(command != NULL);
    words = agentctl_words_split(command, &e);
    must(!words || words[0]);
    agentctl_words_free(words);
    return 0;
}
