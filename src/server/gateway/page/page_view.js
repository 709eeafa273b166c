// page_view.js - a transcript in the document. However long it is, at most
// SHOWN_ITEMS of its items are elements; the others are made on demand.

const SHOWN_ITEMS = 150;
const STEP_ITEMS = 50;
const LIVE_MS = 60;  // at most one change of the document in this time

const SIGNS = { completed: "\u2713", failed: "\u2717", in_progress: "\u25b8", pending: "\u25cb", cancelled: "\u2013" };
const STATUS_WORDS = { completed: "done", failed: "failed", in_progress: "running", pending: "waits", cancelled: "cancelled" };

function signNode(status) {
  const known = Object.hasOwn(SIGNS, status);
  return make("span", { class: "sign", "data-status": known ? status : null },
    make("span", { "aria-hidden": "true" }, known ? SIGNS[status] : "\u00b7"),
    make("span", { class: "hidden" }, known ? STATUS_WORDS[status] : visible(status || "")));
}

function clockText(time) {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? "" : date.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
}

function headNode(item, name) {
  return make("p", { class: "who" }, make("b", null, name), make("span", null, clockText(item.time)));
}

// What a tool gave back, where its content does not say it.
function outputOf(output) {
  if (output == null || typeof output !== "object") return textOf(output);
  const status = output.exit_code ?? output.exitCode;
  const text = textOf(output.stdout) + textOf(output.stderr);
  if (text || status === 0) return text;
  return status === undefined ? textOf(output) : "exit status " + textOf(status);
}

// title: what stands above it already.
function toolContent(box, tool, title) {
  const given = tool.input && typeof tool.input === "object" ? tool.input : {};
  const input = textOf(given.command ?? tool.input);
  if (input && input !== title)
    box.append(make("pre", { tabindex: "0", role: "group", "aria-label": "What was asked for" }, visible(input).slice(0, 8000)));
  if (given.cwd) box.append(make("p", { class: "quiet" }, "in " + oneLine(given.cwd, 400)));
  let text = "";
  for (const part of tool.content || []) {
    if (part && part.type === "diff") {
      box.append(make("p", { class: "diff-file mono" }, visible(textOf(part.path))));
      box.append(changeNode(textOf(part.oldText), textOf(part.newText)));
    } else {
      text += (text === "" || text.endsWith("\n") ? "" : "\n") + textOf(part && part.type === "content" ? part.content : part);
    }
  }
  const output = text || outputOf(tool.output);
  if (output) box.append(outputNode(output));
}

const ITEM_BODIES = {
  agent: (item) => [item.more ? null : headNode(item, "Agent"), proseNode(item.text)],
  user: (item) => [item.more ? null : headNode(item, "You"), make("div", { class: "prose" }, visible(item.text))],
  thought: (item) => [make("details", { open: item.unfolded },
    make("summary", null, "Thinking"), make("div", { class: "prose" }, visible(item.text)))],
  error: (item) => [headNode(item, "Error"), make("div", { class: "prose" }, visible(item.text))],
  note: (item) => [make("p", { class: "prose" }, visible(item.text))],
  end: (item) => [make("p", { class: "prose" }, visible(item.text))],
  question: (item) => [make("p", { class: "prose" }, visible(item.text) + (item.answer ? " \u2014 " + visible(item.answer) : ""))],
  tool: (item) => {
    const tool = item.tool;
    const box = make("div", null);
    toolContent(box, tool, tool.title);
    const summary = make(box.firstChild ? "summary" : "p", box.firstChild ? null : { class: "who" }, signNode(tool.status),
      make("span", { class: "name" }, oneLine(tool.title || "a tool", 400)),
      make("span", { class: "quiet" }, oneLine(tool.kind && tool.kind !== "other" ? tool.kind : "", 30)));
    if (!box.firstChild) return [summary];
    const open = item.unfolded ?? ["failed", "in_progress"].includes(tool.status);
    return [make("details", { open, toggle: (e) => { if (e.target.open !== open) item.unfolded = e.target.open; } }, summary, box)];
  },
};

class TranscriptView {
  constructor(log, older, newest) {
    this.log = log;
    this.older = older;
    this.newest = newest;
    this.transcript = null;
    this.from = 0;          // shown: items from this one
    this.to = 0;            // up to, not with, this one
    this.follows = true;    // the newest one is kept in sight
    this.nodes = new Map();
    this.timer = null;
    // where it is tall enough to scroll itself; else the page does
    this.scroller = () => this.log.scrollHeight > this.log.clientHeight + 2 ? this.log : document.scrollingElement;
    const onScroll = () => {
      if (!this.quiet) this.follows = this.atEnd() && this.to === this.count;
      this.showButtons();
    };
    log.addEventListener("scroll", onScroll, { passive: true });
    addEventListener("scroll", onScroll, { passive: true });
    older.addEventListener("click", () => this.showOlder());
    newest.addEventListener("click", () => { this.showNewest(); this.log.focus({ preventScroll: true }); });
  }

  get count() { return this.transcript ? this.transcript.items.length : 0; }

  atEnd() {
    const s = this.scroller();
    return s.scrollHeight - s.scrollTop - s.clientHeight < 60;
  }

  show(transcript, onOlder) {
    this.transcript = transcript;
    this.onOlder = onOlder;
    this.nodes.clear();
    this.log.replaceChildren();
    this.follows = true;
    this.to = this.count;
    this.from = Math.max(0, this.to - SHOWN_ITEMS);
    this.draw();
  }

  // Soon, and not for each of a thousand events.
  drawSoon() {
    if (this.timer === null)
      this.timer = setTimeout(() => { this.timer = null; this.draw(); }, LIVE_MS);
  }

  itemNode(item) {
    let node = this.nodes.get(item);
    if (node && !item.changed) return node;
    const fresh = make("div", { class: "item " + item.kind + (item.more ? " more" : "") + (item.bad ? " bad" : "") });
    if (item.open) fresh.setAttribute("aria-busy", "true");
    fresh.append(...ITEM_BODIES[item.kind](item).filter(Boolean));
    item.changed = false;
    if (node) {
      // what has the focus, and how far it was scrolled, stay
      const focused = node.contains(document.activeElement) && document.activeElement !== node;
      const place = focused ? [...node.querySelectorAll("summary,pre,a")].indexOf(document.activeElement) : -1;
      if (node.classList.contains("found")) fresh.classList.add("found");
      node.replaceWith(fresh);
      if (place >= 0) fresh.querySelectorAll("summary,pre,a")[place]?.focus({ preventScroll: true });
    }
    this.nodes.set(item, fresh);
    return fresh;
  }

  draw() {
    if (!this.transcript) return;
    const items = this.transcript.items;
    if (this.follows) {
      this.to = items.length;
      this.from = Math.max(this.from, this.to - SHOWN_ITEMS);
    } else {
      this.to = Math.min(items.length, this.from + SHOWN_ITEMS);
    }
    const wanted = items.slice(this.from, this.to);
    const keep = new Set(wanted);
    this.quiet = true;
    for (const [item, node] of this.nodes)
      if (!keep.has(item)) { node.remove(); this.nodes.delete(item); }
    if (wanted.length === 0) {
      if (!this.log.querySelector(".nothing"))
        this.log.replaceChildren(make("p", { class: "nothing quiet" }, "Nothing has happened yet."));
    } else {
      this.log.querySelector(".nothing")?.remove();
    }
    let after = null;
    for (const item of wanted) {
      const node = this.itemNode(item);
      const place = after ? after.nextSibling : this.log.firstChild;
      if (node !== place) this.log.insertBefore(node, place);
      after = node;
    }
    if (this.follows) this.toEnd();
    this.showButtons();
    requestAnimationFrame(() => { this.quiet = false; });
  }

  toEnd() {
    const s = this.scroller();
    if (s === this.log || this.seen) s.scrollTop = s.scrollHeight;
    this.seen = true;
  }

  showButtons() {
    const hidden = this.count - this.to;
    this.older.hidden = !(this.from > 0 || (this.transcript && this.transcript.first > 1));
    this.newest.hidden = this.follows || (hidden === 0 && this.atEnd());
    this.newest.textContent = hidden > 0 ? "Newest (" + hidden + " more)" : "Newest";
  }

  async showOlder() {
    if (this.from === 0 && this.onOlder) {
      const more = await this.onOlder();
      this.from += more;
      this.to += more;
    }
    const top = this.log.querySelector(".item");
    const before = top ? top.getBoundingClientRect().top : 0;
    this.follows = false;
    this.from = Math.max(0, this.from - STEP_ITEMS);
    this.draw();
    if (top && top.isConnected) this.scroller().scrollTop += top.getBoundingClientRect().top - before;
    if (this.older.hidden) this.log.focus({ preventScroll: true });
  }

  showNewest() {
    this.follows = true;
    this.draw();
  }

  // The next older item that has these words, from the one found before;
  // round at the oldest. Returns how many there are, and which one it is.
  find(words) {
    const items = this.count ? this.transcript.items : [];
    const wanted = words.toLowerCase();
    const found = items.filter((i) => Transcript.words(i).toLowerCase().includes(wanted));
    this.log.querySelector(".found")?.classList.remove("found");
    if (!wanted || found.length === 0) { this.found = null; return { n: 0, at: 0 }; }
    const before = found.indexOf(this.found);
    const at = before > 0 ? before - 1 : found.length - 1;
    this.found = found[at];
    const place = items.indexOf(this.found);
    this.follows = false;
    if (place < this.from || place >= this.to) {
      this.from = Math.max(0, place - STEP_ITEMS);
    }
    this.draw();
    const node = this.nodes.get(this.found);
    for (const box of node.querySelectorAll("details")) box.open = true;
    node.classList.add("found");
    const s = this.scroller();
    const top = s === this.log ? s.getBoundingClientRect().top : 0;
    s.scrollTop += node.getBoundingClientRect().top - top - s.clientHeight / 3;
    return { n: found.length, at: found.length - at };
  }
}
