// The title of a session, which mostly is how its first request begins, in whole words. Pure.

const FOLDERS = /(^|\s)(?:~|[A-Za-z]:)?[\\/](?:[^\\/\s]+[\\/]){2,}([^\\/\s]+)/g;

/** A title in which a long path is its last part behind "…/", and which is cut behind a word: "in …/git-ai is a repo that does…". @param {string} title */
export const titleWords = (title) => title.replace(FOLDERS, "$1…/$2").replace(/[\s,;:.–-]+\S*…$/, "…");
