/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_model_process.c - many users of one model process, against a server of
 * our own. The program is built in the top of the build tree, beside the
 * process that it starts. */
#include "tests/unit/unit.h"

#include <string.h>

#include "base/clock.h"
#include "model/client.h"
#include "model/model_process.h"
#include "model/query_table.h"
#include "model/selection.h"
#include "tests/unit/served.h"

#define WAIT_MS 60000 /* for anything, on a slow machine */
#define USERS   QUERY_TABLE_MAX

/* One user of the process. */
struct user {
    struct model *m;
    struct buf text;
    char words[256];
    enum err_code code;
    int ends;
    bool cancelled;
    struct crowd *asks_again; /* when its request ends */
};

struct crowd {
    struct loop *loop;
    struct model_process *process;
    struct user users[USERS + 1];
    bool leave; /* the first failure frees users and process */
};

static const struct model_turn turn = {.role = MODEL_USER, .text = "say hello"};
static const struct model_request request = {
    .system = "You are a test.", .turns = &turn, .n_turns = 1};

static void
on_text(void *arg, const char *p, size_t n)
{
    struct user *u = arg;

    assert_false(u->cancelled);
    assert_int_equal(u->ends, 0);
    buf_add(&u->text, p, n);
}

static void
on_answer(void *arg, const struct model_answer *a)
{
    struct user *u = arg;

    assert_false(u->cancelled);
    u->ends++;
    assert_int_equal(u->text.len, a->len);
    assert_memory_equal(u->text.p, a->text, a->len);
}

static void on_failed(void *arg, const struct err *why);

static const struct model_events events = {
    .text = on_text, .answer = on_answer, .failed = on_failed};

static void
ask_with(struct user *u, const struct model_request *r)
{
    struct err e = {0};

    buf_clear(&u->text);
    u->ends = 0;
    u->code = ERR_NONE;
    u->cancelled = false;
    if (model_ask(u->m, r, &events, u, &e) < 0)
        fail_msg("%s", e.text);
}

static void
ask(struct user *u)
{
    ask_with(u, &request);
}

static void
free_crowd(struct crowd *c)
{
    for (size_t i = 0; i < USERS + 1; i++) {
        model_free(c->users[i].m);
        c->users[i].m = NULL;
        buf_done(&c->users[i].text);
    }
    model_process_free(c->process);
    c->process = NULL;
}

static void
on_failed(void *arg, const struct err *why)
{
    struct user *u = arg;
    struct crowd *c = u->asks_again;

    u->ends++;
    u->code = why->code;
    snprintf(u->words, sizeof(u->words), "%s", why->text);
    u->asks_again = NULL;
    if (c && c->leave)
        free_crowd(c);
    else if (c)
        ask(u);
}

static void
join(struct crowd *c, const struct served *f, size_t i, const char *model)
{
    struct model_selection *s = served_select(f, "openai", model);
    struct user *u = &c->users[i];

    buf_init(&u->text, 1u << 20);
    u->m = model_open(c->loop, c->process, s, NULL);
    assert_non_null(u->m);
    model_selection_free(s);
}

static void
crowd_init(struct crowd *c)
{
    *c = (struct crowd){.loop = loop_new(NULL)};
    c->process = model_process_new(c->loop, -1, NULL);
    assert_non_null(c->process);
}

static void
crowd_done(struct crowd *c)
{
    free_crowd(c);
    loop_free(c->loop);
}

static size_t
count_ends(const struct crowd *c, size_t n)
{
    size_t ends = 0;

    for (size_t i = 0; i < n; i++) {
        assert_true(c->users[i].ends <= 1);
        ends += (size_t)c->users[i].ends;
    }
    return ends;
}

static void
run_until_ends(struct crowd *c, size_t n, size_t wanted)
{
    int64_t end = clock_ms() + WAIT_MS;

    while (count_ends(c, n) < wanted && clock_ms() < end)
        assert_true(loop_turn(c->loop, 100, NULL) >= 0);
    assert_int_equal(count_ends(c, n), wanted);
}

static void
run_until_text(struct crowd *c, size_t n)
{
    int64_t end = clock_ms() + WAIT_MS;
    size_t with = 0;

    while (with < n && clock_ms() < end) {
        assert_true(loop_turn(c->loop, 100, NULL) >= 0);
        with = 0;
        for (size_t i = 0; i < n; i++)
            with += c->users[i].text.len > 0;
    }
    assert_int_equal(with, n);
}

/* The model processes among our children, and the first of them. */
static size_t
model_processes(pid_t *first)
{
    char path[64], name[32];
    long pids[64] = {0};
    size_t n = 0, found = 0;
    FILE *list, *comm;

    snprintf(path, sizeof(path), "/proc/self/task/%d/children", (int)getpid());
    list = fopen(path, "re");
    assert_non_null(list);
    while (n < 64 && fscanf(list, "%ld", &pids[n]) == 1)
        n++;
    fclose(list);
    for (size_t i = 0; i < n; i++) {
        snprintf(path, sizeof(path), "/proc/%ld/comm", pids[i]);
        comm = fopen(path, "re");
        if (comm && fgets(name, sizeof(name), comm) &&
            strcmp(name, "agentsh-model\n") == 0 && found++ == 0)
            *first = (pid_t)pids[i];
        if (comm)
            fclose(comm);
    }
    return found;
}

static void
sixty_four_users_are_answered_by_one_process(void **state)
{
    static const char *const speeds[] = {"fault:answer", "fault:slow=0.3",
                                         "fault:byte-chunks", "fault:run"};
    struct crowd c;
    pid_t pid = 0;

    crowd_init(&c);
    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < USERS; i++) {
            if (round == 0)
                join(&c, *state, i, speeds[i % 4]);
            ask(&c.users[i]);
        }
        assert_int_equal(model_processes(&pid), 1);
        run_until_ends(&c, USERS, USERS);
        for (size_t i = 0; i < USERS; i++)
            assert_int_equal(c.users[i].code, ERR_NONE);
    }
    crowd_done(&c);
}

static void
one_too_many_is_refused_and_hurts_nobody(void **state)
{
    struct crowd c;
    struct err e = {0};

    crowd_init(&c);
    for (size_t i = 0; i < USERS; i++) {
        join(&c, *state, i, i > 0 ? "fault:hang" : "fault:slow=0.3");
        ask(&c.users[i]);
    }
    join(&c, *state, USERS, "fault:answer");
    assert_int_equal(
        model_ask(c.users[USERS].m, &request, &events, &c.users[USERS], &e),
        -1);
    assert_int_equal(e.code, ERR_MODEL);
    assert_non_null(strstr(e.text, "64 questions are open"));
    run_until_ends(&c, USERS, 1); /* the one that is answered */
    ask(&c.users[USERS]);
    run_until_ends(&c, USERS + 1, 2);
    assert_int_equal(c.users[USERS].code, ERR_NONE);
    crowd_done(&c);
}

static void
one_is_cancelled_and_another_leaves(void **state)
{
    struct crowd c;
    pid_t pid = 0;
    int64_t begun;

    crowd_init(&c);
    for (size_t i = 0; i < 8; i++) {
        join(&c, *state, i, i % 2 ? "fault:slow=0.5" : "fault:stall");
        ask(&c.users[i]);
    }
    while (c.users[0].text.len == 0)
        assert_true(loop_turn(c.loop, WAIT_MS, NULL) >= 0);
    begun = clock_ms();
    for (size_t i = 0; i < 4; i += 2) {
        model_cancel(c.users[i].m);
        c.users[i].cancelled = true;
    }
    assert_int_equal(c.users[0].ends, 0); /* not by the call itself */
    model_free(c.users[4].m);
    model_free(c.users[6].m);
    c.users[4].m = c.users[6].m = NULL;
    while (!c.users[0].ends || !c.users[2].ends)
        assert_true(loop_turn(c.loop, WAIT_MS, NULL) >= 0);
    assert_true(clock_ms() - begun < 2000);
    assert_int_equal(c.users[0].code, ERR_INTERRUPTED);
    run_until_ends(&c, 8, 6);
    for (size_t i = 1; i < 8; i += 2)
        assert_int_equal(c.users[i].code, ERR_NONE);
    assert_int_equal(model_processes(&pid), 1);
    crowd_done(&c);
    assert_int_equal(model_processes(&pid), 0);
}

static void
all_fail_once_when_the_process_is_killed(void **state)
{
    struct crowd c;
    pid_t pid = 0;

    crowd_init(&c);
    for (size_t i = 0; i < 20; i++) {
        join(&c, *state, i, "fault:stall");
        ask(&c.users[i]);
    }
    join(&c, *state, 20, "fault:stall,answer");
    ask(&c.users[20]);
    run_until_text(&c, 21);
    c.users[20].asks_again = &c;
    assert_int_equal(model_processes(&pid), 1);
    kill(pid, SIGKILL);
    run_until_ends(&c, 21, 21);
    for (size_t i = 0; i < 20; i++) {
        assert_int_equal(c.users[i].code, ERR_MODEL);
        assert_non_null(strstr(c.users[i].words, "status 137"));
    }
    assert_int_equal(c.users[20].code, ERR_NONE); /* by a new one */
    assert_int_equal(model_processes(&pid), 1);
    crowd_done(&c);
}

/* Threads write the requests while the process goes, and half of the users
 * with it. */
static void
long_requests_fail_while_they_are_written(void **state)
{
    CLEANUP_BUF struct buf text = buf_of(1u << 20);
    struct model_turn said = {.role = MODEL_USER};
    const struct model_request long_request = {.turns = &said, .n_turns = 1};
    struct crowd c;
    pid_t pid = 0;

    while (text.len < 700000)
        buf_str(&text, "many words ");
    said.text = text.p;
    crowd_init(&c);
    for (size_t i = 0; i < 16; i++)
        join(&c, *state, i, "fault:stall");
    for (int round = 0; round < 5; round++) {
        for (size_t i = 0; i < 16; i++)
            ask_with(&c.users[i], &long_request);
        assert_int_equal(model_processes(&pid), 1);
        for (size_t i = 0; i < 16; i += 4) {
            c.users[i].cancelled = true;
            model_cancel(c.users[i].m);
        }
        kill(pid, SIGKILL);
        run_until_ends(&c, 16, 16);
        for (size_t i = 0; i < 16; i++)
            assert_int_equal(c.users[i].code,
                             i % 4 ? ERR_MODEL : ERR_INTERRUPTED);
    }
    crowd_done(&c);
}

static void
a_failure_may_free_all(void **state)
{
    struct crowd c;
    pid_t pid = 0;

    crowd_init(&c);
    for (size_t i = 0; i < 5; i++) {
        join(&c, *state, i, "fault:stall");
        ask(&c.users[i]);
    }
    run_until_text(&c, 5);
    c.leave = true;
    c.users[2].asks_again = &c;
    assert_int_equal(model_processes(&pid), 1);
    kill(pid, SIGKILL);
    run_until_ends(&c, 5, 3);
    assert_null(c.process);
    crowd_done(&c);
}

static void
free_process(void *arg, const struct err *why)
{
    (void)why;
    model_process_free(arg);
}

/* Opens a query by another process, and loses that as well. */
static void
lose_another(void *arg, const struct err *why)
{
    static const struct process_query_events another = {.lost = free_process};

    assert_non_null(process_query_open(arg, &another, arg, NULL));
    model_process_fail(arg, why);
}

static void
a_failure_within_a_failure_may_free_the_process(void **state)
{
    static const struct process_query_events one = {.lost = lose_another};
    struct loop *l = loop_new(NULL);
    struct model_process *p = model_process_new(l, -1, NULL);
    struct err why = {0};
    pid_t pid = 0;

    (void)state;
    err_set(&why, ERR_MODEL, "a test");
    for (int i = 0; i < 3; i++)
        assert_non_null(process_query_open(p, &one, p, NULL));
    model_process_fail(p, &why); /* the other two are closed without a call */
    assert_int_equal(model_processes(&pid), 0);
    loop_free(l);
}

static void
one_is_held_while_another_goes_on(void **state)
{
    struct crowd c;

    crowd_init(&c);
    join(&c, *state, 0, "fault:slow=0.2");
    join(&c, *state, 1, "fault:slow=0.4");
    ask(&c.users[0]);
    ask(&c.users[1]);
    model_hold(c.users[0].m, true);
    run_until_ends(&c, 2, 1);
    assert_int_equal(c.users[0].ends, 0);
    assert_int_equal(c.users[0].text.len, 0);
    model_hold(c.users[0].m, false);
    run_until_ends(&c, 2, 2);
    assert_int_equal(c.users[0].code, ERR_NONE);
    crowd_done(&c);
}

/* What begins while it is held waits, too: short and long. */
static void
a_hold_is_kept_for_the_next_request(void **state)
{
    CLEANUP_BUF struct buf text = buf_of(1u << 20);
    struct model_turn said = {.role = MODEL_USER};
    const struct model_request long_request = {.turns = &said, .n_turns = 1};
    struct crowd c;

    while (text.len < 100000)
        buf_str(&text, "many words ");
    said.text = text.p;
    crowd_init(&c);
    for (size_t i = 0; i < 3; i++)
        join(&c, *state, i, i < 2 ? "fault:answer" : "fault:slow=0.4");
    model_hold(c.users[0].m, true);
    model_hold(c.users[1].m, true);
    ask(&c.users[0]);
    ask_with(&c.users[1], &long_request);
    ask(&c.users[2]);
    run_until_ends(&c, 3, 1);
    assert_int_equal(c.users[2].ends, 1);
    assert_int_equal(c.users[0].text.len + c.users[1].text.len, 0);
    model_hold(c.users[0].m, false);
    model_hold(c.users[1].m, false);
    run_until_ends(&c, 3, 3);
    assert_int_equal(c.users[0].code, ERR_NONE);
    assert_int_equal(c.users[1].code, ERR_NONE);
    crowd_done(&c);
}

static void
a_query_of_a_frozen_process_ends_when_it_is_cancelled(void **state)
{
    struct crowd c;
    pid_t pid = 0;

    crowd_init(&c);
    join(&c, *state, 0, "fault:stall");
    join(&c, *state, 1, "fault:slow=0.5");
    ask(&c.users[0]);
    ask(&c.users[1]);
    run_until_text(&c, 1);
    assert_int_equal(model_processes(&pid), 1);
    kill(pid, SIGSTOP);
    model_cancel(c.users[0].m);
    run_until_ends(&c, 1, 1);
    assert_int_equal(c.users[0].code, ERR_INTERRUPTED);
    kill(pid, SIGCONT);
    run_until_ends(&c, 2, 2);
    assert_int_equal(c.users[1].code, ERR_NONE);
    crowd_done(&c);
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(sixty_four_users_are_answered_by_one_process),
        cmocka_unit_test(one_too_many_is_refused_and_hurts_nobody),
        cmocka_unit_test(one_is_cancelled_and_another_leaves),
        cmocka_unit_test(all_fail_once_when_the_process_is_killed),
        cmocka_unit_test(long_requests_fail_while_they_are_written),
        cmocka_unit_test(a_failure_may_free_all),
        cmocka_unit_test(a_failure_within_a_failure_may_free_the_process),
        cmocka_unit_test(one_is_held_while_another_goes_on),
        cmocka_unit_test(a_hold_is_kept_for_the_next_request),
        cmocka_unit_test(a_query_of_a_frozen_process_ends_when_it_is_cancelled),
    };

    if (!served_can())
        return 0;
    (void)signal(SIGPIPE, SIG_IGN); /* as each front does */
    return cmocka_run_group_tests(tests, served_set_up, served_tear_down);
}
