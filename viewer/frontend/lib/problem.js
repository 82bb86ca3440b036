// What an error says to a person: never nothing, and never only that it is one.

/** The words of what was thrown. @param {unknown} error */
export function problemText(error) {
  const text = error instanceof Error ? error.message.trim() : typeof error === "string" ? error.trim() : "";
  if (text && !/^\w*Error$/.test(text)) return text;
  return "An unknown error occurred on this page. Reload the page; if it happens again, please report it.";
}
