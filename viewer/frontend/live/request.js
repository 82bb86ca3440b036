// The requests of a live run, word for word: the one that would be sent next, and each that was sent, with its reply.
import { problemText } from "../lib/problem.js";
import { dialogOf } from "../lib/dialog.js";
import { attribute, button, el, visible, write } from "../lib/dom.js";
import { int } from "../lib/format.js";
import { block } from "../lib/text.js";
import { attemptLine, callLine, callOf, noReply, outcomeWords, sizeWords, took } from "./calls.js";
/** @import { LiveRun } from "./liverun.js" */
/** @import { App } from "../debugger/app.js" */
/** @import { CallRow, KeptCall } from "./types.js" */

/** Calls that are listed at once. */
const LISTED = 200;
const NEXT = 0;
const HOW = "Headers are not kept, and keys are replaced by [key].";

export class RequestDialog {
  /** @param {App} app @param {LiveRun} drive */
  constructor(app, drive) {
    this.app = app;
    this.drive = drive;
    /** @type {CallRow[]} */ this.calls = [];
    /** The call that is shown, by its number; NEXT is the one that was not sent yet. */ this.shown = NEXT;
    /** @type {"request" | "reply"} */ this.side = "request";
    /** @type {KeptCall | null} */ this.kept = null;
    this.text = "";
    this.listed = LISTED;
    this.known = -1;
    this.list = el("ul", { class: "fl-calls", "aria-label": "Model calls, the newest first" });
    this.about = el("div", { class: "fl-callabout" });
    this.note = el("p", { class: "fl-reqnote", role: "status" });
    this.body = el("div", { class: "fl-reqbody", tabindex: "0", role: "region", "aria-label": "Request body" });
    this.sides = /** @type {const} */ (["request", "reply"]).map((side) =>
      button(side === "request" ? "Request" : "Reply", () => this.#turn(side), { class: "fl-send fl-side", "data-side": side }),
    );
    this.copy = button("Copy", () => this.#copy(), { class: "fl-send" });
    this.again = button("Refresh", () => this.#ask(), { class: "fl-send" });
    const head = el("div", { class: "fl-reqhead" }, ...this.sides, this.note, this.again, this.copy);
    const right = el("div", { class: "fl-callside" }, this.about, head, this.body);
    this.node = dialogOf("Requests", "fl-request", el("div", { class: "fl-callgrid" }, this.list, right));
    drive.on("request", () => this.open());
    drive.on("request of", (pool) => this.openFor(Number(pool)));
    drive.watch(() => this.#follow());
  }

  /** Show the next request. */
  open() {
    if (this.node.open) return;
    this.node.showModal();
    this.copy.focus();
    void this.#list().then(() => this.#choose(NEXT));
  }

  /** Show the request that a message comes from, or was first sent in. @param {number} pool */
  async openFor(pool) {
    if (this.node.open) return;
    await this.#list();
    const call = callOf(this.calls, this.app.run, pool);
    if (!call) return this.app.message(this.calls.length ? "No recorded model call has sent this message yet" : "No model call is recorded yet");
    this.node.showModal();
    this.listed = Math.max(LISTED, this.calls.length - this.calls.indexOf(call));
    this.#choose(call.number);
    /** @type {HTMLElement | null} */ (this.list.querySelector("[aria-current]"))?.focus();
  }

  /** The list grows while it is open. */
  #follow() {
    if (this.node.open && (this.drive.state?.exchanges ?? 0) !== this.known) void this.#list().then(() => this.#drawList());
  }

  async #list() {
    this.known = this.drive.state?.exchanges ?? 0;
    try {
      this.calls = (await this.drive.calls()).calls;
    } catch (error) {
      this.calls = [];
      write(this.note, problemText(error));
    }
  }

  /** @param {number} number */
  #choose(number) {
    this.shown = number;
    if (number === NEXT) this.side = "request";
    this.#drawList();
    void this.#ask();
  }

  #drawList() {
    const root = /** @type {ShadowRoot | Document} */ (this.node.getRootNode());
    const held = /** @type {HTMLElement | null} */ (root.activeElement)?.dataset.call;
    const newest = this.calls.toReversed();
    const more = newest.length - this.listed;
    const older = button(`${int(more)} older`, () => ((this.listed += LISTED), this.#drawList()), { class: "fl-link" });
    this.list.replaceChildren(
      el("li", { class: "fl-callhead" }, el("span", { text: "model call" }), el("span", { text: "took" })),
      this.#row(NEXT, "Next", "not sent yet", ""),
      ...newest.slice(0, this.listed).map((call) => this.#row(call.number, this.#name(call), took(call.seconds), outcomeWords(call))),
      ...(more > 0 ? [el("li", {}, older)] : []),
    );
    if (held) /** @type {HTMLElement | null} */ (this.list.querySelector(`[data-call="${held}"]`))?.focus();
  }

  /** @param {CallRow} call */
  #name = (call) => `${int(call.number)}${call.purpose === "summary" ? " summary" : ""}`;

  /** @param {number} number @param {string} name @param {string} time @param {string} came */
  #row(number, name, time, came) {
    const node = button("", () => this.#choose(number), {
      class: "fl-callrow",
      "data-call": number,
      "aria-current": number === this.shown ? "true" : null,
    });
    node.append(el("b", { text: name }), el("span", { text: time }), ...(came ? [el("span", { class: "fl-came", text: came })] : []));
    return el("li", {}, node);
  }

  /** @param {"request" | "reply"} side */
  #turn(side) {
    this.side = side;
    this.#draw();
  }

  async #ask() {
    const { shown } = this;
    this.kept = null;
    this.again.hidden = shown !== NEXT;
    for (const side of this.sides) side.hidden = shown === NEXT;
    this.#about(null);
    write(this.note, "Loading…");
    try {
      if (shown === NEXT) return this.#next(await this.drive.request());
      const kept = await this.drive.call(shown);
      if (shown !== this.shown) return;
      this.kept = kept;
      this.#draw();
    } catch (error) {
      if (shown !== this.shown) return;
      const call = this.calls.find((one) => one.number === shown) ?? null;
      this.#show("", visible(call?.unkept || problemText(error)));
      this.#about(call);
    }
  }

  /** @param {{body: unknown, note?: string}} answer */
  #next({ body, note }) {
    const text = JSON.stringify(body, null, 2);
    this.#show(text, [visible(note ?? ""), sizeWords(text, text.length)].filter(Boolean).join(" · "));
  }

  #draw() {
    const { kept, side } = this;
    const call = this.calls.find((one) => one.number === this.shown);
    if (!kept || !call) return;
    for (const node of this.sides) attribute(node, "aria-pressed", String(node.dataset.side === side));
    this.#about(call);
    const text = side === "request" ? kept.request : kept.reply;
    const why = side === "reply" ? noReply(call, kept) : "";
    const size = sizeWords(text, side === "request" ? kept.request_length : kept.reply_length);
    attribute(this.body, "aria-label", side === "request" ? "Request body" : "Reply");
    this.#show(text, visible(why || size));
  }

  /** Where it went, how long it took, every attempt. @param {CallRow | null} call */
  #about(call) {
    this.about.hidden = !call;
    if (!call) return;
    const tried = call.attempts.length > 1 || call.attempts.some((attempt) => attempt.error);
    const lines = tried
      ? call.attempts.map((attempt, k) => el("li", { text: visible(attemptLine(attempt, k)), "data-failed": attempt.error ? "true" : null }))
      : [];
    this.about.replaceChildren(
      el("p", { class: "fl-callline", text: callLine(call) }),
      el("p", {
        class: "fl-callurl",
        text: visible(call.url ? `${call.url}. ${HOW}` : "This model has no server. This is its input and its output."),
      }),
      ...(lines.length ? [el("ol", { class: "fl-attempts", "aria-label": "Attempts" }, ...lines)] : []),
    );
  }

  /** @param {string} text @param {string} note */
  #show(text, note) {
    this.text = text;
    this.body.replaceChildren(...(text ? [block(text, "")] : []));
    write(this.note, note);
    attribute(this.copy, "aria-disabled", text ? null : "true");
  }

  async #copy() {
    const done =
      this.text &&
      (await navigator.clipboard?.writeText(this.text).then(
        () => true,
        () => false,
      ));
    write(this.copy, done ? "Copied" : "Copy failed");
    setTimeout(() => write(this.copy, "Copy"), 1600);
  }
}
