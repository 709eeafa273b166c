/* SPDX-License-Identifier: GPL-3.0-or-later */
/* replay.c - main of a fuzz target outside libFuzzer: feeds it each file of
 * tests/fuzz/corpus/NAME, where fuzz_NAME is the program; speaks TAP. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INPUT_MAX (1 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int
replay_file(const char *path)
{
    static uint8_t bytes[INPUT_MAX];
    FILE *f = fopen(path, "rbe");
    size_t n;

    if (!f)
        return -1;
    n = fread(bytes, 1, sizeof(bytes), f);
    fclose(f);
    return LLVMFuzzerTestOneInput(bytes, n);
}

static int
replay_dir(const char *dir)
{
    DIR *d = opendir(dir);
    struct dirent *de;
    int n = 0, bad = 0;

    if (!d) {
        printf("Bail out! no corpus %s\n", dir);
        return 1;
    }
    while ((de = readdir(d)) != NULL) {
        char path[4096];
        int rc;

        if (de->d_name[0] == '.')
            continue;
        snprintf(path, sizeof(path), "%s/%s", dir, de->d_name);
        rc = replay_file(path);
        printf("%sok %d - %s\n", rc ? "not " : "", ++n, de->d_name);
        bad |= rc != 0;
    }
    closedir(d);
    printf("1..%d\n", n);
    return bad || n == 0;
}

int
main(int argc, char **argv)
{
    const char *src = getenv("top_srcdir");
    const char *name = strstr(argv[0], "fuzz_");
    char dir[4096];

    if (argc > 1)
        return replay_dir(argv[1]);
    /* the last "fuzz_" is the program's own name, not a folder's */
    for (const char *p = name; p; p = strstr(p + 1, "fuzz_"))
        name = p;
    if (!name)
        return 2;
    snprintf(dir, sizeof(dir), "%s/tests/fuzz/corpus/%s", src ? src : ".",
             name + strlen("fuzz_"));
    return replay_dir(dir);
}
