# SPDX-License-Identifier: GPL-3.0-or-later
"""hidden_peer.py PORT - asks an HTTP server, and lets nobody hold the socket
while it answers: it lies in the queue of a pair of Unix sockets meanwhile. Prints
the status."""

import array
import select
import socket
import sys

here, there = socket.socketpair(socket.AF_UNIX)
asks = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
poll = select.epoll()
poll.register(asks, select.EPOLLIN)  # it stays, whoever holds the socket
asks.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
here.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS,
                       array.array("i", [asks.fileno()]))])
asks.close()
poll.poll(10)
_, rights, _, _ = there.recvmsg(1, socket.CMSG_SPACE(4))
number = array.array("i", rights[0][2][:4])[0]
print(socket.socket(fileno=number).recv(100).split()[1].decode())
