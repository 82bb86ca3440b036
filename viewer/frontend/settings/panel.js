// The policy's parameters, each as the widget that suits it, live while they are turned.
import { attribute, button, el, write } from "../lib/dom.js";
import { rowOf, same, sayable } from "./settings.js";
import { themeOf } from "../lib/theme.js";
export { leastOf, wholeOf } from "./numbers.js";

/** @typedef {import("./settings.js").Param} Param */
/** @typedef {{policy: string, values: Record<string, unknown>}} Settings */

export class Panel {
  /**
   * @param {ParentNode} parent  the shadow root to fill
   * @param {(settings: Settings) => void} say  takes every change
   */
  constructor(parent, say) {
    this.say = say;
    this.shape = "";
    /** @type {Map<string, import("./settings.js").Row>} */ this.rows = new Map();
    /** @type {Param[]} */ this.params = [];
    this.root = el("div", { class: "fl-panel", role: "group", "aria-label": "Policy parameters" });
    this.reset = button("Reset to defaults", () => this.#all((param) => param.default), { class: "fl-small" });
    this.suggest = button("Use suggested values", () => this.#all((param) => param.suggested), { class: "fl-small" });
    /** What is suggested and why, whether or not it is in force: it never moves. */
    this.why = el("p", { class: "fl-note", id: "fl-suggested" });
    attribute(this.suggest, "aria-describedby", this.why.id);
    this.foot = el("div", { class: "fl-panel-foot" }, this.reset, this.suggest, this.why);
    parent.append(this.root);
  }

  /**
   * @param {{policy: string, params: Param[], grounds?: string, returns?: number}} data  `grounds` say why the suggested values
   *   are; `returns` counts up when Back has changed the values
   */
  update(data) {
    this.root.dataset.theme = themeOf(this.root);
    if (!data?.params) return;
    const returned = data.returns !== this.returns;
    this.returns = data.returns;
    this.policy = data.policy;
    const shape = JSON.stringify([data.policy, data.params.map(({ value: _, ...rest }) => rest)]);
    const busy = !returned && this.root.matches(":focus-within") && this.policy === this.built;
    if (shape !== this.shape && !busy) this.#build(data.params);
    else for (const param of data.params) this.#take(param, returned);
    if (!busy) this.shape = shape;
    write(this.why, suggestion(data.params, data.grounds ?? ""));
    this.#foot();
  }

  /** A row that is being turned is left alone: what comes from the server is older. @param {Param} param @param {boolean} returned */
  #take({ name, value }, returned) {
    const row = this.rows.get(name);
    if (row && (returned || !row.node.matches(":focus-within, :active")) && !same(row.value(), value)) row.set(value);
  }

  /** @param {Param[]} params */
  #build(params) {
    this.built = this.policy;
    this.params = params;
    this.rows = new Map(params.map((param) => [param.name, rowOf(param, () => this.#tell())]));
    this.root.replaceChildren(...[...this.rows.values()].map((row) => row.node), this.foot);
  }

  /** Which of the two ways back lead anywhere. */
  #foot() {
    const at = (/** @type {(param: Param) => unknown} */ wanted) =>
      this.params.every((param) => same(this.rows.get(param.name)?.value(), wanted(param)));
    const asked = this.params.some((param) => param.suggested !== undefined && !same(param.suggested, param.default));
    this.foot.hidden = !this.params.length;
    this.reset.disabled = at((param) => param.default);
    this.suggest.hidden = !asked;
    this.suggest.disabled = asked && at((param) => param.suggested);
  }

  /** @param {(param: Param) => unknown} wanted */
  #all(wanted) {
    for (const param of this.params) this.rows.get(param.name)?.set(wanted(param));
    this.#tell();
  }

  #tell() {
    const values = Object.fromEntries([...this.rows].map(([name, row]) => [name, row.value()]));
    this.#foot();
    this.say({ policy: this.policy ?? "", values });
  }

  destroy() {
    this.root.remove();
  }
}

/**
 * What is suggested where it is not the default, and on what grounds: "Suggested: budget 8,000. About 6 compactions …".
 * @param {Param[]} params @param {string} grounds
 */
export function suggestion(params, grounds) {
  const other = params.filter(({ suggested, default: own }) => suggested !== undefined && !same(suggested, own));
  const said = other.map((param) => `${param.name} ${sayable(param.suggested, param)}`).join(", ");
  return said && [`Suggested: ${said}.`, grounds].filter(Boolean).join(" ");
}
