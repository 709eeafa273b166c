/* SPDX-License-Identifier: GPL-3.0-or-later */
/* antonym.c - finds commands that do the opposite of what a request says. */
#include "offline/engine/antonym.h"

#include <ctype.h>
#include <string.h>

#include "base/array.h"
#include "offline/generate/generate.h"
#include "offline/parse/lexicon.h"

#define WORD_MAX 32 /* bytes of one word of a command or a title */

/* Two sides, each a list of words in their shortest form. The words before the
 * bar are words of requests; those behind it stand in commands alone: programs,
 * subcommands, and options as they begin, a blank within them as _. */
static const struct antonym_pair {
    const char *side[2];
} pairs[] = {
    {{" allow accept permit unblock unban whitelist | ",
      " block deny reject drop forbid ban blacklist | "}},
    {{" enable activate on | ", " disable deactivate off | swapoff "}},
    {{" start begin launch resume | restart -CONT ",
      " stop halt pause suspend terminate quit | -STOP "}},
    {{" add create | useradd adduser groupadd addgroup -aG ",
      " remove delete erase destroy drop | rm rmdir userdel deluser groupdel "
      "delgroup "}},
    {{" install reinstall | ", " uninstall remove purge | "}},
    {{" lock freeze | usermod_-L passwd_-l ",
      " unlock unfreeze | usermod_-U passwd_-u "}},
    {{" mount attach | ", " unmount umount detach eject | umount "}},
    {{" encrypt | ", " decrypt | "}},
    {{" compress pack | tar_-c tar_c ",
      " extract decompress uncompress unpack unzip untar | gunzip bunzip2 unxz "
      "unzip tar_-x tar_x "}},
    {{" upload send | ", " download fetch | "}},
    {{" push | git_push ", " pull fetch | git_pull git_fetch "}},
    {{" unhide show display | ", " hide conceal | "}},
    {{" before older | ", " after newer since | "}},
    {{" larger bigger | -size_+ ", " smaller | -size_- "}},
    {{" include including | --include ",
      " exclude excluding except without | --exclude "}},
    {{" grant give | grant ", " revoke | revoke "}},
    {{" executable runnable | chmod_+x chmod_u+x chmod_a+x chmod_755 ",
      " | chmod_-x chmod_a-x chmod_u-x "}},
    {{" up | up ", " down | down "}},
    {{" connect join | ", " disconnect leave | "}},
    {{" increase raise louder brighter | ", " decrease lower quieter dim | "}},
    {{" mute | ", " unmute | "}},
    {{" import | ", " export | "}},
    {{" dump | pg_dump mysqldump mongodump ",
      " restore load import apply replay | pg_restore mongorestore "}},
    {{" tcp | ss_-tlnp ss_-tln ", " udp | ss_-tulnp ss_-tuln netstat_-tulnp "}},
    {{" stage | git_add ", " unstage | restore_--staged git_reset "}},
    {{" stash | stash_push ", " unstash pop | stash_pop stash_apply "}},
    {{" hold pin | ", " unhold unpin | "}},
    {{" shutdown poweroff | poweroff ", " reboot restart | reboot "}},
    {{" public | ", " private | "}},
    {{" login | ", " logout | "}},
    {{" subscribe follow | ", " unsubscribe unfollow | "}},
    {{" register | ", " unregister deregister | "}},
    {{" apply | ", " revert undo | "}},
    {{" keep preserve retain | ", " | userdel_-r reset_--hard --remove-home "}},
};

#define N_PAIRS ARRAY_SIZE(pairs)

/* What a thing is made into: the word behind "to", and commands that make it
 * into the other. */
static const struct antonym_target {
    const char *words;
    const char *others[4];
} targets[] = {
    {" windows dos crlf ", {"dos2unix", "s/\\r$//", "tr -d '\\r'"}},
    {" unix linux lf ", {"unix2dos", "s/$/\\r/"}},
    {" upper uppercase capitals ", {"[:upper:] [:lower:]", ",,}", "A-Z a-z"}},
    {" lower lowercase ", {"[:lower:] [:upper:]", "^^}", "a-z A-Z"}},
    {" spaces blanks ", {" unexpand"}},
    {" tabs ", {" expand"}},
};

/* Whether it is that word, or the word with an ending: "stopped", "locks",
 * "enabling". */
static bool
is_form_of(const char *word, const char *base, size_t n)
{
    static const char endings[] = " s es d ed ing r ";
    size_t stem = n - (base[n - 1] == 'e');

    if (strncmp(word, base, n) == 0 &&
        (!word[n] || lexicon_listed(word + n, endings)))
        return true;
    if (strncmp(word, base, stem) != 0)
        return false;
    word += stem;
    if (*word && stem > 0 && *word == base[stem - 1])
        word++; /* stopped */
    return lexicon_listed(word, " ing ed ");
}

/* Whether a row of words has the word; of its end alone where `own`. */
static bool
row_lists_word(const char *row, const char *word)
{
    for (row++; *row != '|'; row += strspn(row, " ")) {
        size_t n = strcspn(row, " ");

        if (*word == *row && is_form_of(word, row, n))
            return true;
        row += n;
    }
    return false;
}

/* Behind what stands in quotes: messages of ours, and what is searched for. */
static const char *
skip_quotation(const char *p)
{
    const char *end = strchr(p + 1, *p);

    return end ? end + 1 : p + 1;
}

/* The next run of letters of a text, in lower case; none in quotes. */
static bool
next_letters(const char **text, char word[WORD_MAX])
{
    const char *p = *text;
    size_t n = 0;

    while (*p && !isalpha((unsigned char)*p))
        p = *p == '\'' ? skip_quotation(p) : p + 1;
    for (; isalpha((unsigned char)*p); p++)
        if (n + 1 < WORD_MAX)
            word[n++] = (char)tolower((unsigned char)*p);
    word[n] = '\0';
    *text = p;
    return n > 0;
}

/* Whether that run of letters stands in a value of the request, which says
 * nothing of what is done: enable.txt. */
static bool
is_of_value(const struct request *q, const char *word)
{
    for (size_t i = 0; i < q->n; i++) {
        const char *p = q->text + q->words[i].from;
        char other[WORD_MAX];

        if (!request_value_of(q, i))
            continue;
        while (p < q->text + q->words[i].to && next_letters(&p, other))
            if (strcmp(other, word) == 0)
                return true;
    }
    return false;
}

/* Whether a text has the row's words; none of a value, nor of the name of a
 * file: dump.sql. */
static bool
has_row_words(const struct request *q, const char *row, const char *text)
{
    char word[WORD_MAX];

    while (next_letters(&text, word))
        if (row_lists_word(row, word) && !is_of_value(q, word) &&
            !(text[0] == '.' && isalnum((unsigned char)text[1])))
            return true;
    return false;
}

/* Whether a command has one of the words behind the bar, where words begin. */
static bool
has_forms(const char *row, const char *command)
{
    char form[WORD_MAX];

    for (row = strchr(row, '|') + 2; *row; row += strspn(row, " ")) {
        size_t n = strcspn(row, " ");

        for (size_t i = 0; i <= n; i++)
            form[i] = i == n ? '\0' : row[i] == '_' ? ' ' : row[i];
        for (const char *at = command; (at = strstr(at, form)); at++)
            if ((at == command || strchr(" (;|&\n", at[-1])) &&
                (strchr(" \n;|&)", at[n]) || strchr("-+c", form[n - 1])))
                return true;
        row += n;
    }
    return false;
}

/* What the request says of a side; a word that is negated says the other. */
static const char *
words_of_side(const struct request *q, const struct antonym_pair *p,
              bool asked[2])
{
    const char *which = NULL;

    asked[0] = asked[1] = false;
    for (size_t i = 0; i < q->n; i++) {
        const struct request_word *w = &q->words[i];

        if (request_value_of(q, i))
            continue;
        for (int s = 0; s < 2; s++) {
            if (!row_lists_word(p->side[s], w->plain))
                continue;
            asked[generate_negated(q, i) ? !s : s] = true;
            which = w->plain;
        }
    }
    return which;
}

static bool
turns_round(const struct request *q, const struct antonym_pair *p,
            const bool asked[2], const char *command, const char *title)
{
    bool does[2];

    for (int s = 0; s < 2; s++)
        does[s] = has_forms(p->side[s], command) ||
                  has_row_words(q, p->side[s], command);
    for (int s = 0; !does[0] && !does[1] && s < 2; s++)
        if (has_row_words(q, p->side[s], title))
            does[s] = !has_row_words(q, p->side[!s], title);
    return (asked[0] && !asked[1] && does[1] && !does[0]) ||
           (asked[1] && !asked[0] && does[0] && !does[1]);
}

/* Where a run of letters begins that is a form of the word; NULL. */
static const char *
find_form(const char *text, const char *base)
{
    char word[WORD_MAX];
    const char *p = text;

    while (next_letters(&p, word))
        if (is_form_of(word, base, strlen(base)) ||
            is_form_of(base, word, strlen(word)))
            return p - strlen(word);
    return NULL;
}

/* "--no-merged": what stands right before a word of a command. */
static bool
is_denied(const char *command, const char *at)
{
    return (at >= command + 3 && strncmp(at - 3, "no-", 3) == 0) ||
           (at >= command + 4 && strncmp(at - 4, "not-", 4) == 0);
}

/* Whether the command says itself that it leaves out. */
static bool
command_leaves_out(const char *command)
{
    static const char *const ways[] = {" ! ", "-not", "-v ", "-prune", "-vE"};

    for (size_t i = 0; i < ARRAY_SIZE(ways); i++)
        if (strstr(command, ways[i]))
            return true;
    return false;
}

/* "not merged" and --merged, "merged" and --no-merged. */
static bool
is_negated_round(const struct request *q, size_t i, const char *command)
{
    const struct request_word *w = &q->words[i];
    const char *at = strlen(w->plain) > 3 ? find_form(command, w->plain) : NULL;
    bool no = i > 0 && strcmp(q->words[i - 1].plain, "not") == 0;

    if (!at || is_of_value(q, w->plain))
        return false;
    if (no)
        return at > command && at[-1] == '-' && !is_denied(command, at) &&
               !command_leaves_out(command);
    return is_denied(command, at) && !generate_negated(q, i);
}

/* "lock" and "unlock", "connect" and "disconnect": one word is the other
 * behind un-, dis- or de-. */
static bool
is_undone(const char *word, const char *text)
{
    static const char *const heads[] = {"un", "dis", "de"};
    char both[WORD_MAX + 4];

    for (size_t i = 0; i < ARRAY_SIZE(heads); i++) {
        size_t n = strlen(heads[i]);

        if (strncmp(word, heads[i], n) == 0 && strlen(word + n) > 3 &&
            find_form(text, word + n))
            return true;
        memcpy(both, heads[i], n);
        memcpy(both + n, word, strlen(word) + 1);
        if (find_form(text, both))
            return true;
    }
    return false;
}

static bool
is_opposed(const struct request *q, size_t i, const char *command)
{
    const char *word = q->words[i].plain;

    if (strlen(word) < 4 || q->words[i].weak || generate_negated(q, i))
        return false;
    return !find_form(command, word) && is_undone(word, command);
}

/* "from unix to windows" and dos2unix. */
static bool
is_made_other(const struct request *q, size_t i, const char *command)
{
    size_t to = i;

    while (to > 0 && strcmp(q->words[to - 1].plain, "to") != 0 &&
           q->words[to - 1].weak)
        to--;
    if (to == 0 || strcmp(q->words[to - 1].plain, "to") != 0)
        return false;
    for (size_t t = 0; t < ARRAY_SIZE(targets); t++) {
        const char *const *other = targets[t].others;

        for (; lexicon_listed(q->words[i].plain, targets[t].words) && *other;
             other++)
            if (strstr(command, *other))
                return true;
    }
    return false;
}

/* "in 90 days", "a week ago": which side of now a time is on. */
static const char *
names_side(const struct request *q, bool past)
{
    static const char *const sides[] = {" hence ahead later future ",
                                        " ago back was were earlier before "
                                        "past last "};

    for (size_t i = 0; i < q->n; i++) {
        const struct request_value *v = request_value_of(q, i);

        if (!v && lexicon_listed(q->words[i].plain, sides[past]))
            return q->words[i].plain;
        if (!past && v && v->is == SLOT_AGE && i > 0 &&
            strcmp(q->words[i - 1].plain, "in") == 0)
            return "in";
    }
    return NULL;
}

/* "the date in 90 days" and date -d '90 days ago'. */
static const char *
is_time_round(const struct request *q, const char *command)
{
    bool past = strstr(command, "date -d '") && strstr(command, " ago'");
    bool ahead = strstr(command, "date -d '+") != NULL;

    return past != ahead && !names_side(q, past) ? names_side(q, !past) : NULL;
}

/* "the biggest last" and sort -r. */
static const char *
is_sorted_round(const struct request *q, const char *command)
{
    const char *sort = strstr(command, "| sort -");
    size_t n = sort ? strcspn(sort + 8, " |") : 0;

    if (!n || !memchr(sort + 8, 'r', n))
        return NULL;
    for (size_t i = 1; i < q->n; i++)
        if ((strcmp(q->words[i].plain, "last") == 0 &&
             lexicon_listed(q->words[i - 1].plain,
                            " biggest largest greatest most highest ")) ||
            (strcmp(q->words[i].plain, "first") == 0 &&
             lexicon_listed(q->words[i - 1].plain,
                            " smallest least fewest lowest ")))
            return q->words[i].plain;
    return NULL;
}

const char *
antonym_of(const struct request *q, const char *command, const char *title)
{
    const char *turned = is_time_round(q, command);
    bool asked[2];

    if (!turned)
        turned = is_sorted_round(q, command);
    for (size_t i = 0; !turned && i < N_PAIRS; i++) {
        const char *word = words_of_side(q, &pairs[i], asked);

        if (word && turns_round(q, &pairs[i], asked, command, title))
            turned = word;
    }
    if (turned)
        return turned;
    for (size_t i = 0; i < q->n; i++)
        if (!request_value_of(q, i) &&
            (is_negated_round(q, i, command) || is_opposed(q, i, command) ||
             is_made_other(q, i, command)))
            return q->words[i].plain;
    return NULL;
}
