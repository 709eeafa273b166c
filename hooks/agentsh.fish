# SPDX-License-Identifier: GPL-3.0-or-later
# agentsh.fish - the fish hook: remembers the last command line.
#
#     agentsh init fish | source        in ~/.config/fish/config.fish
#     __agentsh_unload                  takes it out again
#
# After each command line it writes what was run, its status, where and how
# long, into a private file for `@AI_NAME@`. It uses builtins only: no process
# is started and no descriptor of the shell is changed. fish restores $status
# and $pipestatus after each handler of an event. A line that fish keeps out
# of its history, with a blank in front or in private mode, is kept out here.
# A command that `@AI_NAME@` leaves for the prompt (its key [i]nsert) is put on
# the line that is edited next, where fish reads it as bash does. Only where
# one waits a process is started: ls, to see who may write its file, and rm
# where others may.
#
# Two keys ask `agentsh line`, where nothing was bound to them: one puts a
# command in the place of the words on the line, the other explains the line
# below it.
#
# `agentsh init` begins the script with the list __agentsh_init: both keys,
# whether a command that is not found gets a hint, our program; and, where it
# has made the files of this shell, their directory, the shell, the session, and
# whether they are in memory.
#
# Every builtin is called by name, so that no function of the user stands in
# for it. While this is read, standard input is a pipe.

# Before a line runs.
function __agentsh_preexec --on-event fish_preexec
    builtin set -g __agentsh_cwd $PWD
end

# After a line has run: $argv is the line.
function __agentsh_postexec --on-event fish_postexec
    builtin set -l code $status
    # The usual way is short: each builtin is a part of what a prompt costs, and
    # a switch is none. A directory, with nothing of a private mode in front, and
    # behind it a line that is not like one of our own.
    switch "$__agentsh_slow$fish_private_mode$__agentsh_cwd"
        case '*'\n'*'
        case '/*'
            switch "$argv"
                case '' ' *' \t'*' \n'*' \v'*' \f'*' \r'*' \
                        '@AI_NAME@*' '\\@AI_NAME@*'
                case '*'
                    if builtin test -w "$__agentsh_file" \
                            -a ! -s "$__agentsh_insert" \
                            -a ! -s "$__agentsh_change"
                        builtin printf $__agentsh_format $code $__agentsh_cwd \
                            $CMD_DURATION "$argv" >$__agentsh_file
                        return 0
                    end
            end
    end
    if builtin test -n "$__agentsh_file" -a -z "$fish_private_mode"
        and not builtin string match -qr \
            '^\s|^\\\\?@AI_NAME@(?![^\s;&|])' -- "$argv"
        __agentsh_write $code "$argv"
    end
    if builtin test -s "$__agentsh_change" -o -s "$__agentsh_insert"
        __agentsh_await
    end
    return 0
end

# What `@AI_NAME@` has left is for the next prompt, and for those after it until
# it is on a line. Only then there is a handler of prompts: one costs as much as
# a fifth of the hook.
function __agentsh_await
    function __agentsh_prompt --on-event fish_prompt
        __agentsh_apply
        __agentsh_take
        builtin test -n "$__agentsh_held$__agentsh_given"
        or builtin functions -e __agentsh_prompt
        return 0
    end
end

# Does to this shell what a plan of `@AI_NAME@` did. Records of
# a letter and a text, each with a NUL behind it, the last a full stop. Lines
# that ran go to the history, where fish can add to it (from 4 on); directory and
# variables are literal words for the builtins. Nothing is read as code.
function __agentsh_apply
    builtin test -s "$__agentsh_change"; or return 0
    builtin set -l all
    if __agentsh_ours $__agentsh_change
        while builtin read -lz record
            builtin set -a all $record
        end <$__agentsh_change
        builtin printf '' >$__agentsh_change
    end
    builtin test "$all[-1]" = .; or return 0 # it was cut
    for record in $all
        builtin string match -qr '[^\P{Cc}\n\t]' -- $record; and continue
        builtin set -l text (builtin string sub -s 2 -- $record |
            builtin string collect)
        switch $record
            case 'l*'
                if builtin string match -qr '^(?:[4-9]|\d\d)' -- $version
                    builtin history append -- $text
                end
            case 'd/*'
                builtin cd $text 2>/dev/null
                or builtin printf 'agentsh: cannot change to %s\n' $text >&2
            case 'v*'
                builtin set -l part (builtin string match -r -- \
                    '(?s)^(?!AGENTSH|__agentsh|IFS=)([A-Za-z_][A-Za-z0-9_]*)=(.*)$' \
                    $text | builtin string collect)
                if builtin test -n "$part"
                    builtin set -l name (builtin string replace -r -- \
                        '(?s)=.*' '' $text)
                    builtin set -gx $name (builtin string replace -r -- \
                        '(?s)^[^=]*=' '' $text | builtin string collect)
                end
        end
    end
    return 0
end

# Whether the file is ours alone; another is removed.
function __agentsh_ours -a file
    if builtin test -f $file -a ! -L $file -a -O $file
        and builtin string match -qr '^-rw-------(?!\+)' -- \
            (command ls -ld -- $file 2>/dev/null)
        return 0
    end
    command rm -f -- $file 2>/dev/null
    return 1
end

# Reads the command that was left for the prompt, once, and asks the
# terminal whether it is there. The answer comes behind all that was typed
# before, and is the key that puts the command on the line. One that would not
# be shown as it is is dropped. A terminal that does not answer is asked at
# three prompts; then the command is shown alone. So is one that fish may read
# otherwise. Newer versions of fish keep the answer, but take a line here; one
# that was typed before and waits to be run would run it unseen, so that the
# next prompt is waited for. A file that is not ours alone is removed: nothing is written
# through it.
function __agentsh_take
    if builtin set -q __agentsh_given
        builtin set -ge __agentsh_given
        builtin set -g __agentsh_held
    end
    if builtin test -s "$__agentsh_insert"
        builtin set -g __agentsh_held
        builtin set -g __agentsh_tries 3
        if __agentsh_ours $__agentsh_insert
            builtin read -gz __agentsh_held <$__agentsh_insert
            builtin printf '' >$__agentsh_insert
        end
        if builtin string match -qr '[^\P{Cc}\n\t]' -- "$__agentsh_held"
            builtin set -g __agentsh_held
        else if not __agentsh_same "$__agentsh_held"
            builtin printf '%s\n' \
                'agentsh: for bash, and fish may read it otherwise:' \
                $__agentsh_held
            builtin set -g __agentsh_held
        end
    end
    if builtin test -n "$__agentsh_held"
        if builtin test $__agentsh_tries -gt 0
            builtin set -g __agentsh_tries \
                (builtin math $__agentsh_tries - 1)
            builtin bind \e\[0n __agentsh_typed
            builtin bind -M insert \e\[0n __agentsh_typed
            if builtin string match -qr '^(?:4\.[1-9]|[5-9])' -- $version
                command bash -c 'read -t 0 </dev/tty' 2>/dev/null
                if builtin test $status -eq 1
                    builtin commandline -r -- $__agentsh_held
                    builtin set -g __agentsh_given yes
                end
            end
            builtin printf '\e[5n'
        else
            builtin printf '%s\n' $__agentsh_held
            builtin set -g __agentsh_held
        end
    end
    return 0
end

# Whether fish reads the line as bash does: words of plain bytes, '…' and "…"
# without what only one of them expands, pipes, redirections and &&, || and &;
# a newline behind && alone. What fish has a command of its own for is none.
function __agentsh_same -a line
    builtin string match -qr -- '(?x)\A (?:
        \' (?: [^\'\\\\\n] | \\\\ [^\'\\\\\n] )* \'
        | " [^"\\\\$`\n]* " | \\\\ \'
        | (?<! \S ) ~ (?= / | \s | \z )
        | && \n | >> | (?: > | & ) (?! [|>] ) | < (?! [<>&] ) | \| (?! & )
        | (?<! \* ) \* (?! \* )
        | [\w./:=,+@^%\x20\t-] )* \z' "$line"
    and not builtin string match -qr -- '(?x)(?: \A | [|&] ) \s*
        (?: set|read|source|\.|eval|history|trap|builtin|command|exec|bind
        |if|for|while|case|function|begin|end|and|or|not|switch|abbr|status
        |string|math|count|contains|random ) (?: \s | \z ) | %self' "$line"
end

# The terminal's answer; a prompt that is drawn anew has asked again.
function __agentsh_typed
    if builtin set -q __agentsh_given
        builtin set -l line (builtin commandline | builtin string collect)
        builtin set -l n (builtin string length -- "$__agentsh_held")
        builtin set -l begin (builtin string sub -l $n -- "$line" |
            builtin string collect)
        if builtin test "$begin" = "$__agentsh_held"
            builtin set -g __agentsh_held
        end
        builtin set -ge __agentsh_given
    end
    if builtin test -n "$__agentsh_held"
        builtin commandline -C 0
        builtin commandline -i -- $__agentsh_held
        builtin commandline -f end-of-buffer
        builtin set -g __agentsh_held
    end
end

# status, cwd (unless a newline is in it), duration_ms, and the command, which
# goes on to the end of the file and has at most 64 KiB; a character has four
# bytes at most. Emptied first and then written: a file system that sees both
# in one opening takes it for the replacement of a document, and sends it to
# the disk at once.
function __agentsh_write -a code line
    if builtin string match -qr '(?s)^.{16384}.' -- $line
        builtin set line (builtin string sub -l 16384 -- $line |
            builtin string collect)
    end
    builtin set -l where "cwd=$__agentsh_cwd"\n
    if builtin string match -q '*'\n'*' -- $__agentsh_cwd
        builtin set where ''
    end
    if not builtin test -w $__agentsh_file
        __agentsh_open; or return
    end
    builtin printf '' >$__agentsh_file
    builtin printf 'status=%s\n%sduration_ms=%s\ncommand=%s' $code $where \
        $CMD_DURATION $line 2>/dev/null >>$__agentsh_file
end

# Makes the three files anew; a directory that is not ours alone is refused. Only
# here are processes started: when loading, and after someone has cleared the
# directory. When it fails, nothing is recorded from then on.
function __agentsh_open
    builtin set -l dir /tmp/agentsh-$EUID
    builtin set -l parent /tmp
    if builtin string match -q '/*' -- "$XDG_RUNTIME_DIR"
        builtin set dir $XDG_RUNTIME_DIR/agentsh
        builtin set parent $XDG_RUNTIME_DIR
    end
    builtin set -g __agentsh_file $dir/last-$AGENTSH_SESSION
    builtin set -g __agentsh_insert $dir/insert-$AGENTSH_SESSION
    builtin set -g __agentsh_change $dir/change-$AGENTSH_SESSION
    # Nothing is made in another user's directory, which su leaves set.
    if builtin test ! -e $dir
        and builtin test $parent = /tmp -o -O $parent
        command mkdir -m 700 -- $dir 2>/dev/null
    end
    if builtin test -d $dir -a ! -L $dir -a -O $dir
        and builtin string match -qr '^drwx------(?!\+)' -- \
            (command ls -ld -- $dir 2>/dev/null)
        and command sh -c 'umask 077 && : >"$1" && : >"$2" && : >"$3"' sh \
            $__agentsh_file $__agentsh_insert $__agentsh_change 2>/dev/null
        return 0
    end
    builtin set -g __agentsh_file
    builtin set -g __agentsh_insert
    builtin set -g __agentsh_change
    return 1
end

# Takes over the files that `agentsh init` has made for this shell.
function __agentsh_adopt
    builtin test "$__agentsh_init[6]" = $fish_pid; or return
    builtin set -gx AGENTSH_SESSION $__agentsh_init[7]
    builtin set -l dir $__agentsh_init[5]
    builtin set -g __agentsh_file $dir/last-$AGENTSH_SESSION
    builtin set -g __agentsh_insert $dir/insert-$AGENTSH_SESSION
    builtin set -g __agentsh_change $dir/change-$AGENTSH_SESSION
    builtin test -w $__agentsh_file
end

# A key: puts a command in the place of the words, or (explain) explains them.
# The aliases among the words go along. The reply is a command on the first
# line, or none, and below it what is to be shown.
function __agentsh_key -a how
    builtin set -l text (builtin commandline | builtin string collect)
    builtin string match -qr '\S' -- "$text"; or return 0
    builtin set -l names
    for word in (builtin string match -ar '\S+' -- "$text")
        builtin functions -q -- $word; or continue
        builtin set -l about (builtin functions -D -v -- $word)[5]
        builtin set -l body (builtin string match -gr '^alias \S+?[ =](.+)$' \
            -- "$about")
        builtin test -n "$body"; and builtin set -a names $word=$body
    end
    builtin set -l program $__agentsh_init[4]
    builtin test -n "$program"; or builtin set program agentsh
    builtin set -lx AGENTSH_ALIASES (builtin string join \n -- $names |
        builtin string collect)
    builtin set -lx COLUMNS $COLUMNS
    builtin set -lx LINES $LINES
    builtin set -l reply (command $program line --for-key $how -- "$text" \
        2>/dev/null </dev/null)
    builtin set -q reply[1]; or builtin set reply '' 'agentsh: no answer came'
    if builtin test -z "$how" -a -n "$reply[1]"
        if not __agentsh_same "$reply[1]"
            builtin set -a reply 'agentsh: for bash, and fish may read it otherwise:' \
                $reply[1]
        else if not builtin string match -qr '\p{Cc}' -- "$reply[1]"
            builtin commandline -r -- $reply[1]
            builtin commandline -f end-of-buffer
        end
    end
    if builtin set -q reply[2]
        __agentsh_below $reply[2..]
    end
    builtin commandline -f repaint
end

# Shows lines below the one that is edited, as fish's own functions do: the
# prompt is drawn anew behind them.
function __agentsh_below
    builtin set -l line (builtin commandline -L)
    builtin set -l all (builtin commandline | builtin string split \n)
    for i in (builtin string match -ar . -- \
            (builtin string repeat -n (builtin math (builtin count $all) - $line + 1) x))
        builtin printf '\n'
    end
    builtin printf '%s\e[K\n' $argv
    for i in (fish_prompt | builtin string split \n)[2..]
        builtin printf '\n'
    end
end

# Binds our keys, but none that is bound.
function __agentsh_bind_keys
    builtin set -g __agentsh_bound
    for i in 1 2
        builtin set -l key $__agentsh_init[$i]
        builtin test -n "$key"; or continue
        builtin bind $key >/dev/null 2>&1; and continue
        builtin bind -M insert $key >/dev/null 2>&1; and continue
        builtin set -l how __agentsh_key
        builtin test $i = 2; and builtin set how '__agentsh_key --explain'
        builtin bind --user $key $how
        builtin bind --user -M insert $key $how
        builtin set -a __agentsh_bound $key
    end
end

# Where `not_found` is set: a hint of one line, by no model, before what else
# handles a command that is not found.
function __agentsh_not_found
    builtin set -l program $__agentsh_init[4]
    builtin test -n "$program"; or builtin set program agentsh
    command $program line --not-found -- $argv >&2 2>/dev/null
    if builtin functions -q __agentsh_not_found_was
        __agentsh_not_found_was $argv
    else
        __fish_default_command_not_found_handler $argv
    end
end

function __agentsh_handle
    builtin test -n "$__agentsh_init[3]"; or return 0
    if builtin functions -q fish_command_not_found
        builtin functions -c fish_command_not_found __agentsh_not_found_was
    end
    function fish_command_not_found
        __agentsh_not_found $argv
    end
end

# The Enter key where ? is a pattern.
function __agentsh_enter
    if builtin commandline | builtin string match -q '*\?*'
        __agentsh_protect
    end
    builtin commandline -f execute
end

# In a line that calls `@AI_NAME@`, up to the first operator, each ? gets a
# backslash, but within quotes.
function __agentsh_protect
    # a quoted part, or a backslash with what it protects
    builtin set -l whole '\'(?:[^\'\\\\]|\\\\.)*\'|"(?:[^"\\\\]|\\\\.)*"|\\\\.'
    builtin set -l line (builtin commandline | builtin string collect)
    builtin set -l call (builtin string match -r -- \
        "(?s)^\s*\\\\?@AI_NAME@\s(?:$whole|[^;|&<>'\"\\\\])*" "$line" |
        builtin string collect)
    if builtin string match -q '*\?*' -- "$call"
        builtin set -l from (builtin string length -- "$call")
        builtin commandline -r -- (builtin string replace -ar -- \
            "(?s)(?:$whole)(*SKIP)(*F)|\?" '\\\\?' "$call" |
            builtin string collect)(builtin string sub \
            -s (builtin math $from + 1) -- "$line" | builtin string collect)
    end
end

# Takes the Enter key, unless it has been bound to something else.
function __agentsh_bind
    builtin status test-feature qmark-noglob; and return
    for mode in default insert
        builtin bind --user -M $mode \r >/dev/null 2>&1; and return
    end
    for mode in default insert
        builtin bind --user -M $mode \r __agentsh_enter
    end
end

function __agentsh_unbind
    for mode in default insert
        if builtin bind --user -M $mode \r 2>/dev/null |
                builtin string match -q '*__agentsh_enter*'
            builtin bind --user -e -M $mode \r
        end
    end
end

function __agentsh_load
    if not builtin status is-interactive
        __agentsh_forget
        return 0
    end
    # The variable is not exported: a nested shell does not find it.
    if builtin test "$__agentsh_pid" = $fish_pid
        # loaded once more: the files that were made for this are not needed
        if builtin test "$__agentsh_init[6]" = $fish_pid -a \
                "$__agentsh_init[7]" != "$AGENTSH_SESSION"
            command rm -f -- $__agentsh_init[5]/{last,line,insert,change}-$__agentsh_init[7]
        end
        return 0
    end
    builtin set -g __agentsh_pid $fish_pid
    builtin set -g __agentsh_cwd $PWD
    builtin set -g __agentsh_format \
        'status=%s\ncwd=%s\nduration_ms=%s\ncommand=%.16384s'
    # Only files in memory are written in one opening: elsewhere no line is usual.
    builtin set -g __agentsh_slow slow
    builtin test -n "$__agentsh_init[8]"; and builtin set -g __agentsh_slow
    builtin set -g __agentsh_env
    if builtin set -q AGENTSH_SESSION
        builtin set __agentsh_env $AGENTSH_SESSION
    end
    if not __agentsh_adopt
        builtin set -gx AGENTSH_SESSION \
            $fish_pid-(builtin random 100000000 999999999)
        __agentsh_open
    end
    __agentsh_bind
    __agentsh_bind_keys
    __agentsh_handle
    return 0
end

# Leaves the shell as it was before the hook.
function __agentsh_unload
    __agentsh_unbind
    for key in $__agentsh_bound
        builtin bind --user -e $key
        builtin bind --user -e -M insert $key
    end
    if builtin functions -q __agentsh_not_found_was
        builtin functions -e fish_command_not_found
        builtin functions -c __agentsh_not_found_was fish_command_not_found
        builtin functions -e __agentsh_not_found_was
    else if builtin test -n "$__agentsh_init[3]"
        builtin functions -e fish_command_not_found
    end
    if builtin test -n "$__agentsh_file"
        command rm -f -- $__agentsh_file $__agentsh_insert $__agentsh_change
    end
    builtin set -eg AGENTSH_SESSION
    if builtin set -q __agentsh_env[1]
        builtin set -gx AGENTSH_SESSION $__agentsh_env
    end
    __agentsh_forget
end

function __agentsh_forget
    if builtin set -q __agentsh_tries
        builtin bind -e \e\[0n
        builtin bind -e -M insert \e\[0n
    end
    builtin set -eg __agentsh_pid __agentsh_cwd __agentsh_env __agentsh_file \
        __agentsh_insert __agentsh_change __agentsh_held __agentsh_tries \
        __agentsh_init __agentsh_bound __agentsh_format __agentsh_slow
    builtin functions -e __agentsh_{prompt,preexec,postexec,await,write,take,same,typed} \
        __agentsh_{apply,ours,adopt,key,below,bind_keys,not_found,handle} \
        __agentsh_{open,enter,protect,bind,unbind,load,unload,forget}
end

__agentsh_load
