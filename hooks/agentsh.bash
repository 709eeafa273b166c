# SPDX-License-Identifier: GPL-3.0-or-later
# agentsh.bash - the bash hook: remembers the last command line.
#
#     eval "$(agentsh init bash)"       in ~/.bashrc
#     __agentsh_unload                  takes it out again
#
# After each command line it writes what was run, its status, where and how
# long, into a private file for `@AI_NAME@`. It uses builtins only: no process
# is started and no descriptor of the shell is changed. A command that
# `@AI_NAME@` leaves for the prompt (its key [i]nsert) is put on the line that
# is edited next; what its plans ran, and a directory or variable that they
# set, comes back likewise. Only where one of these waits a process is started:
# ls, to see who may write its file, and rm where others may.
#
# Two keys ask `agentsh line`, where nothing was bound to them: one puts a
# command in the place of the words on the line, the other explains the line.
#
# `agentsh init` begins the script with the array __agentsh_init: both keys,
# whether a command that is not found gets a hint, our program; and, where it
# has made the files of this shell, their directory, the shell, the session, and
# whether they are in memory.
#
# PS0, which bash expands between reading a line and running it, notes the
# time and the history number in an arithmetic subscript; an element of
# PROMPT_COMMAND asks the history for the line of that number. No trap is set.
# A line that the history leaves out is left out here too. bash (since 5.1)
# restores $?, PIPESTATUS and $_ after each element of PROMPT_COMMAND, so the
# others do not notice ours.
#
# Every builtin is quoted and called by name, so that neither an alias nor a
# function of the user stands in for it. What it is given is quoted, too: an
# assignment behind \builtin is a word like any other.

# Runs at each prompt. bash copies a function in order to run it, so the usual
# way is short, and what is rare has functions of its own. False never: an ERR
# trap would fire again.
__agentsh_prompt() {
    __agentsh_s=$? __agentsh_a=$_
    if [[ $- != *[aeux]* && $__agentsh_t != 0 && $__agentsh_mode == last &&
        -w $__agentsh_file ]]; then
        __agentsh_record 2>&-
    else
        __agentsh_unusual 2>&-
    fi
    if [[ -s $__agentsh_insert || $__agentsh_held || -s $__agentsh_change ]]
    then
        __agentsh_take
    fi
}

# Does to this shell what a plan of `@AI_NAME@` did: records of a letter and a
# text, each with a NUL behind it; the last is a full stop. Lines that ran go to
# the history; directory and variables are literal words for the builtins.
# Nothing is read as code.
__agentsh_apply() {
    \builtin local __agentsh_e
    __agentsh_all=()
    if __agentsh_ours "$__agentsh_change"; then
        while IFS='' \builtin read -rd '' -n 65600 __agentsh_e; do
            __agentsh_all+=("$__agentsh_e")
        done <"$__agentsh_change"
        : >|"$__agentsh_change"
    fi
    if [[ ${__agentsh_all[*]: -1} != . ]]; then
        __agentsh_all=() # it was cut
    fi
    for __agentsh_e in "${__agentsh_all[@]}"; do
        if [[ ${__agentsh_e//[$'\n\t']/} == *[[:cntrl:]]* ]]; then
            \builtin continue
        fi
        case $__agentsh_e in
        l?*) \builtin history -s -- "${__agentsh_e:1}" ;;
        d/*) \builtin cd -- "${__agentsh_e:1}" ;;
        v[a-zA-Z_]*=*)
            if [[ ${__agentsh_e%%=*} != *[!a-zA-Z0-9_]* &&
                $__agentsh_e != v@(AGENTSH|__agentsh|IFS=)* ]]; then
                \builtin export -- "${__agentsh_e:1}"
            fi
            ;;
        esac
    done
    # None of these is a line that was typed.
    __agentsh_line=''
    { \builtin fc -l -0 -0 && \builtin printf '\0' &&
        IFS='' \builtin read -rd '' -n 65600 __agentsh_line
    } 1<>"$__agentsh_scratch" <"$__agentsh_scratch"
    if [[ $__agentsh_line == [0-9]* ]]; then
        __agentsh_seen_n=${__agentsh_line%%$'\t'*}
        __agentsh_seen=$__agentsh_line
    fi
    __agentsh_cwd=cwd=${PWD-}$'\n'
}

# Whether the file $1 is ours alone; another is removed.
__agentsh_ours() {
    \builtin local __agentsh_ls
    if [[ -f $1 && ! -L $1 && -O $1 ]] &&
        __agentsh_ls=$(\builtin command ls -ld -- "$1" 2>/dev/null) &&
        [[ $__agentsh_ls == -rw-------[^+]* ]]; then
        \builtin return 0
    fi
    \builtin command rm -f -- "$1" 2>/dev/null || :
    \builtin return 1
}

# Reads the command that was left for the prompt, once, and has Readline put
# it on its line. There is no way to do that from here but by a key: the prompt
# asks the terminal whether it is there, and the answer, which comes behind all
# that was typed before, is bound to that. No byte of the command is a key.
# One that would not be shown as it is, or is longer than any, is dropped. A
# file that is not ours alone is removed: nothing is written through it.
__agentsh_take() {
    \builtin local - __agentsh_e
    \builtin set +aeux
    PS1=${PS1%"$__agentsh_here"}
    if [[ -s $__agentsh_change ]]; then
        __agentsh_apply
    fi
    if [[ -s $__agentsh_insert ]]; then
        __agentsh_held='' __agentsh_tries=3
        if __agentsh_ours "$__agentsh_insert"; then
            IFS='' \builtin read -rd '' -n 65600 __agentsh_held \
                <"$__agentsh_insert" || :
            : >|"$__agentsh_insert"
        fi
        __agentsh_e=${__agentsh_held//[$'\n\t']/}
        if [[ $__agentsh_e == *[[:cntrl:]]* ||
            ${#__agentsh_held} -gt 65536 ]]; then
            __agentsh_held=''
        fi
    fi
    if [[ $__agentsh_held ]]; then
        __agentsh_ask_key
    fi
}

# Where the line is not edited, and where the terminal does not answer, the
# command is shown alone.
__agentsh_ask_key() {
    if [[ :$SHELLOPTS: == *:@(emacs|vi):* && $__agentsh_tries -gt 0 ]]; then
        __agentsh_tries=$((__agentsh_tries - 1))
        \builtin bind -m emacs -x '"\e[0n": __agentsh_typed'
        \builtin bind -m vi-insert -x '"\e[0n": __agentsh_typed'
        PS1+=$__agentsh_here
    else
        \builtin printf '%s\n' "$__agentsh_held"
        __agentsh_held=''
    fi
}

# The terminal's answer: the prompt is on the screen. Readline draws it anew
# afterwards, which asks once more: that answer is no key any longer.
__agentsh_typed() {
    PS1=${PS1%"$__agentsh_here"}
    \builtin bind -m emacs '"\e[0n": ""'
    \builtin bind -m vi-insert '"\e[0n": ""'
    READLINE_LINE=$__agentsh_held$READLINE_LINE
    READLINE_POINT=${#READLINE_LINE}
    __agentsh_held=''
}

# Records the line that has just run: status, cwd, duration_ms, and the
# command, which goes on to the end of the file.
#
# The history prints its newest entry: number, tab, a blank or a star, line.
# The way leads through a file, since a substitution would start a process,
# and ends at a NUL, since the file is not made shorter. The other file is
# emptied first and then written: a file system that sees both in one opening
# takes it for the replacement of a document, and sends it to the disk at once.
__agentsh_record() {
    __agentsh_line=''
    { \builtin fc -l -0 -0 && \builtin printf '\0' &&
        IFS='' \builtin read -rd '' -n 65600 __agentsh_line
    } 1<>"$__agentsh_scratch" <"$__agentsh_scratch"
    if [[ $__agentsh_line == "$__agentsh_n"$'\t'[\ *]* &&
        $__agentsh_n -eq __agentsh_seen_n+1 &&
        $__agentsh_line != $__agentsh_odd && ${#__agentsh_line} -lt 16384 &&
        $__agentsh_cwd != *$'\n'?* ]] || __agentsh_judge; then
        : >|"$__agentsh_file" &&
            \builtin printf 'status=%s\n%sduration_ms=%s\ncommand=%s' \
                "$__agentsh_s" "$__agentsh_cwd" \
                "$(((__agentsh_t = 1${EPOCHREALTIME/[^0-9]/} - __agentsh_t) > 0
                    ? __agentsh_t / 1000 : 0))" \
                "${__agentsh_line:${#__agentsh_n}+2:-1}" >>"$__agentsh_file"
        __agentsh_seen_n=$__agentsh_n __agentsh_seen=$__agentsh_line
        __agentsh_seen_a=$__agentsh_a
    fi
    __agentsh_t=0 __agentsh_cwd=cwd=${PWD-}$'\n'
}

# When the user's options would disturb us, when no line has run, when ours is
# not the last element, or when the file is gone.
__agentsh_unusual() {
    \builtin local -
    \builtin set +aeux
    if [[ $__agentsh_t != 0 ]] && __agentsh_can; then
        __agentsh_record
    fi
    if [[ ! $__agentsh_seen_n ]]; then
        # Loaded just now: what is in the history is from before.
        __agentsh_n=''
        __agentsh_record
        __agentsh_seen_n=${__agentsh_line%%$'\t'*}
        __agentsh_seen_n=${__agentsh_seen_n:-0} __agentsh_seen=$__agentsh_line
    fi
    __agentsh_keep
    __agentsh_t=0 __agentsh_cwd=cwd=${PWD-}$'\n'
}

# Whether $? is the user's, which it is not behind another command in the same
# element, and there is a file to write to.
__agentsh_can() {
    if [[ $__agentsh_mode == front && $PROMPT_COMMAND != __agentsh_prompt ]]
    then
        \builtin return 1
    fi
    [[ -w $__agentsh_file ]] || __agentsh_open
}

# Whether an entry that is unlike most is to be recorded. A line of our own,
# the history being off, or changed by the line itself: none of these is.
__agentsh_judge() {
    if [[ $__agentsh_line != "$__agentsh_n"$'\t'* ]]; then
        \builtin return 1
    fi
    # Without cmdhist the entry is only the last line of several.
    if [[ $__agentsh_n -gt __agentsh_seen_n+1 ]] &&
        ! \builtin shopt -q cmdhist; then
        __agentsh_seen_n=$__agentsh_n
        \builtin return 1
    fi
    if [[ $__agentsh_line != "$__agentsh_n"$'\t'[\ *]* ]]; then
        __agentsh_line=${__agentsh_line/$'\t'/$'\t '} # as in posix mode
    fi
    if [[ $__agentsh_line == "$__agentsh_seen" ]]; then
        __agentsh_again || \builtin return 1
        __agentsh_a=$__agentsh_seen_a
    fi
    if [[ $__agentsh_line == $__agentsh_own ]]; then
        __agentsh_seen_n=$__agentsh_n __agentsh_seen=$__agentsh_line
        __agentsh_seen_a=$__agentsh_a
        \builtin return 1
    fi
    if [[ $__agentsh_cwd == *$'\n'?* ]]; then
        __agentsh_cwd=''
    fi
    if [[ ${#__agentsh_line} -ge 16384 ]]; then
        __agentsh_cut
    fi
}

# Cuts the line to 64 KiB, and puts an end to it as the history does.
__agentsh_cut() {
    \builtin local LC_ALL=C # so that a character is a byte
    __agentsh_line=${__agentsh_line%$'\n'}
    __agentsh_line=${__agentsh_line:0:65538+${#__agentsh_n}}$'\n'
}

# The newest entry was there before. Was the same line run again, or one that
# the history leaves out? Where HISTCONTROL permits both, $_ tells: it is what
# it was the last time, or a word of the line. A line with expansions counts
# as run again; one whose commands run in children leaves $_ as it was.
__agentsh_again() {
    if [[ :${HISTCONTROL-}: != *:ignore@(space|both):* &&
        ! ${HISTIGNORE-} ]]; then
        \builtin return 0
    fi
    if [[ :${HISTCONTROL-}: != *:@(ignore@(dups|both)|erasedups):* ]]; then
        \builtin return 1
    fi
    if [[ $__agentsh_a == "$__agentsh_seen_a" ||
        $__agentsh_line == *[\$\`*?[{~!]* ||
        ($__agentsh_a && " $__agentsh_line " == \
        *$__agentsh_edge"$__agentsh_a"$__agentsh_edge*) ||
        ($__agentsh_line == *[\|\(\&]* &&
        $__agentsh_a == "$__agentsh_left_a") ]]; then
        \builtin return 0
    fi
    __agentsh_left_a=$__agentsh_a
    \builtin return 1
}

# Makes the four files anew; a directory that is not ours alone is refused.
# Only here are processes started: when loading, and after someone has cleared
# the directory. When it fails, nothing is recorded from then on.
__agentsh_open() {
    \builtin local __agentsh_dir="/tmp/agentsh-$EUID" __agentsh_ls=''
    [[ $__agentsh_file ]] || \builtin return 1
    if [[ ${XDG_RUNTIME_DIR-} == /* ]]; then
        __agentsh_dir=$XDG_RUNTIME_DIR/agentsh
    fi
    __agentsh_file=$__agentsh_dir/last-$AGENTSH_SESSION
    __agentsh_scratch=$__agentsh_dir/line-$AGENTSH_SESSION
    __agentsh_insert=$__agentsh_dir/insert-$AGENTSH_SESSION
    __agentsh_change=$__agentsh_dir/change-$AGENTSH_SESSION
    # Nothing is made in another user's directory, which su leaves set.
    if [[ ! -e $__agentsh_dir && (${__agentsh_dir%/*} == /tmp ||
        -O ${__agentsh_dir%/*}) ]]; then
        \builtin command mkdir -m 700 -- "$__agentsh_dir" 2>/dev/null || :
    fi
    if [[ -d $__agentsh_dir && ! -L $__agentsh_dir && -O $__agentsh_dir ]] &&
        __agentsh_ls=$(\builtin command ls -ld -- "$__agentsh_dir" \
            2>/dev/null) &&
        [[ $__agentsh_ls == drwx------[^+]* ]] &&
        (\builtin umask 077 && : >|"$__agentsh_file" &&
            : >|"$__agentsh_scratch" && : >|"$__agentsh_insert" &&
            : >|"$__agentsh_change") \
            2>/dev/null; then
        \builtin return 0
    fi
    __agentsh_file='' __agentsh_insert='' __agentsh_change=''
    \builtin return 1
}

# Puts back what others have taken away.
__agentsh_keep() {
    \builtin local __agentsh_e="${PS0-}"
    if ! \builtin shopt -q promptvars; then
        # PS0 would be shown as it is written.
        __agentsh_e=${__agentsh_e/"$__agentsh_arm"/}
    elif [[ $__agentsh_e != *"$__agentsh_arm"* ]]; then
        __agentsh_e=$__agentsh_arm$__agentsh_e
    fi
    if [[ $__agentsh_e != "${PS0-}" ]]; then
        PS0=$__agentsh_e
    fi
    if [[ ($__agentsh_mode == front &&
        $PROMPT_COMMAND != __agentsh_prompt) ||
        ($__agentsh_mode == last &&
        ${bash_preexec_imported-}${__bp_imported-}) ]]; then
        __agentsh_place "$__agentsh_mode"
    fi
}

# Takes the element $1 of ours out of PROMPT_COMMAND; where somebody has joined
# theirs to it, only ours goes.
__agentsh_lift() {
    \builtin local __agentsh_i __agentsh_e
    for __agentsh_i in "${!PROMPT_COMMAND[@]}"; do
        __agentsh_e=${PROMPT_COMMAND[__agentsh_i]}
        if [[ $__agentsh_e == "$1" ]]; then
            \builtin unset "PROMPT_COMMAND[__agentsh_i]"
        elif [[ $__agentsh_e == *"$1"* ]]; then
            __agentsh_e=${__agentsh_e/"$1"[$';\n']/}
            __agentsh_e=${__agentsh_e/[$';\n']"$1"/}
            PROMPT_COMMAND[__agentsh_i]=${__agentsh_e/"$1"/:}
        fi
    done
}

# Puts our element where the mode says. Last is the rule: PROMPT_COMMAND as a
# scalar, which is index 0, stays the user's. bash-preexec has a list of its
# own, and takes an element of PROMPT_COMMAND that it does not know for a
# command line.
__agentsh_place() {
    __agentsh_lift __agentsh_prompt
    __agentsh_mode=$1
    if [[ ${bash_preexec_imported-}${__bp_imported-} ]]; then
        __agentsh_mode=preexec
        if [[ " ${precmd_functions[*]-} " != *' __agentsh_prompt '* ]]; then
            precmd_functions+=(__agentsh_prompt)
        fi
    elif [[ $1 == front ]]; then
        PROMPT_COMMAND=(__agentsh_prompt "${PROMPT_COMMAND[@]}")
        __agentsh_moved=1
    else
        PROMPT_COMMAND[0]=${PROMPT_COMMAND[0]-}
        PROMPT_COMMAND+=(__agentsh_prompt)
    fi
}

# Whether there is a DEBUG trap, which the scratch file holds, or a word like
# $1 in PROMPT_COMMAND or in a function that it calls.
__agentsh_has() {
    \builtin local - IFS=' ' __agentsh_w __agentsh_line=''
    \builtin set -f
    for __agentsh_w in ${PROMPT_COMMAND[*]//[$'\n;&|(){}']/ }; do
        if \builtin declare -F -- "$__agentsh_w" >/dev/null; then
            \builtin declare -f -- "$__agentsh_w" >>"$__agentsh_scratch"
        fi
    done 2>/dev/null
    IFS='' \builtin read -rd '' -n 65600 __agentsh_line 2>/dev/null \
        <"$__agentsh_scratch" || :
    [[ $__agentsh_line == trap* ||
        $__agentsh_line${PROMPT_COMMAND[*]-} == *$1* ]]
}

# Runs once, at the first prompt, when the other start-up files have been read.
# Ours must come first where a DEBUG trap waits for the end of PROMPT_COMMAND,
# or where PROMPT_COMMAND reads the history anew, which changes its numbers.
__agentsh_settle() {
    \builtin local -
    \builtin set +aeux
    __agentsh_lift "${__agentsh_first[0]}"
    __agentsh_lift __agentsh_settle
    if __agentsh_has '@(history|DEBUG)'; then
        __agentsh_place front
    else
        __agentsh_place last
    fi
    __agentsh_prompt
    # Installed just before us, it takes our element for its last one.
    if \builtin declare -F __bp_interactive_mode >/dev/null; then
        __bp_interactive_mode
    fi
}

# Whether this shell can carry the hook. Says why not where that can be mended.
__agentsh_fits() {
    if [[ $- != *i* || :$BASHOPTS: == *:restricted_shell:* ]]; then
        \builtin return 1
    fi
    if [[ ${BASH_VERSINFO[0]}${BASH_VERSINFO[1]} -lt 51 ]]; then
        \builtin printf 'agentsh: the hook needs bash 5.1; this is %s\n' \
            "$BASH_VERSION" >&2
        \builtin return 1
    fi
    \builtin local -
    \builtin set +u
    if [[ ${PROMPT_COMMAND@a}${PROMPT_COMMAND[*]@a}${PS0@a} == *r* ]]; then
        \builtin printf 'agentsh: %s is readonly, so the hook %s\n' \
            'PROMPT_COMMAND or PS0' 'is not loaded' >&2
        \builtin return 1
    fi
}

# What __agentsh_unload needs to know: the session of the shell around this
# one, whether PS0 and index 0 of PROMPT_COMMAND were set, and how the latter
# was declared.
__agentsh_note() {
    __agentsh_env=(${AGENTSH_SESSION+"$AGENTSH_SESSION"})
    __agentsh_ps0_was=${PS0+set} __agentsh_zero=${PROMPT_COMMAND+set}
    __agentsh_decl=''
    if [[ ${PROMPT_COMMAND+set} || ${PROMPT_COMMAND[*]+set} ||
        ${PROMPT_COMMAND@a} ]]; then
        __agentsh_decl=${PROMPT_COMMAND[*]@a}${PROMPT_COMMAND@a}
        __agentsh_decl=${__agentsh_decl%% *}
        __agentsh_decl=-${__agentsh_decl:--}
    fi
}

# Takes over the files that `agentsh init` has made for this shell.
__agentsh_adopt() {
    if [[ ${__agentsh_init[5]-} != "$$" ]]; then
        \builtin return 1
    fi
    AGENTSH_SESSION=${__agentsh_init[6]}
    __agentsh_file=${__agentsh_init[4]}/last-$AGENTSH_SESSION
    __agentsh_scratch=${__agentsh_init[4]}/line-$AGENTSH_SESSION
    __agentsh_insert=${__agentsh_init[4]}/insert-$AGENTSH_SESSION
    __agentsh_change=${__agentsh_init[4]}/change-$AGENTSH_SESSION
    [[ -w $__agentsh_file && -w $__agentsh_scratch ]]
}

# Loaded once more: the files that were made for this are not needed.
__agentsh_spare() {
    if [[ ${__agentsh_init[5]-} == "$$" &&
        ${__agentsh_init[6]} != "${AGENTSH_SESSION-}" ]]; then
        \builtin command rm -f -- \
            "${__agentsh_init[4]}"/{last,line,insert,change}-"${__agentsh_init[6]}"
    fi
}

# Binds our keys, but none that is bound. What is bound goes through the file.
# To list what functions are bound to takes milliseconds, but for the keys behind
# a prefix; and in the mode that is not in force only macros and commands count.
# One regular expression tells that neither is there, several times as fast as
# patterns; where one may be, patterns say which.
__agentsh_bind() {
    \builtin local __agentsh_e __agentsh_k __agentsh_w __agentsh_all
    __agentsh_w=("${BASH_REMATCH[@]}")
    __agentsh_bound=()
    # The REPL has these keys itself.
    if [[ ! ${__agentsh_init[0]-}${__agentsh_init[1]-} ||
        ${AGENTSH_STARTING-} || :$SHELLOPTS: != *:@(emacs|vi):* ]]; then
        \builtin return 0
    fi
    {
        for __agentsh_e in emacs vi-insert; do
            \builtin bind -m $__agentsh_e -s
            \builtin bind -m $__agentsh_e -X
        done
        if [[ :$SHELLOPTS: == *:vi:* ]]; then
            \builtin bind -m vi-insert -p
        elif [[ ${__agentsh_init[0]:-\\C-x}${__agentsh_init[1]:-\\C-x} != \
            \\C-x*\\C-x* ]]; then
            \builtin bind -m emacs -p
        else
            \builtin printf '\n%s\n' prefix
            \builtin bind -m emacs-ctlx -p
        fi
    } 2>/dev/null >|"$__agentsh_scratch"
    \builtin mapfile -d '' __agentsh_all <"$__agentsh_scratch"
    __agentsh_all=$'\n'$__agentsh_all
    __agentsh_e=${__agentsh_init[0]-} __agentsh_k=${__agentsh_init[1]-}
    if ! [[ $__agentsh_all =~ $'\n"'("$__agentsh_e"|"$__agentsh_k"|\
"${__agentsh_e#\\C-x}"|"${__agentsh_k#\\C-x}")'"' ]]; then
        __agentsh_all=''
    fi
    \builtin unset BASH_REMATCH
    if [[ ${__agentsh_w+set} ]]; then
        BASH_REMATCH=("${__agentsh_w[@]}")
    fi
    for __agentsh_e in 0 1; do
        __agentsh_k=${__agentsh_init[__agentsh_e]}
        if [[ $__agentsh_k && $__agentsh_all != \
            *$'\n"'"$__agentsh_k"'"'* && $__agentsh_all != \
            *$'\nprefix\n'*$'\n"'"${__agentsh_k#\\C-x}"'"'* ]]; then
            \builtin bind -m emacs -x \
                "\"$__agentsh_k\": __agentsh_key $__agentsh_e"
            \builtin bind -m vi-insert -x \
                "\"$__agentsh_k\": __agentsh_key $__agentsh_e"
            __agentsh_bound+=("$__agentsh_k")
        fi
    done
}

# A key: $1 is 0 for a command in the place of the words, 1 for an explanation.
# The aliases among the words go along. The reply is a command on the first
# line, or none, and below it what is to be shown.
__agentsh_key() {
    \builtin local - IFS=$' \t\n' __agentsh_w __agentsh_names='' __agentsh_how=''
    \builtin local __agentsh_all __agentsh_line
    \builtin set +aeux -f
    if [[ $READLINE_LINE != *[![:space:]]* ]]; then
        \builtin return 0
    fi
    for __agentsh_w in $READLINE_LINE; do
        if [[ $__agentsh_w == [a-zA-Z0-9_.-]* &&
            $__agentsh_w != *[!a-zA-Z0-9_.-]* &&
            ${BASH_ALIASES[$__agentsh_w]+set} ]]; then
            __agentsh_names+=$__agentsh_w=${BASH_ALIASES[$__agentsh_w]}$'\n'
        fi
    done
    if [[ $1 == 1 ]]; then
        __agentsh_how=--explain
    fi
    __agentsh_all=$(AGENTSH_ALIASES=$__agentsh_names LINES=${LINES-} \
        COLUMNS=${COLUMNS-} \builtin command "${__agentsh_init[3]:-agentsh}" \
        line --for-key $__agentsh_how -- "$READLINE_LINE" \
        2>/dev/null </dev/null) || :
    __agentsh_all=${__agentsh_all:-$'\nagentsh: no answer came'}
    __agentsh_line=${__agentsh_all%%$'\n'*}
    if [[ $__agentsh_all == *$'\n'* ]]; then
        PS1=${PS1%"$__agentsh_here"}
        __agentsh_w=${PS1@P}
        __agentsh_w=${__agentsh_w//[$'\001\002']/}
        \builtin printf '%s%s\n%s\n' "${__agentsh_w##*$'\n'}" \
            "$READLINE_LINE" "${__agentsh_all#*$'\n'}"
    fi
    if [[ $1 == 0 && $__agentsh_line &&
        $__agentsh_line != *[[:cntrl:]]* ]]; then
        READLINE_LINE=$__agentsh_line
        READLINE_POINT=${#READLINE_LINE}
    fi
}

# Where `not_found` is set: a hint of one line, by no model, before what else
# handles a command that is not found: the distribution's function, or the
# shell's own words.
__agentsh_not_found() {
    \builtin command "${__agentsh_init[3]:-agentsh}" line --not-found -- "$@" \
        >&2 2>/dev/null || :
    if \builtin declare -F __agentsh_not_found_was >/dev/null; then
        __agentsh_not_found_was "$@"
        \builtin return
    fi
    \builtin printf '%s: %s: command not found\n' "${0##*/}" "$1" >&2
    \builtin return 127
}

__agentsh_handle() {
    \builtin local __agentsh_e
    if [[ ! ${__agentsh_init[2]-} || ${AGENTSH_NOT_FOUND-} ]]; then
        \builtin return 0
    fi
    if \builtin declare -F command_not_found_handle >/dev/null; then
        __agentsh_e=$(\builtin declare -f command_not_found_handle)
        \builtin eval "__agentsh_not_found_was${__agentsh_e#*_handle}"
    fi
    command_not_found_handle() { __agentsh_not_found "$@"; }
}

# $1 is the DEBUG trap, which a function cannot see, where no file holds it.
__agentsh_load() {
    if ! __agentsh_fits; then
        __agentsh_forget
        \builtin return 0
    fi
    \builtin local -
    \builtin set +aeux
    # An array, since the environment has none.
    if [[ ${__agentsh_pid[0]-} == "$$" ]]; then
        __agentsh_spare
        if [[ $__agentsh_mode ]]; then
            __agentsh_place "$__agentsh_mode"
        fi
        \builtin return 0
    fi
    \builtin export -nf "${__agentsh_names[@]/#/__agentsh_}"
    __agentsh_note
    \builtin export AGENTSH_SESSION="$$-$SRANDOM"
    __agentsh_file=wanted
    __agentsh_pid=($$) __agentsh_cwd=cwd=${PWD-}$'\n' __agentsh_mode=''
    __agentsh_moved=''
    # These are set under the user's set -a, which exports no array.
    __agentsh_t=(0) __agentsh_n=(0) __agentsh_s=(0) __agentsh_a=('')
    __agentsh_line='' __agentsh_insert='' __agentsh_change=''
    __agentsh_held=('')
    __agentsh_tries=(0) __agentsh_here='\[\e[5n\]'
    # An entry that is a line of our own, and one that may be.
    __agentsh_odd='+([0-9])?[ *]*([[:blank:]])?(\\)@AI_NAME@*'
    __agentsh_own='+([0-9])?[ *]*([[:blank:]])?(\\)@AI_NAME@[[:space:];&|]*'
    # What a word of a line stands between.
    __agentsh_edge='[[:space:];&|()<>"'\'']'
    __agentsh_seen_n='' __agentsh_seen=''
    __agentsh_seen_a='' __agentsh_left_a=''
    __agentsh_arm='${__agentsh_x[__agentsh_n=\!,__agentsh_t=1'
    __agentsh_arm+='${EPOCHREALTIME/[^0-9]/},0]-}'
    # As bash prints them: bash-preexec knows its own by that.
    __agentsh_first=('\builtin trap -p DEBUG 2> /dev/null >| '
        __agentsh_settle)
    __agentsh_first[0]+='"$__agentsh_scratch"'
    if __agentsh_adopt; then
        :
    elif ! __agentsh_open || ! \builtin printf '%s' "${1-}" \
        >|"$__agentsh_scratch"; then
        \builtin return 0
    fi
    if [[ ${bash_preexec_imported-}${__bp_imported-} ]]; then
        __agentsh_place preexec
    elif __agentsh_has DEBUG; then
        PROMPT_COMMAND=("${__agentsh_first[@]}" "${PROMPT_COMMAND[@]}")
        __agentsh_moved=1
    else
        PROMPT_COMMAND[0]=${PROMPT_COMMAND[0]-}
        PROMPT_COMMAND+=("${__agentsh_first[@]}")
    fi
    __agentsh_keep
    __agentsh_bind
    __agentsh_handle
}

# Leaves the shell as it was before the hook.
__agentsh_unload() {
    \builtin local - __agentsh_e
    \builtin set +aeux
    __agentsh_lift "${__agentsh_first[0]}"
    __agentsh_lift __agentsh_settle
    __agentsh_lift __agentsh_prompt
    if [[ $__agentsh_moved ]]; then
        PROMPT_COMMAND=("${PROMPT_COMMAND[@]}")
    fi
    if [[ ! $__agentsh_zero && ! ${PROMPT_COMMAND[0]-x} ]]; then
        \builtin unset 'PROMPT_COMMAND[0]'
    fi
    if [[ $__agentsh_decl != *a* && ${!PROMPT_COMMAND[*]} == @(|0) ]]; then
        __agentsh_e=${PROMPT_COMMAND[0]-}
        \builtin unset PROMPT_COMMAND
        if [[ $__agentsh_decl ]]; then
            \builtin declare -g "$__agentsh_decl" PROMPT_COMMAND="$__agentsh_e"
        fi
    fi
    for __agentsh_e in "${!precmd_functions[@]}"; do
        if [[ ${precmd_functions[__agentsh_e]} == __agentsh_prompt ]]; then
            \builtin unset "precmd_functions[__agentsh_e]"
        fi
    done
    PS0=${PS0/"$__agentsh_arm"/}
    if [[ ! $__agentsh_ps0_was && ! $PS0 ]]; then
        \builtin unset PS0
    fi
    if [[ $__agentsh_file ]]; then
        \builtin command rm -f -- "$__agentsh_file" "$__agentsh_scratch" \
            "$__agentsh_insert" "$__agentsh_change" || :
    fi
    PS1=${PS1%"$__agentsh_here"}
    if [[ $(\builtin bind -m emacs -S; \builtin bind -m emacs -X) == \
        *'\e[0n'* ]]; then
        \builtin bind -m emacs -r '\e[0n'
        \builtin bind -m vi-insert -r '\e[0n'
    fi
    for __agentsh_e in "${__agentsh_bound[@]}"; do
        \builtin bind -m emacs -r "$__agentsh_e"
        \builtin bind -m vi-insert -r "$__agentsh_e"
    done
    if [[ $(\builtin declare -f command_not_found_handle) == \
        *__agentsh_not_found* ]]; then
        \builtin unset -f command_not_found_handle
        if \builtin declare -F __agentsh_not_found_was >/dev/null; then
            __agentsh_e=$(\builtin declare -f __agentsh_not_found_was)
            \builtin eval "command_not_found_handle${__agentsh_e#*_was}"
            \builtin unset -f __agentsh_not_found_was
        fi
    fi
    \builtin unset AGENTSH_SESSION
    if [[ ${__agentsh_env+set} ]]; then
        \builtin export AGENTSH_SESSION="$__agentsh_env"
    fi
    __agentsh_forget
}

__agentsh_forget() {
    \builtin unset -f "${__agentsh_names[@]/#/__agentsh_}"
    \builtin unset -v "${!__agentsh_@}"
}

__agentsh_names=(prompt apply ours take ask_key typed record unusual can judge
    cut again open keep lift place has settle fits note adopt spare bind key
    not_found handle load unload forget)
if [[ ${__agentsh_init[5]-} == "$$" ]]; then
    \builtin trap -p DEBUG 2>/dev/null \
        >|"${__agentsh_init[4]}/line-${__agentsh_init[6]}"
    __agentsh_load
else
    __agentsh_load "$(\builtin trap -p DEBUG)"
fi
