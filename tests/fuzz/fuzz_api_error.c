/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_api_error.c - any bytes as the body of an error, or as Retry-After: the
 * result is one printable line without the key.
 *
 * The first two bytes select the status, the third the provider. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/utf8.h"
#include "model/provider/api_error_report.h"
#include "model/provider/provider.h"
#include "model/provider/provider_table.h"

#define KEY "plainkey"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
check_line(const char *text)
{
    if (!utf8_valid(text, strlen(text)) || strstr(text, KEY))
        abort();
    for (; *text; text++) {
        if ((unsigned char)*text < ' ' || *text == 0x7f)
            abort();
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(free_p) char *body = NULL;
    struct provider_request c = {
        .url = "http://h", .model = "m", .system = "s"};
    struct err e = {0};
    struct api_error f;

    if (size < 3 || !(body = calloc(1, size)))
        return 0;
    memcpy(body, data + 3, size - 3); /* and a NUL, as a buffer has */
    c.provider = provider_at(data[2] % 4);
    api_error_init(&f, 100 + (data[0] << 8 | data[1]) % 500, KEY);
    api_error_read(&f, body, size - 3);
    check_line(f.message);
    api_error_read_retry_after(&f, body, 1000000000);
    if (f.retry_ms < -1)
        abort();
    (void)api_error_is_transient(&f);
    if (api_error_quirk(&f, &c) & ~c.provider->fallbacks)
        abort();
    api_error_report(&f, &c, "host", data[2], &e);
    api_error_clean(body, size, e.text, KEY);
    check_line(body);
    return 0;
}
