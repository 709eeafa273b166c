# SPDX-License-Identifier: GPL-3.0-or-later
# completion.fish - completion of agentsh and @AI_NAME@ in fish.
#
#     agentsh completion fish | source        in ~/.config/fish/config.fish
#
# The table is made from the program's own: a line for each verb and below it
# a line for each of its options. An empty verb is the program itself.
#
#     verb;PROGRAM;VERB;ARGUMENTS;HELP
#     option;--NAME;-LETTER;ARGUMENT;WORD|WORD;HELP

set -g __agentsh_table '@TABLE@'

# Options with an argument.
set -g __agentsh_takers

# The words before the cursor that are neither options nor their arguments.
function __agentsh_said
    set -l asked 0
    for word in (commandline -opc)[2..]
        if test $asked = 1
            set asked 0
        else if not string match -q -- '-*' $word
            echo $word
        else if contains -- $word $__agentsh_takers
            set asked 1
        end
    end
end

# Whether the verb $argv has been said; with none, whether no verb has.
function __agentsh_in
    set -l said (__agentsh_said)
    if test (count $argv) -eq 0
        test (count $said) -eq 0
    else
        test "$said[1..$(count $argv)]" = "$argv"
    end
end

# Whether the verb $argv but for its last word has been said, and no more.
function __agentsh_before
    test "$(__agentsh_said | string join ' ')" = "$argv[..-2]"
end

# The previews that wait.
function __agentsh_runs
    command agentsh preview list 2>/dev/null </dev/null |
        string replace -r ' .*' ''
end

# The tools that there are, for the first word behind the verb.
function __agentsh_tools
    if test (count (__agentsh_said)) -eq 2
        command agentsh tool list 2>/dev/null </dev/null |
            string match -r '^[a-z0-9][^ ]*'
    end
end

# A command, then its arguments.
function __agentsh_command
    if test (count (__agentsh_said)) -eq (count $argv)
        __fish_complete_command
    else
        __fish_complete_path (commandline -ct)
    end
end

# A verb: each of its words where the ones before it have been said, then its
# arguments. Files are offered where they are among those.
function __agentsh_add_verb -a program verb arguments help
    set -l words (string split -n ' ' -- $verb)
    for i in (seq (count $words))
        # the help is the verb's, and no other's that begins as it does
        set -l about
        test $i = (count $words); and set about -d $help
        complete -c $program -f -n "__agentsh_before $words[1..$i]" \
            -a $words[$i] $about
    end
    if string match -q '*|*' -- $arguments
        complete -c $program -f -n "__agentsh_in $verb" \
            -a (string replace -a '|' ' ' -- $arguments)
    else if string match -q '*RUN*' -- $arguments
        complete -c $program -f -n "__agentsh_in $verb" -a '(__agentsh_runs)'
    else if string match -qr '^tool (call|trust)$' -- $verb
        complete -c $program -f -n "__agentsh_in $verb" -a '(__agentsh_tools)'
    else if test "$arguments" = DIR
        complete -c $program -f -n "__agentsh_in $verb" \
            -a '(__fish_complete_directories (commandline -ct) "")'
    else if string match -q '*CMD*' -- $arguments
        complete -c $program -f -n "__agentsh_in $verb" \
            -a "(__agentsh_command $verb)"
    else if string match -qr 'FILE|TEXT' -- $arguments
        complete -c $program -F -n "__agentsh_in $verb"
    end
end

function __agentsh_add_option -a program verb name letter argument only help
    set -l how -l (string sub -s 3 -- $name) -d $help
    if test -n "$letter"
        set -a how -s (string sub -s 2 -- $letter)
    end
    if test -n "$argument"
        set -a __agentsh_takers $name $letter
        set -a how -r
        if test -n "$only"
            set -a how -f -a (string replace -a '|' ' ' -- $only)
        else if not string match -qr 'FILE|DIR' -- $argument
            set -a how -f
        end
    end
    complete -c $program -n "__agentsh_in $verb" $how
end

complete -c agentsh -f
complete -c @AI_NAME@ -f
complete -c agentctl -f
for line in (string split \n -- $__agentsh_table)
    set -l field (string split -m 5 ';' -- $line)
    switch "$field[1]"
        case verb
            set -g __agentsh_verb $field[2..3]
            __agentsh_add_verb $field[2..4] (string join ';' -- $field[5..])
        case option
            __agentsh_add_option $__agentsh_verb $field[2..]
    end
end
set -e __agentsh_table __agentsh_verb
functions -e __agentsh_add_verb __agentsh_add_option
