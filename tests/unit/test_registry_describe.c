/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_registry_describe.c - what a person sees before they trust a tool. */
#include "unit.h"

#include "base/file.h"
#include "plugins.h"
#include "registry_fixture.h"

static void
a_person_sees_what_it_declares(void **state)
{
    const struct fixture *f = *state;
    CLEANUP(registry_free_p) struct registry *r = NULL;
    CLEANUP_BUF struct buf out = buf_of(8192);
    static const char *const lines[] = {
        "a: about a\n",
        "/user/a\n",
        "reads       all files except secrets; ~/x\n",
        "the working directory, /srv/y",
        "network     the internet\n",
        "keeps       a directory of its own\n",
        "runs        jq, curl\n",
        "as root     /usr/bin/apt-get\n",
        "30 s a call",
        "256 MB",
        "look: looks (read-only)\n",
        "sha256      ",
    };

    put(f, "user", "a",
        PLUGIN_WITH("a",
                    "\"needs\":{\"read\":[\"/\",\"~/x\"],\"write\":"
                    "[\"workspace\",\"/srv/y\"],\"network\":\"internet\","
                    "\"state\":true,\"programs\":[\"jq\",\"curl\"],"
                    "\"privileged\":[\"/usr/bin/apt-get\"],"
                    "\"time_limit_ms\":30000,\"memory_mb\":256}," PLUGIN_LOOK));
    r = open_all(f);
    registry_describe(unit_seat(), must_find(r, "a"), &out);
    for (size_t i = 0; i < N_OF(lines); i++)
        if (!strstr(out.p, lines[i]))
            fail_msg("%s is not in:\n%s", lines[i], out.p);
}

/* Which lists make of secrets what. */
struct secret_case {
    const char *needs, *line;
    bool warned;
};

static const struct secret_case secret_cases[] = {
    {"\"read\":[\"/\",\"~/.ssh\"]",
     "reads       all files except secrets; and these secrets: ~/.ssh\n", true},
    {"\"read\":[\"~/.aws/config\",\"workspace\",\"/\"]",
     "reads       the working directory, all files except secrets; and these "
     "secrets: ~/.aws/config\n",
     true},
    {"\"write\":[\"~/.gnupg\"]", "writes      these secrets: ~/.gnupg\n", true},
    {"\"read\":[\"/\"]", "reads       all files except secrets\n", false},
    {"\"read\":[]", "reads       nothing\n", false},
};

static void
secrets_are_told_from_what_is_left_out(void **state)
{
    for (size_t i = 0; i < N_OF(secret_cases); i++) {
        const struct secret_case *c = &secret_cases[i];
        CLEANUP_BUF struct buf out = buf_of(65536), text = buf_of(65536);
        CLEANUP(registry_free_p) struct registry *r = NULL;
        const char name[] = {(char)('a' + i), '\0'};

        buf_printf(&text, PLUGIN_WITH("%s", "\"needs\":{%s}," PLUGIN_LOOK),
                   name, name, c->needs);
        put(*state, "user", name, text.p);
        r = open_all(*state);
        registry_describe(unit_seat(), must_find(r, name), &out);
        if (!strstr(out.p, c->line) || !strstr(out.p, "Warning") == c->warned)
            fail_msg("%s\nis not so in:\n%s", c->line, out.p);
    }
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        T(a_person_sees_what_it_declares),
        T(secrets_are_told_from_what_is_left_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
