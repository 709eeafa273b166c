/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_find_actions.c - find commands: what is done with the files. */
#include "unit.h"

#include "base/cleanup.h"
#include "find_candidates.h"

#include "offline/generate/generate.h"

static const struct find_candidates_row actions[] = {
    {"delete all empty folders under old/",
     "find old/ -type d -empty ! -path '*/.git/*' -delete"},
    {"find files owned by bob in /srv and give them to alice",
     "find /srv -type f -user bob -exec chown alice {} +"},
    {"remove unused docker images", NULL},
    {"empty the file logs/app.log", NULL},
    {"delete files listed in names.txt", NULL},
    {"which files changed in the last hour", "find . -type f -mmin -60"},
    {"find big files in /var/log", "find /var/log -type f -size +100M"},
    {"find empty directories and remove them",
     "find . -type d -empty ! -path '*/.git/*' -delete"},
    {"delete all .tmp files older than 3 days in /tmp",
     "find /tmp -type f -name '*.tmp' -mtime +3 -delete"},
    {"remove all backup files under this directory",
     "find . -type f -name '*.bak' -delete"},
    {"find all directories named node_modules and delete them",
     "find . -mindepth 1 -type d -name node_modules -prune -exec rm -r {} +"},
    {"remove all *.pyc files recursively",
     "find . -type f -name '*.pyc' -delete"},
    {"delete files bigger than 1G in /var/crash",
     "find /var/crash -type f -size +1G ! -path '*/.git/*' -delete"},
    {"delete broken symlinks under /opt", "find /opt -xtype l -delete"},
    {"copy all jpg files under photos/ to /backup",
     "find photos/ -name '*.jpg' -exec cp {} /backup \\;"},
    {"move all mp3 files to ~/Music",
     "find . -name '*.mp3' -exec mv {} ~/Music \\;"},
    {"move files older than 1 year to /archive",
     "find . -type f -mtime +365 -exec mv {} /archive \\;"},
    {"move all mp3 files to the parent directory",
     "find . -name '*.mp3' -exec mv {} .. \\;"},
    {"copy all mp3 files under /srv to my home directory",
     "find /srv -name '*.mp3' -exec cp {} ~ \\;"},
    {"move all mp3 files under /srv to the current directory",
     "find /srv -name '*.mp3' -exec mv {} . \\;"},
    {"move all mp3 files to the directory songs",
     "find . -name '*.mp3' -exec mv {} songs/ \\;"},
    {"change permissions of all directories under /srv to 755",
     "find /srv -type d -exec chmod 755 {} +"},
    {"set the permissions of all files in /srv/www to 644",
     "find /srv/www -type f -exec chmod 644 {} +"},
    {"make all shell scripts executable",
     "find . -name '*.sh' -exec chmod +x {} +"},
    {"change the owner of all files in /srv/www to www-data",
     "find /srv/www -type f -exec chown www-data {} +"},
    {"change the group of all files under /srv/team to staff",
     "find /srv/team -type f -exec chgrp staff {} +"},
    {"gzip all log files older than 30 days in /var/log",
     "find /var/log -name '*.log' -mtime +30 -exec gzip {} +"},
    {"find all java files containing the word \"synchronized\"",
     "find . -name '*.java' -exec grep -l synchronized {} +"},
    {"find files containing \"overflow\" in src/",
     "find src/ -type f -exec grep -l overflow {} +"},
    {"find files that don't contain \"copyright\" in src",
     "find src -type f -exec grep -L copyright {} +"},
    {"search for \"main\" in all *.c files",
     "find . -name '*.c' -exec grep -H main {} +"},
    {"find all .conf files in /etc that contain \"listen\"",
     "find /etc -name '*.conf' -exec grep -l listen {} +"},
    {"replace foo with bar in all .txt files under docs",
     "find docs -name '*.txt' -exec sed -i 's/foo/bar/g' {} +"},
    {"replace \"a/b\" by \"c&d\" in all *.ini files",
     "find . -name '*.ini' -exec sed -i 's/a\\/b/c\\&d/g' {} +"},
    {"replace \"a\\/b\" by \"c\\&d\" in all *.ini files",
     "find . -name '*.ini' -exec sed -i 's/a\\/b/c\\&d/g' {} +"},
    {"replace 'a\\' by 'b' in all *.ini files", NULL},
    {"run md5sum on every iso file in /srv/iso",
     "find /srv/iso -name '*.iso' -exec md5sum {} +"},
    {"calculate the md5 checksum of all files under data/",
     "find data/ -type f -exec md5sum {} +"},
    {"count the lines of all *.c files",
     "find . -type f -name '*.c' -exec wc -l {} +"},
    {"show the first 5 lines of every csv file in data/",
     "find data/ -name '*.csv' -exec head -n 5 {} +"},
    {"show the type of all files in /usr/bin", "find /usr/bin -exec file {} +"},
    {"show a long listing of all files bigger than 1G",
     "find . -type f -size +1G -exec ls -l {} +"},
    {"list details of all *.conf files in /etc",
     "find /etc -name '*.conf' -ls"},
    {"show the disk usage of all iso files in ~",
     "find ~ -name '*.iso' -exec du -h {} +"},
    {"open all markdown files with vim", "find . -name '*.md' -exec vim {} +"},
    {"run \"stat -c %n\" on all *.log files",
     "find . -name '*.log' -exec stat -c %n {} \\;"},
    {"run ./fix.sh on every *.xml file",
     "find . -name '*.xml' -exec ./fix.sh {} \\;"},
    {"execute \"convert {} {}.png\" for all *.svg files",
     "find . -name '*.svg' -exec convert {} {}.png \\;"},
    {"print the contents of all *.txt files",
     "find . -name '*.txt' -exec cat {} +"},
};

static const struct find_candidates_row tails[] = {
    {"how many files are under /usr/share", "find /usr/share -type f | wc -l"},
    {"count the directories in /etc", "find /etc -type d | wc -l"},
    {"count all python files under src/",
     "find src/ -type f -name '*.py' | wc -l"},
    {"list the 10 biggest files under /var/log",
     "find /var/log -type f -printf '%s\\t%p\\n' | sort -rn | head -n 10"},
    {"show the 5 largest directories",
     "find . -type d -printf '%s\\t%p\\n' | sort -rn | head -n 5"},
    {"find the largest file in ~/Downloads",
     "find ~/Downloads -type f -printf '%s\\t%p\\n' | sort -rn | head -n 1"},
    {"find the newest file in ~/Downloads",
     "find ~/Downloads -type f -printf '%T+ %p\\n' | sort -r | head -n 1"},
    {"find the oldest file in /var/backups",
     "find /var/backups -type f -printf '%T+ %p\\n' | sort | head -n 1"},
    {"find the 3 most recently modified files",
     "find . -type f -printf '%T+ %p\\n' | sort -r | head -n 3"},
    {"find files sorted by modification time",
     "find . -type f -printf '%T+ %p\\n' | sort"},
    {"find files bigger than 1G sorted by size",
     "find . -type f -size +1G -printf '%s\\t%p\\n' | sort -n"},
    {"list all files under /etc sorted by name", "find /etc -type f | sort"},
    {"find *.txt files and sort them", "find . -name '*.txt' | sort"},
    {"list the first 10 files under /usr", "find /usr -type f | head -n 10"},
    {"save a list of all mp3 files under ~/Music to songs.txt",
     "find ~/Music -name '*.mp3' > songs.txt"},
    {"find all *.c files and write the list to list.txt",
     "find . -name '*.c' > list.txt"},
    {"find all iso files on the system and hide errors",
     "find / -name '*.iso' 2>/dev/null"},
    {"find passwd in / without permission denied messages", NULL},
    {"list files with their sizes under ~/data",
     "find ~/data -type f -printf '%s %p\\n'"},
    {"print0 all files in /tmp", "find /tmp -type f -print0"},
    {"find the first file named config.yaml and stop",
     "find . -name config.yaml -print -quit"},
    {"find *.log files and print only the file names",
     "find . -name '*.log' -printf '%f\\n'"},
};

static const struct find_candidates_row refused[] = {
    {"delete the 5 biggest files in ~/Downloads",
     "find ~/Downloads -type f -printf '%s\\t%p\\0' | sort -znr | head -zn 5 | "
     "cut -zf2- | xargs -0 rm"},
    {"remove all files but the 3 newest in /var/backups",
     "find /var/backups -type f -printf '%T@\\t%p\\0' | sort -znr | tail -zn "
     "+4 | cut -zf2- | xargs -0 rm"},
    {"delete the first 10 files in /tmp", NULL},
    {"delete all subdirectories of src", NULL}, /* it is not there */
    {"delete all subdirectories of src/",
     "find src/ -mindepth 1 -type d -prune -exec rm -r {} +"},
    {"find js files but prune node_modules",
     "find . -name node_modules -prune -o -name '*.js' -print"},
    {"clean up *.tmp files under /srv", "find /srv -name '*.tmp'"},
    {"get rid of the spaces in file names", NULL},
    {"find *.log files that bob wants to delete", NULL},
    {"find *.log files matching delete", NULL},
    {"list *.log files to be deleted", NULL},
    {"find *.log files, delete them", "find . -type f -name '*.log' -delete"},
    {"please recursively delete all *.o files",
     "find . -type f -name '*.o' -delete"},
    {"delete only the oldest 3 files in /srv",
     "find /srv -type f -printf '%T@\\t%p\\0' | sort -zn | head -zn 3 | cut "
     "-zf2- | xargs -0 rm"},
    {"chmod the first 3 files to 644", NULL},
    {"delete logs older than a week", NULL},
    {"remove screenshot files older than 9 days", NULL},
    {"remove *.o files except in the .git directory",
     "find . -name .git -prune -o -type f -name '*.o' -exec rm {} +"},
    {"find all empty directories except .git and delete them",
     "find . -name .git -prune -o -type d -empty -exec rmdir {} +"},
    {"delete all files in the current directory",
     "find . -maxdepth 1 -type f -delete"},
    {"delete everything under /srv/old older than 2 days",
     "find /srv/old -mtime +2 ! -path '*/.git/*' -delete"},
    {"find the word foo in notes.txt", NULL},
    {"kill the process on port 80", NULL},
    {"what is the weather", NULL},
};

static void
what_to_do_becomes_an_action(void **state)
{
    (void)state;
    find_candidates_check(actions, N_OF(actions));
}

static void
lists_are_counted_sorted_and_saved(void **state)
{
    (void)state;
    find_candidates_check(tails, N_OF(tails));
}

static void
what_find_would_do_to_too_much_is_not_generated(void **state)
{
    (void)state;
    find_candidates_check(refused, N_OF(refused));
}

static void
what_does_not_fit_is_not_cut_off(void **state)
{
    CLEANUP_BUF struct buf request = buf_of(REQUEST_BYTES_MAX);
    CLEANUP(free_p) char *command = NULL;

    (void)state;
    buf_str(&request, "delete all files named x.txt and ");
    while (request.len < 6000)
        buf_str(&request, "long");
    buf_str(&request, ".txt under /srv");
    command = find_candidates_nth(request.p, 0);
    assert_null(command);
}

static void
another_way_is_offered_behind_the_first(void **state)
{
    static const struct {
        const char *request, *second;
    } rows[] = {
        {"find all *.c files", "find . -type f -name '*.c'"},
        {"gzip all *.log files",
         "find . -type f -name '*.log' -exec gzip {} +"},
        {"delete all *.tmp files under /tmp",
         "find /tmp -type f -name '*.tmp' -exec rm {} +"},
        {"find all directories under /opt", NULL},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        CLEANUP(free_p)
        char *second = find_candidates_nth(rows[i].request, 1);

        if (rows[i].second)
            assert_string_equal(second, rows[i].second);
        else
            assert_null(second);
    }
}

static void
titles_say_what_is_done(void **state)
{
    static const struct {
        const char *request, *title;
    } rows[] = {
        {"find *.c files", "find files by name"},
        {"delete all .tmp files older than 3 days in /tmp",
         "find files by name and age, and delete them"},
        {"find directories bigger than 5M owned by bob",
         "find directories by size and owner"},
        {"move files older than 1 year to /archive",
         "find files by age, and move them"},
        {"find all *.sh files and make them executable",
         "find files by name, and run chmod on them"},
    };
    const struct request_world world = {0};

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        CLEANUP(shortlist_done) struct shortlist s = {.n = 0};
        CLEANUP(request_done) struct request q = {.n = 0};
        struct err e;

        assert_int_equal(request_read(rows[i].request, &world, &q, &e), 0);
        assert_int_equal(generate_find(&q, &s, &e), 0);
        assert_true(s.n > 0);
        assert_string_equal(s.v[0].title, rows[i].title);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_to_do_becomes_an_action),
        cmocka_unit_test(lists_are_counted_sorted_and_saved),
        cmocka_unit_test(what_find_would_do_to_too_much_is_not_generated),
        cmocka_unit_test(what_does_not_fit_is_not_cut_off),
        cmocka_unit_test(another_way_is_offered_behind_the_first),
        cmocka_unit_test(titles_say_what_is_done),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
