#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# ai-name.sh - the short command's name in a directory.
#
# usage: ai-name.sh warn|link|unlink DIR FILE NAME
#
# link    NAME becomes a symbolic link to FILE beside it
# unlink  takes it away again
# warn    says where on PATH another NAME is
#
# Other tools use the name `ai` too: a NAME in DIR that is not our link is
# never replaced or removed.
set -u
if [ $# -ne 4 ]; then
    echo 'usage: ai-name.sh warn|link|unlink DIR FILE NAME' >&2
    exit 2
fi
action=$1 dir=$2 file=$3 name=$4

warn() {
    echo "warning: $*" >&2
}

is_ours() { # is_ours DIR: its NAME is a link to FILE
    [ "$(readlink "$1/$name")" = "$file" ]
}

warn_of_others() {
    saved_ifs=$IFS
    IFS=:
    for place in $PATH; do
        IFS=$saved_ifs
        if [ "$place" != "$dir" ] && [ -x "$place/$name" ] &&
            ! is_ours "$place"; then
            warn "another $name is on PATH: $place/$name" \
                '(--with-ai-name=NAME gives ours another name)'
        fi
    done
    IFS=$saved_ifs
}

case $action in
warn)
    warn_of_others
    ;;
link)
    if is_ours "$dir"; then
        :
    elif [ -e "$dir/$name" ] || [ -h "$dir/$name" ]; then
        warn "$dir/$name is not ours and stays as it is"
    else
        ln -s "$file" "$dir/$name"
    fi
    ;;
unlink)
    ! is_ours "$dir" || rm -f "$dir/$name"
    ;;
*)
    echo "ai-name.sh: $action?" >&2
    exit 2
    ;;
esac
