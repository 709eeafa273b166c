// SPDX-License-Identifier: GPL-3.0-or-later
// keptserver.js - a model server over TLS that tells what connections cost.
//
//     node keptserver.js DIR h1|h2 [WAY...]
//
// DIR has cert.pem and key.pem. Each WAY says how one question fares, in their
// order; later ones are answered. It ends with its standard input, and prints
// a JSON object a line: {"port"}, {"handshake"}, {"request"}, {"answered"},
// {"closed"} (a connection), and {"mark"} when it has read a line, behind all
// that was done before.
"use strict";

const fs = require("fs");
const http2 = require("http2");
const https = require("https");

const [, , dir, version, ...ways] = process.argv;
const { NGHTTP2_REFUSED_STREAM, NGHTTP2_INTERNAL_ERROR, NGHTTP2_NO_ERROR } =
    http2.constants;
const TEXT = '{"kind":"answer_only","summary":"It was kept."}';
let questions = 0;

function say(event) {
    process.stdout.write(JSON.stringify(event) + "\n");
}

function frame(text, finish) {
    return "data: " + JSON.stringify({
        choices: [{ index: 0, delta: { content: text },
                    finish_reason: finish }] }) + "\n\n";
}

function answer(response) {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(frame(TEXT.slice(0, 20), null));
    response.write(frame(TEXT.slice(20), "stop"));
    response.end("data: [DONE]\n\n");
}

// What goes wrong; true: the question is answered all the same.
const WAYS = {
    ok: () => true,
    // The connection ends behind the answer, unannounced.
    close: (request, response) => {
        const socket = request.stream && request.stream.session
            ? request.stream.session : request.socket;
        response.on("finish", () => setImmediate(() => socket.destroy()));
        return true;
    },
    // It ends when the next question comes.
    drop: (request) => { request.socket.destroy(); },
    refuse: (request) => { request.stream.close(NGHTTP2_REFUSED_STREAM); },
    // GOAWAY: what has been answered is all that will be.
    goaway: (request) => {
        const session = request.stream.session;

        session.goaway(NGHTTP2_NO_ERROR, request.stream.id - 2);
        setImmediate(() => session.destroy());
    },
    // GOAWAY, but this question is still answered.
    leave: (request, response) => {
        request.stream.session.goaway(NGHTTP2_NO_ERROR, request.stream.id);
        return true;
    },
    cut: (request, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(frame(TEXT.slice(0, 34), null));
        setImmediate(() => request.stream.close(NGHTTP2_INTERNAL_ERROR));
    },
};

function onRequest(request, response) {
    const way = ways[questions] || "ok";

    questions++;
    request.on("error", () => {});
    response.on("error", () => {});
    request.resume();
    request.on("end", () => {
        say({ request: way, version: request.httpVersion });
        if (WAYS[way](request, response)) {
            response.on("finish", () => say({ answered: questions }));
            answer(response);
        }
    });
}

const credentials = { key: fs.readFileSync(dir + "/key.pem"),
                      cert: fs.readFileSync(dir + "/cert.pem") };
const server = version === "h2"
    ? http2.createSecureServer(credentials, onRequest)
    : https.createServer(credentials, onRequest);

server.keepAliveTimeout = 0; // never
server.on("secureConnection", (socket) => {
    say({ handshake: socket.alpnProtocol || "none" });
    socket.on("error", () => {});
    socket.on("close", () => say({ closed: true }));
});
server.on("sessionError", () => {});
server.listen(0, "127.0.0.1", () => say({ port: server.address().port }));
process.stdin.on("data", () => say({ mark: true }));
process.stdin.on("end", () => process.exit(0));
