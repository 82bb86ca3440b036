/** Where a summary comes from, as `api/provenance` answers; docs/wire.md says what each field means. */

import type { Span } from "../lib/types.js";

export type Verdict = "supported" | "partly" | "no_source" | "before_file";

/** What the ledger lists. */
export type Kind = "constraint" | "decision" | "file" | "identifier" | "number" | "command" | "error" | "task";

/** A place that a sentence comes from; `marks` and `missing` are spans of `quote`. */
export interface Source {
  at: number;
  step: number;
  via: number[];
  score: number;
  quote: string;
  marks: Span[];
  missing: Span[];
}

/** A sentence or a line of a list of the summary: a span of its text. */
export interface Sentence {
  from: number;
  to: number;
  verdict: Verdict;
  note: string;
  sources: Source[];
}

/** Something that was said in what the compaction took. */
export interface Entry {
  kind: Kind;
  text: string;
  at: number;
  said_at: number;
  in_summary: "verbatim" | "reworded" | "gone";
  /** Of what is reworded in part, how many of its content words are in the sentences of the summary nearest to it; else 0 of 0. */
  kept?: number;
  words?: number;
  needed_at: number;
}

export interface Provenance {
  sentences: Sentence[];
  counts: Record<Verdict, number>;
  ledger: Entry[];
  /** Entries beyond those of the ledger. */
  left_out: number;
  /** Why there is no summary to compare, or "". */
  unreadable: string;
}

/** A sentence that a person chose, on the card of compaction `k` of a trace while the cursor was at `step`. */
export interface Choice {
  tid: string;
  k: number;
  n: number;
  step: number;
  sentence: Sentence;
}
