// A time as short as it is clear, and what is said where there is none.

/** "14:26" today, "Mon 14:26" this week, "12 Mar", "12 Mar 2025". @param {string} iso @param {Date} [now] */
export function when(iso, now = new Date()) {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return "";
  const days = (now.getTime() - at.getTime()) / 86_400_000;
  const clock = at.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
  if (days < 1 && at.getDate() === now.getDate()) return clock;
  if (days < 6) return `${at.toLocaleDateString("en-GB", { weekday: "short" })} ${clock}`;
  const year = at.getFullYear() === now.getFullYear() ? {} : { year: /** @type {const} */ ("numeric") };
  return at.toLocaleDateString("en-GB", { day: "numeric", month: "short", ...year });
}

/** Why a session has no time. @param {string} changed  when its file was changed, "" where that is not known */
export function undated(changed) {
  const at = new Date(changed);
  const day = Number.isNaN(at.getTime()) ? "" : at.toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" });
  return `Its messages have no time.${day && ` The file was changed on ${day}.`}`;
}
