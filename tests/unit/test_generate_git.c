/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_generate_git.c - commands for git repositories. */
#include "generated.h"
#include "unit.h"

static const struct generated git_rows[] = {
    {"show the last 20 commits of alice since monday",
     "git log -n 20 --author=alice --since=monday"},
    {"git log oneline graph for all branches",
     "git log --oneline --graph --all"},
    {"how many commits did bob make last week",
     "git rev-list --count --since='1 week ago' HEAD"},
    {"how many commits are there in this repository",
     "git rev-list --count HEAD"},
    {"list commits since 2 weeks ago that touch src/main.c",
     "git log --since='2 weeks ago' -- src/main.c"},
    {"show commits between v1.0 and v1.2", "git log v1.0..v1.2"},
    {"commits per author", "git shortlog -sn"},
    {"who changed line 20 of config.py", "git blame -L 20,20 config.py"},
    {"show the changes of the last commit", "git show"},
    {"what changed between main and develop", "git diff main..develop"},
    {"show only the names of files changed between main and feature-x",
     "git diff --name-only main..feature-x"},
    {"show staged changes", "git diff --staged"},
    {"compare README.md with the last commit", "git diff HEAD~1 -- README.md"},
    {"create a branch called login-fix", "git branch login-fix"},
    {"create a new branch feature/api and switch to it",
     "git switch -c feature/api"},
    {"switch to branch develop", "git switch develop"},
    {"checkout the main branch", "git checkout main"},
    {"delete the branch old-stuff", "git branch -d old-stuff"},
    {"delete the remote branch old-stuff",
     "git push origin --delete old-stuff"},
    {"force delete local branch experiment", "git branch -D experiment"},
    {"rename branch foo to bar", "git branch -m foo bar"},
    {"rename the current branch to main", "git branch -m main"},
    {"list all branches including remote ones", "git branch -a"},
    {"list branches merged into main", "git branch --merged main"},
    {"merge branch feature into the current one", "git merge feature"},
    {"rebase onto main", "git rebase main"},
    {"stash my changes with message \"half done\"",
     "git stash push -m 'half done'"},
    {"stash including untracked files", "git stash push -u"},
    {"apply stash 2", "git stash apply stash@{2}"},
    {"list stashes", "git stash list"},
    {"drop the last stash", "git stash drop"},
    {"undo the last commit but keep the changes", "git reset --soft HEAD~1"},
    {"undo the last 3 commits and discard the changes",
     "git reset --hard HEAD~3"},
    {"reset to origin/main", "git reset origin/main"},
    {"revert commit a1b2c3d", "git revert a1b2c3d"},
    {"cherry-pick commit abc1234", "git cherry-pick abc1234"},
    {"commit all changes with message \"fix the parser\"",
     "git commit -a -m 'fix the parser'"},
    {"commit a.c and b.c with the message fix typo",
     "git commit a.c b.c -m 'fix typo'"},
    {"add all files and commit them", "git commit -a"},
    {"amend the last commit message to \"better words\"",
     "git commit --amend -m 'better words'"},
    {"stage everything", "git add -A"},
    {"unstage README.md", "git restore --staged README.md"},
    {"clone https://github.com/foo/bar.git into work with depth 1",
     "git clone --depth 1 https://github.com/foo/bar.git work"},
    {"clone the develop branch of git@github.com:foo/bar.git",
     "git clone -b develop git@github.com:foo/bar.git"},
    {"create a tag v1.2.0 with message \"release 1.2\"",
     "git tag v1.2.0 -m 'release 1.2'"},
    {"delete tag v0.9", "git tag -d v0.9"},
    {"push the tags", "git push --tags"},
    {"push branch dev to origin", "git push origin dev"},
    {"pull with rebase", "git pull --rebase"},
    {"fetch all remotes and prune", "git fetch --all --prune"},
    {"add a remote called upstream https://github.com/x/y.git",
     "git remote add upstream https://github.com/x/y.git"},
    {"show git remotes", "git remote -v"},
};

static void
branches_and_commits_are_made(void **state)
{
    (void)state;
    generated_check(git_rows, sizeof(git_rows) / sizeof(git_rows[0]));
}

static const struct generated git2_rows[] = {
    {"commits by carol between v1 and v2", "git log --author=carol v1..v2"},
    {"list commit messages containing \"timeout\"", "git log --grep=timeout"},
    {"git log of src/parser.c with patches", "git log -p -- src/parser.c"},
    {"show the last 5 commits in one line each", "git log --oneline -n 5"},
    {"show the commits on branch dev that are not in main",
     "git log main..dev"},
    {"git history as a graph", "git log --graph"},
    {"commits before 2024-01-01 without merges",
     "git log --no-merges --until=2024-01-01"},
    {"how many commits since yesterday",
     "git rev-list --count --since=yesterday HEAD"},
    {"git diff statistics against origin/main", "git diff --stat origin/main"},
    {"word by word diff of notes.txt in git",
     "git diff --word-diff -- notes.txt"},
    {"show commit 1a2b3c4d", "git show 1a2b3c4d"},
    {"show src/main.c as of commit 1a2b3c4d", "git show 1a2b3c4d:src/main.c"},
    {"create branch hotfix from v2.1", "git branch hotfix v2.1"},
    {"start a new branch called demo off develop",
     "git switch -c demo develop"},
    {"go back to the previous branch", "git switch -"},
    {"list remote branches sorted by commit date",
     "git branch -r --sort=-committerdate"},
    {"which branches contain commit 1a2b3c4d",
     "git branch --contains 1a2b3c4d"},
    {"abort the merge in git", "git merge --abort"},
    {"merge develop branch without fast forward", "git merge --no-ff develop"},
    {"interactive rebase of the last 4 commits", "git rebase -i HEAD~4"},
    {"pop the stash", "git stash pop"},
    {"show what is in stash 1", "git stash show -p stash@{1}"},
    {"delete all stashes", "git stash clear"},
    {"stash only staged changes", "git stash push --staged"},
    {"commit everything with message \"first version\"",
     "git commit -a -m 'first version'"},
    {"commit src/ with message saying tidy up", "git commit src/ -m 'tidy up'"},
    {"amend the commit without changing the message",
     "git commit --amend --no-edit"},
    {"undo the last 2 commits and keep changes", "git reset --soft HEAD~2"},
    {"reset hard to commit 1a2b3c4d", "git reset --hard 1a2b3c4d"},
    {"revert the last commit", "git revert HEAD"},
    {"add notes.txt to the git index", "git add notes.txt"},
    {"remove secret.env from the git index", "git restore --staged secret.env"},
    {"restore config.yml from commit 1a2b3c4d",
     "git restore --source=1a2b3c4d config.yml"},
    {"shallow clone of https://example.org/a.git",
     "git clone --depth 1 https://example.org/a.git"},
    {"clone https://example.org/a.git with submodules into vendor",
     "git clone --recurse-submodules https://example.org/a.git vendor"},
    {"force push the current branch to origin",
     "git push --force-with-lease origin HEAD"},
    {"push branch topic and set upstream", "git push -u origin topic"},
    {"fetch from upstream in git", "git fetch upstream"},
    {"delete the remote tag v1.0 from origin", "git push origin --delete v1.0"},
    {"tag commit 1a2b3c4d as v3.0", "git tag v3.0 1a2b3c4d"},
    {"change the url of remote origin to https://example.org/b.git",
     "git remote set-url origin https://example.org/b.git"},
    {"rename the git remote origin to old", "git remote rename origin old"},
};

static void
history_is_asked_for(void **state)
{
    (void)state;
    generated_check(git2_rows, sizeof(git2_rows) / sizeof(git2_rows[0]));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(branches_and_commits_are_made),
        cmocka_unit_test(history_is_asked_for),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
