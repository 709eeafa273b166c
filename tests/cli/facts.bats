#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# facts.bats - sysinfo, services and packages, on the machine as it is.
# shellcheck disable=SC2154 # top_builddir comes from make
load ../lib/common

setup() {
    home_setup
    agentsh=$top_builddir/agentsh
}

teardown() {
    test -z "${listener:-}" || kill "$listener" 2>/dev/null || true
    home_done
}

# value EXPRESSION: of the object d that the last command printed as JSON.
value() {
    printf '%s' "$output" | "$PYTHON3" -c '
import json, sys
d = json.load(sys.stdin)
print(eval(sys.argv[1]))' "$1"
}

# listen: begins to listen at a loopback port; sets listener, port.
listen() {
    "$PYTHON3" -c '
import os, socket, sys
s = socket.create_server(("127.0.0.1", 0))
open(sys.argv[1] + ".new", "w").write(str(s.getsockname()[1]))
os.rename(sys.argv[1] + ".new", sys.argv[1])
s.accept()' "$HOME/port" 3>&- &
    listener=$!
    poll test -s "$HOME/port"
    port=$(cat "$HOME/port")
}

@test "a listener is found with its process" {
    needs sys-ptrace
    listen
    run "$agentsh" services "$port" -o json
    [ "$status" -eq 0 ]
    [ "$(value 'len(d["ports"])')" = 1 ]
    [ "$(value 'd["ports"][0]["pid"]')" = "$listener" ]
    [ "$(value 'd["ports"][0]["protocol"]')" = tcp ]
    [ "$(value 'd["ports"][0]["address"]')" = 127.0.0.1 ]
    run "$agentsh" services "$port"
    [ "$status" -eq 0 ]
    [[ "$output" == *"$listener"* ]]
}

@test "another user's listener is told, without its process" {
    needs other-user
    listen
    run as_other_user \
        "$top_builddir/plugins/services/services" \
        <<<'{"tool":"services","action":"list","args":{"port":'"$port"'}}'
    [ "$status" -eq 0 ]
    [ "$(value 'd["meta"]["ports"][0]["visible"]')" = False ]
    [ "$(value 'd["meta"]["ports"][0]["pid"]')" = None ]
    [ "$(value 'd["meta"]["ports"][0]["user"]')" = root ]
    [ "$(value 'd["meta"]["hidden_processes"] > 0')" = True ]
}

@test "memory is what the kernel says" {
    run "$agentsh" sysinfo memory -o json
    [ "$status" -eq 0 ]
    total=$(awk '$1 == "MemTotal:" { printf "%.0f", $2 * 1024 }' /proc/meminfo)
    [ "$(value 'd["memory"]["total_bytes"]')" = "$total" ]
    [ "$(value 'sorted(d)')" = "['duration_ms', 'memory']" ]
    [ "$(value 'd["memory"]["used_bytes"] + d["memory"]["available_bytes"]')" \
        = "$total" ]
}

@test "the root file system is there once, with its size" {
    run "$agentsh" sysinfo disks -o json
    [ "$status" -eq 0 ]
    [ "$(value 'len([1 for i in d["disks"] if i["mount_point"] == "/"]) < 2')" \
        = True ]
    [ "$(value 'len(d["disks"]) == len({i["source"] for i in d["disks"]
        if i["source"][0] == "/"} | {id(i) for i in d["disks"]
        if i["source"][0] != "/"})')" = True ]
}

@test "a disk's sizes stand below their names" {
    run env COLUMNS=200 "$agentsh" sysinfo disks
    [ "$status" -eq 0 ]
    [[ "${lines[0]}" == *"MOUNTED AT"*SIZE*AVAILABLE*USED*TYPE*DEVICE ]]
    needs df
    point=$(awk 'NR == 2 { print $1 }' <<<"$output")
    total=$(df -B1 --output=size "$point" | tail -n 1)
    shown=$(awk 'NR == 2 { print $2 " " $3 }' <<<"$output")
    [ "$("$PYTHON3" -c '
import sys
n, i = float(sys.argv[1]), 0
while n >= 1023.95:
    n, i = n / 1024, i + 1
print("%.1f %s" % (n, ["B", "KiB", "MiB", "GiB", "TiB", "PiB"][i]))
' "$total")" = "$shown" ]
}

@test "the interfaces are those of the kernel, with the loopback address" {
    run "$agentsh" sysinfo network -o json
    [ "$status" -eq 0 ]
    [ "$(value 'sorted(i["name"] for i in d["network"]["interfaces"])')" = \
        "$("$PYTHON3" -c 'import os
print(sorted(n for n in os.listdir("/sys/class/net")
             if os.path.isdir("/sys/class/net/" + n)))')" ]
    [ "$(value '"127.0.0.1" in [a["address"]
        for i in d["network"]["interfaces"] for a in i["addresses"]]')" = True ]
}

@test "a locale changes nothing" {
    listen
    for verb in "sysinfo cpu memory os disks" "services $port" \
        "packages lib*c6"; do
        # shellcheck disable=SC2086 # words
        a=$(LC_ALL=C "$agentsh" $verb | sed 's/[0-9.]* [KMGT]iB//g; s/ up .*//')
        # shellcheck disable=SC2086
        b=$(LC_ALL=de_DE.UTF-8 LANGUAGE=de "$agentsh" $verb |
            sed 's/[0-9.]* [KMGT]iB//g; s/ up .*//')
        [ -n "$a" ]
        [ "$a" = "$b" ]
    done
}

@test "an installed package is listed as its manager lists it" {
    needs dpkg-query
    run "$agentsh" packages libc6 -o json
    [ "$status" -eq 0 ]
    [ "$(value 'd["packages"][0]["version"]')" = \
        "$(dpkg-query -W -f '${Version}\n' libc6 | head -n 1)" ]
    [ "$(value 'd["total"]')" = "$(dpkg-query -W -f '${db:Status-Status}\n' |
        grep -c '^installed$')" ]
}

@test "a name that nothing has is no error, a wrong word is" {
    run "$agentsh" packages 'no-such-package-*'
    [ "$status" -eq 0 ]
    [[ "$output" == "0 of "* ]]
    run "$agentsh" services 70000
    [ "$status" -eq 2 ]
    run "$agentsh" sysinfo weather
    [ "$status" -ne 0 ]
    [[ "$output" == *weather* ]]
}

