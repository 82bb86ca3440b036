/** What `api/lessons` answers; docs/wire.md. */

export interface LessonRow {
  number: number;
  key: string;
  title: string;
  about: string;
  /** What a person sees and does in it. */
  does: string;
  minutes: number;
  steps: string[];
  /** What there was to see, a sentence each. */
  saw: string[];
}

/** What `learn` is sent: the session that is open, for the last step of a lesson. */
export interface PageData {
  source: string;
  session: string;
  name: string;
  /** Whether another can be chosen in the Library. */
  library?: boolean;
  /** Of an exported file, what it says of that session. */
  note?: string;
}

export type Settings = Record<string, string | number | boolean | null>;

/** What the debugger shows. */
export interface Scene {
  source: string;
  session?: string;
  policy: string;
  settings: Settings;
  meter: string;
  summaries: string;
  step: number;
  phase: 1 | 2 | 3 | 4 | null;
}

/** A place among the messages: `before` is the index of one, null the end. */
export interface Choice {
  key: string;
  text: string;
  /** Why it is wrong, said to who chose it. */
  why?: string;
  before?: number | null;
}

export type Answer = string | number;

export interface Ask {
  kind: "number" | "choice" | "message" | "place";
  question: string;
  unit?: string;
  choices?: Choice[];
  answer: Answer;
  /** "~" where the answer is an estimate. */
  mark?: string;
  because: string;
  /** Where to read what it says of another agent. */
  source?: { name: string; url: string } | null;
}

export interface Task {
  text: string;
  controls: string[];
  ranges: Record<string, number[] | string[]>;
  passed: string;
  /** Scored when it is asked for. */
  blind?: boolean;
}

export interface Step {
  lesson: number;
  step: number;
  title: string;
  scene: Scene;
  veil: string[];
  /** What stays covered behind the answer, for the next step. */
  still?: string[];
  /** Those that a newcomer meets here first. */
  words?: { word: string; means: string }[];
  /** The part in question: timeline, plan, window, card, figures. */
  spot?: string;
  caption: string;
  ask: Ask | null;
  task: Task | null;
  figures: Figure | null;
  /** The step where the cursor goes once there is an answer. */
  then?: number | null;
  empty: string | null;
}

/** One thing that a task asks for, and the figure that tells. */
export interface Condition {
  text: string;
  figure: string;
  passed: boolean;
  /** Whether it tells how good a choice is. */
  scores?: boolean;
}

/** What the engine says of a task. */
export interface Check {
  passed: boolean;
  missing: string[];
  conditions?: Condition[];
  figures?: Figure | null;
  note?: string;
}

/** Bars of what each model call sent: what had been sent before, and what is new. */
export interface SentFigure {
  kind: "sent";
  calls: { step: number; old: number; new: number }[];
  total: number | null;
  /** "~" where their sum is an estimate. */
  mark?: string;
  /** The budget that the next of them is over: in front of a room the curve shows it. */
  limit?: number | null;
}

/** What each setting would have left, and how much of that is the summary of its own run. */
export interface StripFigure {
  kind: "strip";
  name: string;
  limit: number;
  rows: { value: number; tokens: number; summary: number; state: "passes" | "cuts" | "over" | "none" }[];
}

/** Messages in a row with their tool pairs, and a cut: the messages before it go. */
export interface CutsFigure {
  kind: "cuts";
  messages: { role: string; tokens: number }[];
  pairs: [number, number][];
  boundaries: number[];
  /** So many at the front never go. */
  pinned?: number;
  first: number;
  last: number;
  cut: number | null;
  safe: number[] | null;
}

/** Messages of one region, one behind the other, that a cache holds, or does not. */
export interface CachePart {
  region: string;
  tokens: number;
  warm: boolean;
}

/** What of a prompt the cache holds, and after how many calls a compaction has paid. */
export interface CacheFigure {
  kind: "cache";
  bars: { name: string; warm: number; cold: number; parts: CachePart[] }[] | null;
  pays: { name: string; calls: number | null; follow?: number }[] | null;
  follow: number | null;
  mark?: string;
}

/** Where a text was held, compaction by compaction. */
export interface FateFigure {
  kind: "fate";
  text: string;
  marks: { step: number; name: string; is: "held" | "in other words" | "in part" | "gone" | "asked" }[];
}

export interface Group {
  id: number;
  label: string;
  count: number;
  preview: string;
  tokens: number;
  later?: number;
}

export interface Need {
  name: string;
  was: number | null;
  at: number;
}

/** The past of a window, to choose what stays, and how that does. */
export interface GameFigure {
  kind: "game";
  room: number;
  past: number;
  stays: { system: number; recent: number };
  groups: Group[];
  /** Those that are kept in what is shown. */
  kept?: number[];
  scores: { name: string; about: string; window: number; misses: number; you?: boolean; best?: boolean }[] | null;
  missed: Need[];
  seen: Need[];
}

export type Figure = SentFigure | StripFigure | CutsFigure | CacheFigure | FateFigure | GameFigure | { kind: "many"; figures: Figure[] };

/** What a person said last, and whether it was so; of a task that was solved what it was solved by is no guess. `first` is how they
 *  came to their first answer. */
export interface Said {
  guess: Answer | null;
  right: boolean;
  first?: "right" | "wrong" | "shown";
}
