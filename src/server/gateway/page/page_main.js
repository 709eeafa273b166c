// page_main.js - the page: what is shown when, what a person does, and what
// the gateway is asked for.

const KEYS = [
  ["/", "Search the tasks", () => byId("search").focus()],
  ["n", "New task", () => openCreate()],
  ["w", "The next question that waits for you", () => focusAsk()],
  ["j", "Next task", () => stepCard(1)],
  ["k", "Task before", () => stepCard(-1)],
  ["p", "Write a message to the agent", () => current && byId("prompt").focus()],
  ["t", "Transcript", () => current && byId("log").focus()],
  ["f", "Find in the transcript", () => current && byId("find").focus()],
  ["?", "These keys", () => byId("keys").showModal()],
  ["Esc", "Back to the tasks", null],
];
const TASKS_HELD = 2000;  // on the board; search finds the others
const TOTALS_MS = 2000;  // between two looks at what all of them use
const GAP_MS = 1500;      // for a number that was left out to come

let current = null;             // Transcript of the task that is shown
const drafts = new Map();       // task id -> what was typed, and its own id
const board = new Board((ask, option) => answerAsk(ask, option));
const view = new TranscriptView(byId("log"), byId("older"), byId("newest"));
const link = new Link({ state: onState, notice: onNotice });
let boardTimer = null;
let gapTimer = null;
let queued = [];                // prompts of the task that is shown

function say(text) {
  byId("said").textContent = text;
}

// A line that goes by itself; what must be read stays elsewhere.
function note(text) {
  const box = make("div", { class: "note-box" }, oneLine(text, 300));
  byId("notes").append(box);
  while (byId("notes").children.length > 3) byId("notes").firstChild.remove();
  setTimeout(() => box.remove(), 6000);
}

function failed(what) {
  return (why) => note(what + ": " + (textOf(why.message) || textOf(why)));
}

// ---- the connection

function onState(state) {
  const words = { new: "Connecting", here: "Connected", lost: "Gateway lost", login: "Not logged in" };
  byId("link").dataset.state = state;
  if (byId("link-text").textContent !== words[state]) byId("link-text").textContent = words[state];
  const lost = byId("lost");
  if (state === "lost" && lost.hidden) {
    lost.hidden = false;
    lost.textContent = "The gateway is lost. What you see is from " + new Date().toLocaleTimeString() +
      "; this page goes on where it was as soon as the gateway is there again.";
  }
  if (state === "here") {
    if (!lost.hidden) say("The gateway is there again.");
    lost.hidden = true;
    load();
  }
  if (state === "login") {
    lost.hidden = true;
    if (!byId("login").open) byId("login").showModal();
  }
  drawTask();
}

async function load() {
  try {
    await link.call("task.subscribe", { task_id: "*", kinds: ["task", "permission"] });
    if (current) {
      if (current.first > 0) follow(current);
      openTask(current.id);
    }
    await loadAsks();
    let before;
    do {
      const page = await link.call("task.list", before ? { limit: 500, before } : { limit: 500 });
      for (const task of Array.isArray(page.tasks) ? page.tasks : []) board.put(task);
      before = page.next;
      board.loaded = true;
      drawSoon();
    } while (before && board.tasks.size < TASKS_HELD);
    loadAgents();
    loadTotals();
  } catch (why) {
    if (why.code !== "LOST") failed("The tasks cannot be read")(why);
  }
}

async function loadAsks() {
  const answer = await link.call("permission.list", {});
  const open = (Array.isArray(answer.permissions) ? answer.permissions : []).filter((p) => p && typeof p === "object");
  const there = new Set(open.map((p) => Board.key(p.task_id, p.request_id)));
  for (const key of [...board.asks.keys()]) if (!there.has(key)) board.asks.delete(key);
  for (const p of open) board.ask(textOf(p.task_id), p);
}

// What all tasks have used, and how busy the gateway is.
async function loadTotals() {
  if (!link.here) return;
  try {
    const [status, usage] = await Promise.all([link.call("orchestrator.status", {}), link.call("usage", {})]);
    const total = usage.total || {};
    const tokens = Number(total.tokens_in || 0) + Number(total.tokens_out || 0);
    byId("totals").hidden = false;
    byId("totals").textContent = [
      textOf(status.active_agents) + " of " + textOf(status.max_concurrent) + " agents at work",
      total.turns > 0 && numberText(total.turns) + " turns so far",
      tokens > 0 && numberText(tokens) + " tokens",
      total.cost > 0 && "$" + Number(total.cost).toFixed(2),
    ].filter(Boolean).join(" \u00b7 ");
  } catch {
    // it is shown when it is there
  }
}

let totalsTimer = null;
function totalsSoon() {
  if (!totalsTimer) totalsTimer = setTimeout(() => { totalsTimer = null; loadTotals(); }, TOTALS_MS);
}

async function loadAgents() {
  let agents = [];
  try {
    const answer = await link.call("agent.list", {});
    agents = Array.isArray(answer.agents) ? answer.agents : [];
  } catch {
    // a gateway that has no list takes its own default
  }
  agents = agents.filter((a) => a && typeof a.id === "string" && a.enabled !== false);
  const list = byId("create-agent");
  const chosen = list.value;
  list.replaceChildren(...(agents.length ? agents : [{ id: "agentsh" }]).map((a) =>
    make("option", { value: a.id }, oneLine(a.name || a.id, 60) + (a.available === false ? " (not found)" : ""))));
  if (agents.some((a) => a.id === chosen)) list.value = chosen;
}

function onNotice(action, payload) {
  const id = textOf(payload.task_id);
  const data = payload.data && typeof payload.data === "object" ? payload.data : {};
  if (action.startsWith("task.") && data.id) {
    board.put(data);
    drawSoon();
    totalsSoon();
  } else if (action === "acp.permission") {
    const n = board.asks.size;
    board.ask(id, { title: "", ...data });
    if (board.asks.size > n) say("Waiting for you: " + oneLine(textOf(data.title), 200));
    drawSoon();
  } else if (/^acp\.permission(Answered|Expired|Withdrawn)$/.test(action)) {
    board.settle(id, data.request_id);
    drawSoon();
  }
  if (!current || current.id !== id) return;
  if (current.take(action, payload)) {
    view.drawSoon();
    if (action.startsWith("task.")) drawTaskSoon(data);
    if (action === "acp.update") drawPlan();
    if (action === "acp.result") {
      say("The turn has ended.");
      if (byId("diff").open) loadDiff();
    }
  } else if (current.ahead > current.last) {
    checkGap();
  }
}

// What came early waits for what is before it; when that does not come, it is
// asked for again.
function checkGap() {
  if (gapTimer || !current) return;
  const transcript = current;
  const last = current.last;
  gapTimer = setTimeout(() => {
    gapTimer = null;
    if (transcript !== current || transcript.ahead <= transcript.last) return;
    if (transcript.last === last && link.here) follow(transcript);
    checkGap();
  }, GAP_MS);
}

function follow(transcript) {
  link.call("task.subscribe", { task_id: transcript.id, after: transcript.last })
    .catch((why) => { if (why.code !== "LOST") failed("The task cannot be followed")(why); });
}

// ---- the board

function drawSoon() {
  if (boardTimer) return;
  boardTimer = setTimeout(() => {
    boardTimer = null;
    board.draw();
    const n = board.asks.size;
    document.title = (n ? "(" + n + ") " : "") + (current ? board.title(current.id) + " \u00b7 " : "") + "agentsh";
    drawTask();
  }, 80);
}

async function answerAsk(ask, option) {
  try {
    await link.call("task.respond", { task_id: ask.task_id, request_id: ask.request_id,
      option_id: textOf(option.optionId ?? option.option_id ?? option.id) });
    say("Answered: " + oneLine(textOf(option.name), 80));
  } catch (why) {
    if (why.code === "LOST") { failed("Not answered")(why); return; }
    failed("Not answered")(why);
    if (!["FORBIDDEN", "NOT_FOUND"].includes(why.code)) return;
  }
  board.settle(ask.task_id, ask.request_id);
  drawSoon();
}

function cards() {
  return [...document.querySelectorAll(".card")].filter((c) => c.offsetParent);
}

function stepCard(by) {
  const all = cards();
  if (all.length === 0) return;
  const at = all.indexOf(document.activeElement);
  const open = all.findIndex((c) => c.getAttribute("aria-current"));
  const from = at >= 0 ? at : open;
  all[from < 0 ? 0 : Math.max(0, Math.min(all.length - 1, from + by))].focus();
}

function focusAsk() {
  const all = [...document.querySelectorAll(".ask-buttons button:first-child")].filter((b) => b.offsetParent);
  const at = all.findIndex((b) => b.parentNode.contains(document.activeElement));
  if (all.length) all[(at + 1) % all.length].focus();
  else if (board.asks.size) location.hash = "#";
  else say("Nothing waits for you.");
}

// ---- a task

function route() {
  const found = /^#task\/(.+)$/.exec(location.hash);
  let id = null;
  try {
    id = found && decodeURIComponent(found[1]);
  } catch {
    // an address that somebody typed
  }
  if (id === (current && current.id)) return;
  const before = current && current.id;
  if (current) {
    keepDraft();
    link.call("task.unsubscribe", { task_id: current.id }).catch(() => {});
  }
  current = null;
  board.open = id;
  document.body.dataset.view = id ? "task" : "board";
  byId("task").hidden = !id;
  byId("find").value = byId("find-note").textContent = "";
  if (id) {
    showTask(id);
  } else {
    view.show(null);
    board.draw();
    (document.querySelector('.card[data-id="' + CSS.escape(before || "") + '"]') || byId("main")).focus();
  }
  drawSoon();
}

function showTask(id) {
  current = new Transcript(id);
  queued = [];
  byId("diff").open = false;
  byId("diff-body").replaceChildren();
  const draft = drafts.get(id);
  byId("prompt").value = draft ? draft.text : "";
  view.show(current, loadOlder);
  byId("log").setAttribute("aria-busy", "true");
  drawTask();
  drawPlan();
  drawQueue();
  board.draw();
  byId("task-title").focus();
  scrollTo(0, 0);
  openTask(id);
}

async function openTask(id) {
  if (!link.here) return;
  const transcript = current;
  try {
    const task = await link.call("task.get", { id });
    if (transcript !== current) return;
    board.put(task);
    if (transcript.first === 0) {
      transcript.begin(Math.max(0, (task.last_seq || 0) - HELD_EVENTS));
      follow(transcript);
    }
    loadQueue();
    drawSoon();
    byId("log").removeAttribute("aria-busy");
  } catch (why) {
    if (why.code === "LOST" || transcript !== current) return;
    byId("task-error").hidden = false;
    byId("task-error").textContent = why.code === "NOT_FOUND" ? "There is no such task." : visible(textOf(why.message));
  }
}

async function loadOlder() {
  const transcript = current;
  if (!transcript || transcript.first <= 1) return 0;
  try {
    const answer = await link.call("task.events", { task_id: transcript.id, before: transcript.first, limit: 500 });
    if (transcript !== current || !Array.isArray(answer.events)) return 0;
    return transcript.takeOlder(answer.events.filter((e) => e && typeof e === "object"));
  } catch (why) {
    failed("What is older cannot be read")(why);
    return 0;
  }
}

function numberText(n) {
  return n >= 10000 ? Math.round(n / 1000).toLocaleString() + " k" : n.toLocaleString();
}

function factNodes(task) {
  const usage = task.usage || {};
  const limits = task.limits || {};
  const of = (n, limit, word) => (n > 0 ? numberText(n) + (limit ? " of " + numberText(limit) : "") + " " + word : null);
  const tokens = Number(usage.tokens_in || 0) + Number(usage.tokens_out || 0);
  const group = groupOf(task);
  const facts = [
    task.agent_type && "agent " + textOf(task.agent_type),
    of(usage.turns, limits.turns, usage.turns === 1 ? "turn" : "turns"),
    of(usage.minutes && Math.max(1, Math.round(usage.minutes)), limits.minutes, "min"),
    of(tokens, limits.tokens, "tokens"),
    usage.cost > 0 ? "$" + Number(usage.cost).toFixed(2) + (limits.cost ? " of $" + textOf(limits.cost) : "") : null,
    task.directory && "in " + textOf(task.directory),
    task.attempts > 1 ? "try " + task.attempts : null,
  ];
  return [make("span", { class: "state", "data-group": group.key }, group.key === "other" ? oneLine(textOf(task.state), 30) : group.title),
    ...facts.filter(Boolean).map((f) => make("span", null, oneLine(f, 200)))];
}

let factsShown = "";
function drawTask() {
  if (!current) return;
  const task = board.tasks.get(current.id) || { id: current.id, title: "", state: "" };
  const known = board.tasks.has(current.id);
  const group = groupOf(task).key;
  const title = known ? oneLine(task.title || task.id, 300) : "\u2026";
  if (byId("task-title").textContent !== title) byId("task-title").textContent = title;
  const facts = JSON.stringify([task.id, task.state, task.usage, task.limits, task.agent_type, task.attempts, task.directory]);
  if (known && facts !== factsShown) {
    factsShown = facts;
    byId("task-facts").replaceChildren(...factNodes(task));
  }
  byId("start").hidden = !known || !["new", "failed"].includes(group);
  byId("start").textContent = group === "failed" ? "Try again" : "Start";
  byId("stop").hidden = !["running", "queued"].includes(group);
  byId("complete").hidden = !known || ["running", "queued", "done"].includes(group);
  for (const button of byId("task-buttons").children) button.disabled = !link.here;
  if (known) {
    byId("task-error").hidden = !task.error || group !== "failed";
    byId("task-error").textContent = visible(textOf(task.error));
  }
  byId("about").hidden = !task.description;
  if (byId("description").textContent !== visible(textOf(task.description)))
    byId("description").textContent = visible(textOf(task.description));
  byId("diff").hidden = !task.working_tree;
  byId("send").textContent = group === "running" ? "Queue" : "Send";
  const asks = [...board.asks.values()].filter((a) => a.task_id === current.id);
  board.drawAsks(byId("asks"), byId("asks"), asks, false);
  if ((task.prompts || 0) !== queued.length) loadQueue();
}

function drawTaskSoon() { drawSoon(); }

let planShown = null;
function drawPlan() {
  const plan = current ? current.plan : [];
  byId("plan").hidden = plan.length === 0;
  if (plan === planShown) return;
  planShown = plan;
  const done = plan.filter((e) => e.status === "completed").length;
  const now = plan.find((e) => e.status === "in_progress") || plan.find((e) => e.status === "pending");
  byId("plan-title").replaceChildren("Plan (" + done + " of " + plan.length + ") ",
    make("span", { class: "quiet" }, now ? oneLine(textOf(now.content), 120) : ""));
  byId("plan-list").replaceChildren(...plan.slice(0, 200).map((e) =>
    make("li", { "data-status": oneLine(textOf(e.status), 20) }, signNode(textOf(e.status)), make("span", null, visible(textOf(e.content)).slice(0, 1000)))));
}

async function loadDiff() {
  const transcript = current;
  const body = byId("diff-body");
  try {
    const answer = await link.call("task.diff", { task_id: transcript.id });
    if (transcript !== current) return;
    const text = textOf(answer.diff);
    body.replaceChildren(
      make("p", { class: "quiet mono" }, oneLine(textOf(answer.directory), 300)),
      text ? patchNode(text) : make("p", { class: "quiet" }, "Nothing has changed."));
    if (answer.truncated === true) body.append(make("p", { class: "quiet" }, "There is more than is shown."));
  } catch (why) {
    if (transcript === current) body.replaceChildren(make("p", { class: "quiet" }, "There are none to show: " + visible(textOf(why.message))));
  }
}

// ---- prompts

let queueAsked = false;
async function loadQueue() {
  if (queueAsked || !link.here) return;
  const transcript = current;
  queueAsked = true;
  try {
    const answer = await link.call("prompt.list", { task_id: transcript.id });
    if (transcript === current) {
      queued = (Array.isArray(answer.prompts) ? answer.prompts : []).filter((p) => p && typeof p === "object");
      const task = board.tasks.get(transcript.id);
      if (task) task.prompts = queued.length;
      drawQueue();
    }
  } catch {
    // the next change of the task asks again
  }
  queueAsked = false;
}

function drawQueue() {
  byId("queue").hidden = queued.length === 0;
  const had = byId("queue-list").contains(document.activeElement);
  byId("queue-list").replaceChildren(...queued.map((p) => make("li", null,
    make("span", null, visible(textOf(p.prompt)).slice(0, 2000)),
    make("button", { type: "button", "aria-label": "Take back: " + oneLine(textOf(p.prompt), 60), click: () => takeBack(p) }, "Take back"))));
  if (had) (byId("queue-list").querySelector("button") || byId("prompt")).focus();
}

async function takeBack(prompt) {
  const id = current.id;
  try {
    await link.call("prompt.remove", { task_id: id, prompt_id: prompt.prompt_id });
    say("Taken back.");
    if (!byId("prompt").value) byId("prompt").value = textOf(prompt.prompt);
  } catch (why) {
    failed("Not taken back")(why);
  }
  if (current && current.id === id) loadQueue();
}

function keepDraft() {
  const text = byId("prompt").value;
  const draft = drafts.get(current.id);
  if (!text) drafts.delete(current.id);
  else if (!draft || draft.text !== text) drafts.set(current.id, { text, ref: newId() });
}

async function send() {
  const text = byId("prompt").value;
  if (!current || text.trim() === "") return;
  const id = current.id;
  // the same words get the same id, so that sending again after a loss is safe
  keepDraft();
  const draft = drafts.get(id);
  byId("send").disabled = true;
  try {
    const answer = await link.call("orchestrator.prompt", { task_id: id, prompt: text, client_ref: draft.ref });
    drafts.delete(id);
    say(answer.queued ? "Queued." : "Sent.");
    if (current && current.id === id) {
      if (byId("prompt").value === text) byId("prompt").value = "";
      view.showNewest();
      loadQueue();
    }
  } catch (why) {
    failed(why.code === "LOST" ? "Not sent, your text is still there" : "Not sent")(why);
  }
  byId("send").disabled = false;
}

async function act(action, more, what) {
  if (!current) return;
  try {
    await link.call(action, { task_id: current.id, ...more });
    say(what);
  } catch (why) {
    failed("Refused")(why);
  }
}

// ---- dialogs

let createRef = null;
function openCreate() {
  if (byId("create").open) return;
  byId("create-error").textContent = "";
  createRef = createRef || newId();
  byId("create").showModal();
  byId("create-name").focus();
}

async function create() {
  const start = byId("create-start").checked;
  const type = byId("create-agent").value;
  const priority = Number(byId("create-priority").value);
  const wanted = { title: byId("create-name").value.trim(), description: byId("create-text").value, priority, client_ref: createRef };
  if (type) wanted.agent_type = type;
  for (const name of ["turns", "minutes", "tokens", "cost"]) {
    const limit = byId("limit-" + name).valueAsNumber;
    if (limit > 0) wanted.limits = { ...wanted.limits, [name]: limit };
  }
  if (byId("create-worktree").checked) wanted.worktree = true;
  const directory = byId("create-directory").value.trim();
  if (directory) wanted.directory = directory;
  byId("create-error").textContent = "";
  try {
    const task = await link.call("task.create", wanted);
    board.put(task);
    if (start)
      await link.call("orchestrator.trigger", { task_id: task.id, agent_type: type, priority, client_ref: createRef + "-start" });
    createRef = null;
    byId("create-form").reset();
    byId("create").close();
    location.hash = "#task/" + encodeURIComponent(task.id);
  } catch (why) {
    byId("create-error").textContent = "Not created: " + visible(textOf(why.message));
  }
}

async function logIn() {
  const error = byId("login-error");
  error.textContent = "";
  try {
    const answer = await fetch("/login", { method: "POST", body: new URLSearchParams({ token: byId("token").value }) });
    if (answer.ok) {
      byId("token").value = "";
      onState("new");
      byId("login").close();
      byId("logout").hidden = false;
      link.open();
      byId("main").focus();
      return;
    }
    error.textContent = answer.status === 429 || answer.status === 503
      ? "Too many tries: wait " + (Number(answer.headers.get("Retry-After")) || 10) + " seconds."
      : "That is not the token.";
  } catch {
    error.textContent = "The gateway is not there.";
  }
  byId("token").select();
}

async function logOut() {
  link.close();
  await fetch("/logout", { method: "POST" }).catch(() => {});
  location.replace("/");
}

async function begin() {
  try {
    const answer = await fetch("/login", { method: "POST" });
    if (answer.status === 401) { onState("login"); return; }
    const needed = answer.ok ? await answer.json() : {};
    byId("logout").hidden = !needed.token;
  } catch {
    // the link says that it is not there
  }
  link.open();
}

// ---- keys, and what is clicked

function keysAreOn() {
  try { return localStorage.getItem("keys") !== "off"; } catch { return true; }
}

function onKey(event) {
  const at = event.target;
  const types = at.matches("input:not([type=checkbox]),textarea,select");
  if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing || document.querySelector("dialog[open]")) return;
  if (event.key === "Escape") {
    if (at.id === "prompt") byId("task-title").focus();
    else if (types && at.value) { at.value = ""; at.dispatchEvent(new Event("input")); }
    else if (types) byId("main").focus();
    else if (current) location.hash = "#";
    else return;
    event.preventDefault();
    return;
  }
  if (types || !keysAreOn()) return;
  const row = KEYS.find(([key, , run]) => run && key === event.key);
  if (!row) return;
  event.preventDefault();
  row[2]();
}

let searchTimer = null;
function search() {
  board.filter = byId("search").value;
  drawSoon();
  clearTimeout(searchTimer);
  searchTimer = setTimeout(async () => {
    const text = board.filter.trim();
    if (!text || !link.here) return;
    try {
      const answer = await link.call("task.list", { text, limit: 100 });
      for (const task of Array.isArray(answer.tasks) ? answer.tasks : []) board.put(task);
      drawSoon();
    } catch {
      // those that are here are searched all the same
    }
  }, 250);
}

function find() {
  const words = byId("find").value.trim();
  const { n, at } = view.find(words);
  byId("find-note").textContent = words === "" ? "" : n === 0 ? "not found" : at + " of " + n;
}

function listen() {
  const on = (id, what, run) => byId(id).addEventListener(what, run);
  const submits = (id, run) => on(id, "submit", (e) => { e.preventDefault(); run(); });
  addEventListener("hashchange", route);
  addEventListener("keydown", onKey);
  addEventListener("online", () => link.hurry());
  document.addEventListener("visibilitychange", () => { if (!document.hidden) link.hurry(); });
  on("home", "click", (e) => { e.preventDefault(); location.hash = "#"; });
  on("new", "click", openCreate);
  on("help", "click", () => byId("keys").showModal());
  on("logout", "click", logOut);
  on("search", "input", search);
  on("find", "keydown", (e) => { if (e.key === "Enter") { e.preventDefault(); find(); } });
  on("find", "input", () => { view.found = null; byId("find-note").textContent = byId("find").value ? "Enter finds" : ""; });
  on("start", "click", () => act("orchestrator.trigger", {}, "Queued."));
  on("stop", "click", () => act("orchestrator.stop", { reason: "stopped on the page" }, "Stopping."));
  on("complete", "click", () => act("orchestrator.complete", {}, "Marked as done."));
  on("diff", "toggle", () => { if (byId("diff").open) loadDiff(); });
  submits("composer", send);
  on("prompt", "keydown", (e) => {
    if (e.key === "Enter" && !e.shiftKey && !e.isComposing) { e.preventDefault(); send(); }
  });
  submits("create-form", create);
  submits("login-form", logIn);
  // there is nothing behind it to go back to
  on("login", "cancel", (e) => e.preventDefault());
  on("login", "close", () => { if (byId("link").dataset.state === "login") byId("login").showModal(); });
  for (const button of document.querySelectorAll("[data-close]"))
    button.addEventListener("click", () => button.closest("dialog").close());
  byId("keys-list").append(...KEYS.flatMap(([key, what]) => [make("dt", null, make("kbd", null, key)), make("dd", null, what)]));
  byId("keys-on").checked = keysAreOn();
  on("keys-on", "change", () => {
    try { localStorage.setItem("keys", byId("keys-on").checked ? "on" : "off"); } catch { /* it lasts as long as the page */ }
  });
  setInterval(() => { drawSoon(); loadTotals(); }, 30000);
}

listen();
loadAgents();
route();
begin();
