# SPDX-License-Identifier: GPL-3.0-or-later
"""script.py - which fault answers which request.

A spec is NAME[=NUMBER][@BASE]: the fault, its argument, the good answer that
it spoils. A model's name "fault:SPEC,SPEC" or a script lists the answers of
successive requests; the last one is repeated. In a script an item may also
be an object: {"fault": SPEC, "steps": [COMMAND...], "kind", "summary"} or
{"text": TEXT}, beside any field of an Answer.
"""

import re
import threading

from . import calls, framing, params, reasoned, status, texts  # noqa: F401
from . import transport  # noqa: F401
from .answer import ACTIONS, Answer, action, text_of
from .table import FAULTS
from .wire import dumps
from . import blocks, refusals  # noqa: F401

SPEC = re.compile(r"([a-z0-9-]+)(?:=([0-9.]+))?(?:@([a-z]+))?$")


class BadSpec(Exception):
    """No fault is meant by this."""


def parse_spec(spec):
    """The fault, its number or None, and the base answer's text."""
    found = SPEC.match(spec)
    if not found or found[1] not in FAULTS:
        raise BadSpec("no fault is called " + spec)
    if (found[3] or "run") not in ACTIONS:
        raise BadSpec("no answer is called " + found[3])
    number = float(found[2]) if found[2] else None
    return FAULTS[found[1]], number, Answer(text_of(found[3] or "run"))


def parse_item(item):
    """The same for an item of a script."""
    if isinstance(item, str):
        return parse_spec(item)
    fields = dict(item)
    row, number, base = parse_spec(fields.pop("fault", "base"))
    if "steps" in fields:
        base.text = dumps(action(
            fields.pop("kind", "command_sequence"),
            fields.pop("summary", "A plan for a test"),
            *fields.pop("steps")))
    for name, value in fields.items():
        if not hasattr(base, name):
            raise BadSpec("an answer has no " + name)
        setattr(base, name, value)
    return row, number, base


class Script:
    """Hands out the answers, one a request, to any number of threads."""

    def __init__(self, items=None, default="run"):
        self.items = items
        self.default = default
        self.counts = {}
        self.lock = threading.Lock()
        for item in items or [default]:
            parse_item(item)

    def count(self, key):
        """How often key was asked for, this time included."""
        with self.lock:
            self.counts[key] = self.counts.get(key, 0) + 1
            return self.counts[key]

    def next(self, wire, request):
        """The row, number and base answer of this request."""
        model = wire.model(request)
        items = self.items
        if not items and model.startswith("fault:"):
            items = model[len("fault:"):].split(",")
        key = "script" if self.items else (wire.name, model)
        items = items or [self.default]
        nth = self.count(key)
        row, number, base = parse_item(items[min(nth, len(items)) - 1])
        if isinstance(model, str) and model:
            base.model = model
        return row, number, base
