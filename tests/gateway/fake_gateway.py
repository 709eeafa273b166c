# SPDX-License-Identifier: GPL-3.0-or-later
"""fake_gateway.py - a fake of the gateway: as much of its /ws as the page asks
for, with tasks and events that a test makes up, lost and repeated ones too.

    FakeGateway(page) serves it; run by hand it shows an example at a port."""

import base64
import copy
import hashlib
import http.server
import json
import os
import socket
import struct
import sys
import threading
import time

MAGIC = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"


def now(ago=0):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - ago))


def joined(folder):
    """The page as tools/page.sh joins it, and the policy that it is sent with."""
    def read(name):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            return file.read().rstrip("\n")
    style = read("page.css")
    script = '"use strict";\n(() => {\n' + "".join(
        read("page_%s.js" % name) + "\n" for name in
        ("text", "link", "task", "view", "board", "main")) + "})();"
    digest = [base64.b64encode(hashlib.sha256(part.encode()).digest()).decode()
              for part in (script, style)]
    policy = ("default-src 'none'; script-src 'sha256-%s'; style-src "
              "'sha256-%s'; img-src data:; connect-src 'self'; form-action "
              "'self'; base-uri 'none'; frame-ancestors 'none'; "
              "require-trusted-types-for 'script'; trusted-types 'none'"
              % tuple(digest))
    page = read("index.html").replace("@STYLE@", style)
    return page.replace("@SCRIPT@", script).encode(), policy


class Watcher:
    """One WebSocket of a page."""

    def __init__(self, sock):
        self.sock = sock
        self.lock = threading.Lock()
        self.tasks = set()
        self.silent = False

    def send(self, message):
        if self.silent:
            return
        data = json.dumps(message).encode()
        head = b"\x81" + (bytes([len(data)]) if len(data) < 126 else
                          struct.pack(">BH", 126, len(data))
                          if len(data) < 65536 else
                          struct.pack(">BQ", 127, len(data)))
        try:
            with self.lock:
                self.sock.sendall(head + data)
        except OSError:
            pass

    def read(self, n):
        data = b""
        while len(data) < n:
            more = self.sock.recv(n - len(data))
            if not more:
                raise OSError("gone")
            data += more
        return data

    def messages(self):
        while True:
            first, size = self.read(2)
            size &= 127
            if size == 126:
                size = struct.unpack(">H", self.read(2))[0]
            elif size == 127:
                size = struct.unpack(">Q", self.read(8))[0]
            mask = self.read(4)
            data = bytes(b ^ mask[i % 4]
                         for i, b in enumerate(self.read(size)))
            if first & 15 == 8:
                return
            if first & 15 == 1:
                yield json.loads(data)


class FakeGateway:
    def __init__(self, page, token=None, port=0):
        self.folder, self.token = page, token
        self.tasks, self.events, self.prompts = {}, {}, {}
        self.asks, self.refs, self.calls, self.watchers = {}, {}, [], []
        self.n = 0
        self.lock = threading.RLock()
        self.refuses = {}     # action -> error code
        self.drops = set()    # (task id, seq) that is not sent live
        self.kinds = True     # whether it knows the kinds of a subscription
        self.serve(port)

    # ---- what a test makes up

    def task(self, title, state="created", **more):
        with self.lock:
            self.n += 1
            task = {"id": "task-%d" % self.n, "title": title, "state": state,
                    "description": "", "agent_type": "agentsh", "priority": 1,
                    "metadata": {}, "created_at": now(), "updated_at": now(),
                    "last_seq": 0, "prompts": 0, "waiting": 0, "attempts": 1,
                    "limits": {}, "usage": {"turns": 0, "minutes": 0,
                                            "tokens_in": 0, "tokens_out": 0,
                                            "cost": 0}, **more}
            self.tasks[task["id"]] = task
            self.events[task["id"]], self.prompts[task["id"]] = [], []
            self.event(task["id"], "task.created", self.brief(task))
            return task["id"]

    @staticmethod
    def brief(task):
        return {k: v for k, v in task.items()
                if k not in ("description", "metadata")}

    def change(self, id_, **what):
        with self.lock:
            self.tasks[id_].update(what, updated_at=now())
            self.event(id_, "task.updated", self.brief(self.tasks[id_]))

    def event(self, id_, action, data):
        with self.lock:
            seq = len(self.events[id_]) + 1
            payload = {"task_id": id_, "type": action.split(".")[1],
                       "data": copy.deepcopy(data), "seq": seq, "n": seq,
                       "timestamp": now()}
            self.events[id_].append((action, payload))
            self.tasks[id_]["last_seq"] = seq
            if (id_, seq) in self.drops:
                return
            for w in list(self.watchers):
                if id_ in w.tasks or ("*" in w.tasks and (
                        not self.kinds or
                        action.startswith(("task.", "acp.perm")))):
                    self.notify(w, action, payload)

    @staticmethod
    def notify(watcher, action, payload):
        watcher.send({"id": "n", "type": "notification", "action": action,
                      "payload": payload, "timestamp": now()})

    def ask(self, id_, request_id, title, options=None, **more):
        with self.lock:
            data = {"request_id": request_id, "title": title, **more,
                    "options": options or [
                        {"optionId": "yes", "name": "Allow", "kind": "allow_once"},
                        {"optionId": "always", "name": "Always allow",
                         "kind": "allow_always"},
                        {"optionId": "no", "name": "Reject",
                         "kind": "reject_once"}]}
            self.asks[id_, request_id] = {"task_id": id_, "seq": 0, **data}
            self.event(id_, "acp.permission", data)

    # ---- its actions

    def act(self, w, action, p):
        id_ = p.get("task_id") or p.get("id")
        if action in self.refuses:
            return self.refuses[action]
        if action == "health.check":
            return {"status": "ok", "version": "fake"}
        if action == "task.list":
            text = p.get("text", "").lower()
            found = [self.brief(t) for t in self.tasks.values()
                     if text in str((t["title"], t["description"])).lower()]
            return {"tasks": found[::-1], "total": len(found)}
        if action == "permission.list":
            return {"permissions": list(self.asks.values())}
        if action == "orchestrator.status":
            return {"running": True, "active_agents": 2, "idle_agents": 1,
                    "queued_tasks": 2, "max_concurrent": 5}
        if action == "usage":
            return {"total": {"tasks": self.n, "turns": 61, "minutes": 90,
                              "tokens_in": 1204000, "tokens_out": 61000,
                              "cost": 12.5}}
        if action == "agent.list":
            return {"agents": [{"id": "agentsh", "name": "agentsh",
                                "enabled": True}, {
                "id": "other", "name": "Another <b>agent</b>",
                "enabled": True, "available": False}]}
        if action == "task.create":
            if p.get("client_ref") in self.refs:
                return self.tasks[self.refs[p["client_ref"]]]
            id_ = self.task(p["title"], description=p.get("description", ""),
                            metadata=p.get("metadata", {}),
                            agent_type=p.get("agent_type", "agentsh"))
            self.refs[p.get("client_ref")] = id_
            return self.tasks[id_]
        if action == "task.subscribe" and id_ == "*":
            w.tasks.add("*")
            return {"success": True}
        if id_ not in self.tasks:
            return "NOT_FOUND"
        return self.act_on(w, action, p, id_)

    def act_on(self, w, action, p, id_):
        if action == "task.get":
            return self.tasks[id_]
        if action == "task.unsubscribe":
            w.tasks.discard(id_)
        elif action == "task.events":
            before = p.get("before", 1 << 60)
            kept = [dict(e, action=a) for a, e in self.events[id_]
                    if e["seq"] < before]
            return {"events": kept[-p.get("limit", 100):]}
        elif action == "task.diff":
            return {"diff": self.tasks[id_]["metadata"].get("diff", ""),
                    "directory": self.tasks[id_]["working_tree"]}
        elif action == "prompt.list":
            return {"prompts": self.prompts[id_]}
        elif action == "prompt.remove":
            self.prompts[id_] = [q for q in self.prompts[id_]
                                 if q["prompt_id"] != p["prompt_id"]]
            self.change(id_, prompts=len(self.prompts[id_]))
        elif action == "orchestrator.prompt":
            if p.get("client_ref") in self.refs:
                return {"success": True, "queued": False}
            self.refs[p.get("client_ref")] = id_
            if self.tasks[id_]["state"] == "running":
                self.n += 1
                self.prompts[id_].append({"prompt_id": "p%d" % self.n,
                                          "prompt": p["prompt"],
                                          "created_at": now()})
                self.change(id_, prompts=len(self.prompts[id_]))
                return {"success": True, "queued": True}
            self.change(id_, state="running")
            self.event(id_, "acp.prompt", {"prompt": p["prompt"]})
        elif action == "orchestrator.trigger":
            self.change(id_, state="queued")
        elif action == "orchestrator.stop":
            self.change(id_, state="cancelled")
        elif action == "orchestrator.complete":
            self.change(id_, state="completed")
        elif action == "task.respond":
            if not self.asks.pop((id_, p["request_id"]), None):
                return "FORBIDDEN"
            self.event(id_, "acp.permissionAnswered",
                       {"request_id": p["request_id"],
                        "option_id": p["option_id"], "by": "page"})
        return {"success": True, "task_id": id_}

    def answer(self, w, message):
        action, p = message["action"], message["payload"]
        with self.lock:
            if action != "health.check":
                self.calls.append((action, p))
            result = self.act(w, action, p)
            wrong = isinstance(result, str)
            w.send({"id": message["id"], "action": action,
                    "type": "error" if wrong else "response",
                    "payload": {"code": result, "message":
                                "refused: " + result} if wrong else result,
                    "timestamp": now()})
            id_ = p.get("task_id")
            if action == "task.subscribe" and id_ in self.tasks:
                w.tasks.add(id_)
                for kind, event in self.events[id_]:
                    if event["seq"] > p.get("after", 0):
                        self.notify(w, kind, event)

    # ---- its port

    def hear(self, sock):
        w = Watcher(sock)
        with self.lock:
            self.watchers.append(w)
        try:
            for message in w.messages():
                self.answer(w, message)
        except OSError:
            pass
        with self.lock:
            self.watchers.remove(w)

    def serve(self, port):
        gateway = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def reply(self, status, body=b"", **fields):
                self.send_response(status)
                for name, value in fields.items():
                    self.send_header(name.replace("_", "-"), value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def logged_in(self):
                return not gateway.token or \
                    "fake=" + gateway.token in self.headers.get("Cookie", "")

            def do_GET(self):
                if self.path == "/":
                    page, policy = joined(gateway.folder)
                    self.reply(200, page, Content_Type="text/html; "
                               "charset=utf-8", Content_Security_Policy=policy)
                elif self.path != "/ws":
                    self.reply(404)
                elif not self.logged_in():
                    self.reply(401)
                else:
                    key = self.headers["Sec-WebSocket-Key"].encode()
                    self.wfile.write(
                        b"HTTP/1.1 101 Switching\r\nUpgrade: websocket\r\n"
                        b"Connection: Upgrade\r\nSec-WebSocket-Accept: " +
                        base64.b64encode(hashlib.sha1(key + MAGIC).digest()) +
                        b"\r\n\r\n")
                    self.close_connection = True
                    gateway.hear(self.connection)

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"] or
                                           0)).decode()
                if self.path == "/logout":
                    self.reply(204, Set_Cookie="fake=; Max-Age=0")
                elif body and body != "token=" + gateway.token:
                    self.reply(401)
                elif body or self.logged_in():
                    self.reply(200, json.dumps(
                        {"token": bool(gateway.token)}).encode(),
                        Set_Cookie="fake=%s; HttpOnly; SameSite=Strict" %
                        gateway.token)
                else:
                    self.reply(401)

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True
            allow_reuse_address = True

        self.server = Server(("127.0.0.1", port), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, args=(0.05,),
                         daemon=True).start()

    def stop(self):
        """Ends as a gateway that is killed; start() has the same tasks."""
        self.server.shutdown()
        self.server.server_close()
        with self.lock:
            for w in self.watchers:
                try:
                    w.sock.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass

    def start(self):
        self.serve(self.port)

    def mute(self, silent=True):
        """Takes everything, and says nothing any more."""
        with self.lock:
            for w in self.watchers:
                w.silent = silent


def example(g):
    """Tasks as a person would have them."""
    a = g.task("Find out why the login test fails on Debian 13", "running",
               description="The job test_login fails since Tuesday, on Debian "
               "13 alone. Find the cause and mend it; do not skip the test.",
               usage={"turns": 3, "minutes": 7, "tokens_in": 48210,
                      "tokens_out": 3120, "cost": 0.42},
               limits={"turns": 20, "cost": 2}, working_tree="/srv/tree-1",
               metadata={"diff": "diff --git a/src/login.c b/src/login.c\n"
                         "--- a/src/login.c\n+++ b/src/login.c\n@@ -40,7 +40,8 "
                         "@@ read_user(struct user *u)\n     const char *name;"
                         "\n \n-    if (u->name[0])\n+    if (u->name && "
                         "u->name[0] != '\\0')\n         return u->name;\n+    "
                         "return NULL;\n }\n"})
    g.event(a, "acp.prompt", {"prompt": "Find out why the login test fails on "
                              "Debian 13, and mend it."})
    g.event(a, "acp.update", {"sessionUpdate": "plan", "entries": [
        {"content": "Read the log of the failed job", "status": "completed"},
        {"content": "Run the test here", "status": "completed"},
        {"content": "Find the cause and mend it", "status": "in_progress"},
        {"content": "Run all tests", "status": "pending"}]})
    g.event(a, "acp.update", {"sessionUpdate": "agent_thought_chunk",
                              "content": {"type": "text", "text":
                                          "The log first, then the test."}})
    for part in ("I read the **log of the job** first", ". It says that ",
                 "`read_user` got a null pointer:\n\n```\nlogin.c:42: read_user"
                 ": Assertion `u->name' failed.\n```\n\nThis is what I look at:"
                 "\n\n- where `u->name` is set\n- who calls `read_user` before "
                 "that\n"):
        g.event(a, "acp.content", {"text": part})
    g.event(a, "acp.toolCall", {
        "sessionUpdate": "tool_call", "toolCallId": "t1", "kind": "execute",
        "title": "make check TESTS=tests/test_login", "status": "in_progress",
        "rawInput": {"command": "make check TESTS=tests/test_login"}})
    g.event(a, "acp.toolCall", {
        "sessionUpdate": "tool_call_update", "toolCallId": "t1",
        "status": "failed", "content": [{"type": "content", "content": {
            "type": "text", "text": "\x1b[1mtests/test_login\x1b[0m\n"
            "\x1b[32mok\x1b[0m 1 - a user logs in\n\x1b[31mnot ok\x1b[0m 2 - "
            "a user without a name is refused\n  50%\r 100%\n1..2\n"}}]})
    g.event(a, "acp.toolCall", {
        "toolCallId": "t2", "kind": "edit", "title": "Edit src/login.c",
        "status": "completed", "content": [{
            "type": "diff", "path": "src/login.c",
            "oldText": "int a;\n    if (u->name[0])\n        return u->name;\n",
            "newText": "int a;\n    if (u->name && u->name[0] != '\\0')\n"
                       "        return u->name;\n    return NULL;\n"}]})
    g.event(a, "acp.content", {"text": "The cause is a check that is missing: "
                               "see https://example.org/bug/4711. Now I run "
                               "all tests."})
    g.ask(a, "q1", "sudo apt-get install -y libcmocka-dev")
    g.prompts[a].append({"prompt_id": "p9", "created_at": now(),
                         "prompt": "Then write an entry for the changelog."})
    g.change(a, prompts=1, waiting=1)
    b = g.task("Move the build to Meson", "idle", usage={
        "turns": 12, "minutes": 41, "tokens_in": 300120, "tokens_out": 18200,
        "cost": 3.1})
    g.event(b, "acp.result", {"success": True, "stop_reason": "end_turn",
                              "summary": "The build works."})
    c = g.task("Free the disk of the build machine", "running")
    g.ask(c, "q2", "rm -rf /var/cache/builds/2024-*")
    g.task("Translate the manual to German", "queued")
    g.task("Answer the open bug reports of this week", "queued")
    g.task("Bench the new parser", "created")
    g.task("Update the certificates", "failed",
           error="the agent ended: exit status 127: certbot: not found")
    g.task("Remove the old sign-up form", "completed")
    g.task("Write the notes of release 2.1", "completed")
    return a, c


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    g = FakeGateway(os.path.join(here, "../../src/server/gateway/page"),
                    port=int(sys.argv[1]) if len(sys.argv) > 1 else 0)
    example(g)
    print("a fake gateway: http://127.0.0.1:%d/" % g.port, flush=True)
    threading.Event().wait()


if __name__ == "__main__":
    main()
