// What follows in words from a file that begins in the middle of its session: core decides that it does. Pure.

import { sameWindow } from "./recorded.js";
/** @import { Run } from "./model.js" */

export const MIDWAY = "This file begins in the middle of a session. What came before is not in it.";

/** What is sent and stands in no transcript. */
const BESIDE = "system prompt, tools, what the agent added";

/** The same before anything took the place of what the file does not show. */
const EARLIER = "earlier messages, system prompt, tools, what the agent added";

/** @param {Run} run */
export const startsMidway = ({ store }) => store.header.startsMidway === true;

/** Whether messages from before the file are still in the recorded window, where so many compactions have been. @param {Run} run @param {number} epoch */
export const hasEarlier = (run, epoch) => startsMidway(run) && sameWindow(run, 0, epoch);

/** What is sent beside the messages of the recorded window. @param {Run} run @param {number} epoch  compactions there have been */
export const besideWords = (run, epoch) => (hasEarlier(run, epoch) ? EARLIER : BESIDE);

/** What is said behind "the user's requests": those from before the file are not known. @param {Run} run */
export const inThisFile = (run) => (startsMidway(run) ? " in this file" : "");
