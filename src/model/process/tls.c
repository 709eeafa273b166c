/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tls.c - whose word about a server's name is believed. */
#include "model/process/tls.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

#define SYSTEM_DIR   "/etc/ssl/certs"
#define LOOK_AT_MOST 1000 /* entries: enough to meet a hashed name */

/* Whether the directory's files are named by their subject's hash, as
 * OpenSSL looks them up: "3513523f.0". */
static bool
is_hashed(const char *path)
{
    CLEANUP(dir_close_p) DIR *d = opendir(path);
    struct dirent *de;
    int seen = 0;

    if (!d)
        return false;
    while ((de = readdir(d)) != NULL && seen++ < LOOK_AT_MOST) {
        const char *dot = strchr(de->d_name, '.');

        if (dot && dot - de->d_name == 8 && strcmp(dot, ".0") == 0)
            return true;
    }
    return false;
}

void
tls_set_authorities(CURL *easy)
{
    const char *file = getenv("SSL_CERT_FILE");
    const char *dir = getenv("SSL_CERT_DIR");

    if (file && !*file)
        file = NULL;
    if (dir && !*dir)
        dir = NULL;
    if (!file && !dir && is_hashed(SYSTEM_DIR))
        dir = SYSTEM_DIR;
    if (!file && !dir)
        return;
    curl_easy_setopt(easy, CURLOPT_CAINFO, file);
    curl_easy_setopt(easy, CURLOPT_CAPATH, dir);
}
