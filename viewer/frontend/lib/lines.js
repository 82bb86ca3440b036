// JSON that comes line by line from the server this page came from: each line is there as soon as it was sent.
import { answerAt } from "./asking.js";
import { NO_ANSWER, refusalText } from "./json.js";

/**
 * Give each line to `each`, in order. Rejects as `fetchJson` does, and where the signal stops it; what came until then was given.
 * @param {string} path  "api/…"
 * @param {(line: any) => void} each
 * @param {AbortSignal} signal  stopping closes the connection, and with it the work on the other side
 * @param {RequestInit} [how]
 */
export async function fetchLines(path, each, signal, how = {}) {
  const answer = await answerAt(path, { ...how, signal }).catch(() => null);
  if (!answer) throw new Error(NO_ANSWER);
  if (!answer.ok || !answer.body) throw new Error(refusalText(await answer.json().catch(() => null), `The server answered ${answer.status}`));
  await readLines(answer.body.getReader(), each);
}

/** Give each line of a stream of bytes to `each`. @param {{read: () => Promise<{done: boolean, value?: Uint8Array}>}} reader @param {(line: any) => void} each */
export async function readLines(reader, each) {
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
    const lines = rest.split("\n");
    rest = done ? "" : (lines.pop() ?? "");
    for (const line of lines) if (line.trim()) each(JSON.parse(line));
    if (done) return;
  }
}
