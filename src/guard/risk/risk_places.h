/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_places.h - what kind of place an absolute path is. */
#ifndef GUARD_RISK_PLACES_H
#define GUARD_RISK_PLACES_H

#include "guard/risk/risk.h"

#define RISK_PLACE_SYSTEM    0x01u /* only root may write there */
#define RISK_PLACE_CLOSED    0x02u /* only root may read it */
#define RISK_PLACE_SECRET    0x04u /* it opens doors */
#define RISK_PLACE_DISK      0x08u /* a disk's bytes, or the memory's */
#define RISK_PLACE_GATE      0x10u /* decides who may do what */
#define RISK_PLACE_WIDE_GATE 0x20u /* the same, and one more line is enough */
#define RISK_PLACE_SHOWN     0x40u /* no file's bytes: the kernel shows it */

/* What lies below the home of `where`, which may be NULL, is one's own. */
unsigned risk_place_of(const char *path, const struct risk_place *where);

#endif
