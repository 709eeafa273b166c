/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shell_memory.c - reads and keeps the conversation of a shell. */
#include "action/shell_memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "model/prompt/prompt.h"
#include "record/shell_file.h"
#include "record/shell_session.h"
#include "json/json.h"

#define HOUR_S 3600
/* Of English, roughly; of code and JSON they are about three. */
#define BYTES_PER_TOKEN 4
/* A model on this machine may have a few thousand tokens for everything. */
#define LOCAL_TOKENS_MAX 2000
/* Of what a conversation keeps, in bytes: some 64,000 tokens, which is more
 * than is sent by default, for `agentsh session show`. */
#define KEPT_MAX  (256u << 10)
#define TITLE_MAX 120
/* Messages that are looked at, the newest. */
#define MESSAGES_MAX 1024
#define MESSAGE_MAX  (256u << 10) /* bytes of one, quoted */
/* Of items, in bytes: most of an editor's are no messages. */
#define SEEN_MAX     (8u << 20)
#define EDITOR_TURN  "turn" /* the item of an editor's session */
#define OUTSIDE_NAME "what earlier commands showed"

/* A message, or a part of one: the next may be of the same role. text NULL: it
 * only says what others could have written. Owned. */
struct remembered {
    bool assistant, begins;
    char *text, *outside;
};

struct shell_memory {
    const struct seat *seat;
    const struct config *config;
    bool looks;
    char id[SESSION_ID_SIZE];
    struct session_store *store; /* NULL: not opened yet */
    bool unreadable;             /* it is damaged, which was told */
    struct shell_exchange *exchange;
    struct conversation *conversation; /* NULL: nothing was read */
    struct buf before;
    char *outside; /* of `before` */
    /* while it is read: */
    struct remembered list[MESSAGES_MAX];
    size_t n, budget;
    size_t bytes, seen; /* of the texts in it; of all items */
};

static void
remembered_done(struct remembered *r)
{
    free(r->text);
    free(r->outside);
    *r = (struct remembered){0};
}

static void
drop_remembered(struct shell_memory *m, size_t n)
{
    for (size_t i = 0; i < n; i++)
        remembered_done(&m->list[i]);
    m->n -= n;
    memmove(m->list, m->list + n, m->n * sizeof(m->list[0]));
}

static void
forget_read(struct shell_memory *m)
{
    drop_remembered(m, m->n);
    conversation_free(m->conversation);
    m->conversation = NULL;
    buf_clear(&m->before);
    free(m->outside);
    m->outside = NULL;
}

void
shell_memory_free(struct shell_memory *m)
{
    if (!m)
        return;
    forget_read(m);
    buf_done(&m->before);
    shell_exchange_free(m->exchange);
    session_store_close(m->store);
    free(m);
}

bool
shell_memory_is_kept(const struct config *c)
{
    return config_bool(c, CONFIG_RECORD_JOURNAL) &&
           config_bool(c, CONFIG_RECORD_CONVERSATION);
}

/* 1: there is a conversation; 0: there is none to look at. */
static int
find_conversation(struct shell_memory *m, bool anew, struct err *e)
{
    int64_t idle_s = config_int(m->config, CONFIG_RECORD_CONVERSATION_HOURS) *
                     HOUR_S;

    if (m->looks)
        return !anew && shell_session_find(m->seat, idle_s, m->id);
    return shell_session_claim(m->seat, idle_s, anew, m->id, e) == 0 ? 1 : -1;
}

struct shell_memory *
shell_memory_open(const struct shell_memory_params *p, struct err *e)
{
    CLEANUP(shell_memory_free_p) struct shell_memory *m = NULL;

    if (!shell_memory_is_kept(p->config) ||
        !shell_file_is_name(seat_variable(p->seat, "AGENTSH_SESSION")))
        return NULL;
    if (!(m = calloc(1, sizeof(*m)))) {
        err_nomem(e);
        return NULL;
    }
    m->seat = p->seat;
    m->config = p->config;
    m->looks = p->looks;
    buf_init(&m->before, 4 * MESSAGE_MAX);
    if (!(m->exchange = shell_exchange_new(e)) ||
        find_conversation(m, p->anew, e) <= 0)
        return NULL;
    return TAKE_PTR(m);
}

const char *
shell_memory_id(const struct shell_memory *m)
{
    return m && !m->looks ? m->id : NULL;
}

struct conversation *
shell_memory_conversation(const struct shell_memory *m)
{
    return m ? m->conversation : NULL;
}

const char *
shell_memory_before(const struct shell_memory *m)
{
    return m && m->before.len > 0 ? m->before.p : NULL;
}

const char *
shell_memory_outside(const struct shell_memory *m)
{
    return m ? m->outside : NULL;
}

struct shell_exchange *
shell_memory_exchange(const struct shell_memory *m)
{
    return m ? m->exchange : NULL;
}

static int
need_store(struct shell_memory *m, struct err *e)
{
    struct err why = {0};

    if (!m->store)
        m->store = session_store_open_quickly(&why);
    if (m->store)
        return 0;
    m->unreadable = why.code == ERR_PARSE;
    return err_set(e, why.code, "%s", why.text);
}

/* Reading. */

/* text and outside are copied. */
static int
remember(struct shell_memory *m, const struct remembered *r)
{
    struct remembered *to = &m->list[m->n];

    if (m->n == MESSAGES_MAX)
        return -1;
    *to = *r;
    to->text = r->text ? strdup(r->text) : NULL;
    to->outside = r->outside ? strdup(r->outside) : NULL;
    m->n++;
    m->bytes += to->text ? strlen(to->text) : 0;
    return (to->text || !r->text) && (to->outside || !r->outside) ? 0 : -1;
}

/* The end of what steps wrote, quoted; a quarter of what may be sent, so that
 * one long output does not push out all that was said. */
static int
remember_results(struct shell_memory *m, const char *text, size_t n, bool shows)
{
    static char name[] = OUTSIDE_NAME;
    CLEANUP_BUF struct buf quoted = buf_of(4 * MESSAGE_MAX);
    size_t max = m->budget / 4, from = n > max ? n - max : 0;

    while (from < n && ((unsigned char)text[from] & 0xC0) == 0x80)
        from++;
    if (prompt_data(PROMPT_CAME, text + from, n - from, &quoted) < 0)
        return -1;
    return remember(m, &(struct remembered){.text = quoted.p,
                                            .outside = shows ? name : NULL});
}

/* Turns the messages from `from` on round. */
static void
reverse_messages(struct shell_memory *m, size_t from)
{
    for (size_t to = m->n; from + 1 < to; from++) {
        struct remembered r = m->list[from];

        m->list[from] = m->list[--to];
        m->list[to] = r;
    }
}

/* A turn of an editor's session: see server/acp/acp_history.c. */
static int
remember_editor_turn(struct shell_memory *m, const char *text, size_t n)
{
    CLEANUP(json_free_p) struct json *turn = json_parse(text, n, 0, NULL);
    size_t first = m->n;
    bool begins = true;

    for (const struct json *v = json_first(turn); v; v = json_next(v)) {
        const char *said = json_get_str(v, "text");
        const char *outside = json_get_str(v, "outside");
        struct remembered r = {.text = (char *)(uintptr_t)said,
                               .outside = (char *)(uintptr_t)outside};

        (void)json_bool(json_get(v, "assistant"), &r.assistant);
        r.begins = begins && said;
        begins = begins && !said;
        if (remember(m, &r) < 0)
            return -1;
    }
    reverse_messages(m, first);
    return 0;
}

/* They come the newest first, until there are more than may be sent. */
static int
remember_item(void *arg, int64_t number, const char *kind, const char *text,
              size_t n)
{
    struct shell_memory *m = arg;
    struct remembered r = {.text = (char *)(uintptr_t)text};

    (void)number;
    m->seen += n;
    if (m->bytes > m->budget || m->seen > SEEN_MAX)
        return -1;
    if (strcmp(kind, EDITOR_TURN) == 0)
        return remember_editor_turn(m, text, n);
    if (strcmp(kind, SHELL_EXCHANGE_CAME) == 0 ||
        strcmp(kind, SHELL_EXCHANGE_STATUS) == 0)
        return remember_results(m, text, n,
                                strcmp(kind, SHELL_EXCHANGE_CAME) == 0);
    if (strcmp(kind, SHELL_EXCHANGE_OUTSIDE) == 0)
        r = (struct remembered){.outside = r.text};
    else if (strcmp(kind, SHELL_EXCHANGE_ANSWER) == 0)
        r.assistant = true;
    else if (strcmp(kind, SHELL_EXCHANGE_ASK) == 0)
        r.begins = true;
    else if (strcmp(kind, SHELL_EXCHANGE_REPLY) != 0)
        return 0;
    return remember(m, &r);
}

/* Leaves the newest requests that fit, whole. */
static void
keep_newest(struct shell_memory *m)
{
    size_t keep = m->n, bytes = 0;

    for (size_t i = m->n; i-- > 0;) {
        bytes += m->list[i].text ? strlen(m->list[i].text) : 0;
        if (bytes > m->budget)
            break;
        if (m->list[i].begins)
            keep = i;
    }
    drop_remembered(m, keep);
}

/* Adds a message of the parts before `to`; the first is of the person. */
static int
add_message(struct shell_memory *m, const struct buf *text, bool assistant,
            const char *outside, struct err *e)
{
    const struct model_answer answer = {.text = text->p, .len = text->len};

    if (buf_ok(text, "the conversation", e) < 0)
        return -1;
    if (assistant)
        return conversation_add_assistant(m->conversation, &answer, e);
    conversation_begin(m->conversation);
    return conversation_add_user(m->conversation, text->p, outside, NULL, e);
}

/* Joins the parts of one role, from *at on; *at is then behind them. Returns
 * what of them others could have written; borrowed. */
static const char *
join_parts(const struct shell_memory *m, size_t *at, bool assistant,
           struct buf *text)
{
    const char *outside = NULL;

    for (; *at < m->n; ++*at) {
        const struct remembered *r = &m->list[*at];

        if (r->text && r->assistant != assistant)
            break;
        if (r->outside)
            conversation_note_outside(m->conversation, r->outside);
        if (!r->text)
            continue;
        if (!outside)
            outside = r->outside;
        buf_printf(text, "%s%s", text->len ? "\n" : "", r->text);
    }
    return outside;
}

/* Makes the conversation: the person and the model speak by turns, and the
 * person's words at its end stand before the next request. */
static int
make_conversation(struct shell_memory *m, struct err *e)
{
    bool assistant = false;
    size_t at = 0;

    if (m->n == 0)
        return 0;
    if (!(m->conversation = conversation_new(e)))
        return -1;
    for (; at < m->n; assistant = !assistant) {
        CLEANUP_BUF struct buf text = buf_of(4 * MESSAGE_MAX);
        const char *outside = join_parts(m, &at, assistant, &text);

        if (text.len == 0 && !text.bad)
            continue;
        if (assistant || at < m->n) {
            if (add_message(m, &text, assistant, outside, e) < 0)
                return -1;
            continue;
        }
        buf_add(&m->before, text.p, text.len);
        if (outside && !(m->outside = strdup(outside)))
            return err_nomem(e);
    }
    return buf_ok(&m->before, "the conversation", e);
}

static size_t
budget_of(const struct shell_memory *m, const struct model_selection *c)
{
    int64_t tokens = config_int(m->config, CONFIG_RECORD_CONVERSATION_TOKENS);

    if (c && model_selection_is_local(c) && tokens > LOCAL_TOKENS_MAX)
        tokens = LOCAL_TOKENS_MAX;
    return (size_t)tokens * BYTES_PER_TOKEN;
}

int
shell_memory_load(struct shell_memory *m, const struct model_selection *c,
                  struct err *e)
{
    struct err why = {0};

    if (!m)
        return 0;
    forget_read(m);
    m->budget = budget_of(m, c);
    if (m->budget == 0)
        return 0;
    if (need_store(m, e) < 0)
        return -1;
    m->bytes = m->seen = 0;
    if (session_store_read_back(m->store, m->id, remember_item, m, &why) < 0) {
        forget_read(m);
        return why.code == ERR_NOT_FOUND ? 0
                                         : err_set(e, why.code, "%s", why.text);
    }
    reverse_messages(m, 0);
    keep_newest(m);
    if (make_conversation(m, e) < 0) {
        forget_read(m);
        return -1;
    }
    drop_remembered(m, m->n);
    return 0;
}

/* Keeping. */

static void
put_first_line(const struct session_item *first, struct buf *out)
{
    size_t n = strcspn(first->text, "\n");

    buf_add(out, first->text, utf8_boundary(first->text, n, TITLE_MAX));
}

/* The first exchange: the conversation is entered, and old ones leave. Where
 * another line of the shell has entered it, that is no failure. */
static void
enter_conversation(struct shell_memory *m, const struct session_item *first)
{
    CLEANUP_BUF struct buf title = buf_of(TITLE_MAX + 8);
    const char *dir = seat_dir(m->seat);
    struct session_info in = {.directory = dir ? dir : "/",
                              .settings = SHELL_SESSION_SETTINGS};

    put_first_line(first, &title);
    in.title = title.p;
    if (session_store_create(m->store, m->id, &in, NULL) < 0)
        return;
    (void)session_store_expire(
        m->store, config_int(m->config, CONFIG_RECORD_KEEP_DAYS), NULL);
    (void)session_store_limit(
        m->store, SHELL_SESSION_SETTINGS,
        config_int(m->config, CONFIG_RECORD_CONVERSATIONS), NULL);
}

static int
note_owner(void *arg, const struct session_info *info)
{
    bool *shells = arg;

    *shells = strcmp(info->settings, SHELL_SESSION_SETTINGS) == 0;
    return 0;
}

/* An editor's session that goes on here keeps all that the editor shows. */
static int
trim_conversation(struct shell_memory *m, struct err *e)
{
    bool shells = false;

    if (session_store_info(m->store, m->id, note_owner, &shells, e) < 0)
        return -1;
    return shells ? session_store_trim(m->store, m->id, KEPT_MAX,
                                       KEPT_MAX / 4 * 3, e)
                  : 0;
}

int
shell_memory_save(struct shell_memory *m, struct err *e)
{
    const struct session_item *items;
    struct err why = {0};
    size_t n = 0;
    int rc;

    items = shell_exchange_items(m ? m->exchange : NULL, &n);
    if (n == 0 || m->looks || m->unreadable)
        return 0;
    if (need_store(m, e) < 0)
        return -1;
    rc = session_store_append_all(m->store, m->id, items, n, &why);
    if (rc < 0 && why.code == ERR_NOT_FOUND) {
        enter_conversation(m, items);
        rc = session_store_append_all(m->store, m->id, items, n, &why);
    }
    if (rc == 0) {
        shell_session_touch(m->seat, m->id);
        return trim_conversation(m, e);
    }
    /* it was deleted, or has as many items as there are numbers: the next line
     * begins another one */
    if (why.code == ERR_NOT_FOUND || why.code == ERR_NOMEM)
        shell_session_forget(m->seat, m->id);
    return why.code == ERR_NOT_FOUND ? 0 : err_set(e, why.code, "%s", why.text);
}
