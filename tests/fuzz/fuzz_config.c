/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_config.c - any bytes as a configuration file. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "config/config_edit.h"
#include "config/config_table.h"

static void
must(bool truth)
{
    if (!truth)
        abort();
}

/* What was taken is a value of its row, and reads as one. */
static void
check_setting(const struct config *c, enum config_key key)
{
    const struct config_row *row = config_row(key);

    if (!config_is_set(c, key))
        return;
    must(config_check(row, c->text[key], NULL) == 0);
    must(utf8_valid(c->text[key], strlen(c->text[key])));
    if (row->type == CONFIG_INT || row->type == CONFIG_NUMBER)
        must(config_number(c, key) >= row->min &&
             config_number(c, key) <= row->max);
}

/* Settings can be changed in any file that is valid, unless that makes a line
 * or the file too long; what comes of it is checked by the change itself. */
static void
check_edit(const char *text, size_t size)
{
    static const struct config_edit edits[] = {
        {CONFIG_MODEL_PROVIDER, "ollama"},
        {CONFIG_MODEL_BASE_URL, NULL},
        {CONFIG_SHELL_LOGIN_FILES, "yes"},
    };
    CLEANUP_BUF struct buf out = config_edit_buf();
    struct err e = {0};

    must(config_edit_text("config", text, size, edits, 3, &out, &e) == 0 ||
         e.code == ERR_NOMEM || strstr(e.text, "line is longer"));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct config *c = calloc(1, sizeof(*c));
    struct err e = {0};

    if (!c)
        return 0;
    if (config_read(c, "config", (const char *)data, size, &e) < 0)
        must(e.code == ERR_CONFIG && strncmp(e.text, "config:", 7) == 0);
    else
        check_edit((const char *)data, size);
    for (int i = 0; i < CONFIG_N; i++)
        check_setting(c, (enum config_key)i);
    config_free(c);
    return 0;
}
