/* SPDX-License-Identifier: GPL-3.0-or-later */
/* veto.c - finds reasons not to propose the best candidate. */
#include "offline/engine/veto.h"

#include <string.h>

#include "base/array.h"
#include "base/message.h"
#include "base/shell_quote.h"
#include "guard/risk/risk.h"
#include "offline/engine/protected_paths.h"
#include "offline/generate/generate.h"
#include "offline/parse/lexicon.h"

/* Behind "and" these take what was found somewhere. */
#define TAKES " put pack zip tar archive store "

/* Then a "but" is a part of what is known. */
#define COVER_ALL 0.95

/* Verbs that order something: to change what is here … */
#define CHANGES                                                                \
    " delete remove erase uninstall install move rename copy commit kill "     \
    "restart stop compress encrypt unzip extract unpack upgrade squash close " \
    "enable disable block wipe format mount unmount lock unlock merge rebase " \
    "revert undo purge prune drop truncate discard restore uncompress "        \
    "decompress unmute mute detach cancel reload unstage swap change start "   \
    "toss "
/* … and others that are clauses of their own. */
#define MORE                                                                   \
    "save sort convert upload download create make add write push serve "      \
    "publish send start mail email print count replace "

/* Whether the command uses the word. */
static bool
uses_word(const struct veto *d, size_t word)
{
    return d->used >> word & 1;
}

/* Whether the command excludes something. */
static bool
can_express_not(const char *commands)
{
    static const char *const ways[] = {
        "!",         "-not",    "-prune", "exclude", "--ignore=",
        "--ignored", "grep -v", "-vE",    "-v ",     "-L",
        "comm -",    "--no",    "..",     "NR > 1",  "-I ",
        "--hide",    "uniq -u", "-x ",    "without",
    };

    for (size_t i = 0; i < ARRAY_SIZE(ways); i++) {
        if (strstr(commands, ways[i]))
            return true;
    }
    return false;
}

/* "directories to 755 but files to 644": two orders, of which one command
 * carries out one. */
static bool
is_other_half(const struct request *q, size_t i)
{
    static const char kinds[] = " file directory folder subdirectory ";

    return strcmp(q->words[i].plain, "but") == 0 && i + 1 < q->n &&
           lexicon_listed(q->words[i + 1].stem, kinds);
}

/* The negation of a request that the command does not use: "do not", "all
 * but". */
static const char *
unheeded_antonym(const struct veto *d)
{
    static const char nots[] = " not except ";
    static const char turns[] =
        " but without unless keep only instead would other else nothing "
        "pretend simulate simulating dry undo restore recover prevent protect "
        "avoid alone safe safely whether how before explain server remote "
        "remotely outside ";
    static const char against[] = " protect prevent avoid pretend simulate "
                                  "simulating undeletable nothing ";
    bool can = can_express_not(d->commands);

    for (size_t i = 0; i < d->q->n; i++) {
        const struct request_word *w = &d->q->words[i];

        if (request_value_of(d->q, i))
            continue;
        if ((!can && lexicon_listed(w->stem, nots)) || is_other_half(d->q, i) ||
            lexicon_listed(w->plain, against) ||
            (!uses_word(d, i) && !(w->weak && d->cover > COVER_ALL) &&
             lexicon_listed(w->plain, turns)))
            return w->plain;
    }
    return NULL;
}

/* "do not remove anything": a command that only reads complies. */
static bool
is_nothing_asked(const struct request *q, size_t i)
{
    return i + 1 < q->n && lexicon_listed(q->words[i + 1].plain, CHANGES);
}

/* A "not" or "except" that the command does not use, while it excludes
 * nothing. */
static const char *
unheeded_negation(const struct veto *d)
{
    static const char nots[] = " not no never outside except excluding without "
                               "dont doesnt isnt arent don't "
                               "doesn't isn't aren't ";

    size_t in = request_find_row(d->q, "place");

    if (d->q->n > 1 &&
        lexicon_listed(d->q->words[0].plain, " never don't dont ") &&
        !is_nothing_asked(d->q, 0))
        return d->q->words[0].plain;
    if (in != REQUEST_NONE && in > 0 &&
        strcmp(d->q->words[in - 1].plain, "in") == 0)
        return "in place";
    if (can_express_not(d->commands))
        return NULL;
    for (size_t i = 0; i < d->q->n; i++)
        if (!request_value_of(d->q, i) && !uses_word(d, i) &&
            lexicon_listed(d->q->words[i].plain, nots) &&
            !is_nothing_asked(d->q, i))
            return d->q->words[i].plain;
    return NULL;
}

/* "throw everything away": a verb without an object. */
static bool
means_all(const struct request *q)
{
    static const char verbs[] =
        " delete remove erase throw reset wipe clean destroy kill purge drop "
        "undo discard stop revert uninstall nuke trash ";
    static const char nothing[] = " everything all away up out off thing "
                                  "stuff junk every now again please rid get ";
    bool all = false;

    for (size_t i = 0; i < q->n; i++) {
        const struct request_word *w = &q->words[i];

        if (w->value >= 0 || lexicon_listed(w->plain, " here this these "))
            return false;
        all = all || lexicon_listed(w->plain, " everything all stuff junk ");
        if (!w->weak && !lexicon_listed(w->stem, nothing) &&
            !lexicon_listed(w->plain, nothing) &&
            !lexicon_listed(w->stem, verbs))
            return false;
    }
    return all;
}

/* "from a to b", where nothing can follow an article: somebody's name. */
static bool
has_lone_article(const struct request *q)
{
    static const char behind[] =
        " to into onto except but and from in with without ";

    for (size_t i = 1; i < q->n; i++)
        if (strcmp(q->words[i].plain, "a") == 0 && !request_value_of(q, i) &&
            (i + 1 == q->n || lexicon_listed(q->words[i + 1].plain, behind)))
            return true;
    return false;
}

/* "fix permissions": of what, and which? */
static bool
mends_rights(const struct request *q)
{
    static const char words[] =
        " fix repair correct mend permission permissions "
        "right rights file files wrong broken ";

    for (size_t i = 0; i < q->n; i++)
        if (!q->words[i].weak && !lexicon_listed(q->words[i].plain, words))
            return false;
    return request_has(q, "permission");
}

/* Whether the request points at a file without naming it: "remove that
 * file". */
static bool
points_at_file(const struct request *q)
{
    static const char one[] = " file document ";
    static const char place[] = " folder directory ";
    size_t last = q->n - 1;

    if (has_lone_article(q))
        return true;
    if (q->n < 2 || q->n_values > 0)
        return false;
    return means_all(q) || mends_rights(q) ||
           (lexicon_listed(q->words[last].plain, one) &&
            lexicon_listed(q->words[last - 1].plain, " that this the my ")) ||
           (lexicon_listed(q->words[last].plain, place) &&
            lexicon_listed(q->words[last - 1].plain, " that ")) ||
           (q->n < 4 &&
            lexicon_listed(q->words[last].plain, " it them that those "));
}

/* "show me how to delete x", "teach me how" */
static bool
wants_to_know(const struct request *q)
{
    for (size_t i = 1; i < q->n && i < 5; i++)
        if (strcmp(q->words[i].plain, "how") == 0 &&
            (lexicon_listed(q->words[i - 1].plain, " me know learn explain ") ||
             lexicon_listed(q->words[0].plain, " show tell explain teach ")))
            return true;
    return false;
}

/* Whether an order may begin at word i: "please delete", "and delete". */
static bool
begins_order(const struct request *q, size_t i)
{
    static const char heads[] = " and then please you, also git docker ";

    return i == 0 || lexicon_listed(q->words[i - 1].plain, heads);
}

/* Whether no verb orders a change: "list the packages that can be upgraded". */
static bool
request_only_reads(const struct request *q)
{
    if (!lexicon_listed(q->words[0].plain,
                        " list show display view count see "))
        return false;
    for (size_t i = 1; i < q->n; i++)
        if (q->words[i].value < 0 && begins_order(q, i) &&
            lexicon_listed(q->words[i].plain, CHANGES MORE))
            return false;
    return true;
}

/* Whether the request is a question: "is", "which", "show me how". */
static bool
is_question(const struct request *q)
{
    static const char first[] =
        " is are was were does did has have which what whats who whose where "
        "why when should may might shall do does am explain ";
    static const char modal[] = " can could will would ";

    if (q->n == 0)
        return false;
    if (lexicon_listed(q->words[0].plain, modal)) /* "can you delete x" */
        return q->n == 1 || strcmp(q->words[1].plain, "you") != 0;
    return lexicon_listed(q->words[0].plain, first) || wants_to_know(q) ||
           request_only_reads(q);
}

/* The verb that orders a change: "copy x". */
static const char *
order_verb(const struct request *q)
{
    static const char none[] = " find list show print what which ";
    bool joins = q->n_values > 1; /* "merge a.txt and b.txt" prints both */

    if (q->n == 2 && strcmp(q->words[0].plain, "empty") == 0 &&
        request_value_of(q, 1)) /* "empty files" are looked for */
        return "empty";

    for (size_t i = 0; i < q->n; i++) {
        const char *word = q->words[i].plain;

        if (q->words[i].value < 0 && begins_order(q, i) &&
            lexicon_listed(word, CHANGES) &&
            !(joins && strcmp(word, "merge") == 0) &&
            !(i + 1 < q->n && lexicon_listed(q->words[i + 1].plain, none)))
            return word;
    }
    return NULL;
}

/* Whether a clause begins at word i: behind "and", "then" or a comma. */
static bool
begins_clause(const struct request *q, size_t i)
{
    size_t from = q->words[i].from;

    while (from > 0 && q->text[from - 1] == ' ')
        from--;
    return lexicon_listed(q->words[i - 1].plain, " and then ") ||
           (from > 0 && strchr(",;", q->text[from - 1]));
}

/* A state without a verb: "also the stopped ones". */
static const char *
only_state(const struct request *q)
{
    static const char states[] =
        " stopped deleted removed killed installed uninstalled disabled "
        "enabled blocked locked mounted unmounted closed exited ";
    const char *state = NULL;

    for (size_t i = 0; i < q->n; i++) {
        const char *word = q->words[i].plain;

        if (q->words[i].value >= 0)
            continue;
        if (lexicon_listed(word, CHANGES MORE))
            return NULL;
        if (!state && lexicon_listed(word, states))
            state = word;
    }
    return state;
}

/* The verb of a clause that the command does not carry out: "sort x, remove
 * doubles". */
static const char *
unheeded_clause(const struct veto *d)
{
    const struct request *q = d->q;

    for (size_t i = 1; i < q->n; i++)
        if (q->words[i].value < 0 && !uses_word(d, i) && begins_clause(q, i) &&
            lexicon_listed(q->words[i].plain, CHANGES MORE TAKES))
            return q->words[i].plain;
    return NULL;
}

/* Effects that no word of the request asks for. */

#define ANYHOW                                                                 \
    "without no not ignore ignoring skip skipping insecure insecurely except " \
    "but exclude excluding leave leaving omit omitting disable disabled "      \
    "anyway unverified self-signed trust bypass "
#define UNCHECKED                                                              \
    "check checking verify verifying verification ask asking prompt "          \
    "prompting "                                                               \
    "accept accepting trust trusting blindly confirmation authenticity "       \
    "insecure insecurely known_hosts "
#define FORCE                                                                  \
    "force forced forcibly forcefully hard immediately instantly stubborn "    \
    "running anyway although though despite sigkill 9 never ask without "
#define THROW                                                                  \
    "hard discard throw away lose drop forget delete remove revert clean "     \
    "completely wipe erase abandon destroy uncommitted local "
#define EVERY "all every everything each entire clear whole "
#define OVER  "overwrite overwriting replace replacing over force never ask "

/* Words of a command, and the words of a request of which one must ask for
 * them. */
static const struct extra {
    const char *form;
    const char *asked;
} extras[] = {
    {"-o StrictHostKeyChecking=no", " " UNCHECKED},
    {"--no-check-certificate", " " ANYHOW},
    {"--insecure", " " ANYHOW},
    {"--no-verify", " " ANYHOW},
    {"--no-gpg-check", " " ANYHOW},
    {"--allow-root", " " ANYHOW},
    {"kill -9", " " FORCE},
    {"kill -KILL", " " FORCE},
    {"docker kill", " kill " FORCE},
    {"docker rm -f", " all every " FORCE},
    {"docker rmi -f", " all every " FORCE},
    {"prune -a", " unused " EVERY},
    {"--volumes", " volume volumes data "},
    {"down -v", " volume volumes data "},
    {"volume prune", " unused dangling prune clean orphan orphaned "},
    {"system prune", " docker container containers image images "},
    {"stash clear", " " EVERY},
    {"flushall", " " EVERY},
    {"crontab -r", " " EVERY},
    {"reset --hard", " " THROW},
    {"restore --staged --worktree", " " THROW},
    {"push --force", " overwrite " FORCE},
    {"push -f", " overwrite " FORCE},
    {"push origin --delete",
     " remote remotely server origin upstream github gitlab push "},
    {"git push origin", " push pushing pushed publish upload send share remote "
                        "remotely server origin upstream github gitlab "},
    {"git fetch origin",
     " fetch pull get update up-to-date newest latest recent "
     "current fresh sync remote server origin upstream "},
    {"branch -D", " unmerged not even " FORCE},
    {"clean -fdx", " ignored ignore build artifact artifacts " EVERY},
    {"clean -ffdx", " ignored ignore build artifact artifacts " EVERY},
    {"unzip -o", " " OVER},
    {"--overwrite", " " OVER},
    {"--remove-source-files", " move moving remove delete source "},
    {"--delete", " delete deleting remove removing mirror exact exactly "
                 "identical extraneous "},
    {"userdel -r", " home files directory folder everything data "},
    {"--remove-home", " home files directory folder everything data "},
    {"-m http.server", " serve server serving share sharing host http publish "
                       "offer webserver website "},
    {"fsck -y", " yes repair fix automatically answer answering "},
    {"helm rollback", " undo rollback roll back revert previous "},
    {"rollout undo", " undo rollback roll back revert previous "},
};

static bool
is_asked(const struct request *q, const char *asked)
{
    for (size_t i = 0; i < q->n; i++)
        if (lexicon_listed(q->words[i].plain, asked) ||
            lexicon_listed(q->words[i].stem, asked))
            return true;
    return false;
}

/* Whether a command has the words of a row as the begin of its words:
 * --volumes=x */
static bool
has_command_form(const char *command, const char *form)
{
    size_t n = strlen(form);

    for (const char *at = command; (at = strstr(at, form)); at++)
        if ((at == command || strchr(" (;|&\npg", at[-1])) &&
            strchr(" \n;|&)=", at[n]))
            return true;
    return false;
}

/* Words of commands that open a port, and words that keep it local. */
static bool
opens_port(const char *command)
{
    static const char *const forms[] = {"-m http.server", "httpd -f", "ssh -NR",
                                        "ssh -R", "npx serve"};
    bool opens = strstr(command, " -p ") && (strstr(command, "docker run") ||
                                             strstr(command, "podman run"));

    for (size_t i = 0; !opens && i < ARRAY_SIZE(forms); i++)
        opens = has_command_form(command, forms[i]);
    return opens && !strstr(command, "127.0.0.1") && !strstr(command, "[::1]");
}

/* A port that is open to the network although the request says "only" or
 * "localhost". */
static const char *
exposes_port(const struct veto *d)
{
    static const char own[] = " only alone localhost loopback locally private "
                              "privately myself nobody ";
    static const char others[] = " network lan internet outside public others "
                                 "anyone everyone anybody world ";

    if (!opens_port(d->commands))
        return NULL;
    for (size_t i = 0; i < d->q->n; i++) {
        const struct request_word *w = &d->q->words[i];

        if (lexicon_listed(w->plain, own) ||
            (lexicon_listed(w->plain, others) && generate_negated(d->q, i)))
            return w->plain;
    }
    return NULL;
}

/* An effect that no word asks for: a skipped check, a force, all in place of
 * one. */
static const char *
unrequested_effect(const struct veto *d)
{
    for (size_t i = 0; i < ARRAY_SIZE(extras); i++)
        if (has_command_form(d->commands, extras[i].form) &&
            !strstr(d->q->text, extras[i].form) &&
            !is_asked(d->q, extras[i].asked))
            return extras[i].form;
    return NULL;
}

#define TEXT_MAX    (64u << 10)
#define UNHEARD_MAX 2 /* words that are named */

/* The least share of the request that a change must use; more for what deletes
 * or needs root. */
#define COVER_CHANGES 0.5
#define COVER_HARMS   0.75
/* The least share of the phrase: "clean up" is not "clean up python's
 * caches". */
#define WHOLE_CHANGES 0.5
#define WHOLE_HARMS   0.6
#define WHOLE_DELETES 0.75

/* Appends the text without quotes and backslashes. */
static void
put_unquoted(struct buf *out, const char *text)
{
    for (const char *p = text; *p; p++) {
        if (!strchr("'\"\\", *p))
            buf_ch(out, *p);
    }
}

/* The same for a text with control characters, which are escapes in the
 * command. */
static bool
stands_escaped(const char *commands, const char *text)
{
    CLEANUP_BUF struct buf one = buf_of(TEXT_MAX);

    shell_quote_ansi(&one, text);
    buf_cut(&one, one.len ? one.len - 1 : 0);
    return one.len > 2 && strstr(commands, one.p + 2);
}

static bool
stands_in(const char *commands, const char *text)
{
    CLEANUP_BUF struct buf all = buf_of(TEXT_MAX);
    CLEANUP_BUF struct buf one = buf_of(TEXT_MAX);

    if (shell_quote_has_control(text) && stands_escaped(commands, text))
        return true;
    put_unquoted(&all, commands);
    put_unquoted(&one, text);
    while (one.len > 1 && one.p[one.len - 1] == '/')
        one.p[--one.len] = '\0';
    return one.len == 0 || (all.len > 0 && strstr(all.p, one.p));
}

/* Quantities are written differently in a command. */
static bool
is_rewritten_quantity(const struct request_value *v)
{
    static const uint32_t quantities = 1u << SLOT_SIZE | 1u << SLOT_AGE |
                                       1u << SLOT_DATE | 1u << SLOT_NUMBER |
                                       1u << SLOT_MODE | 1u << SLOT_EXT;

    return !v->quoted && (quantities >> v->is & 1);
}

/* Whether the word is a directory behind "under" or "in", also a known word. */
static bool
is_directory_word(const struct request *q, size_t i)
{
    const struct request_value *v = request_value_of(q, i);

    while (i > 0 && lexicon_listed(q->words[i - 1].plain, " the my this "))
        i--;
    return v->exists && v->is_dir && i > 0 &&
           lexicon_listed(q->words[i - 1].plain,
                          " in under below beneath inside within ");
}

/* The first value that the command does not have. */
static const struct request_value *
left_out(const struct veto *d)
{
    for (size_t i = 0; i < d->q->n; i++) {
        const struct request_word *w = &d->q->words[i];
        const struct request_value *v = request_value_of(d->q, i);

        /* a plain word that may be a name is none that must stand there, but
         * for what is to stay */
        if (!v ||
            (w->stem[0] != '{' && !v->negated && !is_directory_word(d->q, i)))
            continue;
        if (is_rewritten_quantity(v)
                ? uses_word(d, i) || stands_in(d->commands, v->text)
                : stands_in(d->commands, v->text))
            continue;
        return v;
    }
    return NULL;
}

/* Whether the call only reads, perhaps as root. */
static bool
call_reads(const struct risk_call *call)
{
    static const unsigned changes = RISK_DESTRUCTIVE | RISK_WRITES | RISK_ACTS |
                                    RISK_UNKNOWN | RISK_OPAQUE;

    return !(call->facts & changes) &&
           (!(call->facts & RISK_PRIVILEGED) ||
            call->facts & (RISK_LOOKS | RISK_HOLDERS));
}

/* Finds whether nothing changes: here (reads), or on
 * another host either (shows). */
static void
classify_commands(const char *commands, bool *reads, bool *shows)
{
    static const struct path_context nowhere;
    struct syntax syntax = {0};
    struct risk risk = {0};

    *reads = syntax_read(commands, strlen(commands), &syntax, NULL) == 0 &&
             risk_read(&syntax, &nowhere, &risk, NULL) == 0 &&
             risk.n_calls > 0 &&
             !(risk.facts & (RISK_DESTRUCTIVE | RISK_WRITES));
    for (size_t i = 0; i < risk.n_calls; i++)
        *reads = *reads && call_reads(&risk.calls[i]);
    *shows = *reads && !(risk.facts & RISK_NETWORK);
    risk_done(&risk);
    syntax_done(&syntax);
}

bool
veto_hides(const struct veto *d)
{
    const struct request_value *v = left_out(d);
    bool reads, shows;

    if (unrequested_effect(d) || exposes_port(d))
        return true;
    classify_commands(d->commands, &reads, &shows);
    return (!reads && d->risk != RECIPE_READS) ||
           (!shows && (unheeded_negation(d) || (v && v->negated)));
}

/* Whether it only changes the shell that runs it, as cd and export do. */
static bool
is_for_own_shell(const char *commands)
{
    static const char names[] =
        " alias bg bind cd dirs disown exit export fg hash history jobs "
        "logout popd pushd set shopt source trap ulimit umask unalias unset ";
    char first[16];
    size_t n = strcspn(commands, " ");

    if (n >= sizeof(first) || strpbrk(commands, ";&|\n"))
        return false;
    memcpy(first, commands, n);
    first[n] = '\0';
    return lexicon_listed(first, names);
}

/* Appends the words of the request that the command does not use. */
static void
add_unused_words(const struct veto *d, struct buf *why)
{
    size_t n = 0;

    for (size_t i = 0; i < d->q->n && n < UNHEARD_MAX; i++) {
        const struct request_word *w = &d->q->words[i];

        if (w->weak || uses_word(d, i) || request_value_of(d->q, i))
            continue;
        buf_str(why, n++ ? ", " : message_for(d->person, ", and ignores "));
        buf_printf(why, "\"%.24s\"", w->plain);
    }
    if (n == 0)
        buf_str(why, message_for(d->person,
                                 ", and covers too little of the request"));
}

/* The veto over a command that only reads. Returns false when there is none. */
static bool
doubt_answer(const struct veto *d, bool reads, bool shows, struct buf *why)
{
    const char *word = unheeded_clause(d);

    if (word) {
        buf_printf(why, message_for(d->person, "leaves out \"%s\""), word);
        return true;
    }
    word = unrequested_effect(d);
    if (word) {
        buf_printf(why,
                   message_for(d->person, "has %s, which was not requested"),
                   word);
        return true;
    }
    word = exposes_port(d);
    if (word) {
        buf_printf(
            why,
            message_for(
                d->person,
                "opens a port to the network, and the request says \"%s\""),
            word);
        return true;
    }
    if (is_for_own_shell(d->commands)) {
        buf_str(why,
                message_for(d->person,
                            "only affects the shell that it is typed into"));
        return true;
    }
    word = shows ? order_verb(d->q) : NULL;
    if (word) {
        buf_printf(why,
                   message_for(d->person,
                               "changes nothing, and the request says \"%s\""),
                   word);
        return true;
    }
    word = reads || d->risk == RECIPE_READS ? unheeded_negation(d) : NULL;
    if (word)
        buf_printf(why, message_for(d->person, "ignores \"%s\""), word);
    return word != NULL;
}

/* Of what changes something. */
static bool
doubt_change(const struct veto *d, struct buf *why)
{
    double least = d->risk == RECIPE_WRITES ? COVER_CHANGES : COVER_HARMS;
    CLEANUP_BUF struct buf path = buf_of(TEXT_MAX);
    const char *turned = unheeded_antonym(d);
    const char *word = turned ? turned : only_state(d->q);
    bool asks = is_question(d->q);
    bool more = d->graver ||
                d->whole < (d->risk == RECIPE_DELETES ? WHOLE_DELETES
                            : d->risk == RECIPE_ROOT  ? WHOLE_HARMS
                                                      : WHOLE_CHANGES);

    if (protected_paths_hit(d->commands, &path)) {
        buf_printf(
            why, message_for(d->person, "would delete or change all of %.60s"),
            path.p);
        return true;
    }
    if (d->covers) {
        buf_str(why, message_for(d->person, "would overwrite existing files"));
        return true;
    }
    if (points_at_file(d->q)) {
        buf_str(why, message_for(
                         d->person,
                         "changes files, and the request does not say which"));
        return true;
    }
    if (!word && !asks && !more && d->cover >= least && !d->lost[0])
        return false;
    buf_str(why, d->risk == RECIPE_ROOT
                     ? message_for(d->person, "would act as root")
                     : message_for(d->person, "would change something"));
    if (word)
        buf_printf(why, message_for(d->person, ", and the request says \"%s\""),
                   word);
    else if (asks)
        buf_str(why, message_for(d->person, ", and the request is a question"));
    else if (more)
        buf_str(why, message_for(d->person, ", and does more than requested"));
    else
        add_unused_words(d, why);
    return true;
}

bool
veto_of(const struct veto *d, struct buf *why)
{
    const struct request_value *v = left_out(d);
    bool reads, shows;

    if (v) {
        buf_printf(why, message_for(d->person, "leaves out \"%.60s\""),
                   v->text);
        return true;
    }
    classify_commands(d->commands, &reads, &shows);
    if (doubt_answer(d, reads, shows, why))
        return true;
    return d->risk != RECIPE_READS && !(d->risk == RECIPE_ROOT && reads) &&
           doubt_change(d, why);
}
