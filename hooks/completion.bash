# SPDX-License-Identifier: GPL-3.0-or-later
# completion.bash - completion of agentsh and @AI_NAME@ in bash.
#
#     eval "$(agentsh completion bash)"       in ~/.bashrc
#
# The table is made from the program's own: a line for each verb and below it
# a line for each of its options. An empty verb is the program itself.
#
#     verb;PROGRAM;VERB;ARGUMENTS;HELP
#     option;--NAME;-LETTER;ARGUMENT;WORD|WORD;HELP

__agentsh_table='@TABLE@'

# The previews that wait.
__agentsh_runs() {
    local name more
    while read -r name more; do
        printf '%s\n' "$name"
    done < <(command agentsh preview list 2>/dev/null </dev/null)
}

# The tools that there are.
__agentsh_tools() {
    local name more
    while read -r name more; do
        printf '%s\n' "$name"
    done < <(command agentsh tool list 2>/dev/null </dev/null |
        grep '^[a-z0-9]')
}

# The words to choose from as argument $1, of which $2 are the only ones.
__agentsh_choices() {
    if [[ -n $2 ]]; then
        COMPREPLY=($(compgen -W "${2//|/ }" -- "$cur"))
    elif [[ $1 == *RUN* ]]; then
        COMPREPLY=($(compgen -W "$(__agentsh_runs)" -- "$cur"))
    elif [[ ($verb == 'tool call' || $verb == 'tool trust') &&
        $1 == *NAME* ]]; then
        [[ $said != "$verb" ]] ||
            COMPREPLY=($(compgen -W "$(__agentsh_tools)" -- "$cur"))
    elif [[ $1 == *CMD* && $said == "$verb" ]]; then
        mapfile -t COMPREPLY < <(compgen -c -- "$cur" | sort -u)
    elif [[ $1 == DIR ]]; then
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -d -- "$cur")
    elif [[ $1 == *CMD* || $1 == *FILE* || $1 == *TEXT* ]]; then
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -f -- "$cur")
    fi
}

# Sets verb to the longest name of a verb that the words begin with, and rest
# to what may follow them in a name.
__agentsh_verb() {
    local kind of name more
    while IFS=';' read -r kind of name more; do
        if [[ $kind != verb || $of != "$program" || -z $name ]]; then
            continue
        elif [[ "$said " == "$name "* ]]; then
            verb=$name
        elif [[ "$name " == "$said${said:+ }"* ]]; then
            name=${name#"$said"}
            name=${name# }
            rest+=" ${name%% *}"
        fi
    done <<<"$__agentsh_table"
}

# Whether option $1 takes an argument.
__agentsh_takes() {
    local kind name letter arg more
    while IFS=';' read -r kind name letter arg more; do
        if [[ $kind == option && -n $arg &&
            ($name == "$1" || $letter == "$1") ]]; then
            return 0
        fi
    done <<<"$__agentsh_table"
    return 1
}

__agentsh_complete() {
    local program=${COMP_WORDS[0]##*/} cur=${COMP_WORDS[COMP_CWORD]}
    local said='' verb='' rest='' asked='' options='' mine='' args=''
    local kind a b c d i word

    COMPREPLY=()
    [[ $cur == = ]] && cur=''
    for ((i = 1; i < COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if [[ $word == -* ]]; then
            asked=$word
        elif [[ $word == = ]]; then
            continue
        elif [[ -z $asked ]] || ! __agentsh_takes "$asked"; then
            said+=${said:+ }$word asked=''
        else
            asked=''
        fi
    done
    __agentsh_verb
    while IFS=';' read -r kind a b c d; do
        if [[ $kind == verb ]]; then
            mine=''
            [[ $a == "$program" && $b == "$verb" ]] && mine=1 args=$c
        elif [[ $mine && $kind == option ]]; then
            options+=" $a"
            if [[ -n $c && -n $asked &&
                ($asked == "$a" || $asked == "$b") ]]; then
                __agentsh_choices "$c" "${d%%;*}"
                return
            fi
        fi
    done <<<"$__agentsh_table"
    if [[ $cur == -* ]]; then
        COMPREPLY=($(compgen -W "$options" -- "$cur"))
    elif [[ -z $verb ]]; then
        COMPREPLY=($(compgen -W "$rest" -- "$cur"))
    elif [[ $args == *[a-z]\|* ]]; then
        __agentsh_choices '' "$args"
    else
        __agentsh_choices "$args" ''
    fi
}

complete -F __agentsh_complete agentsh @AI_NAME@ agentctl
