// SPDX-License-Identifier: GPL-3.0-or-later
// mcp_http_peer.mjs - the SDK's own server over HTTP on Node, with one tool that
// reads a file: MCP_MODULES=DIR/node_modules node mcp_http_peer.mjs
import {createRequire} from 'node:module';
import {createServer} from 'node:http';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';

const modules = process.env.MCP_MODULES;
const of = name => import(pathToFileURL(
    createRequire(join(modules, 'x.js')).resolve(name)));
const {McpServer, createMcpHandler} = await of('@modelcontextprotocol/server');
const {getRequestListener} = await of('@hono/node-server');
const z = await of('zod');

function make() {
    const server = new McpServer({name: 'peer', version: '1'});

    server.registerTool('read', {
        description: 'Reads a file.',
        inputSchema: z.object({path: z.string()}),
        outputSchema: z.object({stdout: z.string()}),
    }, async ({path}) => {
        const stdout = await readFile(path, 'utf8');
        return {content: [{type: 'text', text: stdout}],
                structuredContent: {stdout}};
    });
    return server;
}

const handler = createMcpHandler(make);
const server = createServer(getRequestListener(r => handler.fetch(r)));
server.keepAliveTimeout = 600000;
server.listen(0, '127.0.0.1', () => console.error(
    `tcp:127.0.0.1:${server.address().port}: listening`));
