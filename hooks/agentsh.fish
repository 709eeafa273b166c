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
# Every builtin is called by name, so that no function of the user stands in
# for it. While this is read, standard input is a pipe.

# Before a line runs.
function __agentsh_preexec --on-event fish_preexec
    builtin set -g __agentsh_cwd $PWD
end

# After a line has run: $argv is the line.
function __agentsh_postexec --on-event fish_postexec
    builtin set -l code $status
    if builtin test -z "$__agentsh_file" -o -n "$fish_private_mode"
        return 0
    end
    if builtin string match -qr '^\s|^\\\\?@AI_NAME@(?![^\s;&|])' -- "$argv"
        return 0
    end
    __agentsh_write $code "$argv"
    return 0
end

# At each prompt: reads the command that was left for it, once, and asks the
# terminal whether it is there. The answer comes behind all that was typed
# before, and is the key that puts the command on the line. One that would not
# be shown as it is is dropped. A terminal that does not answer is asked at
# three prompts; then the command is shown alone. So is one that fish may read
# otherwise. Newer versions of fish keep the answer, but take a line here; one
# that was typed before and waits to be run would run it unseen, so that the
# next prompt is waited for. A file that is not ours alone is removed: nothing is written
# through it.
function __agentsh_take --on-event fish_prompt
    if builtin set -q __agentsh_given
        builtin set -ge __agentsh_given
        builtin set -g __agentsh_held
    end
    if builtin test -s "$__agentsh_insert"
        builtin set -g __agentsh_held
        builtin set -g __agentsh_tries 3
        if builtin test -f $__agentsh_insert -a ! -L $__agentsh_insert \
                -a -O $__agentsh_insert
            and builtin string match -qr '^-rw-------(?!\+)' -- \
                (command ls -ld -- $__agentsh_insert 2>/dev/null)
            builtin read -gz __agentsh_held <$__agentsh_insert
            builtin printf '' >$__agentsh_insert
        else
            command rm -f -- $__agentsh_insert 2>/dev/null
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

# Makes the two files anew; a directory that is not ours alone is refused. Only
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
    # Nothing is made in another user's directory, which su leaves set.
    if builtin test ! -e $dir
        and builtin test $parent = /tmp -o -O $parent
        command mkdir -m 700 -- $dir 2>/dev/null
    end
    if builtin test -d $dir -a ! -L $dir -a -O $dir
        and builtin string match -qr '^drwx------(?!\+)' -- \
            (command ls -ld -- $dir 2>/dev/null)
        and command sh -c 'umask 077 && : >"$1" && : >"$2"' sh \
            $__agentsh_file $__agentsh_insert 2>/dev/null
        return 0
    end
    builtin set -g __agentsh_file
    builtin set -g __agentsh_insert
    return 1
end

# The Enter key where ? is a pattern. In a line that calls `@AI_NAME@`, up to
# the first operator, each gets a backslash, but within quotes.
function __agentsh_enter
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
    builtin commandline -f execute
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
        return 0
    end
    builtin set -g __agentsh_pid $fish_pid
    builtin set -g __agentsh_cwd $PWD
    builtin set -g __agentsh_env
    if builtin set -q AGENTSH_SESSION
        builtin set __agentsh_env $AGENTSH_SESSION
    end
    builtin set -gx AGENTSH_SESSION \
        $fish_pid-(builtin random 100000000 999999999)
    __agentsh_open
    __agentsh_bind
    return 0
end

# Leaves the shell as it was before the hook.
function __agentsh_unload
    __agentsh_unbind
    if builtin test -n "$__agentsh_file"
        command rm -f -- $__agentsh_file $__agentsh_insert
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
        __agentsh_insert __agentsh_held __agentsh_tries
    builtin functions -e __agentsh_{preexec,postexec,write,take,same,typed} \
        __agentsh_{open,enter,bind,unbind,load,unload,forget}
end

__agentsh_load
