/* SPDX-License-Identifier: GPL-3.0-or-later */
/* secret_file.h - which names of files say that they hold what opens doors.
 *
 * One table for the rules, the looks, the walls and the redactor. Only the
 * spelling counts, in whatever case: private keys, .env, credentials, service
 * accounts, the state of infrastructure tools, and copies of them (.env.bak);
 * not what says that nothing in it is real (.env.example, id_rsa.pub). What
 * lies in a home directory is closed by another rule (guard/path/secret.h).
 * Nothing here can fail. */
#ifndef BASE_SECRET_FILE_H
#define BASE_SECRET_FILE_H

#include <stdbool.h>
#include <stdint.h>

/* Whether a path holds what opens doors, by a name in it. */
bool secret_file_is(const char *path);

/* The same, one name at a time, for who walks through directories: all that is
 * in a directory of this name is secret; files of data in it are, wherever
 * below it; this file is, in_data saying that a directory above is such. */
bool secret_file_is_directory(const char *name);
bool secret_file_is_for_data(const char *name);
bool secret_file_is_file(const char *name, bool in_data);

/* Of the files the keys, by the last name of a path: *.pem, .env*, id_rsa*. */
bool secret_file_is_key(const char *name);

/* Another number when the table is another: for what was found by it. */
uint32_t secret_file_version(void);

#endif
