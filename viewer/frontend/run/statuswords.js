// What the status of a live run is called, wherever it is shown, and why it rests. No DOM.

const TITLES = { ready: "Ready", running: "Running", pausing: "Pausing", paused: "Paused", failed: "Failed", stopped: "Stopped", ended: "Ended" };

const KINDS = {
  no_key: "no key",
  auth: "the key was rejected",
  not_found: "no such model or address",
  rate_limit: "rate limit",
  overloaded: "the provider is overloaded",
  server: "the provider failed",
  network: "no connection to the provider",
  timeout: "no answer in time",
  context_too_long: "the window is too long for the model",
  refused: "the model refused",
  bad_request: "the request was rejected",
  cut_off: "the reply was cut off",
  bad_reply: "the reply cannot be read",
  broken_pair: "a tool call without its result, or a result without its call",
  scripted: "the script failed",
  error: "the run cannot go on",
  bug: "an unexpected error in foldline",
};

/** A status by its name. @param {string} status */
export const statusTitle = (status) => /** @type {Record<string, string>} */ (TITLES)[status] ?? status;

/** Statuses whose reason goes on in the same sentence: "Stopped by …". */
const FOLLOWED = ["running", "pausing", "stopped"];

/** What stands before the reason of a status: "Ended:", "Stopped". @param {string} lead @param {string} status @param {string} reason */
export const beforeReason = (lead, status, reason) => (reason && !FOLLOWED.includes(status) ? `${lead}:` : lead);

/** An error's kind as people call it. @param {string} kind */
export const errorWords = (kind) => /** @type {Record<string, string>} */ (KINDS)[kind] ?? kind.replaceAll("_", " ");

/**
 * Why a run rests, in words that follow the title of its status.
 * @param {string} status
 * @param {string} why  as the run says it
 * @param {string} [kind]  of the error, where it failed
 */
export function reasonWords(status, why, kind) {
  if (status === "failed" && kind) return errorWords(kind);
  if (status === "ended" && why === "answered") return "the agent has answered";
  return status === "stopped" ? why.replace(/^stopped /, "") : why;
}
