#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# preview.bats - what a command would change, kept or dropped without a
# terminal. PREVIEW_WAY says where that is until then: on a disk (the default),
# in memory, or in a copy of the workspace (preview-ways.sh).
# shellcheck disable=SC2154,SC2164,SC2016,SC2030,SC2031 # set by bats' run, in a shell
# of each test; bats ends at errors; commands in quotes are for the program
bats_require_minimum_version 1.5.0
load ../lib/common

setup() {
    home_setup
    agentsh=$top_builddir/agentsh
    way=${PREVIEW_WAY:-disk}
    # a copy is the only way where there are no namespaces
    [ "$way" != disk ] || is_here namespaces || way=copy
    # and memory where the disk is an overlay, which can hold none
    [ "$way" != disk ] ||
        [ "$(stat -f -c %T "$XDG_STATE_HOME")" != tmpfs ] || way=memory
    case $way in
    memory)
        needs namespaces
        [ "$(stat -f -c %T /dev/shm)" = tmpfs ] ||
            skip "needs a tmpfs at /dev/shm"
        # shellcheck disable=SC2119
        XDG_STATE_HOME=$(mktemp -d /dev/shm/agentsh-test-XXXXXX)
        ;;
    copy)
        printf '#!/bin/sh\nexec "%s" clone3 namespaces -- "%s" "$@"\n' \
            "$top_builddir/tests/sandbox/refusing" "$agentsh" \
            >"$TEST_ROOT/agentsh"
        chmod +x "$TEST_ROOT/agentsh"
        agentsh=$TEST_ROOT/agentsh
        ;;
    esac
    export agentsh
    # where a command runs behind walls at all, a preview must work
    "$agentsh" exec -- true 2>err || skip "no walls here: $(cat err)"
    rm err
    "$agentsh" exec --profile preview -- true
}

teardown() {
    [[ $XDG_STATE_HOME != /dev/shm/?* ]] || rm -rf "$XDG_STATE_HOME"
    home_done
}

# only WAY REASON: skips the test in another one.
only() {
    [ "$way" = "$1" ] || skip "$2"
}

# preview SCRIPT: runs it in a view, without a terminal.
preview() {
    run --separate-stderr "$agentsh" exec --profile preview -- \
        sh -c "$1" </dev/null
}

again() {
    run --separate-stderr "$agentsh" preview "$@" </dev/null
}

find_preview() {
    [ -s "$(find "$XDG_STATE_HOME/agentsh/preview" -name run)" ]
}

@test "a preview changes nothing, says what it would change, and waits" {
    printf 'one\ntwo\n' >a
    preview 'echo three >>a; echo n >new; echo out'
    [ "$status" -eq 0 ]
    [ "$output" = out ]
    [ "$(cat a)" = $'one\ntwo' ]
    [ ! -e new ]
    [[ $stderr == *'2 changes'*'~ a '*'+ new'*'+three'*'agentsh preview'* ]]
    again list
    [[ $output == *"$PWD"*'echo three >>a'* ]]
}

@test "the exit status is the command's" {
    preview 'echo x >x; exit 7'
    [ "$status" -eq 7 ]
    again drop
    [ "$status" -eq 0 ]
    preview 'exit 7'
    [ "$status" -eq 7 ]
}

@test "a command that changes nothing leaves no preview" {
    echo a >a
    preview 'cat a'
    [ "$output" = a ]
    [[ $stderr == *'no changes'* ]]
    again list
    [ -z "$output" ]
}

@test "keep makes the changes, and then there is nothing left" {
    mkdir d
    echo a >a
    echo b >d/b
    preview 'echo A >a; rm -r d; mkdir -p e/f; echo g >e/f/g; ln -s a l'
    again keep
    [ "$status" -eq 0 ]
    [[ $stderr == *'kept: 6 changes'* ]]
    [ "$(cat a)" = A ]
    [ ! -e d ]
    [ "$(cat e/f/g)" = g ]
    [ "$(readlink l)" = a ]
    [ -z "$(find "$XDG_STATE_HOME/agentsh/preview" -mindepth 1)" ]
    [ -z "$(find . -name '.agentsh-*')" ]
}

@test "drop forgets them" {
    preview 'mkdir -p d/e; chmod 0 d/e; echo x >x'
    again drop
    [ "$status" -eq 0 ]
    [ -z "$(ls -A)" ]
    [ -z "$(find "$XDG_STATE_HOME/agentsh/preview" -mindepth 1)" ]
}

@test "keep refuses it all when an original was changed in the meantime" {
    echo a >a
    echo b >b
    preview 'echo A >a; echo B >b'
    echo mine >b
    again keep
    [ "$status" -eq 1 ]
    [[ $stderr == *'b: was changed in the meantime'* ]]
    [ "$(cat a)" = a ]
    [ "$(cat b)" = mine ]
    again list
    [ -n "$output" ]
}

@test "a change before the run wrote to the file is seen too" {
    local pid

    echo a >a
    mkfifo "$TEST_ROOT/keys"
    "$agentsh" exec --profile preview -- \
        sh -c 'echo begun; read -r _; echo B >>a' <"$TEST_ROOT/keys" \
        >"$TEST_ROOT/out" 2>"$TEST_ROOT/err" &
    pid=$!
    exec 9>"$TEST_ROOT/keys"
    poll grep -q begun "$TEST_ROOT/out"
    echo mine >a
    echo >&9
    exec 9>&-
    wait "$pid"
    again keep
    [ "$status" -eq 1 ]
    [ "$(cat a)" = mine ]
}

@test "nothing is written through a link out of the workspace" {
    mkdir "$TEST_ROOT/outside" d
    echo safe >"$TEST_ROOT/outside/x"
    preview 'echo evil >d/x'
    rmdir d
    ln -s "$TEST_ROOT/outside" d
    again keep
    [ "$status" -eq 1 ]
    [ "$(cat "$TEST_ROOT/outside/x")" = safe ]
}

@test "names are shown with their control characters as escapes" {
    preview 'echo x >"$(printf "a\nb\033[31m")"'
    [[ $stderr == *'+ a\x0ab\x1b[31m'* ]]
    [[ $stderr != *$'\033'* ]]
}

@test "of several previews one must be named" {
    preview 'echo 1 >one'
    preview 'echo 2 >two'
    again keep
    [ "$status" -eq 2 ]
    again keep "$("$agentsh" preview list | awk 'NR == 2 { print $1 }')"
    [ "$status" -eq 0 ]
    [ -e two ]
    [ ! -e one ]
    again show ../../etc
    [ "$status" -eq 1 ]
    again show 0101-000000
    [ "$status" -eq 1 ]
}

@test "hooks and configuration of a repository are never kept" {
    mkdir .git
    echo c >.git/config
    preview 'mkdir r; mkdir r/.git; echo evil >r/.git/config; echo f >r/f'
    [[ $stderr == *'r/.git/config'*'will not be kept'* ]]
    again keep
    [ "$status" -eq 0 ]
    [ -e r/f ]
    [ ! -e r/.git/config ]
}

@test "a repository without .git that is kept makes git run nothing" {
    needs git
    echo x >x
    preview 'git init -q --bare r; git config -f r/config core.fsmonitor ./evil
        git config -f r/config core.worktree "$PWD"; echo : >r/hooks/update'
    again keep
    [ "$status" -eq 0 ]
    [[ $stderr == *'set aside: r/config'* ]]
    [ -e r/HEAD ]
    run ! grep -q fsmonitor r/config
    [ ! -e r/hooks/update ]
}

@test "what git keeps for itself is only counted, and kept whole" {
    needs git
    git init -q .
    git config user.email a@b.invalid
    git config user.name name
    echo a >a
    git add a
    git commit -qm one
    preview 'echo b >>a; git commit -qam two'
    [ "$status" -eq 0 ]
    [[ $stderr == *'~ a'*' inside .git'* ]]
    [[ $stderr != *COMMIT_EDITMSG* ]]
    again show
    [[ $output == *.git/COMMIT_EDITMSG* ]]
    again keep
    [ "$status" -eq 0 ]
    [ "$(git log --format=%s | tr '\n' ' ')" = 'two one ' ]
    git fsck
}

@test "a state directory in the workspace makes way for another place" {
    only disk "settings in the workspace are not reduced"
    export XDG_STATE_HOME=$PWD/state
    mkdir "$XDG_STATE_HOME"
    preview 'echo x >x; ls state'
    [ "$status" -eq 0 ]
    [ -n "$(ls "$XDG_RUNTIME_DIR/agentsh/preview")" ]
    again keep
    [ "$status" -eq 0 ]
    [ -e x ]
}

@test "a preview that is being decided about is in use" {
    local pid

    mkfifo "$TEST_ROOT/keys"
    "$agentsh" exec --profile preview -- sh -c 'echo x >x; read -r _' \
        <"$TEST_ROOT/keys" >"$TEST_ROOT/out" 2>"$TEST_ROOT/err" &
    pid=$!
    exec 9>"$TEST_ROOT/keys"
    poll find_preview
    again keep
    [ "$status" -eq 1 ]
    [[ $stderr == *'in use'* ]]
    echo >&9
    exec 9>&-
    wait "$pid"
    again drop
    [ "$status" -eq 0 ]
}

# In a mount namespace of its own: $1 is what a disk of 300 kB is for.
on_small_disk() {
    local map=-r

    [ "$(id -u)" -ne 0 ] || map=
    # shellcheck disable=SC2086 # no map is no word
    unshare -m $map sh -c "mount -t tmpfs -o size=300k none . && cd \"\$PWD\" &&
        $1" </dev/null
}

@test "what does not fit on the disk changes nothing, and waits" {
    on_small_disk true || skip "no mount namespaces here"
    run on_small_disk 'echo a >a
        "$agentsh" exec --profile preview -- sh -c "echo B >>a
            head -c 200000 /dev/zero | tr \\0 x | tee b >c" 2>&1
        "$agentsh" preview keep 2>&1; echo "exit $?"; ls -A; cat a'
    [[ $output == *'nothing was changed'*'are free'*'exit 1'$'\na\na' ]]
    again list
    [ -n "$output" ]
}

# crowded COMMAND…: with a state and a runtime directory that can hold no view,
# and a /dev/shm in which another user was first.
crowded() {
    # shellcheck disable=SC2016 # for that shell
    run --separate-stderr unshare -m sh -c '
        for d in "$XDG_STATE_HOME" "$XDG_RUNTIME_DIR"; do
            mkdir -p "$d" && mount -t ramfs ramfs "$d" &&
                chmod 700 "$d" || exit 77
        done
        mount -t tmpfs -o "$0" tmpfs /dev/shm || exit 77
        for name in agentsh-0 agentsh-0.theirs; do
            mkdir -p "/dev/shm/$name/preview"
            chown -R 12345 "/dev/shm/$name"
        done
        ! "$1" || mount -o remount,ro /dev/shm
        "$agentsh" exec --profile preview -- sh -c "echo n >new" || exit
        "$agentsh" preview list
        "$agentsh" exec --profile preview -- sh -c "echo n >new2"
        [ "$(find /dev/shm -maxdepth 1 -user 0 -name "agentsh-*" | wc -l)" = 1 ]
    ' "$1" "$2" </dev/null
    # shellcheck disable=SC2031 # it is run's, of the line before
    [ "$status" -ne 77 ] || skip "cannot mount"
}

@test "another user's directory in a shared place stops no preview" {
    only disk "has places of its own"
    [ "$(id -u)" -eq 0 ] || skip "needs root, for another user"
    export XDG_RUNTIME_DIR=$TEST_ROOT/runtime
    crowded mode=1777 false
    [ "$status" -eq 0 ]
    [[ $output == *"echo n >new"* ]]
    [ ! -e new ]
    crowded mode=1777 true # what is in the way is said of each end
    [ "$status" -eq 125 ]
    [[ $stderr == *"ramfs"*"/dev/shm"*"Read-only"* ]]
}

@test "it is said where the changes are, when that is not as usual" {
    preview 'echo n >new'
    case $way in
    disk) [[ $stderr != *'on a copy'* ]] && [[ $stderr != *memory* ]] ;;
    memory) [[ $stderr == *'held in memory'*'at most'* ]] ;;
    copy)
        [[ $stderr == *'on a copy: no namespaces here'*"$PWD"*refused* ]]
        [ "$(grep -c 'on a copy' <<<"$stderr")" -eq 1 ]
        ;;
    esac
}

@test "modes, times, links and kinds are what the command made them" {
    local made='mkdir -p e/f && mv b e/bb && ln -s e/bb link && rm -r d &&
        echo file >d && rm f && mkdir f && echo x >f/x && chmod 640 a &&
        touch -d 2001-02-03T04:05:06.789 c && ln -sfn nowhere l && chmod 1750 g'

    tree() {
        mkdir -p "$1/d/in" "$1/g" && cd "$1" && echo a >a && echo b >b &&
            echo c >c && echo d >d/in/x && echo f >f && ln -s a l &&
            touch -d 2002-01-01 a b c && cd ..
    }
    what() {
        (cd "$1" && find . ! -type d -printf '%P|%y|%m|%l|%T@|%n\n' &&
            find . -type d -printf '%P|%y|%m\n' && cat a e/bb d f/x) |
            LC_ALL=C sort
    }
    umask 022
    tree one
    tree two
    touch -d 2003-01-01 one/f one/d two/f two/d
    (cd two && sh -c "$made; find . -newermt 2010-01-01 -type f \
        -exec touch -d 2004-01-01 {} +; touch -hd 2004-01-01 l link")
    preview "cd one && $made; find . -newermt 2010-01-01 -type f \
        -exec touch -d 2004-01-01 {} +; touch -hd 2004-01-01 l link"
    [ "$status" -eq 0 ]
    again keep
    [ "$status" -eq 0 ]
    [ "$(what one)" = "$(what two)" ]
}

@test "a copy is the only thing that the command can write or find" {
    only copy "is no copy"
    mkdir d
    echo a >d/a
    echo 'a key' >"$HOME/.ssh-key"
    preview "cd d && cat a && echo x >>a; cat '$PWD/d/a' && echo read
        echo x >>'$PWD/d/a' && echo wrote; echo x >../../x && echo out
        cat '$HOME/.ssh-key' && echo home"
    [ "$output" = a ]
    run "$agentsh" exec --profile preview -- touch "$PWD/d/new"
    [[ $output == *'only the copy is writable'*'not by its full path'* ]]
    [ "$(cat d/a)" = a ]
    [ ! -e d/new ]
}

@test "what is too large to be copied is refused, and nothing is left" {
    only copy "is no copy"
    mkdir many
    (cd many && seq 50001 | xargs touch)
    preview 'echo x >x'
    [ "$status" -eq 125 ]
    [[ $stderr == *'too large'*'50000 files'* ]]
    [ -z "$(find "$XDG_STATE_HOME/agentsh/preview" -mindepth 1)" ]
}

@test "what a copy cannot stand for is refused by name, and nothing is left" {
    only copy "is no copy"
    mkdir d
    mkfifo d/pipe
    preview 'echo ran; echo x >x'
    [ "$status" -eq 125 ]
    [ -z "$output" ]
    [[ $stderr == *'cannot preview on a copy: d/pipe is a FIFO; move it'* ]]
    [ -z "$(find "$XDG_STATE_HOME/agentsh/preview" -mindepth 1)" ]
    rm d/pipe
    preview 'mkfifo d/pipe; mv d e'
    [ "$status" -eq 0 ]
    [[ $stderr == *'e/pipe'*'a special file: will not be kept'* ]]
    again keep
    [ "$status" -eq 0 ]
    [ -d e ]
    [ ! -e d ]
    [ ! -e e/pipe ]
}

@test "a link that a command made into the copy is shown, and not kept" {
    only copy "is no copy"

    mkdir data
    preview 'ln -s "$PWD/data" cur; ln -s data near'
    [ "$status" -eq 0 ]
    [[ $stderr == *'cur'*'points into the copy: will not be kept'* ]]
    again keep
    [ "$status" -eq 0 ]
    [ -L near ]
    [ ! -L cur ]
}

@test "a directory that is closed to its owner is none that a copy changed" {
    only copy "is no copy"

    mkdir -p shut/in
    chmod 500 shut/in
    chmod 555 shut .
    preview true
    chmod 755 .
    [ "$status" -eq 0 ]
    [[ $stderr == *'no changes'* ]]
    chmod -R u+w shut
}

@test "a copy whose list is lost or empty can only be dropped" {
    only copy "is no copy"
    local list

    echo a >a
    for damage in 'rm "$0"' ': >"$0"' 'echo x >"$0"'; do
        preview 'echo b >>a'
        [ "$status" -eq 0 ]
        list=$(find "$XDG_STATE_HOME/agentsh/preview" -name copied)
        sh -c "$damage" "$list"
        again keep
        [ "$status" -ne 0 ]
        [[ $stderr == *'of what was copied'* ]]
        [ "$(cat a)" = a ]
        again drop
        [ "$status" -eq 0 ]
        [ -z "$(find "$XDG_STATE_HOME/agentsh/preview" -mindepth 1)" ]
    done
}

@test "a place with too little room for a copy makes way for the next" {
    only copy "is no copy"
    needs namespaces
    local map=-r

    [ "$(id -u)" -ne 0 ] || map=
    mkdir -p "$XDG_STATE_HOME"
    head -c 700000 /dev/urandom >big
    # shellcheck disable=SC2086 # no map is no word
    run --separate-stderr unshare -m $map sh -c '
        mount -t tmpfs -o size=1000k,mode=700 none "$XDG_STATE_HOME" || exit 77
        "$agentsh" exec --profile preview -- sh -c "echo x >x; wc -c <big"
        find "$XDG_STATE_HOME/agentsh/preview" -mindepth 1
        "$agentsh" preview keep || exit
        mount -t tmpfs -o size=1000k,mode=700 none "$XDG_RUNTIME_DIR" &&
            mount -t tmpfs -o size=1000k,mode=1777 none /dev/shm || exit 77
        "$agentsh" exec --profile preview -- true' </dev/null
    [ "$status" -ne 77 ] || skip "cannot mount"
    [ "$status" -eq 125 ]
    [ "$output" = 700000 ]
    [ -e x ]
    [[ $stderr == *'kept: 1 change'*'no directory for a copy of the workspace'*'half of what is free: only '* ]]
}

@test "a refused copy is said with why no view could be made" {
    only copy "is no copy"
    mkfifo pipe
    preview true
    [ "$status" -eq 125 ]
    [[ $stderr == *'pipe is a FIFO'*'(no view: no namespaces here)'* ]]
}

@test "root previews another user's workspace on a copy as that user only" {
    only copy "is no copy"
    [ "$(id -u)" -eq 0 ] || skip "needs root, for another user"
    echo a >a
    chown 12345 .
    preview 'echo ran'
    [ "$status" -eq 125 ]
    [ -z "$output" ]
    [[ $stderr == *'the workspace belongs to another user; preview as that'* ]]
    chown 0 .
    chown 12345 a
    preview 'echo ran'
    [ "$status" -eq 125 ]
    [[ $stderr == *'copy: a belongs to another user'* ]]
}

@test "another filesystem below the workspace is not copied" {
    only copy "is no copy"
    needs namespaces
    local map=-r

    [ "$(id -u)" -ne 0 ] || map=
    mkdir -p d/m other
    # shellcheck disable=SC2086 # no map is no word
    run --separate-stderr unshare -m $map sh -c '
        mount --bind other d/m || exit 77
        "$agentsh" exec --profile preview -- echo ran' </dev/null
    [ "$status" -ne 77 ] || skip "cannot mount"
    [ "$status" -eq 125 ]
    [ -z "$output" ]
    [[ $stderr == *'copy: d/m is on another filesystem; unmount it'* ]]
}

@test "where no place can hold a view, a copy is mounted over the workspace" {
    only disk "has places of its own"
    needs namespaces
    local map=-r

    [ "$(id -u)" -ne 0 ] || map=
    echo a >a
    echo b >b
    # shellcheck disable=SC2086 # no map is no word
    run --separate-stderr unshare -m $map sh -c '
        for d in "$XDG_STATE_HOME" "$XDG_RUNTIME_DIR" /dev/shm; do
            mount -t tmpfs -o mode=700 none "$d" &&
                mkdir "$d/l" "$d/u" "$d/w" || exit 77
            mount -t overlay -o \
                "lowerdir=$d/l,upperdir=$d/u,workdir=$d/w,userxattr" none \
                "$d" && chmod 700 "$d" || exit 77
        done
        "$agentsh" exec --profile preview -- \
            sh -c "pwd; echo A >>\"$PWD/a\"; mv b c; ls" || exit
        cat a
        "$agentsh" preview keep' </dev/null
    [ "$status" -ne 77 ] || skip "cannot mount"
    [ "$status" -eq 0 ]
    [ "$output" = "$PWD"$'\na\nc\na' ]
    [[ $stderr == *'on a copy: '*'overlayfs'*'kept: 2 changes'* ]]
    [ "$(cat a)" = $'a\nA' ]
    [ ! -e b ]
}
