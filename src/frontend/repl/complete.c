/* SPDX-License-Identifier: GPL-3.0-or-later */
/* complete.c - what the Tab key offers. */
#include "frontend/repl/complete.h"

#include <readline/readline.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "frontend/repl/ai_line.h"
#include "frontend/repl/bindings.h"
#include "ui/options.h"

#define BREAKS_MAX  64
#define OPTION_SIZE 64
#define QUOTE_MS    1000

static struct completer {
    struct bash_channel *channel;
    struct bash_waiter waiter;
    char breaks[BREAKS_MAX];
    bool more;
    bool verb;             /* whether one may stand here */
    unsigned options;      /* of the assistant's verb, and the words that the */
    const char *arguments; /* option before takes; NULL: any */
} self;

bool
complete_is_quoted(const char *line, int at)
{
    int i = 0;

    while (i < at && line[i]) {
        char quote = line[i++];

        if (quote == '\\') {
            if (i++ == at)
                return true;
        } else if (quote == '\'' || quote == '"') {
            while (line[i] && line[i] != quote)
                i += line[i] == '\\' && quote == '"' && line[i + 1] ? 2 : 1;
            if (i++ >= at)
                return true;
        }
    }
    return i == at && (line[i] == '\'' || line[i] == '"');
}

static int
is_point_quoted(char *line, int at)
{
    return complete_is_quoted(line, at);
}

static char *
next_verb(const char *text, int state)
{
    static size_t at;
    const char *verb;

    if (state == 0)
        at = 0;
    while ((verb = options_verb_name(at)) != NULL) {
        at++;
        if (strncmp(verb, text, strlen(text)) == 0)
            return strdup(verb);
    }
    return NULL;
}

static char *
next_option(const char *text, int state)
{
    static size_t at;
    const char *name;

    if (state == 0)
        at = 0;
    while ((name = options_name(at, self.options)) != NULL) {
        char option[OPTION_SIZE];

        at++;
        snprintf(option, sizeof(option), "--%s", name);
        if (strncmp(option, text, strlen(text)) == 0)
            return strdup(option);
    }
    return NULL;
}

static char *
next_argument(const char *text, int state)
{
    static const char *at;

    if (state == 0)
        at = self.arguments;
    while (*at) {
        const char *word = at;
        size_t n = strcspn(word, "|");

        at += n + (word[n] == '|');
        if (strncmp(word, text, strlen(text)) == 0 && strlen(text) <= n)
            return strndup(word, n);
    }
    return NULL;
}

/* Whether words, behind the assistant's name, are options and nothing else. */
static bool
are_options(char *const *words)
{
    for (int i = 1; words[i]; i++) {
        if (words[i][0] != '-' || strcmp(words[i], "--") == 0)
            return false;
        if (options_takes_value(words[i], VERB_OPTIONS) && !words[++i])
            return false;
    }
    return true;
}

/* What may stand at `start`: a verb, the options of the line's verb, and the
 * words that the option before it takes. */
static void
read_before(int start)
{
    CLEANUP(free_p) char *before = strndup(rl_line_buffer, (size_t)start);
    CLEANUP(free_p)
    char **words = before ? ai_line_split(before, NULL, NULL) : NULL;
    const char *last = before ? before : "";

    self.options = VERB_OPTIONS;
    self.arguments = NULL;
    self.verb = words && are_options(words);
    for (int i = 1; words && words[i]; i++) {
        if (options_is_verb(words[i])) {
            self.options = options_of_verb(words[i]);
            break;
        }
    }
    while (start > 0 && strchr(" \t", last[start - 1]))
        start--;
    if (before)
        before[start] = '\0';
    while (start > 0 && !strchr(" \t", last[start - 1]))
        start--;
    if (last[start] == '-')
        self.arguments = options_arguments(last + start, self.options);
}

static char **
for_assistant(const char *word, int start)
{
    read_before(start);
    if (self.arguments)
        return rl_completion_matches(word, next_argument);
    if (*word == '-')
        return rl_completion_matches(word, next_option);
    if (self.verb)
        return rl_completion_matches(word, next_verb);
    return rl_completion_matches(word, rl_filename_completion_function);
}

/* Fields of an answer as Readline takes them: the first is what the others
 * have in common. */
static char **
to_matches(const struct buf *fields)
{
    size_t count = 0, at;
    char **v;

    for (at = 0; at < fields->len; at += strlen(fields->p + at) + 1)
        count++;
    v = count ? calloc(count + 1, sizeof(*v)) : NULL;
    if (!v)
        return NULL;
    count = 0;
    for (at = 0; at < fields->len; at += strlen(fields->p + at) + 1) {
        v[count] = strdup(fields->p + at);
        if (!v[count++])
            break;
    }
    return v;
}

static void
use(const struct bash_matches *how)
{
    rl_filename_completion_desired = how->filenames;
    rl_filename_quoting_desired = how->quoting;
    rl_sort_completion_matches = how->sort;
    rl_completion_suppress_quote = how->suppress_quote;
    rl_completion_append_character = how->append;
    rl_completion_suppress_append = how->append == 0;
}

/* Whether the word before the point is to be more than the assistant's name. */
static bool
is_assistants(int start)
{
    return !self.more && ai_line_is(rl_line_buffer, AI_NAME) &&
           start > (int)strlen(AI_NAME);
}

static bool
is_on(const char *variable)
{
    const char *value = rl_variable_value(variable);

    return value && strcmp(value, "on") == 0;
}

/* What a word ends in that is complete, or goes on with another part. */
static bool
is_ended(void)
{
    return rl_point > 0 && strchr(" /=:", rl_line_buffer[rl_point - 1]);
}

int
complete_key(int count, int key)
{
    static bool changed;
    CLEANUP(free_p) char *had = strdup(rl_line_buffer);

    if (rl_inhibit_completion || is_assistants(rl_point))
        return rl_complete(count, key);
    if (rl_last_func == complete_key && !changed)
        return rl_complete_internal('?');
    changed = false;
    if (!had || !bindings_pass(false))
        return rl_ding();
    changed = strcmp(had, rl_line_buffer) != 0;
    if (changed && is_ended())
        return 0;
    if (is_on("show-all-if-ambiguous") ||
        (!changed && is_on("show-all-if-unmodified")))
        return rl_complete_internal('?');
    return rl_ding();
}

static char **
attempt(const char *word, int start, int end)
{
    const struct bash_reply *reply = &self.channel->reply;
    char point[16];

    (void)end;
    rl_attempted_completion_over = 1;
    if (is_assistants(start))
        return for_assistant(word, start);
    snprintf(point, sizeof(point), "%d", rl_point);
    if (bash_channel_ask(self.channel, BASH_MSG_COMPLETE,
                         (const char *[]){point, rl_line_buffer, NULL},
                         NULL) < 0 ||
        !self.waiter.wait(self.waiter.arg, false))
        return NULL;
    if (!reply->matches_known || !bash_reply_fields(reply))
        return NULL;
    use(&reply->matches);
    return to_matches(bash_reply_fields(reply));
}

/* A match as it must stand in the line, quoted by bash. */
static char *
quote(char *text, int kind, char *quote_char)
{
    const struct buf *fields;
    char number[16];

    snprintf(number, sizeof(number), "%d", kind);
    fields = bash_channel_query(
        self.channel, BASH_MSG_QUOTE,
        (const char *[]){number, (char[]){*quote_char, '\0'}, text, NULL},
        QUOTE_MS);
    return strdup(fields && fields->len ? fields->p : text);
}

void
complete_init(struct bash_channel *ch, const struct bash_waiter *w)
{
    self = (struct completer){.channel = ch, .waiter = *w};
    rl_attempted_completion_function = attempt;
    rl_filename_quoting_function = quote;
    rl_char_is_quoted_p = is_point_quoted;
    rl_completer_quote_characters = "'\"";
    rl_filename_quote_characters = " \t\n\\\"'@<>=;|&()#$`?*[!:{~";
    rl_special_prefixes = "$";
    (void)rl_bind_key_in_map('\t', complete_key, emacs_standard_keymap);
    (void)rl_bind_key_in_map('\t', complete_key, vi_insertion_keymap);
}

void
complete_begin(const char *breaks, bool more)
{
    snprintf(self.breaks, sizeof(self.breaks), "%s", breaks);
    rl_completer_word_break_characters = self.breaks;
    self.more = more;
}
