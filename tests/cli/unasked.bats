#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# unasked.bats - what a step that nobody is asked about can harm: nothing, also
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
    mkdir "$TEST_ROOT/bin" "$XDG_CONFIG_HOME/agentsh"
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
    before=$(tree)
    go 'echo more >>grown.txt; ./tool'
    [ "$status" -eq 0 ]
    [ "$(cat grown.txt)" = $'grown\nmore\nchanged' ]
    echo grown >grown.txt
    [ "$(tree)" = "$before" ]
    nothing_outside
}

@test "a file that was to grow and lost its beginning stays as it was" {
    cat >tool <<'END'
#!/bin/sh
echo other >old.txt
END
    go 'echo more >>old.txt; ./tool'
    [ "$(cat old.txt)" = old ]
    [[ $stderr == *'dropped: old.txt (changed)'* ]]
}

@test "a named file that became a link, a pipe or a directory is dropped" {
    for made in 'ln -s /etc/passwd new.txt' 'mkfifo new.txt'; do
        printf '#!/bin/sh\n%s\n' "$made" >tool
        go 'false && : >>new.txt; ./tool'
        [ ! -e new.txt ]
        [ ! -L new.txt ]
    done
}

@test "no file is replaced that somebody else made meanwhile" {
    mkfifo "$TEST_ROOT/line"
    plan "read -r line <$TEST_ROOT/line; echo ours >new.txt"
    "$ai" run --yes --plan "$TEST_ROOT/p.json" </dev/null \
        >"$TEST_ROOT/out" 2>&1 3>&- &
    pid=$!
    # opens when the step has opened the other end of the pipe
    timeout 20 sh -c 'exec 9>"$0"; echo theirs >new.txt; echo x >&9' \
        "$TEST_ROOT/line"
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
    go 'chmod +x old.txt'
    [ "$status" -eq 5 ]
    [ ! -x old.txt ]
    [[ $stderr == *'needs your yes'* ]]
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
    [[ $stderr == *'only runs after a yes'* ]]
    [ ! -e new ]
}
