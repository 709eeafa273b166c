/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_generate_listing.c - commands that list, pack and measure files. */
#include "generated.h"
#include "unit.h"

static const struct generated listed[] = {
    {"list the files in src/", "ls src/"},
    {"list all files including hidden ones", "ls -a"},
    {"long listing of /var/log", "ls -l /var/log"},
    {"list files sorted by size", "ls -S"},
    {"list files by modification time, newest first", "ls -t"},
    {"list the files in /tmp with the oldest first", "ls -tr /tmp"},
    {"list files one per line", "ls -1"},
    {"list everything in /etc recursively", "ls -R /etc"},
    {"list only the directories", "ls -d */"},
    {"show the newest file in downloads/", "ls -t downloads/ | head -n 1"},
    {"list *.mp3 files with human readable sizes", "ls -lh *.mp3"},
    {"list all pdf files", "ls *.pdf"},
    {"list files starting with 'report'", "ls report*"},
    {"list files with their inode numbers", "ls -i"},
    {"show hidden files in the home directory", "ls -a ~"},
    {"how many files are in docs/", "ls docs/ | wc -l"},
    {"ls sorted by extension", "ls -X"},
};

static const struct generated archived[] = {
    {"compress docs", "tar -czf docs.tar.gz docs"},
    {"what is inside a.zip without unpacking it", "unzip -l a.zip"},
    {"list archive.tar.gz without extracting it", "tar -tzf archive.tar.gz"},
    {"extract backup.tar.gz", "tar -xzf backup.tar.gz"},
    {"extract site.tar.xz into /srv", "tar -xJf site.tar.xz -C /srv"},
    {"unpack photos.zip into pics/", "unzip photos.zip -d pics/"},
    {"unzip a.zip and overwrite existing files", "unzip -o a.zip"},
    {"decompress log.gz", "gunzip log.gz"},
    {"decompress log.bz2 and keep the original", "bunzip2 -k log.bz2"},
    {"extract only readme.txt from src.tar", "tar -xf src.tar readme.txt"},
    {"show the contents of app.tar.gz", "tar -tzf app.tar.gz"},
    {"list the files inside data.zip", "unzip -l data.zip"},
    {"view the compressed file log.gz", "zcat log.gz"},
    {"create backup.tar.gz from docs/ and src/",
     "tar -czf backup.tar.gz docs/ src/"},
    {"create a zip of project/ named project.zip",
     "zip -r project.zip project/"},
    {"create archive.tar.bz2 of photos/ excluding *.tmp",
     "tar -cjf archive.tar.bz2 --exclude='*.tmp' photos/"},
    {"make a tarball of src/ called src.tar.gz with verbose output",
     "tar -czvf src.tar.gz src/"},
    {"compress big.sql", "gzip big.sql"},
    {"compress big.sql with bzip2", "bzip2 big.sql"},
    {"compress the file dump.sql with xz and keep the original",
     "xz -k dump.sql"},
    {"gzip every file in the current directory", "gzip *"},
    {"create a 7z archive of docs/ named d.7z", "7z a d.7z docs/"},
    {"zip a.txt and b.txt into c.zip", "zip -r c.zip a.txt b.txt"},
    {"create an encrypted zip secret.zip of private/",
     "zip -re secret.zip private/"},
};

static const struct generated measured[] = {
    {"how big is the directory /var/log", "du -sh /var/log"},
    {"disk usage of /home", "du -sh /home"},
    {"show the size of each folder in /var sorted by size",
     "du -sh /var/* | sort -hr"},
    {"the 5 largest directories in /home",
     "du -sh /home/* | sort -hr | head -n 5"},
    {"how much space is used by src/", "du -sh src/"},
    {"disk usage of the current directory", "du -sh ."},
    {"total size of photos/ in megabytes", "du -sm photos/"},
    {"show free disk space", "df -h"},
    {"free space on / in human readable form", "df -h /"},
    {"which file systems are mounted and how full are they", "df -h"},
    {"show inode usage of the file systems", "df -i"},
    {"free disk space of /home", "df -h /home"},
    {"how much disk space is left", "df -h"},
};

static const struct generated everyday[] = {
    {"show me whats inside archive.tgz", "tar -tzf archive.tgz"},
    {"unpack this tar.gz: foo.tar.gz", "tar -xzf foo.tar.gz"},
    {"i want to make a folder named projects", "mkdir projects"},
    {"get rid of the file junk.txt", "rm junk.txt"},
    {"throw away the folder old_stuff", "rm -r old_stuff"},
    {"make a backup copy of config.yml", "cp config.yml config.yml.bak"},
    {"search my code for the word deprecated", "grep -r deprecated ."},
    {"look for errors in /var/log/syslog", "grep errors /var/log/syslog"},
    {"how many lines does results.csv have", "wc -l results.csv"},
    {"change every \"colour\" to \"color\" in essay.txt",
     "sed -i 's/colour/color/g' essay.txt"},
    {"delete every line with the word temp in hosts.txt",
     "sed '/temp/d' hosts.txt"},
    {"make deploy.sh runnable", "chmod +x deploy.sh"},
    {"let everyone read public.txt", "chmod a+r public.txt"},
    {"how full is my disk", "df -h"},
    {"which folders take up the most space", "du -sh * | sort -hr"},
    {"whats the size of the music folder", "du -sh music"},
    {"zip up the folder reports", "zip -r reports.zip reports"},
    {"show lines 100-120 of main.c", "sed -n 100,120p main.c"},
    {"merge a.csv and b.csv into all.csv", "cat a.csv b.csv > all.csv"},
    {"move the downloads folder to /mnt/data", "mv downloads /mnt/data"},
    {"sum up the second column of sales.csv",
     "awk -F, '{s += $2} END {print s}' sales.csv"},
};

static const struct generated silent[] = {
    {"show the 5 largest files here", ""},
    {"find all files larger than 10 MB", ""},
    {"find files modified in the last 3 days", ""},
    {"show the current date", ""},
    {"reboot the machine", ""},
    {"print the environment variables", ""},
    {"mount /dev/sdb1 on /mnt", ""},
    {"ping example.com 3 times", ""},
    {"change my password", ""},
    {"start a web server on port 8000", ""},
    {"delete files older than 7 days in /tmp", ""},
    {"find empty directories under /srv", ""},
};

static void
files_are_listed(void **state)
{
    (void)state;
    generated_check(listed, N_OF(listed));
}

static void
archives_are_made_and_unpacked(void **state)
{
    (void)state;
    generated_check(archived, N_OF(archived));
}

static void
room_is_measured(void **state)
{
    (void)state;
    generated_check(measured, N_OF(measured));
}

static void
requests_are_read_as_people_say_them(void **state)
{
    (void)state;
    generated_check(everyday, N_OF(everyday));
}

static void
what_is_for_others_is_left_to_them(void **state)
{
    (void)state;
    generated_check(silent, N_OF(silent));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_listed),
        cmocka_unit_test(archives_are_made_and_unpacked),
        cmocka_unit_test(room_is_measured),
        cmocka_unit_test(requests_are_read_as_people_say_them),
        cmocka_unit_test(what_is_for_others_is_left_to_them),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
