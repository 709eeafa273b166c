# SPDX-License-Identifier: GPL-3.0-or-later
"""test_words.py - a long paragraph appears as it comes, word by word, and not
at its end."""

import http.server
import json
import os
import sys
import threading

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "lib"))

import home  # noqa: E402
import tap  # noqa: E402
import terminal  # noqa: E402

WORDS = ["word%02d" % n for n in range(60)]
PARAGRAPH = " ".join(WORDS)
LINES = 60  # columns


def frame(text, finish=None):
    return ("data: " + json.dumps({"choices": [{
        "index": 0, "delta": {"content": text}, "finish_reason": finish}]}) +
        "\n\n").encode()


class Slow:
    """Sends a word of its answer each time that it is let."""

    def __init__(self):
        self.let = threading.Semaphore(0)
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                self.rfile.read(int(self.headers["Content-Length"]))
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream")
                self.end_headers()
                self.send(frame('{"kind":"answer_only","summary":"'))
                for word in WORDS:
                    outer.let.acquire(timeout=60)
                    self.send(frame(word + " "))
                self.send(frame('"}', "stop") + b"data: [DONE]\n\n")

            def send(self, data):
                self.wfile.write(data)
                self.wfile.flush()

            def log_message(self, *args):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0),
                                                      Handler)
        threading.Thread(target=self.server.serve_forever,
                         daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *why):
        for _ in WORDS:
            self.let.release()
        self.server.shutdown()
        self.server.server_close()


def main():
    t = tap.Tap()
    with Slow() as server, home.Home() as place:
        place.env.update(
            OPENAI_API_KEY="sk-of-no-one",
            OPENAI_BASE_URL="http://127.0.0.1:%d/v1"
            % server.server.server_address[1])
        term = terminal.Terminal(place, [
            home.program("ai"), "explain", "--no-look", "ls"], cols=LINES)
        missed = []
        for word in WORDS[:-1]:
            server.let.release()
            missed += [] if term.wait_for(word, 20) else [word]
            if missed:
                break
        t.is_(missed, [], "each word is shown before the next is sent",
              term.text())
        server.let.release()
        t.is_(term.finish(), 0, "the answer is complete", term.text())
        shown = term.text()
        lines = [line for line in
                 shown[max(shown.find("word00"), 0):].splitlines()
                 if line.startswith("word")]
        t.ok(len(lines) > 5 and max(map(len, lines)) <= LINES
             and " ".join(lines).split() == WORDS,
             "it is wrapped, and each word stands there once", lines)
        t.ok("\x1b[J" not in term.seen, "and nothing was drawn twice",
             repr(term.seen))
    t.done()


if __name__ == "__main__":
    main()
