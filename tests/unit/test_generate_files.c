/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_generate_files.c - commands that create, move and change files. */
#include "generated.h"
#include "unit.h"

static const struct generated copied[] = {
    {"copy a.txt to b.txt", "cp a.txt b.txt"},
    {"copy a.txt b.txt to /tmp", "cp a.txt b.txt /tmp"},
    {"copy all txt files to backup/", "cp *.txt backup/"},
    {"copy everything from src to backup", "cp -r src/* backup/"},
    {"copy the directory src/ to /tmp recursively", "cp -r src/ /tmp"},
    {"copy docs/ to /mnt/usb preserving permissions and timestamps",
     "cp -rp docs/ /mnt/usb"},
    {"copy a.txt to b.txt without overwriting", "cp -n a.txt b.txt"},
    {"copy a.txt into the current directory", "cp a.txt ."},
    {"copy all files from in/ to out/", "cp in/* out/"},
    {"copy *.jpg from camera/ to photos/", "cp camera/*.jpg photos/"},
    {"copy config.ini to config.ini.bak verbosely",
     "cp -v config.ini config.ini.bak"},
    {"copy /etc/hosts to the home directory", "cp /etc/hosts ~"},
    {"copy x.txt to y.txt and ask before overwriting", "cp -i x.txt y.txt"},
    {"copy src/ to dst/ except *.o", "rsync -av --exclude='*.o' src/ dst/"},
    {"move a.txt to /tmp", "mv a.txt /tmp"},
    {"move all mp3 files to music/", "mv *.mp3 music/"},
    {"move everything in old/ to new/", "mv old/* new/"},
    {"move report.pdf up one directory", "mv report.pdf .."},
    {"rename a.txt to b.txt", "mv a.txt b.txt"},
    {"rename the directory old_name to new_name", "mv old_name new_name"},
    {"move a.txt to b.txt without overwriting", "mv -n a.txt b.txt"},
};

static const struct generated removed[] = {
    {"remove a.txt", "rm a.txt"},
    {"delete a.txt and b.txt", "rm a.txt b.txt"},
    {"delete all log files", "rm *.log"},
    {"remove the directory build/ recursively", "rm -r build/"},
    {"force remove tmp/ recursively", "rm -rf tmp/"},
    {"delete x.txt and ask before", "rm -i x.txt"},
    {"remove the empty directory empty_dir", "rmdir empty_dir"},
    {"delete everything in cache/", "rm -r cache/*"},
    {"remove all *.o files verbosely", "rm -v *.o"},
};

static const struct generated made[] = {
    {"make a directory called photos", "mkdir photos"},
    {"create directory a/b/c including parents", "mkdir -p a/b/c"},
    {"make directories x1 and x2", "mkdir x1 x2"},
    {"make 10 folders called day1 to day10", "mkdir day{1..10}"},
    {"create the directories x08 through x12", "mkdir x{08..12}"},
    {"create the folder data/ with mode 700", "mkdir -m 700 data/"},
    {"create an empty file notes.txt", "touch notes.txt"},
    {"create files a.txt and b.txt", "touch a.txt b.txt"},
    {"update the timestamp of x.txt", "touch x.txt"},
    {"create a temporary file", "mktemp"},
    {"create a temporary directory in /var/tmp", "mktemp -d -p /var/tmp"},
    {"make a file called todo.txt in docs/", "touch docs/todo.txt"},
    {"create a symbolic link named py to /usr/bin/python3",
     "ln -s /usr/bin/python3 py"},
    {"create a symbolic link to /usr/bin/python3 in /opt/bin",
     "ln -s /usr/bin/python3 /opt/bin"},
    {"make a hard link to a.txt named b.txt", "ln a.txt b.txt"},
    {"symlink /opt/app/run to /usr/local/bin/run",
     "ln -s /opt/app/run /usr/local/bin/run"},
};

static const struct generated rights[] = {
    {"make run.sh executable", "chmod +x run.sh"},
    {"make run.sh executable for everyone", "chmod a+x run.sh"},
    {"make notes.txt read only", "chmod a-w notes.txt"},
    {"set the permissions of id.txt to 600", "chmod 600 id.txt"},
    {"set permissions 755 on bin/ recursively", "chmod -R 755 bin/"},
    {"give the group write permission on shared/", "chmod g+w shared/"},
    {"remove write permission for others from x.txt", "chmod o-w x.txt"},
    {"make x.txt readable by everyone", "chmod a+r x.txt"},
    {"change the owner of x.txt to bob", "chown bob x.txt"},
    {"change owner of /srv/www to www-data recursively",
     "chown -R www-data /srv/www"},
    {"change the owner to bob and the group to staff for x.txt",
     "chown bob:staff x.txt"},
    {"change the group of x.txt to staff", "chgrp staff x.txt"},
    {"give alice ownership of report.pdf", "chown alice report.pdf"},
    {"chmod 644 index.html", "chmod 644 index.html"},
    {"chown root:root /etc/motd", "chown root:root /etc/motd"},
};

static const struct generated mixed[] = {
    {"sync photos/ to /mnt/backup with rsync", "rsync -a photos/ /mnt/backup"},
    {"synchronize a/ with rsync to b/ and delete extraneous files",
     "rsync -a --delete a/ b/"},
    {"copy report.pdf to the server box.example.com in /tmp",
     "scp report.pdf box.example.com:/tmp"},
    {"synchronize src/ to bob@box:/srv excluding *.o",
     "rsync -a --exclude='*.o' src/ bob@box:/srv"},
    {"list directories in /opt", "ls -d /opt/*/"},
    {"list files in reverse order", "ls -r"},
    {"compress folder site/ into site.tar.xz", "tar -cJf site.tar.xz site/"},
    {"archive docs/ into docs.tar", "tar -cf docs.tar docs/"},
    {"extract the archive x.tgz verbosely", "tar -xzvf x.tgz"},
    {"list the contents of x.tar.bz2", "tar -tjf x.tar.bz2"},
    {"move *.log to logs/ verbosely", "mv -v *.log logs/"},
    {"copy a.txt to b.txt keeping a backup", "cp --backup a.txt b.txt"},
    {"copy the whole tree t1/ to t2/", "cp -r t1/ t2/"},
    {"delete the folder node_modules/", "rm -r node_modules/"},
    {"rename photo.jpeg to photo.jpg", "mv photo.jpeg photo.jpg"},
};

static const struct generated each[] = {
    {"rename all txt files to md",
     "for f in *.txt; do mv -- \"$f\" \"${f%.txt}.md\"; done"},
    {"change the extension of all .jpeg files to .jpg",
     "for f in *.jpeg; do mv -- \"$f\" \"${f%.jpeg}.jpg\"; done"},
    {"prefix all files with old_",
     "for f in *; do mv -- \"$f\" old_\"$f\"; done"},
    {"copy readme.txt to every directory",
     "for d in */; do cp readme.txt \"$d\"; done"},
    {"show 20 lines starting from line 100 of big.txt",
     "tail -n +100 big.txt | head -n 20"},
    {"list *.png in /srv/img", "ls /srv/img/*.png"},
    {"compress the .log files in /var/log", "gzip /var/log/*.log"},
    {"chmod 755 on *.cgi in htdocs", "chmod 755 htdocs/*.cgi"},
    {"create backup.tar of all subdirectories", "tar -cf backup.tar */"},
    {"sum all lines in n.txt", "awk '{s += $1} END {print s}' n.txt"},
};

/* docs/ and run.sh are here. */
static const struct generated careful[] = {
    {"copy a.txt to bob@10.0.0.5:/tmp", "scp a.txt bob@10.0.0.5:/tmp"},
    {"copy a.txt to example.com", "scp a.txt example.com:"},
    {"copy the owner of a.txt to b.txt", ""},
    {"copy disk.iso to /dev/sdc", ""},
    {"rename all files to lowercase", ""},
    {"rename all txt files to a;b", ""},
    {"give read and remove write permission on a.txt", ""},
    {"make a.txt readable but not writable", ""},
    {"copy docs to docs.bak", "cp -r docs docs.bak"},
    {"delete files listed in a.txt", ""},
    {"delete old reports in build", ""},
    {"delete all files in a.txt", ""},
    {"delete all files in \"\"", ""},
    {"i deleted a.txt by mistake", ""},
    {"remove the docs folder", "rm -r docs"},
    {"make a backup of the docs folder", ""},
    {"compress the docs folder", "tar -czf docs.tar.gz docs"},
    {"link run.sh to /usr/local/bin/run",
     "ln -s \"$PWD\"/run.sh /usr/local/bin/run"},
    {"create a symlink to docs on my desktop", "ln -s \"$PWD\"/docs ~/Desktop"},
    {"chmod 644 files in docs and 755 directories", ""},
    {"is a.txt the same as b.txt", "diff a.txt b.txt"},
    {"replace foo with bar in all .c files in docs",
     "sed -i 's/foo/bar/g' docs/*.c"},
    {"delete line 3 from run.sh", "sed -i '3d' run.sh"},
    {"follow the log of nginx", "journalctl -u nginx -f"},
};

static void
files_are_copied_and_moved(void **state)
{
    (void)state;
    generated_check(copied, N_OF(copied));
}

static void
files_are_removed(void **state)
{
    (void)state;
    generated_check(removed, N_OF(removed));
}

static void
files_are_made_and_linked(void **state)
{
    (void)state;
    generated_check(made, N_OF(made));
}

static void
rights_are_given_and_taken(void **state)
{
    (void)state;
    generated_check(rights, N_OF(rights));
}

static void
machines_are_brought_up_to_date(void **state)
{
    (void)state;
    generated_check(mixed, N_OF(mixed));
}

static void
many_files_are_treated_alike(void **state)
{
    (void)state;
    generated_check(each, N_OF(each));
}

static void
nothing_but_what_was_asked_for_is_touched(void **state)
{
    (void)state;
    generated_check(careful, N_OF(careful));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_copied_and_moved),
        cmocka_unit_test(files_are_removed),
        cmocka_unit_test(files_are_made_and_linked),
        cmocka_unit_test(rights_are_given_and_taken),
        cmocka_unit_test(machines_are_brought_up_to_date),
        cmocka_unit_test(many_files_are_treated_alike),
        cmocka_unit_test(nothing_but_what_was_asked_for_is_touched),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
