# SPDX-License-Identifier: GPL-3.0-or-later
"""table.py - the table of faults.

A row is a function that plays the fault on an Exchange. Beside it stands
what a client has to make of it: the exit status, and whether the good
command was run. "oagl" are the wires OpenAI, Anthropic, Gemini and Ollama.
"""

import dataclasses
import typing


@dataclasses.dataclass(frozen=True)
class Fault:
    name: str
    what: str
    play: typing.Callable
    exit: int
    ran: bool
    wires: str
    requests: tuple  # fewest and most requests that a client may send
    says: str = ""   # what its error has to say


FAULTS = {}
REQUESTS = {0: (1, 1), 3: (1, 1), 4: (1, 2), 6: (1, 1)}


def fault(name, what, exit=0, ran=None, wires="oagl", requests=None,
          says=""):
    """Makes a row of the function below it."""
    def add(play):
        if name in FAULTS:
            raise ValueError("two faults are named " + name)
        FAULTS[name] = Fault(name, what, play, exit,
                             exit == 0 if ran is None else ran, wires,
                             requests or REQUESTS[exit], says)
        return play
    return add
