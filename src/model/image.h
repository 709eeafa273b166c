/* SPDX-License-Identifier: GPL-3.0-or-later */
/* image.h - the images that a person adds to their words.
 *
 * They stay base64 all the way: they come so, and every provider takes them so.
 * One list may have several owners, as it is kept by a prompt, a conversation
 * and a request; they are all on one thread. What an image shows is not looked
 * at, and no secret is redacted from it. */
#ifndef MODEL_IMAGE_H
#define MODEL_IMAGE_H

#include <stddef.h>

#include "base/cleanup.h"
#include "base/err.h"

#define MODEL_IMAGES_MAX 8 /* of one prompt */
/* Characters of base64 of all images of a prompt. The least that a service of
 * the table in provider/host_features.c takes is Anthropic's 5 MB an image
 * (platform.claude.com, vision). */
#define MODEL_IMAGES_BYTES_MAX 5000000u

struct model_image {
    const char *type; /* "image/png", … */
    const char *data; /* base64 */
    size_t n;         /* characters of it */
};

struct model_images {
    struct model_image v[MODEL_IMAGES_MAX];
    size_t n, bytes; /* images; characters of base64 of them all */
    unsigned more_owners;
};

struct model_images *model_images_new(struct err *e);
/* Adds a copy. ERR_INVALID: the type is none that services take, the data is no
 * base64, or no image of that type by its first bytes; or there are too many,
 * or too large ones. */
int model_images_add(struct model_images *m, const char *type, const char *data,
                     size_t n, struct err *e);
/* One owner more; accepts NULL and returns m. */
struct model_images *model_images_share(struct model_images *m);
/* One owner less; the last one frees. Accepts NULL. */
void model_images_free(struct model_images *m);
DEFINE_CLEANUP(struct model_images, model_images_free)

#endif
