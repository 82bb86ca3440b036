// Which replies needed a text that was gone: those that write it again, word for word. Pure; core/why/needed.py has the rule. What uses
// another name or other words of it takes the engine, and so does a text that is a name: a thought, or code that is only shown, may have it.
import { upperBound } from "../run/bisect.js";
import { FLAG, ROLES } from "../run/decode.js";
import { hasName } from "./common.js";
import { arrivals, heldAt } from "./textlane.js";
/** @import { Run } from "../run/model.js" */
/** @import { Lane } from "./textlane.js" */

const ASSISTANT = ROLES.indexOf("assistant");
const AROUND = /^[\s`'"“”.,;:()]+|[\s`'"“”.,;:()]+$/g;

/** Whether a text is one word that holds a name. @param {string} text */
const isName = (text) => !/\s/.test(text.trim()) && hasName(text.replace(AROUND, ""));

/** The messages that wrote the text while the prompt of their reply had lost it, by their places: one a reply. @param {Lane} lane @param {string} text @returns {Set<number>} */
export function needsOf(lane, text) {
  const { run } = lane;
  /** @type {Map<number, number>} */ const found = new Map();
  for (const place of isName(text) ? [] : candidates(lane)) {
    const call = run.store.calls[upperBound(run.store.calls, place) - 1];
    const prompt = run.stepOfMessage(call) - 1;
    if (!found.has(call) && prompt >= lane.first && !heldAt(lane, prompt).length) found.set(call, place);
  }
  return new Set(found.values());
}

/** The replies that come with the text when nothing in the window has it, and the later messages of any reply with it, in order. @param {Lane} lane */
function candidates(lane) {
  const { run, kept, hits } = lane;
  const back = [...run.epochs.keys()].flatMap((e) => (kept[e].length ? [] : arrivals(lane, e).slice(0, 1)));
  const later = hits.base.filter((place) => !(run.store.flags[place] & FLAG.modelCall));
  return [...new Set([...back, ...later])].filter((place) => isReply(run, place)).sort((a, b) => a - b);
}

/** Whether the model wrote a message. @param {Run} run @param {number} place */
const isReply = ({ store }, place) => store.role[place] === ASSISTANT && !(store.flags[place] & FLAG.injected);
