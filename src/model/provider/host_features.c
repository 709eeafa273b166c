/* SPDX-License-Identifier: GPL-3.0-or-later */
/* host_features.c - what the server at an address is known to take. */
#include "model/provider/host_features.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"

/* A row's host is the whole host, or, where it begins with a dot, its end. Its
 * path is the beginning of the path. */
struct host_row {
    const char *provider, *host, *path;
    unsigned features;
};

static const struct host_row rows[] = {
    /* Images: developers.openai.com, images and vision; platform.claude.com,
     * vision; ai.google.dev, image understanding. */
    /* developers.openai.com, structured outputs: "Root objects must not be
     * anyOf and must be an object"; tools and response_format are members of
     * one request in openai-openapi, and prompt_cache_key is. */
    {"openai", "api.openai.com", "",
     HOST_TOOLS_WITH_SCHEMA | HOST_OBJECT_ROOT | HOST_CACHE_KEY | HOST_IMAGES},
    /* learn.microsoft.com, Azure OpenAI v1 API: the same models and the same
     * members; the path /openai/v1 is that of both hosts. */
    {"openai", ".openai.azure.com", "/openai/v1",
     HOST_TOOLS_WITH_SCHEMA | HOST_OBJECT_ROOT | HOST_CACHE_KEY | HOST_IMAGES},
    {"openai", ".services.ai.azure.com", "/openai/v1",
     HOST_TOOLS_WITH_SCHEMA | HOST_OBJECT_ROOT | HOST_CACHE_KEY | HOST_IMAGES},
    /* platform.claude.com, structured outputs: output_config.format and tools
     * can be used together. */
    {"anthropic", "api.anthropic.com", "",
     HOST_TOOLS_WITH_SCHEMA | HOST_OBJECT_ROOT | HOST_IMAGES},
    {"gemini", "generativelanguage.googleapis.com", "", HOST_IMAGES},
};

static bool
matches_host(const char *host, size_t n, const char *wanted)
{
    size_t m = strlen(wanted);

    if (wanted[0] != '.')
        return n == m && strncasecmp(host, wanted, n) == 0;
    return n > m && strncasecmp(host + n - m, wanted, m) == 0;
}

/* Only https: whoever answers without it may be anybody. */
unsigned
host_features(const char *provider, const char *url)
{
    static const char scheme[] = "https://";
    const char *host = url + strlen(scheme), *path;
    size_t n;

    if (strncasecmp(url, scheme, strlen(scheme)) != 0)
        return 0;
    n = strcspn(host, "/?#");
    path = host + n;
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        const struct host_row *r = &rows[i];

        if (strcmp(provider, r->provider) == 0 &&
            matches_host(host, n, r->host) &&
            strncmp(path, r->path, strlen(r->path)) == 0)
            return r->features;
    }
    return 0;
}
