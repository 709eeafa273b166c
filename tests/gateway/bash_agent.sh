#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# bash_agent.sh - an agent of the dialect, as short as a shell makes it.
if [ "$1" != --acp ]; then
    printf '%s\n' 'bash_agent.sh: --acp is expected' >&2
    exit 2
fi
tell() {
    printf '{"jsonrpc":"2.0","method":"session/update","params":%s}\n' "$1"
}
while IFS= read -r message; do
    id=$(jq -c '.id' <<<"$message")
    answer() {
        printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$1"
    }
    case $(jq -r '.method' <<<"$message") in
    initialize)
        answer '{"protocolVersion":"1.0","serverInfo":{"name":"bash","version":"1"},"capabilities":{"streaming":true,"sessionResumption":true}}'
        ;;
    session/new)
        answer '{"sessionId":"bash-1"}'
        ;;
    session/load)
        answer "$(jq -c '{sessionId: .params.sessionId, loaded: true}' \
            <<<"$message")"
        ;;
    session/prompt)
        text=$(jq -c '.params.message' <<<"$message")
        if [[ $text =~ ^'"port '([0-9]+)'"'$ ]]; then # the status at a port
            exec 3<>"/dev/tcp/127.0.0.1/${BASH_REMATCH[1]}"
            trap '' PIPE
            printf 'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n' >&3
            read -r _ text _ <&3 || text='"closed"'
        fi
        answer '{"accepted":true}'
        tell "{\"type\":\"content\",\"data\":{\"text\":$text}}"
        tell '{"type":"toolCall","data":{"toolName":"list","status":"running","args":{}}}'
        if [ "$text" = '"wait"' ]; then
            continue
        fi
        tell '{"type":"error","data":{"message":"a warning"}}'
        tell '{"type":"complete","data":{"sessionId":"bash-1","success":true,"summary":"all done"}}'
        ;;
    session/cancel)
        exit 0
        ;;
    esac
done
