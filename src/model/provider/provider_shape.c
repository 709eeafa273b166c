/* SPDX-License-Identifier: GPL-3.0-or-later */
/* provider_shape.c - decides how a request makes the answer fit its schema. */
#include "model/provider/host_features.h"
#include "model/provider/provider.h"
#include "model/provider/schema_dialect.h"

unsigned
provider_features(const struct provider_request *req)
{
    unsigned features = host_features(req->provider->name, req->url);

    /* who takes no anyOf at the root is a service with OpenAI behind it, which
     * takes tools beside a schema */
    if (req->quirks & QUIRK_OBJECT_ROOT)
        features |= HOST_OBJECT_ROOT | HOST_TOOLS_WITH_SCHEMA;
    if (req->quirks & QUIRK_NO_CACHE_KEY)
        features &= ~HOST_CACHE_KEY;
    return features;
}

enum answer_shape
provider_answer_shape(const struct provider_request *req)
{
    bool tool = (req->provider->fallbacks & QUIRK_NO_TOOL) != 0;

    if (!req->schema)
        return ANSWER_SHAPE_FREE;
    if (!(req->quirks & QUIRK_NO_SCHEMA))
        return ANSWER_SHAPE_SCHEMA;
    return tool && !(req->quirks & (QUIRK_NO_TOOL | QUIRK_NO_TOOLS))
               ? ANSWER_SHAPE_TOOL
               : ANSWER_SHAPE_FREE;
}

/* A schema with calls in it (tool_fallback.h) has an anyOf at its root. */
unsigned
provider_schema_dialect(const struct provider_request *req, bool forced_tool)
{
    unsigned features = provider_features(req), d = req->provider->dialect;

    if (forced_tool)
        return SCHEMA_DIALECT_CLOSED | SCHEMA_DIALECT_FLAT |
               SCHEMA_DIALECT_FLAT_ROOT;
    if (features & HOST_OBJECT_ROOT)
        d = SCHEMA_DIALECT_FLAT | SCHEMA_DIALECT_FLAT_ROOT |
            (d & SCHEMA_DIALECT_STRICT ? SCHEMA_DIALECT_STRICT
                                       : SCHEMA_DIALECT_CLOSED);
    else if (d & SCHEMA_DIALECT_STRICT)
        d = SCHEMA_DIALECT_CLOSED | SCHEMA_DIALECT_BOUNDS |
            SCHEMA_DIALECT_RANGES;
    if (req->calls_in_schema)
        d &= ~SCHEMA_DIALECT_FLAT_ROOT;
    return d;
}
