# shellcheck shell=bash
# SPDX-License-Identifier: GPL-3.0-or-later
# world.sh - makes a machine of a try's own below $WORLD, and runs "$@" in it.
#
# It is the first process of new name spaces (test_plans.py, ENTER). Nothing
# runs where one place is still the machine's. The programs are the system's.
set -e
path=$PATH
PATH=/usr/bin:/bin:/usr/sbin:/sbin
test "$(id -u)" = 0
test $$ = 1

# Of the machine's /etc only what programs need to run, and nothing secret:
# the users and their passwords, the mounts and the hosts are made here.
make_etc()
{
    local etc=$WORLD/etc name
    cd /etc
    for name in alternatives ld.so.cache ld.so.conf ld.so.conf.d magic \
        nsswitch.conf login.defs default/useradd skel pam.d os-release \
        security/*.conf shells services protocols terminfo localtime; do
        test ! -e "$name" || cp -a --parents "$name" "$etc/"
    done
    cd "$OLDPWD"
    mkdir -p "$etc/systemd/system" "$etc/default"
    printf '%s:x:%d:%d::%s:/bin/sh\n' root 0 0 /root daemon 1 1 /nowhere \
        nobody 65534 65534 /nowhere > "$etc/passwd"
    printf '%s:*:19000:0:99999:7:::\n' root daemon nobody > "$etc/shadow"
    printf '%s:x:%d:\n' root 0 daemon 1 tty 5 mail 8 shadow 42 users 100 \
        nogroup 65534 > "$etc/group"
    printf '%s:*::\n' root daemon tty mail shadow users nogroup \
        > "$etc/gshadow"
    chmod 600 "$etc/shadow" "$etc/gshadow"
    echo '127.0.0.1 localhost' > "$etc/hosts"
    echo world > "$etc/hostname"
    echo 'proc /proc proc defaults 0 0' > "$etc/fstab"
}

# What is tried may stand below one of the places that are replaced.
for tree in source built; do
    mkdir -p "$WORLD/.$tree"
done
mount --rbind "$SOURCE" "$WORLD/.source"
mount --rbind "$BUILT" "$WORLD/.built"

for place in /etc /var/mail /var/log /run /root /home /mnt; do
    place=$(realpath "$place")
    before=$(stat -c %d:%i "$place")
    mkdir -p "$WORLD$place"
    test -e "$WORLD/made" || test "$place" != /etc || make_etc
    mount --bind "$WORLD$place" "$place"
    test "$(stat -c %d:%i "$place")" = "$(stat -c %d:%i "$WORLD$place")"
    test "$(stat -c %d:%i "$place")" != "$before"
done
for tree in source built; do
    place=$SOURCE
    test "$tree" = source || place=$BUILT
    mkdir -p "$place"
    mount --move "$WORLD/.$tree" "$place"
done
test ! -S /dev/log || mount --bind /dev/null /dev/log
touch "$WORLD/made"

PATH=$path
status=0
"$@" || status=$?
exit $status
