#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_registry.py - the entry for the registry of agents, and its icon, have
the form that the registry takes."""

import json
import os
import re
import sys
import xml.etree.ElementTree

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "lib"))

import home  # noqa: E402
import tap  # noqa: E402

ENTRY = os.path.join(home.BUILDDIR, "share", "acp", "agent.json")
ICON = os.path.join(home.SRCDIR, "src", "server", "acp", "icon.svg")
PLATFORM = r"(darwin|linux|windows)-(aarch64|x86_64)"
COLOURS = {"currentColor", "none"}


def entry(t):
    with open(ENTRY, encoding="utf-8") as file:
        data = json.load(file)
    with home.Home() as place:
        version = place.run([home.program("agentsh"), "--version"]).out.split()
    t.is_(data["version"], version[-1], "its version is the program's")
    t.ok(re.fullmatch(r"\d+\.\d+\.\d+", data["version"]),
         "which has three numbers")
    t.is_(sorted({"id", "name", "version", "description", "license_url",
                  "distribution"} - data.keys()), [],
          "it has what is required")
    t.ok(re.fullmatch(r"[a-z][a-z0-9-]*", data["id"]), "its id is one")
    t.is_(list(data["distribution"]), ["binary"], "it is a program")
    for name, target in data["distribution"]["binary"].items():
        t.ok(re.fullmatch(PLATFORM, name), "%s is a platform" % name)
        t.is_(sorted(target), ["archive", "args", "cmd"],
              "%s has its members" % name)
        t.ok(data["version"] in target["archive"]
             and target["archive"].endswith(name + ".tar.gz")
             and "latest" not in target["archive"],
             "an archive of this version", target["archive"])
        t.is_(target["args"], ["acp"], "it is started as an agent")


def icon(t):
    with open(ICON, encoding="utf-8") as file:
        root = xml.etree.ElementTree.fromstring(file.read())
    t.is_([root.get(name) for name in ("width", "height", "viewBox")],
          ["16", "16", "0 0 16 16"], "the icon has 16 by 16 pixels")
    used = {part.get(name) for part in root.iter()
            for name in ("fill", "stroke") if part.get(name)}
    t.ok(used <= COLOURS and "currentColor" in used,
         "and the colour of the text", str(used))
    t.ok(not any(part.get("style") for part in root.iter()), "and no style")


def main():
    t = tap.Tap()
    entry(t)
    icon(t)
    t.done()


if __name__ == "__main__":
    main()
