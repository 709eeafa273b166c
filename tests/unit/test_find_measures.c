/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_find_measures.c - find commands: size, age, depth, permissions. */
#include "unit.h"

#include "base/cleanup.h"
#include "find_candidates.h"

static const struct find_candidates_row measures[] = {
    {"find files larger than 500 MB anywhere on the system",
     "find / -type f -size +500M"},
    {"find files bigger than 1G", "find . -type f -size +1G"},
    {"find files over 10 megabytes in /home", "find /home -type f -size +10M"},
    {"find files smaller than 1k", "find . -type f -size -1024c"},
    {"find files under 100 kilobytes in /srv", "find /srv -type f -size -100k"},
    {"find files of exactly 4096 bytes", "find . -type f -size 4096c"},
    {"find files between 10MB and 20MB in /data",
     "find /data -type f -size +10M -size -20M"},
    {"find files at least 2 GB in size", "find . -type f -size +2G"},
    {"find empty files in /tmp", "find /tmp -type f -empty"},
    {"find empty directories", "find . -type d -empty"},
    {"find files that are not empty", "find . -type f ! -empty"},
    {"find zero byte files", "find . -type f -size 0"},
    {"find files bigger than 2 terabytes", "find . -type f -size +2048G"},
    {"find files changed in the last 10 minutes", "find . -type f -mmin -10"},
    {"find files modified within the last 2 hours",
     "find . -type f -mmin -120"},
    {"find files modified in the last 24 hours", "find . -type f -mtime -1"},
    {"find files modified in the past week", "find . -type f -mtime -7"},
    {"find files modified today", "find . -daystart -type f -mtime 0"},
    {"find files modified yesterday", "find . -daystart -type f -mtime 1"},
    {"find files older than 30 days in /var/tmp",
     "find /var/tmp -type f -mtime +30"},
    {"find files newer than 3 days", "find . -type f -mtime -3"},
    {"find files modified more than 2 weeks ago", "find . -type f -mtime +14"},
    {"find files modified less than 5 days ago", "find . -type f -mtime -5"},
    {"find files modified exactly 3 days ago", "find . -type f -mtime 3"},
    {"find files not modified in the last month", "find . -type f -mtime +30"},
    {"delete files that nobody touched for 30 days",
     "find . -type f -mtime +30 ! -path '*/.git/*' -delete"},
    {"files unused for 3 weeks", "find . -type f -mtime +21"},
    {"delete all but the files of the last 7 days in ./d",
     "find ./d -type f -mtime +7 ! -path '*/.git/*' -delete"},
    {"find files accessed more than 90 days ago in /srv/share",
     "find /srv/share -type f -atime +90"},
    {"find files read in the last hour", "find . -type f -amin -60"},
    {"find files that have not been accessed for 60 days",
     "find . -type f -atime +60"},
    {"find files whose status changed in the last 5 minutes",
     "find . -type f -cmin -5"},
    {"files bigger than 100 MB not touched for a year",
     "find . -type f -size +100M -mtime +365"},
    {"find files modified between 2 and 5 days ago",
     "find . -type f -mtime +2 -mtime -5"},
    {"find files modified after 2024-01-01",
     "find . -type f -newermt '2024-01-01'"},
    {"find files modified before 2023-06-30",
     "find . -type f ! -newermt '2023-06-30'"},
    {"find files newer than ref.txt", "find . -type f -newer ref.txt"},
    {"find files older than /etc/passwd",
     "find . -type f ! -newer /etc/passwd"},
    {"find files modified since backup.tar",
     "find . -type f -newer backup.tar"},
    {"find files accessed after /tmp/stamp",
     "find . -type f -anewer /tmp/stamp"},
    {"find directories modified less than 2 hours ago",
     "find . -type d -mmin -120"},
    {"find files bigger than 10M and older than 30 days",
     "find . -type f -size +10M -mtime +30"},
    {"find files in /etc without going into subdirectories",
     "find /etc -maxdepth 1 -type f"},
    {"find files in the current directory, not in subdirectories",
     "find . -maxdepth 1 -type f"},
    {"find files only in this directory", "find . -maxdepth 1 -type f"},
    {"find directories at most 2 levels deep in /srv",
     "find /srv -maxdepth 2 -type d"},
    {"find directories only two levels deep", "find . -maxdepth 2 -type d"},
    {"find files at least 3 levels deep", "find . -mindepth 3 -type f"},
    {"find files at level 2", "find . -mindepth 2 -maxdepth 2 -type f"},
    {"find *.txt non-recursively", "find . -maxdepth 1 -name '*.txt'"},
    {"find files without crossing file systems", "find . -xdev -type f"},
    {"find *.log following symbolic links", "find -L . -name '*.log'"},
    {"find files in / on the same file system", "find / -xdev -type f"},
};

static const struct find_candidates_row rights[] = {
    {"find files with permissions 777", "find . -perm 777"},
    {"find files with mode 644 in /srv", "find /srv -perm 644"},
    {"find files with permissions at least 644", "find . -perm -644"},
    {"find files without permission 600 in ~/.ssh", "find ~/.ssh ! -perm 600"},
    {"find setuid files", "find . -perm -4000"},
    {"find all setgid programs in /usr", "find /usr -perm -2000"},
    {"find files with the sticky bit set", "find . -perm -1000"},
    {"find world writable files in /etc", "find /etc -perm -o+w"},
    {"find files writable by others in /srv", "find /srv -perm -o+w"},
    {"find directories writable by everyone in /tmp",
     "find /tmp -type d -perm -o+w"},
    {"find executable files in /usr/local",
     "find /usr/local -type f -executable"},
    {"find files that are not readable", "find . -type f ! -readable"},
    {"find writable directories in /var", "find /var -type d -writable"},
    {"find files that everyone can execute", "find . -perm -a+x"},
    {"find files owned by bob", "find . -user bob"},
    {"find files owned by user alice in /home", "find /home -user alice"},
    {"find files not owned by root in /etc", "find /etc ! -user root"},
    {"find files belonging to group staff", "find . -group staff"},
    {"find files that belong to no user", "find . -nouser"},
    {"find files without an owner", "find . -nouser"},
    {"find files with no group in /srv", "find /srv -nogroup"},
    {"find files owned by no user or no group",
     "find . \\( -nouser -o -nogroup \\)"},
    {"find files with uid 1000", "find . -uid 1000"},
    {"find files with gid 100", "find . -gid 100"},
    {"find files with more than 2 hard links", "find . -links +2"},
    {"find the file with inode number 1234", "find . -inum 1234"},
    {"find hard links to /etc/hosts", "find . -samefile /etc/hosts"},
    {"find symlinks pointing to /opt/app", "find . -type l -lname /opt/app"},
    {"find all symlinks in /usr/bin", "find /usr/bin -type l"},
    {"find broken symbolic links in /usr/lib", "find /usr/lib -xtype l"},
    {"find dangling links", "find . -xtype l"},
    {"find all sockets in /run", "find /run -type s"},
    {"find named pipes in /tmp", "find /tmp -name pipes"},
    {"find block devices in /dev", "find /dev -type b"},
    {"find character devices in /dev", "find /dev -type c"},
    {"find regular files in /dev", "find /dev -type f"},
    {"find only directories in /opt", "find /opt -type d"},
    {"list all directories under /opt", "find /opt -type d"},
    {"list all files and directories under /opt", "find /opt"},
    {"list directories that are not empty", "find . -type d ! -empty"},
    {"find subdirectories of ~/src", "find ~/src -type d"},
};

static void
sizes_ages_and_depths_get_their_sign_and_unit(void **state)
{
    (void)state;
    find_candidates_check(measures, N_OF(measures));
}

static void
rights_owners_and_kinds_are_tests(void **state)
{
    (void)state;
    find_candidates_check(rights, N_OF(rights));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_ages_and_depths_get_their_sign_and_unit),
        cmocka_unit_test(rights_owners_and_kinds_are_tests),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
