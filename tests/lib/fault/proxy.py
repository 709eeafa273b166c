# SPDX-License-Identifier: GPL-3.0-or-later
"""proxy.py - an HTTP proxy: CONNECT and absolute-form, loopback only."""

import select
import socket
import urllib.parse


# An address that no machine has (RFC 5737): the proxy takes what is sent
# there to the server of the test, for a client asks no proxy for its own
# machine.
FAR = "203.0.113.77"


def relay(one, other):
    """Copies both ways until either side ends."""
    peers = {one: other, other: one}
    while True:
        for sock in select.select(list(peers), [], [])[0]:
            data = sock.recv(65536)
            if not data:
                return
            peers[sock].sendall(data)


def origin_form(request, path):
    """The request as the server behind the proxy has to see it."""
    lines = ["%s %s HTTP/1.1" % (request.method, path or "/")]
    lines += ["%s: %s" % pair for pair in request.headers
              if not pair[0].lower().startswith("proxy-")]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


def serve_proxy(server, conn, request):
    """Records the request and takes it where it wants to go."""
    connect = request.method == "CONNECT"
    url = urllib.parse.urlsplit("//" + request.target if connect
                                else request.target)
    server.record(request, "proxy")
    if server.proxy == "login" and not request.header("proxy-authorization"):
        conn.head(407, [("Proxy-Authenticate", 'Basic realm="test"'),
                        ("Content-Length", 0)])
        return
    if not (url.hostname or "").startswith(("127.", FAR)):
        conn.head(403, [("Content-Length", 0)])
        return
    with socket.create_connection(("127.0.0.1", url.port)) as peer:
        if connect:
            conn.head(200, [], reason="Connection established")
        else:
            path = url._replace(scheme="", netloc="").geturl()
            peer.sendall(origin_form(request, path))
        peer.sendall(conn.seen)
        conn.seen = b""
        relay(conn.sock, peer)
