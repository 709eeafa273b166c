/* SPDX-License-Identifier: GPL-3.0-or-later */
/* git_commit.c - git: commits that are made, unmade and exchanged. */
#include "offline/compose/composers.h"
#include "offline/compose/form.h"

#define GIT FORM_SAYS("git|commit|repository|modify|change")
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
    {.said = "{file}",
     .put = " {1:path}",
     .other = NULL,
     .only = 'p',
     .again = true},
    FORM_IF(MESSAGE, " -m {1:quoted}"),
    GIT,
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
    {.said = "{file}",
     .put = " {1:path}",
     .other = "! FILE",
     .only = 'f',
     .again = true},
    FORM_SAYS("add|stage|index|file"),
    GIT,
    FORM_END,
};

static const struct form_part unstage[] = {
    FORM_ALWAYS("git restore --staged"),
    {.said = "{file}",
     .put = " {1:path}",
     .other = " .",
     .only = 'f',
     .again = true},
    FORM_SAYS("unstage|stage|index|delete|from|all|everything|file"),
    GIT,
    FORM_END,
};

static const struct form_part discard[] = {
    FORM_ALWAYS("git restore"),
    FORM_IF("from|of|to|as|in ?commit|branch {revision}", " --source={1}"),
    FORM_IF("from|of branch {word}", " --source={1}"),
    {.said = "{file}",
     .put = " {1:path}",
     .other = " .",
     .only = 'f',
     .again = true},
    FORM_SAYS("discard|undo|revert|restore|delete|throw|away|drop|uncommitted|"
              "all|local|unstaged|working|file|current|directory"),
    GIT,
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
    {.said = "commit {revision|name}; {revision}; pick {name}",
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
    GIT,
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
    GIT,
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
git_commit_compose(const struct request *q, struct shortlist *s, struct err *e)
{
    if (form_compose(exchange, "git-commit", q, s, e) < 0)
        return -1;
    return form_compose(commits, "git-commit", q, s, e);
}
