# SPDX-License-Identifier: GPL-3.0-or-later
# agentsh.zsh - the zsh hook: remembers the last command line.
#
#     eval "$(agentsh init zsh)"        in ~/.zshrc
#     __agentsh_unload                  takes it out again
#
# After each command line it writes what was run, its status, where and how
# long, into a private file for `@AI_NAME@`. It uses builtins only: no process
# is started and no descriptor of the shell is changed. A command that
# `@AI_NAME@` leaves for the prompt (its key [i]nsert) is put on the line that
# is edited next.
#
# zsh restores $?, pipestatus and $_ after each preexec and precmd function,
# so the others do not notice ours. A line that begins with a blank is left
# out under hist_ignore_space. `@AI_NAME@` becomes an alias with noglob, so that
# a question mark in a request is no pattern; an alias or function of the user
# by that name stays as it is.
#
# Two keys ask `agentsh line`, where nothing was bound to them: one puts a
# command in the place of the words on the line, the other explains the line
# below it. They are the widgets agentsh-line and agentsh-explain.
#
# `agentsh init` begins the script with the array __agentsh_init: both keys,
# whether a command that is not found gets a hint, our program; and, where it
# has made the files of this shell, their directory, the shell, the session, and
# whether they are in memory.
#
# Every builtin is quoted and called by name, so that neither an alias nor a
# function of the user stands in for it.

# Before a line runs: $1 is the line as the history has it, or nothing when it
# has not.
__agentsh_preexec() {
    \builtin emulate -L zsh -o no_xtrace
    __agentsh_line=$1 __agentsh_cwd=cwd=$PWD$'\n'
    if [[ -o hist_ignore_space && $1 == [[:blank:]]* ]]; then
        __agentsh_line=
    fi
    __agentsh_t=${(%)__agentsh_clock}
}

# At each prompt: records the line that has run, when one has: status, cwd,
# duration_ms, and the command, which goes on to the end of the file. That is
# emptied first and then written: a file system that sees both in one opening
# takes it for the replacement of a document, and sends it to the disk at once.
__agentsh_precmd() {
    \builtin local __agentsh_s=$?
    \builtin emulate -L zsh -o no_xtrace -o extended_glob
    if [[ -n $__agentsh_line ]] && { [[ -w $__agentsh_file &&
        $__agentsh_line != [[:blank:]]#(\\|)@AI_NAME@* &&
        $#__agentsh_line -lt 16384 && $__agentsh_cwd != *$'\n'?* ]] ||
        __agentsh_judge }; then
        : >|$__agentsh_file
        \builtin print -rn -- "status=$__agentsh_s"$'\n'"$__agentsh_cwd"\
"duration_ms=$(((__agentsh_t = ${(%)__agentsh_clock} - __agentsh_t) > 0
? __agentsh_t : 0))"$'\n'\
"command=$__agentsh_line" 2>/dev/null >>$__agentsh_file || :
    fi
    __agentsh_line=
    if [[ -s $__agentsh_change ]]; then
        __agentsh_apply
    fi
    if [[ -s $__agentsh_insert ]]; then
        __agentsh_take
    fi
}

# Does to this shell what a plan of `@AI_NAME@` did: records of a letter and a
# text, each with a NUL behind it; the last is a full stop. Lines that ran go to
# the history; directory and variables are literal words for the builtins.
# Nothing is read as code.
__agentsh_apply() {
    \builtin local __agentsh_e=
    \builtin local -a __agentsh_ours __agentsh_all
    __agentsh_ours=($__agentsh_change(N.f600u$EUID))
    if (( $#__agentsh_ours )); then
        while IFS= \builtin read -rd '' __agentsh_e; do
            __agentsh_all+=("$__agentsh_e")
        done <$__agentsh_change
        : >|$__agentsh_change
    else
        \builtin command rm -f -- $__agentsh_change 2>/dev/null || :
    fi
    if [[ ${__agentsh_all[-1]-} != . ]]; then
        __agentsh_all=() # it was cut
    fi
    for __agentsh_e in "${__agentsh_all[@]}"; do
        if [[ ${__agentsh_e//[$'\n\t']/} == *[[:cntrl:]]* ]]; then
            \builtin continue
        fi
        case $__agentsh_e in
        l?*) \builtin print -rs -- "$__agentsh_e[2,-1]" ;;
        d/*) \builtin cd -q -- "$__agentsh_e[2,-1]" ;;
        v[a-zA-Z_]*=*)
            if [[ ${__agentsh_e%%=*} != *[^a-zA-Z0-9_]* &&
                $__agentsh_e != v(AGENTSH|__agentsh|IFS=)* ]]; then
                \builtin export -- "$__agentsh_e[2,-1]"
            fi
            ;;
        esac
    done
}

# Reads the command that was left for the prompt, once. Keys that were typed
# before it is shown are dropped: Enter among them would run it. A command that
# would not be shown as it is is dropped. A file that is not ours alone is
# removed: nothing is written through it.
__agentsh_take() {
    \builtin local __agentsh_held= __agentsh_e=
    \builtin local -a __agentsh_ours
    __agentsh_ours=($__agentsh_insert(N.f600u$EUID))
    if (( $#__agentsh_ours )); then
        IFS= \builtin read -rd '' __agentsh_held <$__agentsh_insert || :
        : >|$__agentsh_insert
    else
        \builtin command rm -f -- $__agentsh_insert 2>/dev/null || :
    fi
    __agentsh_e=${__agentsh_held//[$'\n\t']/}
    if [[ -n $__agentsh_held && $__agentsh_e != *[[:cntrl:]]* ]]; then
        while \builtin read -t -k 1 __agentsh_e; do :; done
        \builtin print -rz -- $__agentsh_held
    fi
}

# Whether a line that is unlike most is to be recorded; one of our own is not.
# Leaves out a directory with a newline, and cuts a line to 64 KiB.
__agentsh_judge() {
    \builtin setopt local_options no_multibyte # a character is a byte
    if [[ ! -w $__agentsh_file ]] && ! __agentsh_open; then
        \builtin return 1
    fi
    if [[ $__agentsh_line == \
        [[:blank:]]#(\\|)@AI_NAME@(|[[:space:]\;\&\|]*) ]]; then
        \builtin return 1
    fi
    if [[ $__agentsh_cwd == *$'\n'?* ]]; then
        __agentsh_cwd=
    fi
    __agentsh_line=${__agentsh_line[1,65536]}
}

# Makes the three files anew; a directory that is not ours alone is refused. Only
# here are processes started: when loading, and after someone has cleared the
# directory. When it fails, nothing is recorded from then on.
__agentsh_open() {
    \builtin local __agentsh_dir=/tmp/agentsh-$EUID __agentsh_ls=
    [[ -n $__agentsh_file ]] || \builtin return 1
    if [[ $XDG_RUNTIME_DIR == /* ]]; then
        __agentsh_dir=$XDG_RUNTIME_DIR/agentsh
    fi
    __agentsh_file=$__agentsh_dir/last-$AGENTSH_SESSION
    __agentsh_insert=$__agentsh_dir/insert-$AGENTSH_SESSION
    __agentsh_change=$__agentsh_dir/change-$AGENTSH_SESSION
    # Nothing is made in another user's directory, which su leaves set.
    if [[ ! -e $__agentsh_dir && (${__agentsh_dir:h} == /tmp ||
        -O ${__agentsh_dir:h}) ]]; then
        \builtin command mkdir -m 700 -- $__agentsh_dir 2>/dev/null || :
    fi
    if [[ -d $__agentsh_dir && ! -L $__agentsh_dir && -O $__agentsh_dir ]] &&
        __agentsh_ls=$(\builtin command ls -ld -- $__agentsh_dir 2>/dev/null) &&
        [[ $__agentsh_ls == drwx------[^+]* ]] &&
        (\builtin umask 077 && : >|$__agentsh_file &&
            : >|$__agentsh_insert && : >|$__agentsh_change) 2>/dev/null; then
        \builtin return 0
    fi
    __agentsh_file= __agentsh_insert= __agentsh_change=
    \builtin return 1
}

# Takes over the files that `agentsh init` has made for this shell.
__agentsh_adopt() {
    [[ ${__agentsh_init[6]-} == $$ ]] || \builtin return 1
    AGENTSH_SESSION=$__agentsh_init[7]
    __agentsh_file=$__agentsh_init[5]/last-$AGENTSH_SESSION
    __agentsh_insert=$__agentsh_init[5]/insert-$AGENTSH_SESSION
    __agentsh_change=$__agentsh_init[5]/change-$AGENTSH_SESSION
    [[ -w $__agentsh_file ]]
}

# Loaded once more: the files that were made for this are not needed.
__agentsh_spare() {
    if [[ ${__agentsh_init[6]-} == $$ &&
        $__agentsh_init[7] != ${AGENTSH_SESSION-} ]]; then
        \builtin command rm -f -- \
            $__agentsh_init[5]/{last,line,insert,change}-$__agentsh_init[7]
    fi
}

# Binds our keys, but none that is bound. What is bound goes through the file.
__agentsh_bind() {
    \builtin local __agentsh_e __agentsh_i __agentsh_w
    \builtin typeset -ga __agentsh_bound
    for __agentsh_i in 1 2; do
        __agentsh_e=$__agentsh_init[__agentsh_i]
        __agentsh_w=${${(M)__agentsh_i:#1}:+agentsh-line}
        __agentsh_w=${__agentsh_w:-agentsh-explain}
        \builtin zle -N $__agentsh_w __agentsh_key
        [[ -n $__agentsh_e ]] || \builtin continue
        { \builtin bindkey -M emacs -- $__agentsh_e
            \builtin bindkey -M viins -- $__agentsh_e
        } >|$__agentsh_file 2>/dev/null
        if [[ -z ${${${(f)"$(<$__agentsh_file)"}:#* undefined-key}:#* self-insert} ]]
        then
            \builtin bindkey -M emacs -- $__agentsh_e $__agentsh_w
            \builtin bindkey -M viins -- $__agentsh_e $__agentsh_w
            __agentsh_bound+=($__agentsh_e)
        fi
        : >|$__agentsh_file
    done
}

# A key: the widget agentsh-line or agentsh-explain. The aliases among the words
# go along. The reply is a command on the first line, or none, and below it what
# is to be shown.
__agentsh_key() {
    \builtin emulate -L zsh -o no_xtrace -o no_all_export
    \builtin local __agentsh_w= __agentsh_names= __agentsh_all= __agentsh_line=
    \builtin local -a __agentsh_how
    [[ $BUFFER == *[^[:space:]]* ]] || \builtin return 0
    for __agentsh_w in ${=BUFFER}; do
        if [[ -n ${aliases[$__agentsh_w]-} ]]; then
            __agentsh_names+=$__agentsh_w=${aliases[$__agentsh_w]}$'\n'
        fi
    done
    if [[ $WIDGET == agentsh-explain ]]; then
        __agentsh_how=(--explain)
    fi
    \builtin zle -R
    __agentsh_all=$(AGENTSH_ALIASES=$__agentsh_names LINES=$LINES \
        COLUMNS=$COLUMNS \builtin command ${__agentsh_init[4]:-agentsh} \
        line --for-key $__agentsh_how -- "$BUFFER" 2>/dev/null </dev/null)
    __agentsh_all=${__agentsh_all:-$'\nagentsh: no answer came'}
    __agentsh_line=${__agentsh_all%%$'\n'*}
    if [[ $WIDGET != agentsh-explain && -n $__agentsh_line &&
        $__agentsh_line != *[[:cntrl:]]* ]]; then
        BUFFER=$__agentsh_line
        CURSOR=$#BUFFER
    fi
    if [[ $__agentsh_all == *$'\n'* ]]; then
        \builtin zle -M -- "${__agentsh_all#*$'\n'}"
    fi
    \builtin return 0
}

# Where `not_found` is set: a hint of one line, by no model, before what else
# handles a command that is not found: the distribution's function, or the
# shell's own words.
__agentsh_not_found() {
    \builtin command ${__agentsh_init[4]:-agentsh} line --not-found -- "$@" \
        >&2 2>/dev/null || :
    if (( $+functions[__agentsh_not_found_was] )); then
        __agentsh_not_found_was "$@"
        \builtin return
    fi
    \builtin print -r -- "zsh: command not found: $1" >&2
    \builtin return 127
}

__agentsh_handle() {
    [[ -n ${__agentsh_init[3]-} ]] || \builtin return 0
    if (( $+functions[command_not_found_handler] )); then
        functions[__agentsh_not_found_was]=$functions[command_not_found_handler]
    fi
    command_not_found_handler() { __agentsh_not_found "$@" }
}

__agentsh_load() {
    \builtin emulate -L zsh -o no_xtrace -o no_all_export
    if [[ ! -o interactive || -o restricted ]]; then
        __agentsh_forget
        \builtin return 0
    fi
    # The parameter is not exported: a nested shell does not find it.
    if [[ ${__agentsh_pid-} != $$ ]]; then
        __agentsh_note
        __agentsh_adopt || __agentsh_open || \builtin return 0
        __agentsh_bind
        __agentsh_handle
    else
        __agentsh_spare
        [[ -n $__agentsh_file ]] || \builtin return 0
    fi
    preexec_functions=(${preexec_functions:#__agentsh_preexec})
    preexec_functions+=(__agentsh_preexec)
    precmd_functions=(__agentsh_precmd ${precmd_functions:#__agentsh_precmd})
    if [[ $(\builtin whence -w @AI_NAME@) == *:\ (none|command|hashed) ]]; then
        \builtin alias @AI_NAME@='noglob @AI_NAME@'
        __agentsh_alias=1
    fi
}

# A session of its own, and what __agentsh_unload needs to know: the session
# of the shell around this one, and which lists of functions there were.
__agentsh_note() {
    \builtin typeset -g __agentsh_pid=$$ __agentsh_alias= __agentsh_file=wanted
    \builtin typeset -g __agentsh_insert= __agentsh_change=
    \builtin typeset -g __agentsh_line= __agentsh_cwd= __agentsh_t=0
    \builtin typeset -g __agentsh_clock='%D{%s%3.}' # in milliseconds
    \builtin typeset -g __agentsh_had="${preexec_functions+preexec}"
    __agentsh_had+=" ${precmd_functions+precmd}"
    \builtin typeset -ga __agentsh_env preexec_functions precmd_functions
    __agentsh_env=(${AGENTSH_SESSION+"$AGENTSH_SESSION"})
    \builtin typeset -gx AGENTSH_SESSION
    \builtin local __agentsh_e='%D{%s%6.}'
    AGENTSH_SESSION=$$-${(%)__agentsh_e}
}

# Leaves the shell as it was before the hook.
__agentsh_unload() {
    \builtin emulate -L zsh -o no_xtrace
    \builtin local __agentsh_e=
    preexec_functions=(${preexec_functions:#__agentsh_preexec})
    precmd_functions=(${precmd_functions:#__agentsh_precmd})
    if [[ -z $preexec_functions && $__agentsh_had != *preexec* ]]; then
        \builtin unset preexec_functions
    fi
    if [[ -z $precmd_functions && $__agentsh_had != *precmd* ]]; then
        \builtin unset precmd_functions
    fi
    if [[ -n $__agentsh_alias && $(\builtin alias @AI_NAME@) == \
        "@AI_NAME@='noglob @AI_NAME@'" ]]; then
        \builtin unalias @AI_NAME@
    fi
    for __agentsh_e in $__agentsh_bound; do
        \builtin bindkey -M emacs -r -- $__agentsh_e
        \builtin bindkey -M viins -r -- $__agentsh_e
    done
    \builtin zle -D agentsh-line agentsh-explain 2>/dev/null
    if [[ -n $__agentsh_init[3] &&
        ${functions[command_not_found_handler]-} == *__agentsh_not_found* ]]
    then
        \builtin unset -f command_not_found_handler
        if (( $+functions[__agentsh_not_found_was] )); then
            functions[command_not_found_handler]=\
$functions[__agentsh_not_found_was]
        fi
    fi
    if [[ -n $__agentsh_file ]]; then
        \builtin command rm -f -- $__agentsh_file $__agentsh_insert \
            $__agentsh_change || :
    fi
    \builtin unset AGENTSH_SESSION
    if (( $#__agentsh_env )); then
        \builtin export AGENTSH_SESSION=$__agentsh_env[1]
    fi
    __agentsh_forget
}

__agentsh_forget() {
    \builtin unset -m '__agentsh_*'
    \builtin unset -fm '__agentsh_*'
}

__agentsh_load
