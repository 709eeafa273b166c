/* SPDX-License-Identifier: GPL-3.0-or-later */
/* http_util.c - origins of URLs, and CA certificates. */
#include "model/process/http_util.h"

#include <curl/curl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/cleanup.h"

#define SYSTEM_CERT_DIR "/etc/ssl/certs"
/* Entries of that directory that are read: enough to find a hashed name. */
#define ENTRIES_READ_MAX 1000

DEFINE_CLEANUP(CURLU, curl_url_cleanup)

static void
curl_text_free(char **text)
{
    curl_free(*text);
}

static bool
same_url_part(CURLU *a, CURLU *b, CURLUPart part)
{
    CLEANUP(curl_text_free) char *one = NULL;
    CLEANUP(curl_text_free) char *two = NULL;

    return curl_url_get(a, part, &one, CURLU_DEFAULT_PORT) == CURLUE_OK &&
           curl_url_get(b, part, &two, CURLU_DEFAULT_PORT) == CURLUE_OK &&
           strcasecmp(one, two) == 0;
}

bool
http_util_same_origin(const char *url, const char *other)
{
    CLEANUP(curl_url_cleanup_p) CURLU *a = curl_url();
    CLEANUP(curl_url_cleanup_p) CURLU *b = curl_url();

    return a && b && curl_url_set(a, CURLUPART_URL, url, 0) == CURLUE_OK &&
           curl_url_set(b, CURLUPART_URL, other, 0) == CURLUE_OK &&
           same_url_part(a, b, CURLUPART_SCHEME) &&
           same_url_part(a, b, CURLUPART_HOST) &&
           same_url_part(a, b, CURLUPART_PORT);
}

/* Whether the files of the directory are named by the hash of their subject, by
 * which OpenSSL looks them up: "3513523f.0". */
static bool
has_hashed_names(const char *path)
{
    CLEANUP(dir_close_p) DIR *d = opendir(path);
    struct dirent *de;
    int seen = 0;

    if (!d)
        return false;
    while ((de = readdir(d)) != NULL && seen++ < ENTRIES_READ_MAX) {
        const char *dot = strchr(de->d_name, '.');

        if (dot && dot - de->d_name == 8 && strcmp(dot, ".0") == 0)
            return true;
    }
    return false;
}

void
http_util_set_ca_certificates(CURL *easy, const char *file)
{
    const char *dir = file ? NULL : getenv("SSL_CERT_DIR");

    if (!file)
        file = getenv("SSL_CERT_FILE");
    if (file && !*file)
        file = NULL;
    if (dir && !*dir)
        dir = NULL;
    if (!file && !dir && has_hashed_names(SYSTEM_CERT_DIR))
        dir = SYSTEM_CERT_DIR;
    if (!file && !dir)
        return;
    curl_easy_setopt(easy, CURLOPT_CAINFO, file);
    curl_easy_setopt(easy, CURLOPT_CAPATH, dir);
}
