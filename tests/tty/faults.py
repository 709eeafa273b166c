# SPDX-License-Identifier: GPL-3.0-or-later
"""faults.py - what the tests with a faulty model server share: `ai` pointed
at it in each wire format."""

import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "lib"))

from home import Home, program  # noqa: E402

AI = program("ai")
KEY = "sk-test-0123456789abcdef"
WIRES = {"o": "openai", "a": "anthropic", "g": "gemini", "l": "ollama"}

CONFIG = """[model]
connect_timeout_s = %(connect)d
first_byte_timeout_s = %(first)d
idle_timeout_s = %(idle)d
total_timeout_s = %(total)d
max_retries = 1
"""
PATIENT = {"connect": 5, "first": 30, "idle": 30, "total": 60}


def wire_env(letter, url):
    """The variables that lead one provider to the server."""
    return {"o": {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": url + "/v1"},
            "a": {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": url},
            "g": {"GEMINI_API_KEY": KEY, "GEMINI_BASE_URL": url},
            "l": {"OLLAMA_HOST": url}}[letter]


def wish(letter, spec, verb="run", *options):
    """The words of a command line that asks for a fault."""
    return [AI, verb, "--provider", WIRES[letter], "-m", "fault:" + spec,
            *options, "note", "it"]


def home_for(letter, url, **limits):
    """A Home whose environment and limits lead to the server."""
    home = Home()
    home.config(CONFIG % {**PATIENT, **limits})
    home.env.update(wire_env(letter, url))
    return home
