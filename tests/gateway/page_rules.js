// page_rules.js - what a page must keep for whoever cannot see it well, or has
// a keyboard alone: returns what is wrong, a line each.
const wrong = [];
const shown = (n) => n.checkVisibility({ visibilityProperty: true, opacityProperty: true });
const say = (n, what) => wrong.push(what + ": " + n.outerHTML.slice(0, 160).replace(/\s+/g, " "));
const dialog = document.querySelector("dialog[open]");
const root = dialog || document.body;

// names
const words = (ids) => (ids || "").split(/\s+/).map((id) => document.getElementById(id)?.textContent ?? "").join(" ").trim();
const nameOf = (n) => words(n.getAttribute("aria-labelledby")) || (n.getAttribute("aria-label") || "").trim() ||
  [...(n.labels || [])].map((l) => l.textContent).join(" ").trim() ||
  (["INPUT", "TEXTAREA", "SELECT"].includes(n.tagName) ? "" : n.textContent.trim());
for (const n of root.querySelectorAll("a,button,input,select,textarea,summary,dialog,section,article,[role=group],[role=region],[role=log],[tabindex='0']"))
  if (shown(n) && !nameOf(n)) say(n, "no name");
for (const n of root.querySelectorAll("[aria-labelledby],[aria-describedby]"))
  for (const id of ((n.getAttribute("aria-labelledby") || "") + " " + (n.getAttribute("aria-describedby") || "")).split(/\s+/).filter(Boolean))
    if (!document.getElementById(id)) say(n, "names what is not there, " + id);

// one id each, one main, one h1, no heading that skips a level
const ids = [...document.querySelectorAll("[id]")].map((n) => n.id);
for (const id of new Set(ids)) if (ids.filter((i) => i === id).length > 1) wrong.push("an id twice: " + id);
if (document.querySelectorAll("main").length !== 1) wrong.push("no main, or several");
if ([...document.querySelectorAll("h1")].filter(shown).length !== 1) wrong.push("no h1, or several");
let level = 1;
for (const n of document.querySelectorAll("main h1,main h2,main h3,main h4")) {
  if (!n.checkVisibility()) continue;
  const own = Number(n.tagName[1]);
  if (own > level + 1) say(n, "a level of headings is left out");
  level = own;
}
for (const [role, what] of [["[role=log][aria-live=polite]", "a log that is read out"], ["header", "a banner"], ["[role=search]", "a search"], ["[role=status]", "a status"]])
  if (!document.querySelector(role)) wrong.push("there is not " + what);
if (!document.documentElement.lang) wrong.push("no language");
for (const list of document.querySelectorAll("ul,ol"))
  for (const child of list.children) if (child.tagName !== "LI") say(child, "no item of a list");
if (document.querySelector("[tabindex]:not([tabindex='0']):not([tabindex='-1'])")) wrong.push("a tabindex above 0");

// contrast (WCAG 2, 1.4.3 and 1.4.11)
const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
const rgba = (css) => {
  canvas.clearRect(0, 0, 1, 1);
  canvas.fillStyle = css;
  canvas.fillRect(0, 0, 1, 1);
  const d = canvas.getImageData(0, 0, 1, 1).data;
  return [d[0], d[1], d[2], d[3] / 255];
};
const light = (c) => {
  const [r, g, b] = c.slice(0, 3).map((v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (a, b) => {
  const [x, y] = [light(a), light(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
};
const behind = (n) => {
  for (let at = n; at; at = at.parentElement) {
    const c = rgba(getComputedStyle(at).backgroundColor);
    if (c[3] === 1) return c;
    if (c[3] > 0) say(at, "a background that is seen through");
  }
  return rgba("Canvas");
};
const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
const seen = new Set();
while (walker.nextNode()) {
  const n = walker.currentNode.parentElement;
  if (!walker.currentNode.data.trim() || seen.has(n) || !shown(n) || n.closest(".hidden,option,script,style")) continue;
  seen.add(n);
  const ratio = contrast(rgba(getComputedStyle(n).color), behind(n));
  if (ratio < 4.5) say(n, "contrast " + ratio.toFixed(2));
}
for (const n of root.querySelectorAll("input,textarea,select,button")) {
  if (!shown(n)) continue;
  const style = getComputedStyle(n);
  if (n.type !== "checkbox" && Math.max(contrast(rgba(style.borderTopColor), behind(n.parentElement)),
                                        contrast(behind(n), behind(n.parentElement))) < 3)
    say(n, "an edge that is not seen");
  if (n.placeholder && contrast(rgba(getComputedStyle(n, "::placeholder").color), behind(n)) < 4.5) say(n, "a placeholder that is not seen");
}

// what is pressed is large enough (2.5.8), and nothing is wider than the page
for (const n of root.querySelectorAll("button,input,select,textarea,.card,summary")) {
  const box = n.getBoundingClientRect();
  const small = n.type === "checkbox" ? 18 : 24;
  if (shown(n) && (box.height < small || box.width < small)) say(n, "too small to be pressed");
}
if (document.documentElement.scrollWidth > document.documentElement.clientWidth) wrong.push("wider than the page");
if (!matchMedia("(prefers-reduced-motion: no-preference)").matches && document.getAnimations().length) wrong.push("it moves");
return wrong;
