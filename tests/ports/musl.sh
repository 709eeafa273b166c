#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# musl.sh - builds with musl what needs no other library, and runs its tests.
#
# usage: musl.sh
#
# These are the wings base, json, guard and sandbox but for what calls cJSON,
# inih or libseccomp, and the launcher. Needs the packages of the class `ports`.
# The summary is that of make check.
set -eu
cd "$(dirname "$0")/../.."

command -v musl-gcc >/dev/null || {
    echo 'musl.sh: needs musl-gcc (./bootstrap deps ports)' >&2
    exit 1
}
build=$PWD/build-musl
jobs=$(nproc 2>/dev/null || echo 1)
[ -x configure ] || autoreconf -i
mkdir -p "$build/kernel"
cd "$build"

# musl-gcc knows no headers of the kernel; beside those of glibc they cannot be
# named as they are.
for dir in linux asm-generic; do
    ln -sfn "/usr/include/$dir" "kernel/$dir"
done
ln -sfn "/usr/include/$(gcc -print-multiarch)/asm" kernel/asm
[ -f Makefile ] || ../configure -q --disable-libraries --enable-werror \
    CC=musl-gcc CPPFLAGS="-isystem $build/kernel"
make -s -j "$jobs" ground
make -s check-ground
