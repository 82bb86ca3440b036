// What files are called where there is no room for their folders. Pure.

/** @param {string} path */
const partsOf = (path) => path.split(/[\\/]/).filter(Boolean);

/** The names of files, each with as much of its folders as tells it from the others: "a/SKILL.md", "b/SKILL.md". @param {string[]} paths @returns {string[]} */
export function namesApart(paths) {
  const all = paths.map(partsOf);
  return all.map((parts, k) => {
    const others = all.filter((other) => other.join("/") !== parts.join("/"));
    const ending = (/** @type {string[]} */ of, /** @type {number} */ count) => of.slice(-count).join("/");
    let count = 1;
    while (count < parts.length && others.some((other) => ending(other, count) === ending(parts, count))) count++;
    return ending(parts, count) || paths[k];
  });
}
