/* SPDX-License-Identifier: GPL-3.0-or-later */
/* api_error_report.h - describes a server's error in one line, with what to do.
 */
#ifndef MODEL_PROVIDER_API_ERROR_REPORT_H
#define MODEL_PROVIDER_API_ERROR_REPORT_H

#include "model/provider/api_error.h"

/* Sets e to the line for the person, with what to do; returns -1. host: the
 * server. tries: the number of requests that were sent. */
int api_error_report(const struct api_error *a,
                     const struct provider_request *req, const char *host,
                     int tries, struct err *e);

/* Copies advice with the name of a variable in the place of its "%s". */
void api_error_format_advice(char *to, size_t size, const char *advice,
                             const char *name);

#endif
