// Loans as they are exported: comma-separated, a heading first, no quotes. Titles with a comma are written with a semicolon.

/** The rows of a file as objects with the heading's names. Throws on a row of another length. */
export function rows(text) {
  const [heading, ...lines] = text.trim().split(/\r?\n/);
  const names = heading.split(",");
  return lines.map((line, at) => {
    const cells = line.split(",");
    if (cells.length !== names.length) throw new Error(`line ${at + 2} has ${cells.length} cells, not ${names.length}`);
    return Object.fromEntries(names.map((name, i) => [name, cells[i]]));
  });
}

/** Objects as rows again, with the names of the first as heading. */
export function text(objects) {
  if (!objects.length) return "";
  const names = Object.keys(objects[0]);
  return [names.join(","), ...objects.map((one) => names.map((name) => one[name]).join(","))].join("\n") + "\n";
}
