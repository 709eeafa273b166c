/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_redact.c - what must not leave this machine, and what must stay. */
#include "tests/unit/unit.h"

#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/redact.h"

#define TEXT_MAX (4u << 20)

/* Made up: the right shape, the wrong secret. Letters and digits of a given
 * number come from here. */
#define A16 "4fQ7mZ2rT9xLw8Kb"
#define A32 A16 "h3Nc6VdJ5yPs1GaE"
#define A36 A32 "u0Ri"
#define A40 A32 "u0RiXe7T"
#define A64 A32 A32
#define H16 "3f9a0c7e51b2d846"
#define H32 H16 H16
#define H40 H32 "9ab0c1d2"
#define H64 H32 H32
#define U16 "7QZM2RT9XLWKBH3N"

struct pair {
    const char *in, *out;
};

static void
check_rows(const struct pair *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        CLEANUP_BUF struct buf b = buf_of(TEXT_MAX);
        CLEANUP_BUF struct buf again = buf_of(TEXT_MAX);

        assert_int_equal(redact(rows[i].in, strlen(rows[i].in), &b), 0);
        if (strcmp(b.p, rows[i].out) != 0)
            print_error("# row %zu: %s\n", i, rows[i].in);
        assert_string_equal(b.p, rows[i].out);
        redact(b.p, b.len, &again);
        assert_string_equal(again.p, b.p);
    }
}

#define R(kind) "[redacted:" kind "]"

static const struct pair tokens[] = {
    {"sk-" A36, R("api-key")},
    {"use sk-proj-" A40 " now", "use " R("openai-key") " now"},
    {"sk-ant-api03-" A40, R("anthropic-key")},
    {"sk-or-v1-" H64, R("openrouter-key")},
    {"sk-" H32, R("api-key")},
    {"gsk_" A40, R("groq-key")},
    {"xai-" A64, R("xai-key")},
    {"pplx-" A40, R("perplexity-key")},
    {"r8_" A36, R("replicate-token")},
    {"hf_" A32, R("huggingface-token")},
    {"AIza" A32 "_-4", R("google-api-key")},
    {"ya29." A40, R("google-oauth-token")},
    {"GOCSPX-" A32, R("google-client-secret")},
    {"AKIA" U16, R("aws-key-id")},
    {"ASIA" U16 ".", R("aws-key-id") "."},
    {"ghp_" A36, R("github-token")},
    {"github_pat_" A40, R("github-token")},
    {"glpat-" A32, R("gitlab-token")},
    {"xoxb-1234567890-" A32, R("slack-token")},
    {"https://hooks.slack.com/services/T0/B0/" A32,
     "https://" R("slack-webhook")},
    {"npm_" A36, R("npm-token")},
    {"pypi-AgEIcHlwaS5vcmc" A40, R("pypi-token")},
    {"rubygems_" H40 "01234567", R("rubygems-key")},
    {"dckr_pat_" A32, R("docker-token")},
    {"dop_v1_" H64, R("digitalocean-token")},
    {"sk_live_" A32, R("stripe-key")},
    {"whsec_" A32, R("stripe-key")},
    {"SG." A16 "." A64, R("sendgrid-key")},
    {"SK" H32, R("twilio-key")},
    {"key-" H32, R("mailgun-key")},
    {"shpat_" H32, R("shopify-token")},
    {"hvs." A32, R("vault-token")},
    {"tskey-auth-" A32, R("tailscale-key")},
    {"lin_api_" A40, R("linear-key")},
    {"figd_" A40, R("figma-token")},
    {"glsa_" A40, R("grafana-token")},
    {"NRAK-7QZM2RT9XLWKBH3N7QZM2RT9XLW", R("newrelic-key")},
    {"AGE-SECRET-KEY-1" U16 U16 U16 "7QZM2RT9XL", R("age-key")},
    {"dapi" H32, R("databricks-token")},
    {"123456789:AAF" A32, R("telegram-token")},
    {"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0." A40, R("jwt")},
    {"/x?k=ghp_" A36 "&y=1", "/x?k=" R("github-token") "&y=1"},
    {"(ghp_" A36 ")", "(" R("github-token") ")"},
};

static void
keys_and_tokens_are_known_by_their_prefix(void **state)
{
    (void)state;
    check_rows(tokens, N_OF(tokens));
}

static const struct pair private_keys[] = {
    {"a\n-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc\n"
     "-----END RSA PRIVATE KEY-----\nb",
     "a\n" R("private-key") "\nb"},
    {"-----BEGIN OPENSSH PRIVATE KEY-----\\nb3Bl\\n"
     "-----END OPENSSH PRIVATE KEY-----\"",
     R("private-key") "\""},
    {"-----BEGIN PRIVATE KEY-----\ncut off", R("private-key")},
    {"-----BEGIN PGP PRIVATE KEY BLOCK-----\nx\n"
     "-----END PGP PRIVATE KEY BLOCK-----",
     R("private-key")},
    {"-----BEGIN CERTIFICATE-----\nMII\n-----END CERTIFICATE-----",
     "-----BEGIN CERTIFICATE-----\nMII\n-----END CERTIFICATE-----"},
    {"-----BEGIN PUBLIC KEY-----\nMII\n-----END PUBLIC KEY-----",
     "-----BEGIN PUBLIC KEY-----\nMII\n-----END PUBLIC KEY-----"},
};

static void
private_keys_go_from_begin_to_end(void **state)
{
    (void)state;
    check_rows(private_keys, N_OF(private_keys));
}

static const struct pair passwords[] = {
    {"git clone https://me:hunter2@example.org/x.git",
     "git clone https://me:" R("url-password") "@example.org/x.git"},
    {"postgres://u:p@ss@db/x", "postgres://u:" R("url-password") "@db/x"},
    {"https://" A32 "@host/", "https://" R("url-password") "@host/"},
    {"curl -H 'Authorization: Bearer abc.def-123' x",
     "curl -H 'Authorization: Bearer " R("authorization") "' x"},
    {"Authorization: Basic dXNlcjpwYXNz\r\nHost: x",
     "Authorization: Basic " R("authorization") "\r\nHost: x"},
    {"-H \"X-Api-Key: abcdef\"", "-H \"X-Api-Key: " R("api-key") "\""},
    {"Cookie: session=abc; b=c\nX: y", "Cookie: " R("cookie") "\nX: y"},
    {"Bearer " A32, "Bearer " R("bearer-token")},
    {"mysql -uroot -phunter2 db", "mysql -uroot -p" R("password") " db"},
    {"sudo mysqldump -psecret x", "sudo mysqldump -p" R("password") " x"},
    {"sshpass -p hunter2 ssh h", "sshpass -p " R("password") " ssh h"},
    {"sshpass -phunter2 ssh h", "sshpass -p" R("password") " ssh h"},
    {"curl -u me:hunter2 http://h/", "curl -u me:" R("password") " http://h/"},
    {"curl http://h/ --user me:hunter2",
     "curl http://h/ --user me:" R("password")},
    {"echo x | docker login -u me -p hunter2",
     "echo x | docker login -u me -p " R("password")},
    {"redis-cli -a hunter2 ping", "redis-cli -a " R("password") " ping"},
    {"openssl rsa -passin pass:hunter2 -in k",
     "openssl rsa -passin pass:" R("password") " -in k"},
    {"ssh-keygen -N 'a b' -f k", "ssh-keygen -N '" R("password") "' -f k"},
    {"zip -P 'my pass' a.zip b", "zip -P '" R("password") "' a.zip b"},
    {"app --password hunter2 -v", "app --password " R("password") " -v"},
    {"app --db-password=hunter2", "app --db-password=" R("password")},
    {"app --api-key 'x y'", "app --api-key '" R("api-key") "'"},
    {"keytool -storepass changeit", "keytool -storepass " R("password")},
};

static void
passwords_go_from_urls_headers_and_options(void **state)
{
    (void)state;
    check_rows(passwords, N_OF(passwords));
}

static const struct pair values[] = {
    {"export DB_PASSWORD=hunter2", "export DB_PASSWORD=" R("password")},
    {"AWS_SECRET_ACCESS_KEY=abc/def+1 cmd",
     "AWS_SECRET_ACCESS_KEY=" R("api-key") " cmd"},
    {"GITHUB_TOKEN='abc def' x", "GITHUB_TOKEN='" R("token") "' x"},
    {"password: hunter2", "password: " R("password")},
    {"  client_secret = \"abc\"", "  client_secret = \"" R("secret") "\""},
    {"{\"password\":\"a\\\"b\",\"u\":1}",
     "{\"password\":\"" R("password") "\",\"u\":1}"},
    {"{\"x\":\"{\\\"apiKey\\\": \\\"abc\\\"}\"}",
     "{\"x\":\"{\\\"apiKey\\\": \\\"" R("api-key") "\\\"}\"}"},
    {"http://h/?access_token=abc&x=1",
     "http://h/?access_token=" R("token") "&x=1"},
    {"PASS2=123456;", "PASS2=" R("password") ";"},
    {"STORAGE_KEY=" A32, "STORAGE_KEY=" R("secret")},
    {"AccountKey=" A64 "==", "AccountKey=" R("secret")},
    {"the password is Tr0ub4dor&3", "the password is " R("password") "&3"},
    {"token abcd1234efgh", "token " R("token")},
    {"your secret was 'q8Zt-99xLmP'", "your secret was '" R("secret") "'"},
    {"root:$6$saltsalt$" A40 ":1:", "root:" R("password-hash") ":1:"},
};

static void
values_go_under_names_that_say_secret(void **state)
{
    (void)state;
    check_rows(values, N_OF(values));
}

static void
bytes_of_every_kind_pass(void **state)
{
    CLEANUP_BUF struct buf b = buf_of(TEXT_MAX);
    char all[512];

    (void)state;
    for (size_t i = 0; i < sizeof(all); i++)
        all[i] = (char)(i & 0xff);
    assert_int_equal(redact(all, sizeof(all), &b), 0);
    assert_int_equal(b.len, sizeof(all));
    assert_memory_equal(b.p, all, sizeof(all));
    buf_clear(&b);
    assert_int_equal(redact("", 0, &b), 0);
    assert_int_equal(b.len, 0);
}

/* Time of the processor: what else the machine does is not the redactor's. */
static double
cpu_s(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

#define KEPT   40 /* of each text's end; twice as much is looked at */
#define TWENTY "qqqqqqqqqqqqqqqqqqqq"

static const struct {
    const char *text, *kept;
} tails[] = {
    {"", ""},
    {"short", "short"},
    {"cut 4567890123456789012345678901234567890123",
     "4567890123456789012345678901234567890123"},
    {"a secret across the beginning of what is kept, "
     "token=k3jh4kj5h43kj5h3 and its end, which stays here",
     "d:token] and its end, which stays here"},
    {"and one across the beginning of the look, password=" TWENTY TWENTY
     "\nPGPASSWORD=k3jh4kj5h43kj5h34k5k3jh4kj5h43kj5\nend\n",
     "d:password]\nend\n"},
};

static void
the_end_of_a_text_shows_no_half_of_a_secret(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(tails); i++) {
        CLEANUP_BUF struct buf out = buf_of(400);
        const char *text = tails[i].text, *kept = tails[i].kept;
        size_t n = strlen(kept);

        assert_int_equal(redact_tail(text, strlen(text), KEPT, &out), 0);
        assert_true(out.len <= KEPT);
        if (out.len < n || strcmp(out.p + out.len - n, kept) != 0 ||
            strchr(out.p, 'q'))
            fail_msg("%s: %s", text, out.p);
    }
}

/* Patterns that would cost a backtracking search dearly. 1 MiB each; the
 * limit is wide enough for a slow machine under a sanitizer. */
static void
time_grows_with_the_text_alone(void **state)
{
    static const char *const units[] = {
        "a-",  "://",  "-----BEGIN ", "password ", "token: ", "eyJ",
        "sk-", "a.a.", "\"\\\"",      "$6$",       "= = ",    "Bearer "};

    (void)state;
    for (size_t i = 0; i < N_OF(units); i++) {
        CLEANUP_BUF struct buf in = buf_of(TEXT_MAX);
        CLEANUP_BUF struct buf out = buf_of(TEXT_MAX);
        double start;

        while (in.len < 1 << 20)
            buf_str(&in, units[i]);
        start = cpu_s();
        redact(in.p, in.len, &out);
        start = cpu_s() - start;
        if (start > 2)
            print_error("# slow on \"%s\"\n", units[i]);
        assert_true(start <= 2);
    }
}

/* What names a file of secrets in front or above is not shown, whatever it
 * is. */
static const struct pair shown_files[] = {
    {"./.env:A=plain\n./a.txt:plain",
     "./.env:" R("secret-file") "\n./a.txt:plain"},
    {"a/.env:3:A=plain\n", "a/.env:" R("secret-file") "\n"},
    {"a/.env-3-A=plain\n", "a/.env-" R("secret-file") "\n"},
    {"HEAD:sub/credentials.json:{\"a\": 1}",
     "HEAD:sub/credentials.json:" R("secret-file")},
    {"x/id_rsa:plain\r\n", "x/id_rsa:" R("secret-file") "\r\n"},
    {"==> a.txt <==\nx\n\n==> ./.env <==\nA=b\nC=d\n\n==> b <==\ny\n",
     "==> a.txt <==\nx\n\n==> ./.env <==\n" R(
         "secret-file") "\n==> b <==\ny\n"},
    {"==> terraform.tfstate <==\n{}\n",
     "==> terraform.tfstate <==\n" R("secret-file") "\n"},
    {"--- a/.env\n+++ b/.env\n@@ -1 +1 @@\n-A=b\n+A=c\ndiff --git a/x b/x\n",
     "--- a/.env\n+++ b/.env\n" R("secret-file") "\ndiff --git a/x b/x\n"},
    {"--- .env\t2020-01-01\n+++ /dev/null\n@@ -1 +0,0 @@\n-A=b\n",
     "--- .env\t2020-01-01\n+++ /dev/null\n" R("secret-file") "\n"},
    {"--- /dev/null\r\n+++ b/.env\r\n@@ -0,0 +1 @@\r\n+A=b\r\n$ ",
     "--- /dev/null\r\n+++ b/.env\r\n" R("secret-file") "\n$ "},
    {"--- .env\n+++ .env\n@@ -1,3 +1,3 @@\n-A=b\n+A=c\n\n C=d\n\nend",
     "--- .env\n+++ .env\n" R("secret-file") "\n\nend"},
    {"==> .env <==\r\nA=b\r\n==> b <==\r\ny\r\n",
     "==> .env <==\r\n" R("secret-file") "\n==> b <==\r\ny\r\n"},
    /* and what does not */
    {"./.env: Permission denied", "./.env: Permission denied"},
    {"./.env:\ntotal 4", "./.env:\ntotal 4"},
    {".env.example:A=b", ".env.example:A=b"},
    {"token.c: expected identifier", "token.c: expected identifier"},
    {"src/token.c:12: error: x", "src/token.c:12: error: x"},
    {"-rw-r--r-- 1 a a 3 .env", "-rw-r--r-- 1 a a 3 .env"},
    {"--- a/x.c\n+++ b/x.c\n@@ -1 +1 @@\n-a\n+b\n",
     "--- a/x.c\n+++ b/x.c\n@@ -1 +1 @@\n-a\n+b\n"},
    {"--- a/.env\n+++ b/.env\n", "--- a/.env\n+++ b/.env\n"},
    {"==> .env <==", "==> .env <=="},
};

static void
what_a_file_of_secrets_held_goes(void **state)
{
    (void)state;
    check_rows(shown_files, sizeof(shown_files) / sizeof(*shown_files));
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_and_tokens_are_known_by_their_prefix),
        cmocka_unit_test(private_keys_go_from_begin_to_end),
        cmocka_unit_test(passwords_go_from_urls_headers_and_options),
        cmocka_unit_test(values_go_under_names_that_say_secret),
        cmocka_unit_test(what_a_file_of_secrets_held_goes),
        cmocka_unit_test(bytes_of_every_kind_pass),
        cmocka_unit_test(the_end_of_a_text_shows_no_half_of_a_secret),
        cmocka_unit_test(time_grows_with_the_text_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
