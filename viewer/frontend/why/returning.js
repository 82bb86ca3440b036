// The button that was pressed to try a change takes the focus again when that is undone by a key.

export class Returning {
  /** @param {HTMLElement} panel @param {HTMLElement} root  has the focus right after Undo @param {() => void} redraw */
  constructor(panel, root, redraw) {
    this.panel = panel;
    this.root = root;
    this.redraw = redraw;
    /** The name of the button that was pressed last. */ this.pressed = "";
    /** What was given the focus, as long as it may have to be given anew. @type {HTMLElement | null} */ this.given = null;
  }

  get #active() {
    return /** @type {ShadowRoot | Document} */ (this.panel.getRootNode()).activeElement;
  }

  /** A button that tries a change is pressed. */
  note() {
    const active = this.#active;
    this.pressed = active instanceof HTMLElement && active.matches(".fl-why-try") ? active.title : "";
  }

  /** It is undone. */
  begin() {
    this.given = this.root;
    this.redraw();
  }

  /** The list may have been drawn anew: its button has the focus, unless that is elsewhere by now. @param {boolean} last  whether the list is as it stays */
  draw(last) {
    const active = this.#active;
    if (!this.given) return;
    if (active && active !== document.body && active !== this.given) this.given = null;
    else this.#give();
    if (last) this.given = null;
  }

  #give() {
    const shown = [.../** @type {NodeListOf<HTMLElement>} */ (this.panel.querySelectorAll(".fl-why-try"))].filter(
      (press) => !press.closest("[hidden]"),
    );
    this.given = shown.find(({ title }) => title === this.pressed) ?? shown[0] ?? this.panel;
    this.given.focus({ preventScroll: true });
  }
}
