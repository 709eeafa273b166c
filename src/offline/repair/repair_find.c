/* SPDX-License-Identifier: GPL-3.0-or-later */
/* repair_find.c - the kinds of candidates, facts and conditions. */
#include "offline/repair/repair_find.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "offline/manual/knowledge.h"
#include "offline/repair/repair_words.h"

/* Candidates. */

static void
offer_list(const struct repair_place *p, const char *list,
           struct repair_near *n)
{
    const char *at = NULL;
    char word[64];

    (void)p;
    while (repair_words_next(list, &at, word, sizeof(word)))
        repair_near_offer(n, word);
}

/* The names that the person's shells give to commands, in the files where they
 * are kept. */
static void
offer_aliases(const struct repair_place *p, struct repair_near *n)
{
    static const char *const files[] = {".bashrc", ".bash_aliases", ".zshrc",
                                        ".config/fish/config.fish"};
    const char *home = seat_home(p->seat);
    char path[PATH_MAX], name[64];

    for (size_t i = 0; home && i < ARRAY_SIZE(files); i++) {
        CLEANUP_BUF struct buf text = buf_of(REPAIR_FILE_MAX);

        snprintf(path, sizeof(path), "%s/%s", home, files[i]);
        if (!repair_file_begin(p, path, &text))
            continue;
        for (const char *at = text.p; (at = strstr(at, "alias "));) {
            size_t len;

            at += strlen("alias ");
            len = strcspn(at, "= '\"\n");
            snprintf(name, sizeof(name), "%.*s", (int)(len < 60 ? len : 0), at);
            if (name[0])
                repair_near_offer(n, name);
        }
    }
}

static void
offer_programs(const struct repair_place *p, const char *arg,
               struct repair_near *n)
{
    const char *at = seat_path(p->seat), *dir;
    size_t len;

    (void)arg;
    n->favoured = "common";
    offer_aliases(p, n);
    offer_list(p, "builtins", n);
    while (path_next_dir(&at, &dir, &len)) {
        char path[PATH_MAX];

        if (len >= sizeof(path))
            continue;
        snprintf(path, sizeof(path), "%.*s", (int)len, dir);
        repair_near_entries(p, n, path, false, true);
    }
}

/* The first field of each line of a file. */
static void
offer_fields(const struct repair_place *p, const char *file,
             struct repair_near *n)
{
    CLEANUP_BUF struct buf text = buf_of(REPAIR_FILE_MAX);
    char name[NAME_MAX + 1];

    if (!repair_file_begin(p, file, &text))
        return;
    for (const char *at = text.p; *at; at += strcspn(at, "\n")) {
        size_t len;

        at += strspn(at, "\n");
        len = strcspn(at, ":= \t\n");
        if (len > 0 && len < sizeof(name) && at[0] != '#') {
            snprintf(name, sizeof(name), "%.*s", (int)len, at);
            repair_near_offer(n, name);
        }
    }
}

static void
offer_entries(const struct repair_place *p, const char *dir,
              struct repair_near *n)
{
    repair_near_entries(p, n, dir, false, false);
}

static void
offer_refs_of(const struct repair_place *p, const char *what,
              struct repair_near *n)
{
    repair_git_near(p, what, n);
}

static void
offer_targets_of(const struct repair_place *p, const char *arg,
                 struct repair_near *n)
{
    (void)arg;
    repair_project_targets(p, n);
}

static void
offer_scripts(const struct repair_place *p, const char *arg,
              struct repair_near *n)
{
    (void)arg;
    repair_project_scripts(p, n);
}

/* The hosts of ssh's own configuration. */
static void
offer_hosts(const struct repair_place *p, const char *arg,
            struct repair_near *n)
{
    CLEANUP_BUF struct buf text = buf_of(REPAIR_FILE_MAX);
    const char *home = seat_home(p->seat);
    char path[PATH_MAX], name[NAME_MAX + 1];

    (void)arg;
    snprintf(path, sizeof(path), "%s/.ssh/config", home ? home : "");
    if (!home || !repair_file_begin(p, path, &text))
        return;
    for (const char *at = text.p; *at; at += strcspn(at, "\n")) {
        at += strspn(at, "\n \t");
        if (!str_begins(at, "Host "))
            continue;
        for (at += strlen("Host"); *at == ' ';) {
            size_t len;

            at += strspn(at, " ");
            len = strcspn(at, " \n");
            snprintf(name, sizeof(name), "%.*s",
                     (int)(len < sizeof(name) ? len : 0), at);
            repair_near_offer(n, name);
            at += len;
        }
    }
}

/* The spellings of the rows of a page: "-f: --file:". */
static void
offer_spellings(const struct page *page, struct repair_near *n)
{
    char name[SPELLING_NAME_SIZE];

    for (size_t i = 0; page && i < page->n; i++) {
        const char *p = page->rows[i].field[0];

        if (page->rows[i].kind != 'O')
            continue;
        for (; *p; p += strspn(p, " :")) {
            size_t len = strcspn(p, " :");

            snprintf(name, sizeof(name), "%.*s",
                     (int)(len < sizeof(name) ? len : 0), p);
            /* an option of one letter is near to every other one */
            if (strlen(name) > 2)
                repair_near_offer(n, name);
            p += len;
        }
    }
}

/* The long options of the program, and of its subcommand, by their manual
 * pages. */
static void
offer_options(const struct repair_place *p, const char *arg,
              struct repair_near *n)
{
    CLEANUP(knowledge_done) struct knowledge k = {.seat = p->seat};
    const char *program = repair_command_program(p->command);
    const char *sub = repair_command_word(p->command, "sub", 3);
    const struct known_program *known;
    char name[128];

    (void)arg;
    snprintf(name, sizeof(name), "%s-%s", program, sub ? sub : "");
    known = sub && !strchr(sub, '/') ? knowledge_get(&k, name) : NULL;
    if (known) {
        offer_spellings(known->page, n);
        offer_spellings(known->table, n);
    }
    known = program[0] ? knowledge_get(&k, program) : NULL;
    if (known) {
        offer_spellings(known->page, n);
        offer_spellings(known->table, n);
    }
}

static const struct {
    const char *kind;
    void (*offer)(const struct repair_place *p, const char *arg,
                  struct repair_near *n);
} near_kinds[] = {
    {"program", offer_programs}, {"list", offer_list},
    {"field", offer_fields},     {"in", offer_entries},
    {"git", offer_refs_of},      {"target", offer_targets_of},
    {"script", offer_scripts},   {"option", offer_options},
    {"host", offer_hosts},
};

/* Whether text is the kind, alone or before a colon; *arg is what follows. */
static bool
is_kind(const char *kind, const char *text, const char **arg)
{
    size_t n = strlen(kind);

    if (strncmp(kind, text, n) != 0 || (text[n] && text[n] != ':'))
        return false;
    *arg = text[n] ? text + n + 1 : "";
    return true;
}

bool
repair_find_near(const struct repair_place *p, const char *kind,
                 const char *word, char out[PATH_MAX])
{
    struct repair_near n;
    const char *arg;

    if (is_kind("path", kind, &arg) || is_kind("directory", kind, &arg))
        return repair_near_path(p, word, kind[0] == 'd', out);
    repair_near_init(&n, word, NULL);
    for (size_t i = 0; i < ARRAY_SIZE(near_kinds); i++) {
        if (is_kind(near_kinds[i].kind, kind, &arg))
            near_kinds[i].offer(p, arg, &n);
    }
    if (!n.best[0])
        return false;
    memcpy(out, n.best, sizeof(n.best));
    return true;
}

/* Facts. */

static bool
find_mapped(const struct repair_place *p, const char *map, const char *key,
            char out[PATH_MAX])
{
    (void)p;
    return repair_words_map(map, key, out, PATH_MAX);
}

static bool
find_git_fact(const struct repair_place *p, const char *what, const char *value,
              char out[PATH_MAX])
{
    (void)value;
    return repair_git_fact(p, what, out);
}

static bool
find_file_kind(const struct repair_place *p, const char *arg, const char *path,
               char out[PATH_MAX])
{
    (void)arg;
    return repair_file_kind(p, path, out);
}

static bool
find_interpreter(const struct repair_place *p, const char *arg,
                 const char *path, char out[PATH_MAX])
{
    (void)arg;
    return repair_file_interpreter(p, path, out);
}

static bool
find_program_file(const struct repair_place *p, const char *arg,
                  const char *name, char out[PATH_MAX])
{
    CLEANUP(free_p) char *path = seat_find_program(p->seat, name);

    (void)arg;
    if (!path || strlen(path) >= PATH_MAX)
        return false;
    memcpy(out, path, strlen(path) + 1);
    return true;
}

static bool
find_holder(const struct repair_place *p, const char *arg, const char *port,
            char out[PATH_MAX])
{
    (void)arg;
    return repair_machine_holder(p, port, out);
}

/* The directory of a path; "." for a name alone. */
static bool
find_parent(const struct repair_place *p, const char *arg, const char *path,
            char out[PATH_MAX])
{
    const char *slash = strrchr(path, '/');

    (void)p;
    (void)arg;
    if (!slash)
        return snprintf(out, PATH_MAX, ".") > 0;
    return snprintf(out, PATH_MAX, "%.*s",
                    slash == path ? 1 : (int)(slash - path), path) < PATH_MAX;
}

/* The first word of the call that names a file, a directory. */
static bool
find_argument(const struct repair_place *p, const char *what, const char *value,
              char out[PATH_MAX])
{
    const struct syntax_word *w = p->command->program;
    bool directory = strcmp(what, "directory") == 0;
    struct stat st;

    (void)value;
    for (w = w ? w->next : NULL; w; w = w->next) {
        if (w->text[0] == '-' || !syntax_word_is_literal(w) ||
            w->len >= PATH_MAX || seat_stat(p->seat, w->text, 0, &st) != 0 ||
            !(directory ? S_ISDIR(st.st_mode) : S_ISREG(st.st_mode)))
            continue;
        memcpy(out, w->text, w->len + 1);
        return true;
    }
    return false;
}

/* The digits behind a colon in text[0..n). */
static bool
find_port_behind(const char *text, size_t n, char out[PATH_MAX])
{
    for (size_t i = 0; i + 1 < n; i++) {
        size_t len = strspn(text + i + 1, "0123456789");

        if (text[i] == ':' && len > 1 && len < 6) {
            snprintf(out, PATH_MAX, "%.*s", (int)len, text + i + 1);
            return true;
        }
    }
    return false;
}

/* The port that is said to be held: of an address in the message, or the last
 * number of the command. */
static bool
find_port(const struct repair_place *p, const char *arg, const char *value,
          char out[PATH_MAX])
{
    bool found = false;

    (void)arg;
    (void)value;
    for (const char *at = p->message; (at = strstr(at, "ddress already in"));) {
        const char *begin = at, *end = strchr(at, '\n');

        while (begin > p->message && begin[-1] != '\n')
            begin--;
        if (find_port_behind(begin, end ? (size_t)(end - begin) : strlen(begin),
                             out))
            return true;
        at++;
    }
    for (const struct syntax_word *w = p->command->program; w; w = w->next) {
        const char *digits = strrchr(w->text, ':');

        digits = digits ? digits : strrchr(w->text, '=');
        digits = digits ? digits + 1 : w->text;
        if (digits[0] && !digits[strspn(digits, "0123456789")] &&
            strlen(digits) > 1 && strlen(digits) < 6)
            found = snprintf(out, PATH_MAX, "%s", digits) > 0;
    }
    return found;
}

/* The word in another form: a Perl module as libx-y-perl, and so on. */
static bool
find_word_form(const struct repair_place *p, const char *form, const char *word,
               char out[PATH_MAX])
{
    size_t n = 0;

    (void)p;
    if (strcmp(form, "base") == 0)
        word = path_base(word);
    for (; *word && n + 1 < PATH_MAX; word++) {
        bool separates = strchr("_:/.", *word) != NULL;
        char c = *word;

        if (strcmp(form, "head") == 0 && (c == '.' || c == '/'))
            break; /* the first part alone */
        if (strcmp(form, "dashed") == 0)
            c = separates ? '-' : (char)(c >= 'A' && c <= 'Z' ? c + 32 : c);
        if (strcmp(form, "module") == 0 && c == '/')
            out[n++] = ':', c = ':';
        if (c == '-' && n > 0 && out[n - 1] == '-')
            continue;
        out[n++] = c;
    }
    out[n] = '\0';
    return n > 0;
}

static const struct {
    const char *kind;
    bool (*find)(const struct repair_place *p, const char *arg,
                 const char *value, char out[PATH_MAX]);
} fact_kinds[] = {
    {"map", find_mapped},         {"git", find_git_fact},
    {"kind", find_file_kind},     {"interpreter", find_interpreter},
    {"which", find_program_file}, {"holder", find_holder},
    {"parent", find_parent},      {"form", find_word_form},
    {"argument", find_argument},  {"port", find_port},
};

bool
repair_find_fact(const struct repair_place *p, const char *kind,
                 const char *value, char out[PATH_MAX])
{
    const char *arg;

    for (size_t i = 0; i < ARRAY_SIZE(fact_kinds); i++) {
        if (is_kind(fact_kinds[i].kind, kind, &arg))
            return fact_kinds[i].find(p, arg, value, out);
    }
    return false;
}

/* Conditions. */

static bool
has_mode(const struct repair_place *p, const char *path, unsigned kind)
{
    struct stat st;

    return seat_stat(p->seat, path, 0, &st) == 0 &&
           (st.st_mode & S_IFMT) == kind;
}

static bool
is_there(const struct repair_place *p, const char *path)
{
    return seat_has(p->seat, path);
}

static bool
is_directory_there(const struct repair_place *p, const char *path)
{
    return has_mode(p, path, S_IFDIR);
}

static bool
is_file_there(const struct repair_place *p, const char *path)
{
    return has_mode(p, path, S_IFREG);
}

static bool
is_empty_path(const struct repair_place *p, const char *path)
{
    struct stat st;

    return seat_stat(p->seat, path, 0, &st) == 0 && st.st_size == 0;
}

static bool
is_own_path(const struct repair_place *p, const char *path)
{
    struct stat st;

    return seat_stat(p->seat, path, 0, &st) == 0 &&
           (st.st_uid == geteuid() || geteuid() == 0);
}

static bool
may_execute(const struct repair_place *p, const char *path)
{
    struct stat st;

    return seat_stat(p->seat, path, 0, &st) == 0 &&
           (st.st_mode & (S_IXUSR | S_IXGRP | S_IXOTH));
}

static bool
is_on_path(const struct repair_place *p, const char *name)
{
    CLEANUP(free_p)
    char *path = strchr(name, '/') ? NULL : seat_find_program(p->seat, name);

    return path != NULL;
}

static bool
has_call_word(const struct repair_place *p, const char *word)
{
    return repair_command_has(p->command, word);
}

static bool
is_root(const struct repair_place *p, const char *none)
{
    (void)p;
    (void)none;
    return geteuid() == 0;
}

static bool
is_in_repository(const struct repair_place *p, const char *none)
{
    char root[PATH_MAX];

    (void)none;
    return repair_git_fact(p, "root", root);
}

static bool
is_running_program(const struct repair_place *p, const char *program)
{
    (void)p;
    return repair_machine_runs(program, "");
}

/* Whether it runs in this repository. */
static bool
is_running_here(const struct repair_place *p, const char *program)
{
    char root[PATH_MAX];

    return repair_git_fact(p, "root", root) &&
           repair_machine_runs(program, root);
}

static bool
is_packaged(const struct repair_place *p, const char *package)
{
    return repair_machine_has_package(p, package);
}

/* Whether the command writes to this file by a redirection. */
static bool
is_redirected(const struct repair_place *p, const char *file)
{
    for (const struct syntax_node *n = p->command->tree.all; n; n = n->after) {
        for (const struct syntax_redirect *r = n->redirects; r; r = r->next) {
            if (r->kind != SYNTAX_READ && strcmp(r->target->text, file) == 0)
                return true;
        }
    }
    return false;
}

static bool
is_all_digits(const struct repair_place *p, const char *value)
{
    (void)p;
    return value[0] && !value[strspn(value, "0123456789")];
}

/* Whether git takes it for one name: no refspec that forces or deletes, no
 * pattern, no address with a helper of its own. */
static bool
is_git_name(const struct repair_place *p, const char *value)
{
    (void)p;
    return value[0] && value[0] != '+' && !value[strcspn(value, ":^~?*[\\ ")];
}

/* "DIR:PATH": whether the path is below the directory. */
static bool
is_below_dir(const struct repair_place *p, const char *value)
{
    const char *colon = strchr(value, ':');
    char dir[PATH_MAX];

    (void)p;
    if (!colon || colon[1] != '/' || (size_t)(colon - value) >= sizeof(dir))
        return false;
    snprintf(dir, sizeof(dir), "%.*s", (int)(colon - value), value);
    return path_is_below(colon + 1, dir);
}

/* "LIST:WORD": whether the list has the word. */
static bool
is_list_word(const struct repair_place *p, const char *value)
{
    const char *colon = strchr(value, ':');
    char list[64];

    (void)p;
    snprintf(list, sizeof(list), "%.*s", colon ? (int)(colon - value) : 0,
             value);
    return colon && repair_words_has(list, colon + 1);
}

static const struct {
    const char *name;
    bool (*holds)(const struct repair_place *p, const char *value);
} conditions[] = {
    {"exists", is_there},
    {"directory", is_directory_there},
    {"file", is_file_there},
    {"empty", is_empty_path},
    {"own", is_own_path},
    {"executable", may_execute},
    {"has", is_on_path},
    {"word", has_call_word},
    {"root", is_root},
    {"repository", is_in_repository},
    {"running", is_running_program},
    {"running-here", is_running_here},
    {"packaged", is_packaged},
    {"redirected", is_redirected},
    {"number", is_all_digits},
    {"listed", is_list_word},
    {"below", is_below_dir},
    {"git-name", is_git_name},
};

bool
repair_find_holds(const struct repair_place *p, const char *condition,
                  const char *value)
{
    for (size_t i = 0; i < ARRAY_SIZE(conditions); i++) {
        if (strcmp(conditions[i].name, condition) == 0)
            return conditions[i].holds(p, value);
    }
    return false;
}

bool
repair_find_is_kind(const char *row, const char *kind)
{
    const char *arg;
    bool found = false;

    if (strcmp(row, "near") == 0) {
        found = is_kind("path", kind, &arg) || is_kind("directory", kind, &arg);
        for (size_t i = 0; i < ARRAY_SIZE(near_kinds); i++)
            found |= is_kind(near_kinds[i].kind, kind, &arg);
        if (str_begins(kind, "list:"))
            found = repair_words_is_list(kind + strlen("list:"));
    } else if (strcmp(row, "find") == 0) {
        for (size_t i = 0; i < ARRAY_SIZE(fact_kinds); i++)
            found |= is_kind(fact_kinds[i].kind, kind, &arg);
    } else {
        for (size_t i = 0; i < ARRAY_SIZE(conditions); i++)
            found |= strcmp(conditions[i].name, kind) == 0;
    }
    return found;
}
