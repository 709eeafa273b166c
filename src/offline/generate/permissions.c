/* SPDX-License-Identifier: GPL-3.0-or-later */
/* permissions.c - generates commands of chmod, chown and chgrp. */
#include <string.h>

#include "offline/generate/builder.h"
#include "offline/generate/generate.h"

static const char changing[] = "change set make give chmod chown chgrp add "
                               "grant allow remove revoke take deny transfer "
                               "modify assign let forbid update";
static const char refused[] = "find list show search print display without "
                              "copy preserve preserving default umask which "
                              "whose have having that";

/* Whom the words name: "u", "g", "o", "a"; "" for all that chmod means. */
static void
read_whom(struct builder *k, char who[4])
{
    size_t n = 0;

    if (builder_says(k, "everyone everybody anyone world") ||
        builder_row(k, "all user/users")) {
        who[n++] = 'a';
    } else {
        if (builder_says(k, "owner user me my"))
            who[n++] = 'u';
        if (builder_says(k, "group"))
            who[n++] = 'g';
        if (builder_says(k, "others other"))
            who[n++] = 'o';
    }
    who[n] = '\0';
}

static void
read_what(struct builder *k, char what[4])
{
    size_t n = 0;

    if (builder_says(k, "read readable reading"))
        what[n++] = 'r';
    if (builder_says(k, "write writable writeable writing"))
        what[n++] = 'w';
    if (builder_says(k, "execute executable executing run runnable"))
        what[n++] = 'x';
    what[n] = '\0';
}

/* "give read and remove write permission", "read but not write": one mode
 * says either. */
static bool
says_both(const struct builder *k)
{
    size_t not = builder_at(k, "not non");
    size_t what = builder_at(k,
                             "read readable reading write writable writeable "
                             "writing execute executable executing run "
                             "runnable");

    return (builder_has(k, "add grant allow give let") &&
            builder_has(k, "remove revoke take deny forbid")) ||
           (not != REQUEST_NONE && what < not );
}

/* "executable", "read only", "not writable by others" as chmod writes it. */
static bool
mode_in_words(struct builder *k, struct buf *mode)
{
    char who[4], what[4];
    bool not = builder_says(k, "remove revoke take deny not non forbid");

    if (says_both(k))
        return false;
    if (builder_row(k, "read only") || builder_says(k, "read-only readonly")) {
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
put_recursive(struct builder *k)
{
    if (builder_says(k, "recursive recursively everything inside") ||
        builder_row(k, "all file/files") || builder_row(k, "its content"))
        builder_put_option(k, "-R");
    builder_option(k, "verbose verbosely", "-v");
}

static int
finish_permissions(struct builder *k, struct shortlist *s, const char *title,
                   struct err *e)
{
    if (!builder_put_kind(k) &&
        !builder_files(k, ROLE_ANY & ~(1u << ROLE_EXCEPT | 1u << ROLE_TO)) &&
        !builder_files(k, ROLE_ANY & ~(1u << ROLE_EXCEPT))) {
        if (builder_row(k, "current directory/folder"))
            builder_put(k, ".");
        else if (!builder_put_word(k, "of on"))
            builder_open(k, "FILE");
    }
    builder_says(k, changing);
    builder_says(k, "file files directory folder script");
    return builder_add_plain(k, s, k->open ? FIT_LIKELY : FIT_SURE, title, e);
}

static int
add_chmod(struct builder *k, struct shortlist *s, struct err *e)
{
    CLEANUP_BUF struct buf mode = buf_of(16);
    const struct literal *l = builder_take(k, ROLE_ANY, 1u << SLOT_MODE);

    if ((!l && !mode_in_words(k, &mode)) ||
        builder_find(k, ROLE_ANY, 1u << SLOT_MODE)) /* of two, one each */
        return 0;
    buf_str(&k->out, "chmod");
    put_recursive(k);
    if (l)
        builder_put_literal(k, l);
    else
        builder_put(k, mode.p);
    builder_says(k, "permission permissions mode access rights");
    return finish_permissions(k, s, "change who may use files", e);
}

/* How surely a literal is the name that a noun leads to: "owner bob", "group
 * staff", "to bob", "give bob ownership". */
static unsigned
name_rank(const struct builder *k, const struct literal *l, const char *list,
          enum slot_type type)
{
    const struct request *q = k->l->q;
    size_t before = l->word - 1;

    if (!builder_is_free(k, l) || strchr(l->value->text, '/'))
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
take_account_name(struct builder *k, const char *list, enum slot_type type)
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
        builder_mark(k, best->word);
    return best;
}

static int
add_chown(struct builder *k, struct shortlist *s, struct err *e)
{
    bool only_group = builder_row(k, "group ownership/owner") ||
                      (builder_has(k, "group chgrp") &&
                       !builder_has(k, "owner user chown"));
    const struct literal *group = NULL;
    const struct literal *user = NULL;
    bool me = builder_row(k, "current/my user") || builder_says(k, "me myself");

    if (!only_group)
        user = take_account_name(k, "user owner chown", SLOT_USER);
    if (builder_has(k, "group chgrp"))
        group = take_account_name(k, "group chgrp", SLOT_GROUP);
    if (!user && !group && !me &&
        !builder_has(k, "chown chgrp ownership owner"))
        return 0;
    buf_str(&k->out, only_group ? "chgrp" : "chown");
    put_recursive(k);
    if (only_group) {
        if (group)
            builder_put_literal(k, group);
        else
            builder_open(k, "GROUP");
    } else {
        if (me && !user)
            builder_put(k, "\"$USER\"");
        else if (user)
            builder_put_literal(k, user);
        else if (!group)
            builder_open(k, "USER");
        else
            buf_ch(&k->out, ' ');
        if (group) {
            buf_ch(&k->out, ':');
            generate_word(&k->out, group->value->text);
        }
    }
    builder_says(k, "owner ownership user");
    builder_says(k, "group");
    return finish_permissions(k, s, "change whose files are", e);
}

int
generate_permissions(const struct request *q, struct shortlist *s,
                     struct err *e)
{
    struct literals l;
    CLEANUP_BUILDER struct builder k;

    literals_read(q, &l);
    builder_init(&k, &l, "rights");
    if (builder_row_at(&k, "change directory/folder to") != REQUEST_NONE ||
        !builder_has(&k, changing) || builder_has(&k, refused))
        return 0;
    if (builder_has(&k, "owner ownership chown chgrp") ||
        (builder_has(&k, "user") &&
         builder_plain_at(&k, "change changes set") != REQUEST_NONE &&
         builder_find_file(&k, 1u << ROLE_IN) &&
         !builder_has(&k, "permission permissions write read execute")) ||
        (builder_has(&k, "group") &&
         !builder_has(&k, "permission permissions "
                          "write read execute "
                          "writable readable user")))
        return add_chown(&k, s, e);
    if (builder_has(&k, "permission permissions chmod mode writable readable "
                        "executable read-only read rights runnable "
                        "write execute"))
        return add_chmod(&k, s, e);
    return 0;
}
