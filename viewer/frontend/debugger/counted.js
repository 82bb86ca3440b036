// What the overview counts, each a way to what is behind it: calls open in Find, which walks through their messages and comes back.

import { attribute, button, el, visible, write } from "../lib/dom.js";
import { int } from "../lib/format.js";
import { namesApart } from "../run/filenames.js";
import { sumParts } from "../run/overviewwords.js";
/** @import { App } from "./app.js" */
/** @import { OverviewSums, SessionOverview } from "../run/types.js" */

/** How many tools, and files, are shown until the others are asked for. */
const [TOOLS, FILES] = [6, 12];

const SHELL = "By tools that edit. Of shell commands only what they write by > or tee, or move by mv, can be told.";

export class Counted {
  /** @param {HTMLElement} page  of the overview @param {App} app */
  constructor(page, app) {
    this.page = page;
    this.app = app;
    /** What Find was opened with, until it is left; "" for none. */ this.sought = "";
  }

  /** The whole in figures; none where there is nothing to count. @param {OverviewSums} sums @param {boolean} [leads]  whether each leads to what it counts */
  sums(sums, leads = true) {
    const parts = sumParts(sums).map(([words, opens], k) => {
      const dot = el("i", { text: k ? " · " : "" });
      return el("span", {}, dot, leads && opens ? this.#way(words, opens) : words);
    });
    return parts.length ? [el("p", { class: "fl-osums" }, ...parts)] : [];
  }

  /** What was used and written. @param {SessionOverview} found */
  used({ tools, tools_total, files, sums }) {
    const names = sums.files > files.length ? files.map(([name]) => name) : namesApart(files.map(([name]) => name));
    const used = tools.map(([name, times]) => el("li", {}, this.#calls(name, `tool:${name}`, name, times)));
    const written = files.map(([name, times, first], k) =>
      el("li", {}, this.#calls(names[k], `wrote:${names[k]}`, name, times), ...(first ? [movedFrom(name, first)] : [])),
    );
    return [
      ...section("tools", "Tools", unfolding(used, TOOLS, tools_total)),
      ...section("files", "Files written", unfolding(written, FILES, sums.files), sums.shell ? SHELL : ""),
    ];
  }

  /** Where Find was left, the keys go on from what it was opened by, once that is here: it may be drawn anew. */
  returned() {
    const { sought, app } = this;
    const node = /** @type {HTMLElement[]} */ ([...this.page.querySelectorAll(".fl-ocount")]).find(({ dataset }) => dataset.find === sought);
    if (!sought || !node?.isConnected || app.open.find) return;
    this.sought = "";
    if (app.root.matches(":focus")) node.focus({ preventScroll: true });
  }

  /** @param {string} shown @param {string} query @param {string} name @param {number} times */
  #calls(shown, query, name, times) {
    const title = `${visible(name)}\nFind ${times === 1 ? "the call" : `the ${int(times)} calls`}`;
    const node = button("", () => this.#find(query), { class: "fl-ocount", title, "data-find": query });
    node.append(el("span", { text: visible(shown) }), el("b", { text: ` ${int(times)}×` }));
    return node;
  }

  /** @param {string} words @param {string} opens */
  #way(words, opens) {
    const node = opens.startsWith("is:")
      ? button("", () => this.#find(opens), { class: "fl-ocount", title: "Find them", "data-find": opens })
      : button("", () => this.#go(opens), { class: "fl-ocount", title: "Go to them" });
    node.append(el("span", { text: words }));
    return node;
  }

  /** @param {string} query */
  #find(query) {
    this.app.pause();
    this.sought = query;
    this.app.seek(query);
  }

  /** Scroll to a section of the overview, and let the keys go on from there. @param {string} name */
  #go(name) {
    const heading = /** @type {HTMLElement | null} */ (this.page.querySelector(`[data-of=${name}] h3`));
    if (!heading) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
    heading.scrollIntoView({ block: "start" });
  }
}

/** A list by its name, if there is anything in it. @param {string} of @param {string} title @param {HTMLElement[]} items @param {string} [note] */
export function section(of, title, items, note = "") {
  if (!items.length) return [];
  const about = note ? [el("p", { class: "fl-osmall", text: note })] : [];
  return [el("section", { "data-of": of }, el("h3", { text: title }), ...about, el("ul", { class: "fl-oitems" }, ...items))];
}

/** The first items of a list, and at its end what shows the others in place; of `total` some may not be known. @param {HTMLElement[]} items @param {number} most @param {number} total */
export function unfolding(items, most, total) {
  const others = items.slice(most);
  const unknown = total - items.length;
  const rest = unknown > 0 ? [el("li", { text: `and ${int(unknown)} more`, hidden: others.length > 0 })] : [];
  if (!others.length) return [...items, ...rest];
  const hide = (/** @type {boolean} */ hidden) => {
    for (const item of [...others, ...rest]) item.hidden = hidden;
    write(more, hidden ? `and ${int(total - most)} more` : "show fewer");
    attribute(more, "aria-expanded", String(!hidden));
  };
  const more = button("", () => hide(more.getAttribute("aria-expanded") === "true"), { class: "fl-link fl-ofold" });
  hide(true);
  return [...items, ...rest, el("li", {}, more)];
}

/** ", moved from skill-creator/SKILL.md": with as much of its folders as tells it from its name now. @param {string} name @param {string} first */
const movedFrom = (name, first) =>
  el("span", { class: "fl-omoved", title: visible(first), text: `, moved from ${visible(namesApart([first, name])[0])}` });
