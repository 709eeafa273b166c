/* SPDX-License-Identifier: GPL-3.0-or-later */
/* learned.h - what servers turned out to want, kept between runs. */
#ifndef MODEL_LEARNED_H
#define MODEL_LEARNED_H

/* What one server and model turned out to want, kept in the cache directory.
 * What cannot be read or stored is not an error: it is learned again. */
unsigned learned_load(const char *url, const char *model);
void learned_store(const char *url, const char *model, unsigned quirks);

#endif
