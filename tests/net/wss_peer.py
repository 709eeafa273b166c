#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""wss_peer.py - agentsh bus by TLS, with python3-websockets.

    wss_peer.py URL CA-FILE

Prints how long round trips take, in ms, as JSON: alone, and while others keep
the bus busy."""

import asyncio
import json
import ssl
import sys
import time

import websockets

ROUNDS = 300
OTHERS = 6
MESSAGE = "x" * 20000


async def ask(ws, method, **params):
    await ws.send(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method,
                              "params": params}))
    return json.loads(await ws.recv())["result"]


async def rounds(ws):
    took = []
    for _ in range(ROUNDS):
        begin = time.monotonic()
        await ask(ws, "ping")
        took.append(1000 * (time.monotonic() - begin))
    return sorted(took)


async def keep_busy(url, context, name):
    """A large message after another one, to nobody."""
    async with websockets.connect(url, ssl=context) as ws:
        await ask(ws, "initialize", clientId=name)
        while True:
            await ask(ws, "sendMessage", topic="load:" + name,
                      payload={"text": MESSAGE})


async def main(url, authority):
    context = ssl.create_default_context(cafile=authority)
    async with websockets.connect(url, ssl=context) as ws:
        await ask(ws, "initialize", clientId="measured")
        alone = await rounds(ws)
        others = [asyncio.create_task(keep_busy(url, context, "other%d" % i))
                  for i in range(OTHERS)]
        loaded = await rounds(ws)
        for task in others:
            if task.done():
                task.result()
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        await ws.close()
        closed = ws.close_code
    print(json.dumps({"alone": alone, "loaded": loaded, "closed": closed}))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
