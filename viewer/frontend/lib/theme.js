// Light or dark, from the colors Streamlit hands down as custom properties.

/**
 * @param {Element} element  one inside a component, where the properties reach
 * @returns {"light"|"dark"}
 */
export function themeOf(element) {
  const color = getComputedStyle(element).getPropertyValue("--st-background-color").trim();
  if (!color) return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  return luminance(color) < 0.4 ? "dark" : "light";
}

/** @param {string} color  "#rgb", "#rrggbb" or "rgb(…)"; 0 is black, 1 is white */
export function luminance(color) {
  const [r, g, b] = channels(color);
  return (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255;
}

/** @param {string} color */
function channels(color) {
  const hex = /^#([0-9a-f]{3,8})$/i.exec(color)?.[1];
  if (!hex) return (color.match(/[\d.]+/g) ?? ["255", "255", "255"]).slice(0, 3).map(Number);
  const wide = hex.length < 6 ? [...hex].map((c) => c + c).join("") : hex;
  return [0, 2, 4].map((k) => parseInt(wide.slice(k, k + 2), 16));
}
