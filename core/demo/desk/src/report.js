// The audit's report: what was charged against what the rules ask for. Written by the auditors, who brought their own dates:
// they count in UTC, so that a report made in any office says the same.

import { readFileSync } from "node:fs";
import { rows } from "./store.js";
import { format, parse } from "./money.js";

const DAY_MS = 86_400_000;

/** Days from one "2026-03-27" to another, counted in UTC. */
function utcDays(from, to) {
  return Math.max(0, (Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS);
}

/** Each loan whose fine is not what the rules ask for, with both amounts in cents. */
export function differences(loans, config) {
  return loans.flatMap((loan) => {
    const late = utcDays(loan.due, loan.returned);
    const days = Math.max(0, late - (config.graceDays[loan.member_kind] ?? 0));
    const asked = Math.min(config.fine.ceilingCents, days * config.fine.perDayCents[loan.kind]);
    const charged = parse(loan.fine);
    return asked === charged ? [] : [{ id: loan.id, days, asked, charged }];
  });
}

/** The report as text. */
export function report(path, config) {
  const found = differences(rows(readFileSync(path, "utf8")), config);
  const short = found.reduce((sum, one) => sum + one.asked - one.charged, 0);
  const lines = found.map((one) => `${one.id}  ${one.days} days  asked ${format(one.asked)}  charged ${format(one.charged)}`);
  return [...lines, `${found.length} loans, ${format(short)} too little`].join("\n");
}
