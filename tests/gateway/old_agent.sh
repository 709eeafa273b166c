#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# old_agent.sh - an agent of the older format: lines that are no JSON-RPC.
line() {
    printf '{"type":"%s","agent_id":"a","task_id":"t","timestamp":"2026-01-10T12:00:00Z","data":%s}\n' "$1" "$2"
}
line status '{"status":"started"}'
line progress "{\"progress\":50,\"message\":\"$TASK_DESCRIPTION\"}"
line heartbeat '{}'
echo 'some words'
line log '{"level":"info","message":"Found 5 files"}'
line error '{"message":"one was broken"}'
line result '{"status":"completed","summary":"as asked"}'
exec cat >/dev/null
