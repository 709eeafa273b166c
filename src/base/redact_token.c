/* SPDX-License-Identifier: GPL-3.0-or-later */
/* redact_token.c - finds secrets by their own form: issuers' key formats,
 * private keys, passwords in URLs, password hashes. */
#include <string.h>

#include "base/array.h"
#include "base/redact_find.h"

#define USERINFO_MAX 1024 /* longer text is no user and password */
#define HASH_MIN     20 /* the shortest salt and digest of a crypt(3) format */

#define MIXED  1u /* must contain a digit, a lower and an upper case letter */
#define DOTTED 2u /* must contain a dot: a single part is something else */

/* The part after the prefix is the longest run of the set's characters; its
 * length must lie between min and max (0: no upper bound). Longer prefixes
 * stand before shorter ones that begin them. */
struct token_rule {
    const char *prefix, *kind;
    enum redact_set set;
    unsigned short min, max;
    unsigned flags;
};

static const struct token_rule rules[] = {
    {"AGE-SECRET-KEY-1", "age-key", REDACT_UPPER, 58, 58, 0},
    {"AIza", "google-api-key", REDACT_WORD, 35, 35, 0},
    {"AKIA", "aws-key-id", REDACT_UPPER, 16, 16, 0},
    {"ABIA", "aws-key-id", REDACT_UPPER, 16, 16, 0},
    {"ACCA", "aws-key-id", REDACT_UPPER, 16, 16, 0},
    {"ASIA", "aws-key-id", REDACT_UPPER, 16, 16, 0},
    {"AKCp", "jfrog-key", REDACT_ALNUM, 60, 0, 0},
    {"ATATT3", "atlassian-token", REDACT_B64, 60, 0, 0},
    {"ATBB", "bitbucket-token", REDACT_ALNUM, 28, 0, MIXED},
    {"EAAA", "square-token", REDACT_WORD, 56, 0, MIXED},
    {"FlyV1 ", "fly-token", REDACT_B64, 40, 0, 0},
    {"GOCSPX-", "google-client-secret", REDACT_WORD, 20, 0, 0},
    {"HRKU-", "heroku-key", REDACT_WORD, 36, 0, 0},
    {"NRAK-", "newrelic-key", REDACT_UPPER, 27, 27, 0},
    {"PMAK-", "postman-key", REDACT_WORD, 50, 0, 0},
    {"SG.", "sendgrid-key", REDACT_DOTS, 60, 0, DOTTED},
    {"SK", "twilio-key", REDACT_HEX, 32, 32, 0},
    {"dapi", "databricks-token", REDACT_HEX, 32, 34, 0},
    {"dckr_pat_", "docker-token", REDACT_WORD, 20, 0, 0},
    {"dop_v1_", "digitalocean-token", REDACT_HEX, 64, 64, 0},
    {"doo_v1_", "digitalocean-token", REDACT_HEX, 64, 64, 0},
    {"dor_v1_", "digitalocean-token", REDACT_HEX, 64, 64, 0},
    {"dp.pt.", "doppler-token", REDACT_ALNUM, 40, 0, 0},
    {"dp.st.", "doppler-token", REDACT_DOTS, 40, 0, 0},
    {"dt0c01.", "dynatrace-token", REDACT_DOTS, 60, 0, DOTTED},
    {"eyJ", "jwt", REDACT_DOTS, 30, 0, DOTTED},
    {"figd_", "figma-token", REDACT_WORD, 36, 0, 0},
    {"ghp_", "github-token", REDACT_ALNUM, 36, 0, 0},
    {"gho_", "github-token", REDACT_ALNUM, 36, 0, 0},
    {"ghu_", "github-token", REDACT_ALNUM, 36, 0, 0},
    {"ghs_", "github-token", REDACT_ALNUM, 36, 0, 0},
    {"ghr_", "github-token", REDACT_ALNUM, 36, 0, 0},
    {"github_pat_", "github-token", REDACT_WORD, 36, 0, 0},
    {"glpat-", "gitlab-token", REDACT_DOTS, 20, 0, 0},
    {"gldt-", "gitlab-token", REDACT_WORD, 20, 0, 0},
    {"glrt-", "gitlab-token", REDACT_DOTS, 20, 0, 0},
    {"glptt-", "gitlab-token", REDACT_WORD, 20, 0, 0},
    {"glcbt-", "gitlab-token", REDACT_WORD, 20, 0, 0},
    {"glsoat-", "gitlab-token", REDACT_WORD, 20, 0, 0},
    {"glsa_", "grafana-token", REDACT_WORD, 32, 0, 0},
    {"glc_", "grafana-token", REDACT_B64, 32, 0, 0},
    {"gsk_", "groq-key", REDACT_ALNUM, 40, 0, 0},
    {"hf_", "huggingface-token", REDACT_ALNUM, 30, 0, 0},
    {"hvb.", "vault-token", REDACT_WORD, 24, 0, MIXED},
    {"hvs.", "vault-token", REDACT_WORD, 24, 0, MIXED},
    {"key-", "mailgun-key", REDACT_HEX, 32, 32, 0},
    {"lin_api_", "linear-key", REDACT_ALNUM, 32, 0, 0},
    {"lsv2_pt_", "langsmith-key", REDACT_WORD, 32, 0, 0},
    {"lsv2_sk_", "langsmith-key", REDACT_WORD, 32, 0, 0},
    {"nfp_", "netlify-token", REDACT_ALNUM, 36, 0, 0},
    {"npm_", "npm-token", REDACT_ALNUM, 36, 36, 0},
    {"ntn_", "notion-token", REDACT_ALNUM, 40, 0, 0},
    {"nvapi-", "nvidia-key", REDACT_WORD, 40, 0, 0},
    {"oy2", "nuget-key", REDACT_ALNUM, 43, 43, 0},
    {"pplx-", "perplexity-key", REDACT_ALNUM, 40, 0, 0},
    {"pscale_tkn_", "planetscale-token", REDACT_DOTS, 32, 0, 0},
    {"pul-", "pulumi-token", REDACT_HEX, 40, 40, 0},
    {"pypi-", "pypi-token", REDACT_WORD, 50, 0, MIXED},
    {"r8_", "replicate-token", REDACT_ALNUM, 36, 0, 0},
    {"rk_live_", "stripe-key", REDACT_ALNUM, 16, 0, 0},
    {"rk_test_", "stripe-key", REDACT_ALNUM, 16, 0, 0},
    {"rubygems_", "rubygems-key", REDACT_HEX, 48, 48, 0},
    {"sbp_", "supabase-token", REDACT_HEX, 40, 40, 0},
    {"secret_", "notion-token", REDACT_ALNUM, 43, 43, MIXED},
    {"sgp_", "sourcegraph-token", REDACT_WORD, 40, 0, 0},
    {"shpat_", "shopify-token", REDACT_HEX, 32, 32, 0},
    {"shpca_", "shopify-token", REDACT_HEX, 32, 32, 0},
    {"shppa_", "shopify-token", REDACT_HEX, 32, 32, 0},
    {"shpss_", "shopify-token", REDACT_HEX, 32, 32, 0},
    {"sk-ant-", "anthropic-key", REDACT_WORD, 20, 0, 0},
    {"sk-or-v1-", "openrouter-key", REDACT_HEX, 32, 0, 0},
    {"sk-proj-", "openai-key", REDACT_WORD, 20, 0, 0},
    {"sk-svcacct-", "openai-key", REDACT_WORD, 20, 0, 0},
    {"sk-admin-", "openai-key", REDACT_WORD, 20, 0, 0},
    {"sk-", "api-key", REDACT_HEX, 32, 0, 0},
    {"sk-", "api-key", REDACT_WORD, 20, 0, MIXED},
    {"sk_live_", "stripe-key", REDACT_ALNUM, 16, 0, 0},
    {"sk_test_", "stripe-key", REDACT_ALNUM, 16, 0, 0},
    {"sntrys_", "sentry-token", REDACT_B64, 40, 0, 0},
    {"sntryu_", "sentry-token", REDACT_HEX, 64, 64, 0},
    {"sq0atp-", "square-token", REDACT_WORD, 22, 22, 0},
    {"sq0csp-", "square-token", REDACT_WORD, 43, 43, 0},
    {"tskey-", "tailscale-key", REDACT_WORD, 20, 0, 0},
    {"tvly-", "tavily-key", REDACT_WORD, 28, 0, 0},
    {"whsec_", "stripe-key", REDACT_B64, 24, 0, 0},
    {"xai-", "xai-key", REDACT_ALNUM, 60, 0, 0},
    {"xapp-", "slack-token", REDACT_WORD, 30, 0, 0},
    {"xoxa-", "slack-token", REDACT_WORD, 20, 0, 0},
    {"xoxb-", "slack-token", REDACT_WORD, 20, 0, 0},
    {"xoxe-", "slack-token", REDACT_WORD, 20, 0, 0},
    {"xoxp-", "slack-token", REDACT_WORD, 20, 0, 0},
    {"xoxr-", "slack-token", REDACT_WORD, 20, 0, 0},
    {"xoxs-", "slack-token", REDACT_WORD, 20, 0, 0},
    {"ya29.", "google-oauth-token", REDACT_WORD, 40, 0, 0},
    {"hooks.slack.com/services/", "slack-webhook", REDACT_B64, 30, 0, 0},
    {"discord.com/api/webhooks/", "discord-webhook", REDACT_B64, 60, 0, 0},
};

void
redact_index_tokens(struct pair_index *x)
{
    pair_index_init(x);
    for (size_t k = ARRAY_SIZE(rules); k-- > 0;)
        pair_index_add(x, k, rules[k].prefix[0], rules[k].prefix[1]);
}

static bool
in_set(enum redact_set set, int c)
{
    switch (set) {
    case REDACT_HEX:
        return ascii_hex_value(c) >= 0;
    case REDACT_UPPER:
        return ascii_is_digit(c) || ascii_is_upper(c);
    case REDACT_B64:
        return ascii_is_word(c) || (c > 0 && strchr("-+/=", c));
    case REDACT_DOTS:
        return ascii_is_word(c) || c == '-' || c == '.';
    case REDACT_WORD:
        return ascii_is_word(c) || c == '-';
    default:
        return ascii_is_alnum(c);
    }
}

static size_t
run_end(struct redact_text *t, enum redact_set set, size_t from)
{
    size_t i = t->run_end[set];

    if (i > from && t->run_from[set] <= from)
        return i;
    for (i = from; i < t->n && in_set(set, (unsigned char)t->p[i]); i++)
        ;
    t->run_from[set] = from;
    t->run_end[set] = i;
    return i;
}

/* The first bytes of a token decide, so that a long run is not searched again
 * from each prefix in it. */
static size_t
searched_bytes(size_t n)
{
    const size_t most = 256;

    return n < most ? n : most;
}

static bool
is_mixed(const char *p, size_t n)
{
    bool digit = false, lower = false, upper = false;

    for (size_t i = 0; i < n; i++) {
        digit |= ascii_is_digit(p[i]);
        lower |= ascii_is_lower(p[i]);
        upper |= ascii_is_upper(p[i]);
    }
    return digit && lower && upper;
}

static bool
token_matches(const struct token_rule *r, struct redact_text *t, size_t i,
              struct redact_span *s)
{
    size_t skip, from, to, n;

    if (*r->prefix != t->p[i])
        return false;
    skip = strlen(r->prefix);
    from = i + skip;
    if (t->n - i < skip + r->min || memcmp(t->p + i, r->prefix, skip) != 0)
        return false;
    to = run_end(t, r->set, from);
    while (to > from && t->p[to - 1] == '.')
        to--; /* the end of a sentence */
    n = to - from;
    if (n < r->min || (r->max && n > r->max))
        return false;
    if (ascii_is_word(redact_at(t, to)))
        return false; /* the word goes on in other characters */
    if ((r->flags & MIXED) && !is_mixed(t->p + from, searched_bytes(n)))
        return false;
    if ((r->flags & DOTTED) && !memchr(t->p + from, '.', searched_bytes(n)))
        return false;
    *s = (struct redact_span){i, to, r->kind};
    return true;
}

/* A token of a Telegram bot: 8 to 10 digits, a colon, "AA" and 33 characters.
 */
static bool
is_telegram(const struct redact_text *t, size_t i, struct redact_span *s)
{
    size_t at = i, end;

    while (at - i < 11 && ascii_is_digit(redact_at(t, at)))
        at++;
    if (at - i < 8 || at - i > 10 || t->n - at < 36 ||
        memcmp(t->p + at, ":AA", 3) != 0)
        return false;
    for (end = at + 1; in_set(REDACT_WORD, redact_at(t, end)); end++)
        ;
    if (end - at != 36)
        return false;
    *s = (struct redact_span){i, end, "telegram-token"};
    return true;
}

bool
redact_token(struct redact_text *t, size_t i, struct redact_span *s)
{
    const struct pair_index *x = t->index ? &t->index->tokens : NULL;
    int c = redact_at(t, i);
    size_t k;

    if (ascii_is_digit(c))
        return is_telegram(t, i, s);
    k = pair_index_first(x, c, redact_at(t, i + 1));
    while (k < ARRAY_SIZE(rules) && !token_matches(&rules[k], t, i, s))
        k = pair_index_next(x, k);
    return k < ARRAY_SIZE(rules);
}

/* Secrets of a known form without an issuer: private keys, passwords in URLs,
 * password hashes. */

/* "-----BEGIN x PRIVATE KEY-----" to its END line, or to the end of the text
 * when the END was cut off. */
bool
redact_pem(const struct redact_text *t, size_t i, struct redact_span *s)
{
    static const char begin[] = "-----BEGIN ", end[] = "-----END ";
    const size_t label_max = 64;
    const char *p = t->p + i, *key, *stop;
    size_t left = t->n - i, near;

    if (left <= sizeof(begin) || memcmp(p, begin, sizeof(begin) - 1) != 0)
        return false;
    near = left < label_max ? left : label_max;
    stop = memmem(p + sizeof(begin), near - sizeof(begin), "-----", 5);
    key = stop ? memmem(p, (size_t)(stop - p), "PRIVATE KEY", 11) : NULL;
    if (!key)
        return false;
    s->from = i;
    s->to = t->n;
    s->kind = "private-key";
    stop = memmem(key, left - (size_t)(key - p), end, sizeof(end) - 1);
    if (!stop)
        return true;
    stop += sizeof(end) - 1;
    near = t->n - (size_t)(stop - t->p);
    key = memmem(stop, near < label_max ? near : label_max, "-----", 5);
    s->to = key ? (size_t)(key + 5 - t->p) : (size_t)(stop - t->p);
    return true;
}

/* Where the userinfo of a URL's authority ends: at its last '@'. */
static size_t
userinfo_end(const struct redact_text *t, size_t from)
{
    size_t at = 0;

    for (size_t k = from; k < t->n && k - from < USERINFO_MAX; k++) {
        if (strchr("/?# \t\r\n\"'<>`", t->p[k]))
            break;
        if (t->p[k] == '@')
            at = k;
    }
    return at;
}

/* At the colon of "scheme://user:password@host". */
bool
redact_url(const struct redact_text *t, size_t i, struct redact_span *s)
{
    const char *colon;
    size_t from = i + 3, end;

    if (t->n - i < 4 || memcmp(t->p + i, "://", 3) != 0)
        return false;
    end = userinfo_end(t, from);
    if (end == 0 || redact_is_harmless(t->p + from, end - from))
        return false;
    colon = memchr(t->p + from, ':', end - from);
    if (colon)
        from = (size_t)(colon - t->p) + 1;
    else if (!redact_looks_random(t->p + from, end - from))
        return false; /* a user alone */
    if (redact_is_harmless(t->p + from, end - from))
        return false;
    *s = (struct redact_span){from, end, "url-password"};
    return true;
}

/* crypt(3): "$6$salt$digest" and its kin, as in /etc/shadow. */
bool
redact_crypt(const struct redact_text *t, size_t i, struct redact_span *s)
{
    static const char *const ids[] = {"$1$",  "$5$",     "$6$",     "$7$",
                                      "$y$",  "$gy$",    "$2a$",    "$2b$",
                                      "$2y$", "$argon2", "$scrypt$"};
    size_t end = i;

    for (size_t k = 0; k < ARRAY_SIZE(ids); k++) {
        size_t n = strlen(ids[k]);

        if (t->n - i <= n || memcmp(t->p + i, ids[k], n) != 0)
            continue;
        for (end = i + n; end < t->n; end++) {
            if (!ascii_is_word(t->p[end]) && !strchr("$./+=,-", t->p[end]))
                break;
        }
        if (end - i < HASH_MIN)
            return false;
        *s = (struct redact_span){i, end, "password-hash"};
        return true;
    }
    return false;
}
