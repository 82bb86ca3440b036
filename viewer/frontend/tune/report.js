// What the Tune page shows, as a page of its own: no script, nothing that is fetched, nothing to press.
import { el } from "../lib/dom.js";
import { int, pluralize } from "../lib/format.js";

/** Parts of the page that only work where the server is. */
const PRESSED = "button, select, dialog, a, .fl-tune-progress, .fl-tune-buttons, .fl-tune-views, .fl-said, [hidden]";
/** What a person reads of some of these. */
const SAID = { SELECT: (/** @type {Element} */ node) => /** @type {HTMLSelectElement} */ (node).selectedOptions[0]?.text ?? "" };

const STYLE = `
html { color-scheme: light; background: #fbfbfa; } body { margin: 0; padding: 16px 24px; }
.fl-tune-page { container: none; display: block; height: auto; max-width: 1100px; margin: auto; }
.fl-tune-card { margin-top: 12px; overflow: visible; }
.fl-tune-mapcard, .fl-tune-plotcard { display: grid; height: 380px; }
.fl-tune-tablecard { font-size: 13px; }
`;

/** The report. @param {HTMLElement} page  the root of the Tune page @param {number} sessions  that were swept */
export function reportOf(page, sessions) {
  const root = /** @type {ShadowRoot} */ (page.getRootNode());
  const rules = root.adoptedStyleSheets.flatMap((sheet) => [...sheet.cssRules].map(({ cssText }) => cssText));
  const copy = /** @type {HTMLElement} */ (page.cloneNode(true));
  copy.dataset.theme = "light";
  const choices = [...page.querySelectorAll("select")].map(SAID.SELECT);
  copy.querySelectorAll("select").forEach((node, k) => node.replaceWith(choices[k]));
  for (const pressed of copy.querySelectorAll("[aria-pressed=true], [data-column] > button, .fl-tune-named"))
    pressed.replaceWith(pressed.textContent ?? "");
  for (const node of copy.querySelectorAll(PRESSED)) node.remove();
  for (const node of copy.querySelectorAll("[tabindex]")) node.removeAttribute("tabindex");
  const rows = copy.querySelectorAll(".fl-tune-title").length;
  copy.append(...note(rows - (sessions > 1 ? 1 : 0), sessions));
  const head = `<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`;
  const title = "<title>A sweep · foldline</title>";
  const style = `<style>${rules.join("\n").replaceAll("<", "\\3c ")}${STYLE}</style>`;
  const text = `<!doctype html><html lang="en"><head>${head}${title}${style}</head><body><main>${copy.outerHTML}</main></body></html>`;
  return new Blob([text], { type: "text/html" });
}

/** The page lists as many sessions as it has room for. @param {number} rows @param {number} sessions */
function note(rows, sessions) {
  const text = `The table has ${int(rows)} of ${pluralize(sessions, "session")}: the others are in the rows that Share saves.`;
  return rows < sessions ? [el("p", { class: "fl-tune-mute", text })] : [];
}
