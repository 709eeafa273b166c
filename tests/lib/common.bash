# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# common.bash - what the .bats files share: `load ../lib/common`.
#
# home_setup gives a test its own home, XDG directories and working directory,
# with no key, no proxy and no settings of the person who runs it; home_done
# removes them, ends the fault server, and fails when a process was left. Where
# there are no namespaces, what writes is allowed to run in `reduced`, and
# $writing is that profile; elsewhere it is workspace-write.

top_srcdir=${top_srcdir:-$(cd "${BATS_TEST_DIRNAME:?}/../.." && pwd)}
top_builddir=${top_builddir:-$top_srcdir/build}
PYTHON3=${PYTHON3:-python3}

home_setup() {
    # see BRIEF in tap.py
    [ -z "${AGENTSH_TEST_BRIEF-}" ] || skip "a brief run"
    TEST_ROOT=$(mktemp -d "${TMPDIR:-/tmp}/agentsh-test-XXXXXX")
    AGENTSH_TEST_ID=$(od -An -N8 -tx1 /dev/urandom | tr -d ' \n')
    export AGENTSH_TEST_ID
    # in one command: bats does something before each
    # shellcheck disable=SC2046 # names
    unset -v $(compgen -e | grep -E -e '(_API_KEY|_BASE_URL|_HOST)$' \
        -e '_(proxy|PROXY)$' -e '^AGENTSH_(MODEL|PROVIDER|PLUGIN_PATH)$' \
        -e '^(NO_COLOR|VISUAL|EDITOR|BASH_ENV|ENV)$')
    export HOME=$TEST_ROOT/home LANG=C.UTF-8 TERM=xterm-256color
    export XDG_CONFIG_HOME=$TEST_ROOT/config XDG_STATE_HOME=$TEST_ROOT/state
    export XDG_CACHE_HOME=$TEST_ROOT/cache XDG_DATA_HOME=$TEST_ROOT/data
    export XDG_RUNTIME_DIR=$TEST_ROOT/run
    unset LC_ALL LC_CTYPE
    mkdir -m 700 "$HOME" "$XDG_CONFIG_HOME" "$XDG_STATE_HOME" \
        "$XDG_CACHE_HOME" "$XDG_DATA_HOME" "$XDG_RUNTIME_DIR" \
        "$TEST_ROOT/work"
    own_state || return 1
    cd "$TEST_ROOT/work" || return 1
    # shellcheck disable=SC2034 # for the tests
    writing=workspace-write
    is_here namespaces || {
        writing=reduced
        home_config </dev/null
    }
}

# On an overlay, as a container's disk is, a preview goes to a place below
# /dev/shm that all of a user's share: a state directory of the test's own in
# memory takes it instead.
own_state() {
    TEST_STATE=
    [ "$(stat -f -c %T "$TEST_ROOT")" = overlayfs ] || return 0
    TEST_STATE=$(mktemp -d /dev/shm/agentsh-test-XXXXXX) || return 1
    XDG_STATE_HOME=$TEST_STATE/state XDG_RUNTIME_DIR=$TEST_STATE/run
    mkdir -m 700 "$XDG_STATE_HOME" "$XDG_RUNTIME_DIR"
}

home_done() {
    local left

    [ "${TEST_ROOT-}" ] || return 0 # it was skipped
    fault_stop
    cd / || return 1
    poll home_is_quiet # sets left
    # an overlay's own directory has no mode
    [ -z "$TEST_STATE" ] || chmod -R u+rwx "$TEST_STATE"
    rm -rf "${TEST_ROOT:?}" ${TEST_STATE:+"$TEST_STATE"}
    [ -z "$left" ] || {
        echo "left running: $left"
        return 1
    }
}

# poll COMMAND...: until it succeeds, at most 10 seconds.
poll() {
    local until=$((SECONDS + 10))

    until "$@"; do
        [ "$SECONDS" -lt "$until" ] || return 1
        sleep 0.02
    done
}

# What was started in this test and still runs, one a line. The search itself
# goes without the mark.
home_left() {
    local file pid words

    env -u AGENTSH_TEST_ID grep -lszxF -e "AGENTSH_TEST_ID=$AGENTSH_TEST_ID" \
        /proc/[0-9]*/environ | while read -r file; do
        pid=${file#/proc/}
        pid=${pid%/environ}
        mapfile -d '' -t words <"/proc/$pid/cmdline"
        echo "$pid ${words[*]}"
    done 2>/dev/null
}

home_is_quiet() {
    left=$(home_left)
    [ -z "$left" ]
}

# needs WHAT...: skips the test unless all of it is here (is_here).
needs() {
    local what

    for what; do
        is_here "$what" || skip "needs $what"
    done
}

# is_here WHAT: whether this machine has it: `root`, `namespaces` (that this
# user can make, with a /proc of their own), `other-user` (whom root can become,
# and who reaches what was built), `sys-ptrace` (what one without capabilities
# needs to look into others), a file, or the program of that name.
is_here() {
    case $1 in
    root) [ "$(id -u)" -eq 0 ] ;;
    namespaces) unshare -Urmpf mount -t proc proc /proc 2>/dev/null ;;
    other-user)
        # shellcheck disable=SC2016 # for that shell
        [ "$(id -u)" -eq 0 ] &&
            as_other_user sh -c '"$0" --version' "$top_builddir/agentsh" \
                >/dev/null 2>&1 # setpriv itself reaches more
        ;;
    sys-ptrace)
        # a process without capabilities does not look into one that has some
        [ "$(id -u)" -ne 0 ] ||
            (("0x$(sed -n 's/^CapEff:\t//p' /proc/self/status)" >> 19 & 1))
        ;;
    /*) [ -e "$1" ] ;;
    *) command -v "$1" >/dev/null ;;
    esac
}

# as_other_user COMMAND...: root runs it as a user of no name.
as_other_user() {
    setpriv --reuid=12345 --regid=12345 --clear-groups "$@"
}

# home_config: writes standard input as the configuration.
home_config() {
    (umask 077 && mkdir -p "$XDG_CONFIG_HOME/agentsh")
    cat >"$XDG_CONFIG_HOME/agentsh/config"
    [ "$writing" != reduced ] ||
        printf '\n[sandbox]\nallow_reduced = yes\n' \
            >>"$XDG_CONFIG_HOME/agentsh/config"
}

# fault_start [OPTION...]: starts the fault server; sets FAULT_URL, and
# FAULT_RECORD, the file in which each request is kept.
fault_start() {
    FAULT_RECORD=$TEST_ROOT/requests
    "${PYTHON3:-python3}" "$top_srcdir/tests/lib/faultserver.py" \
        --record "$FAULT_RECORD" "$@" >"$TEST_ROOT/port" 3>&- &
    FAULT_PID=$!
    poll [ -s "$TEST_ROOT/port" ]
    read -r _ FAULT_PORT <"$TEST_ROOT/port"
    # shellcheck disable=SC2034 # for the tests
    FAULT_URL=http://127.0.0.1:$FAULT_PORT
}

fault_stop() {
    [ -z "${FAULT_PID:-}" ] && return
    kill "$FAULT_PID" 2>/dev/null
    wait "$FAULT_PID" 2>/dev/null
    FAULT_PID=
}
