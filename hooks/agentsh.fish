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

# Makes the file anew; a directory that is not ours alone is refused. Only
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
    # Nothing is made in another user's directory, which su leaves set.
    if builtin test ! -e $dir
        and builtin test $parent = /tmp -o -O $parent
        command mkdir -m 700 -- $dir 2>/dev/null
    end
    if builtin test -d $dir -a ! -L $dir -a -O $dir
        and builtin string match -qr '^drwx------(?!\+)' -- \
            (command ls -ld -- $dir 2>/dev/null)
        and command sh -c 'umask 077 && : >"$1"' sh $__agentsh_file 2>/dev/null
        return 0
    end
    builtin set -g __agentsh_file
    return 1
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
    return 0
end

# Leaves the shell as it was before the hook.
function __agentsh_unload
    if builtin test -n "$__agentsh_file"
        command rm -f -- $__agentsh_file
    end
    builtin set -eg AGENTSH_SESSION
    if builtin set -q __agentsh_env[1]
        builtin set -gx AGENTSH_SESSION $__agentsh_env
    end
    __agentsh_forget
end

function __agentsh_forget
    builtin set -eg __agentsh_pid __agentsh_cwd __agentsh_env __agentsh_file
    builtin functions -e __agentsh_{preexec,postexec,write,open,load,unload} \
        __agentsh_forget
end

__agentsh_load
