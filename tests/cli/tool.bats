#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# tool.bats - agentsh tool: requests in, answers out; which tools there are, and
# which of them are used.
# shellcheck disable=SC2154,SC2164,SC2016 # set by bats' run; bats ends at
# errors; commands in quotes are for the program
# shellcheck disable=SC2030,SC2031 # each test is a shell of its own
bats_require_minimum_version 1.5.0
load ../lib/common

setup() {
    home_setup
    agentsh=$top_builddir/agentsh
    export agentsh
    "$agentsh" exec -- true 2>/dev/null || skip 'no sandbox here'
}

teardown() {
    home_done
}

# call STATUS REQUEST...: sets output and lines, an answer each.
call() {
    local wanted=$1

    shift
    printf '%s\n' "$@" >"$TEST_ROOT/requests"
    run "-$wanted" --separate-stderr "$agentsh" tool call \
        <"$TEST_ROOT/requests"
}

# command TEXT [MORE]: a request of cmd.run.
command_of() {
    "$PYTHON3" -c 'import json, sys
print(json.dumps({"tool": "cmd.run", "action": "execute",
                  "args": {"command": sys.argv[1],
                           **json.loads(sys.argv[2])}}))' "$1" "${2:-{\}}"
}

# read_of PATH: a request of fs.read_file.
read_of() {
    printf '{"tool":"fs.read_file","action":"read","args":{"path":"%s"}}' "$1"
}

# write_of PATH: one of fs.write_file.
write_of() {
    printf '{"tool":"fs.write_file","action":"write",'
    printf '"args":{"path":"%s","content":"x"}}' "$1"
}

# whole_log: all that the journal has of the last run.
whole_log() {
    run -0 "$agentsh" log -o json "$("$agentsh" log -o json |
        "$PYTHON3" -c 'import json, sys
print(json.load(sys.stdin)["runs"][0]["run"])')"
}

# is N EXPRESSION: of the answer a in line N, in Python.
is() {
    "$PYTHON3" -c 'import json, sys
a = json.loads(sys.argv[1])
m = a.get("meta", {})
if not eval("(" + sys.argv[2] + ")"):
    sys.exit(sys.argv[1] + ": " + sys.argv[2])' "${lines[$1]}" "$2"
}

# plugin NAME [NEEDS] [BODY]: one of the person's own.
plugin() {
    local dir=$XDG_DATA_HOME/agentsh/plugins/$1

    (umask 022 && mkdir -p "$dir")
    cat >"$dir/plugin.json" <<END
{"name": "$1", "version": "1", "summary": "about $1", "executable": "run",
 "needs": {${2:-}},
 "actions": {"do": {"summary": "does it", "read_only": true, "args": {
   "type": "object", "properties": {"path": {"type": "string"}}},
   "reads": ["path"]}}}
END
    {
        echo '#!/bin/sh'
        echo 'read -r line'
        echo "${3:-out=fine}"
        echo 'printf "{\"ok\":true,\"stdout\":\"%s\",\"stderr\":\"\"," "$out"'
        echo 'echo "\"meta\":{}}"'
    } >"$dir/run"
    chmod 755 "$dir/run"
    chmod 644 "$dir/plugin.json"
}

sha256_of() {
    "$agentsh" tool list -o json | "$PYTHON3" -c 'import json, sys
print([t["sha256"] for t in json.load(sys.stdin)["tools"]
       if t["name"] == sys.argv[1]][0])' "$1"
}

# ---- requests and answers

@test "each request has an answer with all four keys, in order" {
    echo text >a
    call 0 "$(command_of 'echo one; echo two >&2; exit 3')" '' \
        "$(read_of a)"
    [ "${#lines[@]}" -eq 2 ]
    is 0 'sorted(a) == ["meta", "ok", "stderr", "stdout"]'
    is 0 'a["ok"] and a["stdout"] == "one\n" and a["stderr"] == "two\n"'
    is 0 'm["exit_code"] == 3 and m["duration_ms"] >= 0'
    is 1 'a["stdout"] == "text\n" and m["duration_ms"] >= 0'
}

@test "what reads may run at once, and what writes runs in its turn" {
    local i requests=()

    printf old >file
    for i in {1..40}; do requests+=("$(read_of file)"); done
    requests+=("$(write_of file)")
    for i in {1..40}; do requests+=("$(read_of file)"); done
    requests+=('no json' "$(command_of 'printf new >file')" "$(read_of file)")
    call 1 "${requests[@]}"
    [ "${#lines[@]}" -eq 84 ]
    for i in 0 39; do is "$i" 'a["stdout"] == "old"'; done
    is 40 'a["ok"] and "bytes_written" in m'
    for i in 41 80; do is "$i" 'a["stdout"] == "x"'; done
    is 81 'm["error_code"] == "PARSE_ERROR"'
    is 83 'a["stdout"] == "new"'
    run -0 "$agentsh" log -o json "$("$agentsh" log -o json |
        "$PYTHON3" -c 'import json, sys
print(json.load(sys.stdin)["runs"][0]["run"])')"
    # each call stands before its result, whatever ran meanwhile
    "$PYTHON3" -c 'import json, sys
kinds = [e["kind"] for e in json.load(sys.stdin)["rows"]]
sys.exit(kinds != 84 * ["call", "result"] + ["end"])' <<<"$output"
}

@test "what is no request is told apart" {
    call 1 'garbage' '[]' '{"tool":"cmd.run","tool":"cmd.run"}' '{}' \
        '{"tool":1}' '{"tool":"cmd.rum","action":"execute"}' \
        '{"tool":"cmd.run"}' '{"tool":"cmd.run","action":"fly"}' \
        '{"tool":"cmd.run","action":"execute","args":[]}' \
        '{"tool":"cmd.run","action":"execute"}' \
        '{"tool":"cmd.run","action":"execute","args":{"command":5}}' \
        "$(read_of none)"
    is 0 'm["error_code"] == "PARSE_ERROR" and "byte 1" in a["stderr"]'
    is 1 'm["error_code"] == "INVALID_ARGS"'
    is 2 'm["error_code"] == "PARSE_ERROR" and "tool" in a["stderr"]'
    is 3 'm["error_code"] == "INVALID_ARGS" and "\"tool\"" in a["stderr"]'
    is 4 'm["error_code"] == "INVALID_ARGS" and "tool:" in a["stderr"]'
    is 5 'm["error_code"] == "NOT_FOUND" and "mean cmd.run?" in a["stderr"]'
    is 6 'm["error_code"] == "INVALID_ARGS" and "action" in a["stderr"]'
    is 7 'm["error_code"] == "INVALID_ARGS" and "fly" in a["stderr"]'
    is 8 'm["error_code"] == "INVALID_ARGS" and "args" in a["stderr"]'
    is 9 'm["error_code"] == "INVALID_ARGS" and "command" in a["stderr"]'
    is 10 'm["error_code"] == "INVALID_ARGS" and "command" in a["stderr"]'
    is 11 'm["error_code"] == "NOT_FOUND"'
}

@test "the last line needs no newline, and no line is no mistake" {
    run -0 --separate-stderr "$agentsh" tool call \
        < <(printf '%s' "$(command_of 'echo x')")
    is 0 'a["stdout"] == "x\n"'
    run -0 "$agentsh" tool call </dev/null
    [ -z "$output" ]
    run -0 --separate-stderr "$agentsh" tool call \
        < <(printf '%s\r\n' "$(command_of 'echo y')")
    is 0 'a["stdout"] == "y\n"'
}

@test "a line that is too long is answered, and the next one too" {
    {
        head -c 17000000 /dev/zero | tr '\0' a
        printf '\n%s\n' "$(command_of 'echo after')"
    } >"$TEST_ROOT/long"
    run -1 --separate-stderr "$agentsh" tool call <"$TEST_ROOT/long"
    [ "${#lines[@]}" -eq 2 ]
    is 0 'not a["ok"] and "longer" in a["stderr"]'
    is 1 'a["stdout"] == "after\n"'
}

@test "output comes as events where it is asked for" {
    call 0 "{\"stream\":true,\"step_id\":\"s\",$(command_of \
        'echo a; echo b >&2' | cut -c2-)"
    is 0 'a == {"event": "output", "step_id": "s", "stream": "stdout",
                "data": "a\n"} or a["stream"] == "stderr"'
    is 2 'a["ok"] and a["stdout"] == "a\n" and a["stderr"] == "b\n"'
}

@test "a time limit ends the command, with what it said so far" {
    call 1 "$(command_of 'echo early; sleep 20' '{"timeout_ms":300}')"
    is 0 'm["error_code"] == "TIMEOUT" and a["stdout"] == "early\n"'
}

@test "an unknown member is named, and a name stands for the tool" {
    call 1 '{"tool":"cmd.run","action":"execute","strem":true,"args":{}}'
    is 0 'm["error_code"] == "INVALID_ARGS" and "strem" in a["stderr"]'
    call 0 '{"id":1,"step_id":"s","stream":false,"timeout_ms":9000,'\
'"tool":"cmd.run","action":"execute","args":{"command":"true"}}'
    run -0 "$agentsh" tool call cmd.run \
        <<<'{"action":"execute","args":{"command":"echo it"}}'
    is 0 'a["stdout"] == "it\n"'
    run -1 "$agentsh" tool call cmd.run <<<'{"tool":1,"action":"execute"}'
}

@test "a name refuses every other tool" {
    printf '%s\n' "$(command_of 'echo x')" >rq
    run -1 --separate-stderr "$agentsh" tool call fs.read_file <rq
    is 0 'm["error_code"] == "INVALID_ARGS" and "fs.read_file" in a["stderr"]'
    run -0 --separate-stderr "$agentsh" tool call cmd.run <rq
    is 0 'a["ok"]'
    run -1 --separate-stderr "$agentsh" tool call nothing <rq
    [ -z "$output" ]
    run -2 "$agentsh" tool call cmd.run fs.read_file <rq
}

# ---- the rules

@test "what is asked about elsewhere is allowed, and what is denied is not" {
    mkdir -m 700 "$HOME/.ssh"
    echo key | tee "$HOME/.ssh/id_x" .env >/dev/null
    ln -s .env link
    echo old >old
    call 1 "$(command_of 'rm old')" "$(command_of 'rm -rf /')" \
        "$(command_of 'sudo -n true')" "$(read_of link)" \
        "$(read_of "$HOME/x/../.ssh/id_x")" "$(read_of ./.env)"
    [ ! -e old ]
    is 0 'a["ok"] and m["exit_code"] == 0'
    is 1 'm["error_code"] == "POLICY_DENIED" and "never" in m["rule"]'
    is 2 'm["error_code"] == "POLICY_DENIED" and
          "Command '\''sudo'\'' is blocked" in a["stderr"]'
    is 3 'm["error_code"] == "POLICY_DENIED" and "/.env" in a["stderr"]'
    is 4 'm["error_code"] == "POLICY_DENIED" and "/.ssh/" in a["stderr"]'
    is 5 'm["error_code"] == "POLICY_DENIED" and "/.env" in a["stderr"]'
}

@test "the rules of the person hold" {
    (umask 077 && mkdir -p "$XDG_CONFIG_HOME/agentsh")
    printf '%s\n' 'deny tool fs.write_file' 'deny read ./secret/**' \
        'deny command ls *' >"$XDG_CONFIG_HOME/agentsh/policy"
    chmod 600 "$XDG_CONFIG_HOME/agentsh/policy"
    call 1 "$(write_of a)" "$(read_of secret/x)" \
        "$(command_of 'ls -l')" "$(command_of 'echo x')"
    [ ! -e a ]
    for i in 0 1 2; do
        is "$i" 'm["error_code"] == "POLICY_DENIED" and
                 "policy:" in m["rule"]'
    done
    is 3 'a["ok"]'
}

@test "a file outside the workspace is written by its tool, not by a command" {
    mkdir "$HOME/there"
    call 0 "$(write_of "$HOME/there/a")" \
        "$(command_of "echo x >$HOME/there/b")"
    [ "$(cat "$HOME/there/a")" = x ]
    [ ! -e "$HOME/there/b" ]
    is 1 'm["exit_code"] != 0'
}

@test "a command has the variables and the input that its request gives" {
    # shellcheck disable=SC2016
    call 0 "$(command_of 'echo "$A"; cat' '{"env":{"A":"1 2"},"stdin":"in"}')" \
        "$(command_of 'echo ${A-unset}; wc -c')"
    is 0 'a["stdout"] == "1 2\nin"'
    is 1 'a["stdout"] == "unset\n0\n"'
}

@test "they are judged with the command" {
    # shellcheck disable=SC2016 # the command expands it
    call 1 "$(command_of 'rm -rf $D' '{"env":{"D":"/etc"}}')" \
        "$(command_of sh '{"stdin":"rm -rf /"}')" \
        "$(command_of cat '{"stdin":"rm -rf /"}')" \
        "$(command_of true '{"env":{"LD_PRELOAD":"none.so"}}')" \
        "$(command_of 'echo x' '{"env":{"A-B":"1"}}')" \
        "$(command_of 'sh' '{"stdin":"sudo -n true"}')"
    is 0 'm["error_code"] == "POLICY_DENIED" and "/etc" in a["stderr"]'
    is 1 'm["error_code"] == "POLICY_DENIED" and "delete" in a["stderr"]'
    is 2 'a["stdout"] == "rm -rf /"'
    is 3 'a["ok"]'
    is 4 'm["error_code"] == "INVALID_ARGS" and "A-B" in a["stderr"]'
    is 5 'm["error_code"] == "POLICY_DENIED" and "password" in a["stderr"]'
    whole_log
    [[ $output == *'LD_PRELOAD: a variable makes programs run unchecked'* ]]
}

@test "a variable that is a secret does not reach the journal" {
    call 0 "$(command_of 'echo ${#API_TOKEN} ${#B}' \
        '{"env":{"API_TOKEN":"horse-battery-1",
          "B":"ghp_abcdefghijklmnopqrstuvwxyz0123456789"}}')"
    is 0 'a["stdout"] == "15 40\n"'
    run -1 grep -rE 'horse-battery|ghp_abc' "$XDG_STATE_HOME"
    whole_log
    [[ $output == *API_TOKEN* && $output != *horse-battery* ]]
}

@test "a call has a terminal where it wants one" {
    call "$([ "$writing" = reduced ] && echo 1 || echo 0)" \
        "$(command_of 'test -t 0; echo $?' '{"tty":true}')" \
        "$(command_of 'test -t 0; echo $?' '{"tty":false}')"
    if [ "$writing" = reduced ]; then
        is 0 'm["error_code"] == "UNSUPPORTED" and "args.tty" in a["stderr"]'
    else
        is 0 'a["stdout"] == "0\r\n"'
    fi
    is 1 'a["stdout"] == "1\n"'
}

@test "a file is read and written as base64, and created only once" {
    run -1 --separate-stderr "$agentsh" tool call <<'END'
{"tool":"fs.write_file","action":"write","args":{"path":"b","content":"/wAK","encoding":"base64","exclusive":true}}
{"tool":"fs.read_file","action":"read","args":{"path":"b","encoding":"base64"}}
{"tool":"fs.write_file","action":"write","args":{"path":"b","content":"x","exclusive":true}}
{"tool":"fs.read_file","action":"read","args":{"path":"b","encoding":"utf8"}}
END
    is 0 'm["created"] and m["bytes_written"] == 3'
    is 1 'a["stdout"] == "/wAK" and m["end"] == 3'
    is 2 'm["error_code"] == "IO_ERROR" and "exists" in a["stderr"]'
    is 3 'm["error_code"] == "INVALID_ARGS" and "encoding" in a["stderr"]'
}

@test "a command works in the directory that its request names" {
    mkdir "$HOME/there" here
    call 0 "$(command_of 'echo x >n' '{"working_directory":"here"}')" \
        "$(command_of 'echo x >n' "{\"working_directory\":\"$HOME/there\"}")"
    [ -e "$HOME/there/n" ]
    [ -e here/n ]
    call 1 "$(command_of true '{"working_directory":"gone"}')"
    is 0 'm["error_code"] == "NOT_FOUND"'
}

@test "the home directory is no workspace" {
    cd "$HOME"
    call 0 "$(command_of 'pwd; echo x >n')"
    is 0 'a["stdout"].endswith("/home\n") and m["exit_code"] != 0'
    [ ! -e n ]
}

@test "what was called is in the journal" {
    call 1 "$(command_of 'echo secret-free')" "$(command_of 'rm -rf /')"
    run -0 "$agentsh" log
    [[ $output == *cmd.run* ]]
    whole_log
    [[ $output == *'echo secret-free'* ]]
    [[ $output == *POLICY_DENIED* ]]
}

@test "a request that is refused is in the journal as it was asked" {
    call 1 '{"tool":"cmd.run","action":"execute","args":{"comand":"ls"}}'
    whole_log
    [[ $output == *'"tool":"cmd.run","action":"execute"'*comand* ]]
    [[ $output == *INVALID_ARGS* ]]
    run -0 "$agentsh" log
    [[ ${lines[1]} =~ ^'✗ '.*'cmd.run  ' ]]
    call 1 'no json'
    run -0 "$agentsh" log
    [[ ${lines[1]} == '✗ '* ]]
}

@test "calls of tools are listed where there is nothing else, or on request" {
    call 0 "$(command_of true)"
    run -0 "$agentsh" log
    [ "${#lines[@]}" -eq 2 ]
    "$agentsh" explain --offline ls -l
    call 0 "$(command_of true)"
    run -0 "$agentsh" log -n 1
    [ "${#lines[@]}" -eq 2 ]
    [[ $output == *'  ls -l  '* ]]
    run -0 "$agentsh" log --tools
    [ "${#lines[@]}" -eq 4 ]
    [[ ${lines[1]} == '✓ '*'cmd.run  '* ]]
    run -0 "$agentsh" log -o json
    [ "$(grep -o '"run":' <<<"$output" | wc -l)" -eq 3 ]
    run -2 "$agentsh" log --verify --tools
}

@test "half a secret before what is kept does not reach the journal" {
    # what is looked at begins within the key, and shrinks to a few lines
    call 0 "$(command_of 'printf ghp_; printf %s {a..z} {0..9}; echo
n=$(printf "%03970d" 0); echo "password=Ab1$n"; echo "password=Ab1$n"
printf "%0205d" 0')"
    is 0 '"uvwxyz0123456789\n" in a["stdout"] and len(a["stdout"]) == 8212'
    run -0 grep -a -c password= "$XDG_STATE_HOME"/agentsh/journal.db*
    run ! grep -a -q uvwxyz0123456789 "$XDG_STATE_HOME"/agentsh/journal.db*
}

# ---- plugins that are not built in

@test "a plugin is used after a yes, until it is changed" {
    local request='{"tool":"mine","action":"do"}'

    plugin mine
    call 1 "$request" "$request"
    for i in 0 1; do
        is "$i" 'm["error_code"] == "POLICY_DENIED" and
                 "agentsh tool trust mine" in a["stderr"]'
    done
    run -5 "$agentsh" tool trust mine </dev/null
    [[ $output == *"To do: agentsh tool trust mine $(sha256_of mine)" ]]
    run -5 "$agentsh" tool trust mine "$(printf '%064d' 0)"
    run -2 "$agentsh" tool trust mine zzz
    run -2 "$agentsh" tool trust mine "$(sha256_of mine)" more
    run -2 "$agentsh" tool trust cmd.run zzz
    run -0 "$agentsh" tool trust mine "$(sha256_of mine)"
    run -0 "$agentsh" tool trust mine "$(sha256_of mine)"
    run -5 "$agentsh" tool trust mine "$(printf '%064d' 0)"
    [ "$(stat -c %a "$XDG_STATE_HOME/agentsh/trusted")" = 600 ]
    call 0 "$request"
    is 0 'a["stdout"] == "fine"'
    echo >>"$XDG_DATA_HOME/agentsh/plugins/mine/run"
    call 1 "$request"
    is 0 'm["error_code"] == "POLICY_DENIED" and "changed" in a["stderr"]'
}

@test "a plugin gets what it declares and no more" {
    plugin mine '"state": true, "read": ["workspace"]' \
        'out=$AGENTSH_WORKSPACE:$(cat a)
echo x >>"$AGENTSH_PLUGIN_STATE/n"
out=$out:$(wc -l <"$AGENTSH_PLUGIN_STATE/n")
(echo x >b) 2>/dev/null && out=wrote'
    run -0 "$agentsh" tool trust mine "$(sha256_of mine)"
    printf seen >a
    call 0 '{"tool":"mine","action":"do"}'
    is 0 "a['stdout'] == '$PWD:seen:1'"
    call 0 '{"tool":"mine","action":"do"}'
    is 0 "a['stdout'] == '$PWD:seen:2'"
    [ ! -e b ]
    [ "$(stat -c %a "$XDG_STATE_HOME/agentsh/plugins/mine")" = 700 ]
}

@test "a plugin that a command changes meanwhile is not started" {
    mkdir plugins
    plugin mine
    mv "$XDG_DATA_HOME/agentsh/plugins/mine" plugins
    export AGENTSH_PLUGIN_PATH=$PWD/plugins
    "$agentsh" tool trust mine "$(sha256_of mine)"
    call 1 '{"tool":"mine","action":"do"}' \
        "$(command_of 'echo echo hidden >>plugins/mine/run')" \
        '{"tool":"mine","action":"do"}'
    is 0 'a["ok"] and a["stdout"] == "fine"'
    is 1 'a["ok"]'
    is 2 'm["error_code"] == "POLICY_DENIED" and "changed" in a["stderr"]'
}

@test "a faulty plugin is told, and keeps nobody from the others" {
    plugin mine
    plugin other
    echo '{"name": "mine"' >"$XDG_DATA_HOME/agentsh/plugins/mine/plugin.json"
    call 1 '{"tool":"mine","action":"do"}' "$(command_of true)"
    is 0 '"plugins/mine/plugin.json" in a["stderr"]'
    is 1 'a["ok"]'
    run -0 "$agentsh" tool list
    [[ $output == *cmd.run*'built in'*mine*yours*faulty*plugin.json* ]]
    [[ $output == *other*'agentsh tool trust other'* ]]
    run -0 "$agentsh" doctor
    [[ $output == *tools*'mine: '*'other is new'* ]]
}

@test "a place that others may write is not used" {
    plugin mine
    chmod 777 "$XDG_DATA_HOME/agentsh/plugins"
    call 1 '{"tool":"mine","action":"do"}'
    is 0 '"is writable by others" in a["stderr"]'
}

@test "AGENTSH_PLUGIN_PATH names more places, absolute ones" {
    plugin mine
    mv "$XDG_DATA_HOME/agentsh/plugins" more
    run -0 env AGENTSH_PLUGIN_PATH=more "$agentsh" tool list
    [[ $output != *mine* ]]
    run -0 env AGENTSH_PLUGIN_PATH="/nowhere:$PWD/more" "$agentsh" tool list
    [[ $output == *mine*'plugin path'* ]]
}

@test "a directory of plugins that cannot be read is named, and no more" {
    mkdir -m 700 shut
    plugin mine
    export AGENTSH_PLUGIN_PATH=$PWD/shut
    if [ "$(id -u)" -eq 0 ]; then # whom a mode does not stop
        needs other-user
        chown -R 12345:12345 "$TEST_ROOT"
        as_user=(as_other_user)
    fi
    chmod 000 shut
    run -0 "${as_user[@]}" "$agentsh" tool list
    [[ $output == *"$PWD/shut"*faulty*'cannot be read: Permission denied'* ]]
    [[ $output == *cmd.run*mine* ]]
    run -0 --separate-stderr "${as_user[@]}" "$agentsh" sysinfo
    run -0 --separate-stderr "${as_user[@]}" "$agentsh" tool call \
        <<<"$(command_of 'echo ran')"
    is 0 'a["stdout"] == "ran\n"'
    [[ $stderr == *"$PWD/shut"*'cannot be read'* ]]
    [ "$(grep -c shut <<<"$stderr")" -eq 1 ]
    run "${as_user[@]}" "$agentsh" doctor
    [[ $output == *tools*"$PWD/shut: cannot be read"* ]]
}

@test "the columns of the list fit a long name" {
    local line origins=()

    plugin every.get-annotated-message-now # 31 letters
    run -0 "$agentsh" tool list
    for line in "${lines[@]}"; do
        case $line in
        cmd.run*) origins+=("${line%%built in*}") ;;
        every.*) origins+=("${line%%yours*}") ;;
        esac
    done
    [ "${#origins[0]}" -eq 33 ]
    [ "${#origins[1]}" -eq 33 ]
}

@test "the list for programs is one object" {
    plugin mine
    run -0 --separate-stderr "$agentsh" tool list -o json
    [ "${#lines[@]}" -eq 1 ]
    is 0 'all(t["source"] in ("builtin", "user") for t in a["tools"])'
    is 0 '[t["trust"] for t in a["tools"] if t["name"] == "mine"] == ["new"]'
    is 0 '[t for t in a["tools"] if t["name"] == "cmd.run"][0]["actions"][0]
          ["args"]["required"] == ["command"]'
    run -2 "$agentsh" tool list x
}

# ---- its end

@test "a signal ends the command and everything that it started" {
    mkfifo in
    "$agentsh" tool call <in >out 3>&- &
    exec 9>in
    command_of 'touch begun; sleep 300 & sleep 300' >&9
    poll [ -e begun ]
    kill -TERM $!
    wait $! || status=$?
    exec 9>&-
    [ "$status" -eq 143 ]
    [ ! -s out ]
}

@test "an answer that cannot be written is an error, and no more are called" {
    command_of 'echo x >>count' >one
    cat one one >rq
    run -1 --separate-stderr bash -c '"$agentsh" tool call <rq >/dev/full'
    [[ $stderr == *'standard output'*'No space left'* ]]
    [ "$(wc -l <count)" -eq 1 ]
}

@test "a reader that leaves ends it" {
    command_of 'echo x >>count' >one
    for _ in {1..200}; do cat one; done >rq
    "$agentsh" tool call <rq | head -n 1 >first
    [ "${PIPESTATUS[0]}" -eq 1 ]
    [ "$(wc -l <first)" -eq 1 ]
    [ "$(wc -l <count)" -lt 200 ]
}
