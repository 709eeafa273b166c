/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_request_parse.c - requests are divided into words and values. */
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "offline/parse/request_parse.h"

static bool
some_paths(void *arg, const char *path, bool *is_dir)
{
    unsigned *lookups = arg;

    ++*lookups;
    *is_dir = strcmp(path, "logs") == 0 || strcmp(path, "done") == 0;
    return *is_dir || strcmp(path, "Include") == 0 ||
           strcmp(path, "photo 1.jpg") == 0 || strcmp(path, "2.jpg") == 0 ||
           strcmp(path, "photo 2.jpg") == 0 || strcmp(path, "-dash.txt") == 0;
}

static const char *
one_slip(void *arg, const char *word)
{
    (void)arg;
    return strcmp(word, "dispaly") == 0   ? "display"
           : strcmp(word, "lagrest") == 0 ? "largest"
                                          : NULL;
}

/* A plain word is its stem, a weak one is left out; a literal is its type,
 * its attributes and its text. */
static void
show(const struct request *q, struct buf *out)
{
    static const char *const bounds[] = {"", ">", "<", ">=", "<=", "=="};

    for (size_t i = 0; i < q->n; i++) {
        const struct request_value *v = request_value_of(q, i);

        if (!v && q->words[i].weak)
            continue;
        if (out->len)
            buf_ch(out, ' ');
        if (!v) {
            buf_str(out, q->words[i].stem);
            continue;
        }
        buf_printf(out, "%s%s:%s%s", v->negated ? "!" : "", slot_name(v->is),
                   bounds[v->bound], v->text);
        if (v->unit)
            buf_printf(out, "[%ld%c]", (long)v->amount, v->unit);
    }
}

struct row {
    const char *request, *words;
};

static void
check(const struct row *rows, size_t n)
{
    unsigned lookups = 0;
    const struct request_world world = {
        .path = some_paths, .mend = one_slip, .arg = &lookups};

    for (size_t i = 0; i < n; i++) {
        CLEANUP_BUF struct buf got = buf_of(1u << 16);
        CLEANUP(request_done) struct request q = {0};
        struct err e = {0};

        assert_int_equal(request_read(rows[i].request, &world, &q, &e), 0);
        show(&q, &got);
        assert_string_equal(got.p, rows[i].words);
    }
}

#define CHECKS(name, ...)                                                      \
    static void name(void **state)                                             \
    {                                                                          \
        static const struct row rows[] = {__VA_ARGS__};                        \
                                                                               \
        (void)state;                                                           \
        check(rows, N_OF(rows));                                               \
    }

CHECKS(words_come_to_their_stems, {"Show me the files, please!", "list file"},
       {"could you erase these folders", "delete directory"},
       {"what are my biggest files", "biggest file"},
       {"I'd like to see what is running", "list run"},
       {"how many users are there", "count user"},
       {"the number of lines", "count line"},
       {"get rid of empty directories", "delete empty directory"},
       {"list the working directory", "list current directory"},
       {"list sub-directories", "list subdirectory"},
       {"find all symbolic links", "find symlink"},
       {"ignoring case, find it", "case insensitive find"},
       {"don't show hidden files", "not list hidden file"},
       {"files/directories", "file directory"},
       {"read/write permission", "read write permission"},
       {"human-readable sizes", "human readable size"},
       {"every file(s) and dir(s)", "every file directory"},
       {"dispaly the lagrest files", "list biggest file"},
       {"back up the file system", "backup filesystem"},
       {"which process is eating memory", "process consume memory"},
       {"e.g. this, etc.", ""})

CHECKS(a_file_may_have_blanks_in_its_name,
       {"delete photo 1.jpg", "delete path:photo 1.jpg"},
       {"delete photo 2.jpg", "delete image path:2.jpg"},
       {"delete photo 3.jpg", "delete image path:3.jpg"},
       {"show -dash.txt", "list path:-dash.txt"},
       {"show -other.txt", "list text:-other.txt"})

CHECKS(letters_in_a_row_are_names,
       {"make directories a, b and c", "create directory name:a name:b name:c"},
       {"make files named a b c", "create file name name:a name:b name:c"},
       {"make a directory", "create directory"},
       {"unpack x.tar into out", "extract path:x.tar name:out"},
       {"find it out", "find out"})

CHECKS(quotes_make_a_literal, {"delete \"old stuff\"", "delete text:old stuff"},
       {"say 'hello world'", "say text:hello world"},
       {"print `date`", "list text:date"},
       {"find \xe2\x80\x9c"
        "foo bar\xe2\x80\x9d and \xe2\x80\x98"
        "baz\xe2\x80\x99",
        "find text:foo bar text:baz"},
       {"files of `others' are left", "file text:others left"},
       {"bob's dog doesn't say 'don't'", "user:bob dog not say text:don't"},
       {"search for \"a\" or 'b'", "find text:a text:b"},
       {"an unclosed \"quote stays", "unclosed quote stay"},
       {"write \"\" to it", "write text:"}, {"(see \"x y\")", "list text:x y"},
       {"replace \"foo\" with \"bar\".", "replace text:foo text:bar"},
       {"the word 'error' in 'a.log', please", "word text:error path:a.log"},
       {"files with the \"*.c\" pattern", "file glob:*.c pattern"},
       {"the \"test\" directory", "path:test directory"},
       {"directory \"backup\"", "directory path:backup"},
       {"set variable \"x\"", "set variable name:x"},
       {"'dir' variable", "name:dir variable"}, {"file \"x\"", "file path:x"},
       {"files ending in \".gz\"", "file end text:.gz"},
       {"\".gz\" files", "ext:.gz file"})

CHECKS(paths_are_known_by_their_looks,
       {"look into /var/log.", "find path:/var/log"}, {"cd ..", "cd path:.."},
       {"list .", "list path:."},
       {"copy ~/a.txt to ./b/", "copy path:~/a.txt path:./b/"},
       {"compare src/main.c and ../old/main.c",
        "compare path:src/main.c path:../old/main.c"},
       {"remove $HOME/tmp and ${x}/y", "delete path:$HOME/tmp path:${x}/y"},
       {"open foo.txt?", "open path:foo.txt"},
       {"run ./build.sh", "run path:./build.sh"},
       {"edit .bashrc", "edit path:.bashrc"},
       {"what is in the root /", "root path:/"},
       {"cat a.txt,b.txt", "cat path:a.txt path:b.txt"},
       {"test/data is a path", "path:test/data path"},
       {"put it into box:/srv", "put path:box:/srv"},
       {"copy logs/ to bob@box:/srv/backup",
        "copy path:logs/ path:bob@box:/srv/backup"},
       {"$DIR holds <directory_name>", "path:$DIR hold name:directory_name"},
       {"go to logs", "go path:logs"},
       {"the file Include", "file path:Include"},
       {"unpack a.tar.gz", "extract path:a.tar.gz"})

CHECKS(globs_and_endings_are_distinguished, {"*.jpg", "glob:*.jpg"},
       {"img[0-9]*", "glob:img[0-9]*"},
       {"find file?.txt", "find glob:file?.txt"},
       {"all .c and .h files", "ext:c ext:h file"},
       {"jpg files", "ext:jpg file"}, {"PDF documents", "ext:pdf document"},
       {"jpg, png and gif images", "ext:jpg ext:png ext:gif image"},
       {"files with extension txt", "file extension ext:txt"},
       {"text files", "ext:txt file"}, {"a text file", "text file"},
       {"python scripts", "ext:py script"}, {"old files", "old file"},
       {"files that end in ini", "file end text:ini"},
       {"names that start with foo", "name start text:foo"},
       {"^foo.*bar$", "text:^foo.*bar$"}, {"/tmp/*.log", "path:/tmp/*.log"})

CHECKS(sizes_have_a_unit, {"larger than 10M", "bigger size:>10M[10M]"},
       {"over 5 GB", "over size:>5 GB[5G]"},
       {"at least 500 kilobytes", "least size:>=500 kilobytes[500k]"},
       {"less than 1.5G", "less size:<1.5G[1536M]"},
       {"exactly 512 bytes", "exactly size:==512 bytes[512c]"},
       {"no more than two megabytes", "no more size:<=two megabytes[2M]"},
       {"between 1 and 5 MB", "between size:>=1[1M] size:<=5 MB[5M]"},
       {"100k or more", "size:>=100k[100k] more"},
       {"under 5m in size", "size:<5m[5M] size"},
       {"smaller than or equal to 3 KiB", "smaller equal size:<=3 KiB[3k]"},
       {"+10M", "size:>+10M[10M]"}, {"a 2 byte word", "size:2 byte[2c] word"})

CHECKS(ages_are_read_in_words, {"older than 3 days", "older age:>3 days[3d]"},
       {"in the last 24 hours", "last age:<=24 hours[24h]"},
       {"older than a week", "older age:>a week[1w]"},
       {"modified within the past hour", "modify age:<=past hour[1h]"},
       {"modified 30 days ago", "modify age:==30 days[30d] ago"},
       {"not modified in the last 30 days",
        "not modify last age:>30 days[30d]"},
       {"files which have not been accessed for 90 days",
        "file not access age:>90 days[90d]"},
       {"changed yesterday", "modify age:yesterday[1d]"},
       {"today's files", "age:today's[0d] file"},
       {"more than 2 days ago", "more age:>2 days[2d] ago"},
       {"newer than 5m", "newer age:<5m[5m]"},
       {"every 5 minutes", "every age:5 minutes[5m]"},
       {"between 2 and 6 minutes ago",
        "between age:>=2[2m] age:<=6 minutes[6m] ago"},
       {"this month", "age:<=this month[1M]"}, {"wait a second", "wait second"},
       {"sleep 1.5h", "sleep age:1.5h[90m]"})

CHECKS(dates_are_read_in_words, {"since 2024-05-01", "since date:>=2024-05-01"},
       {"on May 1 2024", "date:May 1 2024"},
       {"on 1st of June", "date:1st of June"},
       {"before 01/05/2024", "before date:<01/05/2024"},
       {"at 2024-05-01 12:30", "date:2024-05-01 12:30"}, {"you may go", "go"},
       {"in May 2023", "date:May 2023"})

CHECKS(numbers_are_read_in_words, {"top ten files", "top number:10 file"},
       {"first 10 lines", "first number:10 line"},
       {"lines 10-20", "line number:10 number:20"},
       {"the 5th line", "number:5 line"},
       {"the third column", "number:3 column"},
       {"1,000 files", "number:1000 file"},
       {"1,000,000,000,000 files", "number:1000000000000 file"},
       {"one file", "one file"}, {"20% of it", "number:20%"},
       {"columns 1..3", "column number:1 number:3"},
       {"seq from 1 to 10", "seq number:1 number:10"},
       {"at most 4 lines", "most number:<=4 line"})

CHECKS(what_a_literal_is_hangs_on_its_neighbours,
       {"kill what uses port 8080", "kill use port port:8080"},
       {"ports 80 and 443", "port port:80 port:443"},
       {"which port is nginx listening on", "port nginx listen"},
       {"listen on :3000", "listen port:3000"},
       {"owned by bob", "owner user:bob"},
       {"files belonging to user alice and carol",
        "file owner user user:alice user:carol"},
       {"bob's files", "user:bob file"}, {"owned by root", "owner user:root"},
       {"user home directory", "user home directory"},
       {"add alice to group staff", "add user:alice group group:staff"},
       {"change the owner of x.txt to dave",
        "change owner path:x.txt user:dave"},
       {"ping example.com", "ping host:example.com"},
       {"connect to 10.0.0.1", "connect host:10.0.0.1"},
       {"log in to the server web1", "login server host:web1"},
       {"ssh bob@box", "ssh host:bob@box"},
       {"localhost:8080", "host:localhost:8080"},
       {"get https://example.com/x?y=1", "list url:https://example.com/x?y=1"},
       {"chmod 755 x.sh", "chmod mode:755 path:x.sh"},
       {"set permissions to 644", "set permission mode:644"},
       {"u+x", "mode:u+x"}, {"rwxr-xr-x", "mode:rwxr-xr-x"},
       {"create 755 files", "create number:755 file"},
       {"stop the nginx service", "kill name:nginx service"},
       {"restart service nginx", "restart service name:nginx"},
       {"git branch fix-login", "git branch name:fix-login"},
       {"a file named list", "file name name:list"},
       {"files called *.bak", "file name glob:*.bak"},
       {"a process called foo", "process name name:foo"},
       {"the TMPDIR variable", "name:TMPDIR variable"},
       {"rename foo_bar to FooBar", "rename name:foo_bar name:FooBar"},
       {"use the -l option", "use text:-l option"},
       {"read-only and case-insensitive", "read only case insensitive"},
       {"install docker-compose", "install name:docker-compose"},
       {"the md5 sum", "md5 sum"}, {"string foo", "string text:foo"},
       {"a package named build-essential", "package name name:build-essential"})

CHECKS(what_is_excluded_is_negated, {"except *.c", "except !glob:*.c"},
       {"not named foo", "not name !name:foo"},
       {"all but *.txt", "except !glob:*.txt"},
       {"files without \"x\"", "file without !text:x"},
       {"other than .git", "except !path:.git"},
       {"excluding a.txt and b.txt", "except !path:a.txt !path:b.txt"},
       {"non-empty files", "not empty file"},
       {"do not remove a.txt", "not delete !path:a.txt"})

CHECKS(what_is_here_is_known_by_its_plain_name,
       {"show the logs folder", "list path:logs directory"},
       {"remove the directory logs", "delete directory path:logs"},
       {"compress logs to x.tar.gz", "compress path:logs path:x.tar.gz"},
       {"the size of logs", "size path:logs"},
       {"show old logs", "list old log"},
       {"move x.txt to done", "move path:x.txt path:done"},
       {"old logs in /var/log", "old log path:/var/log"},
       {"log in as bob", "login bob"},
       {"compare the directories logs and done",
        "compare directory path:logs path:done"},
       {"write hello world into a.txt", "write text:hello world path:a.txt"},
       {"append see you to the file a.txt",
        "append text:see you file path:a.txt"},
       {"write the output of ls to a.txt", "write output ls path:a.txt"},
       {"calculate 17 * 23", "calculate text:17 * 23"},
       {"what is 2^10+1", "text:2^10+1"},
       {"what is on 10.0.0.0/8", "host:10.0.0.0/8"},
       {"lock bob's account", "lock user:bob user"})

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_come_to_their_stems),
        cmocka_unit_test(a_file_may_have_blanks_in_its_name),
        cmocka_unit_test(letters_in_a_row_are_names),
        cmocka_unit_test(quotes_make_a_literal),
        cmocka_unit_test(paths_are_known_by_their_looks),
        cmocka_unit_test(globs_and_endings_are_distinguished),
        cmocka_unit_test(sizes_have_a_unit),
        cmocka_unit_test(ages_are_read_in_words),
        cmocka_unit_test(dates_are_read_in_words),
        cmocka_unit_test(numbers_are_read_in_words),
        cmocka_unit_test(what_a_literal_is_hangs_on_its_neighbours),
        cmocka_unit_test(what_is_excluded_is_negated),
        cmocka_unit_test(what_is_here_is_known_by_its_plain_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
