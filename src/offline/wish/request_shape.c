/* SPDX-License-Identifier: GPL-3.0-or-later */
/* request_shape.c - what a word of a wish is by its looks alone. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "offline/wish/request_in.h"

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

/* Last labels of hosts' names that are no ending of a file. */
static const char *const domains[] = {
    "arpa", "at",       "au",  "be",  "biz",  "ca",  "ch",    "com",
    "de",   "dev",      "edu", "eu",  "fr",   "gov", "home",  "info",
    "int",  "internal", "io",  "it",  "jp",   "lan", "local", "localhost",
    "mil",  "net",      "nl",  "org", "test", "uk",  "us",
};

static int
by_word(const void *key, const void *row)
{
    return strcmp(key, *(const char *const *)row);
}

static bool
in_table(const char *s, size_t n, const char *const *table, size_t rows)
{
    char t[16];

    if (n == 0 || n >= sizeof(t))
        return false;
    for (size_t i = 0; i < n; i++)
        t[i] = (char)tolower((unsigned char)s[i]);
    t[n] = '\0';
    return bsearch(t, table, rows, sizeof(*table), by_word) != NULL;
}

bool
request_is_ext(const char *s, size_t n)
{
    return in_table(s, n, exts, sizeof(exts) / sizeof(exts[0]));
}

static size_t
span(const char *s, size_t n, const char *set)
{
    size_t i = 0;

    while (i < n && strchr(set, s[i]))
        i++;
    return i;
}

#define DIGITS "0123456789"
#define ALNUM  "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

static bool
has(const char *s, size_t n, char c)
{
    return memchr(s, c, n) != NULL;
}

static size_t
behind_last_dot(const char *s, size_t n)
{
    size_t i = n;

    while (i > 0 && s[i - 1] != '.' && s[i - 1] != '/')
        i--;
    return i > 0 && s[i - 1] == '.' ? i : n;
}

/* 10.0.0.1, also with a /24 or a :80 */
static bool
is_ip4(const char *s, size_t n)
{
    size_t at = 0;

    for (int i = 0; i < 4; i++) {
        size_t k = span(s + at, n - at, DIGITS);

        if (k == 0 || k > 3 || (i < 3 && (at + k >= n || s[at + k] != '.')))
            return false;
        at += k + (i < 3);
    }
    return at == n || ((s[at] == '/' || s[at] == ':') && at + 1 < n &&
                       span(s + at + 1, n - at - 1, DIGITS) == n - at - 1);
}

static bool
is_ip6(const char *s, size_t n)
{
    unsigned colons = 0;

    for (size_t i = 0; i < n; i++)
        colons += s[i] == ':';
    return colons >= 2 && (colons >= 7 || strstr(s, "::")) &&
           span(s, n, "0123456789abcdefABCDEF:") == n;
}

/* Letters, digits, dots and dashes that end in a domain that we know. */
static bool
is_domain(const char *s, size_t n)
{
    size_t last = behind_last_dot(s, n);

    return last < n && last > 1 && span(s, n, ALNUM ".-") == n &&
           in_table(s + last, n - last, domains,
                    sizeof(domains) / sizeof(domains[0]));
}

bool
request_is_host(const char *s, size_t n)
{
    const char *at = memchr(s, '@', n);

    if (at && at > s && at + 1 < s + n && !has(s, n, '/') &&
        span(at + 1, n - (size_t)(at + 1 - s), ALNUM ".-_") ==
            n - (size_t)(at + 1 - s))
        return true;
    if (n == 9 && strncasecmp(s, "localhost", 9) == 0)
        return true;
    if (n > 4 && strncmp(s, "www.", 4) == 0 && !has(s, n, '/'))
        return true;
    return is_ip4(s, n) || is_ip6(s, n) || is_domain(s, n);
}

/* box:/etc, bob@box:file */
static bool
is_remote_path(const char *s, size_t n)
{
    const char *colon = memchr(s, ':', n);
    size_t k = colon ? (size_t)(colon - s) : 0;

    if (k == 0 || k + 1 > n || has(s, k, '/'))
        return false;
    if (has(s, k, '@'))
        return span(s, k, ALNUM "@._-") == k;
    return k + 1 < n && (s[k + 1] == '/' || s[k + 1] == '~') &&
           span(s, k, ALNUM "._-") == k;
}

bool
request_is_mode(const char *s, size_t n)
{
    size_t who, op;

    if (n == 9 && span(s, n, "rwxstST-") == n && (s[0] == 'r' || s[0] == '-'))
        return true;
    who = span(s, n, "ugoa");
    op = span(s + who, n - who, "+-=");
    return who + op < n && op == 1 && n < 9 && (who || s[0] == '+') &&
           span(s + who + op, n - who - op, "rwxXst") == n - who - op;
}

static bool
is_glob(const char *s, size_t n)
{
    const char *open = memchr(s, '[', n);

    if (has(s, n, '*') || (has(s, n, '?') && n > 1))
        return true;
    return open && n > 3 && has(open, n - (size_t)(open - s), ']');
}

/* Letters behind a dot that may be an ending that nobody has listed. */
static bool
is_file_name(const char *s, size_t n)
{
    size_t dot = behind_last_dot(s, n), k = n - dot, digits;

    if (dot < 2 || k == 0)
        return false;
    if (request_is_ext(s + dot, k))
        return true;
    digits = span(s + dot, k, DIGITS);
    return k <= 5 && span(s + dot, k, ALNUM) == k && digits < k && digits < 2;
}

static void
be(struct request_value *v, uint32_t types, enum slot_type is)
{
    v->types |= types;
    v->is = is;
}

static bool
shape_path(const char *s, size_t n, struct request_value *v)
{
    bool dots = n <= 2 && span(s, n, ".") == n;

    if (is_remote_path(s, n)) {
        be(v, TYPE(PATH) | TYPE(HOST) | TYPE(TEXT), SLOT_PATH);
        return true;
    }
    if (s[0] == '$' && n > 1) {
        be(v, TYPE(PATH) | TYPE(NAME) | TYPE(TEXT) | TYPE(GLOB), SLOT_PATH);
        return true;
    }
    if (dots || s[0] == '/' || s[0] == '~' || has(s, n, '/')) {
        be(v, TYPE(PATH) | TYPE(TEXT), SLOT_PATH);
        return true;
    }
    return false;
}

/* ".txt" is an ending, ".bashrc" a file. */
static bool
shape_dotted(const char *s, size_t n, struct request_value *v)
{
    if (s[0] == '.' && n > 1 && span(s + 1, n - 1, ALNUM "_-.") == n - 1) {
        if (request_is_ext(s + 1, n - 1) ||
            request_is_ext(s + behind_last_dot(s, n),
                           n - behind_last_dot(s, n)))
            be(v, TYPE(EXT) | TYPE(TEXT), SLOT_EXT);
        else
            be(v, TYPE(PATH) | TYPE(NAME) | TYPE(TEXT) | TYPE(EXT), SLOT_PATH);
        return true;
    }
    if (is_file_name(s, n) && !has(s, n, '@')) {
        be(v, TYPE(PATH) | TYPE(GLOB) | TYPE(NAME) | TYPE(TEXT), SLOT_PATH);
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
    be(v, TYPE(GLOB) | TYPE(TEXT) | TYPE(PATH), SLOT_GLOB);
    if (has(s, n, '/'))
        v->is = SLOT_PATH;
    else if (dot >= 2 && s[dot - 2] == '*' && dot < n &&
             span(s + dot, n - dot, ALNUM) == n - dot)
        v->types |= TYPE(EXT);
    return true;
}

static bool
shape_number(const char *s, size_t n, struct request_value *v)
{
    size_t sign = n > 1 && (s[0] == '-' || s[0] == '+');
    size_t k = span(s + sign, n - sign, DIGITS), rest = n - sign - k;
    const char *end = s + sign + k;

    if (k == 0 || k > 15)
        return false;
    if (rest == 2 &&
        (strncasecmp(end, "st", 2) == 0 || strncasecmp(end, "nd", 2) == 0 ||
         strncasecmp(end, "rd", 2) == 0 || strncasecmp(end, "th", 2) == 0))
        rest = 0;
    if (rest == 1 && *end == '%')
        rest = 0;
    if (rest && !(*end == '.' && rest > 1 &&
                  span(end + 1, rest - 1, DIGITS) == rest - 1))
        return false;
    be(v, TYPE(NUMBER) | TYPE(TEXT), SLOT_NUMBER);
    v->amount = strtoll(s, NULL, 10);
    v->unit = 0;
    if (n == k && (k == 3 || k == 4) && span(s, n, "01234567") == n) {
        v->types |= TYPE(MODE);
        if (s[0] == '0')
            v->is = SLOT_MODE;
    }
    if (n == k && v->amount > 0 && v->amount < 65536)
        v->types |= TYPE(PORT);
    return true;
}

/* Capitals inside, digits, underscores: no word of a language. */
static bool
shape_name(const char *s, size_t n, struct request_value *v)
{
    bool odd = false, low = false;

    for (size_t i = 0; i < n; i++) {
        odd |= isdigit((unsigned char)s[i]) || s[i] == '_' ||
               (low && isupper((unsigned char)s[i]));
        low = islower((unsigned char)s[i]);
    }
    if (!odd || span(s, n, ALNUM "_-.+:@=") != n)
        return false;
    be(v, TYPE(NAME) | TYPE(TEXT) | TYPE(PATH) | TYPE(GLOB), SLOT_NAME);
    return true;
}

static bool
shape_port(const char *s, size_t n, struct request_value *v)
{
    if (s[0] != ':' || n < 2 || n > 6 || span(s + 1, n - 1, DIGITS) != n - 1)
        return false;
    be(v, TYPE(PORT), SLOT_PORT);
    v->amount = strtoll(s + 1, NULL, 10);
    return true;
}

void
request_shape(const char *s, size_t n, struct request_value *v)
{
    const char *scheme = n > 6 ? memmem(s, n, "://", 3) : NULL;

    if (scheme && scheme > s) {
        be(v, TYPE(URL) | TYPE(TEXT), SLOT_URL);
        return;
    }
    if (shape_port(s, n, v) || shape_number(s, n, v) || request_joined(s, n, v))
        return;
    if (request_is_mode(s, n)) {
        be(v, TYPE(MODE) | TYPE(TEXT), SLOT_MODE);
        return;
    }
    if (shape_glob(s, n, v))
        return;
    if (request_is_host(s, n)) {
        be(v, TYPE(HOST) | TYPE(TEXT), SLOT_HOST);
        return;
    }
    if (shape_path(s, n, v) || shape_dotted(s, n, v) || shape_name(s, n, v))
        return;
    /* signs alone, or among letters: a pattern, an expression */
    if (span(s, n, ALNUM "-'") != n && (unsigned char)s[0] < 0x80)
        be(v, TYPE(TEXT), SLOT_TEXT);
}
