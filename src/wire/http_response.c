/* SPDX-License-Identifier: GPL-3.0-or-later */
/* http_response.c - writes the head of an HTTP/1.1 response. */
#include "wire/http_response.h"

#include <inttypes.h>

#include "base/array.h"

static const struct reason_row {
    int status;
    const char *reason;
} statuses[] = {
    {200, "OK"},
    {202, "Accepted"},
    {204, "No Content"},
    {304, "Not Modified"},
    {400, "Bad Request"},
    {401, "Unauthorized"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {406, "Not Acceptable"},
    {408, "Request Timeout"},
    {413, "Content Too Large"},
    {414, "URI Too Long"},
    {415, "Unsupported Media Type"},
    {417, "Expectation Failed"},
    {426, "Upgrade Required"},
    {429, "Too Many Requests"},
    {431, "Request Header Fields Too Large"},
    {500, "Internal Server Error"},
    {501, "Not Implemented"},
    {502, "Bad Gateway"},
    {503, "Service Unavailable"},
    {504, "Gateway Timeout"},
    {505, "HTTP Version Not Supported"},
};

static const char *
status_reason(int status)
{
    for (size_t i = 0; i < ARRAY_SIZE(statuses); i++)
        if (statuses[i].status == status)
            return statuses[i].reason;
    return "";
}

/* As RFC 9110, 5.6.7 has it, in no language of a person's. */
static void
put_date(struct buf *out, time_t now)
{
    static const char days[] = "SunMonTueWedThuFriSat";
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    struct tm t;

    if (!gmtime_r(&now, &t))
        return;
    buf_printf(out, "Date: %.3s, %02d %.3s %d %02d:%02d:%02d GMT\r\n",
               days + (ptrdiff_t)3 * t.tm_wday, t.tm_mday,
               months + (ptrdiff_t)3 * t.tm_mon, t.tm_year + 1900, t.tm_hour,
               t.tm_min, t.tm_sec);
}

void
http_response_put_head(struct buf *out, const struct http_response *r,
                       time_t now)
{
    buf_printf(out, "HTTP/1.1 %d %s\r\n", r->status, status_reason(r->status));
    put_date(out, now);
    if (r->type)
        buf_printf(out, "Content-Type: %s\r\n", r->type);
    buf_str(out, "X-Content-Type-Options: nosniff\r\n");
    if (r->fields)
        buf_add(out, r->fields->p, r->fields->len);
    if (r->length >= 0 && r->status != 204 && r->status != 304)
        buf_printf(out, "Content-Length: %" PRId64 "\r\n", r->length);
    if (r->chunked)
        buf_str(out, "Transfer-Encoding: chunked\r\n");
    if (r->closes)
        buf_str(out, "Connection: close\r\n");
    buf_str(out, "\r\n");
}
