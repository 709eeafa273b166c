#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# box_agent.sh - an agent of the dialect that needs no program beside bash.
while IFS= read -r message; do
    id=${message##*\"id\":}
    id=${id%%[,\}]*}
    result="{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":"
    update='{"jsonrpc":"2.0","method":"session/update","params":'
    case $message in
    *'"initialize"'*) echo "$result{\"protocolVersion\":\"1.0\"}}" ;;
    *'"session/new"'*) echo "$result{\"sessionId\":\"box-1\"}}" ;;
    *'"session/prompt"'*)
        echo made >made
        echo "$result{\"accepted\":true}}"
        echo "$update{\"type\":\"content\",\"data\":{\"text\":\"in $PWD with $SECRET\"}}}"
        echo "$update{\"type\":\"complete\",\"data\":{\"success\":true}}}"
        ;;
    esac
done
