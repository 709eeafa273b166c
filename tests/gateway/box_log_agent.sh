#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# box_log_agent.sh - an agent of the dialect that writes down in its directory
# which prompts it begins and which are done, and needs no program beside bash.
exec 9<> <(:)
while IFS= read -r message; do
    id=${message##*\"id\":}
    id=${id%%[,\}]*}
    result="{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":"
    update='{"jsonrpc":"2.0","method":"session/update","params":'
    case $message in
    *'"initialize"'*) echo "$result{\"protocolVersion\":\"1.0\"}}" ;;
    *'"session/new"'*) echo "$result{\"sessionId\":\"box-$$\"}}" ;;
    *'"session/prompt"'*)
        text=${message##*\"message\":\"}
        text=${text%%\"*}
        echo "begin - $text" >>agents.log
        echo "$result{\"accepted\":true}}"
        read -r -t 0.02 -u 9
        echo "done - $text" >>agents.log
        echo "$update{\"type\":\"content\",\"data\":{\"text\":\"$text\"}}}"
        echo "$update{\"type\":\"complete\",\"data\":{\"success\":true}}}"
        ;;
    *'"session/'*) echo "$result{}}" ;;
    esac
done
