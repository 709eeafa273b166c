/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tls.h - whose word about a server's name is believed. */
#ifndef MODEL_PROCESS_TLS_H
#define MODEL_PROCESS_TLS_H

#include <curl/curl.h>

/* SSL_CERT_FILE and SSL_CERT_DIR as OpenSSL takes them; else the system's
 * directory, of which only the authority in question is read (10 ms a process
 * where the bundle of all takes 30); else what libcurl was built with. */
void tls_set_authorities(CURL *easy);

#endif
