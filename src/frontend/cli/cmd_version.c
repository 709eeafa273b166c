/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_version.c - agentsh --version -o json: the features of the build, and
 * what can confine a command on this machine. */
#include "base/array.h"
#include "frontend/cli/command.h"
#include "guard/profile/profile.h"
#include "sandbox/confine.h"
#include "sandbox/probe.h"
#include "ui/app.h"
#include "json/write.h"

#define OUT_MAX 65536 /* a dozen findings of one sentence */

/* By configure, from pkg-config. */
static const struct library {
    const char *name, *version;
} libraries[] = {BUILT_LIBRARIES};

static void
put_library_features(struct json_writer *w)
{
    json_key(w, "features");
    json_open_object(w);
    json_key(w, "libraries");
    json_open_object(w);
    for (size_t i = 0; i < ARRAY_SIZE(libraries); i++)
        json_member_str(w, libraries[i].name, libraries[i].version);
    json_close_object(w);
    json_key(w, "profiles");
    json_open_array(w);
    for (enum profile p = 0; p < PROFILE_N; p++)
        json_put_str(w, profile_row(p)->name);
    json_close_array(w);
    json_member_str(w, "ai_name", AI_NAME);
    json_close_object(w);
}

static void
put_finding(struct json_writer *w, const char *name,
            const struct probe_finding *f)
{
    json_key(w, name);
    json_open_object(w);
    json_member_bool(w, "ok", f->good);
    json_member_str(w, "text", f->text);
    json_close_object(w);
}

/* What doctor has under the same names, and in numbers and words of one kind
 * what a program asks first. */
static void
put_confinement_layers(struct json_writer *w)
{
    static const char *const by[] = {[PROBE_WHOLE] = "namespaces",
                                     [PROBE_REDUCED] = "landlock",
                                     [PROBE_OPEN] = "none"};
    struct probe_finding layers[PROBE_N] = {0}, machine;
    enum probe_machine m = probe_machine(false);
    struct err e = {0};

    probe_describe_machine(m, &machine);
    json_key(w, "walls");
    json_open_object(w);
    json_member_str(w, "files_kept_by", by[m]);
    json_member_int(w, "landlock_abi", confine_landlock_abi());
    put_finding(w, "machine", &machine);
    if (probe_all(layers, &e) < 0)
        json_member_str(w, "error", e.text);
    else
        for (enum probe_layer i = 0; i < PROBE_N; i++)
            put_finding(w, probe_name(i), &layers[i]);
    json_close_object(w);
}

int
command_version(struct command_args *c)
{
    CLEANUP_BUF struct buf out = buf_of(OUT_MAX);
    struct err e = {0};
    struct json_writer w;

    json_write_init(&w, &out);
    json_open_object(&w);
    json_member_str(&w, "name", PACKAGE);
    json_member_str(&w, "version", PACKAGE_VERSION);
    put_library_features(&w);
    put_confinement_layers(&w);
    json_close_object(&w);
    buf_ch(&out, '\n');
    if (buf_ok(&out, "the version", &e) < 0)
        app_result_failed(c->app, &e);
    else
        app_put_result(c->app, &out);
    return 0;
}
