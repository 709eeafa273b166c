/* SPDX-License-Identifier: GPL-3.0-or-later */
/* http_util.h - origins of URLs, and CA certificates. */
#ifndef MODEL_PROCESS_HTTP_UTIL_H
#define MODEL_PROCESS_HTTP_UTIL_H

#include <curl/curl.h>
#include <stdbool.h>

/* Whether two URLs have the same scheme, host and port: only then a key may be
 * sent to the other one too. */
bool http_util_same_origin(const char *url, const char *other);

/* Sets the CA certificates that are trusted: those of file alone; where it is
 * NULL, SSL_CERT_FILE and SSL_CERT_DIR as
 * OpenSSL reads them; else the system's directory, of which only the needed
 * certificate is read (10 ms, where the bundle of all takes 30 ms); else
 * libcurl's default. */
void http_util_set_ca_certificates(CURL *easy, const char *file);

#endif
