#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# dist-date.sh - the one date of all files in a tarball, in seconds.
#
# usage: dist-date.sh SRCDIR
#
# SOURCE_DATE_EPOCH where that is set; in a clone the date of the last commit;
# in an unpacked tarball the date that its files have.
set -u
if [ $# -ne 1 ]; then
    echo 'usage: dist-date.sh SRCDIR' >&2
    exit 2
fi
case ${SOURCE_DATE_EPOCH-} in
'') ;;
*[!0-9]*)
    echo 'dist-date.sh: SOURCE_DATE_EPOCH is not a number' >&2
    exit 1
    ;;
*)
    echo "$SOURCE_DATE_EPOCH"
    exit
    ;;
esac
# Another repository may lie around an unpacked tarball; this one may belong to
# another user than the one who calls make.
if [ -e "$1/.git" ] &&
    git -c safe.directory='*' -C "$1" log -1 --format=%ct 2>/dev/null; then
    exit
fi
exec stat -c %Y "$1/configure.ac"
