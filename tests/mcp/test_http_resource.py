#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_http_resource.py - /mcp as a protected resource of an authorization
server: its metadata, and what a refusal says (RFC 9728, RFC 6750)."""

import json
import subprocess

import web
from place import Place

import home  # noqa: E402
import tap  # noqa: E402

ROOT = "/.well-known/oauth-protected-resource"
ISSUER = "https://as.example"
PARAMS = {"protocolVersion": "2025-11-25", "capabilities": {},
          "clientInfo": {"name": "test", "version": "1"}}


def ask(server, *what, **headers):
    with server.peer() as peer:
        return peer.ask(*what, **headers)


def metadata(t, server):
    base = "http://" + server.host
    for path in (ROOT + "/mcp", ROOT):
        got = ask(server, "GET", path)
        t.is_(got.status, 200, "who shows no token gets " + path, got)
        t.is_(json.loads(got.body), {
            "resource": base + "/mcp", "resource_name": "agentsh",
            "authorization_servers": [ISSUER],
            "bearer_methods_supported": ["header"]}, "as the RFC has it")
    t.is_(ask(server, "POST", ROOT, b"{}").status, 405, "by GET alone")
    got = ask(server, "GET", ROOT, None, Host="evil.example")
    t.is_(got.status, 403, "another Host is refused")
    got = ask(server, "GET", ROOT, None, Origin="https://evil.example")
    t.is_(got.status, 403, "another Origin too")


def refusals(t, server):
    where = 'resource_metadata="http://%s%s/mcp"' % (server.host, ROOT)
    got = ask(server, "POST", "/mcp", b"{}")
    t.is_((got.status, got.headers.get("www-authenticate")),
          (401, "Bearer " + where), "a refusal says where the metadata is")
    got = ask(server, "POST", "/mcp", b"{}", Authorization="Bearer other")
    t.is_((got.status, got.headers.get("www-authenticate")),
          (401, 'Bearer error="invalid_token", ' + where),
          "a token that is not ours is refused as such")
    with server.peer() as peer:
        got = peer.post(web.request("initialize", PARAMS),
                        Authorization="Bearer secret-token")
    t.is_(got.status, 200, "the token of the file is taken", got)


def wrong_words(t, place):
    for words, named in (
            (["--listen", "127.0.0.1:0", "--authorization-server", ISSUER],
             "--token-file"),
            (["--listen", "127.0.0.1:0", "--token-file", place.path("token"),
              "--authorization-server", "as.example"], "no URL"),
            (["--authorization-server", ISSUER], "--listen")):
        done = subprocess.run(
            [home.program("agentsh"), "mcp", *words], env=place.env,
            cwd=place.work, stdin=subprocess.DEVNULL, capture_output=True,
            text=True, timeout=20, check=False)
        t.ok(done.returncode == 2 and named in done.stderr,
             "wrong options say so: " + named, done.stderr)


def main():
    t = tap.Tap()
    with Place() as place:
        with web.Server(place, "--token-file", place.secret("secret-token\n"),
                        "--authorization-server", ISSUER) as server:
            metadata(t, server)
            refusals(t, server)
        with web.Server(place) as server:
            t.is_(ask(server, "GET", ROOT).status, 404,
                  "without an authorization server there is no metadata")
        wrong_words(t, place)
    t.done()


if __name__ == "__main__":
    main()
