/* SPDX-License-Identifier: GPL-3.0-or-later */
/* origin.c - whether two addresses are the same server. */
#include "model/process/origin.h"

#include <curl/curl.h>
#include <strings.h>

#include "base/cleanup.h"

DEFINE_CLEANUP(CURLU, curl_url_cleanup)

static void
text_free(char **text)
{
    curl_free(*text);
}

static bool
part_is_same(CURLU *a, CURLU *b, CURLUPart part)
{
    CLEANUP(text_free) char *one = NULL;
    CLEANUP(text_free) char *two = NULL;

    return curl_url_get(a, part, &one, CURLU_DEFAULT_PORT) == CURLUE_OK &&
           curl_url_get(b, part, &two, CURLU_DEFAULT_PORT) == CURLUE_OK &&
           strcasecmp(one, two) == 0;
}

bool
origin_is_same(const char *url, const char *other)
{
    CLEANUP(curl_url_cleanup_p) CURLU *a = curl_url();
    CLEANUP(curl_url_cleanup_p) CURLU *b = curl_url();

    return a && b && curl_url_set(a, CURLUPART_URL, url, 0) == CURLUE_OK &&
           curl_url_set(b, CURLUPART_URL, other, 0) == CURLUE_OK &&
           part_is_same(a, b, CURLUPART_SCHEME) &&
           part_is_same(a, b, CURLUPART_HOST) &&
           part_is_same(a, b, CURLUPART_PORT);
}
