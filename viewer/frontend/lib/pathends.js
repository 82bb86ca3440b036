// A path that is longer than its field in the sidebar: its end is shown, where the file's name is, and its title has it whole.

const FIELD = '[data-testid="stSidebar"] input[type="text"]';

/** Watch the sidebar's fields, which Streamlit draws anew as it likes. */
export function watchPaths() {
  const sizes = new ResizeObserver((entries) => entries.forEach(({ target }) => showEnd(/** @type {HTMLInputElement} */ (target))));
  const all = () =>
    document.querySelectorAll(FIELD).forEach((field) => {
      sizes.observe(field); // a narrower field begins its end later
      showEnd(/** @type {HTMLInputElement} */ (field));
    });
  new MutationObserver(all).observe(document.body, { childList: true, subtree: true, attributeFilter: ["value"] }); // it may be there before its path is
  document.addEventListener("focusout", () => requestAnimationFrame(all)); // the browser goes back to the beginning first
  document.fonts.addEventListener("loadingdone", all); // a text in another font is longer, or shorter
  all();
}

/** @param {HTMLInputElement} field */
function showEnd(field) {
  if (field === document.activeElement || !field.value.includes("/")) return;
  field.title = field.value;
  field.scrollLeft = field.scrollWidth;
}
