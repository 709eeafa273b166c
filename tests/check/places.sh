#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# places.sh - what a place of the system is, one table says.
# shellcheck disable=SC2154 # tap.sh sets root, checks and scratch
set -u
. "$(dirname "$0")/tap.sh"

table=src/guard/path/path_table.c

# What is opened or mounted by another way than the calls that places.awk knows,
# where a temporary file is made, what a confined process opens, what git gets as
# a directory without hooks, what tells an init system: no judgement of a path.
cat >"$scratch/excepted" <<'END'
src/model/prompt/context.c /etc/init.d
src/ui/editor.c /tmp
src/sandbox/preview/view_place.c /dev/shm
src/sandbox/launch/seccomp_notify.c /dev/null
src/sandbox/launch/seccomp_notify.c /dev/tty
src/sandbox/launch/kernel_mounts.c /proc
src/sandbox/probe_machine.c /proc/acpi
src/tool/check/check_report.c /tmp
src/server/acp/acp_patch.c /dev/null
src/tool/environ.c /dev/null
END

# complaints DIR EXCEPTED: about the source below DIR.
complaints() {
    (cd "$1" && find src -name '*.c' ! -path "$table" | LC_ALL=C sort |
        xargs awk -v excepted="$2" \
            -f "$checks/places.awk" "$table")
}

# ---- it sees what it looks for

plant planted/$table <<'END'
static const struct row rows[] = {
    {"/etc", ROOTS | SYSTEM},
    {"/dev/null", SINK},
    {"/tmp", SHARED},
};
static const char *const disks[] = {
    "/dev/sd", NULL,
};
END
plant planted/src/a.c <<'END'
static const char *const dirs[] = {"/usr", "/etc"};
if (strncmp(path, "/dev/sd", 7) == 0 || strncmp(path, "/etc/", 5) == 0)
    fd = open("/dev/null", O_RDONLY);
if (strcmp(path, "/dev/null") == 0)
    return err_sys(e, "/dev/null");
puts("/etcetera" "/etc/x");
END
plant planted/src/ui/editor.c <<'END'
return "/tmp";
return "/etc";
END
complaints "$scratch/planted" "$scratch/excepted" >"$scratch/out"
while IFS='|' read -r what line; do
    sees "$what" "$line is a row of $table" "$scratch/out"
done <<'END'
it sees a second list|src/a.c:1: /etc
it sees a disk's name|src/a.c:2: /dev/sd
it sees a directory with its slash|src/a.c:2: /etc
it sees a device that is not opened|src/a.c:4: /dev/null
it sees a place in a file that is excepted for another|src/ui/editor.c:2: /etc
END
[ "$(wc -l <"$scratch/out")" -eq 5 ] || sed 's/^/found: /' "$scratch/out" |
    not_ok "and nothing else"

# ---- the tree

complaints "$root" "$scratch/excepted" >"$scratch/out"
clean "a place of the system is named in one table" "$scratch/out"
complaints "$root" '' >"$scratch/all"
while read -r file place; do
    grep -q "^$file:[0-9]*: $place is" "$scratch/all" ||
        echo "$file: no $place is judged in it"
done <"$scratch/excepted" >"$scratch/out"
clean "no exception is left over" "$scratch/out"

done_testing
