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
        [ "$(id -u)" -eq 0 ] || skip "needs root, for another group"
        chmod 664 "$config/$name"
        refused "may be written by others" "$name" policy test ls
        chmod 644 "$config/$name"
        "$agentsh" policy test ls >/dev/null
        rm "$config/$name"
    done
}

@test "nor one of a directory that others may write" {
    echo 'allow command x' >"$config/policy"
    chmod 777 "$config"
    refused "may be written by others" agentsh policy show
    chmod 1777 "$config"
    [ "$(id -u)" -eq 0 ] || return 0
    "$agentsh" policy show >/dev/null
    chmod 755 "$config" "$XDG_CONFIG_HOME"
    chown 12345 "$XDG_CONFIG_HOME"
    refused "belongs to another user" "$XDG_CONFIG_HOME" policy show
}

@test "root does not go by what another user wrote" {
    [ "$(id -u)" -eq 0 ] || skip "needs root"
    for name in config policy; do
        : >"$config/$name"
        chown 12345 "$config/$name"
        refused "belongs to another user" "$name" policy test ls
        rm "$config/$name"
    done
    mkdir "$config/mcp"
    echo '{"mcpServers":{"x":{"command":"/bin/true"}}}' >"$config/mcp.json"
    chown 12345 "$config/mcp.json"
    run "$agentsh" tool list
    [[ $output == *"belongs to another user"* ]]
}

@test "a link that another user made leads nowhere" {
    [ "$(id -u)" -eq 0 ] || skip "needs root"
    mkdir "$TEST_ROOT/real"
    echo 'allow command x' >"$TEST_ROOT/real/policy"
    ln -s "$TEST_ROOT/real/policy" "$config/policy"
    "$agentsh" policy show >/dev/null
    chown -h 12345 "$config/policy"
    chmod 777 "$config"
    refused "may be written by others" agentsh policy show
}

@test "a user goes by what belongs to root" {
    [ "$(id -u)" -eq 0 ] || skip "needs root"
    command -v setpriv >/dev/null || skip "needs setpriv"
    echo 'allow command x' >"$config/policy"
    chmod -R a+rX "$XDG_CONFIG_HOME" "$TEST_ROOT"
    run setpriv --reuid 12345 --regid 12345 --clear-groups "$agentsh" policy show
    [ "$status" -eq 0 ]
    [[ $output == *"allow command x"* ]]
}
