# SPDX-License-Identifier: GPL-3.0-or-later
"""browser.py - headless Chromium by ChromeDriver's WebDriver protocol."""

import base64
import http.client
import json
import os
import re
import select
import shutil
import subprocess
import tempfile
import time

PATIENCE = 10
KEYS = {"Tab": "\ue004", "Enter": "\ue007", "Escape": "\ue00c",
        "Shift": "\ue008", "Space": " ", "End": "\ue010"}
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


def missing():
    """Which program is not installed; None: all are."""
    for name in ("chromium", "chromedriver"):
        if not shutil.which(name):
            return name
    return None


class Browser:
    def __init__(self, width=1280, height=900, dark=False, calm=False):
        self.home = tempfile.mkdtemp(prefix="browser-")
        self.driver = subprocess.Popen(
            ["chromedriver", "--port=0"], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            env={**os.environ, "HOME": self.home, "TMPDIR": self.home},
            start_new_session=True)
        log, end = b"", time.monotonic() + PATIENCE
        while not (found := re.search(rb"on port (\d+)\.", log)):
            if time.monotonic() > end:
                raise RuntimeError("chromedriver says nothing: %r" % log)
            if select.select([self.driver.stdout], [], [], 0.1)[0]:
                log += os.read(self.driver.stdout.fileno(), 4096)
        self.http = http.client.HTTPConnection("127.0.0.1", int(found[1]),
                                               timeout=60)
        self.base = "/session"
        made = self.post("", {"capabilities": {"alwaysMatch": {
            "browserName": "chrome", "goog:chromeOptions": {
                "binary": shutil.which("chromium"), "args": [
                    "--headless=new", "--no-sandbox", "--disable-gpu",
                    "--disable-dev-shm-usage", "--disable-extensions",
                    "--no-first-run", "--disable-background-networking",
                    "--disable-sync", "--lang=en-GB",
                    "--user-data-dir=" + os.path.join(self.home, "profile")]},
            "goog:loggingPrefs": {"browser": "ALL"}}}})
        self.base = "/session/" + made["sessionId"]
        self.look(width, height, dark, calm)

    def look(self, width, height, dark=False, calm=False):
        """How large it is, and what its person prefers."""
        self.cdp("Emulation.setDeviceMetricsOverride", width=width,
                 height=height, deviceScaleFactor=1, mobile=False)
        self.cdp("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme",
             "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion",
             "value": "reduce" if calm else "no-preference"}])

    def ask(self, method, path, body=None):
        self.http.request(method, self.base + path,
                          None if body is None else json.dumps(body),
                          {"Content-Type": "application/json"})
        answer = json.loads(self.http.getresponse().read())["value"]
        if isinstance(answer, dict) and "error" in answer:
            raise RuntimeError(answer["error"] + ": " +
                               answer["message"].splitlines()[0])
        return answer

    def post(self, path, body):
        return self.ask("POST", path, body)

    def cdp(self, command, **params):
        return self.post("/goog/cdp/execute", {"cmd": command,
                                               "params": params})

    def go(self, address):
        self.post("/url", {"url": address})

    def js(self, text, *args):
        return self.post("/execute/sync", {"script": text, "args": args})

    def find(self, selector):
        return self.post("/element", {"using": "css selector",
                                      "value": selector})[ELEMENT]

    def click(self, selector):
        self.post("/element/%s/click" % self.find(selector), {})

    def type(self, text, selector=None):
        """Types into what has the focus, or into an element."""
        if selector:
            self.post("/element/%s/value" % self.find(selector),
                      {"text": text})
            return
        self.press(*text)

    def press(self, *keys):
        """One key after another; Shift+Tab is a key with another held."""
        actions = []
        for key in keys:
            parts = key.split("+") if len(key) > 1 else [key]
            parts = [KEYS.get(p, p) for p in parts]
            actions += [{"type": "keyDown", "value": p} for p in parts]
            actions += [{"type": "keyUp", "value": p} for p in parts[::-1]]
        self.post("/actions", {"actions": [{"type": "key", "id": "k",
                                            "actions": actions}]})

    def text(self, selector="body"):
        return self.js("return document.querySelector(arguments[0])"
                       "?.innerText ?? ''", selector)

    def until(self, script, *args, seconds=PATIENCE):
        """Whether a script comes to be true in time; its value."""
        end = time.monotonic() + seconds
        while not (value := self.js(script, *args)) and \
                time.monotonic() < end:
            select.select([], [], [], 0.03)
        return value

    def shows(self, words, selector="body", seconds=PATIENCE):
        return self.until("return (document.querySelector(arguments[1])"
                          "?.innerText ?? '').includes(arguments[0])", words,
                          selector, seconds=seconds)

    def focus(self):
        return self.js("const a = document.activeElement; return a.id || "
                       "a.className || a.tagName")

    def nameless(self):
        """What Chromium tells a screen reader of without a name."""
        self.cdp("Accessibility.enable")
        roles = ("button", "link", "textbox", "searchbox", "combobox", "log",
                 "checkbox", "spinbutton", "dialog", "region",
                 "article", "heading", "DisclosureTriangle")
        return [n["role"]["value"] for n in
                self.cdp("Accessibility.getFullAXTree")["nodes"]
                if not n["ignored"] and n["role"]["value"] in roles and
                not n.get("name", {}).get("value", "").strip()]

    def faults(self):
        """What the console has of errors since the last call."""
        return [row["message"] for row in self.post("/se/log",
                                                    {"type": "browser"})
                if row["level"] in ("SEVERE", "ERROR")]

    def picture(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.ask("GET", "/screenshot")))

    def close(self):
        try:
            self.ask("DELETE", "")
        except (OSError, RuntimeError, http.client.HTTPException):
            pass
        self.driver.terminate()
        self.driver.wait()
        self.driver.stdout.close()
        shutil.rmtree(self.home, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *why):
        self.close()
