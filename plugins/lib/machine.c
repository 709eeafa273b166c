/* SPDX-License-Identifier: GPL-3.0-or-later */
/* machine.c - the files that tell what a machine is. */
#include "plugins/lib/machine.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/path.h"

/* Neither a FIFO nor a device may keep us waiting. */
#define READ_FLAGS (O_RDONLY | O_NOCTTY | O_NONBLOCK)

int
machine_open(const char *root, struct err *e)
{
    int fd = open(root ? root : "/", O_PATH | O_DIRECTORY | O_CLOEXEC);

    if (fd < 0)
        err_sys(e, "%s", root ? root : "/");
    return fd;
}

size_t
machine_read(int root, const char *path, char *text, size_t size)
{
    CLEANUP(fd_close_p)
    int fd = openat(root, path, READ_FLAGS | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, text, size - 1);

    if (n < 0)
        n = 0;
    if (n > 0 && text[n - 1] == '\n')
        n--;
    text[n] = '\0';
    return (size_t)n;
}

int
machine_read_all(int root, const char *path, struct buf *out, struct err *e)
{
    CLEANUP(fd_close_p)
    int fd = openat(root, path, READ_FLAGS | O_CLOEXEC);
    struct stat st;

    if (fd < 0)
        return err_sys(e, "/%s", path);
    if (fstat(fd, &st) == 0 && st.st_size > 0 && (size_t)st.st_size <= out->max)
        (void)buf_room(out, (size_t)st.st_size); /* at once, not by doubling */
    if (file_read_fd(fd, out, e) < 0)
        return err_wrap(e, "/%s", path);
    return 0;
}

void
machine_link_name(int root, const char *path, char *text, size_t size)
{
    char target[PATH_MAX];
    ssize_t n = readlinkat(root, path, target, sizeof(target) - 1);

    if (n < 0)
        n = 0;
    target[n] = '\0';
    snprintf(text, size, "%s", path_base(target));
}

DIR *
machine_list(int root, const char *path)
{
    CLEANUP(fd_close_p)
    int fd = openat(root, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *d = fd < 0 ? NULL : fdopendir(fd);

    if (d)
        fd = -1; /* the directory's now */
    return d;
}

bool
machine_has(int root, const char *path)
{
    return faccessat(root, path, F_OK, 0) == 0;
}
