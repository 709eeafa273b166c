# SPDX-License-Identifier: GPL-3.0-or-later
# log.bats - what happened is kept, shown and checked.
# shellcheck disable=SC2154 # run sets status, output and stderr
# shellcheck disable=SC1010 # do is a verb

bats_require_minimum_version 1.5.0
load ../lib/common

setup() {
    home_setup
    ai=$top_builddir/ai
    agentsh=$top_builddir/agentsh
    journal=$XDG_STATE_HOME/agentsh/journal.db
    cat >plan.json <<'END'
{"kind":"command_sequence","summary":"Look","steps":[
 {"id":"1","description":"Look","shell_command":"echo found it"}]}
END
}

teardown() {
    home_done
}

@test "a run is listed, the newest first" {
    "$ai" explain --offline ls -l
    "$ai" do --yes --plan plan.json
    run --separate-stderr "$ai" log
    [ "$status" -eq 0 ]
    [ "${lines[0]}" = Today ]
    [[ ${lines[1]} =~ ^'✓  now  '.*plan.json'  '[0-9a-z]{5}$ ]]
    [[ ${lines[2]} =~ ^'–  now  ls -l  '[0-9a-z]{5}$ ]]
    [ "${#lines[@]}" -eq 3 ]
    run "$ai" log -n 1
    [ "${#lines[@]}" -eq 2 ]
}

@test "runs are found by words, by status and by directory" {
    "$ai" explain --offline ls -l
    "$ai" do --yes --plan plan.json
    run -5 "$ai" do --plan plan.json </dev/null
    mkdir sub
    (cd sub && "$ai" explain --offline 'du -sh x')
    run -0 "$ai" log -s 'FOUND echo'
    [ "${#lines[@]}" -eq 3 ]
    [[ ${lines[1]} == '⊘ '*plan.json* && ${lines[2]} == '✓ '*plan.json* ]]
    run -0 "$ai" log -s 'FOUND echo' -n 1
    [ "${#lines[@]}" -eq 2 ]
    run -0 "$ai" log --status denied
    [ "${#lines[@]}" -eq 2 ]
    run -0 "$ai" log --status shown --directory sub -o jsonl
    [ "${#lines[@]}" -eq 1 ]
    [[ $output == *'"text":"du -sh x"'* ]]
    run -0 --separate-stderr "$ai" log --search 'found zebra'
    [ "$stderr" = 'No run matches.' ]
    [ -z "$output" ]
    run -2 "$ai" log --status fine
    [[ $output == *'ran|failed|shown|denied|stopped|unfinished'* ]]
    run -2 "$ai" log -s x --verify
}

@test "older runs stand below their day" {
    "$ai" explain --offline ls -l
    "$PYTHON3" - "$journal" <<'END'
import datetime, sqlite3, sys
day = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(1)
with sqlite3.connect(sys.argv[1]) as db:
    db.execute("UPDATE row SET time = ?", (day.strftime("%FT%T.000Z"),))
END
    "$ai" explain --offline pwd
    run -0 "$ai" log
    [[ ${lines[0]} == Today && ${lines[1]} == *' now  pwd  '* ]]
    [[ ${lines[2]} == Yesterday && ${lines[3]} =~ '  '(1d|23h)'  ls -l  ' ]]
}

@test "nothing recorded yet is no error" {
    run --separate-stderr "$ai" log
    [ "$status" -eq 0 ]
    [ -z "$output" ]
    [ "$stderr" = "Nothing is recorded yet." ]
    run --separate-stderr "$ai" -o json log
    [ "$output" = '{"runs":[]}' ]
    run --separate-stderr "$ai" log --verify
    [ "$status" -eq 0 ]
    [ -z "$output" ]
    [ "$stderr" = "Nothing is recorded yet." ]
    run --separate-stderr "$ai" -o json log --verify
    [ "$status" -eq 0 ]
    [ "$output" = '{"faults":[],"ok":true,"rows":0,"runs":0}' ]
}

@test "one run is shown by its name's end or beginning" {
    "$ai" do --yes --plan plan.json
    run "$ai" log
    name=${lines[1]##* }
    run "$ai" log "$name"
    [ "$status" -eq 0 ]
    [[ $output == *"verb: do"* ]]
    [[ $output == *"echo found it"* ]]
    [[ $output == *"by: --yes"* ]]
    [[ $output == *"found it"* ]]
    run "$ai" log 2
    [ "$status" -eq 0 ]
}

@test "a run that there is none of, and wrong usage, are told" {
    "$ai" explain --offline ls
    run "$ai" log zzz
    [ "$status" -eq 1 ]
    [[ $output == *"no such run: 'zzz'"* ]]
    for words in "-n 0" "-n x" "a b" "--verify a" "--verify -n 1" "-n 1 a"; do
        # shellcheck disable=SC2086 # words
        run "$ai" log $words
        [ "$status" -eq 2 ]
    done
}

@test "calls of tools are kept, refused ones too" {
    run "$agentsh" tool call <<'END'
{"tool":"cmd.run","action":"execute","args":{"command":"echo from a tool"}}
{"tool":"cmd.run","action":"execute","args":{"command":"sudo id"}}
END
    [ "$status" -eq 1 ]
    run "$ai" log -o json
    [[ $output == *'"verb":"tool","text":"cmd.run"'*'"outcome":"failed"'* ]]
    run "$ai" log 2
    [[ $output == *'args: {"command":"echo from a tool"}'* ]]
    [[ $output == *"decision: deny"*"code: POLICY_DENIED"* ]]
    run "$ai" log --verify
    [ "$status" -eq 0 ]
    [[ $output == *"5 rows of 1 run"* ]]
}

@test "a refusal is kept with its reason" {
    run "$ai" do --plan plan.json </dev/null
    [ "$status" -eq 5 ]
    run "$ai" log -o json
    [[ $output == *'"outcome":"denied","exit_status":5'* ]]
    [[ $output == *"no terminal to ask"* ]]
}

@test "what holds escapes is shown without them" {
    "$ai" explain --offline $'ls \e[31m' || true
    run "$ai" log
    [[ $output == *'\x1b[31m'* ]]
    [[ $output != *$'\e'* ]]
}

@test "a secret does not reach the journal" {
    "$ai" explain --offline 'curl -H "Authorization: Bearer sk-abcdefghijklmnopqrstuvwx0123"' || true
    grep -q 'Authorization: Bearer' "$journal" "$journal-wal"
    run grep -l abcdefghijklmnopqrstuvwx "$journal" "$journal-wal"
    [ "$status" -eq 1 ]
    run "$ai" log -o json
    [[ $output == *redacted* ]]
}

@test "the chain is checked" {
    "$ai" do --yes --plan plan.json
    run "$ai" log --verify
    [ "$status" -eq 0 ]
    [[ $output == *"6 rows of 1 run since "*": no change found" ]]
    run --separate-stderr "$ai" log --verify -o json
    [[ $output == '{"faults":[],"ok":true,"rows":6,"runs":1,"since":"'* ]]
    "$PYTHON3" - "$journal" <<'END'
import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as db:
    db.execute("UPDATE row SET body = '{}' WHERE seq = 4")
END
    run --separate-stderr "$ai" log --verify
    [ "$status" -eq 1 ]
    [[ $output == *"row 4 was changed or moved"* ]]
    run "$agentsh" doctor
    [[ $output == *"journal"*"1 fault on"* ]]
}

@test "journal = no keeps nothing" {
    home_config <<<$'[record]\njournal = no'
    run --separate-stderr "$ai" explain --offline ls
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
    [ ! -e "$journal" ]
}

@test "a journal that cannot be kept stops nothing and is told once" {
    mkdir -p "$XDG_STATE_HOME/agentsh"
    ln -s nowhere "$journal"
    run --separate-stderr "$ai" do --yes --plan plan.json
    [ "$status" -eq 0 ]
    [[ $stderr == *"this is not recorded: "*"is a symbolic link"* ]]
    [ "$(grep -c 'not recorded' <<<"$stderr")" -eq 1 ]
    [[ $output == *"found it"* ]]
}

@test "a damaged journal is left, and a new one started beside it" {
    mkdir -p "$XDG_STATE_HOME/agentsh"
    echo 'no database at all' >"$journal"
    run --separate-stderr "$ai" explain --offline ls
    [ "$status" -eq 0 ]
    [[ $stderr == *"started a new journal in "*"/journal-"* ]]
    [ "$(cat "$journal")" = 'no database at all' ]
    run --separate-stderr "$ai" explain --offline ls
    [ -z "$stderr" ]
    run "$ai" log
    [ "${#lines[@]}" -eq 3 ]
}
