#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# plan.bats - saved plans without a terminal: what runs, what is refused, and
# what a script is told.
# shellcheck disable=SC2154,SC2164,SC2016 # set by bats' run; bats ends at
# errors; commands in quotes are for the program
bats_require_minimum_version 1.5.0
load ../lib/common

setup() {
    home_setup
    ai=$top_builddir/ai
}

teardown() {
    home_done
}

# plan COMMAND [MORE]: a plan of one step, in p.json.
plan() {
    COMMAND=$1 MORE=${2:-} "$PYTHON3" -c '
import json, os
step = {"id": "1", "description": "It", "shell_command": os.environ["COMMAND"]}
step.update(json.loads(os.environ["MORE"] or "{}"))
print(json.dumps({"kind": "command_sequence", "summary": "s",
                  "steps": [step]}))' >p.json
}

go() {
    run --separate-stderr "$ai" run --plan p.json "$@" </dev/null
}

@test "without --yes and without a terminal every review is exit 5" {
    plan 'echo hi'
    go
    [ "$status" -eq 5 ]
    [ -z "$output" ]
    [[ $stderr == *"needs your approval"* ]]
}

@test "--yes approves what only looks, and the output is the command's alone" {
    plan 'echo hi'
    go --yes
    [ "$status" -eq 0 ]
    [ "$output" = hi ]
}

@test "--yes approves a new file below the working directory, and appending" {
    plan 'echo one > new; echo two >> new'
    go -y
    [ "$status" -eq 0 ]
    [ "$(cat new)" = $'one\ntwo' ]
}

@test "--yes does not approve overwriting a file" {
    echo old >new
    plan 'echo one > new'
    go -y
    [ "$status" -eq 5 ]
    [[ $stderr == *overwrites* ]]
    [ "$(cat new)" = old ]
}

@test "--yes does not approve what one step makes of the next one" {
    cat >p.json <<'END'
{"kind":"command_sequence","summary":"s","steps":[
{"id":"1","description":"a","shell_command":"echo one > new"},
{"id":"2","description":"b","shell_command":"echo two > new"}]}
END
    go -y
    [ "$status" -eq 5 ]
    [ "$(cat new)" = one ]
}

@test "a step that looks at the machine may write what it saw here" {
    plan 'ps >seen; ps | tee -a seen >/dev/null; wc -l <seen'
    go -y
    [ "$status" -eq 0 ]
    [ -s seen ]
}

@test "--yes does not approve what the model flags" {
    for flag in needs_confirmation is_destructive; do
        plan 'echo hi' "{\"$flag\":true}"
        go -y
        [ "$status" -eq 5 ]
        [ -z "$output" ]
    done
}

@test "--yes does not approve another program, or a file elsewhere" {
    for command in 'rm p.json' "echo x > $TEST_ROOT/no" 'make' \
        'echo $(rm p.json)' 'echo x > ../x' 'cat ~/.ssh/id_rsa'; do
        plan "$command"
        go -y
        [ "$status" -eq 5 ]
    done
    [ ! -e "$TEST_ROOT/no" ]
    [ ! -e "$TEST_ROOT/x" ]
    [ ! -e x ]
}

@test "what runs is what was shown, whatever the shell's environment says" {
    echo 'echo FIRST; cat() { echo FAKE; }' >first.sh
    echo real >a
    plan 'ls a; cat a'
    # shellcheck disable=SC2317 # it must not be called
    ls() { echo FAKE; }
    export -f ls
    export BASH_ENV=$PWD/first.sh ENV=$PWD/first.sh
    go -y
    unset BASH_ENV ENV
    unset -f ls
    [ "$status" -eq 0 ]
    [ "$output" = $'a\nreal' ]
}

@test "a working directory of another person's home is refused" {
    plan pwd '{"working_directory":"~root"}'
    go -y
    [ "$status" -eq 2 ]
    [ -z "$output" ]
    [[ $stderr == *"~root"* ]]
    [[ $stderr == *"~/"* ]]
    plan pwd '{"working_directory":"~"}'
    go -y
    [ "$output" = "$HOME" ]
}

@test "a step that needs sudo is refused with the command to type" {
    plan 'sudo -n true'
    go -y
    [ "$status" -eq 5 ]
    [[ $stderr == *"needs sudo, which runs after a yes at your own terminal"* ]]
    [[ $stderr == *"sudo -n true"* ]]
}

@test "a step that wants a terminal says so before the yes, and asks for it" {
    plan 'vim a.txt'
    go --dry-run
    [ "$status" -eq 0 ]
    [[ $output == *"it needs a terminal, which a step does not have"* ]]
    go --yes
    [ "$status" -eq 5 ]
    [ ! -e a.txt ]
}

@test "a missing working directory is an error before anything runs" {
    cat >p.json <<'END'
{"kind":"plan_and_commands","summary":"s","steps":[
{"id":"1","description":"a","shell_command":"echo one > new"},
{"id":"2","description":"b","shell_command":"pwd",
 "working_directory":"/nonexistent/here"}]}
END
    go -y
    [ "$status" -eq 1 ]
    [[ $stderr == *"/nonexistent/here"* ]]
    [ ! -e new ]
}

@test "working_directory is where a step runs" {
    mkdir sub
    plan pwd '{"working_directory":"sub"}'
    go -y
    [ "$output" = "$PWD/sub" ]
}

@test "several steps leave nothing behind that was made for them" {
    cat >p.json <<'END'
{"kind":"command_sequence","summary":"s","steps":[
{"id":"1","description":"a","shell_command":"echo one > new; sleep 1234 &"},
{"id":"2","description":"b","shell_command":"echo two > other"},
{"id":"3","description":"c","shell_command":"cat new other"}]}
END
    go -y
    [ "$status" -eq 0 ]
    [ "$output" = $'one\ntwo' ]
    [ ! -e .agentsh ]
    [ ! -e .git ]
    [ "$(ls)" = $'new\nother\np.json' ]
}

@test "a failing step is exit 1, and its own status is in the JSON" {
    plan 'ls /nonexistent/x'
    go -y -o json
    [ "$status" -eq 1 ]
    [ "$("$PYTHON3" -c 'import json, sys; j = json.load(sys.stdin)
print(j["exit_code"], j["success"], j["exit_status"],
      j["steps"][0]["stderr"].count("nonexistent"))' <<<"$output")" = \
        "2 False 1 1" ]
}

@test "-o json is one object and nothing else" {
    plan 'echo out; echo err >&2'
    go -y -o json
    [ "$status" -eq 0 ]
    [ "$("$PYTHON3" -c 'import json, sys; j = json.loads(sys.stdin.read())
s = j["steps"][0]
print(repr(s["stdout"]), repr(s["stderr"]), s["ran"], len(j["sha256"]))' \
        <<<"$output")" = "'out\\n' 'err\\n' True 64" ]
}

@test "-o json of a refused plan says so too" {
    plan 'rm x'
    go -o json
    [ "$status" -eq 5 ]
    [ "$("$PYTHON3" -c 'import json, sys; j = json.loads(sys.stdin.read())
print(j["error"]["code"], j["exit_status"], j["steps"][0]["ran"])' \
        <<<"$output")" = "POLICY_DENIED 5 False" ]
}

@test "-o jsonl is the plan and then the events" {
    plan 'echo out'
    go -y -o jsonl
    [ "$status" -eq 0 ]
    [ "$("$PYTHON3" -c 'import json, sys
j = [json.loads(line) for line in sys.stdin]
print(j[0]["kind"], [e["event"] for e in j[1:]], j[1]["data"].strip(),
      j[2]["exit_code"], j[3]["steps_executed"])' <<<"$output")" = \
        "command_sequence ['output', 'step_complete', 'plan_complete'] out 0 1" ]
}

@test "--dry-run prints the plan on standard output and runs nothing" {
    plan 'touch x'
    go --dry-run
    [ "$status" -eq 0 ]
    [[ $output == *"touch x"* ]]
    [ ! -e x ]
}

@test "--plan of a file that cannot be read is wrong usage" {
    for file in nosuch.json .; do
        run --separate-stderr "$ai" run --plan "$file" </dev/null
        [ "$status" -eq 2 ]
        [ -z "$output" ]
        [[ $stderr == *"--plan: $file: "* ]]
    done
}

@test "--plan with words beside it is wrong usage, and nothing runs" {
    plan 'touch ran'
    run --separate-stderr "$ai" run -y --plan p.json more words </dev/null
    [ "$status" -eq 2 ]
    [[ $stderr == *'no other words: "more words"'* ]]
    [ ! -e ran ]
}

@test "--plan says that standard input is not read" {
    plan 'echo hi'
    echo data >in
    run --separate-stderr "$ai" run -y --plan p.json <in
    [ "$status" -eq 0 ]
    [ "$output" = hi ]
    [[ $stderr == *"standard input is ignored"* ]]
    go -y
    [[ $stderr != *"standard input"* ]]
}

@test "--plan-out saves a plan that --plan runs" {
    plan 'echo hi'
    go --plan-out q.json
    [ "$status" -eq 0 ]
    [ "$(stat -c %a q.json)" = 600 ]
    run --separate-stderr "$ai" "do" -y --plan q.json </dev/null
    [ "$status" -eq 0 ]
    [ "$output" = hi ]
}

@test "the longest plan can be saved and loaded" {
    "$PYTHON3" -c '
import json
step = {"description": "d" * 99999, "shell_command": ":" + "\1" * 16383}
print(json.dumps({"kind": "command_sequence", "summary": "s",
                  "steps": [{"id": str(i), **step} for i in range(32)]}))' \
        >p.json
    go --plan-out q.json
    [ "$status" -eq 0 ]
    [ "$(stat -c %s q.json)" -gt $((6 << 20)) ]
    run --separate-stderr "$ai" run --plan q.json --dry-run </dev/null
    [ "$status" -eq 0 ]
}

@test "--plan-out writes through a link, and into what is no regular file" {
    plan 'echo hi'
    ln -s q.json link
    go --plan-out link
    [ "$status" -eq 0 ]
    [ -h link ]
    grep -q 'echo hi' q.json
    mkfifo pipe
    exec 8<>pipe
    go --plan-out pipe
    [ "$status" -eq 0 ]
    [ -p pipe ]
    read -r saved <&8
    exec 8<&-
    [[ $saved == *'echo hi'* ]]
}

@test "a file that is no plan is refused with the reason" {
    for text in '' '{' '[]' '{"kind":"answer_only","summary":"x"}' \
        '{"kind":"command_sequence","steps":[{"id":"1"}]}'; do
        printf '%s' "$text" >p.json
        go -y
        [ "$status" -eq 2 ]
        [[ $stderr == *"p.json is not a plan"* ]]
    done
    rm p.json
    go -y
    [ "$status" -eq 2 ]
}

@test "commands run with no new privileges, behind a filter, without keys" {
    mkdir -p "$XDG_CONFIG_HOME/agentsh"
    echo 'allow command printenv' >"$XDG_CONFIG_HOME/agentsh/policy"
    plan 'grep -E "^(NoNewPrivs|Seccomp):" /proc/self/status; printenv'
    OPENAI_API_KEY=sk-secret MARK=seen go -y
    [ "$status" -eq 0 ]
    [[ $output == *$'NoNewPrivs:\t1'* ]]
    [[ $output == *$'Seccomp:\t2'* ]]
    [[ $output == *$'\nAGENTSH=1'* ]]
    [[ $output != *MARK=* ]]
    [[ $output != *sk-secret* ]]
}

@test "a megabyte of output comes through whole" {
    head -c 1000000 /dev/zero | tr '\0' x >big
    plan 'cat big'
    go -y
    [ "$status" -eq 0 ]
    [ "${#output}" -eq 1000000 ]
}

@test "a step may write where it says, though its files are found when it runs" {
    mkdir "$HOME/album" from
    touch from/a.jpg
    for command in 'find from -name "*.jpg" -exec mv -t ~/album {} +' \
        'find from -name "*.jpg" -exec cp -n -t ~/album {} +' \
        'find from -name "*.jpg" -exec ln -s -t ~/album {} +' \
        'find from -name "*.jpg" -print0 | xargs -0 mv -n -t ~/album' \
        'cp "$x" ~/album'; do
        plan "$command"
        go --dry-run
        [[ $output == *'full (writes ~/album/'* ]]
    done
    plan 'find from -name "*.jpg" -exec mv -n -t from {} +'
    go --dry-run
    [[ $output == *'writes only in this directory'* ]]
}
