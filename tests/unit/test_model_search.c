/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_model_search.c - a model is selected on the loop, which nothing holds:
 * for several seats at once, with an end to each wait, and with nothing left
 * where it is cancelled. */
#include "tests/unit/unit.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/children.h"
#include "model/discovery.h"
#include "model/selection.h"
#include "tests/unit/own_dir.h"
#include "tests/unit/unit_select.h"

#define TICKS    20
#define TICK_MS  5
#define LIMIT_MS 300 /* of a discovery */
#define SEATS    8

/* What is in [model]. */
static struct config *
config_of(const char *text)
{
    char absent[128], all[1024];
    struct err e = {0};
    struct config *c;

    snprintf(absent, sizeof(absent), "%s", in_dir("absent"));
    snprintf(all, sizeof(all), "[model]\n%s\n", text);
    put_file("config", all, 0600);
    c = config_load_files(absent, in_dir("config"), &e);
    if (!c)
        fail_msg("%s", e.text);
    return c;
}

/* A seat of the test's directory, with one or two variables more. */
static struct seat *
seat_of(const char *variable, const char *second)
{
    char home[128], st[128], cache[128];
    const char *const variables[] = {
        home, st, cache, "PATH=/usr/bin:/bin", variable, second, NULL};

    snprintf(home, sizeof(home), "HOME=%s", in_dir(""));
    snprintf(st, sizeof(st), "XDG_STATE_HOME=%s", in_dir(""));
    snprintf(cache, sizeof(cache), "XDG_CACHE_HOME=%s", in_dir(""));
    return unit_seat_with(variables);
}

/* One search, with all that it needs. */
struct trial {
    struct loop *loop;
    struct seat *seat;
    struct config *config;
    struct model_search *search;
    struct unit_found found;
    int64_t begun_ms;
};

static void
trial_start(struct trial *t, const char *config, const char *variable,
            const struct model_select_params *p)
{
    struct err e = {0};

    *t = (struct trial){.loop = loop_new(NULL),
                        .seat = seat_of(variable, NULL),
                        .config = config_of(config)};
    t->begun_ms = clock_ms();
    t->search = model_search_start(t->loop, t->seat, t->config, p,
                                   &unit_select_events, &t->found, &e);
    if (!t->search)
        fail_msg("%s", e.text);
    assert_int_equal(t->found.events, 0);
}

static void
trial_done(struct trial *t)
{
    model_search_free(t->search);
    model_selection_free(t->found.selection);
    config_free(t->config);
    seat_free(t->seat);
    loop_free(t->loop);
}

static void
turn_once(struct loop *l)
{
    assert_true(loop_turn(l, 10, NULL) >= 0);
}

/* Nothing is reported of a search that was cancelled. */
static void
cancel(struct trial *t)
{
    model_search_free(t->search);
    t->search = NULL;
    for (int i = 0; i < 5; i++)
        turn_once(t->loop);
    assert_int_equal(t->found.events, 0);
}

static void
print_hold(const struct loop *l)
{
    print_message("# longest hold %lld us\n",
                  (long long)(loop_longest_hold(l) / 1000));
}

struct ticks {
    struct watch *timer;
    int n;
};

static void
on_tick(void *arg, unsigned events)
{
    struct ticks *t = arg;

    (void)events;
    t->n++;
    watch_again(t->timer, TICK_MS);
}

static void
make_fifo(const char *name)
{
    unlink(in_dir(name));
    assert_int_equal(mkfifo(in_dir(name), 0600), 0);
}

/* Lets a command go on that reads a line from the FIFO. */
static void
write_fifo(const char *name)
{
    CLEANUP(fd_close_p) int fd = open(in_dir(name), O_WRONLY | O_CLOEXEC);

    assert_true(fd >= 0);
    assert_int_equal(write(fd, "go\n", 3), 3);
}

static void
a_slow_key_command_does_not_hold_the_loop(void **state)
{
    static const struct model_select_params none = {0};
    struct ticks ticks = {0};
    struct trial t;
    char config[256];

    (void)state;
    make_fifo("go");
    snprintf(config, sizeof(config),
             "provider = openai\n"
             "api_key_command = read x <%s; echo k1; echo k2",
             in_dir("go"));
    trial_start(&t, config, NULL, &none);
    ticks.timer = loop_timer(t.loop, TICK_MS, on_tick, &ticks, NULL);
    while (ticks.n < TICKS && clock_ms() < t.begun_ms + UNIT_SELECT_MS)
        turn_once(t.loop);
    assert_int_equal(ticks.n, TICKS);
    assert_int_equal(t.found.events, 0);
    write_fifo("go");
    unit_select_wait(t.loop, &t.found);
    assert_non_null(t.found.selection);
    assert_string_equal(t.found.selection->key, "k1");
    assert_string_equal(t.found.selection->key_name, "api_key_command");
    print_hold(t.loop);
    assert_true(loop_longest_hold(t.loop) / 1000000 <
                t.found.at_ms - t.begun_ms - TICK_MS);
    trial_done(&t);
}

/* Reads the numbers of the processes that a command has written to a file. */
static int
read_pids(long pids[3])
{
    CLEANUP_BUF struct buf b = buf_of(256);

    if (file_read(in_dir("pids"), &b, NULL) < 0)
        return 0;
    return sscanf(b.p, "%ld %ld %ld end", &pids[0], &pids[1], &pids[2]);
}

/* Another search, of the same process, is not touched. */
static void
cancel_key_command(bool on_terminal)
{
    const struct model_select_params p = {.on_terminal = on_terminal};
    struct trial t, other;
    char config[512], dir[128];
    long pids[3] = {0};

    unlink(in_dir("pids"));
    make_fifo("go");
    snprintf(dir, sizeof(dir), "%s", in_dir(""));
    snprintf(config, sizeof(config),
             "provider = openai\napi_key_command = read x <%s/go; echo k3",
             dir);
    trial_start(&other, config, NULL, &p);
    turn_once(other.loop);
    turn_once(other.loop);
    snprintf(config, sizeof(config),
             "provider = openai\n"
             "api_key_command = exec 2>/dev/null; cd %s; setsid sleep 1000 & "
             "a=$!; sleep 1000 & "
             "echo $$ $a $! end >pids; wait",
             dir);
    trial_start(&t, config, NULL, &p);
    while (read_pids(pids) < 3 && !t.found.events &&
           clock_ms() < t.begun_ms + UNIT_SELECT_MS)
        turn_once(t.loop);
    assert_int_equal(read_pids(pids), 3);
    for (size_t i = 0; i < N_OF(pids); i++)
        assert_int_equal(kill((pid_t)pids[i], 0), 0);
    cancel(&t);
    for (size_t i = 0; i < N_OF(pids); i++)
        assert_int_equal(kill((pid_t)pids[i], 0), -1);
    print_hold(t.loop);
    trial_done(&t);
    write_fifo("go");
    unit_select_wait(other.loop, &other.found);
    assert_non_null(other.found.selection);
    assert_string_equal(other.found.selection->key, "k3");
    trial_done(&other);
}

static void
a_cancelled_key_command_leaves_no_process(void **state)
{
    (void)state;
    cancel_key_command(false);
    cancel_key_command(true);
}

/* A search that is freed by what it calls. */
struct seated {
    struct unit_found found;
    struct seat *seat;
    struct model_search *search;
};

static void
on_seated_found(void *arg, struct model_selection *m)
{
    struct seated *s = arg;

    on_unit_found(&s->found, m);
    model_search_free(s->search);
    s->search = NULL;
}

static void
on_seated_failed(void *arg, const struct err *why)
{
    struct seated *s = arg;

    on_unit_failed(&s->found, why);
    model_search_free(s->search);
    s->search = NULL;
}

static const struct seat_row {
    const char *variables[2];
    const char *is; /* "provider model key", or words of the error */
} seat_rows[SEATS] = {
    {{"OPENAI_API_KEY=k0", "AGENTSH_MODEL=m0"}, "openai m0 k0"},
    {{"WHOSE=k1", "AGENTSH_MODEL=m1"}, "openai m1 k1"},
    {{"ANTHROPIC_API_KEY=k2", "AGENTSH_PROVIDER=anthropic"}, "anthropic"},
    {{"WHOSE=k3", "AGENTSH_MODEL=m3"}, "openai m3 k3"},
    {{"AGENTSH_PROVIDER=gemini", "WHOSE=k4"}, "GEMINI_API_KEY"},
    {{"GEMINI_API_KEY=k5", "AGENTSH_PROVIDER=gemini"}, "gemini"},
    {{"WHOSE=k6 k6", "AGENTSH_MODEL=m6"}, "invalid in a key"},
    {{"WHOSE=k7", "AGENTSH_MODEL=m7"}, "openai m7 k7"},
};

static void
check_seat_row(const struct seat_row *row, size_t i, const struct seated *s)
{
    const struct model_selection *m = s->found.selection;
    char text[600], key[8];

    snprintf(text, sizeof(text), "%s", s->found.why.text);
    if (m)
        snprintf(text, sizeof(text), "%s %s %s", m->provider->name, m->model,
                 m->key ? m->key : "-");
    if (!strstr(text, row->is))
        print_error("# %zu: %s\n", i, text);
    assert_non_null(strstr(text, row->is));
    snprintf(key, sizeof(key), "k%zu", i);
    if (m)
        assert_string_equal(m->key, key);
}

static void
eight_seats_at_once_find_each_their_own(void **state)
{
    static const struct model_search_events events = {on_seated_found,
                                                      on_seated_failed};
    static const struct model_select_params none = {0};
    CLEANUP(config_free_p)
    struct config *c = config_of("api_key_command = echo \"$WHOSE\"");
    CLEANUP(loop_free_p) struct loop *l = loop_new(NULL);
    struct seated all[SEATS] = {0};

    (void)state;
    for (size_t i = 0; i < SEATS; i++) {
        all[i].seat = seat_of(seat_rows[i].variables[0],
                              seat_rows[i].variables[1]);
        all[i].search = model_search_start(l, all[i].seat, c, &none, &events,
                                           &all[i], NULL);
        assert_non_null(all[i].search);
    }
    for (size_t i = 0; i < SEATS; i++) {
        unit_select_wait(l, &all[i].found);
        assert_null(all[i].search);
        check_seat_row(&seat_rows[i], i, &all[i]);
        model_selection_free(all[i].found.selection);
        seat_free(all[i].seat);
    }
    print_hold(l);
}

/* A socket on a port of its own, which answers nobody; *host is for
 * OLLAMA_HOST. */
static int
silent_socket(bool listens, char host[64])
{
    struct sockaddr_in at = {.sin_family = AF_INET,
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t n = sizeof(at);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    assert_true(fd >= 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&at, n), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&at, &n), 0);
    if (listens)
        assert_int_equal(listen(fd, 8), 0);
    snprintf(host, 64, "OLLAMA_HOST=127.0.0.1:%d", ntohs(at.sin_port));
    return fd;
}

/* Servers on the usual ports of the machine may answer. */
static void
check_not_ollama(const struct trial *t)
{
    assert_int_equal(t->found.why.code, ERR_NONE);
    if (t->found.selection)
        assert_string_not_equal(t->found.selection->provider->name, "ollama");
}

static void
a_discovery_that_nobody_answers_ends_by_its_deadline(void **state)
{
    static const struct model_select_params p = {.can_ask = true};
    char host[64], config[64];
    int fd = silent_socket(true, host);
    struct trial t;

    (void)state;
    snprintf(config, sizeof(config), "discovery_timeout_ms = %d", LIMIT_MS);
    trial_start(&t, config, host, &p);
    unit_select_wait(t.loop, &t.found);
    check_not_ollama(&t);
    assert_between(t.found.at_ms - t.begun_ms, LIMIT_MS / 2, UNIT_SELECT_MS);
    assert_int_equal(children_list((pid_t[1]){0}, 1), 0);
    print_hold(t.loop);
    assert_true(loop_longest_hold(t.loop) / 1000000 < LIMIT_MS);
    trial_done(&t);
    close(fd);
}

static void
a_server_that_is_gone_is_waited_for_on_the_loop(void **state)
{
    struct discovery_missing missing = {0};
    const struct model_select_params p = {.missing = &missing};
    struct ticks ticks = {0};
    char host[64], line[128];
    int fd = silent_socket(false, host);
    struct trial t;

    (void)state;
    snprintf(line, sizeof(line), "yes http://%s -\n", strchr(host, '=') + 1);
    assert_true(mkdir(in_dir("agentsh"), 0700) == 0 || errno == EEXIST);
    put_file("agentsh/servers", line, 0600);
    trial_start(&t, "discovery_timeout_ms = 20", host, &p);
    ticks.timer = loop_timer(t.loop, TICK_MS, on_tick, &ticks, NULL);
    unit_select_wait(t.loop, &t.found);
    assert_null(t.found.selection);
    assert_int_equal(missing.why, DISCOVERY_NOT_THERE);
    assert_true(missing.has_consent);
    assert_between(t.found.at_ms - t.begun_ms, DISCOVERY_WAIT_MS,
                   UNIT_SELECT_MS);
    assert_true(ticks.n >= TICKS);
    unlink(in_dir("agentsh/servers"));
    trial_done(&t);
    close(fd);
}

static void
on_connection(void *arg, unsigned events)
{
    (void)events;
    (*(int *)arg)++;
}

static void
a_cancelled_discovery_leaves_no_process(void **state)
{
    static const struct model_select_params p = {.can_ask = true};
    char host[64], byte;
    int fd = silent_socket(true, host), connections = 0;
    CLEANUP(fd_close_p) int peer = -1;
    struct trial t;

    (void)state;
    trial_start(&t, "discovery_timeout_ms = 10000", host, &p);
    loop_fd(t.loop, fd, LOOP_READ, on_connection, &connections, NULL);
    while (!connections && clock_ms() < t.begun_ms + UNIT_SELECT_MS)
        turn_once(t.loop);
    assert_true(connections > 0);
    peer = accept4(fd, NULL, NULL, SOCK_CLOEXEC);
    assert_true(peer >= 0);
    assert_int_equal(children_list((pid_t[1]){0}, 1), 1);
    cancel(&t);
    assert_int_equal(children_list((pid_t[1]){0}, 1), 0);
    while (read(peer, &byte, 1) == 1) /* its request, then the end */
        ;
    print_hold(t.loop);
    trial_done(&t);
    close(fd);
}

static int
tear_down(void **state)
{
    static const char *const names[] = {"config", "go", "pids", "agentsh/found",
                                        "agentsh/servers"};

    (void)state;
    return remove_dir(names, N_OF(names));
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_slow_key_command_does_not_hold_the_loop),
        cmocka_unit_test(a_cancelled_key_command_leaves_no_process),
        cmocka_unit_test(eight_seats_at_once_find_each_their_own),
        cmocka_unit_test(a_discovery_that_nobody_answers_ends_by_its_deadline),
        cmocka_unit_test(a_server_that_is_gone_is_waited_for_on_the_loop),
        cmocka_unit_test(a_cancelled_discovery_leaves_no_process),
    };

    signal(SIGPIPE, SIG_IGN);
    return cmocka_run_group_tests(tests, NULL, tear_down);
}
