// SPDX-License-Identifier: GPL-3.0-or-later
// http_sdk.mjs - the protocol's own client SDK against `agentsh mcp --listen`.
//
//     MCP_CLIENT=DIR/node_modules/@modelcontextprotocol/client \
//         node http_sdk.mjs URL
//
// One JSON object a line for each way to agree on a version: by the handshake,
// by a probe, and without a question.
const sdk = await import(`${process.env.MCP_CLIENT}/dist/index.mjs`);
const url = new URL(process.argv[2]);
const ways = { handshake: undefined, probe: 'auto',
               pinned: { pin: '2026-07-28' } };

for (const [way, mode] of Object.entries(ways)) {
    const seen = { way, asked: 0, progress: 0 };
    const client = new sdk.Client({ name: 'sdk', version: '1' }, {
        capabilities: { elicitation: { form: {} } },
        ...(mode ? { versionNegotiation: { mode } } : {}) });
    client.setRequestHandler('elicitation/create', async () => {
        seen.asked++;
        return { action: 'accept', content: {} };
    });
    try {
        const transport = new sdk.StreamableHTTPClientTransport(url);
        await client.connect(transport);
        seen.version = client.getNegotiatedProtocolVersion?.();
        seen.tools = (await client.listTools()).tools.length;
        const call = (command, more) => client.callTool({ name: 'cmd_run',
            arguments: { command } }, more);
        seen.text = (await client.callTool({ name: 'fs_read_file',
            arguments: { path: 'notes.txt' } })).content[0].text;
        seen.slow = (await call('echo one; sleep 1.2; echo two', {
            onprogress: () => seen.progress++ })).content[0].text;
        seen.removed = !(await call('rm -f gone.txt')).isError;
        seen.resource = (await client.readResource({
            uri: 'agentsh://output/last' })).contents.length;
        seen.prompts = (await client.listPrompts()).prompts.length;
        seen.unknown = await client.callTool({ name: 'nope', arguments: {} })
            .then(() => 0, e => e.code);
        const abort = new AbortController();
        setTimeout(() => abort.abort(), 300);
        seen.aborted = await call('sleep 1003', { signal: abort.signal })
            .then(() => false, () => true);
        if (way === 'handshake')
            await transport.terminateSession();
    } catch (e) {
        seen.error = `${e.code} ${e.message}`;
    }
    await client.close();
    console.log(JSON.stringify(seen));
}
