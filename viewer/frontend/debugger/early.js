// The first messages of a large transcript, before Streamlit has loaded: they stand where the debugger will be, until it is drawn.
import { isAt } from "../lib/address.js";
import { el } from "../lib/dom.js";
import { fetchJson } from "../lib/json.js";
import { styled } from "../lib/styles.js";
import { themeOf } from "../lib/theme.js";
import { Opening } from "./opening.js";
/** @import { OpeningData } from "./types.js" */

/** What the page of Streamlit shows instead of a debugger. */
const OTHERS = ".st-key-not-opened, [data-testid='stException']";

/** Ends what is shown, and keeps what comes later from being shown. */
const over = new AbortController();

/** To be called once the page shows a transcript itself, or why it shows none. */
export const leaveBeginning = () => over.abort();

/** @param {Promise<Response>} answer  of api/beginning; if it fails, the page does without */
export async function paintBeginning(answer) {
  /** @type {{opening?: OpeningData}} */ const { opening } = await answer.then((response) => response.json()).catch(() => ({}));
  if (!opening || over.signal.aborted) return;
  const host = el("div", { class: "fl-early" });
  const shadow = host.attachShadow({ mode: "open" });
  await styled(shadow);
  if (over.signal.aborted || isElsewhere()) return;
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

/** Whether the page is another one by now, or says why it shows no transcript. */
const isElsewhere = () => !isAt("debug") || document.querySelector(OTHERS) !== null;

function leaveForOthers() {
  const watch = new MutationObserver(() => isElsewhere() && leaveBeginning());
  watch.observe(document.body, { childList: true, subtree: true });
  over.signal.addEventListener("abort", () => watch.disconnect());
}
