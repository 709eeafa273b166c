# SPDX-License-Identifier: GPL-3.0-or-later
"""services.py - which service is asked, and how it uses schemas and tools.

A row is known by the host of the request; what reaches an address of this
machine is asked as a server that people run themselves. beside says what a
service does with functions and a schema in one request: "both" takes both,
"refused" answers with an error, "tools" forgets the schema, "schema" forgets
the functions.
"""

import dataclasses
import typing

from . import rules


@dataclasses.dataclass(frozen=True)
class Service:
    name: str
    wire: str
    hosts: tuple              # none: what runs on this machine
    rule: typing.Callable     # why a schema is refused, or None
    beside: str
    words: str = ""           # of the refusal
    required_first: bool = False
    seen: typing.Callable = lambda schema: schema  # what is enforced of it


GEMINI_BESIDE = ("Function calling with a response mime type: "
                 "'application/json' is unsupported")
GROQ_BESIDE = "json mode cannot be combined with tool/function calling"

SERVICES = (
    # one request takes both: OpenAI's and Azure's pages on structured output
    Service("openai", "openai", ("api.openai.com",), rules.openai, "both"),
    Service("azure", "openai", ("here.openai.azure.com",), rules.openai,
            "both"),
    Service("responses", "responses", ("api.openai.com",), rules.openai,
            "both"),
    # the page on structured output: both at once since its end of beta
    Service("anthropic", "anthropic", ("api.anthropic.com",),
            rules.anthropic, "both"),
    Service("anthropic-own", "anthropic", (), rules.anthropic, "both"),
    # googleapis/python-genai#867
    Service("gemini", "gemini", ("generativelanguage.googleapis.com",),
            rules.gemini, "refused", GEMINI_BESIDE,
            seen=rules.known_to_gemini),
    Service("gemini-own", "gemini", (), rules.gemini, "refused",
            GEMINI_BESIDE, seen=rules.known_to_gemini),
    # vercel/ai#16540
    Service("groq", "openai", ("api.groq.com",), rules.openai, "refused",
            GROQ_BESIDE),
    Service("openrouter", "openai", ("openrouter.ai",), rules.everything,
            "tools"),
    Service("mistral", "openai", ("api.mistral.ai",), rules.everything,
            "tools"),
    # llama.cpp writes members that are required first; a template with
    # functions makes its own grammar
    Service("llama", "openai", (), rules.llama, "tools",
            required_first=True),
    # ollama#11185
    Service("ollama", "ollama", (), rules.llama, "schema",
            required_first=True),
)


def service_of(wire, host):
    """The row that a request with this Host header reaches."""
    name = (host or "").rsplit(":", 1)[0].lower()
    for row in SERVICES:
        if row.wire == wire and name in row.hosts:
            return row
    return next((row for row in SERVICES
                 if row.wire == wire and not row.hosts), None)


def hosts():
    return sorted({host for row in SERVICES for host in row.hosts})
