# SPDX-License-Identifier: GPL-3.0-or-later
"""test_cost.py - what an answer costs is shown, kept and totalled.

A server on this machine has no price, so the test's server is reached under
the name models.example, as a proxy for it: nothing looks that name up.
"""

import datetime
import json
import os
import sqlite3

import faults
import tap
from fault.server import Server
from home import Home
from terminal import Terminal

FAR = "http://models.example"
MODEL = "fault:counted"  # as the server repeats it
ROW = "models.example %s 1 0.1 1.25 5 USD 2026-01-02 test\n"
# The fault server's counts: 942 read, 600 of them cached and 300 written where
# a wire can tell, 20 out; and what that costs by the row.
BILLS = {"o": (600, 300, 8, "0.000577"), "a": (600, 300, None, "0.000577"),
         "g": (600, None, 8, "0.000502"), "l": (None, None, None, "0.001042")}


class Priced(Home):
    """A home whose `ai` asks the server by a name of its own."""

    def __init__(self, server, letter="o", rows=ROW % "fault:[ct]*", near=False):
        super().__init__()
        url = server.url if near else FAR
        self.env.update(faults.wire_env(letter, url))
        if not near:
            self.env["http_proxy"] = server.url
        self.prices(rows)

    def prices(self, text):
        folder = os.path.join(self.env["XDG_CONFIG_HOME"], "agentsh")
        with open(os.path.join(folder, "prices"), "w",
                  encoding="utf-8") as out:
            out.write(text)

    def journal(self):
        return sqlite3.connect(os.path.join(self.env["XDG_STATE_HOME"],
                                            "agentsh", "journal.db"))


def ask(home, letter="o", spec="counted", *options, verb="run"):
    return home.run(faults.wish(letter, spec, verb, *options))


def facts(result):
    """The members about the model in the JSON that was printed."""
    value = json.loads(result.out or "{}", parse_float=str)
    names = ("tokens_in", "tokens_cached", "tokens_cache_written",
             "tokens_out", "tokens_reasoning", "cost", "currency")
    return {name: value[name] for name in names if name in value}


def wanted(letter):
    cached, written, reasoning, cost = BILLS[letter]
    known = {"tokens_in": 942, "tokens_cached": cached,
             "tokens_cache_written": written, "tokens_out": 20,
             "tokens_reasoning": reasoning, "cost": cost, "currency": "USD"}
    return {name: n for name, n in known.items() if n is not None}


def check_json(t, server):
    for letter, wire in faults.WIRES.items():
        with Priced(server, letter) as home:
            result = ask(home, letter, "counted", "--dry-run", "-o", "json")
            t.is_(facts(result), wanted(letter),
                  wire + ": tokens and cost are members of the JSON",
                  result.err)
    with Priced(server) as home:
        result = ask(home, "o", "told", "-o", "json", verb="explain")
        t.is_(facts(result), wanted("o"), "of an answer in words too",
              result.err)


def one_line(text):
    return " ".join(text.split())


def check_text(t, server):
    line = "942 tokens in (600 cached, 300 written), 20 out · 0.00058 USD · "
    with Priced(server) as home:
        result = ask(home, "o", "counted", "--dry-run")
        t.ok(line in one_line(result.out), "the plan has tokens and cost beside the "
             "time", result.out, result.err)
        term = Terminal(home, faults.wish("o", "told", "explain"), cols=120)
        term.finish()
        t.ok(line in one_line(term.text()), "and so has an explanation", term.text())
        term = Terminal(home, faults.wish("o", "counted"), cols=120)
        term.wait_for("uit")
        term.send("q")
        term.finish()
        t.ok(line in one_line(term.text()), "and the review", term.text())


def check_none(t, server):
    """No price is guessed."""
    with Priced(server, rows="") as home:
        result = ask(home, "o", "counted", "--dry-run")
        t.ok("20 out · " in one_line(result.out) and "USD" not in result.out
             and "0.00" not in result.out,
             "a model without a row shows its tokens and no price",
             result.out)
    with Priced(server, rows="* * 1 1 1 1 USD 2026-01-02 test\n",
                near=True) as home:
        result = ask(home, "o", "counted", "--dry-run", "-o", "json")
        got = facts(result)
        t.ok(got.get("tokens_in") == 942 and "cost" not in got,
             "a server on this machine has no price", result.out)
    with Priced(server, rows="models.example fault 1,5\n") as home:
        result = ask(home, "o", "counted", "-y")
        t.ok(result.status == 0 and home.read("ran.txt") == "good\n"
             and result.err.count("prices:1: in must be a number") == 1,
             "a wrong row is named, and the run goes on", result.err)
    with Home() as home:
        result = home.run([faults.AI, "run", "--offline", "--dry-run", "-o",
                           "json", "show", "disk", "space"])
        t.is_((result.status, facts(result)), (0, {}),
              "the offline engine has no tokens", result.out)


def costs(home):
    result = home.run([faults.AI, "log", "--cost", "-o", "json"])
    return json.loads(result.out, parse_float=str)


def check_total(t, server):
    with Priced(server) as home:
        for _ in range(3):
            ask(home, "o", "counted", "-y")
        ask(home, "o", "raw-newline,raw-newline", "-y")  # asked twice
        home.run([faults.AI, "run", "--offline", "--dry-run", "show", "disk",
                  "space"])
        name = home.run([faults.AI, "log", "-n", "5", "-o", "json"]).out
        last = [r["run"] for r in json.loads(name)["runs"]
                if r["outcome"] == "done"][-1]
        shown = home.run([faults.AI, "log", last]).out
        t.ok("cost: 0.000577 USD" in shown and "tokens_cached: 600" in shown
             and "price: in 1.00 cached 0.10 written 1.25 out 5.00 USD"
             in shown, "the record has tokens, cost and the price of the time",
             shown)
        # a later price changes nothing of what was
        home.prices("")
        ask(home, "o", "counted", "-y")
        got = costs(home)
        days = got["costs"]
        t.is_([(d["provider"], d["runs"], d["runs_without_price"])
               for d in days if d["model"] == MODEL], [("openai", 4, 1)],
              "runs are totalled by day and model", days)
        t.is_([(d["tokens_in"], d["tokens_cached"], d["tokens_out"],
                d["cost"]) for d in days if d["model"] == MODEL],
              [(4 * 942, 4 * 600, 80, "0.001731")], "with the exact amount",
              days)
        failed = [d for d in days if d["model"] != MODEL]
        t.ok(len(failed) == 1 and failed[0]["tokens_in"] == 84
             and failed[0]["runs"] == 1,
             "a run that failed after answers has cost these", days)
        check_total_text(t, home)


def check_total_text(t, home):
    result = home.run([faults.AI, "log", "--cost"])
    today = datetime.date.today().isoformat()
    lines = result.out.splitlines()
    t.ok(lines[0] == today
         and any(MODEL in s and "4 runs" in s
                 and "3768 in (2400 cached, 1200 written), 80 out" in s
                 and "0.0017 USD, and 1 without a price" in s
                 for s in lines)
         and lines[-1] == "Total  0.0017 USD",
         "as text too", result.out, result.err)
    lines = home.run([faults.AI, "log", "--cost", "-o",
                      "jsonl"]).out.splitlines()
    t.is_([json.loads(s)["day"] for s in lines], [today] * len(lines),
          "and a line each", lines)
    for more in (["-n", "3"], ["--verify"], ["-s", "x"], ["--tools"], ["x"]):
        result = home.run([faults.AI, "log", "--cost", *more])
        t.is_(result.status, 2, "--cost with %s is wrong usage"
              % " ".join(more), result.err)


def rewrite(home, change):
    """Changes the bodies of all rows, as an older or another program left
    them."""
    with home.journal() as base:
        for seq, text in base.execute("SELECT seq, body FROM row").fetchall():
            body = json.loads(text)
            change(body)
            base.execute("UPDATE row SET body = ? WHERE seq = ?",
                         (json.dumps(body), seq))


def check_old(t, server):
    def age(body):
        for name in ("tokens_cached", "tokens_cache_written", "cost", "price",
                     "tokens_reasoning"):
            body.pop(name, None)

    def spoil(body):
        if "tokens_in" in body:
            body.update(tokens_in="many", tokens_out=2**63 - 1, cost="-1 USD",
                        model="\x1b[31mred\n" + "x" * 500)

    with Priced(server) as home:
        t.is_(costs(home), {"costs": [], "totals": []},
              "without a journal there is nothing to total")
        ask(home, "o", "counted", "-y")
        rewrite(home, age)
        result = home.run([faults.AI, "log", "--cost"])
        t.ok(result.status == 0 and "942 in, 20 out  no price" in result.out
             and "Total" not in result.out, "an older journal still reads",
             result.out, result.err)
        ask(home, "o", "counted", "-y")
        rewrite(home, spoil)
        result = home.run([faults.AI, "log", "--cost"])
        t.ok(result.status == 0 and "\x1b" not in result.out
             and ", %d out" % (2**63 - 1) in result.out,
             "what another program wrote does no harm", result.out,
             result.err)


def main():
    t = tap.Tap()
    with Server() as server:
        for check in (check_json, check_text, check_none, check_total,
                      check_old):
            check(t, server)
    t.done()


if __name__ == "__main__":
    main()
