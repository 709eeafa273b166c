/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_find_names.c - find commands: names, and what is skipped. */
#include "unit.h"

#include "base/cleanup.h"
#include "find_candidates.h"

static const struct find_candidates_row names[] = {
    {"find files named core", "find . -name core"},
    {"find a file called notes.txt in ~", "find ~ -name notes.txt"},
    {"find all files ending in .log under /var", "find /var -name '*.log'"},
    {"find files ending with .c or .h in src/",
     "find src/ \\( -name '*.c' -o -name '*.h' \\)"},
    {"find everything starting with img_ in ~/Pictures",
     "find ~/Pictures -name 'img_*'"},
    {"find files containing draft in their name", "find . -name '*draft*'"},
    {"find files with \"old\" in the filename under /srv",
     "find /srv -name '*old*'"},
    {"find files whose names contain \"report\"", "find . -name '*report*'"},
    {"find files whose name contains \"report\" regardless of case",
     "find . -iname '*report*'"},
    {"find files with the extension tar.gz", "find . -name '*.tar.gz'"},
    {"find files with extension .bak", "find . -name '*.bak'"},
    {"look for *.conf in /etc", "find /etc -name '*.conf'"},
    {"list all *.c, *.h and Makefile files under src/",
     "find src/ \\( -name '*.c' -o -name '*.h' -o -name Makefile \\)"},
    {"find png or jpg files in ~/Pictures",
     "find ~/Pictures \\( -name '*.png' -o -name '*.jpg' \\)"},
    {"find text files and pdf files in ~/docs",
     "find ~/docs \\( -name '*.pdf' -o -name '*.txt' \\)"},
    {"find PDF files in /home", "find /home -name '*.pdf'"},
    {"find files not named *.bak", "find . ! -name '*.bak'"},
    {"find all files except *.o under build/", "find build/ ! -name '*.o'"},
    {"find files that do not end in .txt", "find . ! -name '*.txt'"},
    {"find *.py files but not test_*", "find . ! -name 'test_*' -name '*.py'"},
    {"find every README regardless of case", NULL},
    {"find readme.md ignoring case", "find . -iname readme.md"},
    {"find Photo* case insensitively", "find . -iname 'Photo*'"},
    {"find files with spaces in their names", "find . -name '* *'"},
    {"find files matching img?.png", "find . -name 'img?.png'"},
    {"find files matching the pattern \"data[0-9]*\"",
     "find . -name 'data[0-9]*'"},
    {"find files whose path contains \"/cache/\"", "find . -path '*/cache/*'"},
    {"find files matching the regex \".*/[a-z]+[0-9]\"",
     "find . -regex '.*/[a-z]+[0-9]'"},
    {"find hidden files in my home directory", "find ~ -name '.*'"},
    {"find python files", "find . -name '*.py'"},
    {"find shell scripts in ~/bin", "find ~/bin -name '*.sh'"},
    {"find all javascript files under web/", "find web/ -name '*.js'"},
    {"find c source files in /usr/src", "find /usr/src -name '*.c'"},
    {"find header files under include/", "find include/ -name '*.h'"},
    {"find config files in /etc", "find /etc -name '*.conf'"},
    {"find image files in ~/Desktop",
     "find ~/Desktop \\( -iname '*.jpg' -o -iname '*.jpeg' -o -iname '*.png' "
     "-o -iname '*.gif' \\)"},
    {"find log files in /var/log", "find /var/log -name '*.log'"},
    {"find core dumps under /home", "find /home -name core"},
    {"find the file foo.txt", "find . -name foo.txt"},
    {"find foo.c", "find . -name foo.c"},
    {"where is the file nginx.conf", "find . -name nginx.conf"},
    {"look for a folder called backups", "find . -type d -name backups"},
    {"find directories named node_modules",
     "find . -type d -name node_modules"},
    {"find directories named build or dist",
     "find . -type d \\( -name build -o -name dist \\)"},
    {"find files named \"my notes.txt\"", "find . -name 'my notes.txt'"},
    {"find files named a.txt or b.txt",
     "find . \\( -name a.txt -o -name b.txt \\)"},
    {"find files named it's.txt", "find . -name 'it'\\''s.txt'"},
    {"find files called $name under $dir", "find \"$dir\" -name \"$name\""},
    {"find files ending in \"$ext\" under \"$HOME/src\"",
     "find \"$HOME/src\" -name \"*$ext\""},
    {"search the whole system for a file named hosts", "find / -name hosts"},
    {"find *.txt in the current directory", "find . -maxdepth 1 -name '*.txt'"},
    {"search for vimrc in /etc and /usr/share",
     "find /etc /usr/share -name vimrc"},
    {"find anything named *.iso on the entire file system",
     "find / -name '*.iso'"},
    {"show me every pdf in ~/Documents", "find ~/Documents -name '*.pdf'"},
};

static const struct find_candidates_row skips[] = {
    {"find *.py but skip the venv directory",
     "find . -name venv -prune -o -name '*.py' -print"},
    {"find files ignoring node_modules and .git",
     "find . \\( -name node_modules -o -name .git \\) -prune -o -print"},
    {"find all files excluding the .git directory",
     "find . -name .git -prune -o -print"},
    {"find *.c files excluding the build directory",
     "find . -name build -prune -o -name '*.c' -print"},
    {"find text files that are not in the archive folder",
     "find . -name archive -prune -o -type d -name '*.txt' -print"},
    {"find *.js files except in node_modules",
     "find . -name node_modules -prune -o -name '*.js' -print"},
    {"find all directories but not ./old",
     "find . -path ./old -prune -o -type d -print"},
    {"find *.h without descending into third_party",
     "find . -name third_party -prune -o -name '*.h' -print"},
};

static void
names_become_patterns(void **state)
{
    (void)state;
    find_candidates_check(names, N_OF(names));
}

static void
directories_are_passed_over(void **state)
{
    (void)state;
    find_candidates_check(skips, N_OF(skips));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_become_patterns),
        cmocka_unit_test(directories_are_passed_over),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
