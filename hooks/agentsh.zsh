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
    if [[ -s $__agentsh_insert ]]; then
        __agentsh_take
    fi
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

# Makes the two files anew; a directory that is not ours alone is refused. Only
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
    # Nothing is made in another user's directory, which su leaves set.
    if [[ ! -e $__agentsh_dir && (${__agentsh_dir:h} == /tmp ||
        -O ${__agentsh_dir:h}) ]]; then
        \builtin command mkdir -m 700 -- $__agentsh_dir 2>/dev/null || :
    fi
    if [[ -d $__agentsh_dir && ! -L $__agentsh_dir && -O $__agentsh_dir ]] &&
        __agentsh_ls=$(\builtin command ls -ld -- $__agentsh_dir 2>/dev/null) &&
        [[ $__agentsh_ls == drwx------[^+]* ]] &&
        (\builtin umask 077 && : >|$__agentsh_file &&
            : >|$__agentsh_insert) 2>/dev/null; then
        \builtin return 0
    fi
    __agentsh_file= __agentsh_insert=
    \builtin return 1
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
        __agentsh_open || \builtin return 0
    elif [[ -z $__agentsh_file ]]; then
        \builtin return 0
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
    \builtin typeset -g __agentsh_insert=
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
    if [[ -n $__agentsh_file ]]; then
        \builtin command rm -f -- $__agentsh_file $__agentsh_insert || :
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
