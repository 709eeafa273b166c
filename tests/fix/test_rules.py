# SPDX-License-Identifier: GPL-3.0-or-later
"""test_rules.py - each rule of ai fix, by the failure of a real program."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))

import tap
import failures


def main():
    t = tap.Tap()
    here = os.path.dirname(os.path.abspath(__file__))
    for case in tap.sample(failures.read(os.path.join(here, "failures.txt"))):
        name = "%s: %s" % (case.rule, case.run)
        if not failures.is_possible(case):
            t.skip(name, "needs " + " ".join(case.needs or ["the user"]))
            continue
        with failures.Place(case) as place:
            status, text = place.fail()
            rule, title, _ = place.rule(status, text)
            steps = place.fix(status, text)
            seen = ("status %d, rule %s: %s" % (status, rule, title), text,
                    "steps: %r" % (steps,))
            right = rule == case.rule and status != 0 and \
                steps is not None and \
                place.plain(steps) == place.plain(case.steps)
            if not t.ok(right, name, *seen) or case.plan_only:
                continue
            if steps:
                ran, told = place.repaired(steps)
                t.ok(ran, "the plan repairs it: " + case.run, *told)
    t.done()


main()
