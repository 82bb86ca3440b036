// Whether a button of the pointer is held, on a slider perhaps: while it is, what is shown may change at any moment.

let pressed = false;

/** Whether a button of the pointer is held now. */
export const held = () => pressed;

if (typeof window === "object") {
  const on = { capture: true, passive: true };
  addEventListener("pointerdown", () => (pressed = true), on);
  for (const type of ["pointerup", "pointercancel"]) addEventListener(type, () => (pressed = false), on);
  addEventListener("blur", () => (pressed = false)); // the page's own; an element's does not come up to here
}
