#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_hostile_messages.py - lines that no editor sends are answered as the
protocol says, and harm nothing."""

import json

from hostile import (SANITIZED, Talk, act, is_well, pour, resident, run_all,
                     say, step)

METHODS = {
    "initialize": {"protocolVersion": 1},
    "authenticate": {"methodId": "agent"},
    "logout": {},
    "session/new": {"cwd": "/", "mcpServers": [],
                    "additionalDirectories": []},
    "session/load": {"sessionId": "x", "cwd": "/", "mcpServers": []},
    "session/resume": {"sessionId": "x", "cwd": "/", "mcpServers": []},
    "session/list": {"cwd": "/", "cursor": "x"},
    "session/close": {"sessionId": "x"},
    "session/delete": {"sessionId": "x"},
    "session/set_mode": {"sessionId": "x", "modeId": "ask"},
    "session/set_config_option": {"sessionId": "x", "configId": "mode",
                                  "value": "ask"},
    "session/prompt": {"sessionId": "x", "prompt": []},
}
WRONG = [None, True, 0, -1, 1.5, 2 ** 64, "", "text", "\0", "a\0b", [], [1],
         {}, {"a": {"b": []}}, [[[]]], "/" * 70000]


class Wire(Talk):
    """An editor that sends lines, and looks at the next answer."""

    def __init__(self, *answers, initialize=True):
        super().__init__(*answers)
        self.initialize = initialize
        self.errors = []
        self.editor.take = self.take

    def __enter__(self):
        if self.initialize:
            self.ask(b'{"jsonrpc":"2.0","id":"i","method":"initialize",'
                     b'"params":{"protocolVersion":1}}')
        return self

    def take(self, message):
        if "method" in message:
            type(self.editor).take(self.editor, message)
        else:
            self.errors.append(message)

    def ask(self, line):
        """The code that a line is answered with (0: a result), and the id."""
        if not isinstance(line, bytes):
            line = json.dumps(line).encode()
        seen = len(self.errors)
        self.editor.send(line + b"\n")
        self.editor.until(lambda: len(self.errors) > seen)
        message = self.errors[-1] if len(self.errors) > seen else {}
        code = message.get("error", {}).get("code", 0 if "result" in message
                                            else None)
        return code, message.get("id", "missing")

    def call(self, method, params, ident=7):
        return self.ask({"jsonrpc": "2.0", "id": ident, "method": method,
                         "params": params})


def request(ident, rest=b'"method":"session/list"'):
    return b'{"jsonrpc":"2.0","id":' + ident + b"," + rest + b"}"


def lines_that_are_wrong(t):
    deep = b"[" * 600 + b"]" * 600
    rows = (
        (b"{", (-32700, None)),
        (b"nonsense", (-32700, None)),
        (b"\xff\xfe", (-32700, None)),
        (b'{"jsonrpc":"2.0","id":1,"method":"\xc3\x28"}', (-32700, None)),
        (b'{"jsonrpc":"2.0","id":1,"method":"\\ud800"}', (-32700, None)),
        (request(b"1", b'"method":"x","params":' + deep), (-32700, None)),
        (b"[]", (-32600, None)),
        (b"[" + request(b"1") + b"]", (-32600, None)),
        (b"5", (-32600, None)), (b'"x"', (-32600, None)),
        (b"null", (-32600, None)), (b"{}", (-32600, None)),
        (b'{"id":3,"method":"session/list"}', (-32600, 3)),
        (b'{"jsonrpc":"1.0","id":3,"method":"session/list"}', (-32600, 3)),
        (b'{"jsonrpc":2.0,"id":3,"method":"session/list"}', (-32600, 3)),
        (b'{"jsonrpc":"2.0","id":3,"method":5}', (-32600, 3)),
        (b'{"jsonrpc":"2.0","id":3,"method":"a\\u0000b"}', (-32600, 3)),
        (b'{"jsonrpc":"2.0","id":3,"method":"x","result":1}', (-32600, 3)),
        (request(b"3", b'"method":"session/list","params":5'), (-32602, 3)),
        (request(b"3", b'"method":"session/list","params":null'),
         (-32602, 3)),
        (request(b"3", b'"method":"no/such","params":5'), (-32601, 3)),
        (request(b"3", b'"method":"session/cancel"'), (-32601, 3)),
        (request(b"3", b'"method":"Session/List"'), (-32601, 3)),
        (request(b"3", b'"method":"_private/thing"'), (-32601, 3)),
        (request(b"3", b'"method":"fs/read_text_file"'), (-32601, 3)),
        (request(b"3", b'"method":"session/list","method":"logout"'),
         (-32600, None)),
        (request(b"3", b'"id":3,"method":"session/list"'), (-32600, None)),
        (request(b"3", b'"method":"session/list","params":{"cwd":"/",'
                       b'"cwd":"/"}'), (-32600, None)),
    )
    with Wire() as talk:
        for line, wanted in rows:
            t.is_(talk.ask(line), wanted, "%r" % line[:60])
        for line in (b"", b"  ", b"\r", b"\t \r"):
            talk.editor.send(line + b"\n")
        t.is_(talk.ask(request(b'"after"') + b"\r"), (0, "after"),
              "blank lines are skipped, and CR LF ends a line")


def ids(t):
    good = (b"0", b"-5", b"18446744073709551615", b'""', b'"\\u00e9"',
            b'"a\\u0000b"', b"123456789012345678901234567890", b'"%s"' %
            (b"x" * 4000))
    bad = (b"null", b"1.5", b"1e3", b"1.0", b"true", b"[]", b"{}", b"[1]",
           b'"%s"' % (b"x" * 5000))
    with Wire() as talk:
        raw = []
        talk.editor.take = lambda m: raw.append(m)
        for ident in good:
            seen = len(raw)
            talk.editor.send(request(ident) + b"\n")
            talk.editor.until(lambda: len(raw) > seen)
            t.is_((raw[-1].get("id"), "result" in raw[-1]),
                  (json.loads(ident), True), "the id %r" % ident[:40])
        for ident in bad:
            seen = len(raw)
            talk.editor.send(request(ident) + b"\n")
            talk.editor.until(lambda: len(raw) > seen)
            t.is_((raw[-1].get("id"), raw[-1].get("error", {}).get("code")),
                  (None, -32600), "no id: %r" % ident[:40])


def answers_that_nobody_asked_for(t):
    with Wire() as talk:
        for line in (b'{"jsonrpc":"2.0","id":1,"result":{}}',
                     b'{"jsonrpc":"2.0","id":"x","result":null}',
                     b'{"jsonrpc":"2.0","id":99999999999999999999,'
                     b'"result":{}}',
                     b'{"jsonrpc":"2.0","id":null,"error":{"code":-32700,'
                     b'"message":"no"}}'):
            talk.editor.send(line + b"\n")
        t.is_(talk.ask(request(b"5")), (0, 5), "they change nothing")


def every_type_everywhere(t):
    with Wire(say("Hello.")) as talk:
        talk.call("session/new", {"cwd": "/", "mcpServers": []})
        real = talk.errors[-1]["result"]["sessionId"]
        odd = []
        for method, params in METHODS.items():
            for given in WRONG:
                code, ident = talk.call(method, given)
                if code is None or code > 0 or ident != 7:
                    odd.append((method, given, code, ident))
            for name in params:
                for given in WRONG:
                    whole = {**params, name: given}
                    if name != "sessionId" and "sessionId" in whole:
                        whole["sessionId"] = real
                    if method in ("session/close", "session/delete"):
                        whole.pop(name)
                    code, ident = talk.call(method, whole)
                    if code is None or ident != 7 or code in (-32700, -32603):
                        odd.append((method, name, given, code, ident))
                    if method == "logout" and code == 0:
                        talk.call("authenticate", {})
            talk.call("authenticate", {})
        t.is_([str(o)[:300] for o in odd], [],
              "params of every type have an answer")
        code, _ = talk.call("session/list", {})
        t.is_(code, 0, "and the agent is well")


def what_must_be_refused(t):
    """Values of the wrong type are errors, not something else."""
    block = {"type": "text", "text": "hello"}
    rows = (
        ("initialize", {}), ("initialize", {"protocolVersion": None}),
        ("initialize", {"protocolVersion": 1.5}),
        ("initialize", {"protocolVersion": True}),
        ("initialize", {"protocolVersion": []}),
    )
    with Wire(initialize=False) as talk:
        for method, params in rows:
            t.is_(talk.call(method, params)[0], -32602, "%s %s" % (
                method, json.dumps(params)))
    for version in (0, 2, -1, 65536, 2 ** 64):
        with Wire(initialize=False) as talk:
            t.is_(talk.call("initialize", {"protocolVersion": version})[0], 0,
                  "the version %d is no error" % version)
            t.is_(talk.errors[-1]["result"]["protocolVersion"], 1,
                  "and is answered by ours")
    with Wire(say("Hello.")) as talk:
        talk.call("session/new", {"cwd": "/", "mcpServers": []})
        real = talk.errors[-1]["result"]["sessionId"]
        new = {"cwd": "/", "mcpServers": []}
        server = {"name": "x", "command": "/bin/true", "args": [], "env": []}
        cases = [("session/new", {**new, "cwd": v})
                 for v in (None, 5, [], {}, "", "relative", "/a\0b")]
        cases += [("session/new", {**new, "additionalDirectories": v})
                  for v in (5, "/", {}, {"a": "/"}, [5], ["relative"], [None],
                            ["/a\0b"], [["/"]])]
        cases += [("session/new", {**new, "mcpServers": v})
                  for v in (5, "x", {}, {"a": server}, [5], [[]], [None])]
        cases += [("session/new", {**new, "mcpServers": [{**server, **v}]})
                  for v in ({"name": 5}, {"name": ""}, {"name": "a\0b"},
                            {"command": 5}, {"command": "a\0b"},
                            {"args": {"a": "b"}}, {"args": "x"}, {"args": 5},
                            {"args": [5]}, {"args": ["a\0b"]},
                            {"env": {"A": "b"}}, {"env": 5}, {"env": "x"},
                            {"env": [5]}, {"env": [{"name": "A"}]},
                            {"type": "http"}, {"type": "http", "url": 5},
                            {"type": "http", "url": "http://localhost:1/",
                             "headers": {"A": "b"}}, {"type": "x"})]
        cases += [("session/prompt", {"sessionId": real, "prompt": v})
                  for v in (None, 5, "x", {}, {"a": block}, [5], [[]], [None],
                            [{}], [{"type": 5}], [{"type": "x"}],
                            [{"type": "text"}], [{"type": "text", "text": 5}],
                            [{"type": "text", "text": "a\0b"}],
                            [{"type": "image", "data": "", "mimeType": "x"}],
                            [{"type": "resource", "resource": 5}],
                            [{"type": "resource_link", "uri": 5}])]
        cases += [(m, {"sessionId": v}) for m in (
            "session/close", "session/delete", "session/load",
            "session/resume", "session/prompt", "session/set_mode",
            "session/set_config_option") for v in (
                None, 5, [], {}, "", "x" * 100000, "a\0b", real + "\0")]
        cases += [("session/set_mode", {"sessionId": real, "modeId": v})
                  for v in (None, 5, [], "", "yolo", "ask\0")]
        cases += [("session/set_config_option", {
            "sessionId": real, "configId": c, "value": v}) for c, v in (
                ("mode", 5), ("mode", True), (5, "ask"), ("", "ask"),
                ("rounds", 8), ("rounds", "88"), ("model", "x" * 100000))]
        cases += [("session/list", {"cwd": "/", "cursor": "x" * 100000}),
                  ("session/list", {"cursor": 5}), ("session/list",
                                                    {"cwd": 5})]
        for method, params in cases:
            code = talk.call(method, params)[0]
            t.is_(code, -32602, "%s %s" % (method, json.dumps(params)[:90]))
        t.is_(talk.call("session/prompt", {"sessionId": real, "prompt": [
            block]})[0], 0, "the session has taken no harm")


def long_lines(t):
    filler = b'"method":"session/list","params":{"x":"'
    limit = 16 << 20
    with Wire() as talk:
        head = request(b"1", filler)[:-1]
        line = head + b"y" * (limit - len(head) - 3) + b'"}}'
        for what, data, wanted in (
                ("16 MiB", line, (0, 1)),
                ("one byte more", line[:-3] + b'y"}}', (-32600, None)),
                ("64 MiB", b"x" * (4 * limit), (-32600, None))):
            seen = len(talk.errors)
            pour(talk.editor, data + b"\n")
            talk.editor.until(lambda: len(talk.errors) > seen, 60)
            last = talk.errors[-1]
            t.is_((last.get("error", {}).get("code", 0), last["id"]), wanted,
                  "a line of %s" % what)
        t.ok(resident(talk.editor.child.pid) < (700 if SANITIZED else 120)
             << 20, "leave little behind", resident(talk.editor.child.pid))
        t.is_(talk.ask(request(b"2")), (0, 2), "the next line is read")


def long_prompts(t):
    """Prompts at and over their bound."""
    with Wire(say("Hello.")) as talk:
        talk.call("session/new", {"cwd": "/", "mcpServers": []})
        real = talk.errors[-1]["result"]["sessionId"]
        for kind in ("text", "resource"):
            for size in (1000, (1 << 20) - 200, (1 << 20) - 1, 1 << 20,
                         (1 << 20) + 1, 9 << 20):
                text = "x" * size
                block = {"type": "text", "text": text}
                if kind == "resource":
                    block = {"type": "resource", "resource": {
                        "uri": "file:///x", "text": text}}
                code, ident = talk.call("session/prompt", {
                    "sessionId": real, "prompt": [block]})
                t.ok(ident == 7 and code in (0, -32602, -32603),
                     "a prompt with %d bytes of %s: %s" % (size, kind, code),
                     json.dumps(talk.errors[-1])[:300])
        t.is_(talk.call("session/prompt", {"sessionId": real, "prompt": [
            {"type": "text", "text": "x"}]})[0], 0, "the session goes on")


def before_initialize(t):
    with Wire(initialize=False) as talk:
        for method, params in METHODS.items():
            if method != "initialize":
                t.is_(talk.call(method, params), (-32600, 7),
                      "%s before initialize" % method)
        t.is_(talk.call("no/such", {}), (-32601, 7), "an unknown method too")
        talk.editor.notify("session/cancel", {"sessionId": "x"})
        t.is_(talk.call("initialize", {"protocolVersion": {}})[0], -32602,
              "initialize that is wrong changes nothing")
        t.is_(talk.call("session/list", {})[0], -32600, "so it is still "
                                                        "missing")
        t.is_(talk.call("initialize", {"protocolVersion": 1})[0], 0,
              "a good one is taken")
        t.is_(talk.call("initialize", {"protocolVersion": "1.0"})[0], -32600,
              "a second one is not")
        t.is_(talk.call("session/list", {})[0], 0, "and changes nothing")


def the_older_dialect(t):
    with Wire(say("Hello."), initialize=False) as talk:
        t.is_(talk.call("initialize", {"protocolVersion": ""})[0], 0,
              "a string is the older dialect")
        for method in METHODS:
            if method in ("authenticate", "logout", "session/list",
                          "session/resume", "session/close",
                          "session/delete"):
                t.is_(talk.call(method, {})[0], -32601,
                      "%s is not of it" % method)
        for wrong in WRONG:
            code = talk.call("session/prompt", {"message": wrong})[0]
            good = isinstance(wrong, str) and "\0" not in wrong
            t.is_(code, 0 if good else -32602, "the message %r" % (
                str(wrong)[:30]))
            if good:
                talk.editor.until(lambda: any(
                    u.get("type") == "complete" for u in talk.editor.updates))
                talk.editor.updates.clear()
        for wrong in (None, 5, "", "x", [], "a\0b"):
            t.is_(talk.call("session/prompt", {
                "message": "x", "sessionId": wrong})[0], -32602,
                "the session %r" % (wrong,))
            talk.editor.notify("session/cancel", {"sessionId": wrong})
        t.is_(talk.call("session/load", {"sessionId": "x" * 40})[0], -32602,
              "a session that is not there")


def a_cancel_in_the_older_dialect(t):
    with Wire(act(step(1, "echo ready; sleep 1000")),
              initialize=False) as talk:
        talk.call("initialize", {"protocolVersion": "1.0"})
        talk.call("session/new", {})
        made = {"sessionId": talk.errors[-1]["result"]["sessionId"]}
        t.is_(talk.call("session/prompt", {"message": "do it", **made})[0], 0,
              "a turn begins")
        t.ok(talk.editor.until(lambda: "ready" in json.dumps(
            talk.editor.updates)), "its step runs")
        talk.editor.notify("session/cancel", dict(made, reason="enough"))
        t.ok(talk.editor.until(lambda: any(
            u.get("type") == "complete" for u in talk.editor.updates)),
            "a cancel ends it")
        calls = [u["data"]["status"] for u in talk.editor.updates
                 if u.get("type") == "toolCall"]
        t.is_(calls, ["running", "failed"], "and its step has an end",
              json.dumps(talk.editor.updates))


if __name__ == "__main__":
    run_all(lines_that_are_wrong, ids, answers_that_nobody_asked_for,
            every_type_everywhere, what_must_be_refused, long_lines,
            long_prompts, before_initialize, the_older_dialect,
            a_cancel_in_the_older_dialect)
