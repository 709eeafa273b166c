#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# contained.bats - a machine that refuses namespaces, as a default container
# does: what runs there, what is asked, what Landlock keeps alone.
# shellcheck disable=SC2154,SC2164,SC2016,SC2030,SC2031 # set by bats' run;
# bats ends at errors; commands in quotes are for the program; each test is a
# subshell
bats_require_minimum_version 1.5.0
load ../lib/common

setup() {
    home_setup
    agentsh=$top_builddir/agentsh
    ai=$top_builddir/ai
    refusing=("$top_builddir/tests/sandbox/refusing" clone3 namespaces)
    (umask 077 && mkdir -p "$XDG_CONFIG_HOME/agentsh" "$HOME/.ssh")
    rm -f "$XDG_CONFIG_HOME/agentsh/config" # no settings, also in a container
    echo 'a key' >"$HOME/.ssh/id"
    # a kernel whose Landlock does not stand alone
    [[ $BATS_TEST_DESCRIPTION == *Landlock* ]] ||
        "${refusing[@]}" -- "$agentsh" exec -- true 2>/dev/null ||
        skip 'no Landlock here'
}

teardown() {
    home_done
}

# here COMMAND...: sets status, output, stderr.
here() {
    run --separate-stderr "${refusing[@]}" -- "$@" </dev/null
}

# plan COMMAND: in p.json.
plan() {
    "$PYTHON3" -c '
import json, sys
json.dump({"kind": "plan_and_commands", "summary": "A test",
           "steps": [{"id": "1", "description": "One",
                      "shell_command": sys.argv[1]}]},
          open(sys.argv[2], "w"))' "$1" "$TEST_ROOT/p.json"
}

# steps COMMAND: it runs with --yes.
steps() {
    plan "$1"
    here "$ai" run --yes --plan "$TEST_ROOT/p.json"
}

allow() {
    printf '[sandbox]\nallow_reduced = yes\n' >"$XDG_CONFIG_HOME/agentsh/config"
}

@test "where a part of /proc is covered commands are reduced too" {
    needs namespaces
    # elsewhere a second one may stand uncovered, and then nothing is refused
    [ "$(grep -c ' - proc ' /proc/self/mountinfo)" -eq 1 ] ||
        skip "/proc is mounted in several places"
    part=/proc/timer_list
    [ -e "$part" ] || part=/proc/keys
    mount='mount --bind /dev/null "$0" && exec "$@"'
    # control: that is what stands in the way of another one
    unshare -Urpmf mount -t proc proc /proc
    run ! unshare -Urm sh -c "$mount" "$part" \
        unshare -Urpmf mount -t proc proc /proc
    run -0 unshare -Urm sh -c "$mount" "$part" "$agentsh" exec -- ls
    run unshare -Urm sh -c "$mount" "$part" "$agentsh" doctor
    [[ $output == *"lets nobody make namespaces: commands run reduced"* ]]
}

@test "what only looks is run unasked" {
    echo text >file
    here "$ai" run --offline --yes how much disk space is left
    [ "$status" -eq 0 ]
    [[ $output == *Filesystem* ]]
    steps 'cat file; ps | head -n 1; ls /'
    [ "$status" -eq 0 ]
    [[ $output == *text*PID*etc* ]]
    [[ $stderr == *"reduced: no namespaces here"* ]]
}

@test "it writes nothing, whatever it is taken for" {
    echo 'preset permissive' >"$XDG_CONFIG_HOME/agentsh/policy"
    printf '#!/bin/sh\n%s\n' \
        'echo x >new; echo x >old; rm old; mkdir d; chmod 0777 old' \
        'touch -d 2001-01-01 old; ln old other; echo x >/tmp/$AGENTSH_TEST_ID' \
        'echo x >"$HOME/new"; echo x >/dev/null && echo sink' >tool
    chmod +x tool
    echo before >old
    chmod 0600 old
    before=$(find . -printf '%p %m %l %t %n\n')
    steps './tool'
    [[ $output == *sink* ]]
    [ "$(find . -printf '%p %m %l %t %n\n')" = "$before" ]
    [ "$(cat old)" = before ]
    [ ! -e "$HOME/new" ]
    [ ! -e "/tmp/$AGENTSH_TEST_ID" ]
}

@test "a step that writes is not run unasked, but where that is allowed" {
    steps 'mkdir notes && ls ~ || echo hidden'
    [ "$status" -eq 5 ]
    [[ $stderr == *"reduced: no namespaces here"*"--profile reduced"* ]]
    [[ $stderr == *"allow_reduced"* ]]
    [ ! -e notes ]
    here "$ai" run --yes --profile reduced --plan "$TEST_ROOT/p.json"
    [ "$status" -eq 0 ]
    [ -d notes ]
    rmdir notes
    here "$ai" run --yes --profile full --plan "$TEST_ROOT/p.json"
    [ "$status" -eq 2 ]
    allow
    steps 'mkdir notes'
    [ "$status" -eq 0 ]
    [ -d notes ]
}

@test "what is allowed to write does so in this directory alone" {
    allow
    echo 'preset permissive' >"$XDG_CONFIG_HOME/agentsh/policy"
    printf '#!/bin/sh\n%s\n' 'echo x >"$HOME/new"; echo x >../new' \
        'echo x >/tmp/$AGENTSH_TEST_ID; echo x >beside' >tool
    chmod +x tool
    # control: outside it writes all of them
    ./tool
    rm "$HOME/new" ../new "/tmp/$AGENTSH_TEST_ID" beside
    steps './tool; echo made >new'
    [ "$status" -eq 0 ]
    [ "$(cat new beside)" = $'made\nx' ]
    [ ! -e "$HOME/new" ]
    [ ! -e ../new ]
    [ ! -e "/tmp/$AGENTSH_TEST_ID" ]
}

@test "a profile that is named is no yes, and changes nothing with namespaces" {
    plan 'rm -r notes; mkdir other'
    mkdir notes
    here "$ai" run --yes --profile reduced --plan "$TEST_ROOT/p.json"
    [ "$status" -eq 5 ]
    [ -d notes ]
    plan 'mkdir other'
    here "$ai" run --profile reduced --plan "$TEST_ROOT/p.json"
    [ "$status" -eq 5 ]
    [ ! -e other ]
    needs namespaces
    run -0 "$ai" run --yes --profile reduced --plan "$TEST_ROOT/p.json"
    [ -d other ]
    run "$ai" log -o json
    [[ $output != *'"profile":"reduced"'* ]]
    run -2 "$ai" explain --profile reduced ls
}

@test "exec looks by itself, and writes where reduced is named" {
    echo text >file
    here "$agentsh" exec -- ls
    [ "$status" -eq 0 ]
    [ "$output" = file ]
    [ -z "$stderr" ]
    here "$agentsh" exec -- sh -c 'echo x >new'
    [ "$status" -ne 0 ]
    [[ $stderr == *"nothing is writable"*"run it in the profile reduced" ]]
    [ "$(grep -c ^agentsh: <<<"$stderr")" -eq 1 ]
    here "$agentsh" exec -- false # for a reason of its own
    [[ $stderr == *"so nothing is writable"*"--profile reduced"* ]]
    here "$agentsh" exec --profile workspace-write -- touch new
    [ "$status" -eq 125 ]
    [[ $stderr == *"allow_reduced"* ]]
    [ ! -e new ]
    here "$agentsh" exec --profile reduced -- \
        sh -c 'echo x >new; echo x >../out; ls ~; cat ~/.ssh/id'
    [ -e new ]
    [ ! -e ../out ]
    [ -z "$output" ]
    cd /
    here "$agentsh" exec -- ls
    [ "$status" -eq 0 ]
    [[ $output == *etc* ]]
}

@test "with the setting, exec writes in the workspace by itself" {
    allow
    here "$agentsh" exec -- sh -c 'echo x >new; echo x >../out'
    [ -e new ]
    [ ! -e ../out ]
}

@test "a plan is previewed on a copy" {
    mkdir d
    echo a >d/a
    plan 'cd d && echo b >>a; mkdir -p ../e; pwd; cat a'
    here "$ai" run --yes --preview --plan "$TEST_ROOT/p.json"
    [ "$status" -eq 5 ]
    [[ $output == *upper/d*a*b ]]
    [[ $stderr == *"on a copy: no namespaces here"*"+ e/"* ]]
    [ "$(cat d/a)" = a ]
    here "$agentsh" preview keep
    [ "$status" -eq 0 ]
    [ "$(tail -n 1 d/a)" = b ]
    [ -d e ]
}

@test "secrets are not read" {
    for profile in observe read-only reduced; do
        here "$agentsh" exec --profile "$profile" -- cat "$HOME/.ssh/id"
        [ "$status" -ne 0 ]
        [[ $output != *"a key"* ]]
    done
    # one of the workspace, which lies beside what is read
    echo 'a token' >.env
    echo text >file
    echo 'preset permissive' >"$XDG_CONFIG_HOME/agentsh/policy"
    printf '#!/bin/sh\nls -A; cat file .env\n' >tool
    chmod +x tool
    steps ./tool
    [[ $output == *.env*text* ]]
    [[ $output != *"a token"* ]]
}

@test "the review says what reduced does not keep" {
    plan 'mkdir notes'
    here "$ai" run --dry-run --plan "$TEST_ROOT/p.json"
    review=$(tr -s ' \n' ' ' <<<"$output")
    [[ $review == *"reduced: no namespaces here; writes only in this dir"* ]]
    [[ $review == *"times of other files can change, secrets in these "* ]]
    [[ $review == *"can be replaced or deleted, though not read, and what git "* ]]
    [ ! -e notes ]
}

@test "there is a directory for what a program writes for itself" {
    here "$agentsh" exec -- sh -c 'echo x >"$TMPDIR/a" && cat "$TMPDIR/a" &&
        ls -A /tmp; echo "$TMPDIR"'
    [ "${lines[0]}" = x ]
    [ "${#lines[@]}" -eq 2 ]
    [ ! -e "${lines[1]}" ]
    here "$agentsh" exec --profile reduced -- sh -c 'cd "$TMPDIR" && pwd &&
        for i in 1 2 3 4 5 6 7 8; do mkdir d && echo x >d/f && cd d; done &&
        chmod 0 ../../d'
    [ "$status" -eq 0 ]
    [[ ${lines[0]} == /tmp/?* ]]
    [ ! -e "${lines[0]}" ]
    for profile in read-only reduced; do
        here env -u XDG_CACHE_HOME "$agentsh" exec --profile "$profile" -- sh -c \
            'for dir in "$XDG_CACHE_HOME" "$npm_config_cache"; do
                mkdir "$dir" && echo x >"$dir/a" || exit; done
            echo "$TMPDIR $XDG_CACHE_HOME"'
        [ "$status" -eq 0 ]
        [[ $output == /tmp/*\ "${output%% *}/.cache" ]]
    done
}

@test "a program in the home directory is said to be hidden" {
    mkdir "$HOME/tools"
    printf '#!/bin/sh\n' >"$HOME/tools/t"
    chmod +x "$HOME/tools/t"
    here sh -c '"$@"; [ $? -eq 127 ]' sh \
        "$agentsh" exec --profile reduced -- "$HOME/tools/t"
    [ "$status" -eq 0 ]
    [[ $stderr == *"hidden in the profile reduced; add its directory"* ]]
}

@test "tools are called" {
    echo text >file
    answers() {
        "${refusing[@]}" -- "$agentsh" tool call <<<"$1" >out
        "$PYTHON3" -c 'import json, sys
a = json.load(open("out"))
sys.exit(not a["ok"] or sys.argv[1] not in a["stdout"])' "$2"
    }
    answers '{"tool":"fs.read_file","action":"read","args":{"path":"file"}}' text
    answers '{"tool":"fs.list_dir","action":"list","args":{"path":"."}}' file
    answers '{"tool":"cmd.run","action":"execute","args":{"command":"cat file"}}' text
    answers '{"tool":"sysinfo","action":"get","args":{"parts":["os"]}}' Linux
    answers '{"tool":"fs.write_file","action":"write","args":{"path":"new",'"\
"'"content":"x\n"}}' ''
    [ -e new ]
    answers '{"tool":"cmd.run","action":"execute","args":{"command":'"\
"'"echo x >made; true"}}' ''
    [ ! -e made ]
}

@test "a command of a tool that cannot write is told why, once" {
    printf '{"tool":"cmd.run","action":"execute","args":{"command":"%s"}}\n' \
        'true' 'echo x >made' 'echo x >made' >rq
    run -0 --separate-stderr bash -c '"$@" <rq' _ \
        "${refusing[@]}" -- "$agentsh" tool call
    [ "$(grep -c allow_reduced <<<"$stderr")" -eq 1 ]
    [ ! -e made ]
    allow
    run -0 --separate-stderr bash -c '"$@" <rq' _ \
        "${refusing[@]}" -- "$agentsh" tool call
    [[ $stderr != *allow_reduced* ]]
    [ -e made ]
}

@test "a tool with a state of its own changes no attribute of what is yours" {
    dir=$XDG_DATA_HOME/agentsh/plugins/mine
    (umask 022 && mkdir -p "$dir")
    echo '{"name": "mine", "version": "1", "summary": "x", "executable": "run",
        "needs": {"state": true, "read": ["workspace"]},
        "actions": {"do": {"summary": "x", "read_only": true, "reads": ["path"],
            "args": {"type": "object",
                     "properties": {"path": {"type": "string"}}}}}}' \
        >"$dir/plugin.json"
    printf '#!/bin/sh\n%s\n' 'read -r line' \
        'cd "$AGENTSH_PLUGIN_STATE" && echo x >>n && kept=$(cat n)' \
        'chmod 0777 "$AGENTSH_WORKSPACE/file" 2>/dev/null && kept=changed' \
        'printf "{\"ok\":true,\"stdout\":\"%s\",\"stderr\":\"\"," "$kept"' \
        'echo "\"meta\":{}}"' >"$dir/run"
    chmod 644 "$dir/plugin.json"
    chmod 755 "$dir/run"
    sum=$("$agentsh" tool list -o json | "$PYTHON3" -c 'import json, sys
print([t["sha256"] for t in json.load(sys.stdin)["tools"]
       if t["name"] == "mine"][0])')
    run -0 "$agentsh" tool trust mine "$sum"
    echo text >file
    chmod 0600 file
    "${refusing[@]}" -- "$agentsh" tool call \
        <<<'{"tool":"mine","action":"do"}' >out
    "$PYTHON3" -c 'import json
a = json.load(open("out"))
assert a["ok"] and a["stdout"] == "x", a'
    [ "$(stat -c %a file)" = 600 ]
}

@test "doctor says first what kind of machine it is, and what to do" {
    here "$agentsh" doctor
    [ "$status" -eq 0 ]
    if [ -e /.dockerenv ] || [ -e /run/.containerenv ]; then
        [[ ${lines[0]} == "This is a container that lets nobody make "* ]]
    else
        [[ ${lines[0]} == *"a container, or a service with a filter, that "* ]]
        [[ ${lines[0]} == *"RestrictNamespaces"* ]]
    fi
    [[ ${lines[0]} == *"reduced"*"--security-opt seccomp=unconfined"* ]]
    [[ ${lines[1]} == Ready* ]]
    [[ ${lines[1]} != *"namespace"* ]]
    [[ $output == *"overlay"*"previews work on a copy"* ]]
    here "$agentsh" doctor -o json
    "$PYTHON3" -c 'import json, sys
a = json.load(sys.stdin)
sys.exit(a["machine"]["ok"] or a["user namespace"]["ok"])' <<<"$output"
}

@test "without Landlock doctor says what that means" {
    refusing+=(landlock)
    here "$agentsh" doctor
    [[ ${lines[0]} == *"no Landlock: each step is asked about as full"* ]]
    [[ ${lines[1]} == "Not ready"* ]]
}

@test "without Landlock each step is asked about as full, and nothing else runs" {
    refusing+=(landlock)
    steps 'ls'
    [ "$status" -eq 5 ]
    [[ $stderr == *"full: neither namespaces nor Landlock here"* ]]
    here "$agentsh" exec -- true
    [ "$status" -eq 125 ]
    [[ $stderr == *Landlock* ]]
}
