/* SPDX-License-Identifier: GPL-3.0-or-later */
/* form_git.c - forms for git: history, branches, stashes, commits. */
#include "offline/generate/form.h"
#include "offline/generate/generate.h"

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
generate_git_log(const struct request *q, struct shortlist *s, struct err *e)
{
    return form_generate(forms, "git-log", q, s, e);
}

/* Branches and stashes. */

#define BRANCH_SAYS FORM_SAYS("git|branch|commit|repository|list")
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
    BRANCH_SAYS,
    FORM_END,
};

static const struct form_part branch_switch_new[] = {
    FORM_ELSE("checkout", "git checkout -b", "git switch -c"),
    FORM_SAYS("create|new|switch|change|go|move|start|begin"),
    FORM_ELSE(BRANCH, " {1}", "! NAME"),
    FORM_IF("from|off|of|at|based ?branch|commit|tag {revision|word}", " {1}"),
    BRANCH_SAYS,
    FORM_END,
};

static const struct form_part branch_new[] = {
    FORM_ALWAYS("git branch"),
    FORM_SAYS("create|new|add|start"),
    FORM_ELSE(BRANCH, " {1}", "! NAME"),
    FORM_IF("from|off|of|at|based ?branch|commit|tag {revision|word}", " {1}"),
    BRANCH_SAYS,
    FORM_END,
};

static const struct form_part branch_switch[] = {
    FORM_ELSE("checkout", "git checkout", "git switch"),
    FORM_SAYS("switch|change|go|move|jump"),
    FORM_ONE('n', "previous|last; back", " -"),
    FORM_LAST('n', BRANCH ";to {word}; checkout {word}", " {1}", "-"),
    BRANCH_SAYS,
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
    BRANCH_SAYS,
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
    BRANCH_SAYS,
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
    BRANCH_SAYS,
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
generate_git_branch(const struct request *q, struct shortlist *s, struct err *e)
{
    if (form_generate(stashes, "git-branch", q, s, e) < 0)
        return -1;
    return form_generate(branches, "git-branch", q, s, e);
}

/* Commits: made, undone, exchanged. */

#define COMMIT_SAYS FORM_SAYS("git|commit|repository|modify|change")
#define MESSAGE                                                                \
    "message|comment|description|saying|titled|called {text}; "                \
    "{text};message|comment|saying|titled ?is|be|that|says|say {rest}"

static const struct form_part commit[] = {
    FORM_ALWAYS("git commit"),
    FORM_IF(
        "all|every ?my|modified|tracked|the ?change|modify|file; everything",
        " -a"),
    FORM_IF("sign|signed", " -S"),
    FORM_IF("without|no|skip ?hook|verify|check", " --no-verify"),
    FORM_IF("empty", " --allow-empty"),
    FORM_ONE('p', "file|of|in|only {file}", " {1:path}"),
    {.words = "{file}",
     .put = " {1:path}",
     .other = NULL,
     .only = 'p',
     .again = true},
    FORM_IF(MESSAGE, " -m {1:quoted}"),
    COMMIT_SAYS,
    FORM_END,
};

static const struct form_part amend[] = {
    FORM_ALWAYS("git commit --amend"),
    FORM_ONE(
        'm',
        "without|not|no|keep|keeping|same ?modify|change|edit ?its|the message",
        " --no-edit"),
    FORM_IF("author ?to|as {text}", " --author={1:quoted}"),
    FORM_ONE('m', "to {text}; message ?to|as {text}; message to {rest}",
             " -m {1:quoted}"),
    FORM_SAYS("amend|edit|modify|change|reword|fix|correct|last|newest|commit|"
              "message|previous|rename|rewrite|git"),
    FORM_END,
};

static const struct form_part stage[] = {
    FORM_ALWAYS("git add"),
    FORM_IF("interactively|interactive|hunk|piece|part|patch", " -p"),
    FORM_ONE('f', "all|every ?change|modify|file; everything; all", " -A"),
    {.words = "{file}",
     .put = " {1:path}",
     .other = "! FILE",
     .only = 'f',
     .again = true},
    FORM_SAYS("add|stage|index|file"),
    COMMIT_SAYS,
    FORM_END,
};

static const struct form_part unstage[] = {
    FORM_ALWAYS("git restore --staged"),
    {.words = "{file}",
     .put = " {1:path}",
     .other = " .",
     .only = 'f',
     .again = true},
    FORM_SAYS("unstage|stage|index|delete|from|all|everything|file"),
    COMMIT_SAYS,
    FORM_END,
};

static const struct form_part discard[] = {
    FORM_ALWAYS("git restore"),
    FORM_IF("from|of|to|as|in ?commit|branch {revision}", " --source={1}"),
    FORM_IF("from|of branch {word}", " --source={1}"),
    {.words = "{file}",
     .put = " {1:path}",
     .other = " .",
     .only = 'f',
     .again = true},
    FORM_SAYS("discard|undo|revert|restore|delete|throw|away|drop|uncommitted|"
              "all|local|unstaged|working|file|current|directory"),
    COMMIT_SAYS,
    FORM_END,
};

#define BACK                                                                   \
    FORM_ONE('n',                                                              \
             "last|newest|recent|past {number} ?commit; {number} commit "      \
             "?back|ago; {number} last|recent commit",                         \
             " HEAD~{1:n}"),                                                   \
        FORM_ONE('n', "to|before ?commit|branch|tag {revision|name}", " {1}"), \
        FORM_LAST('n', "last|newest|previous|my|the commit; commit",           \
                  " HEAD~1", "-")

static const struct form_part uncommit[] = {
    FORM_ALWAYS("git reset"),
    FORM_ONE('s',
             "keep|keeping|leave|preserve|preserving ?my|the|all "
             "?change|modify|file|work ?stage|staged; soft; without "
             "losing|discard|lose|delete",
             " --soft"),
    FORM_ONE('s',
             "hard; discard|lose|losing|delete|drop|throw|forget|destroy "
             "?away|all|the|my|every ?modify|change|file; completely|entirely",
             " --hard"),
    FORM_ONE('s', "mixed", " --mixed"),
    FORM_LAST('s', "undo|undone|reset|commit", " --soft", "-"),
    BACK,
    FORM_SAYS("undo|uncommit|reset|back|go|git|commit|branch"),
    FORM_END,
};

static const struct form_part reset_to[] = {
    FORM_ALWAYS("git reset"),
    FORM_ONE('s', "hard; discard|lose|losing|delete|drop|throw", " --hard"),
    FORM_ONE('s', "soft; keep|keeping|leave", " --soft"),
    FORM_ONE('n', "{number} commit", " HEAD~{1:n}"),
    FORM_LAST('n',
              "to ?the ?remote branch {word}; to {revision|word}; to "
              "?match|be|commit|tag {revision}",
              " {1}", "-"),
    FORM_SAYS("reset|git|branch|commit|current"),
    FORM_END,
};

static const struct form_part revert[] = {
    FORM_ALWAYS("git revert"),
    FORM_IF("without|no|not commit", " --no-commit"),
    FORM_ONE('c', "last|newest {number} commit", " HEAD~{1:n}..HEAD"),
    FORM_ONE('c', "last|newest commit", " HEAD"),
    FORM_LAST('c', "commit {revision|name}; {revision}", " {1}", "! COMMIT"),
    FORM_SAYS("revert|commit|git"),
    FORM_END,
};

static const struct form_part pick[] = {
    FORM_ALWAYS("git cherry-pick"),
    FORM_IF("without|no|not commit", " --no-commit"),
    {.words = "commit {revision|name}; {revision}; pick {name}",
     .put = " {1}",
     .other = "! COMMIT",
     .only = 0,
     .again = true},
    FORM_SAYS("cherry-pick|cherry|pick|commit|apply|git|branch|onto"),
    FORM_END,
};

static const struct form_part clone[] = {
    FORM_ALWAYS("git clone"),
    FORM_ONE('d',
             "shallow|shallowly; only ?the|its last|newest commit; without|no "
             "history",
             " --depth 1"),
    FORM_ONE('d', "depth ?of {number}; last|newest {number} commit",
             " --depth {1:n}"),
    FORM_ONE('b', "only|single ?the branch {word}", " --single-branch -b {1}"),
    FORM_ONE('b', "branch|tag {word}; {word} branch|tag", " -b {1}"),
    FORM_IF("submodules|submodule|recursive|recursively",
            " --recurse-submodules"),
    FORM_IF("bare", " --bare"),
    FORM_IF("mirror", " --mirror"),
    FORM_ELSE("{url|remote}; repository|clone {file}", " {1}", "! URL"),
    FORM_IF("into|in|to|as|named|called ?directory|folder "
            "{path|name|word};directory|folder {path|name|word}",
            " {1:path}"),
    FORM_SAYS("git|clone|repository|only|directory|commit|with"),
    FORM_END,
};

static const struct form_part push[] = {
    FORM_ALWAYS("git push"),
    FORM_IF("force|forcibly", " --force-with-lease"),
    FORM_IF("upstream; track|tracking; first time; new branch", " -u"),
    FORM_IF("all branch", " --all"),
    FORM_ONE('t', "tags; all tag", " --tags"),
    FORM_ONE('t', "tag {word}", " origin {1}"),
    FORM_ONE('t', "my|this branch to {word}", " {1} HEAD"),
    FORM_ONE('t', "current branch", " origin HEAD"),
    FORM_ONE('t',
             "branch|push {name|revision} to {word}; {name|revision} branch "
             "to {word}",
             " {2} {1}"),
    FORM_ONE('t', "branch {word}; {name|revision} branch", " origin {1}"),
    FORM_ONE('t', "to {word}", " {1} HEAD"),
    FORM_SAYS("push|current|remote|branch|tag|all|new"),
    COMMIT_SAYS,
    FORM_END,
};

static const struct form_part pull[] = {
    FORM_ELSE("fetch", "git fetch", "git pull"),
    FORM_IF("rebase|rebasing|rebased", " --rebase"),
    FORM_IF("all", " --all"),
    FORM_IF("prune; deleted|gone|stale branch", " --prune"),
    FORM_IF("tag", " --tags"),
    FORM_ONE('b', "branch {word} from {word}; {word} branch from {word}",
             " {2} {1}"),
    FORM_ONE('b', "from {word}", " {1}"),
    FORM_ONE('b', "branch {word}", " origin {1}"),
    FORM_SAYS("pull|fetch|newest|remote|branch"),
    COMMIT_SAYS,
    FORM_END,
};

static const struct form_part remote[] = {
    FORM_ALWAYS("git remote"),
    FORM_ONE('v', "add|create|set ?a|new remote", " add"),
    FORM_ONE('v', "modify|change|set|update ?url|address", " set-url"),
    FORM_ONE('v', "delete", " remove"),
    FORM_ONE('v', "rename", " rename"),
    FORM_LAST('v', "list|what|which|url", " -v", "-"),
    FORM_IF(
        "named|called|name|remote {word}; of {word}; {word} remote; {revision}",
        " {1}"),
    FORM_IF("{url|remote}; to {word}", " {1}"),
    FORM_SAYS("git|remote|repository|url|to"),
    FORM_END,
};

static const struct form_part tag[] = {
    FORM_ALWAYS("git tag"),
    FORM_IF("annotated", " -a"),
    FORM_IF("signed|sign", " -s"),
    FORM_ELSE(
        "tag named|called|name {word|revision}; tag {word|revision};{revision} "
        "tag; named|called {word}; as {revision|word}",
        " {1}", "! NAME"),
    FORM_IF("commit {revision|name}; at|on {revision}", " {1}"),
    FORM_IF("message|description|saying {text}; message|saying {rest}",
            " -m {1:quoted}"),
    FORM_SAYS("create|new|add|tag|current|commit|git|with"),
    FORM_END,
};

static const struct form_part tag_delete[] = {
    FORM_ALWAYS("git tag -d"),
    FORM_ELSE("tag ?named|called {word|revision}; {revision}", " {1}", "! TAG"),
    FORM_SAYS("delete|tag|git|local|locally"),
    FORM_END,
};

static const struct form exchange[] = {
    FORM("clone a repository", clone, "clone",
         "git|repository|{url}|branch|{remote}"),
    FORM("push commits", push, "push",
         "git|branch|commit|tag|tags|origin|remote|upstream",
         "!delete|docker|container|stash|image"),
    FORM("fetch what is new", pull, "pull|fetch",
         "git|branch|commit|tag|origin|upstream|rebase|remote",
         "!docker|image|container|url|page|website|{url}"),
    FORM("the repository's remotes", remote,
         "git|repository|origin; add|delete|rename|list remote", "remote|url",
         "!branch|push|pull|clone|fetch"),
    FORM("delete a tag", tag_delete, "git tag; tag {revision}; tag", "delete",
         "git|local|{revision}", "!docker|image|html|file|branch"),
    FORM("tag a commit", tag, "tag", "git|commit|{revision}",
         "create|new|add; tag {word|revision}; tag commit",
         "!docker|image|list|file|branch|delete|push|html|clone|log|compare"),
    FORMS_END,
};

static const struct form commits[] = {
    FORM("mend the last commit", amend,
         "amend; modify|change|edit|reword|fix|correct|rename|rewrite "
         "last|newest|previous commit; "
         "modify|change|edit|reword|fix|correct|rewrite ?git commit "
         "message;modify|change|edit|reword|fix|correct message|author of ?on "
         "last|newest commit"),
    FORM("copy a commit here", pick, "cherry-pick; cherry pick; apply commit"),
    FORM("undo a commit by another", revert, "revert", "commit|{revision}",
         "!{file}|file"),
    FORM("take files out of the index", unstage,
         "unstage; delete|take ?{file} from ?git index|staging; undo git add"),
    FORM("unmake commits", uncommit,
         "undo|uncommit|reset|drop|back|discard|delete", "commit",
         "!branch|stash|{file}|file|list|uncommitted|revert|log|tag|message"),
    FORM("move the branch", reset_to, "reset", "git|branch|{revision}",
         "!file|{file}|password|network"),
    FORM("bring files back as they were", discard,
         "discard|undo|revert|restore|throw; checkout {file}; git restore",
         "git|uncommitted|unstaged|change|modify|commit",
         "git|uncommitted|unstaged|local|working|commit; all change|modify",
         "!last|backup|stash|permission|database; branch {word}"),
    FORM("stage files", stage,
         "stage; git add; add|put ?{file} to|in|into git|index|staging",
         "!stash|tag|remote|{url}|user|message", "!staged|unstage|branch|only"),
    FORM("commit what changed", commit, "commit",
         "!restore|log|history|list|count|many|last|branch|tag|revert|push|"
         "pull|what|who|which|between|compare|stash|by|of|clone|find|contain|"
         "since|undo|graph|reset|author|rebase",
         "message|saying|titled|all|everything|{file}|{text}|change|comment|"
         "empty"),
    FORMS_END,
};

int
generate_git_commit(const struct request *q, struct shortlist *s, struct err *e)
{
    if (form_generate(exchange, "git-commit", q, s, e) < 0)
        return -1;
    return form_generate(commits, "git-commit", q, s, e);
}
