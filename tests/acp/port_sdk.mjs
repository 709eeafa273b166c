// SPDX-License-Identifier: GPL-3.0-or-later
// port_sdk.mjs - two clients of the protocol's own SDK on one session of
// `agentsh acp --listen`: ACP_MODULES=DIR/node_modules node port_sdk.mjs URL CWD
import {createRequire} from 'node:module';
import {join} from 'node:path';

const modules = process.env.ACP_MODULES;
const sdk = join(modules, '@agentclientprotocol/sdk/dist');
const acp = await import(join(sdk, 'v1/stable/acp.js'));
const {createWebSocketStream} = await import(
    join(sdk, 'transports/ws-stream.js'));
const {WebSocket} = createRequire(join(modules, 'x.js'))('ws');
const [url, cwd] = process.argv.slice(2);

function editor(answer) {
    const seen = {said: '', asked: 0};
    const m = acp.methods.client.session;
    const connection = acp.client({name: 'port-sdk'}).onRequest(
        m.requestPermission, ({params}) => {
            seen.asked++;
            return answer ? {outcome: {
                outcome: 'selected', optionId: params.options[0].optionId}}
                          : new Promise(() => {});
        }).onNotification(m.update, ({params}) => {
            if (params.update.sessionUpdate === 'agent_message_chunk')
                seen.said += params.update.content.text;
        }).connect(createWebSocketStream(url, {WebSocket}));
    seen.ask = (method, params) => connection.agent.request(method, params);
    return seen;
}

const m = acp.methods.agent;
const a = editor(false), b = editor(true);
const hello = {protocolVersion: acp.PROTOCOL_VERSION, clientCapabilities: {}};
const {protocolVersion} = await a.ask(m.initialize, hello);
await b.ask(m.initialize, hello);
const {sessionId} = await a.ask(m.session.new, {cwd, mcpServers: []});
await b.ask(m.session.load, {sessionId, cwd, mcpServers: []});
const {stopReason} = await a.ask(m.session.prompt, {
    sessionId, prompt: [{type: 'text', text: 'remove it'}]});
const {sessions} = await b.ask(m.session.list, {});
console.log(JSON.stringify({
    version: protocolVersion, stop: stopReason, asked: [a.asked, b.asked],
    said: [a.said, b.said],
    listed: sessions.some(s => s.sessionId === sessionId)}));
process.exit(0);
