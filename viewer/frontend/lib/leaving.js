// An entry of the history whose page Python leaves for another one. Streamlit first takes the query from the address, and makes an
// entry of that, at which Back would do nothing. So it is taken off before, and kept in the entry until Back leads there.

/** Milliseconds after which a page that is still there was not left. */
const STAYED = 5000;

let staying = 0;

/** Keep the address in the entry: a trigger to Python is about to lead to another page. */
export function leavePage() {
  history.replaceState({ ...history.state, address: location.href }, "", location.pathname);
  clearTimeout(staying);
  staying = setTimeout(restoreAddress, STAYED);
}

/** Whether the entry is left, and keeps its address. */
export const isLeft = () => Boolean(history.state?.address);

/** Another address for the entry; one that is left keeps it. @param {string} href */
export function replaceAddress(href) {
  if (isLeft()) history.replaceState({ ...history.state, address: href }, "");
  else history.replaceState(history.state, "", href);
}

/** From now on an entry that was left has its address again as soon as Back leads there, before Streamlit reads it. */
export const watchHistory = () => addEventListener("popstate", restoreAddress, true);

function restoreAddress() {
  const { address, ...state } = history.state ?? {};
  if (address) history.replaceState(state, "", address);
}
