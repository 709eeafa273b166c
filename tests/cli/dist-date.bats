#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# dist-date.bats - the date that all files of a tarball get.
# shellcheck disable=SC2154,SC2164 # set by bats' run; bats ends at errors
bats_require_minimum_version 1.5.0

setup() {
    script=$(cd "${top_srcdir:-.}" && pwd)/tools/dist-date.sh
    cd "$BATS_TEST_TMPDIR"
    unset SOURCE_DATE_EPOCH
}

date_of() {
    run --separate-stderr sh "$script" "$1"
}

@test "SOURCE_DATE_EPOCH is the date, and must be a number" {
    SOURCE_DATE_EPOCH=12345 date_of /nowhere
    [ "$status" -eq 0 ]
    [ "$output" = 12345 ]
    SOURCE_DATE_EPOCH='12; ls' date_of /nowhere
    [ "$status" -eq 1 ]
    [ -z "$output" ]
    [[ $stderr == *'SOURCE_DATE_EPOCH is not a number' ]]
}

@test "a clone has the date of its last commit" {
    command -v git || skip 'git is not here'
    mkdir clone
    touch -d @777 clone/configure.ac
    git -C clone init -q
    GIT_COMMITTER_DATE='@54321 +0200' git -C clone -c user.name=a \
        -c user.email=a@b commit -q --allow-empty -m x
    date_of clone
    [ "$output" = 54321 ]
}

@test "an unpacked tarball has that of its files, in another's clone too" {
    mkdir -p clone/tarball
    touch -d @777 clone/tarball/configure.ac
    if command -v git; then
        git -C clone init -q
        git -C clone -c user.name=a -c user.email=a@b commit -q \
            --allow-empty -m x
    fi
    date_of clone/tarball
    [ "$output" = 777 ]
}
