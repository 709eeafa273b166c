# SPDX-License-Identifier: GPL-3.0-or-later
"""hidden_peer.py PORT [N] - asks an HTTP server, and lets nobody hold the socket
while it answers: it lies in the queue of a pair of Unix sockets meanwhile. Prints
"hidden" then, and the status.

With N so many ask, and are left with the pair in its own queue: the kernel finds
that some time after the end of this program.
"""

import array
import os
import select
import socket
import sys


def ask():
    s = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
    s.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
    return s


def send_over(pair, sockets):
    pair[0].sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array(
        "i", [s.fileno() for s in sockets]))])


pair = socket.socketpair(socket.AF_UNIX)
if len(sys.argv) > 2:
    send_over(pair, [ask() for _ in range(int(sys.argv[2]))] + list(pair))
    os._exit(0)
asks = ask()
poll = select.epoll()
poll.register(asks, select.EPOLLIN)  # it stays, whoever holds the socket
send_over(pair, [asks])
asks.close()
print("hidden", flush=True)
poll.poll(30)
_, rights, _, _ = pair[1].recvmsg(1, socket.CMSG_SPACE(4))
number = array.array("i", rights[0][2][:4])[0]
print(socket.socket(fileno=number).recv(100).split()[1].decode())
