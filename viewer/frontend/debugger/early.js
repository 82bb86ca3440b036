// How a large transcript begins, on the page before Streamlit is: where the debugger will be, until that has something to show.
import { el } from "../lib/dom.js";
import { fetchJson } from "../lib/json.js";
import { styled } from "../lib/styles.js";
import { themeOf } from "../lib/theme.js";
import { Opening } from "./opening.js";
/** @import { OpeningData } from "./types.js" */

/** What the page of Streamlit shows instead of a debugger. */
const OTHERS = ".st-key-not-opened, [data-testid='stException']";

/** Where the debugger is: on Streamlit's first page. */
const DEBUG = /\/(debug)?$/;

/** Ends what is shown, and keeps what comes later from being shown. */
const over = new AbortController();

/** The page shows a transcript itself, or why it shows none. */
export const leaveBeginning = () => over.abort();

/** @param {Promise<Response>} asked  the answer of api/beginning */
export async function paintBeginning(asked) {
  /** @type {{opening?: OpeningData}} */ const { opening } = await asked.then((answer) => answer.json()).catch(() => ({}));
  if (!opening || over.signal.aborted) return;
  const host = el("div", { class: "fl-early" });
  const shadow = host.attachShadow({ mode: "open" });
  await styled(shadow);
  if (over.signal.aborted) return;
  document.body.append(host);
  show(shadow, opening);
  leaveForOthers();
  over.signal.addEventListener("abort", () => host.remove());
}

/** @param {ShadowRoot} shadow @param {OpeningData} data */
function show(shadow, data) {
  const root = el("div", { class: "fl-app", role: "region", "aria-label": "foldline debugger" });
  const opening = new Opening({ get: fetchJson }, () => {});
  root.append(opening.root);
  shadow.append(root);
  root.dataset.theme = themeOf(root);
  opening.show(data);
  over.signal.addEventListener("abort", () => opening.stop());
  requestAnimationFrame(() => setTimeout(() => (root.dataset.opening = data.id)));
}

function leaveForOthers() {
  const left = () => !DEBUG.test(location.pathname) || document.querySelector(OTHERS);
  const watch = new MutationObserver(() => left() && leaveBeginning());
  watch.observe(document.body, { childList: true, subtree: true });
  over.signal.addEventListener("abort", () => watch.disconnect());
}
