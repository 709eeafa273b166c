# SPDX-License-Identifier: GPL-3.0-or-later
"""servers.py - model servers on this machine for the benchmark."""

import http.server
import os
import subprocess
import threading

import home


class Fast:
    """tests/lib/fastserver: an answer of so many chunks, at once."""

    def __init__(self, chunks=50, size=20):
        self.process = subprocess.Popen(
            [os.path.join(home.BUILDDIR, "tests", "lib", "fastserver"),
             str(chunks), str(size)], stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline().split()[1])

    def __enter__(self):
        return self

    def __exit__(self, *why):
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()

    def env(self):
        return env_for(self.port)


def env_for(port):
    return {"OPENAI_API_KEY": "sk-of-no-one",
            "OPENAI_BASE_URL": "http://127.0.0.1:%d/v1" % port}


class Slow:
    """Keeps the request, begins an answer, and ends it when told to."""

    def __init__(self):
        self.request = None
        self.asked, self.go = threading.Event(), threading.Event()
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                length = int(self.headers.get("Content-Length", 0))
                outer.request = (self.path, self.headers.items(),
                                 self.rfile.read(length))
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream")
                self.send_header("Connection", "close")
                self.end_headers()
                self.wfile.write(b': wait\n\n')
                self.wfile.flush()
                outer.asked.set()
                outer.go.wait(30)
                self.close_connection = True

            def log_message(self, *args):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0),
                                                      Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever,
                         daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *why):
        self.go.set()
        self.server.shutdown()
        self.server.server_close()

    def env(self):
        return env_for(self.port)
