# SPDX-License-Identifier: GPL-3.0-or-later
# completion.zsh - completion of agentsh and @AI_NAME@ in zsh.
#
#     eval "$(agentsh completion zsh)"        in ~/.zshrc, behind compinit
#
# The table is made from the program's own: a line for each verb and below it
# a line for each of its options. An empty verb is the program itself.
#
#     verb;PROGRAM;VERB;ARGUMENTS;HELP
#     option;--NAME;-LETTER;ARGUMENT;WORD|WORD;HELP

__agentsh_table='@TABLE@'

# The words to choose from as argument $1, of which $2 are the only ones.
__agentsh_choices() {
    if [[ -n $2 ]]; then
        compadd -- ${(s:|:)2}
    elif [[ $1 == *RUN* ]]; then
        compadd -- ${${(f)"$(command agentsh preview list 2>/dev/null \
            </dev/null)"}%% *}
    elif [[ $verb == tool\ (call|trust) && $1 == *NAME* ]]; then
        [[ $said != $verb ]] ||
            compadd -- ${${(M)${(f)"$(command agentsh tool list 2>/dev/null \
                </dev/null)"}:#[a-z0-9]*}%% *}
    elif [[ $1 == *CMD* && $said == $verb ]]; then
        _command_names -e
    elif [[ $1 == DIR ]]; then
        _files -/
    elif [[ $1 == *(CMD|FILE|TEXT)* ]]; then
        _files
    fi
}

# Sets said to the words that are neither options nor their arguments, and
# asked to an option that still wants its argument.
__agentsh_said() {
    local word line
    local -a field
    for word in ${words[2,CURRENT-1]}; do
        if [[ -n $asked ]]; then
            asked=''
            continue
        fi
        if [[ $word != -* ]]; then
            said+=${said:+ }$word
            continue
        fi
        for line in ${(f)__agentsh_table}; do
            field=("${(@s:;:)line}")
            if [[ $field[1] == option && -n $field[4] &&
                ($field[2] == $word || $field[3] == $word) ]]; then
                asked=$word
            fi
        done
    done
}

__agentsh_complete() {
    emulate -L zsh -o extended_glob
    local program=${words[1]:t} said='' asked='' verb='' mine='' args='' line
    local -a field options verbs
    __agentsh_said
    if [[ $PREFIX == --*=* ]]; then
        asked=${PREFIX%%=*}
        compset -P '*='
    fi
    for line in ${(f)__agentsh_table}; do
        field=("${(@s:;:)line}")
        [[ $field[1] == verb && $field[2] == $program ]] || continue
        if [[ -z $field[3] ]]; then
            continue
        elif [[ "$said " == "$field[3] "* ]]; then
            verb=$field[3]
        elif [[ "$field[3] " == "$said${said:+ }"* ]]; then
            line=${${field[3]#$said}# }
            # the help is the verb's, and no other's that begins as it does
            verbs+=("${line%% *}${${line:#* *}:+:$field[5]}")
        fi
    done
    for line in ${(f)__agentsh_table}; do
        field=("${(@s:;:)line}")
        if [[ $field[1] == verb ]]; then
            mine=''
            if [[ $field[2] == $program && $field[3] == $verb ]]; then
                mine=1 args=$field[4]
            fi
        elif [[ -n $mine ]]; then
            if [[ -n $field[4] && -n $asked &&
                ($asked == $field[2] || $asked == $field[3]) ]]; then
                __agentsh_choices $field[4] $field[5]
                return
            fi
            options+=("$field[2]:$field[6]")
        fi
    done
    if [[ $PREFIX == -* ]]; then
        _describe option options
    elif [[ -z $verb ]]; then
        _describe verb verbs
    elif [[ $args == *[a-z]\|* ]]; then
        __agentsh_choices '' $args
    else
        __agentsh_choices $args ''
    fi
}

if whence compdef >/dev/null; then
    compdef __agentsh_complete agentsh @AI_NAME@ agentctl
fi
