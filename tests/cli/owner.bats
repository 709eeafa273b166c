#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# owner.bats - what configures us is ours, and stays it.
# shellcheck disable=SC2154 # set by bats' run
bats_require_minimum_version 1.5.0
load ../lib/common

setup() {
    home_setup
    agentsh=$top_builddir/agentsh
    config=$XDG_CONFIG_HOME/agentsh
    mkdir -p "$config"
}

teardown() {
    home_done
}

# refused WHY FILE ARG…: the command says so, of the file, and does nothing.
refused() {
    run --separate-stderr -2 "$agentsh" "${@:3}"
    [[ $stderr == *"$2"* ]]
    [[ $stderr == *"$1"* ]]
}

@test "a file that a group of others may write is not gone by" {
    for name in config policy; do
        : >"$config/$name"
        [ "$(id -u)" -ne 0 ] || chgrp 12345 "$config/$name"
        needs root
        chmod 664 "$config/$name"
        refused "is writable by others" "$name" policy test ls
        chmod 644 "$config/$name"
        "$agentsh" policy test ls >/dev/null
        rm "$config/$name"
    done
}

@test "nor one of a directory that others may write" {
    echo 'allow command x' >"$config/policy"
    chmod 777 "$config"
    refused "is writable by others" agentsh policy show
    chmod 1777 "$config"
    [ "$(id -u)" -eq 0 ] || return 0
    "$agentsh" policy show >/dev/null
    chmod 755 "$config" "$XDG_CONFIG_HOME"
    chown 12345 "$XDG_CONFIG_HOME"
    refused "is owned by another user" "$XDG_CONFIG_HOME" policy show
}

@test "root does not go by what another user wrote" {
    needs root
    for name in config policy; do
        : >"$config/$name"
        chown 12345 "$config/$name"
        refused "is owned by another user" "$name" policy test ls
        rm "$config/$name"
    done
    mkdir "$config/mcp"
    echo '{"mcpServers":{"x":{"command":"/bin/true"}}}' >"$config/mcp.json"
    chown 12345 "$config/mcp.json"
    run "$agentsh" tool list
    [[ $output == *"is owned by another user"* ]]
}

@test "a link that another user made leads nowhere" {
    needs root
    mkdir "$TEST_ROOT/real"
    echo 'allow command x' >"$TEST_ROOT/real/policy"
    ln -s "$TEST_ROOT/real/policy" "$config/policy"
    "$agentsh" policy show >/dev/null
    chown -h 12345 "$config/policy"
    chmod 777 "$config"
    refused "is writable by others" agentsh policy show
}

@test "a user goes by what belongs to root" {
    needs other-user
    echo 'allow command x' >"$config/policy"
    chmod -R a+rX "$XDG_CONFIG_HOME" "$TEST_ROOT"
    run as_other_user "$agentsh" policy show
    [ "$status" -eq 0 ]
    [[ $output == *"allow command x"* ]]
}

# let_write FILE: an access control list of it, with an entry for uid 33; with
# a second word one for its group, and with a third one that only reads.
let_write() {
    FILE=$1 TAG=${2:-2} PERM=${3:-6} "$PYTHON3" -c '
import os, struct
tag, perm = int(os.environ["TAG"]), int(os.environ["PERM"])
mode = os.stat(os.environ["FILE"]).st_mode
none = 0xFFFFFFFF
rows = [(1, mode >> 6 & 7, none), (4, mode >> 3 & 5, none), (tag, perm, 33),
        (16, 7, none), (32, mode & 5, none)]
os.setxattr(os.environ["FILE"], "system.posix_acl_access",
            struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *row)
                                            for row in sorted(rows)))
' 2>/dev/null || skip "no access control lists here"
}

# take_back FILE: as setfacl -b does.
take_back() {
    FILE=$1 "$PYTHON3" -c '
import os
os.removexattr(os.environ["FILE"], "system.posix_acl_access")'
    chmod "$2" "$1"
}

@test "nor a file or directory that an access control list lets another write" {
    for name in config policy; do
        : >"$config/$name"
        for tag in 2 8; do
            chmod 644 "$config/$name"
            let_write "$config/$name" "$tag"
            refused "setfacl -b" "$name" policy test ls
            let_write "$config/$name" "$tag" 4
            "$agentsh" policy test ls >/dev/null
            take_back "$config/$name" 644
        done
        for dir in "$config" "$XDG_CONFIG_HOME"; do
            let_write "$dir" 2 7
            refused "setfacl -b" "$dir" policy test ls
            take_back "$dir" 755
        done
        "$agentsh" policy test ls >/dev/null
        rm "$config/$name"
    done
}

@test "nor such an mcp.json" {
    echo '{"mcpServers":{"x":{"command":"/bin/true"}}}' >"$config/mcp.json"
    run "$agentsh" tool list
    [[ $output == *"mcp"*"x"* ]]
    [[ $output != *"setfacl"* ]]
    let_write "$config/mcp.json"
    run "$agentsh" tool list
    [[ $output == *"mcp.json is writable by others"*"setfacl -b"* ]]
}

# as_tester MEMBERS COMMAND…: as a user whose group of its own has them.
as_tester() {
    { cat /etc/passwd && echo 'tester:x:12345:12345::/:/bin/sh'; } \
        >"$TEST_ROOT/passwd"
    { cat /etc/group && echo "tester:x:12345:$1"; } >"$TEST_ROOT/group"
    echo 'passwd: files' >"$TEST_ROOT/nsswitch"
    chmod -R a+rX "$TEST_ROOT"
    # shellcheck disable=SC2016 # for that shell
    unshare -m sh -c 'for f in passwd group; do
            mount --bind "$0/$f" "/etc/$f" || exit 1
        done
        [ ! -e /etc/nsswitch.conf ] ||
            mount --bind "$0/nsswitch" /etc/nsswitch.conf || exit 1
        exec setpriv --reuid 12345 --regid 12345 --clear-groups "$@"' \
        "$TEST_ROOT" "${@:2}"
}

@test "a group of the user's own may write it while nobody else is in it" {
    needs other-user namespaces
    unshare -m true 2>/dev/null || skip "needs namespaces of root"
    echo 'allow command x' >"$config/policy"
    chown -R 12345:12345 "$XDG_CONFIG_HOME"
    chmod 664 "$config/policy"
    chmod 775 "$config"
    run as_tester "" "$agentsh" policy show
    [ "$status" -eq 0 ]
    [[ $output == *"allow command x"* ]]
    run as_tester tester,daemon "$agentsh" policy show
    [ "$status" -eq 2 ]
    [[ $output == *"daemon is also a member of its group"*"chmod g-w"* ]]
    chmod 644 "$config/policy"
    run as_tester daemon "$agentsh" policy show
    [ "$status" -eq 2 ]
    [[ $output == *"/agentsh is writable"*"daemon is also a member of its group"* ]]
    chmod 755 "$config"
    run as_tester daemon "$agentsh" policy show
    [ "$status" -eq 0 ]
}

# run_plan: without a question, or not at all.
run_plan() {
    run --separate-stderr "$top_builddir/ai" run --yes \
        --plan "$TEST_ROOT/plans/p.json" </dev/null
}

@test "a plan that others may write, or replace, is a question" {
    mkdir "$TEST_ROOT/plans"
    plan=$TEST_ROOT/plans/p.json
    echo '{"kind":"command_sequence","summary":"s","steps":[{"id":"1",
        "description":"It","shell_command":"pwd"}]}' >"$plan"
    chmod 644 "$plan"
    run_plan # control
    [ "$status" -eq 0 ]
    for file in "$plan" "$TEST_ROOT/plans"; do
        mode=$(stat -c %a "$file")
        let_write "$file" 2 7
        run_plan
        [ "$status" -eq 5 ]
        [[ $stderr == *"the plan itself"* ]]
        take_back "$file" "$mode"
        chmod o+w "$file"
        run_plan
        [ "$status" -eq 5 ]
        chmod "$mode" "$file"
    done
    run_plan
    [ "$status" -eq 0 ]
}

@test "so is one that a group with others in it may write" {
    needs other-user namespaces
    unshare -m true 2>/dev/null || skip "needs namespaces of root"
    mkdir "$TEST_ROOT/plans"
    plan=$TEST_ROOT/plans/p.json
    echo '{"kind":"command_sequence","summary":"s","steps":[{"id":"1",
        "description":"It","shell_command":"pwd"}]}' >"$plan"
    chown -R 12345:12345 "$TEST_ROOT"
    chmod 664 "$plan"
    for others in "" daemon; do
        run as_tester "$others" "$top_builddir/ai" run --yes --plan "$plan"
        echo "$output"
        [ "$others $status" = " 0" ] || [ "$others $status" = "daemon 5" ]
    done
}

# What confines has no right of root's, so that a directory of another user's
# that is closed is closed to it.
@test "doctor finds an installation that no step may execute" {
    needs root
    mkdir "$TEST_ROOT/other" "$TEST_ROOT/other/bin"
    cp -r "$top_builddir"/{agentsh*,ai,plugins} "$TEST_ROOT/other/bin" || skip
    echo '{"kind":"command_sequence","summary":"s","steps":[{"id":"1",
        "description":"It","shell_command":"pwd"}]}' >"$TEST_ROOT/p.json"
    chmod 755 "$TEST_ROOT/other"
    run "$TEST_ROOT/other/bin/agentsh" doctor -v # control
    [[ $output == *"11 built in"* ]]
    [[ $output != *"closed"* ]]
    run "$TEST_ROOT/other/bin/ai" run --yes --plan "$TEST_ROOT/p.json"
    [ "$status" -eq 0 ]
    chown 12345 "$TEST_ROOT/other"
    chmod 700 "$TEST_ROOT/other"
    run "$TEST_ROOT/other/bin/agentsh" doctor
    [[ $output == *"$TEST_ROOT/other: permission denied for steps"* ]]
    [[ $output == *"install it"* ]]
    # as in a container whose root may not map other users' numbers: below
    # /tmp the walls need none of its directories otherwise
    command -v setpriv >/dev/null || return 0
    run setpriv --bounding-set -setuid,-setgid \
        "$TEST_ROOT/other/bin/ai" run --yes --plan "$TEST_ROOT/p.json"
    echo "$output"
    [ "$status" -ne 0 ]
    [[ $output == *"Permission denied: install it"* ]]
}
