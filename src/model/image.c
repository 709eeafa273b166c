/* SPDX-License-Identifier: GPL-3.0-or-later */
/* image.c - the images that a person adds to their words. */
#include "model/image.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/base64.h"

#define HEAD_CHARS 16 /* of base64: the first 12 bytes of an image */

/* How files of a type begin: the PNG specification, section 5.2; JPEG's marker
 * SOI and the one after it; GIF89a; RFC 9649 for WebP. */
static const struct {
    const char *type;
    const char *begin;
    size_t n, at; /* bytes of `begin`, and where it stands */
} image_rows[] = {
    {"image/png", "\x89PNG\r\n\x1a\n", 8, 0},
    {"image/jpeg", "\xff\xd8\xff", 3, 0},
    {"image/gif", "GIF8", 4, 0},
    {"image/webp", "WEBP", 4, 8},
};

struct model_images *
model_images_new(struct err *e)
{
    struct model_images *m = calloc(1, sizeof(*m));

    if (!m)
        err_nomem(e);
    return m;
}

static int
check_image(const char *type, const char *data, size_t n, struct err *e)
{
    CLEANUP_BUF struct buf head = buf_of(HEAD_CHARS);
    size_t i = 0;

    while (i < ARRAY_SIZE(image_rows) && strcmp(image_rows[i].type, type) != 0)
        i++;
    if (i == ARRAY_SIZE(image_rows))
        return err_set(e, ERR_INVALID,
                       "an image is image/png, image/jpeg, image/gif or "
                       "image/webp, not %.60s",
                       type);
    if (n == 0 || !base64_is_text(data, n))
        return err_set(e, ERR_INVALID, "the image's data is not base64");
    if (base64_decode(&head, data, n < HEAD_CHARS ? n : HEAD_CHARS, NULL) < 0 ||
        head.len < image_rows[i].at + image_rows[i].n ||
        memcmp(head.p + image_rows[i].at, image_rows[i].begin,
               image_rows[i].n) != 0)
        return err_set(e, ERR_INVALID, "the image's data is no %s", type);
    return 0;
}

int
model_images_add(struct model_images *m, const char *type, const char *data,
                 size_t n, struct err *e)
{
    struct model_image *image = &m->v[m->n];

    if (m->n == MODEL_IMAGES_MAX)
        return err_set(e, ERR_INVALID, "a prompt has at most %d images",
                       MODEL_IMAGES_MAX);
    if (n > MODEL_IMAGES_BYTES_MAX - m->bytes)
        return err_set(e, ERR_INVALID,
                       "the images of a prompt are at most %u bytes of base64",
                       MODEL_IMAGES_BYTES_MAX);
    if (check_image(type, data, n, e) < 0)
        return -1;
    *image = (struct model_image){strdup(type), strndup(data, n), n};
    m->n++;
    m->bytes += n;
    return image->type && image->data ? 0 : err_nomem(e);
}

struct model_images *
model_images_share(struct model_images *m)
{
    if (m)
        m->more_owners++;
    return m;
}

void
model_images_free(struct model_images *m)
{
    if (!m || m->more_owners-- > 0)
        return;
    for (size_t i = 0; i < m->n; i++) {
        free((char *)(uintptr_t)m->v[i].type);
        free((char *)(uintptr_t)m->v[i].data);
    }
    free(m);
}
