// page_board.js - the tasks by their states, and before them what waits for a
// person, of whichever task.

const COLUMN_CARDS = 100;

class Board {
  constructor(answer) {
    this.answer = answer;      // (ask, option): sends it
    this.tasks = new Map();    // id -> task
    this.asks = new Map();     // task id, line end, request id -> question
    this.columns = new Map();  // key of a group -> its element, and what it shows
    this.open = null;          // id of the task that is shown
    this.filter = "";
  }

  static key(taskId, requestId) { return taskId + "\n" + requestId; }

  put(task) {
    if (!task || typeof task.id !== "string") return;
    this.tasks.set(task.id, { ...this.tasks.get(task.id), ...task });
  }

  ask(taskId, data) {
    const key = Board.key(taskId, textOf(data.request_id));
    if (!this.asks.has(key)) this.asks.set(key, { ...data, task_id: taskId, request_id: textOf(data.request_id) });
  }

  settle(taskId, requestId) {
    this.asks.delete(Board.key(taskId, textOf(requestId)));
  }

  title(id) {
    const task = this.tasks.get(id);
    return oneLine((task && task.title) || id, 120);
  }

  // Elements are kept where they stand for the same, so that the focus stays.
  askNode(ask, withTask) {
    const options = Array.isArray(ask.options) ? ask.options.filter((o) => o && typeof o === "object") : [];
    const id = "ask-" + newId();
    const buttons = options.slice(0, 12).map((option) => {
      const kind = textOf(option.kind);
      return make("button", {
        type: "button",
        "aria-describedby": id,
        class: kind.startsWith("reject") ? "danger" : kind === "allow_once" ? "primary" : null,
        click: () => this.answer(ask, option),
      }, oneLine(option.name ?? option.optionId ?? option.option_id ?? "?", 80));
    });
    const tool = (ask.toolCall ?? ask.tool_call) || {};
    const more = make("div", null);
    toolContent(more, { input: ask.command ?? tool.rawInput, content: Array.isArray(tool.content) ? tool.content : ask.content }, textOf(ask.title));
    return make("div", { class: "ask" },
      withTask ? make("p", { class: "ask-from" }, make("a", { href: "#task/" + encodeURIComponent(ask.task_id) }, this.title(ask.task_id))) : null,
      make("p", { class: "ask-title", id }, visible(textOf(ask.title) || "The agent asks for permission").slice(0, 4000)),
      more.firstChild ? more : null,
      ask.expires_at ? make("p", { class: "quiet" }, "It is withdrawn at " + clockText(ask.expires_at) + ".") : null,
      make("div", { class: "ask-buttons", role: "group", "aria-labelledby": id }, ...buttons));
  }

  drawAsks(list, section, asks, withTask) {
    const wanted = new Set(asks.map((a) => Board.key(a.task_id, a.request_id)));
    const had = list.contains(document.activeElement);
    for (const node of [...list.children]) if (!wanted.has(node.askKey)) node.remove();
    const there = new Set([...list.children].map((n) => n.askKey));
    for (const ask of asks) {
      const key = Board.key(ask.task_id, ask.request_id);
      if (there.has(key)) continue;
      const node = list.tagName === "UL" ? make("li", null, this.askNode(ask, withTask)) : this.askNode(ask, withTask);
      node.askKey = key;
      list.append(node);
    }
    section.hidden = asks.length === 0;
    // the question that was answered is gone: on with the next one
    if (had && !list.contains(document.activeElement)) {
      const next = list.querySelector("button") ||
        [byId("prompt"), ...document.querySelectorAll(".card")].find((n) => n && n.offsetParent);
      (next || byId("main")).focus();
    }
  }

  matches(task) {
    const words = this.filter.toLowerCase().split(/\s+/).filter(Boolean);
    const text = [task.title, task.description, task.agent_type, task.state, task.id].map(textOf).join("\n").toLowerCase();
    return words.every((w) => text.includes(w));
  }

  cardNode(task) {
    const waiting = [...this.asks.values()].filter((a) => a.task_id === task.id).length;
    const facts = [task.agent_type, groupOf(task).key === "failed" ? task.state : "",
      task.prompts > 0 ? task.prompts + " queued" : "", ageText(task.updated_at)].map((f) => oneLine(textOf(f), 40)).filter(Boolean);
    return make("a", {
      class: "card",
      href: "#task/" + encodeURIComponent(task.id),
      "aria-current": this.open === task.id ? "true" : null,
      "data-id": task.id,
    }, make("b", null, oneLine(task.title || task.id, 160)),
    waiting ? make("span", { class: "flag" }, waiting === 1 ? "waits for your answer" : "waits for " + waiting + " answers") : null,
    task.error && groupOf(task).key === "failed" ? make("span", { class: "why quiet" }, oneLine(task.error, 120)) : null,
    make("span", { class: "quiet" }, facts.join(" \u00b7 ")));
  }

  // A column is made anew where something in it has changed.
  columnNode(group, tasks) {
    const cards = tasks.slice(0, COLUMN_CARDS);
    const waiting = [...this.asks.values()].map((a) => a.task_id);
    const now = JSON.stringify([tasks.length, cards.map((t) => [t.id, t.title, t.agent_type, t.state, t.prompts, t.error,
      ageText(t.updated_at), this.open === t.id, waiting.filter((w) => w === t.id).length])]);
    const before = this.columns.get(group.key);
    if (before && before.now === now) return before.node;
    const id = "column-" + group.key;
    const node = make("section", { class: "column" + (tasks.length ? "" : " empty"), "aria-labelledby": id },
      make("h3", { id }, group.title, make("span", { class: "count" }, String(tasks.length))),
      tasks.length ? make("ul", { class: "plain" }, ...cards.map((t) => make("li", null, this.cardNode(t))))
        : make("p", { class: "quiet" }, "none"),
      tasks.length > cards.length ? make("p", { class: "quiet" }, "and " + (tasks.length - cards.length) + " more: search for them") : null);
    this.columns.set(group.key, { now, node });
    return node;
  }

  draw() {
    const columns = byId("columns");
    const focused = columns.contains(document.activeElement) ? document.activeElement.dataset.id : null;
    const places = [byId("board").scrollTop, byId("main").scrollTop];
    const groups = new Map();
    for (const group of GROUPS) groups.set(group.key, { group, tasks: [] });
    const all = [...this.tasks.values()];
    for (const task of all) {
      const group = groupOf(task);
      if (!this.matches(task)) continue;
      if (!groups.has(group.key)) groups.set(group.key, { group, tasks: [] });
      groups.get(group.key).tasks.push(task);
    }
    let shown = 0;
    const nodes = [];
    for (const { group, tasks } of groups.values()) {
      tasks.sort((a, b) => textOf(b.updated_at).localeCompare(textOf(a.updated_at)));
      shown += tasks.length;
      nodes.push(this.columnNode(group, tasks));
    }
    if (nodes.some((n, i) => columns.children[i] !== n) || columns.children.length !== nodes.length)
      columns.replaceChildren(...nodes);
    const note = byId("board-note");
    columns.hidden = shown === 0;
    note.hidden = shown > 0 || !this.loaded;
    note.textContent = all.length ? "No task has these words." : "There is no task yet. Begin one with New task.";
    [byId("board").scrollTop, byId("main").scrollTop] = places;
    if (focused) columns.querySelector('[data-id="' + CSS.escape(focused) + '"]')?.focus({ preventScroll: true });
    this.drawAsks(byId("waiting-list"), byId("waiting"),
      [...this.asks.values()].filter((a) => a.task_id !== this.open), true);
  }
}

function ageText(time) {
  const s = (Date.now() - new Date(time).getTime()) / 1000;
  if (!Number.isFinite(s)) return "";
  if (s < 60) return "just now";
  if (s < 3600) return Math.floor(s / 60) + " min ago";
  if (s < 86400) return Math.floor(s / 3600) + " h ago";
  return Math.floor(s / 86400) + " d ago";
}
