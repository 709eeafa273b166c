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

static void
keys_and_tokens_are_known_by_their_prefix(void **state)
{
    static const struct pair rows[] = {
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

    (void)state;
    check_rows(rows, N_OF(rows));
}

static void
private_keys_go_from_begin_to_end(void **state)
{
    static const struct pair rows[] = {
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

    (void)state;
    check_rows(rows, N_OF(rows));
}

static void
passwords_go_from_urls_headers_and_options(void **state)
{
    static const struct pair rows[] = {
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
        {"curl -u me:hunter2 http://h/",
         "curl -u me:" R("password") " http://h/"},
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

    (void)state;
    check_rows(rows, N_OF(rows));
}

static void
values_go_under_names_that_say_secret(void **state)
{
    static const struct pair rows[] = {
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

    (void)state;
    check_rows(rows, N_OF(rows));
}

static void
look_alikes_stay(void **state)
{
    static const char *const rows[] = {
        "commit " H40,
        "sha256:" H64,
        "index 3f9a0c7..51b2d84 100644",
        "550e8400-e29b-41d4-a716-446655440000",
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUA",
        "pip install sk-learn-contrib-something-long-name",
        "apt-get install python3-keyring libsecret-1-0 ssh-askpass",
        "npm_config_cache=/tmp npm_lifecycle_event=build",
        "the desk-lamp, task-runner and risk-register-of-2024-and-more",
        "AKIA is a prefix; AIza too",
        "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQC7 me@host",
        "SHA256:nThbg6kXUpJWGl7E1IGOCspRomTxdCARLviKw6E5SY8",
        "PWD=/home/me OLDPWD=/srv",
        "password:",
        "Password: \n",
        "sudo: a password is required",
        "sudo: 3 incorrect password attempts",
        "bash: syntax error near unexpected token `)'",
        "Unexpected token: string literal",
        "error: invalid token: unexpected end",
        "TOKENIZERS_PARALLELISM=false",
        "max_tokens=8192 token: 5 tokens: 600",
        "password=$DB_PASSWORD token=${TOKEN} secret=$(cat f)",
        "--password-file /run/secrets/db --token-stdin",
        "docker build --secret id=npm,src=.npmrc .",
        "api_key = <your key>",
        "password=*** secret=xxxxxxxx token=null",
        "password = getpass.getpass()",
        "if (token == other) return;",
        "mkdir -p /srv/a; ssh -p 22 h; cp -p a b",
        "docker run -p 8080:80 -p 127.0.0.1:53:53/udp nginx",
        "docker compose -p shop up",
        "mysql -u root -p shop",
        "curl -u me https://example.org/",
        "http://example.org:8080/a@b",
        "ssh://git@example.org/x.git",
        "git@github.com:agentsh/agentsh.git",
        "PRIMARY_KEY=id; sort --key=2; ssh_key=~/.ssh/id_ed25519",
        "monkey=banana1234567 turkey: x1y2z3",
        "compass=north bypass: lane",
        "secretName: tls-cert",
        "gpg: key 3AA5C34371567BD2: public key \"x\" imported",
        "token = Keyword.Type if out_token else next_token",
        "gcloud users set-password joe; kubectl get-token later",
        "base-passwd (3.6.1) is already the newest version",
        "kind: Secret",
        "/etc/passwd /etc/shadow ~/.ssh/id_rsa",
        "cut -d: -f1 /etc/passwd",
        "eyJ is how base64 of {\" begins",
        "linux-image-6.1.0-18-amd64_6.1.76-1_amd64.deb",
        "qwen3-4b-instruct-q4_k_m.gguf",
        "$1 $2 \"$@\" ${1:-x} $6",
        "awk '{print $1$2}' f",
        "key-value pairs; key=value",
        "SKU1234 SK123 SKIP",
        "author: Jane; authority=x; auth=none",
        "10.0.0.1:8080 12:34:56 2024-01-02T03:04:05Z",
        "POSTGRES_PASSWORD: ${POSTGRES_PASSWORD:-changeme}",
    };

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++)
        check_rows(&(struct pair){rows[i], rows[i]}, 1);
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

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_and_tokens_are_known_by_their_prefix),
        cmocka_unit_test(private_keys_go_from_begin_to_end),
        cmocka_unit_test(passwords_go_from_urls_headers_and_options),
        cmocka_unit_test(values_go_under_names_that_say_secret),
        cmocka_unit_test(look_alikes_stay),
        cmocka_unit_test(bytes_of_every_kind_pass),
        cmocka_unit_test(time_grows_with_the_text_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
