// JSON from the server this page came from, or an error that can be shown.
import { answerAt } from "./asking.js";
import { asSentence } from "./format.js";

/** What is said where nothing answers. */
export const NO_ANSWER = "The server does not answer. Is foldline still running?";

/** The error and the hint of a refusal, as sentences. @param {{error?: string, hint?: string} | null} refusal @param {string} [otherwise] */
export function refusalText(refusal, otherwise = "") {
  const parts = [refusal?.error ?? otherwise, refusal?.hint];
  return parts.flatMap((text) => (text ? [asSentence(text)] : [])).join(" ");
}

/** How something is sent as JSON. @param {object} body @returns {RequestInit} */
export const posting = (body) => ({ method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });

/**
 * The JSON at an address. Rejects with an Error that can be shown; that of a refusal has its `status`, and whether what was asked
 * about is `closed`.
 * @param {string | URL} path  "api/…"
 * @param {RequestInit} [how]
 * @param {string} [noAnswer]
 * @returns {Promise<any>}
 */
export async function fetchJson(path, how, noAnswer = NO_ANSWER) {
  const answer = await answerAt(path, how).catch(() => null);
  if (!answer) throw new Error(noAnswer);
  const body = await answer.json().catch(() => null);
  if (answer.ok && body) return body;
  throw Object.assign(new Error(refusalText(body, `The server answered ${answer.status}`)), { status: answer.status, closed: body?.closed === true });
}
