#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# deb-source.sh - what dpkg-buildpackage starts from.
#
# usage: deb-source.sh TARBALL DIR
#
# Puts the tarball of make dist in DIR by the name that Debian wants, and beside
# it the tree, with debian/ of this clone in it. debian/ is no part of the
# tarball: a distribution has its own.
set -eu
if [ $# -ne 2 ]; then
    echo 'usage: deb-source.sh TARBALL DIR' >&2
    exit 2
fi
top=$(cd "$(dirname "$0")/.." && pwd)
name=${1##*/} name=${name%.tar.xz}
version=${name#agentsh-}
packaged=$(sed -n '1s/^agentsh (\(.*\)-[^-]*).*/\1/p' "$top/debian/changelog")
if [ "$packaged" != "$version" ]; then
    echo "deb-source.sh: debian/changelog is of $packaged," \
        "the tarball of $version" >&2
    exit 1
fi
mkdir -p "$2"
cp "$1" "$2/agentsh_$version.orig.tar.xz"
tar -x -C "$2" -f "$1"
cp -r "$top/debian" "$2/$name/"
echo "$2/$name"
