/* SPDX-License-Identifier: GPL-3.0-or-later */
/* os.c - the distribution, the kernel, the name, how long it has run. */
#include "plugins/sysinfo/os.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/size.h"
#include "plugins/lib/machine.h"
#include "plugins/sysinfo/part.h"

#define RELEASE_SIZE 8192 /* the files have under 1 KiB */

/* A value as a shell would read it: in quotes a backslash keeps what follows.
 * Variables are not expanded, nor has any such file one. */
static void
unquote(struct span v, char *out, size_t size)
{
    char quote = v.n >= 2 && (*v.p == '"' || *v.p == '\'') ? *v.p : '\0';
    size_t n = 0;

    if (quote && v.p[v.n - 1] == quote)
        v = (struct span){v.p + 1, v.n - 2};
    for (size_t i = 0; i < v.n && n + 1 < size; i++) {
        if (v.p[i] == '\\' && quote != '\'' && i + 1 < v.n)
            i++;
        out[n++] = v.p[i];
    }
    out[n] = '\0';
}

void
os_release_parse(struct span text, struct os_release *out)
{
    struct span line, key, value;
    char plain[sizeof(out->name)] = "";

    *out = (struct os_release){0};
    while (span_line(&text, &line)) {
        if (!span_pair(line, '=', &key, &value))
            continue;
        if (span_is(key, "PRETTY_NAME"))
            unquote(value, out->name, sizeof(out->name));
        else if (span_is(key, "NAME"))
            unquote(value, plain, sizeof(plain));
        else if (span_is(key, "ID"))
            unquote(value, out->id, sizeof(out->id));
        else if (span_is(key, "VERSION_ID"))
            unquote(value, out->version, sizeof(out->version));
    }
    if (out->name[0] == '\0')
        snprintf(out->name, sizeof(out->name), "%s", plain);
}

static void
read_release(int root, struct os_release *out)
{
    char text[RELEASE_SIZE];

    if (machine_read(root, "etc/os-release", text, sizeof(text)) == 0)
        machine_read(root, "usr/lib/os-release", text, sizeof(text));
    os_release_parse(span_of(text), out);
}

void
part_os(int root, struct buf *text, struct json_writer *w)
{
    struct os_release release;
    struct utsname u = {0};
    uint64_t up = 0;
    char line[64], since[SIZE_TEXT];

    read_release(root, &release);
    (void)uname(&u);
    machine_read(root, "proc/uptime", line, sizeof(line));
    span_number(span_of(line), 10, &up);

    buf_printf(text, "os: %s; %s %s %s; host %s; up %s\n",
               release.name[0] ? release.name : "unknown distribution",
               u.sysname, u.release, u.machine, u.nodename,
               size_time_text(up, since));
    json_open_object(w);
    part_member(w, "name", release.name);
    part_member(w, "id", release.id);
    part_member(w, "version", release.version);
    part_member(w, "kernel", u.sysname);
    part_member(w, "release", u.release);
    part_member(w, "architecture", u.machine);
    part_member(w, "hostname", u.nodename);
    json_member_int(w, "uptime_s", (int64_t)up);
    json_close_object(w);
}
