// What an error says to a person: never nothing, and never only that it is one.

/** The words of what was thrown. @param {unknown} error */
export function problemText(error) {
  const text = error instanceof Error ? error.message.trim() : typeof error === "string" ? error.trim() : "";
  if (text && !/^\w*Error$/.test(text)) return text;
  return "Something failed on this page without saying why. Reload the page; if it happens again, please report it.";
}
