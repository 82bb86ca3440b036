// The forms that a run can be handed on in. Pure.
import { int } from "../lib/format.js";
/** @import { Host, Ready } from "./types.js" */

/**
 * A form: its name to the server, what it is called, what it is. `picture`: made by the page itself; `lanes`: of several lanes alone;
 * `list`: of what a page lists, and not of a run;
 * `text`: of a text that is followed.
 * @typedef {{name: string, label: string, about: string, picture?: "svg" | "png", lanes?: true, list?: true, text?: true}} Form
 */

const NO_FORMULAS = " A text that a spreadsheet would take for a formula begins with an apostrophe.";

const LEFT_OUT = " Left out: thinking, calls without a result, and results without a call; how many is said once the file is ready.";

/** The forms of a run. @type {[string, Form[]][]} */
const FORMS = [
  [
    "To look at",
    [
      {
        name: "compare",
        label: "Compare, one HTML file",
        about:
          "These lanes beside each other, as here. Opens from disk in any browser, without a server and without a network. Of each message it shows the beginning.",
        lanes: true,
      },
      {
        name: "html",
        label: "Debugger, one HTML file",
        about: "Opens from disk in any browser, without a server and without a network. Of a simulated run its sliders work, too.",
      },
      { name: "svg", label: "Timeline, SVG", about: "A picture of the timeline, to be scaled. It holds no text of the transcript.", picture: "svg" },
      { name: "png", label: "Timeline, PNG", about: "A picture of the timeline, 2400 × 600. It holds no text of the transcript.", picture: "png" },
      {
        name: "compaction",
        label: "This compaction, Markdown",
        about: "For an issue tracker: the compaction here or before it, its figures, summary and findings, and what it took.",
      },
      {
        name: "answer",
        label: "This answer, Markdown",
        about: "For an issue tracker: where the text in Why went, what took it and why, and what would have kept it.",
        text: true,
      },
    ],
  ],
  [
    "To work with",
    [
      { name: "trace", label: "Trace, JSON", about: "Every step and every compaction, as foldline's library reads them." },
      { name: "session", label: "Session, JSON", about: "The transcript in foldline's own format, which foldline opens." },
      { name: "openai", label: "Messages, OpenAI", about: `The messages as the Chat Completions API takes them.${LEFT_OUT}` },
      { name: "anthropic", label: "Messages, Anthropic", about: `The messages as the Messages API takes them.${LEFT_OUT}` },
    ],
  ],
  [
    "Tables",
    ["messages", "steps", "compactions"].flatMap((table) =>
      ["CSV", "Parquet"].map((kind) => ({
        name: `${table}.${kind.toLowerCase()}`,
        label: `Table of ${table}, ${kind}`,
        about: aboutTable(table, kind),
      })),
    ),
  ],
];

/** @param {string} table @param {string} kind */
function aboutTable(table, kind) {
  const each = { messages: "A row for each message, with its tokens and texts.", steps: "A row for each step, with the tokens of its window." }[
    table
  ];
  return `${each ?? "A row for each compaction: its sizes, what it took and kept, its summary."}${kind === "CSV" ? NO_FORMULAS : ""}`;
}

/** The forms that a page has, in groups: those of its list first. @param {Host} host @returns {[string, Form[]][]} */
export function formsOf({ subject, pictures, lanes, list, text }) {
  const fits = (/** @type {Form} */ form) =>
    (!form.picture || pictures) && (!form.lanes || lanes) && (!form.text || text?.()) && subject(form) !== null;
  const listed = list ? [listForms(list)] : [];
  return [...listed, ...FORMS]
    .map(([label, forms]) => /** @type {[string, Form[]]} */ ([label, forms.filter(fits)]))
    .filter(([, forms]) => forms.length);
}

/** @param {{label: string, about: string}} list @returns {[string, Form[]]} */
function listForms({ label, about }) {
  const form = (/** @type {string} */ kind) =>
    /** @type {Form} */ ({ name: kind.toLowerCase(), label: `${label}, ${kind}`, about: `${about}${kind === "CSV" ? NO_FORMULAS : ""}`, list: true });
  return ["This list", ["CSV", "Parquet", "JSON"].map(form)];
}

/** Bytes as a person reads them. @param {number} bytes */
export function sizeWords(bytes) {
  if (bytes < 1000) return `${int(bytes)} bytes`;
  return bytes < 1e6 ? `${int(bytes / 1000)} KB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** "1.2 MB: program 268 KB, messages 700 KB, runs 240 KB". @param {Ready} ready */
export function readyWords({ bytes, sizes }) {
  const parts = Object.entries(sizes).map(([name, size]) => `${name} ${sizeWords(size)}`);
  return parts.length > 1 ? `${sizeWords(bytes)}: ${parts.join(", ")}` : sizeWords(bytes);
}
