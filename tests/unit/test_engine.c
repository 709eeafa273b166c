/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_engine.c - requests in plain words are answered, with all recipes. */
#include "unit_seat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "guard/syntax/syntax.h"
#include "offline/engine/engine.h"

/* What the first command is, or begins with. */
static const struct {
    const char *request, *command;
} requests[] = {
    {"restart the ssh service", "sudo systemctl restart ssh"},
    {"stop the nginx service", "sudo systemctl stop"},
    {"restart nginx", "sudo systemctl restart"},
    {"how long has this computer been on", "uptime"},
    {"for how long is the system up", "uptime"},
    {"give me a random password", "tr -dc"},
    {"is port 443 open on example.com", "nc"},
    {"shut the machine down in 20 minutes", "sudo shutdown -h +20"},
    {"which processes use the most memory", "ps"},
    {"kill everything called firefox", "pkill"},
    {"end the process with the pid 4242", "kill"},
    {"stop whatever listens on port 8080", "kill $(lsof"},
    {"which program is listening on port 5432", "sudo ss"},
    {"free memory in megabytes", "free -m"},
    {"how full are the disks", "df"},
    {"what takes the most space in /var", "du"},
    {"biggest files under /home", "find"},
    {"list files by size, largest first", "ls -lS"},
    {"list everything, hidden files as well", "ls -a"},
    {"show the newest file here", "ls -t"},
    {"find pdf files changed in the last 3 days", "find"},
    {"find empty directories under /tmp", "find"},
    {"delete all .bak files below here", "find"},
    {"find files over 200 MB in /srv", "find"},
    {"files that belong to alice under /data", "find"},
    {"who is logged in right now", "who"},
    {"which groups is alice in", "groups"},
    {"add alice to the group docker", "sudo usermod"},
    {"take alice out of the group docker", "sudo gpasswd"},
    {"create a user called carol", "sudo adduser"},
    {"change the password of carol", "sudo passwd"},
    {"make run.sh executable", "chmod +x"},
    {"copy a.txt to backup/", "cp"},
    {"move old.log to /tmp", "mv"},
    {"rename draft.txt to final.txt", "mv"},
    {"delete the directory build with everything in it", "rm"},
    {"count the lines in access.log", "wc"},
    {"count the words of essay.txt", "wc"},
    {"show the first 20 lines of notes.txt", "head -n"},
    {"last 5 lines of server.log", "tail -n"},
    {"follow server.log as it grows", "tail -f"},
    {"sort names.txt and drop duplicates", "sort"},
    {"what differs between old.conf and new.conf", "diff"},
    {"replace cat with dog in story.txt", "sed"},
    {"search for \"timeout\" in all files under /etc", "find"},
    {"how many lines of app.log contain \"error\"", "grep"},
    {"print the second column of table.txt", "awk"},
    {"convert notes.txt to upper case", "tr"},
    {"remove blank lines from list.txt", "sed"},
    {"number the lines of poem.txt", "cat"},
    {"join all lines of a.txt into one", "paste"},
    {"split big.log into pieces of 1000 lines", "split"},
    {"pack the folder photos into photos.tar.gz",
     "tar -czf photos.tar.gz photos"},
    {"unpack site.tar.gz into /srv/www", "tar -xzf"},
    {"unzip backup.zip", "unzip"},
    {"compress dump.sql with gzip", "gzip"},
    {"decompress dump.sql.gz", "gunzip"},
    {"sha256 checksum of image.iso", "sha256sum"},
    {"download https://example.com/big.iso", "wget"},
    {"fetch the headers of https://example.com", "curl"},
    {"what is my ip address", "ip addr"},
    {"ping example.com 4 times", "ping -c"},
    {"show the routing table", "ip route"},
    {"list all network interfaces", "ip -brief"},
    {"what kernel is this", "uname"},
    {"which distribution is installed here", "cat"},
    {"what hardware is on the pci bus", "lspci"},
    {"list usb devices", "lsusb"},
    {"list block devices", "lsblk"},
    {"mount /dev/sdb1 on /mnt", "sudo mount"},
    {"unmount /mnt", "sudo umount"},
    {"show kernel messages", "sudo dmesg"},
    {"log messages of nginx since yesterday", "journalctl"},
    {"install the package curl", "sudo apt install"},
    {"remove the package apache2", "sudo apt remove"},
    {"update the list of packages", "sudo apt update"},
    {"which package owns /bin/ls", "dpkg -S"},
    {"show the status of the git repository", "git status"},
    {"commit everything with the message \"first\"", "git commit"},
    {"undo the last commit and keep the changes", "git reset"},
    {"create a branch called topic and go to it", "git switch"},
    {"clone https://example.com/x.git", "git clone"},
    {"who changed each line of main.c", "git blame"},
    {"throw away my local changes to main.c", "git restore main.c"},
    {"running containers", "docker ps"},
    {"remove all stopped containers", "docker container"},
    {"edit my cron jobs", "crontab -e"},
    {"list my cron jobs", "crontab -l"},
    {"run backup.sh every day at 3", "(crontab"},
    {"run ./job.sh in the background", "./job.sh"},
    {"run make 5 times", "for"},
    {"what day is it", "date"},
    {"what time is it", "date"},
    {"calendar of this month", "cal"},
    {"set an environment variable EDITOR to vim", "export"},
    {"show all environment variables", "env"},
    {"which shell am i using", "echo"},
    {"where is the program python3", "which"},
    {"what type of file is photo.raw", "file"},
    {"go to the home directory", "cd"},
    {"where am i", "pwd"},
    {"show my last 20 commands", "history 20"},
    {"generate an ssh key", "ssh-keygen"},
    {"send my ssh key to example.com", "ssh-copy-id"},
    {"encode photo.jpg as base64", "base64"},
    {"print the numbers from 1 to 10", "echo {1..10}"},
    {"pretty print data.json", "jq"},
    {"list open files of the process 4242", "lsof"},
    {"overwrite secret.txt so that nobody can recover it", "shred -u"},
    {"watch the output of df every 5 seconds", "watch -n 5 df"},
    {"remove everything here except notes.txt", "find"},
    {"rename all .jpeg files to .jpg", "rename"},
    {"write ubuntu.iso to /dev/sdc", "sudo dd"},
    {"merge a.csv and b.csv side by side", "paste"},
    {"show file permissions of a.txt in octal", "stat"},
    {"change the group of shared/ to staff", "chgrp"},
    {"write \"hello\" at the end of notes.txt", "echo hello >> notes.txt"},
    {"undo the last change in git", "git reset --soft"},
    {"what did i change since the last commit", "git diff"},
    {"what's inside archive.7z without unpacking it", "7z l archive.7z"},
    {"who wrote line 42 of main.c", "git blame -L 42,+1 main.c"},
    {"lines that are in a.txt but not in b.txt", "comm -23 <(sort a.txt)"},
    {"empty the trash", "gio trash --empty"},
    {"don't show hidden files, just list the folders", "ls"},
    {"show me the biggest 5 files", "find"},
    {"list the ten largest files here", "find"},
    {"how many files are here", "find . -maxdepth 1 -type f"},
    {"how do i count lines in a file", "wc -l"},
    {"make 3 directories named a b c", "mkdir a b c"},
    {"delete the photo photo.jpg", "rm photo.jpg"},
    {"delete the image nginx", "docker rmi nginx"},
    {"make directories a, b and c", "mkdir a b c"},
    {"make a directory called b", "mkdir b"},
    {"unpack data.tar.gz into out", "tar -xzf data.tar.gz -C out"},
    {"show what i changed in git since yesterday", "git"},
    {"md5 of all files here", "find . -type f -exec md5sum"},
    {"sort data.csv by the second column numerically", "sort -n -t, -k2,2"},
    {"sync ./photos to host:/backup", "rsync -a ./photos host:/backup"},
    {"start backup.sh so that it goes on when i log out", "nohup"},
    {"which version of ubuntu is this", "cat /etc/os-release"},
    {"search for ZEBRA in all c files",
     "find . -name '*.c' -exec grep -H ZEBRA"},
    {"what time will it be in 3 hours", "date -d '+180 minutes'"},
    {"generate 5 random numbers", "shuf -r -i 1-100 -n 5"},
    {"calculate 17 * 23", "echo '17 * 23' | bc"},
    {"restart the web server nginx", "sudo systemctl restart nginx"},
    {"sort prices.csv by the second column", "sort -t, -k2,2 prices.csv"},
    {"add up the third column of prices.csv", "awk -F,"},
    {"which lines of names.txt are double", "sort names.txt | uniq -d"},
    {"put all txt files in one file called all.txt", "cat ./*.txt > all.txt"},
    {"unpack photos.zip into a folder called out", "unzip photos.zip -d out"},
    {"remove the program htop but keep its settings", "sudo apt remove htop"},
    {"list my docker containers, also the stopped ones", "docker ps -a"},
    {"merge part1.pdf and part2.pdf", "pdfunite part1.pdf part2.pdf"},
    {"log in to example.com as anna", "ssh anna@example.com"},
    {"only i may read secret.txt", "chmod"},
    {"make 10 folders called day1 to day10", "mkdir day{1..10}"},
    {"update everything on this computer", "sudo apt update"},
};

/* What is shown for certain words is near, and sure enough to be run. */
static const char *const sure[] = {
    "restart nginx",
    "how long has this machine been up",
    "generate a random password",
    "count the words of essay.txt",
    "find all pdf files in ~/docs",
    "install the package curl",
    "undo the last git commit but keep my changes",
    "what is my ip address",
};

static const char *const far[] = {
    "",
    "qwzx vbnr tklp",
    "asdf qwer zxcv",
    "banana phone",
    "colourless green ideas sleep furiously",
};

/* An empty directory and no programs: the same on every machine. */
static int
enter(void **state)
{
    char here[] = "/tmp/agentsh-test-XXXXXX";
    struct err e = {0};

    if (!mkdtemp(here) || chdir(here) < 0 || rmdir(here) < 0 ||
        setenv("PATH", "/nonexistent", 1) < 0)
        return -1;
    *state = engine_new(unit_seat(), &e);
    return *state ? 0 : -1;
}

static int
leave(void **state)
{
    engine_free(*state);
    return 0;
}

static bool
begins(const char *command, const char *with)
{
    size_t n = strlen(with);

    return strncmp(command, with, n) == 0 && strchr(" ", command[n]);
}

static void
the_first_command_is_what_a_person_would_run(void **state)
{
    size_t wrong = 0;

    for (size_t i = 0; i < N_OF(requests); i++) {
        CLEANUP(engine_answers_done) struct engine_answers a = {0};
        struct err e = {0};

        assert_int_equal(engine_ask(*state, requests[i].request, &a, &e), 0);
        if (a.n > 0 && begins(a.v[0].command, requests[i].command))
            continue;
        print_error("%s\n  is   %s\n  not  %s\n", requests[i].request,
                    a.n > 0 ? a.v[0].command : "nothing", requests[i].command);
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

static void
what_recipes_say_in_so_many_words_is_sure(void **state)
{
    for (size_t i = 0; i < N_OF(sure); i++) {
        CLEANUP(engine_answers_done) struct engine_answers a = {0};
        struct err e = {0};

        assert_int_equal(engine_ask(*state, sure[i], &a, &e), 0);
        if (!a.sure)
            fail_msg("%s: %.2f", sure[i], a.confidence);
    }
}

static void
nothing_is_near_to_what_nobody_understands(void **state)
{
    for (size_t i = 0; i < N_OF(far); i++) {
        CLEANUP(engine_answers_done) struct engine_answers a = {0};
        struct err e = {0};

        assert_int_equal(engine_ask(*state, far[i], &a, &e), 0);
        if (a.near || a.sure)
            fail_msg("%s: %.2f", far[i], a.confidence);
    }
}

/* Each would run something where it stood in a command as it is. */
static const char *const hostile[] = {
    "\"$(pwned)\"",      "'a; pwned'",        "\"`pwned`\"",
    "'x | pwned'",       "'a & pwned'",       "\"x\\\"; pwned; \"\"",
    "\"x' && pwned '\"", "'> /tmp/x; pwned'", "'<(pwned)'",
    "'a)(pwned'",        "'; pwned #'",       "'{} \\; ; pwned'",
};

static const char *const forms[] = {
    "find files named %s",
    "delete the file %s",
    "replace %s with b in a.txt",
    "replace b with %s in a.txt",
    "print %s | split",
    "run %s in every directory",
    "for each txt file execute %s",
    "run %s every 5 seconds",
    "run %s every night at 2",
    "xargs %s over the lines of a.txt",
    "find all log files and pass them to %s",
    "write %s to a.txt",
    "set the variable X to %s",
    "commit everything with the message %s",
    "run %s on example.com",
    "kill the process %s",
    "make an alias ll for %s",
    "show lines of a.txt that contain %s",
};

static size_t
count_of(const char *command)
{
    struct syntax s = {0};
    struct err e = {0};
    size_t n = 0;

    assert_int_equal(syntax_read(command, strlen(command), &s, &e), 0);
    assert_null(s.fault);
    for (const struct syntax_node *at = s.all; at; at = at->after)
        n += at->kind == SYNTAX_CALL && at->words &&
             strstr(at->words->text, "pwned");
    syntax_done(&s);
    return n;
}

static void
what_a_request_quotes_never_becomes_a_program(void **state)
{
    for (size_t i = 0; i < N_OF(hostile) * N_OF(forms); i++) {
        CLEANUP(engine_answers_done) struct engine_answers a = {0};
        const char *form = forms[i / N_OF(hostile)];
        const char *at = strstr(form, "%s");
        char request[256];
        struct err e = {0};

        snprintf(request, sizeof(request), "%.*s%s%s", (int)(at - form), form,
                 hostile[i % N_OF(hostile)], at + 2);
        assert_int_equal(engine_ask(*state, request, &a, &e), 0);
        for (size_t k = 0; k < a.n; k++)
            if (count_of(a.v[k].command) > 0)
                fail_msg("%s: %s", request, a.v[k].command);
    }
}

/* Nothing but a recipe about images offers to write over a disk. */
static void
no_words_are_written_over_a_device(void **state)
{
    static const char *const asked[] = {
        "write hello to /dev/sda",
        "write ubuntu.iso to /dev/sdc",
        "print 'x' into /dev/sdb",
        "append a line to /dev/nvme0n1",
    };

    for (size_t i = 0; i < N_OF(asked); i++) {
        CLEANUP(engine_answers_done) struct engine_answers a = {0};
        struct err e = {0};

        assert_int_equal(engine_ask(*state, asked[i], &a, &e), 0);
        for (size_t k = 0; k < a.n; k++)
            if (strstr(a.v[k].command, "> /dev/") ||
                strstr(a.v[k].command, "tee /dev/"))
                fail_msg("%s: %s", asked[i], a.v[k].command);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_command_is_what_a_person_would_run),
        cmocka_unit_test(what_recipes_say_in_so_many_words_is_sure),
        cmocka_unit_test(nothing_is_near_to_what_nobody_understands),
        cmocka_unit_test(what_a_request_quotes_never_becomes_a_program),
        cmocka_unit_test(no_words_are_written_over_a_device),
    };

    return cmocka_run_group_tests(tests, enter, leave);
}
