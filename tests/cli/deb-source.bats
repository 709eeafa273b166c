#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# deb-source.bats - what Debian's tools start from, made of a small tarball.
# shellcheck disable=SC2154,SC2164 # set by bats' run; bats ends at errors
bats_require_minimum_version 1.5.0

load ../lib/common

setup() {
    needs xz
    top=$(cd "${top_srcdir:-.}" && pwd)
    cd "$BATS_TEST_TMPDIR"
    mkdir -p clone/tools clone/debian agentsh-1.2.3
    cp "$top/tools/deb-source.sh" clone/tools/
    echo 'agentsh (1.2.3-1) unstable; urgency=medium' >clone/debian/changelog
    echo hello >agentsh-1.2.3/README
    tar -c -J -f agentsh-1.2.3.tar.xz agentsh-1.2.3
}

@test "the tarball gets Debian's name, and its tree debian/" {
    run --separate-stderr sh clone/tools/deb-source.sh \
        agentsh-1.2.3.tar.xz out
    [ "$status" -eq 0 ]
    [ "$output" = out/agentsh-1.2.3 ]
    cmp agentsh-1.2.3.tar.xz out/agentsh_1.2.3.orig.tar.xz
    cmp agentsh-1.2.3/README out/agentsh-1.2.3/README
    cmp clone/debian/changelog out/agentsh-1.2.3/debian/changelog
}

@test "a changelog of another version is refused, and nothing is made" {
    echo 'agentsh (1.2.4-1) unstable; urgency=medium' >clone/debian/changelog
    run --separate-stderr sh clone/tools/deb-source.sh \
        agentsh-1.2.3.tar.xz out
    [ "$status" -eq 1 ]
    [[ $stderr == *'changelog is of 1.2.4, the tarball of 1.2.3' ]]
    [ ! -e out ]
}

@test "the changelog has the version of configure.ac" {
    [ -d "$top/debian" ] || skip 'a tarball has no debian/'
    version=$(sed -n 's/^AC_INIT(\[agentsh\], \[\([^]]*\)\].*/\1/p' \
        "$top/configure.ac")
    [ -n "$version" ]
    [[ $(head -n 1 "$top/debian/changelog") == "agentsh ($version-"* ]]
}
