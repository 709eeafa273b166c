/* SPDX-License-Identifier: GPL-3.0-or-later */
/* redact_token.c - secrets that announce themselves: issuers' key formats. */
#include <string.h>

#include "base/redact_in.h"

#define MIXED  1u /* must hold a digit, a lower and an upper case letter */
#define DOTTED 2u /* must hold a dot: one part alone is something else */

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

static bool
in_set(enum redact_set set, int c)
{
    switch (set) {
    case REDACT_HEX:
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') ||
               (c >= 'A' && c <= 'F');
    case REDACT_UPPER:
        return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z');
    case REDACT_B64:
        return redact_is_word(c) || (c > 0 && strchr("-+/=", c));
    case REDACT_DOTS:
        return redact_is_word(c) || c == '-' || c == '.';
    case REDACT_WORD:
        return redact_is_word(c) || c == '-';
    default:
        return redact_is_alnum(c);
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

/* The first bytes of a token tell; the rest of a long run is not searched
 * again from each of its prefixes. */
static size_t
told_by(size_t n)
{
    const size_t most = 256;

    return n < most ? n : most;
}

static bool
is_mixed(const char *p, size_t n)
{
    bool digit = false, lower = false, upper = false;

    for (size_t i = 0; i < n; i++) {
        digit |= p[i] >= '0' && p[i] <= '9';
        lower |= p[i] >= 'a' && p[i] <= 'z';
        upper |= p[i] >= 'A' && p[i] <= 'Z';
    }
    return digit && lower && upper;
}

static bool
matches(const struct token_rule *r, struct redact_text *t, size_t i,
        struct redact_span *s)
{
    size_t skip = strlen(r->prefix), from = i + skip, to, n;

    if (t->n - i < skip + r->min || memcmp(t->p + i, r->prefix, skip) != 0)
        return false;
    to = run_end(t, r->set, from);
    while (to > from && t->p[to - 1] == '.')
        to--; /* the end of a sentence */
    n = to - from;
    if (n < r->min || (r->max && n > r->max))
        return false;
    if (redact_is_word(redact_at(t, to)))
        return false; /* goes on in other characters */
    if ((r->flags & MIXED) && !is_mixed(t->p + from, told_by(n)))
        return false;
    if ((r->flags & DOTTED) && !memchr(t->p + from, '.', told_by(n)))
        return false;
    *s = (struct redact_span){i, to, r->kind};
    return true;
}

/* Telegram's bots: 8 to 10 digits, a colon, "AA" and 33 characters. */
static bool
is_telegram(const struct redact_text *t, size_t i, struct redact_span *s)
{
    size_t at = i, end;

    while (at - i < 11 && redact_at(t, at) >= '0' && redact_at(t, at) <= '9')
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
    const size_t n = sizeof(rules) / sizeof(rules[0]);
    int c = redact_at(t, i);

    if (c >= '0' && c <= '9')
        return is_telegram(t, i, s);
    for (size_t k = 0; k < n; k++) {
        if (rules[k].prefix[0] == c && matches(&rules[k], t, i, s))
            return true;
    }
    return false;
}
