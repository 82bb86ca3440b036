// What the Tune page showed last in this tab: the link in the sidebar, which names nothing, leads back to it.

const KEY = "foldline-tune";

/** Keep what the address says, with the session that is open. @param {string} query */
export const keepLeft = (query) => sessionStorage.setItem(KEY, query);

/** What was kept. Of another session than the one that is open now only what is about several is. @param {{source: string, session: string}} open */
export function leftBy({ source, session }) {
  const query = sessionStorage.getItem(KEY) ?? "";
  const kept = new URLSearchParams(query);
  const same = (kept.get("source") ?? "") === source && (kept.get("session") ?? "") === session;
  return same || kept.has("sessions") ? query : "";
}
