/* @NAME@ - a plugin of agentsh, run once for each request.
 *
 * Its one word is the action; each argument is a variable AGENTSH_ARG_…,
 * checked against plugin.json already. What is printed is the answer, and the
 * exit status says how it went. agentsh-plugin(7) tells more. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Exit statuses, and the codes that they become. */
enum {
    DONE = 0,
    FAILED = 1,            /* IO_ERROR */
    INVALID_ARGS = 2,      /* INVALID_ARGS */
    NOT_FOUND = 3,         /* NOT_FOUND */
    PERMISSION_DENIED = 4, /* PERMISSION_DENIED */
};

static int
hello(void)
{
    const char *who = getenv("AGENTSH_ARG_WHO");

    printf("Hello, %s.\n", who ? who : "world");
    return DONE;
}

/* Says why, and with which status that is told. */
static int
fail(const char *path)
{
    fprintf(stderr, "%s: %s\n", path, strerror(errno));
    return errno == ENOENT                    ? NOT_FOUND
           : errno == EACCES || errno == EPERM ? PERMISSION_DENIED
                                               : FAILED;
}

static int
lines(void)
{
    const char *path = getenv("AGENTSH_ARG_PATH");
    FILE *f = path ? fopen(path, "re") : NULL;
    long n = 0;
    int c;

    if (!path)
        return INVALID_ARGS;
    if (!f)
        return fail(path);
    while ((c = getc(f)) != EOF)
        n += c == '\n';
    if (ferror(f)) {
        int status = fail(path);

        fclose(f);
        return status;
    }
    fclose(f);
    printf("%ld\n", n);
    return DONE;
}

static const struct action {
    const char *name;
    int (*run)(void);
} actions[] = {
    {"hello", hello},
    {"lines", lines},
};

int
main(int argc, char **argv)
{
    for (size_t i = 0; i < sizeof(actions) / sizeof(actions[0]); i++) {
        if (argc == 2 && strcmp(argv[1], actions[i].name) == 0)
            return actions[i].run();
    }
    return INVALID_ARGS;
}
