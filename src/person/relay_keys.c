/* SPDX-License-Identifier: GPL-3.0-or-later */
/* relay_keys.c - the person's keys for a relay. */
#include "person/relay_keys.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "base/cleanup.h"

#define AGAIN_MS 250 /* how long a person does not wonder about a key */

static bool
in_foreground(const struct relay_keys *k)
{
    return tcgetpgrp(k->fd) == getpgrp();
}

static void
on_key(void *arg, unsigned events)
{
    struct relay_keys *k = arg;
    char bytes[4096];
    ssize_t n;

    (void)events;
    if (!in_foreground(k)) { /* reading would stop us */
        relay_keys_enter(k);
        return;
    }
    n = read(k->fd, bytes, sizeof(bytes));
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (n <= 0) {
        watch_events(k->watch, 0);
        (void)raise(SIGHUP); /* it is gone, and nobody else may say so */
        return;
    }
    relay_keys_wanted(k, pty_type(k->pty, bytes, (size_t)n));
}

static void
on_again(void *arg, unsigned events)
{
    (void)events;
    relay_keys_enter(arg);
}

int
relay_keys_open(struct relay_keys *k, struct loop *l, struct pty *pty,
                struct err *e)
{
    *k = (struct relay_keys){.loop = l, .pty = pty, .fd = STDIN_FILENO};
    if (!isatty(STDIN_FILENO)) {
        k->fd = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
        k->owned = true;
    }
    if (k->fd < 0)
        return 0;
    k->watch = loop_fd(l, k->fd, 0, on_key, k, e);
    k->again = loop_timer(l, AGAIN_MS, on_again, k, e);
    if (!k->watch || !k->again)
        return -1;
    relay_keys_enter(k); /* before any output: its lines end as they are */
    return 0;
}

void
relay_keys_done(struct relay_keys *k)
{
    if (k->fd < 0)
        return;
    relay_keys_leave(k);
    watch_free(k->watch);
    watch_free(k->again);
    if (k->owned)
        close(k->fd);
    k->fd = -1;
}

void
relay_keys_enter(struct relay_keys *k)
{
    struct termios raw;

    if (k->fd < 0 || !k->watch)
        return;
    if (!in_foreground(k)) {
        k->raw = false;
        watch_events(k->watch, 0);
        watch_again(k->again, AGAIN_MS);
        return;
    }
    if (k->raw || tcgetattr(k->fd, &k->found) < 0)
        return;
    raw = k->found;
    cfmakeraw(&raw);
    k->raw = tcsetattr(k->fd, TCSADRAIN, &raw) == 0;
    watch_events(k->watch, LOOP_READ);
}

void
relay_keys_leave(struct relay_keys *k)
{
    if (k->fd < 0 || !k->raw)
        return;
    k->raw = false;
    watch_events(k->watch, 0);
    if (in_foreground(k))
        (void)tcsetattr(k->fd, TCSADRAIN, &k->found);
}

void
relay_keys_wanted(struct relay_keys *k, bool wanted)
{
    if (k->raw)
        watch_events(k->watch, wanted ? LOOP_READ : 0);
}
