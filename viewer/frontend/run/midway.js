// What follows in words from a file that begins in the middle of its session: core decides that it does. Pure.

import { sameWindow } from "./recorded.js";
/** @import { Run } from "./model.js" */

/** The number of the role in `store.role`. */
const SYSTEM = 0;

export const MIDWAY = "This file begins in the middle of a session. What came before is not in it.";

/** @param {Run} run */
export const startsMidway = ({ store }) => store.header.startsMidway === true;

/** Whether messages from before the file are still in the recorded window, where so many compactions have been. @param {Run} run @param {number} epoch */
export const hasEarlier = (run, epoch) => startsMidway(run) && sameWindow(run, 0, epoch);

/** Where the first message of a file is the system prompt, that is in it. @param {Run} run */
const hasSystemPrompt = ({ store }) => store.role[0] === SYSTEM;

/** What is sent beside the messages of the recorded window, and stands in no transcript. @param {Run} run @param {number} epoch  compactions there have been @param {boolean} [sealed]  whether nobody can read the summary in it */
export const besideWords = (run, epoch, sealed = false) =>
  [
    sealed && "the summary that nobody can read",
    hasEarlier(run, epoch) && "earlier messages",
    !hasSystemPrompt(run) && "system prompt",
    "tools",
    "what the agent added",
  ]
    .filter(Boolean)
    .join(", ");

/** What is said behind "the user's requests": those from before the file are not known. @param {Run} run */
export const inThisFile = (run) => (startsMidway(run) ? " in this file" : "");
