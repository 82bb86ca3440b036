// What the Library was searched for when a session was opened from it, so that Debug begins where it stands.

let sought = { source: "", session: "", text: "" };

/** Debug is to open this session of a file, and to find this text in it, "" for none. @param {string} path @param {number} number @param {string} text */
export function lookFor(path, number, text) {
  sought = { source: `path:${path}`, session: number ? String(number) : "", text };
}

/** The text to find in a session that is opened, asked once. @param {{[name: string]: unknown}} [query]  as the address names it @returns {string} */
export function lookedFor({ source = "", session = "" } = {}) {
  const { text } = sought;
  const same = source === sought.source && String(session ?? "") === sought.session;
  sought = { source: "", session: "", text: "" };
  return same ? text : "";
}
