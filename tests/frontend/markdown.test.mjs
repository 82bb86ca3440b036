// Markdown on the page: what becomes of it, and that nothing of it is lost, fetched or slow.
import assert from "node:assert/strict";
import { test } from "node:test";
import { pass, settled } from "./dom.mjs";
import { readingOf } from "../../viewer/frontend/message/reading.js";
import { blocksOf } from "../../viewer/frontend/lib/markdown.js";
import { markdown } from "../../viewer/frontend/lib/markdownnodes.js";
import { runsOf } from "../../viewer/frontend/lib/markdownruns.js";

/** Nodes in short: `p(a strong(b))`, with the classes that matter. */
function outline(node) {
  if (node.nodeType === 3) return node.textContent.replaceAll("\n", "⏎");
  const value = node.getAttribute("value");
  const name = /fl-md-(tag|address|link|task|info|table|box)/.exec(node.className)?.[1] ?? node.localName;
  const inside = [...node.childNodes].map(outline).join("");
  return `${name}${value === null ? "" : value}(${inside})`;
}

/** The nodes of a text in short, one line a block. */
const shown = (text, query) => [...markdown(text, query).childNodes].map(outline);

const EXAMPLES = [
  ["headings of each level", "# One #\n###### Six\n#no\n####### no", ["h3(One)", "h4(Six)", "p(#no⏎####### no)"]],
  ["a line break stays a line break, indentation too", "one\n  two\n\nthree", ["p(one⏎  two)", "p(three)"]],
  ["bold, italic, both, struck", "**a** *b* ***c*** ~~d~~ _e_ __f g__", ["p(strong(a) em(b) strong(em(c)) del(d) em(e) strong(f g))"]],
  [
    "marks within words and names stay",
    "snake_case_name 2*3*4 __init__.py a * b ~5 **kwargs",
    ["p(snake_case_name 2*3*4 __init__.py a * b ~5 **kwargs)"],
  ],
  ["bold between characters that need no spaces", "这是**重点**和**“引用”**内容", ["p(这是strong(重点)和strong(“引用”)内容)"]],
  ["code spans hold what looks like marks", "`*a*` ``b ` c`` `open", ["p(code(*a*) code(b ` c) `open)"]],
  ["a backslash takes a mark's meaning", "\\*a\\* C:\\dir \\(x_1\\)", ["p(*a* C:\\dir \\(x_1\\))"]],
  ["a link is text with its address", '[**a**](http://b "t") [x] [y][z]', ['p(strong(link(a))address((http://b "t")) [x] [y][z])']],
  ["an image stays as it is written", "![alt](http://e/b.png)", ["p(![alt]address((http://e/b.png)))"]],
  ["addresses are text, not marked up", "https://e/_a_*b* <https://e/_c_>", ["p(https://e/_a_em(b) tag(<https://e/_c_>))"]],
  ["tags are text", "<system-reminder>\n<b x='*'>*a*</b>", ["p(tag(<system-reminder>)⏎tag(<b x='*'>)em(a)tag(</b>))"]],
  ["HTML comments, entities and definitions are text", "<!-- a --> &amp;\n\n[r]: http://e", ["p(<!-- a --> &amp;)", "p([r]: http://e)"]],
  [
    "lists, nested, with the numbers that were written",
    "- a\n  - b\n    more\n1. x\n7) y\n8) z",
    ["ul(li(p(a)ul(li(p(b⏎more)))))", "ol(li1(p(x)))", "ol(li7(p(y))li8(p(z)))"],
  ],
  ["tasks say whether they are done", "- [ ] a\n- [x] b", ["ul(task(box()p(a))task(box()p(b)))"]],
  ["a number in a paragraph begins no list, 1 does", "In\n1984. It\n1. a", ["p(In⏎1984. It)", "ol(li1(p(a)))"]],
  ["quotes, and what is not marked as quoted", "> a\n> > b\nc", ["blockquote(p(a)blockquote(p(b)))", "p(c)"]],
  [
    "fenced code, closed by as long a fence, or by the end",
    "```js\na\n\n  *b*\n```\n~~~\nc",
    ["div(info(js)div(div(a⏎⏎  *b*)))", "div(div(div(c)))"],
  ],
  ["fenced code in an item loses the item's indentation", "- a\n  ```\n  b\n    c\n  ```", ["ul(li(p(a)div(div(div(b⏎  c)))))"]],
  ["indented code", "a\n\n    b\n\n    c\nd", ["p(a)", "div(div(div(b⏎⏎c)))", "p(d)"]],
  ["rules; dashes under a line make no heading", "a\n---\nb\n* * *", ["p(a)", "hr()", "p(b)", "hr()"]],
  [
    "tables, with cells more than columns",
    "t\n| a | b |\n|:--|--|\n| *1* | x\\|y | z |\n\nend",
    ["p(t)", "table(table(thead(tr(th(a)th(b)))tbody(tr(td(em(1))td(x|y)td(z)))))", "p(end)"],
  ],
  ["a bar makes no table", "a | b\nc | d", ["p(a | b⏎c | d)"]],
];

for (const [name, text, blocks] of EXAMPLES) test(`Markdown: ${name}`, () => assert.deepEqual(shown(text), blocks));

test("in a summary the names that lines begin with are bold", () => {
  const nodes = markdown("Task: *fix* it\nAsked since: x\nso: y\n**Z:** z", "", true);
  assert.deepEqual([...nodes.childNodes].map(outline), ["p(strong(Task:) em(fix) it⏎strong(Asked since:) x⏎so: y⏎strong(Z:) z)"]);
});

test("a task says in words and in its box whether it is done", () => {
  const boxes = [...markdown("- [ ] a\n- [X] b").querySelectorAll(".fl-md-box")];
  assert.deepEqual(
    boxes.map((box) => [box.getAttribute("aria-label"), box.hasAttribute("data-done")]),
    [
      ["to do", false],
      ["done", true],
    ],
  );
});

test("what was looked for is marked in the source's own terms, across styles and lines of a quote", () => {
  assert.deepEqual(shown("a **b** `c`", "a **b"), ["p(mark(a )strong(mark(b)) code(c))"]);
  assert.deepEqual(shown("> one\n> two", "one\n> two"), ["blockquote(p(mark(one⏎)mark(two)))"]);
  assert.deepEqual(shown("# x\n\nX", "x"), ["h3(mark(x))", "p(mark(X))"]);
});

test("invisible characters are written out, and no text becomes an element", () => {
  assert.deepEqual(shown("a\u202eb\x1b[1m<img src=x onerror=alert(1)>"), ["p(a\\u202eb\\e[1mtag(<img src=x onerror=alert(1)>))"]);
  const all = markdown("[a](javascript:alert(1)) ![](http://e) <script>x</script> <a href='http://e'>b</a>\n<style>*{}</style>");
  assert.equal(all.querySelector("a, img, script, style, [href], [src], [onerror]"), null);
});

test("every block of text has the direction of its own text, code the direction of code", () => {
  const dirs = [...markdown("שלום\n\n- a\n\n> b\n\n```\nc\n```").children].map((node) => node.getAttribute("dir"));
  assert.deepEqual(dirs, ["auto", "auto", "auto", "ltr"]);
});

/** Numbers from 0 to 1, the same at each run. */
function* chance(seed) {
  for (let state = seed; ; ) {
    state = (state * 1103515245 + 12345) % 2147483648;
    yield state / 2147483648;
  }
}

const PARTS = [
  "*",
  "**",
  "_",
  "`",
  "```",
  "~~~",
  "~~",
  "[",
  "](",
  ")",
  "![",
  "\\",
  "|",
  "|-|",
  "\n",
  "\n\n",
  "    ",
  "- ",
  "1. ",
  "> ",
  "# ",
  "---",
  "<b>",
  "<",
  ">",
  " ",
];
const WORDS = ["a", "Bc", "字", "!", '"', "/", "é", "https://e/f", "👩"];

test("no character that is not markup is lost, and none is shown twice or out of order", () => {
  const random = chance(13);
  const pick = (list) => list[Math.floor(random.next().value * list.length)];
  const bare = (text) => text.replace(/[\s*_`~[\])\\|\d.#>+:-]/g, "");
  for (let k = 0; k < 1500; k++) {
    const text = Array.from({ length: 30 }, () => pick(random.next().value < 0.6 ? PARTS : WORDS)).join("");
    assert.equal(bare(markdown(text).textContent), bare(text), JSON.stringify(text));
  }
});

const HOSTILE = [
  "*",
  "*a ",
  "_a",
  "*a_",
  "[",
  "[a](",
  "[a](b",
  "![",
  ">",
  "> ",
  ">\n",
  "- ",
  "- a\n",
  "1. ",
  "`",
  "`a",
  "` ``",
  "``` a\n",
  "<",
  "<a ",
  "<a a=",
  "~~a",
  "|",
  "|a",
  "|-",
];
const MORE_HOSTILE = [
  "-|\n",
  "a|b\n-|-\n",
  "#",
  "# ",
  "\\",
  "\t",
  "http://",
  "__a__",
  "__a",
  "\n",
  "- - ",
  "***a**b*",
  "  ",
  "[a](b c",
  '[a](b "',
  "é**",
];

test("a hostile text takes time in proportion to its length, and is not nested deeply", { timeout: 60_000 }, () => {
  for (const part of [...HOSTILE, ...MORE_HOSTILE]) {
    blocksOf(part.repeat(1_000_000 / part.length));
    runsOf(part.repeat(20_000 / part.length));
  }
  const depth = (node) => 1 + Math.max(0, ...[...node.children].map(depth));
  for (const text of [">".repeat(5000), "- ".repeat(5000), "- > 1. ".repeat(900), "**_a ".repeat(4000), "[".repeat(5000)])
    assert.ok(depth(markdown(text)) < 40, text.slice(0, 10));
});

/** Let frames go by until a node is drawn as far as it will be. */
async function drawn(node) {
  for (let k = 0; k < 30 && node.hasAttribute("aria-busy"); k++) {
    pass(50);
    await settled();
  }
  await settled();
}

test("a long text is drawn in several frames, and a very long one in parts, up to the first match at once", async () => {
  const box = document.createElement("div");
  document.body.append(box);
  const text = "word\n\n".repeat(1000);
  const node = markdown(text);
  box.append(node);
  assert.ok(node.hasAttribute("aria-busy") && node.children.length < 500);
  await drawn(node);
  assert.equal(node.children.length, 1000);
  assert.equal(box.querySelector(".fl-more"), null);
  const long = `${text.repeat(3)}needle`;
  assert.equal(markdown(long, "needle").querySelector("mark").textContent, "needle");
  const first = markdown(long);
  box.replaceChildren(first);
  await drawn(first);
  assert.equal(first.children.length, 2000);
  assert.equal(box.querySelector(".fl-more").textContent, "Show more (11,998 of 18,006 characters)");
  box.querySelector(".fl-more").click();
  await drawn(first);
  assert.deepEqual([first.children.length, box.querySelector(".fl-more")], [3001, null]);
  box.remove();
});

test("a text that has left the page is drawn no further", async () => {
  const gone = markdown("word\n\n".repeat(1000));
  const before = gone.children.length;
  for (let k = 0; k < 5; k++) {
    pass(50);
    await settled();
  }
  assert.equal(gone.children.length, before);
});

test("what was said reads as Markdown; what tools returned, JSON and bare code as they are written", () => {
  assert.equal(readingOf("# Plan\n\n- a", "assistant"), "said");
  assert.equal(readingOf("# Plan", "tool"), "output");
  assert.equal(readingOf('{\n  "a": 1\n}', "assistant"), "output");
  const code = "export default {\n  title: 'x',\n    a();\n    b();\n    c();\n    d();\n}";
  assert.equal(readingOf(code, "user"), "output");
  assert.equal(readingOf(`Look:\n\n\`\`\`js\n${code}\n\`\`\`\nPlease.`, "user"), "said");
  assert.equal(readingOf("| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |", "assistant"), "said");
});
