/* SPDX-License-Identifier: GPL-3.0-or-later */
/* index_builtin.c - holds the index that the build made of recipes/.
 *
 * It is in a library of its own: only programs that ask for the index contain
 * it. */
#include "offline/index/index_format.h"

static const uint32_t built_in[] __attribute__((aligned(16))) = {
#include "src/offline/recipes/index.inc"
};

const struct index *
index_builtin(void)
{
    const struct index *x = (const void *)built_in;

    return sizeof(built_in) > sizeof(*x) && x->magic == INDEX_MAGIC &&
                   x->version == INDEX_VERSION && x->bytes <= sizeof(built_in)
               ? x
               : NULL;
}
