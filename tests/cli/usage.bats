#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# usage.bats - wrong calls are told what is right, and nothing runs.
# shellcheck disable=SC2154,SC2164 # set by bats' run; bats ends at errors
# shellcheck disable=SC2030,SC2031 # each test is a shell of its own
bats_require_minimum_version 1.5.0
load ../lib/common

setup() {
    home_setup
    ai=$top_builddir/ai
    agentsh=$top_builddir/agentsh
}

teardown() {
    home_done
}

wrong() {
    run --separate-stderr "$@" </dev/null
    [ "$status" -eq 2 ]
    [ -z "$output" ]
    [ "${#stderr_lines[@]}" -eq 1 ]
}

@test "a word that is no verb names the verbs" {
    wrong "$ai"
    [[ $stderr == *"do, run, explain, fix, undo, log, help"* ]]
    wrong "$agentsh" frobnicate
    [[ $stderr == *"--help lists them"* ]]
}

@test "wrong options say what is wrong with them" {
    wrong "$ai" run --frob x
    [[ $stderr == *"--frob"* ]]
    wrong "$ai" run -o yaml x
    [[ $stderr == *"text|json|jsonl"* ]]
    wrong "$ai" run --model
    wrong "$ai" run --yes=1 x
    wrong "$ai" -Z run x
}

@test "a wish without words is asked for" {
    for words in "" " " $'\t \n'; do
        wrong "$ai" "do" "$words"
        [[ $stderr == *"missing request"* ]]
    done
}

@test "bytes that are no text are not explained up to the first NUL" {
    printf 'ls -l\0rm x' >line
    run --separate-stderr "$ai" explain --offline <line
    [[ $output == *"needs a model"* ]]
    [[ $output != *"lists the files"* ]]
}

# member EXPRESSION: of d, the JSON of $printed.
member() {
    "$PYTHON3" -c 'import json, sys
d = json.loads(sys.argv[1])
print(eval("(" + sys.argv[2] + ")"))' "$printed" "$1"
}

@test "the version as JSON has features, and the walls as doctor has them" {
    needs python3
    "$agentsh" doctor -o json >doctor.json
    for call in "$agentsh --version -o json" "$agentsh -o json -V" \
        "$agentsh doctor --version -o json" "$ai --version -o json"; do
        # shellcheck disable=SC2086 # words
        run --separate-stderr $call
        [ "$status" -eq 0 ]
        [ -z "$stderr" ]
        [ "${#lines[@]}" -eq 1 ]
        printed=$output
        [ "$(member 'd["name"] + " " + d["version"]')" = \
            "$("$agentsh" --version)" ]
        for library in libcurl readline sqlite3 libseccomp bash; do
            [[ $(member "d['features']['libraries']['$library']") == [0-9]* ]]
        done
        [[ $(member 'd["features"]["profiles"]') == *workspace-write* ]]
        [[ $(member 'd["walls"]["files_kept_by"]') == \
            @(namespaces|landlock|none) ]]
        [ "$(member '[k for k in d["walls"]
            if k not in ("files_kept_by", "landlock_abi")
            and d["walls"][k] != json.load(open("doctor.json"))[k]]')" = '[]' ]
        [ "$(member '(d["walls"]["landlock_abi"] > 0) <=
            d["walls"]["landlock"]["ok"]')" = True ]
        [ "$(member 'len(d["walls"]) > 10')" = True ]
    done
}

@test "the version alone loads nothing but the program" {
    cp "$agentsh" ./agentsh
    run ./agentsh --version
    [ "$status" -eq 0 ]
    [[ $output == agentsh\ [0-9]* ]]
}

@test "help and version are answered on standard output" {
    for call in "$ai --help" "$ai do --help" "$agentsh --help" \
        "$agentsh action check -h"; do
        # shellcheck disable=SC2086 # words
        run --separate-stderr $call
        [ "$status" -eq 0 ]
        [[ $output == Usage:* ]]
        [ -z "$stderr" ]
    done
    run "$ai" --version
    [[ $output == agentsh* ]]
}

@test "a result that cannot be written is an error" {
    echo '{"kind":"command_sequence","summary":"s","steps":[
{"id":"1","description":"d","shell_command":"echo hi"}]}' >p.json
    for call in --version --help "explain --offline ls" \
        "-o json explain --offline ls" "do --dry-run --plan p.json" \
        "do -y --plan p.json" "do -y -o json --plan p.json" \
        "do -y -o jsonl --plan p.json"; do
        # shellcheck disable=SC2086 # words
        run --separate-stderr bash -c '"$@" >/dev/full </dev/null' - \
            "$ai" $call
        [ "$status" -eq 1 ]
        [[ $stderr == *"ai: standard output: write: "* ]]
    done
}

@test "closed descriptors stay nobody's" {
    echo '{"kind":"command_sequence","summary":"s","steps":[
{"id":"1","description":"d","shell_command":"cat; echo end"}]}' \
        >p.json
    run -1 bash -c '"$@" <&- >&- 2>&-' - "$ai" --version
    run --separate-stderr -0 bash -c '"$@" <&-' - "$ai" run --plan p.json -y
    [ "$output" = end ]
}

@test "a reader that leaves is told nothing" {
    mkfifo gone
    echo '{"kind":"command_sequence","summary":"s","steps":[
{"id":"1","description":"d","shell_command":"seq 100000"}]}' >p.json
    for call in "ai --version" "ai --help" "ai explain --offline ls" \
        "ai list files --dry-run" "ai log" "ai do -qy --plan p.json" \
        "ai do -y -o jsonl --plan p.json" "ai help" "agentsh tool list" \
        "agentsh policy test ls" "agentsh completion bash" \
        "agentsh init zsh" "agentsh doctor" "agentsh offline list files" \
        "agentsh action check p.json" "agentsh exec -- seq 100000"; do
        # both ends open, so that neither waits, and then no reader
        # shellcheck disable=SC2086 # words
        run --separate-stderr bash -c \
            'exec 8<>gone 9>gone 8<&-; "$@" >&9 9>&- </dev/null' - \
            "$top_builddir"/$call
        [ "$status" -eq 141 ]
        [ -z "$stderr" ]
    done
}

@test "a configuration with a mistake is exit 2 and names the line" {
    printf '[model]\nmodle = x\n' | home_config
    run --separate-stderr "$ai" run hello </dev/null
    [ "$status" -eq 2 ]
    [[ $stderr == *"config:2"* ]]
    [[ $stderr == *'"model"'* ]]
}

@test "action check prints an action with its defaults, or why not" {
    run --separate-stderr "$agentsh" action check \
        <<<'Sure: {"kind":"command_sequence","steps":[{"id":"1","description":"d","shell_command":"ls"}]}'
    [ "$status" -eq 0 ]
    [[ $output == *'"is_destructive":false'* ]]
    run --separate-stderr "$agentsh" action check --mode explain \
        <<<'{"kind":"command_sequence","steps":[{"id":"1","description":"d","shell_command":"ls"}]}'
    [ "$status" -eq 4 ]
    [[ $stderr == *answer_only* ]]
    echo '{"kind":"nonsense"}' >a.json
    run --separate-stderr "$agentsh" action check a.json
    [ "$status" -eq 4 ]
}

@test "action check --lines answers each line" {
    run --separate-stderr "$agentsh" action check --lines <<'END'
{"text":"plain","mode":"run"}
{"text":"{\"kind\":","mode":"run"}
nonsense
{"text":"x","mode":"later"}
END
    [ "$status" -eq 0 ]
    [ "${#lines[@]}" -eq 4 ]
    [[ ${lines[0]} == *'"summary":"plain"'* ]]
    for i in 1 2 3; do
        [[ ${lines[i]} == *'"code":"NOT_AN_ACTION"'* ]]
    done
}

@test "action check --lines goes on after an answer of many megabytes" {
    "$PYTHON3" -c '
import json
print(json.dumps({"text": "\"" * (6 << 20)}))
print(json.dumps({"text": "\1" * (8 << 20)}))
print(json.dumps({"text": "plain"}))' >lines
    "$agentsh" action check --lines <lines >out
    [ "$(wc -l <out)" -eq 3 ]
    [[ $(tail -n 1 out) == *'"summary":"plain"'* ]]
    [ "$(wc -c <out)" -gt $((12 << 20)) ]
}

@test "doctor says what works, also as JSON" {
    run "$agentsh" doctor
    [ "$status" -eq 0 ]
    [[ $output == *seccomp* ]]
    run "$agentsh" doctor -o json
    [ "$status" -eq 0 ]
    "$PYTHON3" -c 'import json, sys; json.load(sys.stdin)' <<<"$output"
}

# verdict WORDS: doctor begins with this, or says before what the machine is.
verdict() {
    [ "$writing" != reduced ] || [[ ${lines[0]} != *"namespaces"* ]] ||
        lines=("${lines[@]:1}")
    # shellcheck disable=SC2053 # a pattern
    [[ ${lines[0]} == $1 ]]
}

@test "doctor begins with a verdict, folds what is fine and tells a choice" {
    run -0 env -u AGENTSH_SESSION "$agentsh" doctor
    verdict 'Ready*2 things to do: choose a model; load the shell hook.'
    [[ $output == *$'\nYou\n'*$'\nModel\n'*$'\nSandbox\n'* ]]
    [[ $output == *'– shell hook '*'✓ configuration, rules, '*'– model '* ]]
    [[ $output != *'preset standard'* && $output != *"$HOME"* ]]
    [[ $output == *'doctor -v'* ]]
    run -0 env AGENTSH_SESSION=x "$agentsh" doctor --verbose
    verdict '*1 thing to do: choose a model.'
    [[ $output == *'✓ rules '*'preset standard'*'✓ model process '* ]]
    [[ $output != *'doctor -v'* ]]
}

@test "doctor takes no model for a choice that was made" {
    run -0 env AGENTSH_SESSION=x AGENTSH_PROVIDER=offline "$agentsh" doctor -v
    verdict 'Ready*'
    [[ ${lines[0]} != *'to do'* ]]
    [[ $output == *'✓ model '*'as you chose'* ]]
}

@test "doctor names what is at fault before what may be done" {
    home_config <<<'frob = 1'
    run -0 "$agentsh" doctor
    verdict 'Not ready: configuration,*'
    [[ $output == *'✗ configuration '*frob* ]]
    run -0 "$agentsh" doctor -o json
    [[ $output == *'"configuration":{"ok":false,'* ]]
}

@test "the first word of verbs names what may follow it, and has help" {
    agentsh=$top_builddir/agentsh
    run -2 "$agentsh" tool
    [ "$output" = 'agentsh: missing verb of tool: list, call, trust' ]
    run -2 "$agentsh" plugin zzz
    [[ $output == *"unknown verb 'plugin zzz'; verbs of plugin: check, new" ]]
    run -0 "$agentsh" tool --help
    [[ $output == *'agentsh [option…] tool VERB'*'tool trust '* ]]
    [[ $output != *policy* ]]
    run -2 "$agentsh" tool --zzz
}

@test "a long list of verbs is left to --help, and never cut" {
    agentsh=$top_builddir/agentsh
    run -2 "$agentsh" zzz
    [ "$output" = "agentsh: unknown verb 'zzz' (agentsh --help lists them)" ]
    run -2 "$agentsh" sysinf
    [[ $output == *"did you mean sysinfo? (agentsh --help)" ]]
}
