/* SPDX-License-Identifier: GPL-3.0-or-later */
/* config_edit.h - changes settings in a configuration file that a person wrote.
 *
 * All other lines keep their bytes: comments, order, blanks, line ends. A new
 * setting stands behind the last one of its section, a new section at the end.
 * What cannot be read is not changed: the errors of config_load, which name the
 * file and the line. */
#ifndef CONFIG_CONFIG_EDIT_H
#define CONFIG_CONFIG_EDIT_H

#include "base/buf.h"
#include "config/config.h"

struct config_edit {
    enum config_key key;
    const char *value; /* NULL: the line that sets it becomes a comment */
};

/* Appends the text of a file, n bytes, with the changes. path is for messages.
 * ERR_CONFIG: the text is wrong, or a value does not fit its setting. */
int config_edit_text(const char *path, const char *text, size_t n,
                     const struct config_edit *edits, size_t n_edits,
                     struct buf *out, struct err *e);

/* A buffer that any configuration file fits in. */
struct buf config_edit_buf(void);

/* Reads the file for a change. One that does not exist is empty. ERR_CONFIG: it
 * is not this user's own, nor the symbolic link that it may be, or others may
 * write it. */
int config_edit_read(const char *path, struct buf *text, struct err *e);

/* Changes the file, or makes it with mode 0600: readers see the old settings or
 * the new ones, and a change of another process is not lost. Its directory must
 * exist. Where it fails the file is as before. */
int config_edit_file(const char *path, const struct config_edit *edits,
                     size_t n_edits, struct err *e);

#endif
