/* SPDX-License-Identifier: GPL-3.0-or-later */
/* request_shape.c - decides by its form alone what a word of a request is.
 *
 * A path, a name of a file, a number, a mode, a port, a host, a calculation. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/str.h"
#include "offline/parse/request_parser.h"

/* Last labels of hosts' names that are no ending of a file. */
static const char *const domains[] = {
    "arpa", "at",       "au",  "be",  "biz",  "ca",  "ch",    "com",
    "de",   "dev",      "edu", "eu",  "fr",   "gov", "home",  "info",
    "int",  "internal", "io",  "it",  "jp",   "lan", "local", "localhost",
    "mil",  "net",      "nl",  "org", "test", "uk",  "us",
};

/* 10.0.0.1, also with a /24 or a :80 */
static bool
is_ip4(const char *s, size_t n)
{
    size_t at = 0;

    for (int i = 0; i < 4; i++) {
        size_t k = request_span(s + at, n - at, ASCII_DIGITS);

        if (k == 0 || k > 3 || (i < 3 && (at + k >= n || s[at + k] != '.')))
            return false;
        at += k + (i < 3);
    }
    return at == n ||
           ((s[at] == '/' || s[at] == ':') && at + 1 < n &&
            request_span(s + at + 1, n - at - 1, ASCII_DIGITS) == n - at - 1);
}

static bool
is_ip6(const char *s, size_t n)
{
    unsigned colons = 0;

    for (size_t i = 0; i < n; i++)
        colons += s[i] == ':';
    return colons >= 2 && (colons >= 7 || strstr(s, "::")) &&
           request_span(s, n, "0123456789abcdefABCDEF:") == n;
}

/* Whether a sorted table has s[0..n), whatever its case. */
static bool
request_in_table(const char *s, size_t n, const char *const *table, size_t rows)
{
    char t[16];

    if (n == 0 || n >= sizeof(t))
        return false;
    for (size_t i = 0; i < n; i++)
        t[i] = (char)tolower((unsigned char)s[i]);
    t[n] = '\0';
    return bsearch(t, table, rows, sizeof(*table), str_compare_key) != NULL;
}

/* Letters, digits, dots and dashes that end in a domain that we know. */
static bool
is_domain(const char *s, size_t n)
{
    const char *dot = memrchr(s, '.', n);
    size_t last = dot ? (size_t)(dot + 1 - s) : n;

    return last < n && last > 1 && request_span(s, n, ASCII_ALNUM ".-") == n &&
           request_in_table(s + last, n - last, domains, ARRAY_SIZE(domains));
}

/* ":80" at the end */
static size_t
port_length(const char *s, size_t n)
{
    const char *colon = memrchr(s, ':', n);
    size_t k = colon ? (size_t)(s + n - colon) : 0;

    return k > 1 && k < 7 &&
                   request_span(colon + 1, k - 1, ASCII_DIGITS) == k - 1
               ? k
               : 0;
}

static bool
request_is_host(const char *s, size_t n)
{
    const char *at = memchr(s, '@', n);

    if (at && at > s && at + 1 < s + n && !request_has_byte(s, n, '/') &&
        request_span(at + 1, n - (size_t)(at + 1 - s), ASCII_ALNUM ".-_") ==
            n - (size_t)(at + 1 - s))
        return true;
    if (n - port_length(s, n) == 9 && strncasecmp(s, "localhost", 9) == 0)
        return true;
    if (n > 4 && strncmp(s, "www.", 4) == 0 && !request_has_byte(s, n, '/'))
        return true;
    return is_ip4(s, n) || is_ip6(s, n) || is_domain(s, n - port_length(s, n));
}

/* box:/etc, bob@box:file */
static bool
request_is_remote(const char *s, size_t n)
{
    const char *colon = memchr(s, ':', n);
    size_t k = colon ? (size_t)(colon - s) : 0;

    if (k == 0 || k + 1 > n || request_has_byte(s, k, '/'))
        return false;
    if (request_has_byte(s, k, '@'))
        return request_span(s, k, ASCII_ALNUM "@._-") == k;
    return k + 1 < n && (s[k + 1] == '/' || s[k + 1] == '~') &&
           request_span(s, k, ASCII_ALNUM "._-") == k;
}

bool
request_is_remote_path(const char *text)
{
    return request_is_remote(text, strlen(text));
}

/* Endings of files that are met most. Sorted. */
static const char *const exts[] = {
    "7z",       "aac",  "asm",    "asp",    "avi",        "awk",     "bak",
    "bash",     "bat",  "bib",    "bin",    "bmp",        "bz2",     "c",
    "cc",       "cfg",  "class",  "conf",   "cpp",        "crt",     "cs",
    "css",      "csv",  "dat",    "db",     "deb",        "diff",    "doc",
    "docx",     "dot",  "dump",   "ebuild", "el",         "eml",     "env",
    "eps",      "epub", "exe",    "f90",    "flac",       "flv",     "gif",
    "go",       "gpg",  "gz",     "h",      "hpp",        "hs",      "htm",
    "html",     "ico",  "img",    "ini",    "ipynb",      "iso",     "jar",
    "java",     "jpeg", "jpg",    "js",     "json",       "jsx",     "key",
    "kt",       "lock", "log",    "lua",    "lz4",        "m4a",     "m4v",
    "markdown", "md",   "mk",     "mkv",    "mov",        "mp3",     "mp4",
    "mpeg",     "mpg",  "o",      "odt",    "ogg",        "old",     "orig",
    "patch",    "pdf",  "pem",    "php",    "pid",        "pl",      "pm",
    "png",      "po",   "ppt",    "pptx",   "properties", "ps",      "psd",
    "pub",      "py",   "pyc",    "r",      "rar",        "rb",      "rpm",
    "rs",       "rst",  "rtf",    "scala",  "scss",       "service", "sh",
    "so",       "sql",  "sqlite", "srt",    "svg",        "swift",   "swp",
    "tar",      "tex",  "tgz",    "tif",    "tiff",       "tmp",     "toml",
    "ts",       "tsv",  "tsx",    "ttf",    "txt",        "vim",     "vue",
    "war",      "wav",  "webm",   "webp",   "wmv",        "xls",     "xlsx",
    "xml",      "xz",   "yaml",   "yml",    "zip",        "zst",
};

bool
request_is_ext(const char *s, size_t n)
{
    return request_in_table(s, n, exts, ARRAY_SIZE(exts));
}

#define NUMBER_BYTES_MAX 18 /* of a decimal number that fits an int64_t */

static size_t
behind_last_dot(const char *s, size_t n)
{
    size_t i = n;

    while (i > 0 && s[i - 1] != '.' && s[i - 1] != '/')
        i--;
    return i > 0 && s[i - 1] == '.' ? i : n;
}

static bool
request_is_mode(const char *s, size_t n)
{
    size_t who, op;

    if (n == 9 && request_span(s, n, "rwxstST-") == n &&
        (s[0] == 'r' || s[0] == '-'))
        return true;
    who = request_span(s, n, "ugoa");
    op = request_span(s + who, n - who, "+-=");
    return who + op < n && op == 1 && n < 9 && (who || s[0] == '+') &&
           request_span(s + who + op, n - who - op, "rwxXst") == n - who - op;
}

/* What a regular expression has and a pattern of names has not. */
static bool
is_regex(const char *s, size_t n)
{
    return s[0] == '^' || (s[n - 1] == '$' && n > 1) ||
           request_has_byte(s, n, '\\') || request_has_byte(s, n, '|') ||
           memmem(s, n, ".*.", 3) || memmem(s, n, "].", 2) ||
           memmem(s, n, "]+", 2) || memmem(s, n, ")*", 2) ||
           (n > 1 && s[0] == '.' && s[1] == '*');
}

static bool
is_glob(const char *s, size_t n)
{
    const char *open = memchr(s, '[', n);

    if (is_regex(s, n))
        return false;
    if (request_has_byte(s, n, '*') || (request_has_byte(s, n, '?') && n > 1))
        return true;
    return open && n > 3 && request_has_byte(open, n - (size_t)(open - s), ']');
}

/* Letters behind a dot that may be an ending that nobody has listed. */
static bool
has_unlisted_ending(const char *s, size_t n)
{
    size_t dot = behind_last_dot(s, n), k = n - dot, digits;

    if (dot < 2 || k == 0)
        return false;
    if (request_is_ext(s + dot, k))
        return true;
    digits = request_span(s + dot, k, ASCII_DIGITS);
    return k <= 5 && request_span(s + dot, k, ASCII_ALNUM) == k && digits < k &&
           digits < 2;
}

static void
set_shape(struct request_value *v, uint32_t types, enum slot_type is)
{
    v->types |= types;
    v->is = is;
}

static bool
shape_path(const char *s, size_t n, struct request_value *v)
{
    bool dots = n <= 2 && request_span(s, n, ".") == n;

    if (request_is_remote(s, n)) {
        set_shape(v, TYPE(PATH) | TYPE(HOST) | TYPE(TEXT), SLOT_PATH);
        return true;
    }
    if (s[0] == '$' && n > 1) {
        set_shape(v, TYPE(PATH) | TYPE(NAME) | TYPE(TEXT) | TYPE(GLOB),
                  SLOT_PATH);
        return true;
    }
    if (dots || s[0] == '/' || s[0] == '~' || request_has_byte(s, n, '/')) {
        set_shape(v, TYPE(PATH) | TYPE(TEXT), SLOT_PATH);
        return true;
    }
    return false;
}

/* ".txt" is an ending, ".bashrc" a file. */
static bool
shape_dotted(const char *s, size_t n, struct request_value *v)
{
    size_t last = behind_last_dot(s, n);

    if (s[0] == '.' && last < n && request_span(s, n, ASCII_ALNUM "_-.") == n) {
        if (request_is_ext(s + last, n - last))
            set_shape(v, TYPE(EXT) | TYPE(TEXT), SLOT_EXT);
        else
            set_shape(v, TYPE(PATH) | TYPE(NAME) | TYPE(TEXT) | TYPE(EXT),
                      SLOT_PATH);
        return true;
    }
    if (has_unlisted_ending(s, n) && !request_has_byte(s, n, '@')) {
        set_shape(v, TYPE(PATH) | TYPE(GLOB) | TYPE(NAME) | TYPE(TEXT),
                  SLOT_PATH);
        return true;
    }
    return false;
}

static bool
shape_glob(const char *s, size_t n, struct request_value *v)
{
    size_t dot = behind_last_dot(s, n);

    if (!is_glob(s, n))
        return false;
    set_shape(v, TYPE(GLOB) | TYPE(TEXT) | TYPE(PATH), SLOT_GLOB);
    if (request_has_byte(s, n, '/'))
        v->is = SLOT_PATH;
    else if (dot >= 2 && s[dot - 2] == '*' && dot < n &&
             request_span(s + dot, n - dot, ASCII_ALNUM) == n - dot)
        v->types |= TYPE(EXT);
    return true;
}

/* 1,000 and 25,000,000 */
static bool
is_thousands(const char *s, size_t n)
{
    size_t k = request_span(s, n, ASCII_DIGITS);

    if (k == 0 || k > 3 || k == n)
        return false;
    for (; k < n; k += 4)
        if (s[k] != ',' || n - k < 4 ||
            request_span(s + k + 1, 3, ASCII_DIGITS) != 3)
            return false;
    return true;
}

static bool
shape_number(const char *s, size_t n, struct request_value *v)
{
    size_t sign = n > 1 && (s[0] == '-' || s[0] == '+');
    size_t k = request_span(s + sign, n - sign, ASCII_DIGITS),
           rest = n - sign - k;
    const char *end = s + sign + k;

    if (k == 0 || k > 15)
        return false;
    if (rest == 2 &&
        (strncasecmp(end, "st", 2) == 0 || strncasecmp(end, "nd", 2) == 0 ||
         strncasecmp(end, "rd", 2) == 0 || strncasecmp(end, "th", 2) == 0))
        rest = 0;
    if ((rest == 1 && *end == '%') || is_thousands(s, n))
        rest = 0;
    if (rest && !(*end == '.' && rest > 1 &&
                  request_span(end + 1, rest - 1, ASCII_DIGITS) == rest - 1))
        return false;
    if (n > NUMBER_BYTES_MAX)
        return false;
    set_shape(v, TYPE(NUMBER) | TYPE(TEXT), SLOT_NUMBER);
    v->amount = strtoll(s, NULL, 10);
    if (is_thousands(s, n)) {
        for (; n > k; k += 4)
            v->amount = v->amount * 1000 + strtol(s + k + 1, NULL, 10);
    }
    v->unit = 0;
    if (n == k && (k == 3 || k == 4) && request_span(s, n, "01234567") == n) {
        v->types |= TYPE(MODE);
        if (s[0] == '0')
            v->is = SLOT_MODE;
    }
    if (n == k && v->amount > 0 && v->amount < 65536)
        v->types |= TYPE(PORT);
    return true;
}

/* Words of the language that have the form of names. */
static bool
is_technical(const char *s, size_t n)
{
    static const char *const words[] = {
        "base64", "bzip2", "e-mail", "ext3",   "ext4",   "ipv4",
        "ipv6",   "md5",   "sha1",   "sha256", "sha512", "utf-16",
        "utf-8",  "utf16", "utf8",   "wi-fi",  "x86",
    };

    return request_in_table(s, n, words, ARRAY_SIZE(words));
}

/* Capitals inside, digits, underscores: no word of a language. */
static bool
shape_name(const char *s, size_t n, struct request_value *v)
{
    bool odd = false, low = false;

    for (size_t i = 0; i < n; i++) {
        odd |= isdigit((unsigned char)s[i]) || s[i] == '_' || s[i] == '-' ||
               (low && isupper((unsigned char)s[i]));
        low = islower((unsigned char)s[i]);
    }
    if (!odd || !isalnum((unsigned char)s[0]) || is_technical(s, n) ||
        request_span(s, n, ASCII_ALNUM "_-.+:@=") != n)
        return false;
    set_shape(v, TYPE(NAME) | TYPE(TEXT) | TYPE(PATH) | TYPE(GLOB), SLOT_NAME);
    return true;
}

/* -l, --all: an option that the request names */
static bool
shape_option(const char *s, size_t n, struct request_value *v)
{
    if (n < 2 || s[0] != '-' || (s[1] != '-' && !isalpha((unsigned char)s[1])))
        return false;
    set_shape(v, TYPE(TEXT), SLOT_TEXT);
    return true;
}

static bool
shape_port(const char *s, size_t n, struct request_value *v)
{
    if (s[0] != ':' || n < 2 || n > 6 ||
        request_span(s + 1, n - 1, ASCII_DIGITS) != n - 1)
        return false;
    set_shape(v, TYPE(PORT), SLOT_PORT);
    v->amount = strtoll(s + 1, NULL, 10);
    return true;
}

void
request_shape(const char *s, size_t n, struct request_value *v)
{
    const char *scheme = n > 6 ? memmem(s, n, "://", 3) : NULL;

    if (scheme && scheme > s) {
        set_shape(v, TYPE(URL) | TYPE(TEXT), SLOT_URL);
        return;
    }
    if (shape_port(s, n, v) || shape_number(s, n, v) || request_joined(s, n, v))
        return;
    if (request_is_mode(s, n)) {
        set_shape(v, TYPE(MODE) | TYPE(TEXT), SLOT_MODE);
        return;
    }
    if (is_regex(s, n) && !request_has_byte(s, n, '/')) {
        set_shape(v, TYPE(TEXT) | TYPE(NAME), SLOT_TEXT);
        return;
    }
    if (shape_glob(s, n, v))
        return;
    if (request_is_host(s, n)) {
        set_shape(v, TYPE(HOST) | TYPE(TEXT), SLOT_HOST);
        return;
    }
    if (shape_option(s, n, v) || shape_path(s, n, v) || shape_dotted(s, n, v) ||
        shape_name(s, n, v))
        return;
    /* signs alone, or among letters: a pattern, an expression */
    if (request_span(s, n, ASCII_ALNUM "-'") != n && (unsigned char)s[0] < 0x80)
        set_shape(v, TYPE(TEXT), SLOT_TEXT);
}
