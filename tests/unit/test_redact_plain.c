/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_redact_plain.c - what looks like a secret and must stay. */
#include "tests/unit/unit.h"

#include <string.h>

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
    /* as long as a token, without what makes it one */
    "sk-learn-contrib-of-the-long-name-without-figures",
    "sk-SK sk-CZ sk_SK.UTF-8",
    "xai-grok and pplx-online are models; gsk_ is a prefix",
    "hf_transfer hf_hub_download hf_home=/srv/hf",
    "AIzawa AIza-short",
    "AKIAisnotakey AKIALOWERcase1234567",
    "ASIAN ASIA1234 ABIA ACCA",
    "ya29 years of data; ya29.short",
    "GOCSPX stands in front of a client's secret",
    "ghp_ is how one begins; ghp_short1",
    "github_pattern_matcher github_path_of_the_checkout",
    "glpat is a prefix; glpat-short",
    "xoxo-love-and-kisses-from-all-of-us-here",
    "npm_package_version=1.2.3 npm_execpath=/usr/bin/npm",
    "npm_config_registry=https://registry.example/npm/",
    "pypi-server pypi-mirror-of-the-whole-company-in-house",
    "rubygems_version rubygems_2",
    "dckr_pat is a prefix",
    "dop_v1 and doo_v1 are prefixes",
    "sk_live is a prefix; sk_test_mode=on",
    "whsec_ comes first",
    "SG.CloudBank SG.com.sg",
    "SKxyz SK-II SKELETON SKU" H16,
    "key-frame key-" H16 "; key-of-the-house",
    "shpat_ shpats_and_others",
    "hvs.example hvs.local.domain.of.the.house",
    "tskey is a prefix",
    "lin_api lin_regress lin_space",
    "figd figdata_2024_final_version_of_the_figure_two",
    "glsafe_string glsa_short",
    "NRAK is a prefix NRAK-SHORT",
    "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p",
    "dapishort dapi-server",
    "123456789: a line of a log, 12:AA",
    "eyJust.a.word and eyJ.x",
    "hooks.slack.com is a host; discord.com/api/v10/users/@me",
    "-----BEGIN CERTIFICATE REQUEST-----\nMII\n"
    "-----END CERTIFICATE REQUEST-----",
    "-----BEGIN PGP PUBLIC KEY BLOCK-----\nx\n"
    "-----END PGP PUBLIC KEY BLOCK-----",
    "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512",
    "BEGIN PRIVATE KEY is what the line says",
    /* options and headers of the same letters */
    "grep -p x; ps -p 42; tar -xpf a.tar; mkdir -p a/b",
    "ssh -p 2222 host; scp -P 2222 a host:",
    "psql -U me -h db -p 5433 shop",
    "mysql -u me -p; mysqldump -p shop >shop.sql",
    "docker login -u me --password-stdin",
    "sshpass -f file ssh h; sshpass -e ssh h",
    "redis-cli -h cache -n 2 get a",
    "openssl rsa -passin file:/run/p -in k",
    "openssl enc -aes-256-cbc -pass env:P -in a",
    "ssh-keygen -t ed25519 -f k -C me@host",
    "zip -r a.zip b; unzip -P",
    "curl -u me --netrc https://h/; curl -H 'Accept: text/plain' h",
    "Authorization: ",
    "WWW-Authenticate: Basic realm=\"x\"",
    "Set-Cookie is a header; cookies are enabled",
    "https://example.org/login?next=/account&lang=de",
    "ftp://ftp.example.org/pub/a@b/c:d",
    "postgres://db.example.org:5432/shop",
    "http://[::1]:8080/x?key=&token=",
    "PASSWORD_MIN_LENGTH: 12",
    "SECRET_SANTA_DAY=friday",
    "forgot your password? reset it here",
    "passwords must hold 12 characters or more",
    "the secret of good coffee is water",
    "the token is expired and the password was wrong",
    "x-request-id: " H32,
    "etag: \"" H40 "\"",
    "integrity sha512-" A64 "==",
    "md5sum " H32 "  a.iso",
    "uuid=550e8400-e29b-41d4-a716-446655440000",
    "Merge branch 'token-refresh' of github.com:me/x",
    "0x" H40,
    "build-20241104T101112Z-3f9a0c7e",
    "libcrypto.so.3 libssl3_3.0.11-1~deb12u2_amd64.deb",
};

static void
look_alikes_stay(void **state)
{
    size_t wrong = 0;

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        CLEANUP_BUF struct buf b = buf_of(TEXT_MAX);

        assert_int_equal(redact(rows[i], strlen(rows[i]), &b), 0);
        if (strcmp(b.p, rows[i]) == 0)
            continue;
        print_error("# row %zu: %s\n# became: %s\n", i, rows[i], b.p);
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(look_alikes_stay),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
