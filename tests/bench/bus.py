# SPDX-License-Identifier: GPL-3.0-or-later
"""bus.py - what the message bus costs: a round trip, beside the same bus on
Node with `ws` (bus_node.mjs); connections; many subscribers; a replay."""

import glob
import os
import re
import resource
import select
import socket
import struct
import subprocess
import threading
import time

import holds
import peers
import table

TRIPS = 10000
IDLE = 10000
FANS, FAN_MESSAGES, FAN_RATE = 100, 5000, 1000
KEPT = 100000
HERE = os.path.dirname(os.path.abspath(__file__))
INITIALIZE = b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":' \
    b'{"clientId":"bench","clientInfo":{"name":"bench","version":"1"}}}'


def frame(text):
    n = len(text)
    if n < 126:
        return bytes([0x81, 0x80 | n]) + bytes(4) + text
    if n < 65536:
        return b"\x81\xfe" + struct.pack(">H", n) + bytes(4) + text
    return b"\x81\xff" + struct.pack(">Q", n) + bytes(4) + text


def texts(data):
    """The messages in the frames of a server, and the bytes behind them."""
    found, at = [], 0
    while len(data) - at >= 2:
        n, begins = data[at + 1], at + 2
        if n > 125:
            size = 2 if n == 126 else 8
            n = int.from_bytes(data[begins:begins + size], "big")
            begins += size
        if len(data) < begins + n:
            break
        found.append(data[begins:begins + n])
        at = begins + n
    return found, data[at:]


def id_of(text):
    return text[text.rindex(b":") + 1:-1]


def answer(number):
    return frame(b'{"jsonrpc":"2.0","id":%s,"result":{"success":true,'
                 b'"stopPropagation":false}}' % number)


def subscribe(pattern, more=b""):
    return frame(b'{"jsonrpc":"2.0","id":2,"method":"subscribe","params":'
                 b'{"topic":"%s"%s}}' % (pattern, more))


def message(number, topic, n):
    return frame(b'{"jsonrpc":"2.0","id":%d,"method":"sendMessage","params":'
                 b'{"topic":"%s","payload":{"chat_id":"chat-1","text":'
                 b'"a message of some words, as they are","n":%d}}}'
                 % (number, topic, n))


class Client:
    def __init__(self, port, initialize=True):
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.sendall(
            b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\n"
            b"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
        data = b""
        while b"\r\n\r\n" not in data:
            data += self.some()
        self.rest = data.split(b"\r\n\r\n", 1)[1]
        if initialize:
            self.ask(frame(INITIALIZE))

    def some(self):
        data = self.socket.recv(1 << 20)
        if not data:
            raise RuntimeError("the bus closed a connection")
        return data

    def read(self):
        """What has come, and at least one."""
        found, self.rest = texts(self.rest)
        while not found:
            found, self.rest = texts(self.rest + self.some())
        return found

    def ask(self, data):
        self.socket.sendall(data)
        got = self.read()[0]
        if b'"error"' in got:
            raise RuntimeError(got.decode())


class Bus:
    """A bus of ours, or the peer."""

    def __init__(self, bench, *options, argv=None):
        self.child = subprocess.Popen(
            argv or [bench.agentsh, "bus", "--listen", "127.0.0.1:0",
                     *options],
            cwd=bench.place.work, env=bench.place.env,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT)
        self.said = b""
        while not (found := re.search(rb"127\.0\.0\.1:(\d+): listening|"
                                      rb"^(\d+)\n", self.said)):
            data = os.read(self.child.stdout.fileno(), 4096)
            if not data:
                raise RuntimeError(self.said.decode())
            self.said += data
        self.port = int(found[1] or found[2])

    def __enter__(self):
        return self

    def __exit__(self, *why):
        self.close()

    def close(self):
        if self.child.stdout.closed:
            return ""
        self.child.terminate()
        self.said += self.child.stdout.read()
        self.child.wait()
        self.child.stdout.close()
        return self.said.decode("utf-8", "replace")

    def cpu_us(self):
        """What it has used of the processors."""
        total = 0
        for path in glob.glob("/proc/%d/task/*/schedstat" % self.child.pid):
            with open(path, encoding="ascii") as f:
                total += int(f.read().split()[0])
        return total / 1e3

    def memory_kb(self):
        with open("/proc/%d/status" % self.child.pid, encoding="ascii") as f:
            return int(re.search(r"VmRSS:\s+(\d+)", f.read())[1])


def node(bench):
    """The peer; FileNotFoundError where it is not here."""
    del bench
    modules = os.path.join(peers.folder(), "node_modules")
    if not os.path.isdir(os.path.join(modules, "ws")):
        raise FileNotFoundError("ws is not here: make bench-peers")
    return ["node", os.path.join(HERE, "bus_node.mjs"), modules]


class Pair:
    """A sender and a subscriber of one bus."""

    def __init__(self, bus):
        self.bus = bus
        self.sender, self.other = Client(bus.port), Client(bus.port)
        self.other.ask(subscribe(b"inbound:*"))
        self.number = 0

    def trips(self, n=TRIPS):
        """Microseconds of the server's processor a trip, and the 99th
        percentile of how long one took."""
        took, before = [], self.bus.cpu_us()
        for _ in range(n):
            self.number += 1
            data = message(self.number, b"inbound:chat-1", self.number)
            begun = time.perf_counter()
            self.sender.socket.sendall(data)
            self.other.socket.sendall(answer(id_of(self.other.read()[0])))
            self.sender.read()
            took.append(time.perf_counter() - begun)
        took.sort()
        return ((self.bus.cpu_us() - before) / n, took[n * 99 // 100] * 1e6)


def trips(bench):
    try:
        beside = node(bench)
    except FileNotFoundError as why:
        yield table.Skipped("bus, the peer", str(why))
        beside = None
    rounds = max(3, bench.rounds // 3)
    with Bus(bench) as ours:
        one = Pair(ours)
        one.trips(1000)
        if beside:
            with Bus(bench, argv=beside) as theirs:
                other = Pair(theirs)
                other.trips(5000)
                mine, their = bench.by_turns(one.trips, other.trips, rounds)
        else:
            mine = list(zip(*(one.trips() for _ in range(rounds))))
            their = (None, None)
        held_row = holds.row("bus, round trips", ("127.0.0.1", ours.port))
    goals = (table.at_most_times(0.5), table.at_most_times(1)) if beside \
        else (table.for_comparison(),) * 2
    yield table.Row("agentsh bus, a round trip, CPU", "us", mine[0], their[0],
                    "ws", goals[0])
    yield table.Row("the same, how long 99 of 100 take", "us", mine[1],
                    their[1], "ws", goals[1])
    yield held_row


def idle(bench):
    resource.setrlimit(resource.RLIMIT_NOFILE,
                       (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    with Bus(bench, "--max-connections", str(IDLE)) as bus:
        before = bus.memory_kb()
        clients = [Client(bus.port) for _ in range(IDLE)]
        for i, client in enumerate(clients):
            client.ask(subscribe(b"inbound:chat-%d" % i))
        grown = bus.memory_kb() - before
        clients.pop().socket.close()
        held_row = holds.row("bus, many connections", ("127.0.0.1", bus.port))
        for client in clients:
            client.socket.close()
    yield table.Row("bus, one of %d connections" % IDLE, "kb", [grown / IDLE],
                    None, "", table.at_most("10 KB", 10))
    yield held_row


class Fan(threading.Thread):
    """Subscribers that answer at once, and note the numbers that come."""

    def __init__(self, clients):
        super().__init__()
        self.clients, self.left = clients, len(clients) * FAN_MESSAGES
        self.seen = {client: [] for client in clients}

    def run(self):
        poll = select.epoll()
        by_fd = {client.socket.fileno(): client for client in self.clients}
        for fd in by_fd:
            poll.register(fd, select.EPOLLIN)
        while self.left > 0:
            for fd, _ in poll.poll(30):
                client = by_fd[fd]
                found = client.read()
                client.socket.sendall(b"".join(
                    answer(id_of(text)) for text in found))
                self.seen[client] += [
                    int(re.search(rb'"n":(\d+)', text)[1]) for text in found]
                self.left -= len(found)


def fan(bench):
    """In a process of its own would be fairer to the subscribers; what counts
    is that nothing is lost or out of order."""
    with Bus(bench) as bus:
        clients = [Client(bus.port) for _ in range(FANS)]
        for client in clients:
            client.ask(subscribe(b"fan"))
        sender, fans = Client(bus.port), Fan(clients)
        fans.start()
        before, begun, answered = bus.cpu_us(), time.perf_counter(), 0
        for n in range(FAN_MESSAGES):
            late = begun + n / FAN_RATE - time.perf_counter()
            if late > 0:
                time.sleep(late)  # the rate, not a wait for something
            sender.socket.sendall(message(n + 1, b"fan", n))
        while answered < FAN_MESSAGES:
            answered += len(sender.read())
        took = time.perf_counter() - begun
        fans.join()
        used = bus.cpu_us() - before
        held_row = holds.row("bus, to many", ("127.0.0.1", bus.port))
        wrong = sum(seen != list(range(FAN_MESSAGES))
                    for seen in fans.seen.values())
    if wrong:
        raise RuntimeError("%d of %d subscribers lost some, or got them in "
                           "another order" % (wrong, FANS))
    yield table.Row("bus, %d messages a second to %d, lasting %d s" %
                    (FAN_RATE, FANS, FAN_MESSAGES // FAN_RATE), "us",
                    [took * 1e6], None, "", table.for_comparison())
    yield table.Row("the same, CPU of a delivery", "us",
                    [used / FAN_MESSAGES / FANS], None, "",
                    table.for_comparison())
    yield held_row


def replay(bench):
    with Bus(bench, "--keep", str(KEPT)) as bus:
        sender, reader = Client(bus.port), Client(bus.port)
        data = b"".join(message(n, b"kept", n) for n in range(1, KEPT + 1))
        writer = threading.Thread(target=sender.socket.sendall, args=(data,))
        writer.start()
        answered = 0
        while answered < KEPT:
            answered += len(sender.read())
        writer.join()
        took = []
        for _ in range(max(3, bench.rounds // 3)):
            end, parts = b'"seq":%d},' % KEPT, [b"", b""]
            begun = time.perf_counter()
            reader.socket.sendall(subscribe(b"kept", b',"after":0'))
            while end not in parts[-2][-64:] + parts[-1]:
                parts.append(reader.some())
            took.append((time.perf_counter() - begun) / KEPT * 1e6)
            found, _ = texts(b"".join(parts))
            numbers = [int(re.search(rb'"seq":(\d+)', text)[1])
                       for text in found[1:]]
            if numbers != list(range(1, KEPT + 1)):
                raise RuntimeError("a replay lost some")
            reader.ask(frame(b'{"jsonrpc":"2.0","id":3,"method":"unsubscribe",'
                             b'"params":{"topic":"kept"}}'))
        held_row = holds.row("bus, a replay", ("127.0.0.1", bus.port))
    yield table.Row("bus, one of %d kept messages replayed" % KEPT, "us", took,
                    None, "", table.at_most("5 us", 5))
    yield held_row


def held(bench):
    """What the rows above do at once, in one bus."""
    with Bus(bench, "--keep", str(KEPT)) as bus:
        pair = Pair(bus)
        clients = [Client(bus.port) for _ in range(1000)]
        for client in clients:
            client.ask(subscribe(b"inbound:chat-*"))
        leaving = clients[:900]
        for client in leaving:
            client.socket.close()
        sender = Client(bus.port)
        data = b"".join(message(n, b"kept", n) for n in range(1, 20001))
        writer = threading.Thread(target=sender.socket.sendall, args=(data,))
        writer.start()
        answered = 0
        while answered < 20000:
            answered += len(sender.read())
        writer.join()
        reader = Client(bus.port)
        reader.socket.sendall(subscribe(b"kept", b',"after":0'))
        reader.read()
        for client in clients[900:]:
            client.socket.close()
        pair.trips(2000)
        said = bus.close()
    found = {}
    for us, by, where in re.findall(
            r"held for (\d+) us at most, by ([a-z ]+), at (\S+)", said):
        found.setdefault(by, []).append((int(us), where))
    if not found:
        raise RuntimeError("configure with --enable-loop-report")
    for by, times in found.items():
        yield table.Row("bus, the loop held, by %s" % by, "us",
                        [us for us, _ in times], None, max(times)[1],
                        table.at_most("5 ms", 5000))
