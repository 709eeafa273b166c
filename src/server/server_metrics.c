/* SPDX-License-Identifier: GPL-3.0-or-later */
/* server_metrics.c - the memory and the descriptors of this process. */
#include "server/server_metrics.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"

#define STATM       "/proc/self/statm" /* proc(5): pages; the 2nd is resident */
#define DESCRIPTORS "/proc/self/fd"
#define STATM_MAX   256

uint64_t
server_metrics_memory(void)
{
    CLEANUP_BUF struct buf text = buf_of(STATM_MAX);
    char *second;

    if (file_read(STATM, &text, NULL) < 0)
        return 0;
    (void)strtoull(text.p, &second, 10);
    return strtoull(second, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* From Linux 6.2 on the size of the directory is how many there are. */
uint64_t
server_metrics_descriptors(void)
{
    struct stat st;
    uint64_t n = 0;
    DIR *dir;

    if (stat(DESCRIPTORS, &st) == 0 && st.st_size > 0)
        return (uint64_t)st.st_size;
    if (!(dir = opendir(DESCRIPTORS)))
        return 0;
    while (readdir(dir))
        n++;
    closedir(dir);
    return n > 3 ? n - 3 : 0; /* . and .. and its own */
}
