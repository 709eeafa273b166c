#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# sysroot.sh - unpacks Debian's packages of another architecture in a directory.
#
# usage: sysroot.sh ARCHITECTURE DIR PACKAGE...
#
# With what they depend on, and beside the system: apt keeps lists and archives
# below DIR.apt, dpkg unpacks them in DIR, nothing is installed and no script of
# a package runs. The mirrors are those of the system. Prints nothing when all
# is there already.
set -eu

arch=$1 root=$2
shift 2
want="$arch $*"
if [ "$(cat "$root.apt/done" 2>/dev/null)" = "$want" ]; then
    exit 0
fi
rm -rf "$root" "$root.apt"
mkdir -p "$root/usr/lib" "$root/usr/bin" "$root/usr/sbin" \
    "$root.apt/state/lists/partial" "$root.apt/cache/archives/partial"
root=$(cd "$root" && pwd)
for dir in lib bin sbin; do # as in a system where these are merged
    ln -s "usr/$dir" "$root/$dir"
done
: >"$root.apt/status"

apt() {
    apt-get -q -y -o "APT::Architecture=$arch" -o "APT::Architectures=$arch" \
        -o "Dir::State=$root.apt/state" -o "Dir::Cache=$root.apt/cache" \
        -o "Dir::State::status=$root.apt/status" \
        -o APT::Install-Recommends=false -o APT::Sandbox::User="$(id -un)" \
        -o Acquire::Languages=none "$@" </dev/null
}

# A list that cannot be fetched matters only when packages then cannot be had.
apt update || :
apt install --download-only "$@"
for archive in "$root.apt/cache/archives/"*.deb; do
    dpkg-deb -x "$archive" "$root"
done
rm -f "$root.apt/cache/archives/"*.deb
# Absolute links lead out of the directory.
find "$root/usr/lib" -type l -lname '/*' | while read -r link; do
    ln -sfn "$root$(readlink "$link")" "$link"
done
echo "$want" >"$root.apt/done"
