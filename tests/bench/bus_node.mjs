// SPDX-License-Identifier: GPL-3.0-or-later
// bus_node.mjs - the message bus as one would write it on Node with `ws`: the
// peer of tests/bench/bus.py. Prints its port.
//
//     node bus_node.mjs DIRECTORY-OF-node_modules
import {createRequire} from 'node:module';

const {WebSocketServer} = createRequire(process.argv[2] + '/')('ws');
const ANSWER_MS = 30000;
const server = new WebSocketServer({host: '127.0.0.1', port: 0,
    maxPayload: 1 << 20, perMessageDeflate: false});
const clients = new Set(); // in the order in which they came

const escape = text => text.replace(/[.+^${}()|\\]/g, '\\$&')
    .replace(/\*/g, '.*').replace(/\?/g, '.');

function compile(pattern) {
    if (!/[*?[]/.test(pattern)) {
        return /[-:]$/.test(pattern) ? topic => topic.startsWith(pattern)
            : topic => topic === pattern;
    }
    const match = new RegExp('^' + escape(pattern) + '$', 'su');
    return topic => match.test(topic);
}

class Client {
    constructor(socket) {
        this.socket = socket;
        this.patterns = new Map();
        this.calls = new Map();
        this.lastId = 0;
        this.initialized = false;
    }

    send(message) {
        this.socket.send(JSON.stringify(message));
    }

    matches(topic) {
        for (const match of this.patterns.values()) {
            if (match(topic)) return true;
        }
        return false;
    }

    // Resolves with whether the client stops the message.
    call(params) {
        return new Promise(resolve => {
            const id = ++this.lastId;
            const timer = setTimeout(() => this.settle(id, false), ANSWER_MS);

            this.calls.set(id, {resolve, timer});
            this.send({jsonrpc: '2.0', method: 'sendMessage', params, id});
        });
    }

    settle(id, stop) {
        const call = this.calls.get(id);

        if (!call) return;
        this.calls.delete(id);
        clearTimeout(call.timer);
        call.resolve(stop);
    }
}

async function publish({topic, payload}) {
    let stop = false;

    for (const client of [...clients].filter(c => c.matches(topic))) {
        stop = await client.call({topic, payload});
        if (stop) break;
    }
    return {success: true, stopPropagation: stop};
}

class Refusal extends Error {
    constructor(code, message) {
        super(message);
        this.code = code;
    }
}

const methods = {
    initialize(client, {clientId}) {
        if (client.initialized) throw new Refusal(-32001, 'Already initialized');
        if (typeof clientId !== 'string') throw new Refusal(-32602, 'clientId');
        client.initialized = true;
        return {serverId: 'bus', serverInfo: {name: 'node', version: '1'}};
    },
    subscribe(client, {topic}) {
        if (typeof topic !== 'string') throw new Refusal(-32600, 'topic');
        if (client.patterns.has(topic)) throw new Refusal(-32003, 'subscribed');
        client.patterns.set(topic, compile(topic));
        return {success: true};
    },
    sendMessage(client, params) {
        if (typeof params.topic !== 'string' ||
            typeof params.payload !== 'object') {
            throw new Refusal(-32602, 'topic and payload');
        }
        return publish(params);
    },
};

async function take(client, data) {
    let m;

    try {
        m = JSON.parse(data);
    } catch {
        client.send({jsonrpc: '2.0', error: {code: -32700, message: 'no JSON'},
            id: null});
        return;
    }
    if (!m.method) {
        client.settle(m.id, m.result?.stopPropagation === true);
        return;
    }
    try {
        const method = methods[m.method];

        if (!method) throw new Refusal(-32601, 'Method not found');
        if (m.method !== 'initialize' && !client.initialized) {
            throw new Refusal(-32001, 'Not initialized');
        }
        const result = await method(client, m.params ?? {});

        client.send({jsonrpc: '2.0', result, id: m.id});
    } catch (why) {
        client.send({jsonrpc: '2.0', id: m.id, error: {code: why.code ?? -32603,
            message: why.message}});
    }
}

server.on('connection', socket => {
    const client = new Client(socket);

    clients.add(client);
    socket.on('message', data => take(client, data));
    socket.on('close', () => {
        clients.delete(client);
        for (const id of [...client.calls.keys()]) client.settle(id, false);
    });
    socket.on('error', () => socket.terminate());
});
server.on('listening', () => console.log(server.address().port));
