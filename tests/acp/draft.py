# SPDX-License-Identifier: GPL-3.0-or-later
"""draft.py - an editor that speaks the draft of version 2, for tests.

Every message of the agent is checked: by the draft's JSON schema where
AGENTSH_ACP_SCHEMA names the file and the module jsonschema is there, and in any
case by SHAPES below, the members that the schema has for what the agent sends.
A member that is not in them is a fault, too."""

import json
import os

from editor import Editor
from talk import Talk

import faults  # noqa: E402

SCHEMA = os.environ.get("AGENTSH_ACP_SCHEMA")


class Opt:
    """A member that may be missing."""

    def __init__(self, shape):
        self.shape = shape


class Enum:
    def __init__(self, *words):
        self.words = words


class Tagged:
    """An object whose member `tag` says which of the shapes it has."""

    def __init__(self, tag, **shapes):
        self.tag, self.shapes = tag, shapes


ANY = object()
TEXT = {"type": Enum("text"), "text": str}
BLOCK = Tagged("type", text={"text": str},
               resource_link={"name": str, "uri": str},
               resource={"resource": ANY})
CHANGE = {"operation": Enum("add", "delete", "modify"), "path": str,
          "fileType": Opt(Enum("text"))}
CONTENT = Tagged(
    "type", content={"content": BLOCK},
    diff={"changes": [CHANGE],
          "patch": Opt({"format": Enum("git_patch"), "text": str})})
CALL = {"toolCallId": str, "name": Opt(str), "title": Opt(str),
        "kind": Opt(Enum("read", "edit", "delete", "execute", "other")),
        "status": Opt(Enum("pending", "in_progress", "completed", "failed",
                           "cancelled")),
        "content": Opt([CONTENT]), "locations": Opt([{"path": str}]),
        "rawInput": Opt(ANY), "rawOutput": Opt(ANY)}
OPTION = {"configId": str, "name": str, "category": Opt(str),
          "type": Enum("select"), "currentValue": str,
          "options": [{"value": str, "name": str, "description": Opt(str)}]}
COMMAND = {"type": Enum("command"), "name": str, "description": str,
           "input": {"type": Enum("text"), "hint": str}}
ENTRY = {"content": str, "priority": Enum("high", "medium", "low"),
         "status": Enum("pending", "in_progress", "completed", "cancelled")}
MESSAGE = {"messageId": str, "content": [BLOCK]}
CHUNK = {"messageId": str, "content": BLOCK}
IDLE = {"stopReason": Opt(Enum("end_turn", "max_turn_requests", "cancelled",
                               "error")),
        "error": Opt({"code": int, "message": str})}
UPDATE = Tagged(
    "sessionUpdate", user_message=MESSAGE, agent_message=MESSAGE,
    user_message_chunk=CHUNK, agent_message_chunk=CHUNK,
    state_update=Tagged("state", running={}, requires_action={}, idle=IDLE),
    tool_call_update=CALL,
    plan_update={"plan": {"type": Enum("items"), "planId": str,
                          "entries": [ENTRY]}},
    session_info_update={"title": str},
    usage_update={"used": int, "size": int,
                  "cost": Opt({"amount": (int, float), "currency": str})},
    notice={"severity": Enum("info", "warning", "error"), "title": str})
QUESTION = {
    "sessionId": str, "title": str, "description": Opt(str),
    "subject": Tagged("type", tool_call={"toolCall": CALL},
                      command={"command": str, "cwd": str, "toolCallId": str}),
    "options": [{"optionId": str, "name": str,
                 "kind": Enum("allow_once", "allow_always", "reject_once")}]}
SESSION = {"configOptions": [OPTION], "availableCommands": [COMMAND]}
METHOD = Tagged("type", agent={"methodId": str, "name": str,
                               "description": str},
                terminal={"methodId": str, "name": str, "description": str,
                          "args": [str]})
RESULTS = {
    "initialize": {
        "protocolVersion": int,
        "info": {"name": str, "title": str, "version": str},
        "capabilities": {"session": {
            "prompt": {"embeddedContext": {}}, "mcp": {"stdio": {}, "http": {}},
            "delete": {}, "additionalDirectories": {}}},
        "authMethods": [METHOD]},
    "auth/login": {}, "auth/logout": {},
    "session/new": {"sessionId": str, **SESSION},
    "session/resume": SESSION,
    "session/list": {"sessions": [{
        "sessionId": str, "cwd": str, "additionalDirectories": Opt([str]),
        "title": Opt(str), "updatedAt": Opt(str)}], "nextCursor": Opt(str)},
    "session/close": {}, "session/delete": {},
    "session/set_config_option": {"configOptions": [OPTION]},
    "session/prompt": {"messageId": str},
}
ERROR = {"code": int, "message": str, "data": Opt({"sessionId": str})}
PARAMS = {"session/update": {"sessionId": str, "update": UPDATE},
          "session/request_permission": QUESTION,
          "$/cancel_request": {"requestId": (int, str)}}
# the schema's names of the results and params
NAMES = {"initialize": "InitializeResponse",
         "auth/login": "LoginAuthResponse", "auth/logout": "LogoutAuthResponse",
         "session/new": "NewSessionResponse",
         "session/resume": "ResumeSessionResponse",
         "session/list": "ListSessionsResponse",
         "session/close": "CloseSessionResponse",
         "session/delete": "DeleteSessionResponse",
         "session/set_config_option": "SetSessionConfigOptionResponse",
         "session/prompt": "PromptResponse"}
CALLS = {"session/update": "UpdateSessionNotification",
         "session/request_permission": "RequestPermissionRequest",
         "$/cancel_request": "CancelRequestNotification"}


def object_faults(value, shape, at):
    for name, inner in shape.items():
        if name in value:
            yield from shape_faults(
                value[name], inner.shape if isinstance(inner, Opt) else inner,
                "%s.%s" % (at, name))
        elif not isinstance(inner, Opt):
            yield "%s.%s is missing" % (at, name)
    for name in set(value) - set(shape):
        yield "%s.%s is not in the draft" % (at, name)


def shape_faults(value, shape, at):
    """What is wrong with a value, in words."""
    if isinstance(shape, dict) and isinstance(value, dict):
        yield from object_faults(value, shape, at)
    elif isinstance(shape, list) and isinstance(value, list):
        for i, item in enumerate(value):
            yield from shape_faults(item, shape[0], "%s[%d]" % (at, i))
    elif isinstance(shape, Enum):
        if value not in shape.words:
            yield "%s is %r" % (at, value)
    elif isinstance(shape, Tagged):
        tag = value.get(shape.tag) if isinstance(value, dict) else None
        if tag not in shape.shapes:
            yield "%s.%s is %r" % (at, shape.tag, tag)
            return
        rest = {k: v for k, v in value.items() if k != shape.tag}
        yield from shape_faults(rest, shape.shapes[tag], "%s(%s)" % (at, tag))
    elif shape is not ANY and (isinstance(shape, (dict, list))
                               or not isinstance(value, shape)
                               or isinstance(value, bool)):
        yield "%s is %r" % (at, value)


class Schema:
    """The draft's own schema, where it is here."""

    def __init__(self):
        self.root = self.module = None
        if SCHEMA:
            import jsonschema
            self.module = jsonschema
            with open(SCHEMA, encoding="utf-8") as f:
                self.root = json.load(f)

    def faults(self, value, name):
        if not self.root:
            return []
        schema = {"$ref": "#/$defs/" + name, "$defs": self.root["$defs"]}
        return ["%s: %s" % (name, e.message) for e in
                self.module.Draft202012Validator(schema).iter_errors(value)]


class DraftEditor(Editor):
    """Keeps in `faults` what is wrong with the agent's messages, and in `log`
    what came, in order."""

    def __init__(self, *args, **env):
        self.faults, self.sent, self.log = [], {}, []
        self.schema = Schema()
        super().__init__(*args, **env)

    def send(self, message):
        if isinstance(message, dict) and "method" in message:
            self.sent[message.get("id")] = message["method"]
        super().send(message)

    def check(self, message):
        if "method" in message:
            value, name = message["params"], CALLS.get(message["method"])
            shape = PARAMS.get(message["method"])
        elif "error" in message:
            value, name, shape = message["error"], "Error", ERROR
        else:
            method = self.sent.get(message.get("id"))
            value, name = message["result"], NAMES.get(method)
            shape = RESULTS.get(method)
        if not name:
            self.faults.append("unknown: %s" % json.dumps(message)[:200])
            return
        self.faults += shape_faults(value, shape, name)
        self.faults += self.schema.faults(value, name)

    def take(self, message):
        self.check(message)
        self.log.append(message)
        super().take(message)

    def initialize(self, version=2, **capabilities):
        return self.request("initialize", {
            "protocolVersion": version,
            "info": {"name": "test-editor", "version": "1"},
            "capabilities": capabilities})

    def states(self):
        """The states that were told, with the reasons of those that are idle;
        a repeated one once."""
        seen = []
        for u in self.of("state_update"):
            word = u.get("stopReason", u["state"])
            if seen[-1:] != [word]:
                seen.append(word)
        return seen

    def until_idle(self, times=1):
        return self.until(lambda: len(
            [u for u in self.of("state_update") if u["state"] == "idle"])
            >= times)

    def messages(self, kind="agent"):
        """Whole texts by id, as an editor puts them together."""
        texts = {}
        for u in (u["update"] for u in self.updates):
            if u["sessionUpdate"] == kind + "_message":
                texts[u["messageId"]] = "".join(
                    c.get("text", "") for c in u["content"])
            elif u["sessionUpdate"] == kind + "_message_chunk":
                texts[u["messageId"]] = (texts.get(u["messageId"], "")
                                         + u["content"]["text"])
        return texts

    def calls_by_id(self):
        """Each tool call as its updates have made it."""
        calls = {}
        for u in self.of("tool_call_update"):
            calls.setdefault(u["toolCallId"], {}).update(u)
        return calls


class DraftTalk(Talk):
    """A talk whose settings allow the draft."""

    draft = True

    def __init__(self, *answers, **limits):
        self.settings = "[acp]\ndraft = %s\n" % ("on" if self.draft else "off")
        super().__init__(*answers, **limits)

    def start(self, *options, **env):
        self.place.config(faults.CONFIG % faults.PATIENT + self.settings)
        return DraftEditor(self.place, *options, AGENTSH_PROVIDER="openai",
                           AGENTSH_MODEL="m", **env)

    def statuses(self):
        return [c.get("status") for c in self.editor.calls_by_id().values()]

    def act(self, text="do it", times=1):
        """Prompts, and waits until the session is idle."""
        answer = self.prompt(text)
        self.editor.until_idle(times)
        return answer
