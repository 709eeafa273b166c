#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# machine.sh - runs a command on a Debian that has nothing, with a clone of
# this tree as its working directory.
#
# usage: tests/fresh/machine.sh [OPTION...] COMMAND
#
#   --suite NAME  bookworm (12, the default), trixie (13), forky, ...
#   --user        as a normal user who has sudo; otherwise as root
#   --container   with what a container's default settings leave: fewer
#                 capabilities, no namespaces, no mounts, no clone3
#
# COMMAND goes to sh -c. The machine holds debootstrap's minbase, git, sudo and
# the certificates: no /etc/hosts, no locale, no terminal's name. It is made
# once for each suite, from the mirror that apt uses here, and is the lower
# layer of an overlay that is thrown away. It is entered by pivot_root, since
# the kernel gives no user namespaces to what is in a chroot.
#
# Needs root and mount namespaces; exits with 77 without. FRESH_DIR holds the
# machines, build-ci/fresh of this tree unless it is set.
set -eu

note() {
    printf 'machine.sh: %s\n' "$*" >&2
}

usage() {
    sed -n 's/^# \{0,1\}//; 5,21p' "$0" >&2
    exit 2
}

suite=bookworm user='' container=''
while [ $# -gt 0 ]; do
    case $1 in
    --suite)
        [ $# -gt 1 ] || usage
        suite=$2
        shift
        ;;
    --user) user=1 ;;
    --container) container=1 ;;
    --) shift && break ;;
    -*) usage ;;
    *) break ;;
    esac
    shift
done
[ $# -eq 1 ] || usage
command=$1

tree=$(cd "$(dirname "$0")/../.." && pwd)
top=${FRESH_DIR:-$tree/build-ci/fresh}
base=$top/$suite
if [ "$(id -u)" -ne 0 ] || ! unshare -m -p -f true; then
    note 'needs root and mount namespaces'
    exit 77
fi
mkdir -p "$top"

# ---- the machine itself, once

# The mirror of the first source of apt's that is Debian itself, not its
# security updates.
mirror() {
    # shellcheck disable=SC2016 # apt-get's own
    apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' |
        grep -v security | head -n 1
}

# A suite that this debootstrap does not know yet is made as sid is. In the
# settings 99* stands how this machine's mirror is to be read.
bootstrap_base() {
    new=$base.new
    script=/usr/share/debootstrap/scripts/$suite
    [ -e "$script" ] || script=/usr/share/debootstrap/scripts/sid
    url=$(mirror)
    debootstrap --variant=minbase --include=git,ca-certificates,sudo \
        "$suite" "$new" "$url" "$script" &&
        echo "deb $url $suite main" >"$new/etc/apt/sources.list" &&
        find /etc/apt/apt.conf.d -name '99*' \
            -exec cp {} "$new/etc/apt/apt.conf.d/" ';' &&
        chroot "$new" useradd -m -s /bin/bash tester &&
        echo 'tester ALL=(ALL) NOPASSWD: ALL' >"$new/etc/sudoers.d/tester" &&
        rm -f "$new/etc/hosts" "$new"/var/cache/apt/archives/*.deb &&
        mv "$new" "$base"
}

make_base() {
    [ ! -d "$base" ] || return 0
    rm -rf "$base.new"
    note "making a minimal $suite"
    if ! bootstrap_base >"$top/$suite.log" 2>&1; then
        tail -n 3 "$top/$suite.log" >&2
        note "no minimal $suite; $top/$suite.log tells why"
        exit 1
    fi
}

# ---- a run of it

# What a container's engine leaves root by default, in capabilities.
left='+chown,+dac_override,+fowner,+fsetid,+kill,+setgid,+setuid,+setpcap'
left=$left,+net_bind_service,+net_raw,+sys_chroot,+mknod,+audit_write,+setfcap

# In the namespaces: mounts what a machine has, goes there, and becomes who is
# to run the command.
enter() {
    mount -t overlay overlay \
        -o "lowerdir=$base,upperdir=$run/upper,workdir=$run/work,volatile" \
        "$run/root"
    cd "$run/root"
    chattr +T tmp 2>/dev/null || : # as .ci/run does
    git -c safe.directory='*' clone -q --no-hardlinks "$tree" ".$home/agentsh"
    [ -z "$user" ] || chown -R 1000:1000 ".$home/agentsh"
    mount -t proc proc proc
    mount --rbind /sys sys
    mount -t tmpfs -o mode=755 tmpfs dev
    for name in null zero full random urandom tty; do
        : >"dev/$name"
        mount --bind "/dev/$name" "dev/$name"
    done
    mkdir dev/pts dev/shm
    mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts dev/pts
    mount -t tmpfs -o mode=1777 tmpfs dev/shm
    ln -s pts/ptmx dev/ptmx
    ln -s /proc/self/fd dev/fd
    for name in stdin:0 stdout:1 stderr:2; do
        ln -s "/proc/self/fd/${name#*:}" "dev/${name%:*}"
    done
    mount -t tmpfs -o mode=755 tmpfs run
    if [ -n "$container" ]; then
        mount --bind proc/sys proc/sys
        mount -o remount,bind,ro proc/sys
    fi
    mkdir -p .old
    pivot_root . .old
    cd /
    umount -l /.old
    rmdir /.old
    cd "$home/agentsh"
    # shellcheck disable=SC2086 # words, or none
    exec env -i HOME="$home" TERM=dumb \
        ${AGENTSH_TEST_SAMPLE:+AGENTSH_TEST_SAMPLE=$AGENTSH_TEST_SAMPLE} \
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        ${container:+refusing namespaces clone3 privileges -- \
        setpriv --bounding-set "-all,$left" --inh-caps=-all} \
        ${user:+setpriv --reuid 1000 --regid 1000 --init-groups} \
        sh -c "$command"
}

# Only as the first process of namespaces of its own.
if [ "${MACHINE_ENTER-}" ] && [ $$ -eq 1 ]; then
    run=$MACHINE_ENTER
    home=/root
    [ -z "$user" ] || home=/home/tester
    enter
fi

make_base
run=$(mktemp -d "$top/run-XXXXXX")
# another user reaches what is below it in the machine
chmod 755 "$run"
trap 'rm -rf "$run"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
# of this tree, and not of the one that the machine was made by
mkdir -p "$run/upper/usr/local/bin" "$run/work" "$run/root"
cc -D_GNU_SOURCE -O1 -static -o "$run/upper/usr/local/bin/refusing" \
    "$tree/tests/sandbox/refusing.c"
chmod -R a+rX "$run/upper"
status=0
# shellcheck disable=SC2086 # words, or none
MACHINE_ENTER=$run unshare -m -p -f --kill-child --propagation private \
    sh "$0" --suite "$suite" ${user:+--user} ${container:+--container} \
    -- "$command" || status=$?
exit "$status"
