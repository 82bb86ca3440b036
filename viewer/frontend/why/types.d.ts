import type { Run } from "../run/model.js";
import type { WhyStore } from "./store.js";

/** What Why is told by the server; docs/wire.md says what each field means. */

export type State = "before" | "verbatim" | "summary" | "gone";
export type EventKind = "said" | "read_again" | "taken" | "in_summary" | "left_out" | "needed";

/** A stretch of steps, both ends included, at which the same messages of the window say the text. */
export interface Stretch {
  from: number;
  to: number;
  state: State;
  at: number[];
  title: string;
  text: string;
  /** What the compaction with which it begins did to the text; "" where none took it. */
  how?: string;
  /** Of a text that is gone: the summaries that say it in other words, or a part of it. */
  reworded?: number[];
  /** Of its content words so many are in the sentences of the last of them nearest to it; [0, 0] where these say it in other words. */
  kept?: [kept: number, words: number];
  /** The last part of a path, by which they name it; "" of any other text. */
  named?: string;
}

/** Something that happened to the text; `at` is the message's place in the pool or -1, `k` the compaction's index or -1. */
export interface FateEvent {
  step: number;
  kind: EventKind;
  at: number;
  k: number;
  number: string;
  role: string;
  tokens: number;
  quote: string;
  match: string;
  /** Of a need the step whose window should have had it. */
  lacked_at: number;
  words: string;
}

/** What `api/fate` answers. */
export interface Fate {
  text: string;
  steps: number;
  match: "exact" | "case" | "none";
  places: number[];
  total: number;
  common: boolean;
  /** Whether it states a rule for good; unknown of a text that a file alone follows. */
  standing?: boolean;
  lane: Stretch[];
  events: FateEvent[];
  uses: FateEvent[];
  reasons: { k: number; text: string }[];
  /** In a file: the steps up to which it holds what would have kept the text. */
  cured?: number[];
}

/** A text that is followed. */
export interface Lane {
  text: string;
  /** null until it is known; of the trace before while `stale`. */
  fate: Fate | null;
  stale: boolean;
  /** Why it is not known, else "". */
  failed: string;
}

/** A change that was pressed: its picture is on screen, or on its way. */
export interface Trying {
  fix: Fix;
  waits: boolean;
}

/** One change that would have kept the text, as `api/fixes` streams it. */
export interface Fix {
  change: string;
  value: string | number;
  /** Both in words. */
  text: string;
  now: boolean;
  kept: boolean;
  /** It is counted: a message has the text for good, in a run that compacts, and within its budget. */
  cure: boolean;
  /** It is better than nothing: the text is not lost again, and the run compacts. */
  helps: boolean;
  /** Why a change is not counted. */
  drawbacks: [text: string, meaning: string][];
  /** What the setting that is changed does, in plain words. */
  about?: string;
  /** The policy whose setting is changed, where that is not the one on screen: of a recorded run its agent's. */
  of?: string;
  /** No message of the window has it, but a summary. */
  in_summary?: boolean;
  /** It is what a person changes first: a pin, how much stays at the end, or when the policy acts. */
  main?: boolean;
  /** It is another policy, and not a setting of the one on screen or of the one that reproduces the agent. */
  other?: boolean;
  /** It is the policy of a recorded run's agent, simulated without a change: what changes of its settings are compared with. */
  baseline?: boolean;
  /** Behind how many messages it compacts, each time. */
  compacted_at: number[];
  peak_tokens: number;
  tokens_sent: number;
  query: Record<string, string | number>;
}

/** A line of `api/fixes`; the last one is `done` or `failed`. */
export interface FixLine {
  progress?: [done: number, total: number];
  row?: Fix;
  done?: boolean;
  note?: string;
  failed?: string;
}

/** What answers. */
export interface Server {
  get(path: string): Promise<unknown>;
  lines(path: string, each: (line: FixLine) => void, signal: AbortSignal): Promise<void>;
}

/** What the lanes need of the debugger they stand in. */
export interface Host {
  why: WhyStore;
  run: Run;
  step: number;
  root: HTMLElement;
  pause(): void;
  go(step: number, how?: { animate?: boolean; jump?: boolean; scrubbed?: boolean }): void;
  message(text: string): void;
}
