#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# ai-name.sh - the short command in a directory of programs.
#
# usage: ai-name.sh install|uninstall DIR PROGRAM NAME
#
# NAME becomes a symbolic link to PROGRAM beside it. Other tools use the name
# `ai` too: a NAME in DIR that is not our link is never replaced or removed,
# and one elsewhere on PATH is worth a warning.
set -u
if [ $# -ne 4 ]; then
    echo 'usage: ai-name.sh install|uninstall DIR PROGRAM NAME' >&2
    exit 2
fi
action=$1 dir=$2 program=$3 name=$4

warn() {
    echo "warning: $*" >&2
}

is_ours() { # is_ours DIR: its NAME is a link to PROGRAM
    [ "$(readlink "$1/$name")" = "$program" ]
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
install)
    warn_of_others
    if is_ours "$dir"; then
        :
    elif [ -e "$dir/$name" ] || [ -h "$dir/$name" ]; then
        warn "$dir/$name is not ours and stays; use $program instead"
    else
        ln -s "$program" "$dir/$name"
    fi
    ;;
uninstall)
    ! is_ours "$dir" || rm -f "$dir/$name"
    ;;
*)
    echo "ai-name.sh: $action?" >&2
    exit 2
    ;;
esac
