# SPDX-License-Identifier: GPL-3.0-or-later
"""server.py - answers every question with a random value of its schema.

Speaks for the services of services.py: on loopback for those that people run
themselves, and as a proxy to which TLS for a service's own name leads, so
that a client can be tried with the address that it has built in. Nothing
leaves this machine.
"""

import dataclasses
import json
import random
import threading

from fault.answer import Answer, Call
from fault.exchange import Exchange
from fault.http1 import Connection, Gone
from fault.server import Server
from fault.wire import dumps

from .sampler import Sampler, Unsupported
from .services import service_of
from .wires import WIRES

CALLS = 0.3   # of the questions that offer functions: one is called
ROUNDS = 3    # calls in one question after which none is made any more
LETTERS = 4   # of a request for one token
CHUNK = 60    # most bytes of a piece of a stream
MANY = 20     # pieces of a stream after which they are longer


class Counted(Answer):
    """An answer that counts the tokens of its prompt, as a client may check
    that none of it was cut."""
    tokens_in = 0

    def usage(self):
        return self.tokens_in, super().usage()[1]


@dataclasses.dataclass
class Told:
    """One answer that was sent."""
    service: str
    kind: str          # "schema", "forced", "call", "prose" or "refused"
    text: str
    cut: bool = False
    tool_object: bool = False  # the union's {tool, args}


def called_by(value):
    """Whether a value is a call that is written as the union has it."""
    return isinstance(value, dict) and "tool" in value and "kind" not in value


def recut(rng, events):
    """The same bytes in pieces of random lengths."""
    data = b"".join(events)
    out, at = [], 0
    while at < len(data):
        n = rng.randint(1, CHUNK if len(out) < MANY else 40 * CHUNK)
        out.append(data[at:at + n])
        at += n
    return out


class SchemaServer(Server):
    """seed: the same seed and the same questions give the same answers.
    lively and broken are Sampler's; cut is the share of answers that end at
    the token limit."""

    def __init__(self, seed=1, lively=True, broken=False, cut=0.0, tls=None):
        self.rng = random.Random(seed)
        self.lively, self.broken, self.cut = lively, broken, cut
        self.told = []
        self.own_tls = tls
        self.draw = threading.Lock()
        super().__init__(proxy="open")

    def serve(self, sock, name):
        """Loopback as its parent does; by proxy a service of that name."""
        if name != "proxy" or not self.own_tls:
            super().serve(sock, name)
            return
        with self.lock:
            self.open_sockets.add(sock)
        try:
            self.serve_tunnel(sock)
        except (Gone, OSError, ValueError):
            pass
        finally:
            with self.lock:
                self.open_sockets.discard(sock)
            sock.close()

    def serve_tunnel(self, sock):
        conn = Connection(sock)
        request = conn.request()
        if not request or request.method != "CONNECT":
            return
        self.record(request, "proxy")
        conn.head(200, [], reason="Connection established")
        with self.own_tls.wrap_socket(sock, server_side=True) as inner:
            conn = Connection(inner)
            while request := conn.request():
                conn.read_body(request)
                self.answer(conn, request, "main")
                if (request.header("connection") or "").lower() == "close":
                    return

    def answer(self, conn, request, name):
        wire = next((w for w in WIRES if w.matches(request.path)), None)
        x = Exchange(conn, request, wire or WIRES[0], self)
        service = wire and service_of(wire.name, request.header("host"))
        self.record(request, name, wire and wire.name,
                    service and service.name)
        if not service or request.method != "POST" or name != "main":
            self.look_up(x, request)
            return
        with self.draw:
            rng = random.Random(self.rng.random())
        try:
            self.reply(x, service, rng)
        except Unsupported as why:
            self.refuse(x, service, str(why))

    def tell(self, *args, **fields):
        with self.lock:
            self.told.append(Told(*args, **fields))

    def refuse(self, x, service, why):
        """The service's own status and error."""
        self.tell(service.name, "refused", why)
        value = x.wire.error("bad", why)
        if x.wire.name in ("openai", "responses"):
            value["error"].update(
                param="response_format" if x.wire.name == "openai"
                else "text.format.schema", code="invalid_json_schema")
        x.fail("bad", why, value=value)

    def complaint(self, x, service):
        """Why the service would refuse the request."""
        schema = x.wire.schema(x.request)
        tools = x.wire.tool_schemas(x.request)
        if schema is not None and tools and service.beside == "refused":
            return service.words
        if schema is not None and (x.wire.is_strict(x.request)
                                   or service.rule.__name__ != "openai"):
            why = service.rule(schema)
            if why:
                return why
        return x.wire.complaint(x.request)

    def reply(self, x, service, rng):
        why = self.complaint(x, service)
        if why:
            self.refuse(x, service, why)
            return
        sampler = Sampler(rng, self.lively, self.broken,
                          service.required_first)
        schema = x.wire.schema(x.request)
        tools = x.wire.tool_schemas(x.request)
        if schema is not None and tools:
            schema, tools = (None if service.beside == "tools" else schema,
                             {} if service.beside == "schema" else tools)
        looks = [name for name in x.wire.offered(x.request) if name in tools]
        if x.wire.forced_tool(x.request) and tools:
            self.say_sample(x, service, sampler, "forced", tools["answer"])
        elif looks and len(x.wire.rounds(x.request)) < ROUNDS \
                and rng.random() < CALLS:
            self.call(x, service, sampler, rng.choice(looks), tools)
        elif schema is not None:
            self.say_sample(x, service, sampler, "schema",
                            service.seen(schema))
        else:
            self.say(x, sampler, Told(service.name, "prose",
                                      sampler.prose()))

    def call(self, x, service, sampler, name, tools):
        """A call of a function that was offered."""
        args = dumps(sampler.sample(tools[name]))
        self.tell(service.name, "call", args)
        answer = Counted("", finish="tool", pieces=sampler.rng.randint(1, 40),
                         calls=(Call(name, args, "call_a"),))
        self.send(x, answer, sampler.rng)

    def say_sample(self, x, service, sampler, kind, schema):
        text = sampler.text(schema)
        self.say(x, sampler, Told(service.name, kind, text))

    def say(self, x, sampler, told):
        """Sends a text, whole or cut by the token limit."""
        rng = sampler.rng
        answer = Counted(told.text, pieces=rng.randint(1, 40))
        if rng.random() < self.cut and len(told.text) > 1:
            told.cut = True
            answer.finish = "length"
            answer.text = told.text[:rng.randint(1, len(told.text) - 1)]
            answer.tokens_out = x.max_tokens()
        if told.kind != "prose":
            told.tool_object = called_by(json.loads(told.text))
        with self.lock:
            self.told.append(told)
        self.send(x, answer, rng)

    def send(self, x, answer, rng):
        answer.tokens_in = len(x.request.body) // LETTERS
        x.say(answer, lambda events: recut(rng, events))
