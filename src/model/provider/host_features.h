/* SPDX-License-Identifier: GPL-3.0-or-later */
/* host_features.h - what the server at an address is known to take.
 *
 * Most servers are unknown, and are asked in the way that works for most. */
#ifndef MODEL_PROVIDER_HOST_FEATURES_H
#define MODEL_PROVIDER_HOST_FEATURES_H

/* It takes tools beside a schema in one request, and a model behind it then
 * still calls them. */
#define HOST_TOOLS_WITH_SCHEMA 1u
/* The root of a schema must be an object, and may not be an anyOf. */
#define HOST_OBJECT_ROOT 2u
/* It knows prompt_cache_key. */
#define HOST_CACHE_KEY 4u

/* Its models take images. */
#define HOST_IMAGES 8u

/* The features of the server at this base URL, for a provider of this name. */
unsigned host_features(const char *provider, const char *url);

#endif
