#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_images.py - an image in a prompt reaches a model that takes images."""

import base64
import json
import struct
import zlib

from draft import DraftEditor
from editor import Editor
from talk import act, say, step

import faults  # noqa: E402
import tap  # noqa: E402
from fault.server import Server  # noqa: E402


def png(side=1):
    """A picture of random dots."""
    def chunk(kind, data):
        return (struct.pack(">I", len(data)) + kind + data +
                struct.pack(">I", zlib.crc32(kind + data)))

    with open("/dev/urandom", "rb") as dots:
        rows = b"".join(b"\0" + dots.read(3 * side) for _ in range(side))
    return (b"\x89PNG\r\n\x1a\n" +
            chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def image(data, kind="image/png", **more):
    return {"type": "image", "mimeType": kind,
            "data": base64.b64encode(data).decode(), **more}


class Seeing:
    """An editor, and an agent whose model sees, unless told otherwise."""

    def __init__(self, *answers, letter="o", images="yes", editor=Editor,
                 more=""):
        self.server = Server(list(answers))
        self.place = faults.home_for(letter, self.server.url)
        if images:
            more += "\n[model]\nimages = %s\n" % images
        with open(self.place.env["XDG_CONFIG_HOME"] + "/agentsh/config", "a",
                  encoding="utf-8") as out:
            out.write(more)
        self.editor = editor(self.place, AGENTSH_PROVIDER=faults.WIRES[letter],
                             AGENTSH_MODEL="m")

    def __enter__(self):
        self.said = self.editor.initialize()
        self.session = self.editor.new()
        return self

    def __exit__(self, *why):
        self.editor.close()
        self.place.done()
        self.server.stop()

    def ask(self, *blocks):
        ident = self.editor.start("session/prompt", {
            "sessionId": self.session, "prompt": list(blocks)})
        self.editor.until(lambda: ident in self.editor.answers)
        return self.editor.answers[ident]

    def sent(self, number):
        return json.dumps(self.server.requests[number]["body"])


def text(words):
    return {"type": "text", "text": words}


def every_provider_gets_it(t):
    for letter, name in faults.WIRES.items():
        dot = image(png())
        with Seeing(say("A dot."), say("Red."), letter=letter) as see:
            t.is_(see.said["agentCapabilities"]["promptCapabilities"]["image"],
                  True, "%s: the capability is declared" % name)
            end = see.ask(text("what is this?"), dot)
            t.is_(end.get("result"), {"stopReason": "end_turn"},
                  "%s: a prompt with an image is answered" % name)
            t.is_(see.editor.said(), "A dot.", "%s: by the model" % name)
            t.ok(dot["data"] in see.sent(0), "%s: which got the image" % name)
            see.ask(text("which colour?"))
            t.ok(dot["data"] in see.sent(1),
                 "%s: and gets it again with the next prompt" % name)


def each_step_needs_a_yes(t):
    plan = act(step(1, "echo seen"))
    for blocks, asked, what in (
            ([text("go")], 0, "without an image it runs"),
            ([text("go"), image(png(), uri="file:///shot.png")], 1,
             "beside an image it is asked about")):
        with Seeing(plan, say()) as see:
            see.editor.permit = lambda p: "reject_once"
            see.ask(*blocks)
            t.is_(len(see.editor.asked), asked, "a step that reads: " + what)


def alone_and_large(t):
    with Seeing(say("A wall.")) as see:
        large = image(png(1100))
        t.ok(len(large["data"]) > 4_000_000, "an image of 3 MB")
        t.is_(see.ask(large).get("result"), {"stopReason": "end_turn"},
              "without a word is answered")
        t.ok(large["data"] in see.sent(0), "and comes whole")
        t.ok("image 1: image/png" in see.sent(0), "its type beside it")


def what_is_no_image(t):
    with Seeing(say("Yes.")) as see:
        for block, words in (
                ({"type": "image", "mimeType": "image/png"}, "data and mime"),
                ({"type": "image", "data": "AAAA"}, "data and mime"),
                (image(b""), "base64"),
                (image(b"<svg/>", "image/svg+xml"), "image/svg+xml"),
                (image(b"GIF89a.", "image/png"), "no image/png"),
                ({"type": "image", "mimeType": "image/png", "data": 5},
                 "data and mime")):
            error = see.ask(text("look"), block).get("error", {})
            t.ok(error.get("code") == -32602 and words in error["message"],
                 "prompt[1] is refused: " + words, json.dumps(error))
        error = see.ask(*[image(png()) for _ in range(9)]).get("error", {})
        t.ok("prompt[8]: " in error.get("message", ""), "so is a ninth image",
             json.dumps(error))
        t.is_(see.ask(text("still there?")).get("result"),
              {"stopReason": "end_turn"}, "and the agent goes on")


def models_that_take_none(t):
    for images in (None, "no", "auto"):
        with Seeing(say(), images=images) as see:
            t.is_(see.said["agentCapabilities"]["promptCapabilities"]["image"],
                  False, "images = %s: none at an unknown server" % images)
            error = see.ask(text("look"), image(png())).get("error", {})
            t.ok(error.get("code") == -32602 and
                 "images = yes" in error["message"],
                 "one that comes is refused, and why", json.dumps(error))
            t.is_(see.server.requests, [], "before the model is asked")
    with Seeing(say()) as see:
        see.editor.request("session/set_config_option", {
            "sessionId": see.session, "configId": "model", "value": "offline"})
        error = see.ask(text("look"), image(png())).get("error", {})
        t.ok("offline engine takes no images" in error.get("message", ""),
             "nor by the offline engine", json.dumps(error))


def the_draft_has_them(t):
    dot = image(png())
    with Seeing(say("A dot."), editor=DraftEditor,
                more="\n[acp]\ndraft = yes\n") as see:
        prompts = see.said["capabilities"]["session"]["prompt"]
        t.is_(prompts.get("image"), {}, "version 2 declares images")
        see.ask(text("what is this?"), dot)
        t.ok(see.editor.until_idle(), "a prompt with one is answered")
        t.ok(dot["data"] in see.sent(0), "by a model that got it")
        t.is_(see.editor.of("user_message")[0]["content"][1], dot,
              "and it is in the user's message")


def the_model_may_change_while_a_prompt_waits(t):
    with Seeing({"fault": "stall"}, editor=DraftEditor,
                more="\n[acp]\ndraft = yes\n") as see:
        see.editor.start("session/prompt", {
            "sessionId": see.session, "prompt": [text("first")]})
        see.editor.until(lambda: see.server.requests)
        second = see.editor.start("session/prompt", {
            "sessionId": see.session, "prompt": [text("ls"), image(png())]})
        see.editor.request("session/set_config_option", {
            "sessionId": see.session, "configId": "model", "type": "id",
            "value": "offline"})
        see.editor.notify("session/cancel", {"sessionId": see.session})
        see.editor.until(lambda: second in see.editor.answers)
        t.ok("error" in see.editor.answers[second] or
             "cancel" in json.dumps(see.editor.answers[second]),
             "a prompt with an image is not for the offline engine",
             json.dumps(see.editor.answers[second]))
        t.is_(see.editor.of("tool_call_update"), [], "and nothing is run")


def main():
    t = tap.Tap()
    for test in (every_provider_gets_it, each_step_needs_a_yes,
                 alone_and_large, what_is_no_image, models_that_take_none,
                 the_draft_has_them,
                 the_model_may_change_while_a_prompt_waits):
        test(t)
    t.done()


if __name__ == "__main__":
    main()
