/* SPDX-License-Identifier: GPL-3.0-or-later */
/* args.h - what pkg.manage is asked to do. */
#ifndef PLUGINS_PKG_MANAGE_ARGS_H
#define PLUGINS_PKG_MANAGE_ARGS_H

#include "plugins/lib/request.h"
#include "plugins/pkg.manage/manager.h"

#define ARGS_PACKAGES_MAX 64
#define ARGS_NAME_MAX     128
#define ARGS_QUERY_MAX    128
#define ARGS_VERSION_MAX  128
#define ARGS_MARKS        "~^" /* in a version, beside those of a name */

/* Checked; the texts are borrowed from the request. */
struct args {
    enum manager_ask action;
    const char *packages[ARGS_PACKAGES_MAX];
    /* of an install, one a package; "": whichever there is. NULL: of all */
    const char *versions[ARGS_PACKAGES_MAX];
    bool has_versions;
    size_t n;
    bool assume_yes;
    bool automatic;      /* of a mark */
    const char *query;   /* of a search */
    const char *manager; /* NULL: the system's */
};

/* ERR_INVALID names the argument. */
int args_read(const struct request *r, struct args *out, struct err *e);

#endif
