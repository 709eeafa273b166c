#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# cross.sh - builds for another architecture, and runs its unit tests.
#
# usage: cross.sh arm64|i386
#
# Needs the compiler of packages.txt's class `ports`; the libraries of the
# architecture come from Debian into build-ARCHITECTURE/sysroot. Programs of
# arm64 are run by qemu-user, those of i386 by the kernel itself. What a test
# starts must be of the same machine, so only unit tests and the fuzzers'
# corpora are run. The summary is that of make check.
set -eu
cd "$(dirname "$0")/../.."

arch=${1:-}
case $arch in
arm64) host=aarch64-linux-gnu libs=aarch64-linux-gnu ;;
i386) host=i686-linux-gnu libs=i386-linux-gnu ;;
*)
    echo 'usage: cross.sh arm64|i386' >&2
    exit 2
    ;;
esac
for tool in "$host-gcc" dpkg-deb apt-get; do
    command -v "$tool" >/dev/null || {
        echo "cross.sh: needs $tool (./bootstrap deps ports)" >&2
        exit 1
    }
done

top=$PWD
build=$top/build-$arch
root=$build/sysroot
jobs=$(nproc 2>/dev/null || echo 1)
mkdir -p "$build"
# Those of packages.txt that are linked, by pkg-config's names.
# shellcheck disable=SC2046 # a list of words
sh tests/ports/sysroot.sh "$arch" "$root" libc6-dev libcmocka-dev \
    $(sed -n 's/^\([^# ]*\)  *build  *lib:.*/\1/p' packages.txt)

export PKG_CONFIG_LIBDIR="$root/usr/lib/$libs/pkgconfig:$root/usr/lib/pkgconfig"
export PKG_CONFIG_SYSROOT_DIR="$root"
[ -x configure ] || autoreconf -i
cd "$build"
# Programs that run here look for their loader and libraries where those are:
# by the old tag, which holds for the libraries' own libraries too.
if [ "$arch" = i386 ]; then
    set -- LDFLAGS="-Wl,--dynamic-linker=$root/lib/ld-linux.so.2 \
        -Wl,--disable-new-dtags -Wl,-rpath,$root/usr/lib/$libs:$root/lib/$libs"
    run=
    # these run /bin/sh in walls whose filter is the other architecture's
    not_here='zygote_client cmd_run'
else
    set --
    run="qemu-aarch64 -L $root"
    # these start programs of their own build, need calls that qemu-user does
    # not know (openat2, Landlock, seccomp, namespaces), or measure times
    not_here='zygote_client cmd_run aiaction apply call changes children
        client client_tools confinement effects_signals elevate overwrite place
        pool probe proc redact sandbox sandbox_binds sandbox_protect select
        setup setup_links step_verdict tcp_listeners workcopy'
fi
[ -f Makefile ] || ../configure -q --enable-werror \
    --build="$(sh ../build-aux/config.guess)" --host="$host" \
    CC="$host-gcc --sysroot=$root" PKG_CONFIG=pkg-config "$@"
make -s -j "$jobs"
left_out=
for name in $not_here; do
    left_out="$left_out tests/unit/test_$name test_$name"
done
make -s -j "$jobs" check \
    TESTS="\$(filter-out $left_out,\$(UNIT_TESTS)) \$(FUZZERS)" \
    LOG_COMPILER="timeout -k 10 \$(TEST_LIMIT) $run"
