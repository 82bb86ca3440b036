// Back, and Back again before Streamlit has drawn the page that the first one led to: it would draw that page all the same, and put
// its address in front of the one that is reached. Loading the page that is reached anew is slower, and right.

/** The page on show, by its path. */
let page = "";
/** Whether Streamlit is on its way to another one. */
let going = false;

/** A part of the page has come, and the page with it. */
export function pageHasCome() {
  page = location.pathname;
  going = false;
}

export const watchPages = () => addEventListener("popstate", turned, true);

/** @param {PopStateEvent} event */
function turned(event) {
  if (!going) {
    going = location.pathname !== page;
    return;
  }
  event.stopImmediatePropagation();
  history.pushState = history.replaceState = () => {}; // what it does until then
  location.reload();
}
