/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rights.c - chmod, chown and chgrp: who may do what with files. */
#include <string.h>

#include "offline/compose/composers.h"
#include "offline/compose/sketch.h"

static const char changing[] = "change set make give chmod chown chgrp add "
                               "grant allow remove revoke take deny transfer "
                               "modify assign let forbid update";
static const char refused[] = "find list show search print display without "
                              "copy preserve preserving default umask which "
                              "whose have having that";

/* Whom the words name: "u", "g", "o", "a"; "" for all that chmod means. */
static void
read_whom(struct sketch *k, char who[4])
{
    size_t n = 0;

    if (sketch_says(k, "everyone everybody anyone world") ||
        sketch_row(k, "all user/users")) {
        who[n++] = 'a';
    } else {
        if (sketch_says(k, "owner user me my"))
            who[n++] = 'u';
        if (sketch_says(k, "group"))
            who[n++] = 'g';
        if (sketch_says(k, "others other"))
            who[n++] = 'o';
    }
    who[n] = '\0';
}

static void
read_what(struct sketch *k, char what[4])
{
    size_t n = 0;

    if (sketch_says(k, "read readable reading"))
        what[n++] = 'r';
    if (sketch_says(k, "write writable writeable writing"))
        what[n++] = 'w';
    if (sketch_says(k, "execute executable executing run runnable"))
        what[n++] = 'x';
    what[n] = '\0';
}

/* "give read and remove write permission", "read but not write": one mode
 * says either. */
static bool
says_both(const struct sketch *k)
{
    size_t not = sketch_at(k, "not non");
    size_t what = sketch_at(k, "read readable reading write writable writeable "
                               "writing execute executable executing run "
                               "runnable");

    return (sketch_has(k, "add grant allow give let") &&
            sketch_has(k, "remove revoke take deny forbid")) ||
           (not != REQUEST_NONE && what < not );
}

/* "executable", "read only", "not writable by others" as chmod writes it. */
static bool
mode_in_words(struct sketch *k, struct buf *mode)
{
    char who[4], what[4];
    bool not = sketch_says(k, "remove revoke take deny not non forbid");

    if (says_both(k))
        return false;
    if (sketch_row(k, "read only") || sketch_says(k, "read-only readonly")) {
        buf_str(mode, "a-w");
        return true;
    }
    read_what(k, what);
    if (!what[0])
        return false;
    read_whom(k, who);
    buf_printf(mode, "%s%c%s", who, not ? '-' : '+', what);
    return true;
}

static void
put_recursive(struct sketch *k)
{
    if (sketch_says(k, "recursive recursively everything inside") ||
        sketch_row(k, "all file/files") || sketch_row(k, "its content"))
        sketch_put_option(k, "-R");
    sketch_option(k, "verbose verbosely", "-v");
}

static int
finish(struct sketch *k, struct shortlist *s, const char *title, struct err *e)
{
    if (!sketch_put_kind(k) &&
        !sketch_files(k, ROLE_ANY & ~(1u << ROLE_EXCEPT | 1u << ROLE_TO)) &&
        !sketch_files(k, ROLE_ANY & ~(1u << ROLE_EXCEPT))) {
        if (sketch_row(k, "current directory/folder"))
            sketch_put(k, ".");
        else if (!sketch_put_word(k, "of on"))
            sketch_open(k, "FILE");
    }
    sketch_says(k, changing);
    sketch_says(k, "file files directory folder script");
    return sketch_add_plain(k, s, k->open ? FIT_LIKELY : FIT_SURE, title, e);
}

static int
add_chmod(struct sketch *k, struct shortlist *s, struct err *e)
{
    CLEANUP_BUF struct buf mode = buf_of(16);
    const struct literal *l = sketch_take(k, ROLE_ANY, 1u << SLOT_MODE);

    if ((!l && !mode_in_words(k, &mode)) ||
        sketch_find(k, ROLE_ANY, 1u << SLOT_MODE)) /* of two, one each */
        return 0;
    buf_str(&k->out, "chmod");
    put_recursive(k);
    if (l)
        sketch_put_literal(k, l);
    else
        sketch_put(k, mode.p);
    sketch_says(k, "permission permissions mode access rights");
    return finish(k, s, "change who may use files", e);
}

/* How surely a literal is the name that a noun leads to: "owner bob", "group
 * staff", "to bob", "give bob ownership". */
static unsigned
name_rank(const struct sketch *k, const struct literal *l, const char *list,
          enum slot_type type)
{
    const struct request *q = k->l->q;
    size_t before = l->word - 1;

    if (!sketch_is_free(k, l) || strchr(l->value->text, '/'))
        return 0;
    if (l->value->is == type)
        return 5;
    while (before < l->word && q->words[before].weak &&
           literals_word_is(&q->words[before], "the a is be"))
        before--;
    if (before < l->word && literals_word_is(&q->words[before], list))
        return 4;
    if (l->role == ROLE_TO && l->noun != NOUN_FILE && !l->value->exists)
        return 3;
    return before < l->word && literals_word_is(&q->words[before], "give let")
               ? 2
               : 0;
}

static const struct literal *
take_name(struct sketch *k, const char *list, enum slot_type type)
{
    const struct literal *best = NULL;
    unsigned most = 0;

    for (size_t i = 0; i < k->l->n; i++) {
        unsigned rank = name_rank(k, &k->l->v[i], list, type);

        if (rank > most) {
            most = rank;
            best = &k->l->v[i];
        }
    }
    if (best)
        sketch_mark(k, best->word);
    return best;
}

static int
add_chown(struct sketch *k, struct shortlist *s, struct err *e)
{
    bool only_group = sketch_row(k, "group ownership/owner") ||
                      (sketch_has(k, "group chgrp") &&
                       !sketch_has(k, "owner user chown"));
    const struct literal *group = NULL;
    const struct literal *user = NULL;
    bool me = sketch_row(k, "current/my user") || sketch_says(k, "me myself");

    if (!only_group)
        user = take_name(k, "user owner chown", SLOT_USER);
    if (sketch_has(k, "group chgrp"))
        group = take_name(k, "group chgrp", SLOT_GROUP);
    if (!user && !group && !me && !sketch_has(k, "chown chgrp ownership owner"))
        return 0;
    buf_str(&k->out, only_group ? "chgrp" : "chown");
    put_recursive(k);
    if (only_group) {
        if (group)
            sketch_put_literal(k, group);
        else
            sketch_open(k, "GROUP");
    } else {
        if (me && !user)
            sketch_put(k, "\"$USER\"");
        else if (user)
            sketch_put_literal(k, user);
        else if (!group)
            sketch_open(k, "USER");
        else
            buf_ch(&k->out, ' ');
        if (group) {
            buf_ch(&k->out, ':');
            compose_word(&k->out, group->value->text);
        }
    }
    sketch_says(k, "owner ownership user");
    sketch_says(k, "group");
    return finish(k, s, "change whose files are", e);
}

int
rights_compose(const struct request *q, struct shortlist *s, struct err *e)
{
    struct literals l;
    CLEANUP_SKETCH struct sketch k;

    literals_read(q, &l);
    sketch_init(&k, &l, "rights");
    if (sketch_row_at(&k, "change directory/folder to") != REQUEST_NONE ||
        !sketch_has(&k, changing) || sketch_has(&k, refused))
        return 0;
    if (sketch_has(&k, "owner ownership chown chgrp") ||
        (sketch_has(&k, "user") &&
         sketch_plain_at(&k, "change changes set") != REQUEST_NONE &&
         sketch_find_file(&k, 1u << ROLE_IN) &&
         !sketch_has(&k, "permission permissions write read execute")) ||
        (sketch_has(&k, "group") && !sketch_has(&k, "permission permissions "
                                                    "write read execute "
                                                    "writable readable user")))
        return add_chown(&k, s, e);
    if (sketch_has(&k, "permission permissions chmod mode writable readable "
                       "executable read-only read rights runnable "
                       "write execute"))
        return add_chmod(&k, s, e);
    return 0;
}
