# SPDX-License-Identifier: GPL-3.0-or-later
"""status.py - faults that an HTTP status tells."""

import email.utils
import time

from .answer import HOSTILE
from .table import fault

RETRIED = (2, 2)  # with max_retries = 1
HTML = (b"<!DOCTYPE html><html><head><title>Wait</title></head><body>"
        b"<h1>The proxy says hello</h1></body></html>\n")


def failing(name, what, kind, message, **more):
    """A row that is one error in the provider's shape."""
    status = more.pop("status", None)
    headers = more.pop("headers", lambda x: ())

    @fault(name, what, exit=3, **more)
    def play(x):
        x.fail(kind, message, headers(x), status)


failing("bad-request", "400 for no reason that a client could mend", "bad",
        "the request cannot be read")
failing("unauthorized", "401", "auth", "the key is not valid")
failing("forbidden", "403", "forbidden", "the key may not use this model")
failing("not-found", "404 in the provider's shape: no such model", "missing",
        "there is no such model")
failing("too-large", "413", "large", "the request is too large")
failing("context-length", "400 for a conversation that is too long", "bad",
        "the context window of 4096 tokens is exceeded")
failing("server-500", "500", "server", "something broke", requests=RETRIED)
failing("mistake-500", "500 for a mistake of the client's", "server",
        "invalid messages: role is not known", requests=RETRIED)
failing("gateway-502", "502", "gateway", "the upstream is away",
        requests=RETRIED)
failing("away-503", "503", "away", "the model is being loaded",
        requests=RETRIED)
failing("overloaded", "529", "overloaded", "too many people ask",
        requests=RETRIED)
failing("rate", "429 without Retry-After", "rate", "too many requests",
        requests=RETRIED)
failing("rate-seconds", "429, Retry-After in seconds", "rate",
        "too many requests", requests=RETRIED,
        headers=lambda x: [("Retry-After", "%d" % (x.number or 1))])
failing("rate-date", "429, Retry-After as a date", "rate",
        "too many requests", requests=RETRIED,
        headers=lambda x: [("Retry-After", email.utils.formatdate(
            time.time() + (x.number or 2), usegmt=True))])
failing("rate-far", "429, Retry-After of a day: not waited for", "rate",
        "too many requests", headers=lambda x: [("Retry-After", "86400")])
failing("rate-junk", "429, a Retry-After that says nothing", "rate",
        "too many requests", requests=RETRIED,
        headers=lambda x: [("Retry-After", "soon; -1")])


def echo_message(x):
    return "Incorrect API key provided: %s." % x.wire.key(x.request)


@fault("key-echo", "401 that quotes the key", exit=3)
def key_echo(x):
    x.fail("auth", echo_message(x))


@fault("key-echo-400", "400 that quotes the key", exit=3)
def key_echo_400(x):
    x.fail("bad", echo_message(x))


@fault("key-echo-long", "a long 403 full of the key: a cut shows no part",
       exit=3)
def key_echo_long(x):
    keys = " ".join([x.wire.key(x.request)] * 40)
    x.fail("forbidden", "." * int(x.number or 0) + keys)


@fault("error-200", "status 200 with an error as JSON", exit=3,
       requests=(1, 2))
def error_200(x):
    x.fail("server", "something broke", status=200)


@fault("hostile-error", "an error with escape sequences in its words", exit=3)
def hostile_error(x):
    x.fail("bad", HOSTILE)


@fault("numeric-code", "400 whose error.code is a number", exit=3, wires="o")
def numeric_code(x):
    x.fail("bad", "", value={"object": "error", "error": {
        "message": "the template cannot be used", "type": "BadRequest",
        "param": None, "code": 400}})


@fault("flat-error", "400 whose error is not in an object", exit=3, wires="o")
def flat_error(x):
    x.fail("bad", "", value={"object": "error", "code": 400, "param": None,
                             "message": "the template cannot be used"})


@fault("odd-error", "an error in the shape of another provider", exit=3)
def odd_error(x):
    x.fail("bad", "", value={
        "o": {"error": "the template cannot be used"},
        "a": {"message": "the template cannot be used"},
        "g": [x.wire.error("bad", "the template cannot be used")],
        "l": {"error": {"message": "the template cannot be used",
                        "type": "invalid_request_error", "code": 400}},
    }[x.wire.letter])


@fault("cap", "the spending cap is reached: not tried again", exit=3,
       wires="oag")
def cap(x):
    message = "the quota of this account is used up; see its billing page"
    if x.wire.letter == "o":
        x.fail("rate", "", value={"error": {
            "message": message, "type": "insufficient_quota", "param": None,
            "code": "insufficient_quota"}})
    elif x.wire.letter == "a":
        x.fail("bad", "the credit balance is too low to use this API")
    else:
        x.fail("rate", "", value=gemini_quota(
            x, message, "GenerateRequestsPerDayPerProjectPerModel", "50"))


@fault("cap-zero", "a quota of 0: not tried again", exit=3, wires="g")
def cap_zero(x):
    x.fail("rate", "", value=gemini_quota(
        x, "this model is not in the free tier",
        "GenerateRequestsPerMinutePerProjectPerModel", "0"))


@fault("rate-quota", "429 for a quota of one minute: tried again", exit=3,
       wires="g", requests=RETRIED)
def rate_quota(x):
    x.fail("rate", "", value=gemini_quota(
        x, "too many requests", "GenerateRequestsPerMinutePerProject", "10"))


@fault("cap-402", "402: no credit left", exit=3, wires="o")
def cap_402(x):
    x.fail("rate", "no credit is left", status=402)


def gemini_quota(x, message, quota, value):
    error = x.wire.error("rate", message)
    google = "type.googleapis.com/google.rpc."
    error["error"]["details"] = [
        {"@type": google + "QuotaFailure", "violations": [
            {"quotaMetric": "generate_content_requests", "quotaId": quota,
             "quotaDimensions": {"model": "fault"}, "quotaValue": value}]},
        {"@type": google + "RetryInfo", "retryDelay": "1s"}]
    return error


@fault("html-502", "502 with a page of HTML", exit=3, requests=RETRIED)
def html_502(x):
    x.whole(502, HTML, "text/html; charset=utf-8")


@fault("html-404", "404 with a page of HTML: a wrong base URL", exit=3)
def html_404(x):
    x.whole(404, HTML, "text/html")


@fault("html-200", "200 with a page of HTML", exit=3)
def html_200(x):
    x.whole(200, HTML, "text/html")


@fault("plain-400", "400 with plain words", exit=3)
def plain_400(x):
    x.whole(400, b"the template cannot be used\n", "text/plain")


@fault("plain-200", "200 with plain words", exit=4)
def plain_200(x):
    x.whole(200, b"I am alive\n", "text/plain")


@fault("loading-503", "503 with a number for a code: a model is loaded",
       exit=3, wires="o", requests=RETRIED)
def loading_503(x):
    x.fail("away", "", value={"error": {
        "code": 503, "message": "Loading model", "type": "unavailable_error"}})


@fault("empty-500", "500 without a body", exit=3, requests=RETRIED)
def empty_500(x):
    x.whole(500, b"")


@fault("empty-200", "200 without a body", exit=4)
def empty_200(x):
    x.whole(200, b"", x.wire.stream_type)
