/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spaces.c - the Agent Spaces protocol: operations in, events out. */
#include "server/spaces/spaces.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/worker.h"
#include "server/server_policy.h"
#include "server/spaces/spaces_run.h"
#include "wire/line_reader.h"
#include "wire/sender.h"

#define MESSAGE_MAX (SPACES_RUN_CONTENT_MAX + 4u * SPACES_LINE_MAX)
#define OUT_MAX     (SENDER_HIGH + MESSAGE_MAX) /* one answer is queued */

#define NOTIFIED_MS 250  /* between two checks of the store for an answer */
#define LAST_MS     1500 /* for an operation when the peer has left */
#define HANGUP_MS   100  /* between two checks whether the peer has gone */
#define FLUSH_MS    400  /* for the last answer */
#define LONG_LINE   (64u << 10) /* bytes; a thread parses such a one */

struct spaces {
    struct spaces_setup set;
    struct seat *seat; /* of the workspace */
    struct policy *policy;
    struct registry *registry;
    struct tool_pool *pool;
    struct spaces_shared shared;
    struct read_buffer *buffer;
    struct line_reader *lines; /* NULL: not yet, or none come */
    struct sender *out;
    struct watch *notified, *limit, *hangup, *written;
    struct spaces_run *run;  /* under way, or being answered */
    struct worker *worker;   /* work in a thread; one task at a time */
    struct err why;          /* of it; ERR_NONE: it succeeded */
    struct buf text;         /* the line that is handled */
    struct spaces_line line; /* what it says */
    const struct spaces_resume *resume; /* NULL: what somebody else answered */
    struct spaces_resume asked;         /* by the line, with: */
    struct spaces_answer answer;
    char answered[SPACES_STORE_ID_SIZE];
    struct spaces_claim claim;
    struct spaces_line claimed; /* the operations of the claim */
    bool answering;             /* an answer is being written */
    bool input_over, hung_up, stopping, over;
    bool look;       /* an approval may have been answered */
    bool due_answer; /* the line or the call under way needs an answer */
    enum spaces_result result;
    bool waits; /* a run ended so */
};

static void look_for_work(struct spaces *s);
static void on_run_done(void *arg);

/* Threads. */

static bool
is_server_idle(const struct spaces *s)
{
    return !s->run && !s->worker && !s->answering;
}

static void
end_work(struct spaces *s)
{
    worker_free(TAKE_PTR(s->worker));
}

/* Without a thread the work is done on the loop. */
static void
start_work(struct spaces *s, void (*run)(void *arg), void (*done)(void *arg))
{
    s->why = (struct err){0};
    s->worker = worker_start(s->set.loop, run, done, s, NULL);
    if (s->worker)
        return;
    run(s);
    done(s);
}

static void
end_server(struct spaces *s)
{
    if (s->over)
        return;
    s->over = true;
    if (s->lines)
        line_reader_pause(s->lines, true);
    s->set.ended(s->set.arg);
}

/* Answers. */

/* The next line is read when this one was answered. */
static void
finish_run(struct spaces *s)
{
    spaces_run_free(TAKE_PTR(s->run));
    look_for_work(s);
}

static void
on_delivered(void *arg)
{
    struct spaces *s = arg;

    end_work(s);
    if (s->why.code != ERR_NONE)
        s->set.log(s->set.arg, s->why.text);
    finish_run(s);
}

static void
report_delivered(void *arg)
{
    struct spaces *s = arg;
    enum spaces_status status = spaces_run_status(s->run);

    (void)spaces_store_delivered(s->shared.store, spaces_run_id(s->run),
                                 status == SPACES_COMPLETED, &s->why);
}

static void
on_written(void *arg)
{
    struct spaces *s = arg;

    s->answering = false;
    if (s->run && spaces_run_is_stored(s->run))
        start_work(s, report_delivered, on_delivered);
    else
        finish_run(s);
}

static void
on_file_written(void *arg, unsigned events)
{
    (void)events;
    on_written(arg);
}

static void
send_answer(struct spaces *s, const struct buf *head, struct buf *events)
{
    static const char end[] = SPACES_EVENT_MESSAGE_END;
    struct err e = {0};

    if (buf_ok(events, "the answer", &e) < 0) {
        s->set.log(s->set.arg, e.text);
        end_server(s);
        return;
    }
    s->answering = true;
    sender_add(s->out, head->p, head->len);
    sender_take(s->out, events);
    sender_add(s->out, end, sizeof(end) - 1);
    if (sender_is_empty(s->out)) /* a file */
        watch_again(s->written, 0);
    else
        sender_on_empty(s->out, on_written, s);
}

static void
on_run_done(void *arg)
{
    struct spaces *s = arg;
    CLEANUP_BUF struct buf head = buf_of(SPACES_LINE_MAX);
    CLEANUP_BUF struct buf events = buf_of(0);

    watch_stop(s->limit);
    if (s->result < spaces_run_result(s->run))
        s->result = spaces_run_result(s->run);
    if (spaces_run_status(s->run) == SPACES_AWAITING) {
        s->waits = true;
        watch_again(s->notified, NOTIFIED_MS);
    }
    spaces_run_take(s->run, &head, &events);
    send_answer(s, &head, &events);
}

/* The error event for an invalid line, or for a run that cannot be resumed. */
static void
answer_error(struct spaces *s, const char *about, const struct err *why,
             const char *category)
{
    CLEANUP_BUF struct buf head = buf_of(SPACES_LINE_MAX);
    CLEANUP_BUF struct buf events = buf_of(MESSAGE_MAX);
    char id[SPACES_STORE_ID_SIZE] = "";
    struct journal_run *j = journal_run_new(s->set.journal, NULL);

    if (about && strlen(about) < sizeof(id))
        snprintf(id, sizeof(id), "%s", about);
    else
        (void)spaces_run_make_id(id, NULL);
    s->result = SPACES_SOME_FAILED;
    spaces_event_error(&events, NULL, category, why->text);
    spaces_event_begin_message(&head, id, spaces_status_name(SPACES_ERROR));
    spaces_record(&s->shared, j, "request",
                  (const struct journal_member[]){
                      JOURNAL_STR("verb", "spaces"),
                      JOURNAL_STR("text", "a line that is refused"),
                      JOURNAL_STR("directory", seat_dir(s->seat)),
                      JOURNAL_STR("session", id),
                      JOURNAL_STR("why", why->text),
                      {0},
                  });
    spaces_record(&s->shared, j, "end",
                  (const struct journal_member[]){
                      JOURNAL_NUM("status", SPACES_STATUS_FAILED),
                      {0},
                  });
    journal_run_free(j);
    send_answer(s, &head, &events);
}

/* Going on with runs. */

static void
on_claimed(void *arg)
{
    struct spaces *s = arg;
    struct err e = s->why;

    end_work(s);
    if (s->stopping) { /* what was taken over is interrupted now */
        look_for_work(s);
        return;
    }
    if (!s->resume && !s->answered[0]) {
        s->look = false;
        look_for_work(s);
        return;
    }
    if (e.code == ERR_NONE &&
        !(s->run = spaces_run_resume(&s->shared, &s->claim, &s->claimed,
                                     on_run_done, s, &e)) &&
        e.code == ERR_NONE)
        err_nomem(&e);
    spaces_claim_done(&s->claim);
    spaces_line_done(&s->claimed);
    if (s->run)
        return;
    if (s->resume) {
        answer_error(s, s->resume->run, &e, "validation");
        return;
    }
    s->set.log(s->set.arg, e.text);
    s->look = false;
    look_for_work(s);
}

static void
claim_run(void *arg)
{
    struct spaces *s = arg;
    struct spaces_resume other = {.run = s->answered,
                                  .workspace = seat_dir(s->seat)};
    const struct spaces_resume *r = s->resume ? s->resume : &other;

    if (!s->resume &&
        (spaces_store_answered(s->shared.store, s->answered, &s->why) < 0 ||
         !s->answered[0]))
        return;
    if (spaces_store_claim(s->shared.store, r, &s->claim, &s->why) == 0)
        (void)spaces_line_parse(s->claim.operations, s->claim.operations_n,
                                &s->claimed, &s->why);
}

static void
start_claim(struct spaces *s, const struct spaces_resume *r)
{
    struct err e = {0};

    if (s->lines) /* one thing at a time */
        line_reader_pause(s->lines, true);
    s->resume = r;
    s->answered[0] = '\0';
    if (s->shared.store) {
        start_work(s, claim_run, on_claimed);
        return;
    }
    err_set(&e, ERR_NOT_FOUND, "no run waits: there is no store of approvals");
    answer_error(s, r ? r->run : NULL, &e, "system");
}

static void
on_notified(void *arg, unsigned events)
{
    struct spaces *s = arg;

    (void)events;
    watch_again(s->notified, NOTIFIED_MS);
    if (!is_server_idle(s) || s->over || s->stopping)
        return;
    s->look = s->look || spaces_store_was_notified(s->shared.store);
    if (s->look)
        look_for_work(s);
}

/* Lines. */

static void
resume_by_line(struct spaces *s)
{
    const struct spaces_line *l = &s->line;

    s->answer = (struct spaces_answer){.yes = l->decision == SPACES_APPROVED,
                                       .by = "the agent's program",
                                       .via = "agentsh spaces",
                                       .why = l->reason};
    s->asked = (struct spaces_resume){
        .run = l->run,
        .workspace = seat_dir(s->seat),
        .op = l->op,
        .op_n = l->op_len,
        .answer = l->decision == SPACES_UNDECIDED ? NULL : &s->answer};
    start_claim(s, &s->asked);
}

static void
on_parsed(void *arg)
{
    struct spaces *s = arg;
    struct err e = s->why;

    end_work(s);
    if (s->stopping) {
        look_for_work(s);
        return;
    }
    if (e.code != ERR_NONE) {
        answer_error(s, NULL, &e, "validation");
        return;
    }
    if (!s->line.operations) {
        resume_by_line(s);
        return;
    }
    s->run = spaces_run_new(&s->shared, &s->line, &s->text, on_run_done, s, &e);
    if (!s->run)
        answer_error(s, NULL, &e, "system");
}

static void
parse_spaces_line(void *arg)
{
    struct spaces *s = arg;

    (void)spaces_line_parse(s->text.p, s->text.len, &s->line, &s->why);
}

/* Takes the line over. */
static void
handle_line(struct spaces *s, const char *line, size_t n)
{
    bool blank = strspn(line, " \t\r") == n;

    if (blank || s->over)
        return;
    if (s->lines)
        line_reader_pause(s->lines, true);
    spaces_line_done(&s->line);
    buf_done(&s->text);
    buf_init(&s->text, SPACES_LINE_MAX);
    if (!s->lines || !line_reader_take(s->lines, &s->text))
        buf_add(&s->text, line, n);
    s->why = (struct err){0};
    if (s->text.len > LONG_LINE) {
        start_work(s, parse_spaces_line, on_parsed);
        return;
    }
    if (buf_ok(&s->text, "the line", &s->why) == 0)
        parse_spaces_line(s);
    on_parsed(s);
}

static void
on_line(void *arg, char *line, size_t n)
{
    handle_line(arg, line, n);
}

static void
on_too_long(void *arg)
{
    struct spaces *s = arg;
    struct err e = {0};

    line_reader_pause(s->lines, true);
    spaces_line_done(&s->line);
    err_set(&e, ERR_INVALID, "a message must have at most %u bytes",
            SPACES_LINE_MAX);
    answer_error(s, NULL, &e, "validation");
}

static void
on_end(void *arg, char *rest, size_t n, const struct err *why)
{
    struct spaces *s = arg;

    s->input_over = true;
    if (why) {
        s->result = SPACES_SOME_FAILED;
        s->set.log(s->set.arg, why->text);
    } else if (rest)
        handle_line(s, rest, n);
    look_for_work(s);
}

/* Polls for the end of an input that is not read while an operation runs;
 * epoll(7) would also report that it is readable, all the time. */
static bool
is_input_closed(const struct spaces *s)
{
    struct pollfd p = {.fd = s->set.in, .events = POLLRDHUP};

    return poll(&p, 1, 0) > 0 && p.revents & (POLLHUP | POLLRDHUP | POLLERR);
}

/* The peer has gone: the operations that it sent before still run, each within
 * a time limit. */
static void
on_hangup_due(void *arg, unsigned events)
{
    struct spaces *s = arg;

    (void)events;
    if (s->over || s->stopping || !s->run)
        return;
    s->hung_up = is_input_closed(s);
    watch_again(s->hung_up ? s->limit : s->hangup,
                s->hung_up ? LAST_MS : HANGUP_MS);
}

static void
on_op_begins(void *arg)
{
    struct spaces *s = arg;

    if (s->hung_up)
        watch_again(s->limit, LAST_MS);
    else if (s->set.in >= 0 && !s->set.once)
        watch_again(s->hangup, HANGUP_MS);
}

static void
on_limit(void *arg, unsigned events)
{
    struct spaces *s = arg;

    (void)events;
    if (s->stopping)
        end_server(s);
    else
        spaces_stop(s);
}

static void
on_sender(void *arg, enum sender_state state)
{
    struct spaces *s = arg;

    if (state == SENDER_GONE)
        end_server(s);
}

static int
begin_input(struct spaces *s, struct err *e)
{
    static const struct line_reader_events events = {
        .line = on_line, .too_long = on_too_long, .end = on_end};

    if (!(s->buffer = read_buffer_new(e)))
        return -1;
    s->lines = line_reader_new(s->set.loop, s->set.in, s->buffer,
                               SPACES_LINE_MAX, &events, s, e);
    return s->lines ? 0 : -1;
}

/* Starts what is to be done next; called whenever something has ended. */
static void
look_for_work(struct spaces *s)
{
    struct err e = {0};

    if (s->over || !is_server_idle(s))
        return;
    if (s->stopping) {
        end_server(s);
    } else if (s->due_answer) {
        s->due_answer = false;
        start_claim(s, s->resume);
    } else if (s->set.in >= 0 && !s->lines) {
        if (begin_input(s, &e) == 0)
            return;
        s->set.log(s->set.arg, e.text);
        end_server(s);
    } else if (s->look) {
        start_claim(s, NULL);
    } else if (s->input_over || s->set.in < 0) {
        end_server(s);
    } else {
        line_reader_pause(s->lines, false);
    }
}

/* The store. */

static void
log_left(void *arg, const char *run, bool interrupted)
{
    struct spaces *s = arg;

    buf_printf(&s->text, "%s%s %s; to go on: agentsh spaces resume %s approved",
               s->text.len ? "\n" : "", run,
               interrupted ? "was interrupted"
                           : "was answered, and nobody went on with it",
               run);
}

static void
open_store(void *arg)
{
    struct spaces *s = arg;
    int64_t keep = config_int(s->set.config, CONFIG_RECORD_KEEP_DAYS);

    if (!s->shared.store)
        s->shared.store = spaces_store_open(keep, &s->why);
    if (s->shared.store && s->set.in >= 0)
        (void)spaces_store_left(s->shared.store, seat_dir(s->seat), log_left, s,
                                &s->why);
}

static void
on_store_open(void *arg)
{
    struct spaces *s = arg;

    end_work(s);
    if (s->why.code != ERR_NONE)
        s->set.log(s->set.arg, s->why.text);
    if (s->text.len > 0)
        s->set.log(s->set.arg, s->text.p);
    buf_clear(&s->text);
    look_for_work(s);
}

/* Beginning and end. */

static void
record_errand(void *arg, const char *kind, const struct journal_member *members,
              bool later)
{
    const struct spaces_shared *sh = arg;

    (void)later;
    if (sh->current)
        spaces_record(sh, spaces_run_journal(sh->current), kind, members);
}

/* The directory without links, so that it has one name for all. */
static int
open_spaces_workspace(struct spaces *s, struct err *e)
{
    const char *dir = s->set.workspace ? s->set.workspace
                                       : seat_need_dir(s->set.seat, e);
    CLEANUP(free_p) char *real = dir ? realpath(dir, NULL) : NULL;

    if (!dir)
        return -1;
    if (!real) {
        err_sys(e, "--workspace %.100s", dir);
        return err_set(e, ERR_USAGE, "--workspace %.100s: %s", dir,
                       err_system(e->sys));
    }
    if (!(s->seat = seat_move(s->set.seat, real, NULL, e)))
        return err_wrap(e, "--workspace");
    s->shared.root = open(real, O_PATH | O_DIRECTORY | O_CLOEXEC);
    return s->shared.root < 0 ? err_sys(e, "%s", real) : 0;
}

static int
open_errands(struct spaces *s, struct err *e)
{
    struct spaces_shared *sh = &s->shared;

    sh->errand = (struct errand_params){
        .loop = s->set.loop,
        .seat = s->seat,
        .config = s->set.config,
        .policy = s->policy,
        .registry = s->registry,
        .pool = s->pool,
        .workspace = seat_dir(s->seat),
        .record = {.add = record_errand, .arg = sh},
        .ask = ERRAND_ASK_LATER,
        .by = "agentsh spaces",
        .yes = sh->yes,
    };
    sh->errands = errand_context_new(&sh->errand, e);
    return sh->errands ? 0 : -1;
}

static int
fill_shared(struct spaces *s, struct err *e)
{
    struct spaces_shared *sh = &s->shared;

    sh->loop = s->set.loop;
    sh->seat = s->seat;
    sh->policy = s->policy;
    sh->policy_option = s->set.policy;
    sh->registry = s->registry;
    sh->where = path_context_of(s->seat);
    sh->where.workspace = seat_dir(s->seat);
    sh->journal = s->set.journal;
    sh->store = s->set.store;
    sh->expiry_ms = s->set.expiry_ms;
    sh->log = s->set.log;
    sh->begins = on_op_begins;
    sh->arg = s->set.arg;
    sh->server = s;
    return open_errands(s, e);
}

static int
prepare_spaces(struct spaces *s, struct err *e)
{
    struct loop *l = s->set.loop;

    if (open_spaces_workspace(s, e) < 0 ||
        !(s->policy = server_policy_load(s->set.policy, s->seat, e)) ||
        !(s->registry = registry_open(s->seat, s->set.config, e)) ||
        !(s->pool = tool_pool_new(l, e)) || fill_shared(s, e) < 0 ||
        !(s->out = sender_new(l, s->set.out, OUT_MAX, on_sender, s, e)) ||
        !(s->written = loop_soon(l, on_file_written, s, e)) ||
        !(s->notified = loop_timer(l, NOTIFIED_MS, on_notified, s, e)) ||
        !(s->limit = loop_timer(l, LAST_MS, on_limit, s, e)) ||
        !(s->hangup = loop_timer(l, HANGUP_MS, on_hangup_due, s, e)))
        return -1;
    watch_stop(s->written);
    watch_stop(s->notified);
    watch_stop(s->limit);
    watch_stop(s->hangup);
    sender_notice_leaving(s->out);
    return 0;
}

struct spaces *
spaces_new(const struct spaces_setup *set, struct err *e)
{
    CLEANUP(spaces_free_p) struct spaces *s = calloc(1, sizeof(*s));

    if (!s) {
        err_nomem(e);
        return NULL;
    }
    s->set = *set;
    s->set.store = NULL; /* not ours until we succeed */
    s->shared.root = -1;
    buf_init(&s->text, SPACES_LINE_MAX);
    if (prepare_spaces(s, e) < 0)
        return NULL;
    s->shared.store = set->store;
    start_work(s, open_store, on_store_open);
    return TAKE_PTR(s);
}

void
spaces_free(struct spaces *s)
{
    if (!s)
        return;
    s->over = true;
    end_work(s);
    spaces_run_free(s->run);
    errand_context_free(s->shared.errands);
    watch_free(s->written);
    watch_free(s->notified);
    watch_free(s->limit);
    watch_free(s->hangup);
    line_reader_free(s->lines);
    read_buffer_free(s->buffer);
    sender_free(s->out);
    tool_pool_free(s->pool);
    registry_free(s->registry);
    policy_free(s->policy);
    spaces_store_close(s->shared.store);
    spaces_claim_done(&s->claim);
    spaces_line_done(&s->claimed);
    spaces_line_done(&s->line);
    buf_done(&s->text);
    seat_free(s->seat);
    fd_close_p(&s->shared.root);
    free(s);
}

int
spaces_go_on(struct spaces *s, const struct spaces_resume *r, struct err *e)
{
    if (!s->shared.store && !s->worker)
        return err_set(e, ERR_IO, "there is no store of approvals");
    s->resume = r;
    s->due_answer = true;
    look_for_work(s);
    return 0;
}

/* Gives the answer that is being written some time. */
void
spaces_stop(struct spaces *s)
{
    if (s->over || s->stopping)
        return;
    s->stopping = true;
    if (s->lines)
        line_reader_pause(s->lines, true);
    if (s->run)
        spaces_run_stop(s->run, s->hung_up ? "the input has ended"
                                           : "agentsh was notified to end");
    watch_again(s->limit, FLUSH_MS);
    look_for_work(s);
}

int
spaces_exit_status(const struct spaces *s)
{
    return s->waits ? SPACES_STATUS_DENIED : spaces_result_status(s->result);
}
