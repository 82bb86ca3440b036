// Title, facts as chips, and everything known of the session in a list that opens.
import { chip, whole } from "../lib/chips.js";
import { claim } from "../lib/claim.js";
import { attribute, button, el, write } from "../lib/dom.js";
import { titled } from "../lib/titled.js";
import { titleWords } from "../lib/titlewords.js";
import { findingsButton } from "./findings.js";
import { explained } from "../lib/tooltip.js";
import { pluralize, tokens } from "../lib/format.js";
import { icon } from "../lib/icons.js";
import { counted } from "../run/compactionfigures.js";
import { chipTexts, formatOf, messagesOf, meterOf, recordedWords } from "../run/headerwords.js";
import { errorWords, stretchWords } from "../run/recorded.js";
import { shownAs } from "../run/shownas.js";
/** @import { Run } from "../run/model.js" */
/** @import { Header } from "../run/types.js" */
/** @import { App } from "./app.js" */
/** @import { Change } from "./types.js" */

const FORK = "Fork from here: a new live run begins with its window (F)";
const SHARE = "Share this run as one file, or copy its link (S)";
const PRESENT = "Present: large type for a room, keys alone (Shift P)";
const COMPARE = "Compare with the recorded run, at this message (v)";
const ABOUT = "About this session: model, tokens, notes";
const DEBUG = "Open this run in Debug, at this message";

/** @param {HTMLElement} root @param {App} app */
export function part(root, app) {
  const title = titled(app.hosted ? null : () => app.toggle("notes"));
  const mode = el("span", { class: "fl-fact fl-mode" });
  const shown = explained(mode, "…");
  const chips = el("div", { class: "fl-facts" });
  const more = button("", () => app.toggle("notes"), { class: "fl-fact fl-about", title: ABOUT, "aria-haspopup": "dialog" });
  const find = button("Find", () => app.toggle("find"), { class: "fl-link", title: "Find in messages and summaries (/)", "data-needs": "messages" });
  const share = button("Share…", () => app.toggle("share"), { class: "fl-link", title: SHARE, "data-needs": "messages" });
  const fork = app.alone
    ? null
    : app.extension
      ? button("Open in Debug", () => app.extension?.debug(app), { class: "fl-link", title: DEBUG, "data-needs": "messages" })
      : button("Fork…", () => app.toggle("fork"), { class: "fl-link", title: FORK, "data-needs": "messages" });
  const compare =
    app.extension || app.alone ? null : button("Compare", () => app.compare(), { class: "fl-link", title: COMPARE, "data-needs": "messages" });
  const overview = button("Overview", () => app.toggleOverview(), {
    class: "fl-link",
    title: "What happened in this session (o)",
    "aria-pressed": "false",
    "data-needs": "messages",
  });
  const present =
    app.extension || app.hosted
      ? ""
      : button("", () => app.present(true), { class: "fl-link fl-to-present", title: PRESENT, "aria-label": "Present", "data-needs": "messages" });
  if (present) present.append(icon("present"), el("span", { class: "fl-roomy", text: "Present" }));
  const help = button("?", () => app.toggle("help"), { class: "fl-link", title: "Shortcuts and glossary (?)", "aria-label": "Help" });
  const list = el("div", { class: "fl-notes", role: "dialog", "aria-label": "About this session", hidden: true, tabindex: "-1" });
  const others = [app.extension ? null : overview, find, compare, app.alone ? null : share, fork];
  const head = [title.node, shown, chips, findingsButton(app), more, ...(app.hosted ? [find] : others), present, help];
  root.append(el("header", { class: "fl-header" }, ...head), list);
  const draw = () => (drawAll(app.run, { title, mode, chips, more, list }), whole(chips));
  new ResizeObserver(() => whole(chips)).observe(chips);
  const update = (/** @type {App} */ _, /** @type {Change} */ change) => {
    if (change.run) draw();
    attribute(overview, "aria-pressed", String(app.overview));
    if (change.open) show(app, list, more);
  };
  return { update };
}

/** @param {Run} run @param {Record<"mode" | "chips" | "more" | "list", HTMLElement> & {title: ReturnType<typeof titled>}} nodes */
function drawAll(run, { title, mode, chips, more, list }) {
  const { header } = run.store;
  const notes = notesOf(run);
  title.show(titleWords(header.title) || "Untitled session", header.title, 0.8); // it gives way to the chips, but not all of it
  const { short, long } = shownAs(run);
  const [kind, by] = short.split(/(?=: )/);
  mode.replaceChildren(kind, el("span", { class: "fl-roomy", text: by ?? "" })); // a small page has no room for whose policy it is
  write(/** @type {Node} */ (mode.nextSibling), long);
  chips.replaceChildren(...chipTexts(header).map(chip));
  const count = notes.length ? ` · ${pluralize(notes.length, "note")}` : "";
  more.replaceChildren("Details", el("span", { class: "fl-roomy", text: count })); // a small page gives its room to the title
  attribute(more, "aria-label", `Details${count}`);
  attribute(more, "data-notes", notes.length ? "true" : "false");
  list.replaceChildren(el("h2", { text: "This session" }), facts(run), ...noteList(notes));
}

/** @param {Run} run  what was skipped or repaired while loading, and what the simulation has to say */
function notesOf(run) {
  return [...run.store.header.notes, ...(run.view.notes ?? [])];
}

/** @param {Run} run */
function facts(run) {
  const { header } = run.store;
  const { policy } = run.view;
  const guessed = header.approximate && header.how === "counted" ? " (an estimate for this model)" : "";
  const how = header.how === "calibrated" ? "by" : `${header.how} by`;
  const [arrived, added] = messagesOf(header);
  const rows = [
    ["Title", header.title || "not given"],
    ["Format", formatOf(header)],
    ["Model", header.model || "not recorded"],
    ["Messages", `${arrived}${header.turns ? ` in ${pluralize(header.turns, "turn")}` : ""}${added ? `, and ${added}` : ""}`],
    ["Tokens", `${tokens(header.total, header.approximate)}, ${how} ${meterOf(header)}${guessed}`],
    ["Recorded", recordedWords(header) || "0 compactions"],
    ...uncertainRow(header),
    ...unseenRow(header),
    ["Shown", policy ? `${policy.name} (${claim(policy.fidelity, policy.notModelled)}), ${counted(run) || "no compactions"}` : "the run as recorded"],
  ];
  return el("dl", {}, ...rows.flatMap(([name, text]) => [el("dt", { text: name }), el("dd", { text })]));
}

/** Where the recorded window may not be what was sent. @param {Header} header @returns {[string, string][]} */
function uncertainRow({ n, recorded }) {
  const said = stretchWords(recorded.uncertain, recorded.at, n);
  return said ? [["Window", said]] : [];
}

/** What prompts held beyond the messages, at the first model call and typically. @param {Header} header @returns {[string, string][]} */
function unseenRow(header) {
  const { recorded, unseen } = header;
  if (!unseen) return [];
  const error = unseen.parts ? "" : errorWords(recorded.error, recorded.typical); // the parts say it already
  if (unseen.typical <= 0 && recorded.uncertain?.length)
    return [["Not in this file", ["not known: the recorded prompts shrank without a recorded compaction", error].filter(Boolean).join("; ")]];
  if (unseen.typical <= 0)
    return [["Not in this file", ["none: the recorded prompts are no larger than the count of their messages", error].filter(Boolean).join("; ")]];
  const said = `~${tokens(Math.max(0, unseen.first))} tokens of the first recorded prompt, ~${tokens(unseen.typical)} of a typical one${partsWords(header)}`;
  return [["Not in this file", error ? `${said}; ${error}` : said]];
}

const MISSING = "system prompt, tool definitions, text the harness added";

/** What is unseen, taken apart where that can be told. @param {Header} header */
function partsWords({ unseen, meter, startsMidway }) {
  const what = startsMidway ? `earlier messages, ${MISSING}` : MISSING;
  if (!unseen?.parts) return ` (${what})`;
  const { missing, undercounted } = unseen.parts;
  if (!missing) return `: all of it because ${meter} counts too low`;
  const less = `~${tokens(Math.abs(undercounted))} because ${meter} counts too ${undercounted < 0 ? "high" : "low"}`;
  return `: ~${tokens(missing)} missing (${what}), ${less}`;
}

/** @param {string[]} notes */
function noteList(notes) {
  if (!notes.length) return [];
  return [el("h2", { text: "Notes" }), el("ul", {}, ...notes.map((text) => el("li", { text })))];
}

/** @param {App} app @param {HTMLElement} list @param {HTMLElement} more */
function show(app, list, more) {
  const opened = app.open.notes && list.hidden;
  list.hidden = !app.open.notes;
  attribute(more, "aria-expanded", String(app.open.notes));
  if (opened) list.focus({ preventScroll: true });
}
