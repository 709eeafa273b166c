#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# text.bats - where a text begins and ends: verbs before it, options around it.
# shellcheck disable=SC2154,SC2164 # set by bats' run; bats ends at errors
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

# go STATUS WORDS...: with neither a terminal nor a model.
go() {
    run --separate-stderr "-$1" "$ai" "${@:2}" </dev/null
}

# wrong WORDS...: exit 2, one line, and nothing on standard output.
wrong() {
    go 2 "$@"
    [ -z "$output" ]
    [ "${#stderr_lines[@]}" -eq 1 ]
}

@test "options behind a text are options" {
    go 0 run list files --dry-run
    [[ $output == *"  ls"* && $output != *dry-run* ]]
    go 0 run list files --dry-run -o json
    [[ $output == '{"kind":"command_sequence"'* && $output != *"-o"* ]]
    go 0 run list files -qo json --dry-run
    go 0 'do' free the port 8080 --dry-run
    go 0 explain how 'do' i list files -o json
    [[ $output == '{"kind":"answer_only"'* ]]
    touch a.txt
    go 0 run -q list files -y
    [ "$output" = a.txt ]
}

@test "an option that may be the command's is refused, short or long" {
    for words in 'ls -la --dry-run' 'git commit --dry-run' 'df -h' \
        'sort -o out names.txt' 'install foo with apt -y'; do
        # shellcheck disable=SC2086 # words
        wrong run $words
        [[ $stderr == *"could be an option of "*" or of this program"* ]]
    done
    go 0 run --dry-run du -s .
    [[ $output == *"du -s ."* ]]
    go 0 run --dry-run -- df -h
    [[ $output == *"df -h"* ]]
    go 0 run 'df -h' --dry-run
    [[ $output == *"df -h"* ]]
}

@test "an option that is unknown, or within the text, is refused" {
    wrong run list files --dryrun
    [[ $stderr == *"unknown option '--dryrun'"* ]]
    wrong run list files -Z
    wrong run 'list files' --dryrun
    wrong run list the files -y now
    [[ $stderr == *"-y in the text"* ]]
    wrong run list files -m
    wrong -n 5 run list files
    go 7 run --offline --dry-run list the files of the last -5 days
    [[ $output$stderr != *"option"* ]] # a number is none
}

@test "a word with a blank in it is one name" {
    touch 'my report.txt' report.txt 'the plan.txt' plan.txt
    go 0 run --dry-run delete the file 'my report.txt'
    [[ $output == *"rm 'my report.txt'"* || $output == *'rm my\ report.txt'* ]]
    go 0 run --dry-run delete 'the plan.txt'
    [[ $output == *"the plan.txt"* || $output == *'the\ plan.txt'* ]]
    go 0 run --dry-run rename 'my report.txt' to b.txt
    [[ $output == *"'my report.txt' b.txt"* || $output == *'my\ report.txt b.txt'* ]]
    go 0 run --dry-run rm 'my report.txt'
    [[ $output == *"rm 'my report.txt'"* ]]
}

@test "the options of a line that is explained are the line's" {
    for words in 'ls -la' 'ls -v' 'ls --offline'; do
        # shellcheck disable=SC2086 # words
        go 0 explain $words
        [[ ${lines[0]} == "$words" ]]
    done
}

@test "words without a verb are run's" {
    go 0 --dry-run list files
    [[ $output == *"  ls"* ]]
    go 0 list files --dry-run
    [[ $output == *"  ls"* ]]
    go 5 list files
    go 0 help me find big files --dry-run
    [[ $output == *find* ]]
}

@test "help that begins a text may have options around it" {
    for words in 'help --no-color me find big files --dry-run' \
        'help --dry-run me find big files' \
        'help --dry-run -- me find big files' \
        '--offline help me find big files --dry-run' \
        '--offline --dry-run help --no-color me find big files'; do
        # shellcheck disable=SC2086 # words
        go 0 $words
        [ "${lines[0]}" = 'help me find big files' ]
        [[ $output == *"find . "* ]]
    done
    go 0 help --no-color run
    [[ $output == 'Usage: ai run '* ]]
    go 2 help --no-color zzz
}

@test "a file whose name begins with a hyphen is no option" {
    wrong run count the lines in -dash.txt
    [[ $stderr == *"unknown option '-dash.txt'"* ]]
    printf 'a\nb\n' >-dash.txt
    go 0 run count the lines in -dash.txt --offline --dry-run --no-color
    [[ $output == *"wc -l ./-dash.txt"* ]]
    touch -- -y --plan=x.json
    go 0 run -q list files -y
    wrong run list files --plan=none.json -y
}

@test "a name with its quotes still on is that name" {
    touch 'photo 1.jpg'
    for words in 'photo 1.jpg' '"photo 1.jpg"' "'photo 1.jpg'"; do
        go 0 run delete "$words" --offline --dry-run --no-color
        [[ $output == *"rm 'photo 1.jpg'"* ]]
        [[ $output != *"is not here"* ]]
    done
}

@test "a question how something is done is answered" {
    go 0 how 'do' I count the lines of names.txt
    [[ $output == *"wc -l"* && $output != *"  1  "* ]]
    go 0 How to count the lines of names.txt -o json
    [[ $output == '{"kind":"answer_only"'* ]]
}

@test "a verb that was mistyped is not taken for a wish" {
    for word in rnu explian EXPLAN hlep; do
        wrong "$word" list files
        [[ $stderr == *"unknown verb '$word'; did you mean "* ]]
    done
    go 0 run rnu list files --dry-run || [ "$status" -ne 2 ]
    go 0 du -s . || [ "$status" -ne 2 ]
    wrong rnu ls
    go 7 --dry-run --offline -- rnu ls
    [[ $stderr != *verb* ]]
}

@test "-v says who is asked, and why nobody is" {
    go 0 run -v --offline list files --dry-run
    [[ $stderr == *"no model is used: --offline"* ]]
    go 0 run list files --dry-run -v
    [[ $stderr == *"no model is used: "*"no key"* ]]
    OPENAI_API_KEY=key-of-ours OPENAI_BASE_URL=http://127.0.0.1:9/v1 \
        go 3 run -v -m some-model list files
    [[ $stderr == *"asking some-model at http://127.0.0.1:9"* ]]
    [[ $stderr != *key-of-ours* ]]
    go 0 run list files --dry-run
    [ -z "$stderr" ]
}

@test "help is a verb, and knows the others" {
    for words in 'help' 'help run' 'help log'; do
        # shellcheck disable=SC2086 # words
        go 0 $words
        [[ $output == Usage:* ]]
    done
    [[ $output == *--verify* ]]
    go 2 help zzz
    run -0 "$agentsh" help policy add
    [[ $output == 'Usage: agentsh policy add RULE'* ]]
    run -0 "$agentsh" help policy
    [[ $output == *'policy test '* && $output != *sysinfo* ]]
    run -2 "$agentsh" help zzz
}

@test "a working directory that was removed is named as the reason" {
    mkdir gone
    cd gone
    rmdir ../gone
    for words in 'fix --offline --command git' 'run --offline list files'; do
        # shellcheck disable=SC2086 # words
        go 1 $words
        [[ $stderr == *"the working directory was removed"* ]]
    done
}
