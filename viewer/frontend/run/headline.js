// A message as the headline of a slide: who does what, and what they say, in words that can be read aloud. Pure.

import { pluralize } from "../lib/format.js";
import { FLAG } from "./decode.js";
/** @typedef {Omit<import("./layout.js").Row, "region">} Row */

/** Letters of a tool's result that are read out; of a longer one its size is told. */
const SHORT = 60;

/** @param {Row} row @param {string} about  "~" where tokens are estimated @returns {{who: string, said: string}} */
export function headline(row, about) {
  const { role, label, flags, preview, injected } = row;
  const name = label.replace(/^→ /, "") || role;
  if (injected) return { who: `${label}:`, said: preview };
  if (role === "system") return { who: "The instructions:", said: preview };
  if (role === "user") return { who: "The user:", said: preview };
  if (role === "tool") return resultLine(row, name, about);
  if (role !== "assistant") return { who: `${name}:`, said: preview };
  return { who: flags & FLAG.calls ? `The model calls ${name}:` : "The model:", said: preview };
}

/** @param {Row} row @param {string} name @param {string} about */
function resultLine({ tokens, preview, flags }, name, about) {
  const whole = preview.length <= SHORT && !preview.endsWith("…");
  const does = flags & FLAG.error ? "fails" : "answers";
  const who = `The tool ${name} ${does}`;
  return whole && preview ? { who: `${who}:`, said: preview } : { who, said: `with ${about}${pluralize(tokens, "token")}.` };
}
