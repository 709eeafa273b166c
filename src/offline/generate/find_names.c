/* SPDX-License-Identifier: GPL-3.0-or-later */
/* find_names.c - find: names, patterns, kinds, types and contents of files. */
#include <ctype.h>
#include <string.h>

#include "base/array.h"
#include "offline/generate/find.h"

/* Words that may be repeated before each name of a list. */
#define LIST_WORDS                                                             \
    "extension extensions name names named end ends ending start starts "      \
    "starting begin begins beginning in with the"

/* Words in the position of a name that are none. */
#define NO_NAME                                                                \
    "file files directory directories folder folders contain contains "        \
    "containing start starts begin begins end ends ending match matches "      \
    "matching pattern path extension only case insensitive sort sorted "       \
    "modified changed not text string word regular without newline space "     \
    "spaces created accessed read found located stored present exactly pipe"

/* Whether word i may be a name. */
static bool
find_is_name(const struct find *f, size_t i)
{
    const struct request_value *v = request_value_of(f->q, i);

    if (!v)
        return !generate_is(f->q, i, NO_NAME);
    if (v->quoted)
        return true;
    if (v->is == SLOT_PATH && strchr("/~", *v->text))
        return false;
    return v->is != SLOT_SIZE && v->is != SLOT_AGE && v->is != SLOT_DATE &&
           v->is != SLOT_NUMBER &&
           !generate_is(f->q, i, "read accessed created pipe");
}

static bool
find_ignores_case(const struct find *f)
{
    return request_has(f->q, "insensitive case-insensitive insensitively "
                             "case-insensitively caseless") ||
           request_find_row(f->q, "ignore case") != REQUEST_NONE;
}

static void
add_name_form(struct buf *out, const char *form, const char *text)
{
    const char *at = strstr(form, "%s");

    buf_add(out, form, (size_t)(at - form));
    if (out->len && out->p[out->len - 1] == '.' && *text == '.')
        text++;
    buf_str(out, text);
    if (at[2] == '*' && *text && text[strlen(text) - 1] == '*')
        return;
    buf_str(out, at + 2);
}

/* Appends the pattern of word i: "*.c" for the extension c. */
static void
add_pattern(const struct find *f, size_t i, const char *form, struct buf *out)
{
    const struct request_value *v = request_value_of(f->q, i);
    CLEANUP_BUF struct buf room = buf_of(REQUEST_BYTES_MAX);
    const char *text = generate_text(f->q, i, &room);
    bool is_ext = v && !v->quoted && v->is == SLOT_EXT;

    if (is_ext && isupper((unsigned char)*text)) { /* "PDF files" */
        buf_clear(&room);
        for (const char *s = v->text; *s; s++)
            buf_ch(&room, (char)tolower((unsigned char)*s));
        text = room.p;
    }

    if (v && v->is == SLOT_GLOB && strpbrk(text, "*?["))
        form = "%s";
    else if (is_ext && !strcmp(form, "%s"))
        form = "*.%s";
    else if (is_ext && !strcmp(form, "*%s"))
        form = "*.%s";
    add_name_form(out, form, text);
}

/* The test for word i: "-name '*.c'". */
static void
add_test(struct find *f, struct buf *out, size_t i, const char *form,
         const char *test)
{
    CLEANUP_BUF struct buf pattern = buf_of(REQUEST_BYTES_MAX);
    bool fold = find_ignores_case(f);

    add_pattern(f, i, form, &pattern);
    f->none |= pattern.bad;
    if (!test)
        test = strchr(pattern.p, '/') ? "-path" : "-name";
    buf_printf(out, "-%s%s ", fold ? "i" : "", test + 1);
    if (strpbrk(pattern.p, "*?[\\"))
        generate_quoted(out, pattern.p);
    else
        generate_word(out, pattern.p);
}

/* The next of a list behind word i, "a.txt, b.txt and c.txt" or "ending in .c
 * or ending in .h"; or REQUEST_NONE. */
static size_t
next_of(const struct find *f, size_t i)
{
    bool joined = false;

    for (i++; i < f->q->n; i++) {
        const struct request_value *v = request_value_of(f->q, i);

        if (v && !generate_used(f->used, i))
            return find_is_name(f, i) && (joined || v->is == SLOT_GLOB ||
                                          v->is == SLOT_EXT || v->quoted)
                       ? i
                       : REQUEST_NONE;
        if (joined && generate_is_name(f->q, i) && !generate_used(f->used, i))
            return i;
        if (generate_is(f->q, i, "or and nor"))
            joined = true;
        else if (!joined || !generate_is(f->q, i, LIST_WORDS))
            return REQUEST_NONE;
    }
    return REQUEST_NONE;
}

/* Adds tests for one kind of names to the alternatives. */
static void
find_add_kind(struct find *f, const char *tests)
{
    if (strstr(f->kinds.p, tests))
        return;
    if (f->n_kinds++)
        buf_str(&f->kinds, " -o ");
    buf_str(&f->kinds, tests);
    f->tests++;
}

void
find_join_kinds(struct find *f)
{
    bool many = strstr(f->kinds.p, " -o ") != NULL;

    if (f->kinds.len)
        buf_printf(&f->part[FIND_NAME], "%s %s%s", many ? " \\(" : "",
                   f->kinds.p, many ? " \\)" : "");
}

/* Adds tests for word i and the list that it begins to FIND_NAME. form has %s
 * for the text; test is NULL for -name. */
static void
find_add_list(struct find *f, size_t i, const char *form, const char *test)
{
    CLEANUP_BUF struct buf all = buf_of(FIND_PART_BYTES);
    bool no = generate_negated(f->q, i), kind = !test && !strcmp(form, "%s");
    unsigned n = 0;

    for (; i != REQUEST_NONE; i = next_of(f, i)) {
        if (n++)
            buf_str(&all, " -o ");
        find_use(f, i);
        add_test(f, &all, i, form, test);
    }
    f->none |= all.bad;
    if (kind && !no) {
        find_add_kind(f, all.p);
        return;
    }
    find_test(f, FIND_NAME, n > 1 ? "%s \\( %s \\)" : "%s %s", no ? " !" : "",
              all.p);
}

/* Names and paths. */

#define ANY_FILES "file|files|directory|directories|folder|folders"
#define CALLED    "named|called|name|names|filename|filenames|titled"
#define START     "start|starts|starting|begin|begins|beginning"
#define END       "end|ends|ending|finish"
#define NAME_CONTAINS                                                          \
    "contain|contains|containing|include|includes|including|have|has|having"
#define MATCH "match|matches|matching"
#define STRING                                                                 \
    "?string|word|text|letter|letters|pattern|phrase|character|prefix|suffix"
#define SUFFIX "extension|extensions|suffix|ext"
#define PATHS  "path|paths|pathname|pathnames"

/* The pattern for a row of words; %s is the text. */
static const struct find_naming {
    const char *row;
    const char *form; /* "." before %s: unless it begins with one */
    const char *test; /* NULL: -name */
} namings[] = {
    {MATCH " ?regular|posix ?extended regex|regexp|expression {}", "%s",
     "-regex"},
    {"regex|regexp|expression {text} in ?their name|names|path|paths", "%s",
     "-regex"},
    {"with|by|using ?regular ?posix regex|regexp|expression {text}", "%s",
     "-regex"},
    {NAME_CONTAINS " " STRING " {} in ?full|whole|file|their|its " PATHS,
     "*%s*", "-path"},
    {"{} in ?full|whole|file|their|its " PATHS, "*%s*", "-path"},
    {PATHS " " NAME_CONTAINS " " STRING " {}", "*%s*", "-path"},
    {PATHS " " MATCH " " STRING " {}", "%s", "-path"},
    {MATCH " " STRING " {} in ?their " PATHS, "%s", "-path"},
    {START " with " STRING " {}", "%s*", NULL},
    {"prefix|prefixed ?with {}", "%s*", NULL},
    {END " with|in|by " STRING " {}", "*%s", NULL},
    {NAME_CONTAINS " " STRING " {} in ?file " CALLED, "*%s*", NULL},
    {"{} in|within ?file " CALLED, "*%s*", NULL},
    {CALLED " " NAME_CONTAINS " " STRING " {}", "*%s*", NULL},
    {CALLED " " START " with|by " STRING " {}", "%s*", NULL},
    {CALLED " " MATCH " " STRING " {}", "%s", NULL},
    {MATCH " " STRING " {glob}", "%s", NULL},
    {"like|pattern|patterns {glob}", "%s", NULL},
    {SUFFIX " is|of|equals {}", "*.%s", NULL},
    {"{} " SUFFIX, "*.%s", NULL},
    {SUFFIX " {}", "*.%s", NULL},
    {CALLED " like|equals|exactly {}", "%s", NULL},
    {"named|called|titled {}", "%s", NULL},
    {"name|names|filename|filenames {}", "%s", NULL},
    {CALLED " ?which|that is {}", "%s", NULL},
    {"find ?for {} in|under|from|on|below|inside|within", "%s", NULL},
    {"find ?for file {} in|under|from|on|below|inside|within", "%s", NULL},
};

/* Whether the row needs a value, since its words have other uses too. */
static bool
is_strict(const char *row)
{
    return *row == '{' || !strncmp(row, "name|", 5) ||
           strstr(row, "every {}") || strstr(row, "?for {}");
}

static void
read_namings(struct find *f)
{
    struct generate_hit hit;

    if (find_says(f, NAME_CONTAINS
                  " space|spaces|blank|blanks|whitespace ?in ?their " CALLED) ||
        find_says(f, "space|spaces|whitespace in ?their " CALLED))
        find_test(f, FIND_NAME, " -name '* *'");

    for (size_t r = 0; r < ARRAY_SIZE(namings); r++) {
        size_t from = 0;

        while (generate_match(f->q, namings[r].row, f->used, from, &hit)) {
            from = hit.to;
            if (!find_is_name(f, hit.at) ||
                (is_strict(namings[r].row) && !generate_is_name(f->q, hit.at)))
                continue;
            find_add_list(f, hit.at, namings[r].form, namings[r].test);
            f->used |= hit.set;
        }
    }
}

/* Reads patterns, extensions and file names without words for them. */
static void
read_values(struct find *f)
{
    for (size_t i = 0; i < f->q->n; i++) {
        const struct request_value *v = request_value_of(f->q, i);

        if (!v || generate_used(f->used, i))
            continue;
        if (strspn(v->text, "0123456789*") == strlen(v->text))
            continue;
        if (v->is == SLOT_EXT ||
            (v->is == SLOT_GLOB && *v->text != '/' && *v->text != '~'))
            find_add_list(f, i, "%s", NULL);
    }
}

/* "the file foo.txt", "files 'a' and 'b'", "foo.txt files": once places have
 * been read, what is left of names. */
void
find_read_rest(struct find *f)
{
    static const char *const rows[] = {
        ANY_FILES " {path}", ANY_FILES " {name}",
        ANY_FILES " {text}", "{path} " ANY_FILES,
        "{name} " ANY_FILES, "{text} " ANY_FILES,
        "all|find {path}",   NULL,
    };
    struct generate_hit hit;

    for (const char *const *r = rows; *r && !find_named(f); r++)
        if (find_sees(f, *r, &hit) && find_is_name(f, hit.at)) {
            find_add_list(f, hit.at, "%s", NULL);
            f->used |= hit.set;
        }
    if (find_says(f, "hidden") && !find_named(f))
        find_test(f, FIND_NAME, " -name '.*'");
}

void
find_read_naming(struct find *f)
{
    read_namings(f);
}

void
find_read_name(struct find *f)
{
    read_values(f);
    if (find_ignores_case(f))
        f->used |= request_set(f->q, "case insensitive ignore "
                                     "case-insensitive insensitively");
}

/* Kinds of files, named by what they are for. */

#define SOURCE_FILES "file|files|source|sources|script|scripts|program|programs"

static const struct find_kind {
    const char *row, *names;
} kinds[] = {
    {"python " SOURCE_FILES, "*.py"},
    {"perl " SOURCE_FILES, "*.pl"},
    {"ruby " SOURCE_FILES, "*.rb"},
    {"shell|bash " SOURCE_FILES, "*.sh"},
    {"javascript " SOURCE_FILES, "*.js"},
    {"typescript " SOURCE_FILES, "*.ts"},
    {"java " SOURCE_FILES, "*.java"},
    {"rust " SOURCE_FILES, "*.rs"},
    {"golang|go " SOURCE_FILES, "*.go"},
    {"readme " SOURCE_FILES, "README*"},
    {"pdfs|pdf", "*.pdf"},
    {"jpegs|jpgs", "*.jpg"},
    {"mp3s", "*.mp3"},
    {"c++|cpp " SOURCE_FILES, "*.cpp"},
    {"c ?source|code " SOURCE_FILES, "*.c"},
    {"c header " SOURCE_FILES, "*.h"},
    {"header " SOURCE_FILES, "*.h"},
    {"object " SOURCE_FILES, "*.o"},
    {"markdown " SOURCE_FILES, "*.md"},
    {"text " SOURCE_FILES, "*.txt"},
    {"log|logs " SOURCE_FILES, "*.log"},
    {"configuration|config " SOURCE_FILES, "*.conf"},
    {"backup " SOURCE_FILES, "*.bak"},
    {"web|html " SOURCE_FILES "|page", "*.html"},
    {"jpeg|jpg image|images|photo|photos|picture|pictures", "*.jpg"},
    {"png image|images", "*.png"},
    {"image|images|photo|photos|picture|pictures ?file|files",
     "*.jpg *.jpeg *.png *.gif"},
    {"video|videos|movie|movies ?file|files", "*.mp4 *.mkv *.avi *.mov"},
    {"audio|music|songs|song ?file|files", "*.mp3 *.flac *.ogg *.wav"},
    {"temporary|temp " SOURCE_FILES, "*.tmp"},
    {"core dump|dumps ?file|files", "core"},
    {"core file|files", "core"},
};

/* "a b" to "-iname a -o -iname b" */
static void
add_name_tests(struct find *f, const char *names, bool no)
{
    CLEANUP_BUF struct buf tests = buf_of(FIND_PART_BYTES);
    const char *test = strchr(names, ' ') ? "-iname" : "-name";

    while (*names) {
        size_t n = strcspn(names, " ");
        bool glob = memchr(names, '*', n) != NULL;

        buf_printf(&tests, glob ? "%s%s '%.*s'" : "%s%s %.*s",
                   tests.len ? " -o " : "", test, (int)n, names);
        names += n;
        names += strspn(names, " ");
    }
    if (no)
        find_test(f, FIND_NAME, " ! \\( %s \\)", tests.p);
    else
        find_add_kind(f, tests.p);
}

void
find_read_kind(struct find *f)
{
    struct generate_hit hit;

    if (find_named(f))
        return;
    for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
        if (find_sees(f, kinds[i].row, &hit)) {
            f->used |= hit.set;
            add_name_tests(f, kinds[i].names, generate_negated(f->q, hit.from));
            f->plain = true;
        }
}

/* Types: files, directories, links. */

#define PLAIN_FILES "file|files"
#define DIRS        "directory|directories|folder|folders|dir|dirs"

static const struct type {
    const char *row, *text;
} types[] = {
    {"broken|dangling|dead ?symbolic|soft link|links|symlink|symlinks",
     " -xtype l"},
    {PLAIN_FILES " and|or|and/or " DIRS, ""},
    {DIRS " and|or|and/or " PLAIN_FILES, ""},
    {"files/directories|files/folders|directories/files", ""},
    {"regular|normal|ordinary|plain|regular/normal|normal/regular " PLAIN_FILES,
     " -type f"},
    {"regular|normal regular|normal " PLAIN_FILES, " -type f"},
    {"only|just " PLAIN_FILES, " -type f"},
    {PLAIN_FILES " only", " -type f"},
    {"only|just " DIRS, " -type d"},
    {"symbolic|soft link|links ?" PLAIN_FILES, " -type l"},
    {"symlink|symlinks", " -type l"},
    {"socket|sockets ?" PLAIN_FILES, " -type s"},
    {"named pipe|pipes", " -type p"},
    {"fifo|fifos", " -type p"},
    {"pipe|pipes file|files", " -type p"},
    {"block ?special|device|devices " PLAIN_FILES, " -type b"},
    {"block device|devices", " -type b"},
    {"character|char device|devices ?" PLAIN_FILES, " -type c"},
};

/* Reads the nouns that say what is searched, after the directories were read.
 */
static void
read_nouns(struct find *f)
{
    bool dirs = find_says(f, "?sub " DIRS);
    bool files = find_says(f, PLAIN_FILES);

    dirs |= find_says(f, "subdirectory|subdirectories|sub-directory|"
                         "sub-directories|subfolder|subfolders|sub-folders");
    if (dirs && !files)
        find_test(f, FIND_TYPE, " -type d");
    f->plain |= files && !dirs;
}

void
find_read_type(struct find *f)
{
    for (size_t i = 0; i < ARRAY_SIZE(types); i++)
        if (find_says(f, types[i].row)) {
            if (*types[i].text)
                find_test(f, FIND_TYPE, "%s", types[i].text);
            find_says(f, PLAIN_FILES);
            return;
        }
    read_nouns(f);
}

/* Contents. */

#define TEXT                                                                   \
    "text|string|word|phrase|pattern|keyword|line|lines|term|expression|regex"
#define TEXT_CONTAINS                                                          \
    "contain|contains|containing|include|have|has|with|mention|mentioning"
#define SEARCH "search|find|grep|look|searching|searches"

/* Rows that ask which files. */
static const char *const contents[] = {
    TEXT_CONTAINS " ?regular " TEXT " {}",
    "contain|contains|containing|mention|mentioning {text}",
    "list|output ?file name|names of|where|that match|matching {text}",
    NULL,
};
/* Rows that ask for the lines too. */
static const char *const searches[] = {
    SEARCH " ?for ?regular " TEXT " {} in|inside|within|through",
    SEARCH " ?for {text} in|inside|within|through",
    SEARCH " ?for occurrence|instance|line ?of|with {}",
    "for ?regular ?" TEXT " {text}",
    "grep ?for {}",
    NULL,
};

/* Whether word i is no text but names files. */
static bool
names_files(const struct find *f, size_t i)
{
    const struct request_value *v = request_value_of(f->q, i);

    if (!v)
        return generate_is(f->q, i,
                           "file files directory directories folder "
                           "folders name names in");
    return !v->quoted &&
           (v->is == SLOT_AGE || v->is == SLOT_SIZE || v->is == SLOT_DATE ||
            v->is == SLOT_NUMBER || v->is == SLOT_EXT || v->is == SLOT_GLOB ||
            v->is == SLOT_PATH);
}

/* Adds the grep for contents: it only selects files when they are for another
 * command. */
static void
add_grep(struct find *f, bool lines, const struct generate_hit *hit)
{
    CLEANUP_BUF struct buf room = buf_of(REQUEST_BYTES_MAX);
    const char *fold = request_has(f->q, "insensitive case-insensitive") ? "i"
                                                                         : "";
    bool no = generate_negated(f->q, hit->from);
    bool chooses = f->run.len || f->deletes;
    struct buf *out = chooses ? &f->part[FIND_OWNER] : &f->run;

    if (chooses)
        buf_printf(out, "%s -exec grep -%sq ", no ? " !" : "", fold);
    else if (lines && !no)
        buf_printf(out, "grep -%sH ", fold);
    else
        buf_printf(out, "grep -%s%s ", fold, no ? "L" : "l");
    if (*generate_text(f->q, hit->at, &room) == '-')
        buf_str(out, "-e "); /* a text, and no option */
    find_add_word(f, out, hit->at);
    buf_str(out, chooses ? " {} \\;" : " {}");
    f->tests++;
}

static void
read_name_rows(struct find *f, const char *const *rows, bool lines)
{
    struct generate_hit hit;

    for (; *rows; rows++)
        if (find_sees(f, *rows, &hit) && !names_files(f, hit.at)) {
            f->used |= hit.set;
            add_grep(f, lines, &hit);
            return;
        }
}

void
find_read_look(struct find *f)
{
    read_name_rows(f, searches, true);
}

void
find_read_content(struct find *f)
{
    if (!f->run.len || strncmp(f->run.p, "grep", 4))
        read_name_rows(f, contents, false);
}
