/* SPDX-License-Identifier: GPL-3.0-or-later */
/* form_match.c - finds the words of a form (form.h) in a request. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "offline/generate/form.h"
#include "offline/parse/lexicon.h"

/* The word in lower case, uncorrected; "" when it is longer than any word of a
 * row. */
static const char *
form_written(const struct request *q, size_t i, char out[FORM_WORD_MAX])
{
    const struct request_value *v = request_value_of(q, i);
    const char *text = v ? v->text : q->text + q->words[i].from;
    size_t n = v ? strlen(text) : q->words[i].to - q->words[i].from;

    out[0] = '\0';
    if (n >= FORM_WORD_MAX)
        return out;
    for (size_t k = 0; k < n; k++)
        out[k] = (char)tolower((unsigned char)text[k]);
    out[n] = '\0';
    return out;
}

static const char video[] =
    "mp4 mkv avi mov webm flv wmv m4v mpg mpeg ogv ts 3gp";
static const char audio[] = "mp3 wav flac ogg aac m4a opus wma aiff";
static const char image[] =
    "png jpg jpeg gif bmp tiff tif webp svg ico heic ppm pgm psd avif";
static const char days[] =
    "monday tuesday wednesday thursday friday saturday sunday noon midnight";
static const char signals[] =
    "term hup kill int quit stop cont usr1 usr2 sigterm sighup sigkill sigint "
    "sigquit sigstop sigcont sigusr1 sigusr2";

static const char daemons[] =
    "nginx apache apache2 httpd mysql mysqld mariadb postgresql postgres redis "
    "redis-server ssh sshd docker containerd cron crond bluetooth cups ufw "
    "fail2ban rsyslog networkmanager network-manager haproxy mongod mongodb "
    "memcached rabbitmq elasticsearch grafana prometheus jenkins tomcat "
    "varnish postfix dovecot bind9 smbd samba vsftpd squid gunicorn uwsgi "
    "supervisor avahi-daemon gdm lightdm sddm pulseaudio pipewire libvirtd "
    "snapd firewalld chronyd caddy influxdb kubelet systemd-resolved";

/* Words in the position of a name that name nothing. */
static const char nameless[] =
    "local locally remote remotely current new all every each other another "
    "everything nothing file files directory name names branch branches tag "
    "tags commit commits container containers image images service services "
    "process processes package packages interface interfaces user users "
    "message first last latest only one now here there not no and or it them "
    "me running stopped time date most more less least many order port ports "
    "list log logs status detail details memory cpu whole entire same default "
    "system git docker called named depend depends without with using from via "
    "until";

static bool
has_extension(const char *text, const char *list)
{
    const char *dot = strrchr(text, '.');

    return dot && dot > text && lexicon_listed(dot + 1, list);
}

/* "mp3", ".mp3" */
static bool
is_format(const char *text, const char *list)
{
    return lexicon_listed(text + (*text == '.'), list);
}

static bool
has_shape(const char *s, const char *shape)
{
    for (; *shape; shape++) {
        if (*shape != '0') {
            if (*s++ != *shape)
                return false;
            continue;
        }
        if (!isdigit((unsigned char)*s))
            return false;
        s += strspn(s, "0123456789");
    }
    return *s == '\0';
}

static bool
is_clock(const char *s)
{
    return has_shape(s, "0:0") || has_shape(s, "0:0:0") ||
           has_shape(s, "0:0:0.0");
}

static bool
is_remote(const char *s)
{
    const char *colon = strchr(s, ':');
    const char *slash = strchr(s, '/');

    if (strstr(s, "://"))
        return false;
    return (colon && colon > s + 1 && (!slash || colon < slash) &&
            !is_clock(s)) ||
           (strchr(s, '@') && !slash);
}

/* Whether it is a branch of another repository, which has the form of a path.
 */
static bool
is_upstream(const char *s)
{
    return !strncmp(s, "origin/", 7) || !strncmp(s, "upstream/", 9);
}

static bool
is_revision(const char *s)
{
    size_t n = strcspn(s, "~^@");

    if (lexicon_listed(s, "head origin upstream") || s[n] == '~' ||
        s[n] == '^' || (*s == 'v' && isdigit((unsigned char)s[1])) ||
        strchr(s, '/'))
        return true;
    return n >= 7 && n <= 40 && strspn(s, "0123456789abcdef") == n && !s[n];
}

/* eth0, wlp2s0, br-lan, lo */
static bool
is_interface(const char *s)
{
    static const char *const kinds[] = {"eth",   "wlan", "en",  "wl", "docker",
                                        "br",    "tun",  "tap", "wg", "veth",
                                        "virbr", "ppp",  "bond"};

    for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
        if (!strncmp(s, kinds[i], strlen(kinds[i])) &&
            strpbrk(s, "0123456789-"))
            return true;
    return !strcmp(s, "lo");
}

static bool
is_machine(const struct request *q, size_t i, const char *s)
{
    const struct request_value *v = request_value_of(q, i);

    return is_remote(s) || (v && v->is == SLOT_HOST);
}

static bool
may_be_name(const struct request *q, size_t i, const char *s)
{
    const struct request_value *v = request_value_of(q, i);

    if (v)
        return (v->quoted || generate_may(v, SLOT_NAME) ||
                generate_may(v, SLOT_USER)) &&
               !strchr(s, '/') && !lexicon_listed(s, nameless);
    return !q->words[i].weak && !lexicon_known(s) &&
           !lexicon_listed(s, nameless);
}

/* Whether it has the form of a file name, or is called a file. */
static bool
has_file_form(const struct request *q, size_t i, const char *s)
{
    const struct request_value *v = request_value_of(q, i);

    if (!v || v->negated || is_remote(s) || is_upstream(s) ||
        !generate_may(v, SLOT_PATH))
        return v && !v->quoted && v->is == SLOT_GLOB;
    return v->exists || v->is == SLOT_PATH ||
           (!v->quoted && !strchr(s, ' ') && strpbrk(s, "./"));
}

/* A path whose last part has no ending. */
static bool
is_folder(const struct request_value *v, const char *s)
{
    const char *slash = strrchr(s, '/');

    if (!v || !generate_may(v, SLOT_PATH) || strstr(s, "://"))
        return false;
    return v->is_dir || (slash && !strchr(slash, '.'));
}

static bool
is_text_value(const struct request_value *v)
{
    return v && (v->quoted || v->is == SLOT_TEXT);
}

static bool
is_daemon(const struct request *q, size_t i, const char *s)
{
    const struct request_value *v = request_value_of(q, i);

    return (!v || !v->quoted) && lexicon_listed(s, daemons);
}

static bool
is_nameable_word(const struct request *q, size_t i, const char *s)
{
    return *s && (request_value_of(q, i) || !q->words[i].weak) &&
           !is_remote(s) && !strstr(s, "://") && !lexicon_listed(s, nameless);
}

/* Whether word i is of a kind that is no type of slot.h; -1 when there is no
 * such kind. */
static int
word_is_kind(const struct request *q, size_t i, const char *kind, const char *s)
{
    static const struct {
        const char *name, *list;
        bool (*is)(const char *text, const char *list);
    } lists[] = {
        {"video", video, has_extension}, {"audio", audio, has_extension},
        {"image", image, has_extension}, {"vformat", video, is_format},
        {"aformat", audio, is_format},   {"iformat", image, is_format},
        {"day", days, lexicon_listed},   {"signal", signals, lexicon_listed},

    };
    static const struct {
        const char *name, *shape;
    } shapes[] = {{"wxh", "0x0"},
                  {"percent", "0%"},
                  {"lines", "0p"},
                  {"range", "0-0"},
                  {"ports", "0:0"}};

    for (size_t k = 0; k < ARRAY_SIZE(lists); k++)
        if (!strcmp(kind, lists[k].name))
            return lists[k].is(s, lists[k].list);
    for (size_t k = 0; k < ARRAY_SIZE(shapes); k++)
        if (!strcmp(kind, shapes[k].name))
            return has_shape(s, shapes[k].shape);
    if (!strcmp(kind, "name"))
        return may_be_name(q, i, s);
    if (!strcmp(kind, "word"))
        return is_nameable_word(q, i, s);
    if (!strcmp(kind, "text"))
        return is_text_value(request_value_of(q, i));
    if (!strcmp(kind, "daemon"))
        return is_daemon(q, i, s);
    if (!strcmp(kind, "file"))
        return has_file_form(q, i, s);
    if (!strcmp(kind, "folder"))
        return is_folder(request_value_of(q, i), s);
    if (!strcmp(kind, "target"))
        return is_remote(s) && strchr(s, ':');
    if (!strcmp(kind, "machine"))
        return is_machine(q, i, s);
    if (!strcmp(kind, "iface"))
        return is_interface(s);
    if (!strcmp(kind, "clock"))
        return is_clock(s);
    if (!strcmp(kind, "remote"))
        return is_remote(s);
    if (!strcmp(kind, "revision"))
        return is_revision(s);
    return -1;
}

/* What a program would take for an option. */
static bool
has_option_form(const struct request *q, size_t i, const char *s)
{
    const struct request_value *v = request_value_of(q, i);

    return *s == '-' && !isdigit((unsigned char)s[1]) &&
           !(v && v->is == SLOT_MODE);
}

/* Whether the kind may begin with a dash: a text is quoted behind its option, a
 * file gets ./ */
static bool
may_be_option(const char *name, size_t n)
{
    static const char *const kinds[] = {"text", "file", "path"};

    for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
        if (strlen(kinds[i]) == n && strncmp(name, kinds[i], n) == 0)
            return true;
    return false;
}

/* Whether word i may stand in {name[0..n)}. */
static bool
form_fits(const struct request *q, size_t i, const char *name, size_t n)
{
    char s[FORM_WORD_MAX], kind[32];

    form_written(q, i, s);
    if (has_option_form(q, i, s) && !may_be_option(name, n))
        return false;
    while (n) {
        const char *bar = memchr(name, '|', n);
        size_t len = bar ? (size_t)(bar - name) : n;
        int is = -1;

        if (len < sizeof(kind)) {
            memcpy(kind, name, len);
            kind[len] = '\0';
            is = word_is_kind(q, i, kind, s);
        }
        if (is > 0)
            return true;
        if (is < 0 && generate_may(request_value_of(q, i),
                                   (enum slot_type)slot_find(name, len)))
            return true;
        name += len + (bar != NULL);
        n -= len + (bar != NULL);
    }
    return false;
}

/* A part of a row that stands between blanks. */
struct row_item {
    const char *s;
    size_t n;
    bool may_miss;
};

static const char *
next_row_item(const char *row, const char *end, struct row_item *it)
{
    while (row < end && *row == ' ')
        row++;
    it->may_miss = row < end && *row == '?';
    row += it->may_miss;
    it->s = row;
    while (row < end && *row != ' ')
        row++;
    it->n = (size_t)(row - it->s);
    return row;
}

/* The length of the first alternative of an item. */
static size_t
piece_length(const char *s, size_t n)
{
    const char *end = memchr(s, *s == '{' ? '}' : '|', n);

    if (!end)
        return n;
    return (size_t)(end - s) + (*s == '{');
}

static bool
is_piece(const char *word, const char *piece, size_t n)
{
    return !strncmp(word, piece, n) && !word[n];
}

/* Whether word i is written so; the first letter is compared first. */
static bool
is_written_so(const struct request *q, size_t i, const char *piece, size_t n)
{
    char s[FORM_WORD_MAX];

    if (n && request_value_of(q, i) == NULL &&
        tolower((unsigned char)q->text[q->words[i].from]) != *piece)
        return false;
    return is_piece(form_written(q, i, s), piece, n);
}

static bool
piece_fits(const struct request *q, size_t i, uint64_t used, const char *piece,
           size_t n)
{
    const struct request_value *v;

    if (*piece == '{')
        return !generate_used(used, i) && form_fits(q, i, piece + 1, n - 2);
    v = request_value_of(q, i);
    if (v && v->quoted)
        return false;
    if (*piece == '=')
        return is_written_so(q, i, piece + 1, n - 1);
    return is_piece(q->words[i].plain, piece, n) ||
           is_piece(q->words[i].stem, piece, n) ||
           is_written_so(q, i, piece, n);
}

static bool
item_fits(const struct request *q, size_t i, uint64_t used,
          const struct row_item *it)
{
    for (size_t at = 0; i < q->n && at < it->n;) {
        size_t n = piece_length(it->s + at, it->n - at);

        if (piece_fits(q, i, used, it->s + at, n))
            return true;
        at += n + 1;
    }
    return false;
}

static bool
is_rest(const struct row_item *it)
{
    return it->n == 6 && !memcmp(it->s, "{rest}", 6);
}

static void
take_item(struct form_hit *hit, const struct row_item *it, size_t from,
          size_t to)
{
    for (size_t i = from; i < to; i++)
        hit->set |= UINT64_C(1) << i;
    if (memchr(it->s, '{', it->n) && hit->n < FORM_HELD)
        hit->held[hit->n++] = (struct form_held){from, to};
}

/* Whether a word is ignored: a weak word, or a value that is used. */
static bool
is_word_ignored(const struct request *q, size_t i, uint64_t used)
{
    return i < q->n && (q->words[i].weak ||
                        (q->words[i].value >= 0 && generate_used(used, i)));
}

/* Whether the row [row, end) matches at word i. */
static bool
form_row_at(const struct request *q, size_t i, const char *row, const char *end,
            uint64_t used, struct form_hit *hit)
{
    struct row_item it;

    *hit = (struct form_hit){.n = 0};
    for (row = next_row_item(row, end, &it); it.n;
         row = next_row_item(row, end, &it)) {
        size_t at = i;

        if (is_rest(&it) && i < q->n) {
            take_item(hit, &it, i, q->n);
            i = q->n;
            continue;
        }
        while (hit->set && is_word_ignored(q, at, used) &&
               !item_fits(q, at, used, &it))
            at++;
        if (item_fits(q, at, used, &it)) {
            take_item(hit, &it, at, at + 1);
            i = at + 1;
        } else if (!it.may_miss) {
            return false;
        }
    }
    return (hit->set & ~used) != 0;
}

bool
form_match(const struct request *q, const char *words, uint64_t used,
           struct form_hit *hit)
{
    while (*words) {
        const char *end = words + strcspn(words, ";");

        for (size_t i = 0; i < q->n; i++)
            if (form_row_at(q, i, words, end, used, hit))
                return true;
        words = end + (*end == ';');
    }
    return false;
}
