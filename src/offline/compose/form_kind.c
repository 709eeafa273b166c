/* SPDX-License-Identifier: GPL-3.0-or-later */
/* form_kind.c - what a word or a value may be, beside the types of slots. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "offline/compose/form.h"
#include "offline/request/words.h"

const char *
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

/* Words that stand where a name does and name nothing. */
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

    return dot && dot > text && words_listed(dot + 1, list);
}

/* "mp3", ".mp3" */
static bool
is_format(const char *text, const char *list)
{
    return words_listed(text + (*text == '.'), list);
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

/* A branch of another repository, which looks like a path. */
static bool
is_upstream(const char *s)
{
    return !strncmp(s, "origin/", 7) || !strncmp(s, "upstream/", 9);
}

static bool
is_revision(const char *s)
{
    size_t n = strcspn(s, "~^@");

    if (words_listed(s, "head origin upstream") || s[n] == '~' || s[n] == '^' ||
        (*s == 'v' && isdigit((unsigned char)s[1])) || strchr(s, '/'))
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

    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
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
is_name(const struct request *q, size_t i, const char *s)
{
    const struct request_value *v = request_value_of(q, i);

    if (v)
        return (v->quoted || compose_may(v, SLOT_NAME) ||
                compose_may(v, SLOT_USER)) &&
               !strchr(s, '/') && !words_listed(s, nameless);
    return !q->words[i].weak && !words_known(s) && !words_listed(s, nameless);
}

/* What looks like a file's name, or is called one. */
static bool
is_file(const struct request *q, size_t i, const char *s)
{
    const struct request_value *v = request_value_of(q, i);

    if (!v || v->negated || is_remote(s) || is_upstream(s) ||
        !compose_may(v, SLOT_PATH))
        return v && !v->quoted && v->is == SLOT_GLOB;
    return v->exists || v->is == SLOT_PATH ||
           (!v->quoted && !strchr(s, ' ') && strpbrk(s, "./"));
}

/* A path whose last part has no ending. */
static bool
is_folder(const struct request_value *v, const char *s)
{
    const char *slash = strrchr(s, '/');

    if (!v || !compose_may(v, SLOT_PATH) || strstr(s, "://"))
        return false;
    return v->is_dir || (slash && !strchr(slash, '.'));
}

static bool
is_text(const struct request_value *v)
{
    return v && (v->quoted || v->is == SLOT_TEXT);
}

static bool
is_daemon(const struct request *q, size_t i, const char *s)
{
    const struct request_value *v = request_value_of(q, i);

    return (!v || !v->quoted) && words_listed(s, daemons);
}

static bool
is_word(const struct request *q, size_t i, const char *s)
{
    return *s && (request_value_of(q, i) || !q->words[i].weak) &&
           !is_remote(s) && !strstr(s, "://") && !words_listed(s, nameless);
}

/* Of a kind that is none of slot.h's types; -1: there is no such kind. */
static int
is_kind(const struct request *q, size_t i, const char *kind, const char *s)
{
    static const struct {
        const char *name, *list;
        bool (*is)(const char *text, const char *list);
    } lists[] = {
        {"video", video, has_extension}, {"audio", audio, has_extension},
        {"image", image, has_extension}, {"vformat", video, is_format},
        {"aformat", audio, is_format},   {"iformat", image, is_format},
        {"day", days, words_listed},     {"signal", signals, words_listed},

    };
    static const struct {
        const char *name, *shape;
    } shapes[] = {{"wxh", "0x0"},
                  {"percent", "0%"},
                  {"lines", "0p"},
                  {"range", "0-0"},
                  {"ports", "0:0"}};

    for (size_t k = 0; k < sizeof(lists) / sizeof(lists[0]); k++)
        if (!strcmp(kind, lists[k].name))
            return lists[k].is(s, lists[k].list);
    for (size_t k = 0; k < sizeof(shapes) / sizeof(shapes[0]); k++)
        if (!strcmp(kind, shapes[k].name))
            return has_shape(s, shapes[k].shape);
    if (!strcmp(kind, "name"))
        return is_name(q, i, s);
    if (!strcmp(kind, "word"))
        return is_word(q, i, s);
    if (!strcmp(kind, "text"))
        return is_text(request_value_of(q, i));
    if (!strcmp(kind, "daemon"))
        return is_daemon(q, i, s);
    if (!strcmp(kind, "file"))
        return is_file(q, i, s);
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
is_option(const struct request *q, size_t i, const char *s)
{
    const struct request_value *v = request_value_of(q, i);

    return *s == '-' && !isdigit((unsigned char)s[1]) &&
           !(v && v->is == SLOT_MODE);
}

/* A text stands in quotes behind an option of its own, a file behind ./ */
static bool
may_be_option(const char *name, size_t n)
{
    static const char *const kinds[] = {"text", "file", "path"};

    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        if (strlen(kinds[i]) == n && strncmp(name, kinds[i], n) == 0)
            return true;
    return false;
}

bool
form_fits(const struct request *q, size_t i, const char *name, size_t n)
{
    char s[FORM_WORD_MAX], kind[32];

    form_written(q, i, s);
    if (is_option(q, i, s) && !may_be_option(name, n))
        return false;
    while (n) {
        const char *bar = memchr(name, '|', n);
        size_t len = bar ? (size_t)(bar - name) : n;
        int is = -1;

        if (len < sizeof(kind)) {
            memcpy(kind, name, len);
            kind[len] = '\0';
            is = is_kind(q, i, kind, s);
        }
        if (is > 0)
            return true;
        if (is < 0 && compose_may(request_value_of(q, i),
                                  (enum slot_type)slot_find(name, len)))
            return true;
        name += len + (bar != NULL);
        n -= len + (bar != NULL);
    }
    return false;
}
