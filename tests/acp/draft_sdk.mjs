// SPDX-License-Identifier: GPL-3.0-or-later
// draft_sdk.mjs - a client of the protocol's own SDK against `agentsh acp`.
//
// Run by hand, where @agentclientprotocol/sdk (2.4) is installed, against a
// model or a model server of one's own:
//
//     ACP_SDK=DIR/node_modules/@agentclientprotocol/sdk \
//         node draft_sdk.mjs [--cwd DIR] [--cancel] PROMPT... -- AGENT ARG...
//
// It prints what the SDK makes of each message, and "ok" at the end.
import {spawn} from 'node:child_process';
import {join} from 'node:path';
import {Readable, Writable} from 'node:stream';

const acp = await import(join(process.env.ACP_SDK, 'dist/v2/stable/acp.js'));
const words = process.argv.slice(2);
const split = words.indexOf('--');
const options = words.slice(0, split), command = words.slice(split + 1);
const cancels = options.includes('--cancel');
const at = options.indexOf('--cwd');
const cwd = at < 0 ? process.cwd() : options.splice(at, 2)[1];
const prompts = options.filter(o => o !== '--cancel');
const log = (...x) => console.log(...x.map(
    v => typeof v === 'string' ? v : JSON.stringify(v).slice(0, 400)));

const child = spawn(command[0], command.slice(1),
                    {stdio: ['pipe', 'pipe', 'inherit']});
const stream = acp.ndJsonStream(Writable.toWeb(child.stdin),
                                Readable.toWeb(child.stdout));
const m = acp.methods;

const app = acp.client({name: 'agentsh-draft'}).onRequest(
    m.client.session.requestPermission, ({params}) => {
        log('permission', params.title, params.subject,
            params.options.map(o => o.kind));
        if (!params.subject)
            throw Error('a question without a subject');
        return {outcome: {outcome: 'selected',
                          optionId: params.options[0].optionId}};
    });

async function turn(session, text) {
    const sent = session.prompt(text);
    for (;;) {
        const got = await session.nextUpdate();
        if (got.kind === 'stop') {
            log('stop', got.stopReason ?? '-', got.update.error ?? '');
            return (await sent).messageId;
        }
        log('update', got.update.sessionUpdate, got.update);
        if (cancels && got.update.status === 'in_progress')
            await cx.notify(m.agent.session.cancel,
                            {sessionId: session.sessionId});
    }
}

let cx;
await app.connectWith(stream, async connection => {
    cx = connection;
    const hello = {protocolVersion: acp.PROTOCOL_VERSION,
                   info: {name: 'agentsh-draft', version: '1'},
                   capabilities: {auth: {terminal: {}}}};
    log('initialize', await cx.request(m.agent.initialize, hello));
    log('again', (await cx.request(m.agent.initialize, hello)).info);
    log('login', await cx.request(m.agent.auth.login, {methodId: 'agent'}));
    const session = await cx.buildSession(cwd).start();
    log('session', session.newSessionResponse);
    for (const text of prompts)
        log('message', await turn(session, text));
    log('option', (await session.setConfigOption(
        {configId: 'mode', type: 'id', value: 'auto'})).configOptions[0]
        .currentValue);
    log('held', await Promise.all(
        ['one', 'two'].map(text => session.prompt(text))));
    log('text', await session.readTextUntilIdle());
    log('text', await session.readTextUntilIdle());
    const sessionId = session.sessionId;
    log('close', await cx.request(m.agent.session.close, {sessionId}));
    log('resume', await cx.request(m.agent.session.resume, {
        sessionId, cwd, replayFrom: {type: 'start'}}));
    log('list', await cx.request(m.agent.session.list, {}));
    log('delete', await cx.request(m.agent.session.delete, {sessionId}));
    log('close', await cx.request(m.agent.session.close, {sessionId}));
    const no = await cx.request(m.agent.session.prompt, {
        sessionId, prompt: [{type: 'text', text: 'x'}]}).catch(e => e);
    log('refused', no.code ?? 'not', no.data ?? '');
    log('logout', await cx.request(m.agent.auth.logout, {}));
    log('ok');
}).catch(e => {
    log('FAIL', e.code ?? '', e.stack ?? e.message, e.data ?? '');
    process.exitCode = 1;
});
child.kill();
