# SPDX-License-Identifier: GPL-3.0-or-later
# session.bats - conversations are listed, shown, resumed and deleted.
# shellcheck disable=SC2154 # run sets status, output and stderr
# shellcheck disable=SC1010 # do is a verb

bats_require_minimum_version 1.5.0
load ../lib/common

setup() {
    home_setup
    ai=$top_builddir/ai
    agentsh=$top_builddir/agentsh
    export AGENTSH_SESSION=12-34
}

teardown() {
    home_done
}

# One line, without a model: it is remembered as any other.
line() {
    "$ai" run --offline --dry-run "$@" >/dev/null
}

@test "nothing is kept yet" {
    run -0 --separate-stderr "$agentsh" session list
    [ -z "$output" ]
    [ "$stderr" = 'No conversation is kept.' ]
    run -0 "$agentsh" session list -o json
    [ "$output" = '{"sessions":[]}' ]
}

@test "a conversation is listed, shown, and gone when deleted" {
    line show the date
    line show disk usage
    run -0 "$agentsh" session list
    [ "${#lines[@]}" -eq 1 ]
    [[ ${lines[0]} =~ ^'* '([0-9a-f]{8})'  '.*'  shell   show the date  '/ ]]
    id=${BASH_REMATCH[1]}
    run -0 "$agentsh" session show
    [[ $output == *'> show the date'* ]]
    [[ $output == *'$ date'* ]]
    [[ $output == *'stopped: it was only shown'* ]]
    [[ $output != *'exit status'* ]]
    [[ $output == *'> show disk usage'* ]]
    run -0 "$agentsh" session show "$id" -o json
    [[ $output == *'"of":"shell"'*'"kind":"ask","text":"show the date"'* ]]
    run -0 "$agentsh" session delete "$id"
    [[ $output == *"deleted: $id"* ]]
    [[ $output == *'still holds 2 runs of it ('*', '*'), until 20'* ]]
    run -0 "$agentsh" session list -o json
    [ "$output" = '{"sessions":[]}' ]
    run ! grep -q 'show the date' "$XDG_STATE_HOME/agentsh/sessions.db"
    run -1 "$agentsh" session show "$id"
    [[ $output == *'no such session'* ]]
}

@test "delete tells programs what the journal holds" {
    line show the date
    id=$("$agentsh" session list | cut -c3-10)
    run -0 --separate-stderr "$agentsh" session delete -o json "$id"
    [[ $output =~ '"journal_runs":1,"journal_until":"20' ]]
    home_config <<<$'[record]\nkeep_days = 0'
    line show the date
    id=$("$agentsh" session list | cut -c3-10)
    run -0 "$agentsh" session delete "$id"
    [[ $output == *'still holds 1 run of it'*'for ever'* ]]
}

@test "another shell goes on with a conversation" {
    line show the date
    id=$("$agentsh" session list | cut -c3-10)
    export AGENTSH_SESSION=56-78
    run -2 "$agentsh" session show
    [[ $output == *'This shell has none'* ]]
    run -0 "$agentsh" session resume "${id:0:5}"
    [[ $output == *"goes on with $id"* ]]
    line show disk usage
    run -0 "$agentsh" session list
    [ "${#lines[@]}" -eq 1 ]
    [[ ${lines[0]} == "* $id"* ]]
    unset AGENTSH_SESSION
    run ! "$agentsh" session resume "$id"
    [[ $output == *'no shell is known here'* ]]
}

@test "only so many are kept" {
    home_config <<<$'[record]\nconversations = 3'
    for _ in 1 2 3 4 5; do
        "$ai" run --new --offline --dry-run show the date >/dev/null
    done
    run -0 "$agentsh" session list
    [ "${#lines[@]}" -eq 3 ]
}

@test "wrong usage" {
    run -2 "$agentsh" session
    [[ $output == *'list, show, resume, delete'* ]]
    run -2 "$agentsh" session list x
    run -2 "$agentsh" session resume
    run -2 "$agentsh" session delete
    run -2 "$agentsh" session show a b
    run -1 "$agentsh" session delete zz
    run -0 "$agentsh" session --help
    [[ $output == *'session resume'* ]]
    run -0 "$agentsh" session delete --help
    [[ $output == *'ID…'* ]]
}
