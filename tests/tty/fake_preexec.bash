# SPDX-License-Identifier: GPL-3.0-or-later
# fake_preexec.bash - behaves as bash-preexec does towards other hooks.
#
# A stand-in, since no package has the real one. What matters here is how that
# is known to work: it installs itself at the first prompt by a string in
# PROMPT_COMMAND, puts its own element first and its last one last, takes the
# first command that its DEBUG trap sees after that for a typed line unless it
# is an element of PROMPT_COMMAND, calls precmd functions with the user's $?,
# and takes ignorespace over from HISTCONTROL.
__bp_imported=defined
bash_preexec_imported=defined
__bp_mode=''
__bp_ignorespace=''
__bp_inside=0

__bp_status() {
    return "$1"
}

__bp_interactive_mode() {
    __bp_mode=on
}

__bp_precmd_invoke_cmd() {
    __bp_last=$? BP_PIPESTATUS=("${PIPESTATUS[@]}")
    local each
    if ((__bp_inside)); then
        return
    fi
    local __bp_inside=1
    for each in "${precmd_functions[@]}"; do
        if type -t "$each" >/dev/null; then
            __bp_status "$__bp_last" "$__bp_arg"
            "$each"
        fi
    done
    __bp_status "$__bp_last" "$__bp_arg"
}

# Whether $1 is an element of PROMPT_COMMAND.
__bp_known() {
    local all part
    IFS=$'\n;' read -rd '' -a all <<<"${PROMPT_COMMAND[*]}"
    for part in "${all[@]}"; do
        part=${part#"${part%%[![:space:]]*}"}
        part=${part%"${part##*[![:space:]]}"}
        [[ $part == "$1" ]] && return
    done
    return 1
}

__bp_preexec_invoke_exec() {
    __bp_arg=$1
    local line each
    if ((__bp_inside)) || [[ ! -t 1 || -n ${COMP_LINE-} || -z $__bp_mode ]]; then
        return
    fi
    local __bp_inside=1
    [[ $BASH_SUBSHELL == 0 ]] && __bp_mode=''
    if __bp_known "$BASH_COMMAND"; then
        __bp_mode=''
        return
    fi
    line=$(HISTTIMEFORMAT='' builtin history 1 | sed '1 s/^ *[0-9]*[* ] //')
    [[ -n $line ]] || return
    if [[ -n $__bp_ignorespace && $line == ' '* ]]; then
        builtin history -d -1
    fi
    for each in "${preexec_functions[@]}"; do
        if type -t "$each" >/dev/null; then
            "$each" "$line"
        fi
    done
    __bp_status 0 "$__bp_arg"
}

__bp_install() {
    local before=${PROMPT_COMMAND[0]//"$__bp_install_string"/:}
    if [[ ${PROMPT_COMMAND[*]} == *__bp_precmd_invoke_cmd* ]]; then
        return 1
    fi
    trap '__bp_preexec_invoke_exec "$_"' DEBUG
    if [[ ${HISTCONTROL-} == *ignore@(space|both)* ]]; then
        __bp_ignorespace=yes
        HISTCONTROL=${HISTCONTROL/ignoreboth/ignoredups}
        HISTCONTROL=${HISTCONTROL/ignorespace/}
    fi
    if [[ $before == : ]]; then
        before=''
    fi
    PROMPT_COMMAND[0]=__bp_precmd_invoke_cmd${before:+$'\n'$before}
    PROMPT_COMMAND+=(__bp_interactive_mode)
    precmd_functions+=(precmd)
    preexec_functions+=(preexec)
    __bp_precmd_invoke_cmd
    __bp_interactive_mode
}

__bp_install_string=$'__bp_trap="$(trap -p DEBUG)"\ntrap - DEBUG\n__bp_install'
PROMPT_COMMAND[0]=${PROMPT_COMMAND[0]:+${PROMPT_COMMAND[0]}$'\n'}
PROMPT_COMMAND[0]+=$__bp_install_string
