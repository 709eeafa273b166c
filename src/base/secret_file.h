/* SPDX-License-Identifier: GPL-3.0-or-later */
/* secret_file.h - which file names mean that the file holds credentials.
 *
 * One table for the policy, the read-only tools, the sandbox and the redactor.
 * It goes by the name alone, ignoring case: private keys, .env, credentials,
 * service accounts, the state of infrastructure tools, and copies of them
 * (.env.bak); not names of examples and public keys (.env.example, id_rsa.pub).
 * Secret places of a home directory have a rule of their own in guard/path/.
 * Nothing here can fail. */
#ifndef BASE_SECRET_FILE_H
#define BASE_SECRET_FILE_H

#include <stdbool.h>
#include <stdint.h>

/* Whether a path is secret by one of its components. */
bool secret_file_is(const char *path);

/* The same one name at a time, for a caller that walks through directories:
 * whether everything in a directory of this name is secret; whether data files
 * anywhere below it are ("secrets"); whether a file is, where in_data says that
 * a directory above it is one for data. */
bool secret_file_is_directory(const char *name);
bool secret_file_is_for_data(const char *name);
bool secret_file_is_file(const char *name, bool in_data);

/* Whether a file name is that of a key: *.pem, .env*, id_rsa*. */
bool secret_file_is_key(const char *name);

/* A checksum of the table, for results that are cached: it changes with it. */
uint32_t secret_file_version(void);

#endif
