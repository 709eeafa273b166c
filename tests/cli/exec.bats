#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# exec.bats - agentsh exec: what goes through, what is refused, what is said.
# shellcheck disable=SC2154,SC2164,SC2016 # set by bats' run; bats ends at
# errors; commands in quotes are for the program

load ../lib/common
bats_require_minimum_version 1.5.0

setup() {
    agentsh=${AGENTSH:-$top_builddir/agentsh}
    home_setup
}

teardown() {
    home_done
}

# inside COMMAND...: runs it in the sandbox; sets status, output, stderr.
inside() {
    run --separate-stderr "$agentsh" exec -- "$@"
}

# refused WORDS COMMAND...: it fails, and a line says what was in the way.
refused() {
    local words=$1

    shift
    inside "$@"
    [ "$status" -ne 0 ]
    [[ ${stderr_lines[-1]} == "agentsh: blocked: $words"* ]]
}

# wrong STATUS WORDS ARGUMENT...: our own complaint.
wrong() {
    local wanted=$1 words=$2

    shift 2
    run "-$wanted" --separate-stderr "$agentsh" exec "$@"
    [ -z "$output" ]
    [[ $stderr == *"agentsh: "*"$words"* ]]
}

# ---- what goes through

@test "output, errors and status are the command's own" {
    inside sh -c 'echo out; echo err >&2; exit 7'
    [ "$status" -eq 7 ]
    [ "$output" = out ]
    [ "$stderr" = err ]
    inside true
    [ "$status" -eq 0 ]
    # shellcheck disable=SC2016 # for the shell inside
    inside sh -c 'kill -TERM $$'
    [ "$status" -eq 143 ]
}

@test "words reach the command as they are" {
    inside printf '<%s>' 'a b' '' --help -o '*' "it's" $'new\nline'
    [ "$status" -eq 0 ]
    [ "$output" = "<a b><><--help><-o><*><it's><new
line>" ]
    # the first word that is no option ends them
    run "$agentsh" exec printf '<%s>' 'a b' --profile --net
    [ "$output" = '<a b><--profile><--net>' ]
    # shellcheck disable=SC2016 # for the shell inside
    inside sh -c 'echo "$0"'
    [ "$output" = sh ]
}

@test "not a byte is changed without a terminal" {
    head -c 300000 /dev/urandom >in
    printf '\033]52;c;aGk=\007\000\377' >>in
    "$agentsh" exec -- cat <in >out
    cmp in out
    "$agentsh" exec -- sh -c 'cat >&2' <in 2>out
    cmp in out
    [ "$("$agentsh" exec -- seq 100000 | head -n 1)" -eq 1 ]
}

@test "a program that a shell does not find was not kept from it" {
    run "$agentsh" exec -- sh -c 'ls ~ >/dev/null; nosuch'
    [ "$status" -eq 127 ]
    [[ $output != *blocked:* ]]
}

@test "what is not there is 127, what is no program 126" {
    wrong 127 "nosuch: command not found" -- nosuch
    wrong 127 "./nosuch: command not found" -- ./nosuch
    touch plain
    wrong 126 "./plain: not executable" -- ./plain
    wrong 126 "/tmp: not executable" -- /tmp
    mkdir "$HOME/tools"
    printf '#!/bin/sh\necho tool\n' >"$HOME/tools/tool"
    chmod +x "$HOME/tools/tool"
    wrong 127 "hidden in the profile $writing" -- "$HOME/tools/tool"
    PATH=$PATH:$HOME/tools inside tool
    [ "$output" = tool ]
}

@test "wrong calls say what is wrong" {
    wrong 2 "missing command"
    wrong 2 "missing command" --
    wrong 2 "--profile is one of" --profile all -- true
    wrong 2 "--profile is one of" --profile plugin -- true
    wrong 2 "--profile needs an argument" --profile
    wrong 2 "unknown option '--frob'" --frob -- true
    wrong 2 "the profile observe has no network" --profile observe --net -- true
    wrong 2 "workspace nowhere: No such file" --workspace nowhere -- true
    touch file
    wrong 2 "not a directory" --workspace file -- true
    wrong 2 "name a directory below it" --workspace "$HOME" -- true
    wrong 2 "name a directory below it" --workspace / -- true
    cd "$HOME" || return
    wrong 2 "--workspace DIR" -- true
    cd / || return
    wrong 2 "--workspace DIR" -- true
    home_config <<<$'[sandbox]\nreadable = nothing'
    wrong 2 "config:2: readable must be" -- true
}

# ---- the walls

@test "the workspace is writable and nothing else is" {
    inside sh -c 'echo new >file && mkdir -p a/b && cat file'
    [ "$output" = new ]
    [ "$(cat file)" = new ]
    inside touch "$TEST_ROOT/x"
    [ ! -e "$TEST_ROOT/x" ]
    refused "write /etc/agentsh-x" touch /etc/agentsh-x
    refused "write ~/x" touch "$HOME/x"
    [ ! -e "$HOME/x" ]
    file=/tmp/agentsh-$AGENTSH_TEST_ID
    inside sh -c "echo x >$file; ls $file"
    [ ! -e "$file" ]
    # a /tmp of its own is a mount
    ! is_here namespaces || [ "$output" = "$file" ]
}

@test "no hook of git is left behind" {
    mkdir .git .git/hooks
    if is_here namespaces; then
        refused "write $PWD/.git/hooks/x" sh -c 'echo x >.git/hooks/x'
    else
        inside sh -c 'echo x >.git/hooks/x'
        [[ $stderr == *"set aside: $PWD/.git/hooks"* ]]
    fi
    [ ! -e .git/hooks/x ]
}

@test "a reader of errors that has left keeps no hook from being set aside" {
    # it waits until the other end of the FIFO is closed
    # shellcheck disable=SC2016 # for the shell inside
    local plant='cat gone
        for d in a b c; do
            mkdir "$d"; (cd "$d"; git init -q .; echo evil >.git/hooks/pre-push)
        done; mkdir .agentsh; echo evil >.agentsh/policy'

    for by in left signal; do
        rm -rf a b c gone .agentsh
        mkfifo gone
        if [ "$by" = left ]; then
            { "$agentsh" exec -- sh -c "$plant" 2>&1; echo "$?" >status; } |
                { exec 9>gone <&-; }
        else
            "$agentsh" exec -- sh -c "$plant" 2>/dev/null &
            exec 9>gone
            kill -PIPE $!
            exec 9>&-
            wait $!
            echo $? >status
        fi
        [ "$(cat status)" -eq 0 ]
        [ -d c/.git ]
        [ ! -e a/.git/hooks/pre-push ] && [ ! -e b/.git/hooks/pre-push ]
        [ ! -e c/.git/hooks/pre-push ] && [ ! -e .agentsh/policy ]
    done
}

@test "another workspace is named" {
    mkdir other
    run "$agentsh" exec --workspace other -- sh -c 'touch other/x; touch y'
    [ -e other/x ]
    [ ! -e y ]
    cd "$HOME" || return
    mkdir proj
    run "$agentsh" exec --workspace proj -- touch proj/x
    [ "$status" -eq 0 ]
    [ -e proj/x ]
}

@test "home is hidden but for what the settings name" {
    mkdir -p "$HOME/.ssh" "$HOME/notes" "$HOME/.npm" "$HOME/.config/gh"
    echo token >"$HOME/.config/gh/hosts"
    echo set >"$HOME/.config/x"
    echo key >"$HOME/.ssh/id"
    echo note >"$HOME/notes/n"
    echo cached >"$HOME/.npm/c"
    echo '[user]' >"$HOME/.gitconfig"
    refused "read ~/notes/n" cat "$HOME/notes/n"
    refused "read ~/.ssh/id" cat "$HOME/.ssh/id"
    inside cat "$HOME/.gitconfig"
    [ "$output" = '[user]' ]
    home_config <<END
[sandbox]
readable = ~/notes : ~/.config
cache = ~/.npm
secret = $PWD/private
END
    mkdir private
    echo mine >private/x
    inside cat "$HOME/notes/n"
    [ "$output" = note ]
    inside cat "$HOME/.config/x"
    [ "$output" = set ]
    inside cat "$HOME/.config/gh/hosts"
    [ "$status" -ne 0 ]
    inside cat private/x
    [ "$output" != mine ]
    inside sh -c "echo more >~/.npm/c; cat ~/.npm/c"
    # a cache of its own is a mount
    if is_here namespaces; then
        [ "$output" = more ]
    else
        [ -z "$output" ]
    fi
    [ "$(cat "$HOME/.npm/c")" = cached ]
}

@test "the environment is a list" {
    export OPENAI_API_KEY=sk-test SSH_AUTH_SOCK=/x MARK=here CFLAGS=-O1
    inside env
    [[ $output == *AGENTSH=1* ]]
    [[ $output == *CFLAGS=-O1* ]]
    [[ $output != *sk-test* ]]
    [[ $output != *SSH_AUTH_SOCK* ]]
    [[ $output != *MARK* ]]
    home_config <<<$'[sandbox]\npass_env = MARK'
    inside env
    [[ $output == *MARK=here* ]]
}

@test "nothing that it started goes on" {
    needs pgrep
    # one minute and its mark are enough to find it by
    inside sh -c 'setsid sleep 61.2345 & sleep 61.2345 & echo begun'
    [ "$output" = begun ]
    run ! pgrep -f '^sleep 61.2345'
    "$agentsh" exec -- sleep 62.3456 &
    poll pgrep -f '^sleep 62.3456'
    kill $!
    run wait $!
    poll sh -c '! pgrep -f "^sleep 62.3456"'
}

@test "in the background it outlives the shell that started it" {
    mkfifo gate
    # shellcheck disable=SC2016 # for the shells
    agentsh=$agentsh sh -c '"$agentsh" exec -- sh -c "read x <gate; echo \$x >got" &'
    echo there >gate
    poll [ -s got ]
    [ "$(cat got)" = there ]
}

@test "a limit of time ends it with status 6" {
    home_config <<<$'[sandbox]\nlimit_s = 1'
    inside sleep 100
    [ "$status" -eq 6 ]
    [[ $stderr == *"timed out"* ]]
    inside sh -c 'exit 124'
    [ "$status" -eq 124 ]
}

@test "what the walls refuse is said, and what to do" {
    refused "write /etc/agentsh-x" touch /etc/agentsh-x
    [[ $stderr == *"in the profile full"* ]]
    inside sh -c 'ls nofile'
    [ "${#stderr_lines[@]}" -eq 1 ]
    # without a namespace, the machine refuses it before the walls do
    needs namespaces
    refused "create a namespace" unshare -m true
}

@test "a server that is not reached is said" {
    needs curl
    refused "contact example.com" curl -s http://example.com/
    [[ $stderr == *"--net"* ]]
}

@test "a host that is not reached is said" {
    needs ping
    refused "contact 127.0.0.1" ping -c 1 127.0.0.1
}

@test "a process that is not inspected is said" {
    needs strace
    refused "inspect another process" strace true
}

@test "a user that is not become is said" {
    needs sudo
    refused "become another user" sudo -n true
}

@test "observe sees the machine, and writes nothing" {
    mkdir "$HOME/.ssh" "$HOME/docs"
    echo key >"$HOME/.ssh/id"
    head -c 100000 /dev/urandom >"$HOME/docs/d"
    cd "$HOME" || return
    run "$agentsh" exec --profile observe -- ps -o pid= -p $$
    [ "$((output))" -eq $$ ]
    run "$agentsh" exec --profile observe -- du -sb "$HOME/docs"
    [ "$output" = "$(du -sb "$HOME/docs")" ]
    run "$agentsh" exec --profile observe -- df --output=size /
    [ "$output" = "$(df --output=size /)" ]
    run --separate-stderr "$agentsh" exec --profile observe -- cat .ssh/id
    [ "$status" -ne 0 ]
    [[ ${stderr_lines[-1]} == "agentsh: blocked: read ~/.ssh/id"* ]]
    run "$agentsh" exec --profile observe -- touch docs/x
    [ "$status" -ne 0 ]
    [ ! -e docs/x ]
}

@test "observe-proc knows who holds a file" {
    needs lsof sys-ptrace
    exec 7>held
    run "$agentsh" exec --profile observe-proc -- lsof -t held
    exec 7>&-
    [[ " ${lines[*]} " == *" $$ "* ]] || [[ " ${lines[*]} " == *" $BASHPID "* ]]
    run "$agentsh" exec --profile observe-proc -- sh -c 'echo x >file'
    [ ! -s file ]
    # a shell looks for a terminal when it starts: no reason for its failure
    run --separate-stderr "$agentsh" exec --profile observe-proc -- \
        bash -c false
    [ "$status" -eq 1 ]
    [ -z "$stderr" ]
}

@test "owners are shown as they are" {
    profile=observe-proc
    [ "$(id -u)" -ne 0 ] || profile=observe
    run "$agentsh" exec --profile "$profile" -- stat -c %U /etc/passwd
    [ "${lines[0]}" = root ]
}

@test "full has no walls" {
    run "$agentsh" exec --profile full -- touch "$HOME/x"
    [ "$status" -eq 0 ]
    [ -e "$HOME/x" ]
}

@test "reduced must be allowed, and then holds without name spaces" {
    needs namespaces # else it is what is there
    wrong 125 "allow_reduced" --profile reduced -- true
    home_config <<<$'[sandbox]\nallow_reduced = yes'
    # shellcheck disable=SC2016 # for the shell
    run --separate-stderr unshare -Ur sh -c '
        echo 0 >/proc/sys/user/max_user_namespaces
        "$1" exec --profile reduced -- sh -c "echo in >in; echo out >../out"
        "$1" exec --profile preview -- touch new' sh "$agentsh"
    [ "$status" -eq 0 ]
    [[ $stderr == *"on a copy: no namespaces here"*"+ new"* ]]
    [ ! -e new ]
    [ -e in ]
    [ ! -e ../out ]
}

# ---- what people do in it

@test "git and make work in it" {
    needs git cc
    # shellcheck disable=SC2016 # for the shell inside
    inside sh -ec 'git init -q . && git config user.name T &&
        git config user.email t@example.com && echo a >a && git add a &&
        git commit -qm first && git log --format=%s'
    [ "$status" -eq 0 ]
    [ "${lines[-1]}" = first ]
    printf 'int one(void){return 1;}\n' >one.c
    printf 'int one(void);int main(void){return one()-1;}\n' >main.c
    printf 'prog: one.o main.o\n\tcc -o $@ one.o main.o\n' >Makefile
    inside make -j2 prog
    [ "$status" -eq 0 ]
    ./prog
}

@test "processes of python that share their work do so in it" {
    needs namespaces # their semaphores want a /dev/shm of their own
    inside "$PYTHON3" -c '
import multiprocessing as m
with m.get_context("fork").Pool(2) as p:
    print(sum(p.map(abs, range(100))))'
    [ "$output" = 4950 ]
}

@test "node and npm work in it, offline" {
    needs node npm
    inside node -e 'console.log([1, 2].map(x => x + 1).join())'
    [ "$output" = 2,3 ]
    echo '{"name":"x","version":"1.0.0","scripts":{"hi":"echo hello"}}' \
        >package.json
    inside npm run --silent hi
    [ "$output" = hello ]
    mkdir dep
    echo '{"name":"dep","version":"1.0.0"}' >dep/package.json
    inside npm install --offline --no-audit --no-fund ./dep
    [ "$status" -eq 0 ]
    [ -e node_modules/dep/package.json ]
}

@test "a big file is sorted in it" {
    seq 300000 -1 1 >in
    inside sort -n -S 1M -o out in
    [ "$status" -eq 0 ]
    [ "$(head -n 1 out)" -eq 1 ]
    [ "$(wc -l <out)" -eq 300000 ]
}

@test "a normal user has the same walls" {
    needs other-user
    chmod 755 "$TEST_ROOT"
    chown -R 12345:12345 "$TEST_ROOT"
    run --separate-stderr as_other_user "$agentsh" exec -- sh -c \
        'id -u; echo x >x; touch ~/y'
    [ "${lines[0]}" = 12345 ]
    [ "$(stat -c %u x)" -eq 12345 ]
    [ ! -e "$HOME/y" ]
    [[ ${stderr_lines[-1]} == "agentsh: blocked: write ~/y"* ]]
    run as_other_user "$agentsh" exec --profile observe -- ps -o pid= -p $$
    [ "$((output))" -eq $$ ]
}

@test "a normal user's plan is shown who owns what" {
    needs other-user
    chmod 755 "$TEST_ROOT"
    chown -R 12345:12345 "$TEST_ROOT"
    printf '%s' '{"kind":"plan_and_commands","summary":"Look","steps":[' \
        '{"id":"1","description":"Look",' \
        '"shell_command":"stat -c %U:%G /etc/passwd"}]}' >plan.json
    run as_other_user "$top_builddir/ai" "do" --yes --plan plan.json
    [ "$status" -eq 0 ]
    [[ "$output" == *"observe"*"(shows who owns what)"*"root:root"* ]]
}

@test "git looks in a directory that configures hundreds of drivers" {
    needs git
    git init -q .
    for i in $(seq 400); do
        printf '[filter "f%s"]\n\tclean = false\n' "$i"
    done >>.git/config
    # nobody turns so many off: git does not run there, and other programs do
    run "$agentsh" exec --profile read-only -- git status --short
    [ "$status" -ne 0 ]
    [[ $output == *"bogus count"* ]]
    run "$agentsh" exec --profile read-only -- ls -a
    [ "$status" -eq 0 ]
    git config --remove-section filter.f400
    printf '[filter "%0250d"]\n\tclean = false\n' 0 >.git/config
    run "$agentsh" exec --profile read-only -- git status --short
    [[ $output == *"bogus count"* ]]
    for i in $(seq 200); do
        printf '[filter "f%s"]\n\tclean = false\n\tsmudge = false\n' "$i"
    done >.git/config
    run "$agentsh" exec --profile read-only -- git status --short
    [ "$status" -eq 0 ]
}

@test "git that only looks runs nothing that the directory configures" {
    needs git
    git init -q . && git config user.name a && git config user.email a@b.invalid
    echo '* filter=f diff=d' >.gitattributes
    echo a >a && git add . && git commit -qm one && echo b >>a
    printf '#!/bin/sh\necho RAN >&2; cat $1\n' >evil && chmod +x evil
    # shellcheck disable=SC2001,SC2086 # a pattern; words of a command
    for key in core.fsmonitor diff.external filter.f.clean diff.d.textconv \
        gpg.program; do
        for command in "git status" "git diff" "git --no-pager log -p" \
            "git blame a" "git show" "git log --format=%G? -1"; do
            printf '[%s]\n\t%s = "%s/evil"\n' \
                "$(echo "${key%.*}" | sed 's/\.\(.*\)/ "\1"/')" \
                "${key##*.}" "$PWD" >inc
            touch a
            run git -c "include.path=$PWD/inc" ${command#git }
            [[ $output == *RAN* ]] && echo "$key $command" >>../ran
            git config include.path ../inc
            run "$agentsh" exec --profile read-only -- $command
            echo "$key $command: $output"
            [[ $output != *RAN* ]]
            [[ $output != *fatal* ]]
            git config --unset include.path
        done
    done
    # without the walls each of the keys runs it
    [ "$(cut -d' ' -f1 ../ran | sort -u | wc -l)" -ge 4 ]
    run --separate-stderr "$agentsh" exec --profile read-only -- git diff a
    [[ $output == *'+b'* ]]
    # where it may write, its settings are the directory's
    inside sh -c 'echo "${GIT_CONFIG_COUNT-none}"'
    [ "$output" = none ]
}
