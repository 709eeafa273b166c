# SPDX-License-Identifier: GPL-3.0-or-later
"""fake_agent.py - an agent of the public protocol that does what it is told.

    fake_agent.py [WORD...]

A prompt is one of the words below; each word of the command line changes how
it begins.
"""

import json
import os
import subprocess
import sys
import time

BEGIN = sys.argv[1:]
WAITING = {}


def send(**message):
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def update(name, **more):
    send(method="session/update", params={
        "sessionId": "s1", "update": {"sessionUpdate": name, **more}})


def say(text):
    update("agent_message_chunk", content={"type": "text", "text": text})


def end(ident, reason="end_turn", **more):
    send(id=ident, result={"stopReason": reason, **more})


def read():
    line = sys.stdin.readline()
    if not line:
        sys.exit(0)
    return json.loads(line)


def ask(ident, **more):
    send(id=ident, method="session/request_permission", params={
        "sessionId": "s1",
        "toolCall": {"toolCallId": "c1", "title": "Remove old"},
        "options": [{"optionId": "yes", "name": "Yes", "kind": "allow_once"},
                    {"optionId": "no", "name": "No", "kind": "reject_once"}],
        **more})


def work(ident):
    say("Hel")
    say("lo")
    update("tool_call", toolCallId="c1", title="look", status="pending")
    update("tool_call_update", toolCallId="c1", status="completed")
    update("usage_update", used=77, size=1000,
           cost={"amount": 0.25, "currency": "USD"})
    say("Done.")
    end(ident, usage={"inputTokens": 5, "outputTokens": 6})


def question(ident):
    ask("q-1")
    say("got " + json.dumps(read()["result"], sort_keys=True))
    end(ident)


def take_back(ident):
    ask(17)
    send(method="$/cancel_request", params={"requestId": 17})
    say("got " + json.dumps(read()["result"], sort_keys=True))
    end(ident)


def secret(ident):
    """The secret in one piece, in two, as part of another value, and as what
    is no message."""
    text = os.environ.get("SECRET", "none")
    say("a %s b" % text)
    say("c " + text[:5])
    say(text[5:] + " d")
    say("e " + text[:4])
    update("tool_call", toolCallId="c2", title=text, rawInput={text: [text]})
    print("plain " + text, flush=True)
    print("to stderr " + text, file=sys.stderr, flush=True)
    ask("q-2", toolCall={"toolCallId": "c1", "title": "with " + text})
    read()
    end(ident)


def secret_reason(ident):
    end(ident, os.environ.get("SECRET", "none"))


def obey(ident):
    say("waiting")
    while read().get("method") != "session/cancel":
        pass
    end(ident, "cancelled")


def ask_and_obey(ident):
    ask("q-3")
    answers = [read(), read()]
    say("kinds " + json.dumps(sorted(
        m.get("method", m.get("result", {}).get("outcome", {}).get("outcome"))
        for m in answers)))
    end(ident, "cancelled")


def ignore(_ident):
    say("deaf")
    while True:
        read()


def sleep(_ident):
    subprocess.Popen(["setsid", "sleep", "1000"])
    say("asleep")
    time.sleep(1000)


def crash(_ident):
    say("about to")
    print("it hurts", file=sys.stderr, flush=True)
    os._exit(3)


def fail(ident):
    send(id=ident, error={"code": -32603, "message": "no luck"})


def methods(ident):
    """Requests that the gateway does not have, and what is no request."""
    send(id=5, method="fs/read_text_file", params={"path": "/x"})
    say("code %d" % read()["error"]["code"])
    send(id=6, method="session/request_permission", params={})
    say("code %d" % read()["error"]["code"])
    send(method="x/unknown", params={})
    send(id=99, result={"stopReason": "end_turn"})
    print('{"jsonrpc":"2.0","id":[],"method":"x"}')
    print("[1,2]")
    print('{"a":')
    print("\x00\xff", flush=True)
    update("made_up_update", deep={"a": 1})
    send(method="session/update", params={"neither": 1})
    end(ident)


def flood(ident):
    for number in range(20000):
        say("%d " % number)
    end(ident)


def large(ident):
    update("tool_call", toolCallId="c1", title="x" * (2 << 20))
    end(ident)


def too_large(ident):
    say("x" * (5 << 20))
    end(ident)


def end_too_large(ident):
    """The turn ends, and so does the agent, for the line before."""
    sys.stdout.write("x" * (16 << 20) + "x\n" + json.dumps(
        {"jsonrpc": "2.0", "id": ident, "result": {"stopReason": "end_turn"}})
        + "\n")
    sys.stdout.flush()


def refuse(ident):
    end(ident, "refusal")


def environment(ident):
    say(json.dumps(dict(os.environ)))
    end(ident)


def confined(ident):
    said = {}
    for path in (os.path.expanduser("~/outside"), "inside"):
        try:
            with open(path, "w", encoding="utf-8") as out:
                out.write("x")
            said[os.path.basename(path)] = "written"
        except OSError as why:
            said[os.path.basename(path)] = why.strerror
    say(json.dumps(said))
    end(ident)


def begin(message):
    """Answers what comes before the first prompt."""
    method, ident = message["method"], message["id"]
    if method == "initialize":
        if "mute" in BEGIN:
            return
        if "exit" in BEGIN:
            print("cannot go on", file=sys.stderr, flush=True)
            sys.exit(4)
        version = message["params"]["protocolVersion"]
        if "dialect" in BEGIN and version == 1:
            send(id=ident, error={"code": -32602, "message": "what?"})
        elif "dialect" in BEGIN:
            send(id=ident, result={"protocolVersion": "1.0"})
        else:
            send(id=ident, result={
                "protocolVersion": 2 if "new" in BEGIN else 1,
                "agentCapabilities": {
                    "loadSession": "load" in BEGIN,
                    "sessionCapabilities":
                        {"resume": {}} if "resume" in BEGIN else {}}})
    elif method == "session/new" and "login" in BEGIN:
        send(id=ident, error={"code": -32000, "message": "log in first"})
    elif method == "session/new":
        send(id=ident, result={"sessionId": "s1"})
    elif message["params"]["sessionId"] != "old":
        send(id=ident, error={"code": -32002, "message": "no such session"})
    else:
        say("history")
        send(id=ident, result={"by": method})


def main():
    words = {f.__name__: f for f in (
        work, question, take_back, secret, secret_reason, obey, ask_and_obey,
        ignore, sleep, crash, fail, methods, flood, large, too_large,
        end_too_large, refuse,
        environment, confined)}
    if "child" in BEGIN:
        subprocess.Popen(["setsid", "sleep", "1000"])
    while True:
        message = read()
        if message.get("method") == "session/prompt":
            params = message["params"]
            text = params.get("message") or params["prompt"][0]["text"]
            words[text](message["id"])
        elif "id" in message:
            begin(message)


if __name__ == "__main__":
    main()
