// page_task.js - what has happened in a task: its events become items, each of
// them a piece of the transcript. Nothing here touches the document.

const ITEM_BYTES = 16 * 1024;  // a longer message goes on in another item
const HELD_EVENTS = 400;       // how many a task that is opened begins with

// How states are shown, whatever the gateway calls them.
const GROUPS = [
  { key: "running", title: "Running", states: ["running", "starting", "in_progress", "working", "active", "cancelling", "stopping"] },
  { key: "idle", title: "Turn ended", states: ["idle", "waiting", "review", "in_review", "paused", "ready"] },
  { key: "queued", title: "Queued", states: ["queued", "pending", "scheduling", "scheduled", "retrying"] },
  { key: "new", title: "Not started", states: ["created", "new", "todo", "backlog", "draft", ""] },
  { key: "failed", title: "Failed or stopped", states: ["failed", "error", "cancelled", "canceled", "stopped", "interrupted", "marked", "blocked"] },
  { key: "done", title: "Done", states: ["completed", "complete", "done", "finished", "archived"] },
];

function groupOf(task) {
  const state = textOf(task.state).toLowerCase();
  return GROUPS.find((g) => g.states.includes(state)) || { key: "other", title: "Other", states: [] };
}

class Transcript {
  constructor(id) {
    this.id = id;
    this.items = [];
    this.tools = new Map();   // tool call id -> item
    this.plan = [];
    this.usage = {};
    this.first = 0;           // number of the oldest event that is held
    this.last = 0;            // of the newest one
    this.ahead = 0;           // the newest one that came too early
    this.asks = new Map();    // request id -> item
  }

  // What is later than this number comes by take().
  begin(after) {
    this.first = after + 1;
    this.last = after;
  }

  // Takes a notification, if it is the next one: what comes twice is left out,
  // and so is what comes early, by another subscription. True: it was taken.
  take(action, payload) {
    const seq = Number.isInteger(payload.seq) ? payload.seq : 0;
    if (seq > 0) {
      if (this.first === 0 || seq <= this.last) return false;
      if (seq > this.last + 1) {
        this.ahead = Math.max(this.ahead, seq);
        return false;
      }
      this.last = seq;
    }
    this.apply(action, payload);
    return true;
  }

  // Events from before the oldest one, oldest first.
  takeOlder(list) {
    const rest = new Transcript(this.id);
    const first = list.length ? list[0].seq : 0;
    if (!Number.isInteger(first) || first < 1 || first >= this.first) return 0;
    rest.begin(first - 1);
    for (const payload of list)
      if (payload.seq < this.first) rest.take(payload.action || "acp." + textOf(payload.type), payload);
    for (const item of rest.items) item.open = false;
    for (const [id, item] of rest.tools) {
      const later = this.tools.get(id);
      if (!later) {
        this.tools.set(id, item);
        continue;
      }
      later.tool = { ...item.tool, ...later.tool };
      rest.items.splice(rest.items.indexOf(item), 1);
    }
    this.items.unshift(...rest.items);
    this.first = rest.first;
    if (!this.plan.length) this.plan = rest.plan;
    return rest.items.length;
  }

  get newest() {
    return this.items[this.items.length - 1];
  }

  add(kind, payload, more) {
    const before = this.newest;
    if (before && before.open) { before.open = false; before.changed = true; }
    const item = { kind, text: "", time: textOf(payload.timestamp), open: false, changed: true, ...more };
    this.items.push(item);
    return item;
  }

  // Text that comes in pieces is one message until something else comes.
  append(kind, payload, text) {
    let item = this.newest;
    if (text === "") return;
    if (!item || item.kind !== kind || !item.open) {
      item = this.add(kind, payload, { open: true });
    } else if (item.text.length + text.length > ITEM_BYTES &&
               (item.text.endsWith("\n") || item.text.length > 2 * ITEM_BYTES)) {
      const inCode = (item.text.match(/^\s*(```|~~~)/gm) || []).length % 2 === 1;
      item = this.add(kind, payload, { open: true, more: true, text: inCode ? "```\n" : "" });
    }
    item.text += text;
    item.changed = true;
  }

  apply(action, payload) {
    const kind = action.startsWith("acp.") ? action.slice(4) : textOf(payload.type) || action;
    const data = payload.data === undefined ? payload : payload.data;
    const object = data && typeof data === "object" ? data : {};
    switch (kind) {
    case "content": this.append("agent", payload, textOf(data)); break;
    case "toolCall": this.toolCall(payload, object); break;
    case "update": this.update(payload, object); break;
    case "result": this.ended(payload, object); break;
    case "error":
      this.add("error", payload, { text: [object.message ?? data, object.details].map(textOf).filter(Boolean).join("\n") });
      break;
    case "permission": this.asked(payload, object); break;
    case "permissionAnswered": case "permissionExpired": case "permissionWithdrawn":
      this.answered(kind, payload, object); break;
    case "prompt": case "prompted": case "task.prompt": case "task.prompted":
      this.add("user", payload, { text: textOf(object.prompt ?? object.text ?? data) }); break;
    case "log": this.add("note", payload, { text: [object.level, object.message ?? textOf(data)].filter(Boolean).join(": ") }); break;
    case "progress": this.progress(payload, object); break;
    case "status": this.add("note", payload, { text: "status: " + textOf(object.status ?? object.message ?? data) }); break;
    case "heartbeat": break;
    default:
      if (action.startsWith("task.") || action.startsWith("prompt.")) break;
      this.add("note", payload, { text: kind + ": " + oneLine(textOf(data), 400) });
    }
  }

  toolCall(payload, data) {
    const id = textOf(data.toolCallId ?? data.tool_call_id ?? data.id);
    const name = textOf(data.toolName ?? data.tool_name ?? data.name);
    const key = id || "name:" + name;
    let item = this.tools.get(key);
    // the dialect has no ids: a call of the same name that is over was another one
    if (item && !id && ["completed", "failed"].includes(item.tool.status)) item = null;
    if (!item) {
      item = this.add("tool", payload, { tool: {} });
      this.tools.set(key, item);
    }
    const tool = item.tool;
    const status = textOf(data.status).toLowerCase();
    const states = { running: "in_progress", complete: "completed", success: "completed", done: "completed", error: "failed" };
    if (status) tool.status = states[status] || status;
    if (data.title ?? name) tool.title = textOf(data.title) || name;
    if (data.kind) tool.kind = textOf(data.kind);
    if (Array.isArray(data.content)) tool.content = data.content;
    const given = data.rawInput ?? data.args ?? data.input;
    if (given != null) tool.input = given;
    const result = data.rawOutput ?? data.output ?? data.result;
    if (result != null) tool.output = result;
    if (Array.isArray(data.locations)) tool.places = data.locations;
    item.changed = true;
  }

  update(payload, data) {
    const update = data.update && typeof data.update === "object" ? data.update : data;
    switch (textOf(update.sessionUpdate ?? update.type)) {
    case "agent_message_chunk": this.append("agent", payload, textOf(update.content)); break;
    case "user_message_chunk": this.append("user", payload, textOf(update.content)); break;
    case "agent_thought_chunk": this.append("thought", payload, textOf(update.content)); break;
    case "tool_call": case "tool_call_update": this.toolCall(payload, update); break;
    case "plan":
      if (Array.isArray(update.entries)) this.plan = update.entries.filter((e) => e && typeof e === "object");
      break;
    case "usage_update": this.usage = { ...this.usage, ...update }; break;
    case "available_commands_update": case "session_info_update": case "config_option_update": break;
    case "current_mode_update":
      this.add("note", payload, { text: "mode: " + textOf(update.currentModeId) }); break;
    default:
      this.add("note", payload, { text: textOf(update.sessionUpdate ?? update.type ?? "update") + ": " +
                                        oneLine(textOf(update.message ?? update), 400) });
    }
  }

  progress(payload, data) {
    const parts = [data.progress != null ? textOf(data.progress) + " %" : "", data.stage, data.current_file, data.message];
    const text = parts.map(textOf).filter(Boolean).join(" \u00b7 ");
    const item = this.newest && this.newest.progress ? this.newest : this.add("note", payload, { progress: true });
    item.text = text;
    item.changed = true;
  }

  ended(payload, data) {
    const why = textOf(data.stop_reason ?? data.stopReason ?? data.status);
    const good = data.success !== false && !["refusal", "cancelled", "failed"].includes(why);
    const text = [good ? "Turn ended" : "Turn ended without success", why && why !== "end_turn" ? why : "",
      textOf(data.summary ?? data.message)].filter(Boolean).join(": ");
    // the agent's own word and the gateway's are one
    const item = this.newest && this.newest.kind === "end" ? this.newest : this.add("end", payload, {});
    if (text.length >= item.text.length) item.text = text;
    item.bad = item.bad || !good;
    item.changed = true;
  }

  asked(payload, data) {
    const id = textOf(data.request_id);
    const known = this.asks.get(id);
    if (known) return;
    this.asks.set(id, this.add("question", payload, { text: "Asked: " + textOf(data.title), options: data.options }));
  }

  answered(kind, payload, data) {
    const item = this.asks.get(textOf(data.request_id));
    const by = textOf(data.answered_by ?? data.by);
    const id = textOf(data.option_id);
    const options = item && Array.isArray(item.options) ? item.options : [];
    const option = options.find((o) => o && textOf(o.optionId ?? o.option_id) === id);
    const what = kind === "permissionExpired" ? "nobody answered in time"
      : kind === "permissionWithdrawn" ? "withdrawn"
      : "answered: " + (textOf(option && option.name) || id) + (by ? " (" + by + ")" : "");
    if (!item) {
      this.add("note", payload, { text: "A question: " + what });
      return;
    }
    item.answer = what;
    item.changed = true;
  }

  // A text by which an item is found.
  static words(item) {
    return item.kind === "tool"
      ? [item.tool.title, textOf(item.tool.input), textOf(item.tool.content), textOf(item.tool.output)].join("\n")
      : item.text;
  }
}
