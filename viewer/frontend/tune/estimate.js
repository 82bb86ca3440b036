// How long a sweep takes, before it starts: by what reading each session took. Pure.
/** @import { SessionFacts } from "./types.js" */

/** What a session takes for each task and for each run, in times of reading it; measured with structural summaries. */
const TASK = 0.5;
const RUN = 0.1;
/** Settings of one task, and seconds until the first one begins. */
const BATCH = 12;
const START = 1.5;

/** From so many seconds on, something smaller is offered. */
export const LONG = 300;

/**
 * Seconds that so many settings of these sessions take, shared by so many processes.
 * @param {SessionFacts[]} sessions @param {number} settings @param {number} workers
 */
export function expectedSeconds(sessions, settings, workers) {
  const rates = sessions.filter(({ tokens }) => tokens > 0).map(({ seconds, tokens }) => seconds / tokens);
  rates.sort((a, b) => a - b);
  const usual = rates[Math.floor(rates.length / 2)] ?? 0; // the first one that is read takes longer than it should
  const whole = sessions.reduce((sum, { tokens }) => sum + tokens, 0);
  const tasks = Math.ceil(settings / BATCH);
  const shared = Math.max(1, Math.min(workers, sessions.length * tasks));
  return START + (whole * usual * (tasks * TASK + (settings + 2) * RUN)) / shared;
}
