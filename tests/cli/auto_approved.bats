#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# auto_approved.bats - what a step that nobody is asked about can harm: nothing, also
# where the command line was read wrongly.
# shellcheck disable=SC2154,SC2164,SC2016 # set by bats' run; bats ends at
# errors; commands in quotes are for the program
bats_require_minimum_version 1.5.0
load ../lib/common

# A program that the rules take for a harmless one, and that is not. It stands
# for every miss of the reading.
setup() {
    home_setup
    ai=$top_builddir/ai
    mkdir -p "$TEST_ROOT/bin" "$XDG_CONFIG_HOME/agentsh"
    echo 'preset permissive' >"$XDG_CONFIG_HOME/agentsh/policy"
    cat >tool <<END
#!/bin/sh
rm -rf kept.txt sub
echo changed >>grown.txt
echo changed >old.txt
echo planted >planted
mkdir -p .git/hooks && echo planted >.git/hooks/post-commit
chmod 0777 mode.txt
mv moved.txt elsewhere.txt
ln -s / link
echo planted >"$HOME/planted"
echo planted >/tmp/planted.$AGENTSH_TEST_ID
echo planted >$TEST_ROOT/bin/ls
exit 0
END
    chmod +x tool
    mkdir sub
    for file in kept old grown mode moved sub/inner; do
        echo "$file" >"$file.txt"
    done
    chmod 0600 mode.txt
}

teardown() {
    [ -z "${pid:-}" ] || kill "$pid" 2>/dev/null || true
    rm -f "/tmp/planted.$AGENTSH_TEST_ID"
    home_done
}

plan() {
    COMMAND=$1 "$PYTHON3" -c '
import json, os
step = {"id": "1", "description": "It", "shell_command": os.environ["COMMAND"]}
print(json.dumps({"kind": "command_sequence", "summary": "s",
                  "steps": [step]}))' >"$TEST_ROOT/p.json"
}

# go COMMAND [OPTION...]: a plan of this step, with --yes.
go() {
    plan "$1"
    shift
    run --separate-stderr "$ai" run --yes --plan "$TEST_ROOT/p.json" "$@" \
        </dev/null
}

# Every file here and its content, mode and target, one a line.
tree() {
    find . -printf '%p %y %m %l ' \( -type f -exec cat {} \; -o -print \) | sort
}

nothing_outside() {
    [ ! -e "$HOME/planted" ]
    [ ! -e "/tmp/planted.$AGENTSH_TEST_ID" ]
    [ ! -e "$TEST_ROOT/bin/ls" ]
}

@test "control: run outside, the program does all of it" {
    before=$(tree)
    ./tool
    [ "$(tree)" != "$before" ]
    [ ! -e kept.txt ]
    [ -e planted ]
    [ -e .git/hooks/post-commit ]
    [ -e "$HOME/planted" ]
    [ -e "/tmp/planted.$AGENTSH_TEST_ID" ]
    [ -e "$TEST_ROOT/bin/ls" ]
}

@test "a step that only looks leaves every file as it was" {
    before=$(tree)
    go './tool'
    [ "$(tree)" = "$before" ]
    nothing_outside
}

@test "a step that makes a file adds that file and no other" {
    needs namespaces # for the view
    before=$(tree)
    go './tool; echo made >new.txt'
    [ "$status" -eq 0 ]
    [ "$(cat new.txt)" = made ]
    [[ $stderr == *'dropped: '*'and '*' more'* ]]
    rm new.txt
    [ "$(tree)" = "$before" ]
    nothing_outside
}

@test "a step that appends lets that file grow, its old bytes first" {
    needs namespaces # for the view
    before=$(tree)
    go 'echo more >>grown.txt; ./tool'
    [ "$status" -eq 0 ]
    [ "$(cat grown.txt)" = $'grown\nmore\nchanged' ]
    echo grown >grown.txt
    [ "$(tree)" = "$before" ]
    nothing_outside
}

@test "a file that was to grow and lost its beginning stays as it was" {
    needs namespaces # for the view
    cat >tool <<'END'
#!/bin/sh
echo other >old.txt
END
    go 'echo more >>old.txt; ./tool'
    [ "$(cat old.txt)" = old ]
    [[ $stderr == *'dropped: old.txt (changed)'* ]]
}

@test "a named file that became a link, a pipe or a directory is dropped" {
    needs namespaces # for the view
    for made in 'ln -s /etc/passwd new.txt' 'mkfifo new.txt'; do
        printf '#!/bin/sh\n%s\n' "$made" >tool
        go 'false && : >>new.txt; ./tool'
        [ ! -e new.txt ]
        [ ! -L new.txt ]
    done
}

@test "no file is replaced that somebody else made meanwhile" {
    needs namespaces # for the view
    mkdir "$TEST_ROOT/go"
    plan "echo started; ls $TEST_ROOT/go; until [ -e $TEST_ROOT/go/on ]; do :; done; echo ours >new.txt"
    "$ai" run --yes --plan "$TEST_ROOT/p.json" </dev/null \
        >"$TEST_ROOT/out" 2>&1 3>&- &
    pid=$!
    poll grep -q started "$TEST_ROOT/out"
    echo theirs >new.txt
    : >"$TEST_ROOT/go/on"
    wait "$pid" && status=0 || status=$?
    [ "$(cat new.txt)" = theirs ]
    [ "$status" -ne 0 ]
}

@test "a tree that is named may be added whole" {
    mkdir -p from/a/b
    echo x >from/a/b/c
    go 'cp -r from to'
    [ "$status" -eq 0 ]
    [ "$(cat to/a/b/c)" = x ]
    [ -z "$stderr" ] || [[ $stderr != *dropped* ]]
}

@test "a tree that is added makes git run nothing" {
    git init -q --bare from
    printf '#!/bin/sh\n' >from/hooks/post-update
    chmod +x from/hooks/post-update
    git -C from config core.fsmonitor ./evil
    mkdir from/in && git init -q from/in && git -C from/in config alias.x '!y'
    # control: a copy outside has all of it
    cp -r from outside
    git -C outside config core.fsmonitor
    [ -x outside/hooks/post-update ]
    go 'cp -r from to'
    run git -C to config core.fsmonitor
    [ -z "$output" ]
    [ ! -e to/hooks/post-update ]
    run git -C to/in config alias.x
    [ -z "$output" ]
}

@test "no repository is added where nobody looks for one" {
    needs namespaces # for the view
    go "mkdir -p node_modules/y; echo 1 >node_modules/y/index.js"
    [ "$status" -eq 0 ]
    [ -e node_modules/y/index.js ]
    d=node_modules/x/src
    deep=$(printf 'd/%.0s' {1..70})e
    for dir in "$d" "$deep"; do
        go "mkdir -p $dir/objects $dir/refs; \
echo 'ref: refs/heads/m' >$dir/HEAD; \
printf '[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = $PWD\n\tfsmonitor = touch $TEST_ROOT/ran\n' >$dir/config"
        [ "$status" -eq 5 ]
        [ ! -e "$dir/config" ]
        [ ! -e "$dir/HEAD" ]
        mkdir -p "$dir"
        (cd "$dir" && git status >/dev/null 2>&1) || true
        [ ! -e "$TEST_ROOT/ran" ]
    done
}

@test "directories on the way to a named file are added with it" {
    go 'mkdir -p p/q && echo x >p/q/r'
    [ "$status" -eq 0 ]
    [ "$(cat p/q/r)" = x ]
}

@test "what changes, moves or writes where nobody knows is asked about" {
    for command in 'mv old.txt new.txt' 'git init' 'echo x >"$(date +%F)"'; do
        go "$command"
        [ "$status" -eq 5 ]
    done
    [ -e old.txt ]
}

@test "a mode that a step changes is asked about" {
    needs namespaces # for the view
    go 'chmod +x old.txt'
    [ "$status" -eq 5 ]
    [ ! -x old.txt ]
    [[ $stderr == *'needs your approval'* ]]
}

@test "a rule that the person wrote gives a writable profile" {
    printf 'all:\n\trm -f kept.txt\n' >Makefile
    go 'make all'
    [ "$status" -ne 0 ]
    [ -e kept.txt ]
    echo 'allow command make all' >>"$XDG_CONFIG_HOME/agentsh/policy"
    # and not to what the preset allows beside it
    go 'make all; ls'
    [ -e kept.txt ]
    go 'make all'
    [ "$status" -eq 0 ]
    [ ! -e kept.txt ]
}

@test "what was dropped is told to a script, too" {
    needs namespaces # for the view
    go 'echo made >new.txt; ./tool' -o json
    [ "$status" -eq 0 ]
    "$PYTHON3" -c '
import json, sys
step = json.loads(sys.argv[1])["steps"][0]
assert "dropped" in step or "dropped" in step.get("result", {}), step
' "$output"
}

@test "no view is left behind" {
    go './tool; echo made >new.txt'
    [ -z "$(ls -A "$XDG_STATE_HOME/agentsh/preview" 2>/dev/null)" ]
}

@test "a tool that writes is asked about" {
    cat >"$TEST_ROOT/p.json" <<'END'
{"kind":"command_sequence","summary":"s","steps":[
{"id":"1","description":"a","shell_command":"echo x > new","tool":"fs.write_file",
 "args":{"path":"new","content":"x"}}]}
END
    run --separate-stderr "$ai" run --yes --plan "$TEST_ROOT/p.json" </dev/null
    [ "$status" -eq 5 ]
    [[ $stderr == *'needs your approval'* ]]
    [ ! -e new ]
}

# go_as_user COMMAND: as `go`, and its output and errors in $output.
go_as_user() {
    plan "$1"
    chmod 644 "$TEST_ROOT/p.json"
    run "${as[@]}" "$ai" run --yes --plan "$TEST_ROOT/p.json" </dev/null
}

# What follows runs as a normal user, around whom other walls are.
user_setup() {
    as=(env)
    if [ "$(id -u)" -eq 0 ]; then
        needs other-user
        as=(setpriv --reuid=12345 --regid=12345 --clear-groups)
        chmod 755 "$TEST_ROOT"
        chown -R 12345:12345 "$TEST_ROOT"
    fi
    mkdir -p "$HOME/.ssh"
    echo SECRET >"$HOME/.ssh/k"
    chmod 644 "$HOME/.ssh/k"
}

@test "a line that shows owners reads no key, whatever it pipes into" {
    user_setup
    for reader in "awk '{while ((getline l < (\"$HOME/.s\" \"sh/k\")) > 0) print l}'" \
        "sed 'r $HOME/.ssh/k'"; do
        # control: outside it is read
        [[ $(eval "$reader" <old.txt) == *SECRET* ]]
        go_as_user "ls -l old.txt | $reader"
        [[ $output != *SECRET* ]]
    done
    go_as_user 'ls -l /etc/passwd'
    [ "$status" -eq 0 ]
    [[ $output == *'root root'* ]]
}

@test "it reads no other process's variables, no other terminal, no /tmp" {
    user_setup
    "${as[@]}" env TOKEN_OF_OTHERS=SECRET sleep 60 3>&- &
    pid=$!
    poll grep -q TOKEN_OF_OTHERS "/proc/$pid/environ"
    echo SECRET >"/tmp/planted.$AGENTSH_TEST_ID"
    for file in "/proc/$pid/ environ" "/tmp/ planted.$AGENTSH_TEST_ID"; do
        # the name stands in the line in two halves
        go_as_user "ls -l old.txt | awk '{f = \"${file% *}\" \"${file#* }\"; \
while ((getline l < f) > 0) print l}'"
        [[ $output != *SECRET* ]]
    done
}

@test "a reader of others' descriptors is executed alone, by no shell" {
    needs lsof
    user_setup
    "${as[@]}" sleep 60 <old.txt 3>&- &
    pid=$!
    poll grep -q sleep "/proc/$pid/comm"
    go_as_user "lsof -p $pid | awk '{print; f = \"$HOME/.s\" \"sh/k\"; \
while ((getline l < f) > 0) print l}'"
    [[ $output == *'read-only'*'; lsof alone: observe-proc'* ]]
    [[ $output == *old.txt* ]]
    [[ $output != *SECRET* ]]
    go_as_user "lsof -p $pid"
    [ "$status" -eq 0 ]
    [[ $output == *old.txt* ]]
    # its output ends where the rest of the line has ended
    go_as_user "lsof -p $pid | head -n 1 | wc -l"
    [[ ${lines[-1]} == 1 ]]
    for command in "lsof -p $pid; cat old.txt" "lsof -p $pid >new.txt" \
        "lsof -p \$(echo $pid)"; do
        go_as_user "$command"
        [ "$status" -eq 5 ]
    done
}

@test "a secret below a directory that is opened stays closed" {
    user_setup
    mkdir -p "$HOME/.config/gh" "$HOME/.config/zzz"
    echo SECRET >"$HOME/.config/gh/hosts.yml"
    echo OPEN >"$HOME/.config/zzz/settings"
    home_config <<<$'[sandbox]\nreadable = ~/.config'
    [ "$(id -u)" -ne 0 ] || chown -R 12345:12345 "$TEST_ROOT"
    go_as_user "ls -l old.txt | awk '{f = \"$HOME/.con\" \"fig/zzz/settings\"; \
getline l < f; print l; f = \"$HOME/.con\" \"fig/gh/hosts.yml\"; \
getline l < f; print l}'"
    [[ $output == *'observe'*'(shows who owns what)'* ]]
    [[ $output == *OPEN* ]]
    [[ $output != *SECRET* ]]
}

@test "a directory outside the workspace that holds secrets is asked about" {
    mkdir -p "$HOME/other/conf" "$HOME/clean"
    echo KEY=1 >"$HOME/other/.env"
    echo KEY=2 >"$HOME/other/conf/credentials.json"
    echo KEY >"$HOME/clean/file"
    rm -f "$XDG_CONFIG_HOME/agentsh/policy"
    for dir in "$HOME" "$TEST_ROOT/work"; do
        mkdir -p "$dir"
        cd "$dir"
        for line in 'grep -r KEY ~/other' 'diff -r ~/other ~/clean' \
            'cd ~/other && grep -r KEY' 'tar -cf - ~/other' \
            'grep -r KEY ~/oth*' 'cd ~/other && git grep --no-index KEY'; do
            run --separate-stderr "$ai" run --yes --offline "$line" </dev/null
            [ "$status" -ne 0 ]
            [[ $output$stderr != *KEY=* ]]
            [[ $stderr == *"may read secrets: $HOME/other/"* ]]
        done
        run --separate-stderr "$ai" run --yes --offline 'grep -r KEY ~/clean' \
            </dev/null
        [ "$status" -eq 0 ]
        [[ $output == *KEY* ]]
        run --separate-stderr "$ai" run --yes --offline 'find ~/other -type f' \
            </dev/null
        [[ $output == *.env* ]]
    done
}

@test "a pipe in the place of a configuration keeps nobody waiting" {
    mkfifo config .gitmodules
    touch HEAD
    mkdir objects
    run -0 timeout 20 "$ai" run --offline --dry-run git fetch </dev/null
    [[ $output == *"git fetch"* ]]
}

@test "a large secret is closed under a low limit of file sizes, too" {
    truncate -s 50M server.key
    run --separate-stderr bash -c 'ulimit -f 1000
        exec "$1" run --yes --offline "grep -r inner ." </dev/null' _ "$ai"
    [[ $output == *sub/inner.txt:sub/inner* ]]
    [[ $output$stderr == *"server.key: Permission denied"* ]]
}

@test "what is added can be written by nobody else than what one makes oneself" {
    needs namespaces # for the view
    umask 022
    # control: outside it can
    bash -c 'umask 0; mkdir -p u; echo x > u/f'
    [ "$(stat -c %a u u/f | tr '\n' ' ')" = '777 666 ' ]
    go 'umask 0; mkdir -p w; echo x > w/f'
    [ "$status" -eq 0 ]
    [ "$(stat -c %a w w/f | tr '\n' ' ')" = '755 644 ' ]
    go 'echo x > n; chmod 777 n; mkdir -m 2777 d; cp -r u v'
    [ "$(stat -c %a v v/f | tr '\n' ' ')" = '755 644 ' ] || [ ! -e v ]
    ! [ -e n ] || [ "$(stat -c %a n)" = 755 ]
    rm -rf w v n d
    # who shares what they make goes on sharing
    umask 002
    go 'umask 0; mkdir -p w; echo x > w/f'
    [ "$(stat -c %a w w/f | tr '\n' ' ')" = '775 664 ' ]
    rm -rf w
    if command -v setfacl >/dev/null && setfacl -m u:12345:rw old.txt; then
        go 'cp --preserve=all old.txt copy.txt'
        [[ $(getfacl -cn copy.txt) != *12345* ]]
    fi
}

@test "a file that is there gets no time that a step chose" {
    needs namespaces # for the view
    touch -d 2020-01-01 old.txt
    before=$(stat -c %Y old.txt)
    for command in 'touch -d 2001-01-01 old.txt' 'touch -r /etc/passwd old.txt' \
        'touch -d 2031-01-01 old.txt'; do
        go "$command"
        [ "$status" -ne 0 ]
        [ "$(stat -c %Y old.txt)" = "$before" ]
        [[ $stderr == *'adds to old.txt'* ]]
    done
    now=$(date +%s)
    go 'echo more >> old.txt; touch -d 2001-01-01 old.txt'
    [ "$(cat old.txt)" = $'old\nmore' ]
    [ "$(stat -c %Y old.txt)" -ge "$now" ]
    touch -d 2020-01-01 old.txt
    go 'touch old.txt'
    [ "$status" -eq 0 ]
    [ "$(stat -c %Y old.txt)" -ge "$now" ]
    [[ $stderr != *'adds old.txt'* ]]
    # a new one may be as old as is said
    go 'touch -d 2001-01-01 new.txt'
    [ "$(stat -c %Y new.txt)" -lt "$before" ]
}

@test "a copy of a repository is one, with nothing that git would run" {
    needs git namespaces # for the view
    git init -q one
    git -C one -c user.name=a -c user.email=a@b.invalid \
        commit -qm one --allow-empty
    go 'cp -r one two'
    [ "$status" -eq 0 ]
    diff -r one two
    [ ! -e two/.git/commondir ]
    git -C two fsck
    go 'mkdir three && cp -r one/. three'
    [ "$status" -eq 0 ]
    diff -r one three
    # a hook and a key that names a program stay behind
    printf '#!/bin/sh\n' >one/.git/hooks/post-commit
    git -C one config core.fsmonitor ./tool
    go 'cp -r one four'
    [ "$status" -eq 5 ]
    [[ $stderr == *'dropped: '*four/.git/config* ]]
    [ ! -e four/.git/config ]
    [ ! -e four/.git/hooks/post-commit ]
    [ -e four/.git/HEAD ]
    # and so does what is brought into one that was there
    before=$(tree)
    go 'cp two/.git/config two/.git/config.worktree'
    [ "$(tree)" = "$before" ]
}
