/* SPDX-License-Identifier: GPL-3.0-or-later */
/* journal_run.c - the name of a run. */
#include <stdio.h>
#include <sys/random.h>
#include <time.h>

#include "record/journal_in.h"

int
journal_name_run(char name[JOURNAL_RUN_SIZE], struct err *e)
{
    /* in the order of their bytes; without those that look like digits or
     * like each other, and without vowels, which make words */
    static const char letters[] = "23456789bcdfghjkmnpqrstvwxyz";
    const unsigned n = sizeof(letters) - 1;
    unsigned char chance[3];
    int64_t now = ledger_now_ms();
    unsigned part = (unsigned)(now % 1000) * n * n / 1000;
    time_t t = (time_t)(now / 1000);
    char when[16];
    struct tm tm;

    if (getrandom(chance, sizeof(chance), 0) != (ssize_t)sizeof(chance))
        return err_sys(e, "random bytes");
    if (!gmtime_r(&t, &tm) ||
        strftime(when, sizeof(when), "%Y%m%d-%H%M%S", &tm) == 0)
        return err_set(e, ERR_IO, "cannot read the clock");
    snprintf(name, JOURNAL_RUN_SIZE, "%s-%c%c%c%c%c", when, letters[part / n],
             letters[part % n], letters[chance[0] % n], letters[chance[1] % n],
             letters[chance[2] % n]);
    return 0;
}
