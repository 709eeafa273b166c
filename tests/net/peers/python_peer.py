#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""python_peer.py - the flow of run.py by a library of Python.

    python_peer.py websockets|websocket|aiohttp|tornado bus|gateway URL
"""

import asyncio
import importlib
import json
import struct
import sys

PATIENCE, LONG = 10, 300000


class Websockets:
    """python3-websockets"""

    async def open(self, url):
        self.socket = await self.library.connect(url)

    async def send(self, text):
        await self.socket.send(text)

    async def receive(self):
        return await self.socket.recv()

    async def ping(self):
        await (await self.socket.ping(b"hello"))

    async def close(self):
        await self.socket.close(1000)
        return self.socket.close_code


class Websocket:
    """python3-websocket, which waits for each answer"""

    async def open(self, url):
        self.socket = self.library.create_connection(url, timeout=PATIENCE)

    async def send(self, text):
        self.socket.send(text)

    async def receive(self):
        return self.socket.recv()

    async def ping(self):
        self.socket.ping("hello")
        code, data = self.control_frame()
        assert code == self.library.ABNF.OPCODE_PONG, code
        assert data == b"hello", data

    def control_frame(self):
        """The next one; notifications may come before it."""
        code, data = self.socket.recv_data(control_frame=True)
        while code == self.library.ABNF.OPCODE_TEXT:
            code, data = self.socket.recv_data(control_frame=True)
        return code, data

    async def close(self):
        self.socket.send_close(1000)
        code, data = self.control_frame()
        assert code == self.library.ABNF.OPCODE_CLOSE, code
        return struct.unpack(">H", data[:2])[0]


class Aiohttp:
    """python3-aiohttp"""

    async def open(self, url):
        self.session = self.library.ClientSession()
        self.socket = await self.session.ws_connect(url, autoping=False)

    async def send(self, text):
        await self.socket.send_str(text)

    async def receive(self):
        return await self.socket.receive_str()

    async def ping(self):
        await self.socket.ping(b"hello")
        message = await self.socket.receive()
        while message.type == self.library.WSMsgType.TEXT:
            message = await self.socket.receive()  # of a subscription
        assert message.type == self.library.WSMsgType.PONG, message
        assert message.data == b"hello", message

    async def close(self):
        await self.socket.close(code=1000)
        await self.session.close()
        return self.socket.close_code


class Tornado:
    """python3-tornado"""

    async def open(self, url):
        self.socket = await importlib.import_module(
            "tornado.websocket").websocket_connect(url)

    async def send(self, text):
        await self.socket.write_message(text)

    async def receive(self):
        return await self.socket.read_message()

    async def ping(self):
        came = asyncio.get_running_loop().create_future()
        self.socket.on_pong = came.set_result
        self.socket.ping(b"hello")
        assert await came == b"hello"

    async def close(self):
        self.socket.close(1000)
        while await self.socket.read_message() is not None:
            pass  # a notification
        return self.socket.close_code


LIBRARIES = {"websockets": Websockets, "websocket": Websocket,
             "aiohttp": Aiohttp, "tornado": Tornado}


async def opened(name, url):
    one = LIBRARIES[name]()
    one.library = importlib.import_module(name)
    await one.open(url)
    return one


async def ask(one, number, method, **params):
    await one.send(json.dumps({"jsonrpc": "2.0", "id": number,
                               "method": method, "params": params}))
    answer = json.loads(await one.receive())
    assert answer["id"] == number and "result" in answer, answer
    return answer["result"]


async def publish(sender, taker, number, text):
    await sender.send(json.dumps({
        "jsonrpc": "2.0", "id": number, "method": "sendMessage",
        "params": {"topic": "inbound:chat-1", "payload": {"text": text}}}))
    request = json.loads(await taker.receive())
    assert request["method"] == "sendMessage", request
    assert request["params"]["payload"]["text"] == text, "another text"
    await taker.send(json.dumps({
        "jsonrpc": "2.0", "id": request["id"],
        "result": {"success": True, "stopPropagation": True}}))
    answer = json.loads(await sender.receive())
    assert answer["id"] == number, answer
    assert answer["result"]["stopPropagation"] is True, answer


async def bus(name, url):
    taker, sender = await opened(name, url), await opened(name, url)
    for one, who in ((taker, "taker"), (sender, "sender")):
        await ask(one, 1, "initialize", clientId=who,
                  clientInfo={"name": name, "version": "1"})
    await ask(taker, 2, "subscribe", topic="inbound:*")
    await publish(sender, taker, 3, "hello")
    await publish(sender, taker, 4, "\u00e9" * (LONG // 2))
    await sender.ping()
    for one in (sender, taker):
        code = await one.close()
        assert code == 1000, "closed with %s" % code


async def wish(one, number, action, **payload):
    await one.send(json.dumps({"id": number, "type": "request",
                               "action": action, "payload": payload}))
    while True:
        answer = json.loads(await one.receive())
        if answer["type"] != "notification":
            break
    assert answer["type"] == "response", answer
    assert answer["id"] == number and answer["action"] == action, answer
    return answer["payload"]


async def gateway(name, url):
    one = await opened(name, url)
    task = (await wish(one, "1", "task.create", title="by " + name,
                       agent_type="agentsh"))["id"]
    await wish(one, "2", "task.subscribe", task_id=task)
    got = await wish(one, "3", "task.get", id=task)
    assert got["id"] == task and got["title"] == "by " + name, got
    await one.ping()
    code = await one.close()
    assert code == 1000, "closed with %s" % code


def main():
    name, flow, url = sys.argv[1:]
    asyncio.run(asyncio.wait_for({"bus": bus, "gateway": gateway}[flow](
        name, url), 2 * PATIENCE))


main()
