/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_veto.c - requests whose words are known and whose meaning is not. */
#include <string.h>

#include "tests/unit/unit_seat.h"

#include "base/cleanup.h"
#include "offline/engine/engine.h"

/* NULL: nothing is doubted. */
static const struct {
    const char *request, *why;
} rows[] = {
    {"delete notes.txt", NULL},
    {"delete all empty folders", NULL},
    {"remove all .tmp files older than a week", NULL},
    {"rename report.txt to final.txt", NULL},
    {"find all files but those named *.o", NULL},
    {"don't delete notes.txt", "don't"},
    {"do not remove anything, just list *.tmp", NULL},
    {"never delete notes.txt", "never"},
    {"which files would be deleted by rm *.o", "would"},
    {"delete everything in this directory except keep.txt", ""},
    {"docker: also the stopped ones", "stopped"},
    {"extract only README from archive.tar.gz", "only"},
    {"delete my home directory", "all of ~"},
    {"remove ..", "all of .."},
    {"wipe /dev/sdb", "/dev/sdb"},
    {"should i chmod 777 index.html", "question"},
    {"can i delete notes.txt", "question"},
    {"can you delete notes.txt", NULL},
    {"delete all files other than notes.txt", NULL},
    {"protect notes.txt from being deleted", "protect"},
    {"ask before deleting notes.txt", NULL},
    {"show me how to delete notes.txt", "question"},
    {"order me a pizza", "\"pizza\" for a file"},
    {"sort the lines of names.txt", NULL},
    {"which program is using port 3000", NULL},
    {"kill firefox, it hangs", "ignores \"hangs\""},
    {"how do i delete old logs in /var/log", "how"},
    {"sort names.txt, remove doubles and save it", "leaves out"},
    {"make 3 directories named a b c", NULL},
    {"make a directory called a", NULL},
    {"make a folder named a", NULL},
    {"make a directory called a in src", NULL},
    {"delete the file named a", NULL},
    {"delete a", "does not say which"},
    {"make 4 directories named a b c", "leaves out \"4\""},
    {"find files modified today and put them in today.tar.gz",
     "leaves out \"put\""},
    {"find and remove duplicate files", "leaves out \"remove\""},
    {"move all pictures to x and delete the empty folders", "leaves out"},
    {"add /opt/bin to my path", "shell that it is typed into"},
    {"order me a pizza", ""},
    {"clean up this directory", "more than requested"},
    {"delete the branch old locally and on the server", "server"},
    {"what is running on port 3000", NULL},
    {"copy a.txt to bob@host:/tmp", NULL},
    {"put main.c under version control and commit it", "leaves out"},
    {"log in to host with key id_foo", "not requested"},
    {"close all ssh sessions", "shell"},
    {"remove that file", ""},
    {"throw everything away", ""},
    {"find all .c files that do not contain main", "not"},
    {"reset everything", ""},
    {"never sleep", "never"},
    {"find files bigger than 10MB outside of /srv", "outside"},
    {"serve this folder on port 9000 for me only", NULL},
    {"run backup.sh every monday except holidays", ""},
    {"what day is it in 90 days", NULL},
    {"logs of container web, no follow", "no"},
    {"push my branch to origin", NULL},
};

static void
what_a_request_does_not_ask_is_not_proposed(void **state)
{
    CLEANUP(engine_free_p) struct engine *g = engine_new(unit_seat(), NULL);

    (void)state;
    assert_non_null(g);
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        CLEANUP(engine_answers_done) struct engine_answers a = {0};

        assert_int_equal(engine_ask(g, rows[i].request, &a, NULL), 0);
        assert_true(a.n > 0);
        if (rows[i].why
                ? a.sure || (a.doubt[0] && !strstr(a.doubt, rows[i].why))
                : a.doubt[0])
            fail_msg("%s: \"%s\": %s", rows[i].request, a.doubt,
                     a.v[0].command);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_request_does_not_ask_is_not_proposed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
