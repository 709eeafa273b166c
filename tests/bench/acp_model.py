#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""acp_model.py - a model whose answer the prompt chooses, in a process of its
own: who measures has another.

It prints "port N". A prompt that ends with one of these words gets

    quick     an answer at once
    drip      one that comes slowly, in many parts
    steps     a step that prints now and then
    flood     a step that prints as fast as it can

and what follows the results of a step is an answer at once.
"""

import asyncio
import json
import sys

PART_S = 0.1
PARTS = 100
STEPS = {
    "steps": "for i in $(seq 100); do echo \"line $i\"; sleep 0.1; done",
    "flood": "head -c 100000000 /dev/zero | tr '\\0' 'x' | fold -w 100",
}
DONE = {"kind": "answer_only", "summary": "Done."}


def event(text, finish=None):
    return b"data: %s\n\n" % json.dumps({"choices": [{
        "index": 0, "delta": {"content": text},
        "finish_reason": finish}]}).encode()


def action(word):
    if word not in STEPS:
        return json.dumps(DONE)
    return json.dumps({
        "kind": "command_sequence", "summary": "A plan",
        "steps": [{"id": "1", "description": "It prints",
                   "shell_command": STEPS[word]}]})


async def answer(writer, word):
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
                 b"Connection: close\r\n\r\n")
    if word == "drip":
        writer.write(event('{"kind":"answer_only","summary":"'))
        for _ in range(PARTS):
            writer.write(event("a part of it "))
            await writer.drain()
            await asyncio.sleep(PART_S)
        writer.write(event('"}', "stop"))
    else:
        writer.write(event(action(word), "stop"))
    writer.write(b'data: {"choices":[],"usage":{"prompt_tokens":9,'
                 b'"completion_tokens":9}}\n\ndata: [DONE]\n\n')
    await writer.drain()


def word_of(body):
    """The last word of the last message that a person wrote."""
    said = json.loads(body)["messages"][-1]["content"]
    if not isinstance(said, str):
        said = said[-1]["text"]
    return said.split()[-1] if said.split() else ""


async def serve(reader, writer):
    try:
        head = await reader.readuntil(b"\r\n\r\n")
        length = next(int(line.split(b":")[1]) for line in head.split(b"\r\n")
                      if line.lower().startswith(b"content-length:"))
        if b"100-continue" in head:
            writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        await answer(writer, word_of(await reader.readexactly(length)))
    except (ConnectionError, asyncio.IncompleteReadError):
        pass  # the turn was cancelled
    finally:
        writer.close()


async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", 0, limit=1 << 25)
    print("port", server.sockets[0].getsockname()[1], flush=True)
    # who started this closes its standard input
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    server.close()


if __name__ == "__main__":
    asyncio.run(main())
