# SPDX-License-Identifier: GPL-3.0-or-later
"""tally.py - asks `ai` many questions of a service, and counts what became of
the answers."""

import collections
import dataclasses

KEY = "sk-test-0123456789abcdef"
CONFIG = """[model]
connect_timeout_s = 5
first_byte_timeout_s = 30
idle_timeout_s = 30
total_timeout_s = 60
max_retries = 1
"""
WISHES = ("how much disk space is left", "show the five largest files here",
          "what listens on port 8080?", "tar -xzf backup.tar.gz -C /srv")
# service: the variables that lead to it; "%s" is an address of this machine.
WAYS = {
    "openai": {"OPENAI_API_KEY": KEY},
    "azure": {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL":
              "https://here.openai.azure.com/openai/v1"},
    "anthropic": {"ANTHROPIC_API_KEY": KEY},
    "anthropic-own": {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": "%s"},
    "gemini": {"GEMINI_API_KEY": KEY},
    "gemini-own": {"GEMINI_API_KEY": KEY, "GEMINI_BASE_URL": "%s"},
    "groq": {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL":
             "https://api.groq.com/openai/v1"},
    "openrouter": {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL":
                   "https://openrouter.ai/api/v1"},
    "mistral": {"OPENAI_API_KEY": KEY,
                "OPENAI_BASE_URL": "https://api.mistral.ai/v1"},
    "llama": {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": "%s/v1"},
    "ollama": {"OLLAMA_HOST": "%s"},
}
PROVIDERS = {"anthropic": "anthropic", "anthropic-own": "anthropic",
             "gemini": "gemini", "gemini-own": "gemini", "ollama": "ollama"}
MODEL = "sampler"
# Exit statuses of an answer that could not be used, or did not come. Others
# are of answers that were taken, and that say what this machine has not: a
# directory, a right.
UNUSABLE = (2, 3, 4, 6)


@dataclasses.dataclass
class Tally:
    """Of the questions that were asked: valid are those whose first answer
    was made by a schema and taken; the others are one of the rest each."""
    service: str
    verb: str
    asked: int = 0
    valid: int = 0
    cut: int = 0        # an answer ended at the token limit
    repaired: int = 0   # a second answer was taken
    invalid: int = 0
    loose: int = 0      # an answer that no schema made
    calls: int = 0      # functions that were called on the way
    refused: int = 0    # requests, not questions
    why: collections.Counter = dataclasses.field(
        default_factory=collections.Counter)

    def count(self, told, result):
        """What one question came to."""
        answers = [one for one in told if one.kind in ("schema", "forced",
                                                       "prose")
                   and not one.tool_object]
        self.asked += 1
        self.calls += sum(one.kind == "call" or one.tool_object
                          for one in told)
        self.refused += sum(one.kind == "refused" for one in told)
        if result.status < 0 or result.status > 127:  # ended by a signal
            self.invalid += 1
            self.why[last_line(result)] += 1
        elif any(one.cut for one in told):
            self.cut += 1
        elif any(one.kind == "prose" for one in answers):
            self.loose += 1
        elif result.status in UNUSABLE or not answers:
            self.invalid += 1
            self.why[last_line(result)] += 1
        elif len(answers) > 1:
            self.repaired += 1
        else:
            self.valid += 1

    def is_all_valid(self):
        return self.valid > 0 and self.valid + self.cut == self.asked

    def line(self):
        return ("%-13s %-7s %3d asked: %3d valid, %3d cut, %3d repaired, %3d "
                "invalid, %3d without schema; %3d calls, %d requests refused"
                % (self.service, self.verb, self.asked, self.valid, self.cut,
                   self.repaired, self.invalid, self.loose, self.calls,
                   self.refused))


def last_line(result):
    lines = [line for line in result.err.splitlines() if line.strip()]
    return "exit %d: %s" % (result.status, lines[-1][:150] if lines else "")


def is_local(service):
    """Whether it is at an address of this machine; else a proxy leads to it."""
    return any("%s" in value for value in WAYS[service].values())


def lead(home, service, server, certs=None):
    """Points a home at the service."""
    home.config(CONFIG)
    for name, value in WAYS[service].items():
        home.env[name] = value.replace("%s", server.url)
    if not is_local(service):
        home.env["HTTPS_PROXY"] = "http://127.0.0.1:%d" % server.proxy_port
        home.env["SSL_CERT_DIR"] = certs


def ask(home, ai, service, verb, wish, *options):
    """One question, of which nothing is run."""
    words = ["--dry-run"] if verb != "explain" else []
    return home.run([ai, verb, "--provider",
                     PROVIDERS.get(service, "openai"), "-m", MODEL, "-o",
                     "json", *words, *options, *wish.split()])


def tally(home, server, ai, service, verb, n, *options):
    """n questions, one after the other."""
    out = Tally(service, verb)
    for at in range(n):
        before = len(server.told)
        result = ask(home, ai, service, verb, WISHES[at % len(WISHES)],
                     *options)
        out.count(server.told[before:], result)
    return out
