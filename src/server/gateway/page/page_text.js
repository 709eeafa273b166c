// page_text.js - what an agent sends, as nodes of text and never as markup.

const byId = (id) => document.getElementById(id);

// Makes an element. A string among the children is text.
function make(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value != null) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child != null));
  return node;
}

// Any value as text: agents send what they like.
function textOf(value) {
  if (typeof value === "string") return value;
  if (value == null) return "";
  if (Array.isArray(value)) return value.map(textOf).join("");
  if (typeof value !== "object") return String(value);
  if (typeof value.text === "string") return value.text;
  if (value.content != null) return textOf(value.content);
  if (value.resource) return textOf(value.resource);
  if (typeof value.uri === "string") return value.uri;
  if (value.type === "image" || value.type === "audio") return "[" + value.type + "]";
  return JSON.stringify(value, null, 1);
}

// Control characters, what turns the direction of text, and what has no width:
// they would make a person read something else than what is there.
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\ufff9-\ufffb]|\udb40[\udc00-\udfff]/g;

function visible(text) {
  return String(text).replace(/\r\n/g, "\n").replace(UNSEEN, (c) =>
    "\u2039U+" + c.codePointAt(0).toString(16).toUpperCase().padStart(4, "0") + "\u203a");
}

// The same on one line, at most n characters of it.
function oneLine(text, n = 200) {
  const line = visible(textOf(text).slice(0, 4 * n)).replace(/\s+/g, " ").trim();
  return line.length > n ? line.slice(0, n - 1) + "\u2026" : line;
}

const OUTPUT_SHOWN = 64 * 1024;
const ESCAPES = /(?:\x1b\[|\x9b)([0-?]*)[ -/]*([@-~])|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[PX^_][^\x1b]*\x1b\\|\x1b[ -/]*[0-~]/g;

// A line of a terminal after its carriage returns.
function overwritten(line) {
  const end = line.endsWith("\r") ? line.length - 1 : line.length;
  return line.slice(line.lastIndexOf("\r", end - 1) + 1, end);
}

// Applies the numbers of ESC [ ... m; colours beyond the sixteen are left out.
function colourAfter(style, numbers) {
  const codes = numbers === "" ? [0] : numbers.split(/[;:]/).map(Number);
  for (let i = 0; i < codes.length; i++) {
    const c = codes[i];
    if (c === 0) style.clear();
    else if ([1, 2, 3, 4, 9].includes(c)) style.add("a" + c);
    else if (c === 22) { style.delete("a1"); style.delete("a2"); }
    else if ([23, 24, 29].includes(c)) style.delete("a" + (c - 20));
    else if (c === 38 || c === 48) i += codes[i + 1] === 5 ? 2 : 4;
    else if ((c >= 30 && c <= 37) || c === 39 || (c >= 90 && c <= 97)) {
      for (let k = 0; k < 8; k++) style.delete("f" + k);
      if (c !== 39) style.add("f" + (c % 10));
    }
  }
}

// What a command printed, with the colours it asked for.
function outputNode(text) {
  const pre = make("pre", { tabindex: "0", role: "group", "aria-label": "Output" });
  const style = new Set();
  let left = String(text);
  if (left.length > OUTPUT_SHOWN) {
    left = left.slice(-OUTPUT_SHOWN);
    left = left.slice(left.indexOf("\n") + 1);
    pre.append(make("span", { class: "quiet" }, "(what came before is left out)\n"));
  }
  left = left.split("\n").map(overwritten).join("\n");
  const put = (part) => {
    if (part === "") return;
    const shown = visible(part);
    pre.append(style.size ? make("span", { class: [...style].join(" ") }, shown) : shown);
  };
  let at = 0;
  for (const found of left.matchAll(ESCAPES)) {
    put(left.slice(at, found.index));
    at = found.index + found[0].length;
    if (found[2] === "m") colourAfter(style, found[1]);
  }
  put(left.slice(at));
  return pre;
}

// A patch in the unified form, its lines coloured.
function patchNode(text) {
  const pre = make("pre", { class: "diff", tabindex: "0", role: "group", "aria-label": "Changes" });
  const lines = String(text).slice(0, 4 * OUTPUT_SHOWN).replace(/\n$/, "").split("\n");
  for (const line of lines.slice(0, 2000)) {
    let kind = null;
    if (/^(diff |index |--- |\+\+\+ |new file|deleted file|rename |similarity )/.test(line)) kind = "file";
    else if (line.startsWith("@@")) kind = "hunk";
    else if (line.startsWith("+")) kind = "added";
    else if (line.startsWith("-")) kind = "removed";
    pre.append(make("span", { class: kind }, visible(line) || " "));
  }
  if (lines.length > 2000) pre.append(make("span", { class: "quiet" }, "(" + (lines.length - 2000) + " more lines are left out)"));
  return pre;
}

// The old and the new text of a file; what they share at both ends is left out.
function changeNode(before, after) {
  const was = before === "" ? [] : before.replace(/\n$/, "").split("\n");
  const is = after === "" ? [] : after.replace(/\n$/, "").split("\n");
  let head = 0;
  let tail = 0;
  while (head < was.length && head < is.length && was[head] === is[head]) head++;
  while (tail < was.length - head && tail < is.length - head &&
         was[was.length - 1 - tail] === is[is.length - 1 - tail]) tail++;
  const from = Math.max(0, head - 3);
  const patch = ["@@ line " + (from + 1) + " @@",
    ...was.slice(from, head).map((l) => " " + l),
    ...was.slice(head, was.length - tail).map((l) => "-" + l),
    ...is.slice(head, is.length - tail).map((l) => "+" + l),
    ...is.slice(is.length - tail, is.length - tail + 3).map((l) => " " + l)];
  return patchNode(patch.join("\n"));
}

// `code`, **strong** and addresses of the web in a line of text.
function putInline(parent, text) {
  const parts = /`([^`\n]{1,400})`|\*\*([^*\n]{1,400})\*\*|(https?:\/\/[\w\-.~:/?#[\]@!$&'()*+,;=%]{1,500})/g;
  let at = 0;
  for (const found of text.matchAll(parts)) {
    parent.append(visible(text.slice(at, found.index)));
    at = found.index + found[0].length;
    if (found[1]) {
      parent.append(make("code", null, visible(found[1])));
    } else if (found[2]) {
      parent.append(make("b", null, visible(found[2])));
    } else {
      const address = found[3].replace(/[).,;:!?'\]]+$/, "");
      at -= found[3].length - address.length;
      parent.append(make("a", { href: address, target: "_blank", rel: "noopener noreferrer" }, address));
    }
  }
  parent.append(visible(text.slice(at)));
}

function listNode(lines, ordered) {
  const list = make(ordered ? "ol" : "ul", ordered ? { start: parseInt(lines[0].trim(), 10) } : null);
  for (const line of lines) {
    const found = /^\s*(?:[-*+]|\d{1,6}[.)])\s+(.*)$/s.exec(line);
    if (found) list.append(make("li", null));
    putInline(list.lastChild, found ? found[1] : "\n" + line.trim());
  }
  return list;
}

function putBlock(parent, lines) {
  const heading = /^#{1,6}\s+(.*)$/.exec(lines[0]);
  if (heading) {
    const line = make("p", { class: "head" });
    putInline(line, heading[1]);
    parent.append(line);
    if (lines.length > 1) putBlock(parent, lines.slice(1));
  } else if (/^\s*[-*+]\s+\S/.test(lines[0])) {
    parent.append(listNode(lines, false));
  } else if (/^\s*\d{1,6}[.)]\s+\S/.test(lines[0])) {
    parent.append(listNode(lines, true));
  } else if (lines[0].startsWith("|")) {
    parent.append(make("pre", { tabindex: "0" }, visible(lines.join("\n"))));
  } else {
    const list = lines.findIndex((l, i) => i > 0 && /^\s*([-*+]|\d{1,6}[.)])\s+\S/.test(l));
    const own = list > 0 ? lines.slice(0, list) : lines;
    const line = make("p", null);
    putInline(line, own.join("\n"));
    parent.append(line);
    if (list > 0) putBlock(parent, lines.slice(list));
  }
}

// Paragraphs, lists, headings and code of an answer in markdown.
function proseNode(text) {
  const box = make("div", { class: "text" });
  let block = [];
  let code = null;
  const end = () => {
    if (block.length) putBlock(box, block);
    block = [];
  };
  const putCode = () => {
    box.append(make("pre", { tabindex: "0", role: "group", "aria-label": "Code" },
                    make("code", null, visible(code.join("\n")))));
    code = null;
  };
  for (const line of String(text).replace(/\r\n?/g, "\n").split("\n")) {
    if (/^\s*(```|~~~)/.test(line)) {
      if (code) putCode();
      else { end(); code = []; }
    } else if (code) {
      code.push(line);
    } else if (line.trim() === "") {
      end();
    } else {
      block.push(line);
    }
  }
  if (code) putCode();
  end();
  return box;
}
