/* SPDX-License-Identifier: GPL-3.0-or-later */
/* git_branch.c - git: branches and stashes. */
#include "offline/compose/composers.h"
#include "offline/compose/form.h"

#define GIT FORM_SAYS("git|branch|commit|repository|list")
#define BRANCH                                                                 \
    "branch named|called|name {word}; branch {word}; {name|revision} "         \
    "branch;named|called|name {word}"

static const struct form_part branch_remote_delete[] = {
    FORM_ALWAYS("git push"),
    FORM_LAST('r', "from|on remote {word}; {revision} remote", " {1}",
              " origin"),
    FORM_ALWAYS(" --delete"),
    FORM_SAYS("delete"),
    FORM_ONE('t', "tag|tags {word|revision}; {word} tag", " {1}"),
    FORM_LAST('t', BRANCH, " {1}", " BRANCH"),
    FORM_SAYS("remote|remotely; origin; server; git; branch"),
    FORM_END,
};

static const struct form_part branch_delete[] = {
    FORM_ALWAYS("git branch"),
    FORM_ELSE("force|forcibly|unmerged; even if ?not merge; not merged", " -D",
              " -d"),
    FORM_SAYS("delete|local|locally|git"),
    FORM_ELSE(BRANCH, " {1}", "! BRANCH"),
    FORM_SAYS("branch"),
    FORM_END,
};

static const struct form_part branch_rename[] = {
    FORM_ALWAYS("git branch -m"),
    FORM_SAYS("rename"),
    FORM_SAYS("current|this"),
    FORM_ONE('n',
             "branch ?from {word} to|into|as {word}; {word} branch to "
             "{word};from {word} to {word}; {name} to {word}",
             " {1} {2}"),
    FORM_LAST('n', "to|into|as {word}", " {1}", "! NAME"),
    GIT,
    FORM_END,
};

static const struct form_part branch_switch_new[] = {
    FORM_ELSE("checkout", "git checkout -b", "git switch -c"),
    FORM_SAYS("create|new|switch|change|go|move|start|begin"),
    FORM_ELSE(BRANCH, " {1}", "! NAME"),
    FORM_IF("from|off|of|at|based ?branch|commit|tag {revision|word}", " {1}"),
    GIT,
    FORM_END,
};

static const struct form_part branch_new[] = {
    FORM_ALWAYS("git branch"),
    FORM_SAYS("create|new|add|start"),
    FORM_ELSE(BRANCH, " {1}", "! NAME"),
    FORM_IF("from|off|of|at|based ?branch|commit|tag {revision|word}", " {1}"),
    GIT,
    FORM_END,
};

static const struct form_part branch_switch[] = {
    FORM_ELSE("checkout", "git checkout", "git switch"),
    FORM_SAYS("switch|change|go|move|jump"),
    FORM_ONE('n', "previous|last; back", " -"),
    FORM_LAST('n', BRANCH ";to {word}; checkout {word}", " {1}", "-"),
    GIT,
    FORM_END,
};

static const struct form_part branch_list[] = {
    FORM_ALWAYS("git branch"),
    FORM_ONE('a', "all|every; local and remote; include remote", " -a"),
    FORM_ONE('a', "remote", " -r"),
    FORM_IF("last commit; verbose|detail|details", " -v"),
    FORM_IF("sort ?by ?commit|last|recent date|time; newest first; by ?commit "
            "date;recent|recently",
            " --sort=-committerdate"),
    FORM_ONE('m', "not ?yet ?be merge ?into ?{revision}; unmerged",
             " --no-merged"),
    FORM_ONE('m', "merge ?into {word}", " --merged {1}"),
    FORM_ONE('m', "merge", " --merged"),
    FORM_IF("contain|with ?commit {revision|name}", " --contains {1}"),
    FORM_IF("like|match|named|name {glob|text|name}", " --list {1:quoted}"),
    GIT,
    FORM_END,
};

static const struct form_part merging[] = {
    FORM_ALWAYS("git merge"),
    FORM_IF("squash|squashing|squashed", " --squash"),
    FORM_IF("no|without|not fast|fast-forward ?forward; merge commit",
            " --no-ff"),
    FORM_ONE('n', "abort|cancel|stop|kill", " --abort"),
    FORM_LAST('n', "merge ?branch {word}; " BRANCH, " {1}", "! BRANCH"),
    FORM_SAYS("into ?current ?branch ?this; merge; current"),
    GIT,
    FORM_END,
};

static const struct form_part rebasing[] = {
    FORM_ALWAYS("git rebase"),
    FORM_SAYS("rebase"),
    FORM_ONE('n', "abort|cancel", " --abort"),
    FORM_ONE('n', "continue|proceed", " --continue"),
    FORM_IF("interactive|interactively", " -i"),
    FORM_ONE('n', "last {number} ?commit", " HEAD~{1:n}"),
    FORM_LAST('n', "on|onto|to ?top|branch {word}; onto ?branch {revision}",
              " {1}", "! BRANCH"),
    FORM_SAYS("current|this"),
    GIT,
    FORM_END,
};

static const struct form branches[] = {
    FORM("delete a branch of the remote", branch_remote_delete, "delete",
         "branch|tag|tags", "remote|remotely|origin|github|server",
         "!locally|local"),
    FORM("delete a branch", branch_delete, "delete", "branch",
         "!merged|tag|list|file"),
    FORM("rename a branch", branch_rename, "rename", "branch"),
    FORM("make a branch and go to it", branch_switch_new, "create|new|start",
         "branch", "switch|checkout|change|go|move|start"),
    FORM("make a branch", branch_new, "create|new|add", "branch",
         "!list|tracking|push"),
    FORM("go to another branch", branch_switch,
         "switch|checkout|change|go|move|jump",
         "branch; git switch|checkout; checkout {revision}",
         "!commit|modify|file|delete|merge|rebase|{file}|what|which|list"),
    FORM("rebase", rebasing, "rebase", "!pull"),
    FORM("merge a branch", merging, "merge", "branch|git",
         "!list|which|what|not|pull|conflict|file|{file}"),
    FORM_LIST(
        "list branches", branch_list, "branch",
        "list|what|which|all|name|merge|contain",
        "!log|commit of|by|on|in; push|pull|compare|fetch|track|stash|clone"),
    FORMS_END,
};

#define STASHED "{number}; number|entry {number}"

static const struct form_part stash_push[] = {
    FORM_ALWAYS("git stash push"),
    FORM_IF("untracked ?file; new file", " -u"),
    FORM_IF("keep|without|leave|not ?the stage|staged|index", " --keep-index"),
    FORM_IF("only staged; staged", " --staged"),
    FORM_IF("message|named|called|name|as {text}; message|called|named|name|as "
            "{rest}",
            " -m {1:quoted}"),
    FORM_EACH("{file}", " {1:path}"),
    FORM_SAYS("stash|change|modify|git|save|put|work|current|uncommitted|away"),
    FORM_END,
};

#define STASH_PARTS(NAME, VERB)                                                \
    static const struct form_part NAME[] = {                                   \
        FORM_ALWAYS("git stash " VERB),                                        \
        FORM_IF(STASHED, " stash@{{{1:n}}"),                                   \
        FORM_SAYS("stash|pop|apply|drop|delete|list|last|newest|git|compare|"  \
                  "content|what|patch|be|in"),                                 \
        FORM_END,                                                              \
    }
STASH_PARTS(stash_pop, "pop");
STASH_PARTS(stash_apply, "apply");
STASH_PARTS(stash_drop, "drop");
STASH_PARTS(stash_show, "show -p");
STASH_PARTS(stash_list, "list");
STASH_PARTS(stash_clear, "clear");

static const struct form stashes[] = {
    FORM("throw all stashes away", stash_clear, "stash",
         "clear; delete|drop all|every|stashes"),
    FORM("throw a stash away", stash_drop, "stash", "delete|drop"),
    FORM("take a stash back", stash_pop, "stash",
         "pop|restore; bring|get back"),
    FORM("apply a stash", stash_apply, "stash", "apply"),
    FORM("what a stash holds", stash_show, "stash",
         "what|content|compare|patch; list ?the|last|newest stash",
         "!stashes|all"),
    FORM_LIST("list stashes", stash_list, "stash", "list|stashes"),
    FORM("stash changes", stash_push, "stash"),
    FORMS_END,
};

int
git_branch_compose(const struct request *q, struct shortlist *s, struct err *e)
{
    if (form_compose(stashes, "git-branch", q, s, e) < 0)
        return -1;
    return form_compose(branches, "git-branch", q, s, e);
}
