/* SPDX-License-Identifier: GPL-3.0-or-later */
/* git_log.c - git: what was committed, by whom and when, and what changed. */
#include "offline/compose/composers.h"
#include "offline/compose/form.h"

#define WHICH                                                                  \
    FORM_IF("by|of|from|author ?author|user {name|user}; {user} commit",       \
            " --author={1}"),                                                  \
        FORM_ONE('s',                                                          \
                 "since|after|from {age|date|day}; in|within|during|over "     \
                 "{age|date}",                                                 \
                 " --since={1:when}"),                                         \
        FORM_IF("until|before|till {age|date|day}", " --until={1:when}"),      \
        FORM_ONE('s', "{age|date}", " --since={1:when}")
#define MESSAGES                                                               \
    "contain|mention|match|say|containing|mentioning|matching|saying|with|"    \
    "about ?message|word|text|string {text|name}"

static const struct form_part count[] = {
    FORM_ALWAYS("git rev-list --count"),
    FORM_SAYS("count|number|many; total"),
    FORM_SAYS("commit"),
    FORM_SAYS("git|repository"),
    FORM_IF("without|except|no|not merge", " --no-merges"),
    WHICH,
    FORM_IF(MESSAGES, " --grep={1}"),
    FORM_ELSE("branch {word}; on|in ?the {word} branch", " {1}", " HEAD"),
    FORM_IF("file|path|in|of|to|directory|under {file}", " -- {1:path}"),
    FORM_END,
};

static const struct form_part authors[] = {
    FORM_ALWAYS("git shortlog -sn"),
    FORM_SAYS("git|commit|author|per|by|each|every|list|count|many|number|"
              "contributor|who|person|most"),
    FORM_IF("all branch", " --all"),
    FORM_IF("without|except|no|not merge", " --no-merges"),
    WHICH,
    FORM_END,
};

static const struct form_part history[] = {
    FORM_ALWAYS("git log"),
    FORM_ONE('h',
             "git ?commit log|history; list ?all|git commit log|history; "
             "commit log|history; history of {file}",
             ""),
    FORM_IF("?one|single ?line per commit; one|single line; "
            "oneline|short|brief|compact|condensed",
            " --oneline"),
    FORM_IF("graph|graphical|graphically|tree", " --graph"),
    FORM_IF("all|every|each branch", " --all"),
    FORM_IF("reverse; oldest first", " --reverse"),
    FORM_IF("patch; with|include|full ?the compare|diff", " -p"),
    FORM_IF("statistic; what|which file ?were|be modify|change|touch; changed "
            "files",
            " --stat"),
    FORM_IF("name only; only name", " --name-only"),
    FORM_IF("without|except|no|not|hide merge", " --no-merges"),
    FORM_IF("only|just merge; merge commit", " --merges"),
    FORM_IF("follow|across rename", " --follow"),
    FORM_ONE('n',
             "last|newest|recent|past|first|top {number}; {number} "
             "last|newest|recent;{number} commit",
             " -n {1:n}"),
    FORM_ONE('n', "last|newest ?git commit", " -1"),
    WHICH,
    FORM_IF(MESSAGES, " --grep={1}"),
    FORM_ONE('b',
             "?branch {word} but|that|and|which ?are not ?in|on|from {word}",
             " {2}..{1}"),
    FORM_ONE('b', "between {word} and {word}", " {1}..{2}"),
    FORM_ONE('b', "branch {word}; on|in|of ?the {word} branch", " {1}"),
    FORM_IF("file|path|in|of|to|for|touch|touched|change|directory|under "
            "{file}; {file}",
            " -- {1:path}"),
    FORM_SAYS("list|commit|log|history|git|repository|modify|change"),
    FORM_END,
};

static const struct form_part changes[] = {
    FORM_ALWAYS("git diff"),
    FORM_SAYS("git|compare|list|change|commit|branch|repository"),
    FORM_IF("stage|staged|cached|index|added", " --staged"),
    FORM_IF("statistic|summary|stat", " --stat"),
    FORM_IF("name|names only; only|just ?the|file name; which|what file; "
            "modified|changed files; list ?the file; file ?that differ|changed",
            " --name-only"),
    FORM_IF("word by word; word compare; by word; words", " --word-diff"),
    FORM_IF("ignore|ignoring|without whitespace|space", " -w"),
    FORM_ONE('a',
             "between|of|from|compare ?branch|commit|tag {revision|word} "
             "and|to|with|against ?branch|commit|tag {revision|word}",
             " {1}..{2}"),
    FORM_ONE('a', "branch {word} with|and|to|against {word}", " {1}..{2}"),
    FORM_ONE('a', "last {number} commit", " HEAD~{1:n}"),
    FORM_ONE('a', "last|previous commit", " HEAD~1"),
    FORM_ONE('a',
             "with|against|to|from|since|and ?branch|commit|tag {revision}",
             " {1}"),
    FORM_ONE('a', "with|against|to|from|and ?branch|tag {word}", " {1}"),
    FORM_IF("in|of|for|to|file|directory|under|compare {file}", " -- {1:path}"),
    FORM_END,
};

static const struct form_part shown[] = {
    FORM_ALWAYS("git show"),
    FORM_SAYS("list|git|commit|change|what|content|modify"),
    FORM_IF("statistic|stat", " --stat"),
    FORM_IF("name only; which|what ?file", " --name-only"),
    FORM_ONE('r',
             "{file} in|at|from|as ?it|of ?commit|branch|revision|tag "
             "{revision|word}",
             " {2}:{1}"),
    FORM_ONE('r', "last|newest commit", ""),
    FORM_LAST('r', "commit|revision|tag {revision|name}; {revision}", " {1}",
              "-"),
    FORM_END,
};

static const struct form_part blame[] = {
    FORM_ALWAYS("git blame"),
    FORM_SAYS("git|who|blame|modify|change|write|wrote|edit|last"),
    FORM_ONE('l', "line {number} ?to|and|until {number}", " -L {1:n},{2:n}"),
    FORM_ONE('l', "line {number}", " -L {1:n},{1:n}"),
    FORM_SAYS("line"),
    FORM_MUST("{file|name}", " {1:path}"),
    FORM_END,
};

static const struct form forms[] = {
    FORM("count commits", count, "+count|number|many; total", "commit"),
    FORM("commits of each author", authors, "commit",
         "per|each|every author|person|contributor|user; by author; who commit "
         "?most; author list; most commit"),
    FORM("what a commit changed", shown,
         "commit|revision {revision|name}; last|newest commit; git show",
         "list|change|what|content",
         "!log|history|between|compare|not|by|undo|reset|amend|message|revert|"
         "keep|branch|stash|author|squash|edit|drop|throw",
         "!{number}"),
    FORM("who changed each line", blame,
         "blame; who ?last modify|change|write|wrote|edit", "blame|line|git",
         "{file|name}"),
    FORM("what differs", changes, "compare|diff|change|modify",
         "git|commit|branch|staged|unstaged|main|master|{revision}",
         "!undo|discard|revert|stash|create|delete|switch|rename|merge|throw|"
         "add|log|history|message|reset|drop|amend|rebase|keep|keeping|author|"
         "url",
         "!commit|save ?all|every ?my change|modify; {number} commit; list "
         "commit; commit that|which"),
    FORM_LIST("the history of commits", history,
              "git log|history; commit log|history; log|history of ?all|the "
              "commit; list|last|newest|recent|what|which|who ?all|git|the "
              "?last|newest|recent ?{number} ?git commit; commit "
              "by|of|from|since|after|before|until|in|on|that|which|with|touch|"
              "between; history of|for ?file {file}",
              "git|commit|repository",
              "!undo|revert|reset|amend|squash|push|drop|cherry-pick|pick|"
              "combine|stash|tag|delete|rebase|apply|create|go|move|switch"),
    FORMS_END,
};

int
git_log_compose(const struct request *q, struct shortlist *s, struct err *e)
{
    return form_compose(forms, "git-log", q, s, e);
}
