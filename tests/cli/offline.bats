#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# offline.bats - the engine alone: a request a line in, an object a line out.
# shellcheck disable=SC2154,SC2164,SC2016 # set by bats' run; bats ends at
# errors; commands in quotes are for the program
bats_require_minimum_version 1.5.0
load ../lib/common

setup() {
    home_setup
    agentsh=$top_builddir/agentsh
}

teardown() {
    home_done
}

# value EXPRESSION: of the objects d that the last command printed, a line each.
value() {
    printf '%s\n' "$output" | "$PYTHON3" -c '
import json, sys
d = [json.loads(line) for line in sys.stdin]
print(eval(sys.argv[1]))' "$1"
}

@test "each line is answered by one object, in order" {
    run -0 --separate-stderr "$agentsh" offline \
        <<<$'count the lines of notes.txt\n\nshow the disk usage of /srv'
    [ -z "$stderr" ]
    [ "$(value 'len(d)')" = 3 ]
    [ "$(value 'sorted(d[0])')" = "['candidates', 'confidence']" ]
    [ "$(value 'd[0]["candidates"][0]')" = 'wc -l notes.txt' ]
    [ "$(value 'd[1]["candidates"]')" = '[]' ]
    [ "$(value 'd[2]["candidates"][0].split()[0]')" = du ]
}

@test "an answer comes before the next request is written" {
    coproc "$agentsh" offline 3>&-
    pid=$COPROC_PID # the shell forgets it when it has ended
    echo 'count the lines of a.txt' >&"${COPROC[1]}"
    read -r -t 30 line <&"${COPROC[0]}"
    [[ $line == *'wc -l a.txt'* ]]
    echo 'count the lines of b.txt' >&"${COPROC[1]}"
    read -r -t 30 line <&"${COPROC[0]}"
    [[ $line == *'wc -l b.txt'* ]]
    eval "exec ${COPROC[1]}>&-"
    wait "$pid"
}

@test "a last line without its newline is answered too" {
    run -0 "$agentsh" offline < <(printf 'count the lines of a.txt')
    [ "$(value 'len(d)')" = 1 ]
}

@test "words are one request" {
    run -0 "$agentsh" offline count the lines of a.txt
    [ "$(value 'd[0]["candidates"][0]')" = 'wc -l a.txt' ]
}

@test "what nothing fits is not answered, and --all tries all the same" {
    run -0 "$agentsh" offline colourless green ideas sleep furiously
    [ "$(value 'd[0]["candidates"]')" = '[]' ]
    [ "$(value '0 <= d[0]["confidence"] < 0.5')" = True ]
    run -0 "$agentsh" offline --all colourless green ideas sleep furiously
    [ "$(value 'len(d[0]["candidates"]) > 0')" = True ]
}

@test "--why tells what was read and what speaks for each" {
    run -0 "$agentsh" offline --why count the lines of a.txt
    [ "$(value '[w["path"] for w in d[0]["words"] if "path" in w]')" = \
        "['a.txt']" ]
    [ "$(value '"features" in d[0]["ranked"][0]')" = True ]
    [ "$(value 'len(d[0]["recipes"]) > 0')" = True ]
}

@test "long lines and bytes that are no text are answered like others" {
    "$PYTHON3" -c '
import sys
out = sys.stdout.buffer
out.write(b"list \xff\xfe\x00 files\n" + b"x " * 100000 + b"\n")
out.write(b"\n" * 3 + b"count the lines of a.txt\n")' >input
    run -0 --separate-stderr "$agentsh" offline <input
    [ -z "$stderr" ]
    [ "$(value 'len(d)')" = 6 ]
    [ "$(value 'd[5]["candidates"][0]')" = 'wc -l a.txt' ]
}

@test "what makes a command too long leaves the next request its answer" {
    run -0 --separate-stderr "$agentsh" offline \
        < <(printf 'delete %s\ncount the lines of a.txt\n' \
            "$(printf 'file/%.0s' {1..1600})")
    [ "$(value 'len(d)')" = 2 ]
    [[ $(value 'd[1]["candidates"][0]') == 'wc -l a.txt' ]]
}

@test "a reader that leaves ends it" {
    run bash -c 'yes "list files" | head -n 20000 |
        timeout 60 "$0" offline 2>/dev/null | head -n 1 >/dev/null
        echo "${PIPESTATUS[2]}"' "$agentsh"
    [ "$output" != 124 ]
    [ "$output" != 0 ]
}

@test "a request cannot have anything run in its commands" {
    run -0 "$agentsh" offline --all 'delete the file "$(touch pwned)"'
    [ "$(value 'd[0]["candidates"][0]')" = "rm '\$(touch pwned)'" ]
}

# deletes WORD…: what the command of that wish deletes of four files.
deletes() {
    rm -rf names
    mkdir names
    touch names/x names/f2.jpg names/e names/$'x\nf2.jpg' names/$'e\e[31m.jpg'
    cd names
    run -0 "$agentsh" offline "$@"
    command=$(value 'd[0]["candidates"][0]')
    bash -c "$command"
    find . -type f -printf '%f\0' | LC_ALL=C sort -z | tr '\0' '|'
}

@test "a name that holds control characters keeps its bytes" {
    left=$(deletes $'delete the file x\nf2.jpg')
    [ "$left" = $'e|e\e[31m.jpg|f2.jpg|x|' ]
    [ "$(deletes delete the file $'x\nf2.jpg')" = "$left" ]
    [ "$(deletes 'delete $'\''x\nf2.jpg'\')" = "$left" ]
    [ "$(deletes $'delete \'x\nf2.jpg\'')" = "$left" ]
    [ "$(deletes $'delete the file e\e[31m.jpg')" = $'e|f2.jpg|x|x\nf2.jpg|' ]
    # lines of a wish are words of it
    [ "$(deletes $'delete the file\nf2.jpg')" = $'e|e\e[31m.jpg|x|x\nf2.jpg|' ]
}
