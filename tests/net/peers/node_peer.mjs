// SPDX-License-Identifier: GPL-3.0-or-later
// node_peer.mjs - the flow of run.py on Node: by the library ws of the folder
// WS_MODULES, or by Node's own WebSocket, which has no ping.
//     node --experimental-websocket node_peer.mjs ws|own bus|gateway URL
import {createRequire} from 'node:module';
import assert from 'node:assert/strict';

const PATIENCE = 20000, LONG = 300000;
const [kind, flow, url] = process.argv.slice(2);
const Socket = kind === 'ws' ?
	createRequire(process.env.WS_MODULES + '/')('ws').WebSocket :
	globalThis.WebSocket;

class Peer {
	constructor() {
		this.messages = [];
		this.takers = [];
		this.socket = new Socket(url);
		this.over = new Promise(done => this.socket.addEventListener(
			'close', event => done(event)));
		this.socket.addEventListener('message', event => {
			const taker = this.takers.shift();
			const message = JSON.parse(event.data);
			taker ? taker(message) : this.messages.push(message);
		});
	}
	open() {
		return new Promise((done, fail) => {
			this.socket.addEventListener('open', () => done(this));
			this.socket.addEventListener('error', fail);
		});
	}
	receive() {
		return this.messages.length ? this.messages.shift() :
			new Promise(done => this.takers.push(done));
	}
	send(value) {
		this.socket.send(JSON.stringify(value));
	}
	async ping() {
		if (kind !== 'ws')
			return;
		const came = new Promise(done => this.socket.once('pong', done));
		this.socket.ping('hello');
		assert.equal((await came).toString(), 'hello');
	}
	async close() {
		this.socket.close(1000);
		const event = await this.over;
		assert.equal(event.code, 1000);
		assert.equal(event.wasClean, true);
	}
	async ask(id, method, params) {
		this.send({jsonrpc: '2.0', id, method, params});
		const answer = await this.receive();
		assert.equal(answer.id, id);
		assert.ok(answer.result, JSON.stringify(answer));
	}
	async wish(id, action, payload) {
		this.send({id, type: 'request', action, payload});
		let answer;
		do
			answer = await this.receive();
		while (answer.type === 'notification');
		assert.equal(answer.type, 'response', JSON.stringify(answer));
		assert.equal(answer.id, id);
		return answer.payload;
	}
}

async function publish(sender, taker, id, text) {
	sender.send({jsonrpc: '2.0', id, method: 'sendMessage',
		params: {topic: 'inbound:chat-1', payload: {text}}});
	const request = await taker.receive();
	assert.ok(request.params.payload.text === text, 'another text');
	taker.send({jsonrpc: '2.0', id: request.id,
		result: {success: true, stopPropagation: true}});
	const answer = await sender.receive();
	assert.equal(answer.id, id);
	assert.equal(answer.result.stopPropagation, true);
}

async function bus() {
	const taker = await new Peer().open(), sender = await new Peer().open();
	for (const [one, clientId] of [[taker, 'taker'], [sender, 'sender']])
		await one.ask(1, 'initialize', {clientId,
			clientInfo: {name: 'node', version: '1'}});
	await taker.ask(2, 'subscribe', {topic: 'inbound:*'});
	await publish(sender, taker, 3, 'hello');
	await publish(sender, taker, 4, 'é'.repeat(LONG / 2));
	await sender.ping();
	await sender.close();
	await taker.close();
}

async function gateway() {
	const one = await new Peer().open(), title = 'by node';
	const {id} = await one.wish('1', 'task.create',
		{title, agent_type: 'agentsh'});
	await one.wish('2', 'task.subscribe', {task_id: id});
	assert.equal((await one.wish('3', 'task.get', {id})).title, title);
	await one.ping();
	await one.close();
}

setTimeout(() => {
	console.error('it takes too long');
	process.exit(1);
}, PATIENCE).unref();
await (flow === 'bus' ? bus() : gateway());
