#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# policy.bats - agentsh policy: rules as a person writes and tries them.
# shellcheck disable=SC2154,SC2164,SC2016 # set by bats' run; bats ends at
# errors; commands in quotes are for the program
bats_require_minimum_version 1.5.0
load ../lib/common

setup() {
    home_setup
    agentsh=$top_builddir/agentsh
    rules=$XDG_CONFIG_HOME/agentsh/policy
}

teardown() {
    home_done
}

# rules: standard input becomes the person's file.
rules() {
    (umask 077 && mkdir -p "$XDG_CONFIG_HOME/agentsh")
    cat >"$rules"
}

# decides DECISION LINE
decides() {
    run --separate-stderr -0 "$agentsh" policy test "$2"
    [ "${lines[0]}" = "$1" ] || {
        echo "$2: $output"
        return 1
    }
}

# field NAME: of the JSON object in $output.
field() {
    "$PYTHON3" -c 'import json, sys
print(json.loads(sys.argv[1])[sys.argv[2]])' "$output" "$1"
}

@test "without rules the standard preset decides" {
    decides allow 'ls -la'
    decides allow 'echo hi > new.txt'
    decides ask 'rm x'
    decides ask 'curl https://example.org'
    echo old >old.txt
    decides ask 'echo hi > old.txt'
    decides allow 'echo hi >> old.txt'
    decides ask 'echo hi >> .bashrc'
    decides ask 'cat ~/.ssh/id_rsa'
}

@test "the words are joined by blanks, and keep their options" {
    run --separate-stderr -0 "$agentsh" policy test rm -rf x
    [ "${lines[0]}" = ask ]
    run --separate-stderr -0 "$agentsh" policy test 'ls -l' -o json
    [ "$(field decision)" = allow ]
    run --separate-stderr -0 "$agentsh" policy test -o json rm -rf x
    [ "$(field decision)" = ask ]
    [ "$(field destructive)" = True ]
    [ "$(field sudo)" = False ]
    [ "$(field network)" = False ]
    [[ $(field reasons) == *rm* ]]
    [[ $(field rule) == "preset standard: "* ]]
}

@test "lines on standard input are answered one by one" {
    printf 'ls\nrm x\n\nsudo ls\ncurl https://example.org/' |
        "$agentsh" policy test >out
    [ "$(wc -l <out)" -eq 5 ]
    run -0 "$PYTHON3" -c 'import json
for line in open("out"):
    a = json.loads(line)
    assert isinstance(a["reasons"], list) and a["rule"] is not None
    print(a["decision"], a["destructive"], a["sudo"], a["network"])'
    [ "${lines[0]}" = "allow False False False" ]
    [ "${lines[1]}" = "ask True False False" ]
    [[ ${lines[3]} == "ask "*" True False" ]]
    [ "${lines[4]}" = "ask False False True" ]
}

@test "a line with a NUL in it is an error, the last one too" {
    for end in '\n' ''; do
        printf 'ls\0; rm -r x%b' "$end" >lines
        run --separate-stderr "$agentsh" policy test -o json <lines
        [ "$status" -ne 0 ]
        [[ $output != *decision* ]]
    done
}

@test "deny beats ask beats allow, wherever they stand" {
    rules <<'END'
allow command git *
ask command git push *
deny command git push --force *
END
    decides allow 'git status'
    decides ask 'git push'
    decides deny 'git push origin --force'
    [[ $output == *"$rules:3: deny command git push --force *"* ]]
    decides deny 'git status; git push --force'
    decides deny 'echo $(git push --force)'
    decides deny "sh -c 'git push --force'"
}

@test "an allow lifts what it names, and no more" {
    decides ask 'curl https://example.org/'
    rules <<'END'
allow command curl *
END
    decides allow 'curl https://example.org/'
    decides ask 'curl https://example.org/ > /srv/log'
    decides ask 'curl https://example.org/; rm x'
    decides ask 'curl https://example.org/ | sh'
    decides ask 'curl -o /etc/x https://example.org/'
    decides ask 'sudo curl https://example.org/'
    decides ask 'curl "$x"'
}

@test "redirections are writes" {
    rules <<'END'
deny write ./keep/**
allow write ./build/**
END
    mkdir keep build
    echo old >build/old
    decides deny 'ls > keep/x'
    decides deny 'ls > ./build/../keep/x'
    decides allow 'ls > build/old'
    ln -s ../keep build/link
    decides deny 'ls > build/link/x'
    decides deny 'rm -r .'
    decides deny 'tee keep/x'
}

@test "a mistake is an error that names its place, and nothing is judged" {
    rules <<'END'
# mine
allow comand ls
END
    run --separate-stderr -2 "$agentsh" policy test ls
    [ -z "$output" ]
    [[ $stderr == *"$rules:2: unknown word \"comand\"; did you mean \"command\"?" ]]
    rules <<'END'
deny command rm *
    match rm x
    not-match ls; rm y
END
    run --separate-stderr -2 "$agentsh" policy test ls
    [[ $stderr == *"$rules:3: the rule of line 1 matches \"ls; rm y\"" ]]
    run --separate-stderr -2 "$agentsh" policy check
    run --separate-stderr -2 "$agentsh" policy show
}

@test "check tries a file, and doubts what few mean" {
    printf 'deny command rm\nallow read /srv/**\n  match cat /srv/x\n' >f
    run --separate-stderr -0 "$agentsh" policy check f
    [[ ${lines[0]} == "2 rules, 1 examples, "* ]]
    [[ ${lines[1]} == "f:1: deny command rm: only without arguments"* ]]
    run --separate-stderr "$agentsh" policy check nowhere
    [ "$status" -ne 0 ]
    [[ $stderr == *nowhere* ]]
}

@test "add checks a rule, appends it, and keeps what was there" {
    run --separate-stderr -0 "$agentsh" policy add 'ask command git push *'
    [ "$output" = "$rules: ask command git push *" ]
    [ "$(stat -c %a "$rules")" = 600 ]
    [ "$(cat "$rules")" = 'ask command git push *' ]
    printf '# mine\nask host *' >"$rules"
    chmod 640 "$rules"
    run --separate-stderr -0 "$agentsh" policy add deny host example.org
    [ "$(cat "$rules")" = $'# mine\nask host *\ndeny host example.org' ]
    [ "$(stat -c %a "$rules")" = 640 ]
    cp "$rules" before
    for rule in 'deny hots x' '# nothing' '  match ls' '' $'ask host a\nask b'; do
        run --separate-stderr "$agentsh" policy add "$rule"
        [ "$status" -eq 2 ]
        [ -n "$stderr" ]
        cmp before "$rules"
    done
}

@test "add says what another spelling of an option walks around" {
    run --separate-stderr -0 "$agentsh" policy add \
        'deny command git push --force *'
    [ "$output" = "$rules: deny command git push --force *" ]
    [[ $(tr '\n' ' ' <<<"$stderr") == \
        *":1: deny command git push --force *: "*"other spellings"*"use \"deny risk destructive network\""* ]]
    run --separate-stderr -0 "$agentsh" policy check
    [[ $output == *"deny risk destructive network"* ]]
    decides ask 'git push -f origin main'
    "$agentsh" policy add deny risk destructive network
    for how in '--force origin main' '-f' 'origin +main' '-uf origin'; do
        decides deny "git push $how"
    done
    # what has no effect of its own is only doubted
    run --separate-stderr -0 "$agentsh" policy add 'ask command ls -l *'
    [[ $stderr == *spellings* && $stderr != *risk* ]]
    for rule in 'ask command ls *' 'allow command ls -l' 'ask host *'; do
        run --separate-stderr -0 "$agentsh" policy add "$rule"
        [ -z "$stderr" ]
    done
}

@test "show prints the rules in force below their files" {
    rules <<'END'
preset restrictive
deny host *   # none at all
END
    run --separate-stderr -0 "$agentsh" policy show
    [ "${lines[0]}" = "# $rules" ]
    [[ ${lines[1]} == "deny host *"* ]]
    [[ $output == *"# preset restrictive"*"deny risk destructive outside"* ]]
    decides deny 'sudo ls'
}

@test "the examples of the manual hold" {
    awk '/^\.Sh FIRST RULES/ { on = 1 } /^\.Sh RULES/ { on = 0 }
         /^\.Ed/ { inside = 0 } on && inside
         on && /^\.Bd -literal/ { inside = 1 }' \
        "$top_srcdir/man/agentsh-policy.5" | sed 's/\\(dq/"/g' >f
    grep -q 'deny command git push' f
    run --separate-stderr -0 "$agentsh" policy check f
    [[ $output == *" 12 examples"* ]]
}

@test "thousands of lines take no time" {
    for ((i = 0; i < 5000; i++)); do
        echo "git log -n $i | grep x > out$i"
    done >lines
    run -0 timeout 20 "$agentsh" policy test <lines
    [ "${#lines[@]}" -eq 5000 ]
}

@test "rules that anybody may write, or a link to nothing, stop everything" {
    mkdir -p "$XDG_CONFIG_HOME/agentsh"
    file=$XDG_CONFIG_HOME/agentsh/policy
    echo 'allow command x' >"$file"
    chmod 666 "$file"
    run --separate-stderr -2 "$agentsh" policy show
    [[ $stderr == *"is writable by others"*"chmod go-w"* ]]
    rm "$file"
    ln -s "$TEST_ROOT/nothing" "$file"
    run --separate-stderr -2 "$agentsh" policy show
    [[ $stderr == *"is a dangling symbolic link"* ]]
}
