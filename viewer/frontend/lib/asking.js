// Who answers questions: the server this page came from; in an exported file, the file itself.

/** @typedef {(path: string | URL, how: RequestInit) => Promise<Response>} Answerer */

/** @type {Answerer} */
let answerer = (path, how) => fetch(new URL(path, document.baseURI), how);
let byFile = false;

/** From now on these answers are given instead of the server's. @param {Answerer} other */
export function answerWith(other) {
  answerer = other;
  byFile = true;
}

/** Whether an exported file answers: then there is no server to speak of. */
export const answersByFile = () => byFile;

/** The answer at a path; rejects where nothing answers. @param {string | URL} path  "api/…" @param {RequestInit} [how] */
export const answerAt = (path, how = {}) => answerer(path, how);
