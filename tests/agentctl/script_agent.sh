#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# script_agent.sh - an agent as a person writes one in a shell: it knows a line
# at a time, puts ids back without a look at them, and ends when cancelled.
session=none

# member NAME: of the line, a number or the inside of a string.
member() {
    printf '%s\n' "$line" |
        sed -n 's/.*"'"$1"'":"\{0,1\}\([^",}]*\).*/\1/p'
}

answer() {
    printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$(member id)" "$1"
}

update() {
    printf '{"jsonrpc":"2.0","method":"session/update","params":%s}\n' "$1"
}

[ "$1" = --acp ] || exit 2
while IFS= read -r line; do
    case $(member method) in
    initialize)
        answer '{"protocolVersion":"1.0","serverInfo":{"name":"script"}}'
        ;;
    session/new)
        session=s-$$
        answer '{"sessionId":"'$session'"}'
        ;;
    session/prompt)
        answer '{"accepted":true}'
        update '{"type":"content","data":{"text":"'"$(member message)"'"}}'
        update '{"type":"complete","data":{"sessionId":"'$session'",
"success":true}}' | tr -d '\n'
        echo
        ;;
    session/cancel)
        echo 'cancelled' >&2
        exit 0
        ;;
    esac
done
