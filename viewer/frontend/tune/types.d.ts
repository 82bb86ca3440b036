/** A session of the sweep: viewer/wire/tuned.py, `session_facts`. */
export interface SessionFacts {
  id: string;
  title: string;
  agent: string;
  model: string;
  messages: number;
  tokens: number;
  /** What counts it. */
  meter: string;
  seconds: number;
  /** Whether the context window of its model is known. */
  limited: boolean;
  /** Whether its file holds sessions that were not asked for. */
  others?: boolean;
  name: string;
  source: string;
  session: string;
}

/** The sessions that were found together. */
export interface SessionSet {
  set: string;
  meter: string;
  sessions: SessionFacts[];
  failures: [string, string][];
  models: string[];
}

/** The range of a parameter: viewer/wire/tuned.py, `proposal_facts`. */
export interface Proposal {
  parameter: string;
  unit: string;
  stops: string[];
  amounts: number[];
  low: number;
  high: number;
  why: string;
  default: string;
}

/** A policy beside the ranges of its parameters: their defaults, and the one that is the model's context window, where it needs that. */
export interface PolicyFacts {
  defaults: { [name: string]: string };
  window: string;
}

/** A parameter that is swept, with its values as the policy takes them. */
export interface Axis {
  name: string;
  values: string[];
}

/**
 * The settings of one policy: the values of the first parameter change first. `own` says that a person chose the values.
 * `fixed` are values of other parameters, null until they are known: those of the debugger.
 */
export interface Grid {
  policy: string;
  axes: Axis[];
  own: boolean;
  fixed: { [name: string]: string } | null;
  /** What a kept result calls it, which may have several maps of one policy. */
  label?: string;
}

/** A result of `foldline tune --parquet`: viewer/api/kept.py, `result_facts`. */
export interface Kept {
  result: string;
  sessions: number;
  meter: string;
  summaries: string;
  grids: Grid[];
}

/** A session of a kept result that loses much, at the step where most was lost, and the message of that step by its number. */
export interface Loser {
  name: string;
  source: string;
  session: string;
  step: number | null;
  message: number | null;
  misses: number;
  miss_rate: number | null;
  cost: number | null;
  tokens_sent: number;
  compactions: number;
  query: { [name: string]: string };
}

/**
 * A setting over all sessions: sessions so far, miss rate, cost, compactions, tokens sent, whether it thrashes, uses, and how
 * many model calls came after its policy had stopped for good, of how many.
 */
export type Cell = [number, number | null, number | null, number, number, boolean, number, number, number];

/** A session as recorded and as shown: cost, miss rate, compactions, tokens sent; each null where there is none. */
export type Line = [
  number,
  number | null,
  number | null,
  number | null,
  number | null,
  number | null,
  number | null,
  number | null,
  number | null,
  string,
];

/** A stretch of the recommendation, and how it is to be read. */
export type Part = [string, "" | "strong" | "better" | "worse" | "mute"];

/** A sweep as it stands: viewer/wire/tuned.py, `Standing.picture`. */
export interface Picture {
  cells: Cell[];
  sessions: number;
  front: number[];
  best: number | null;
  near: number[];
  recorded: Cell;
  never: Cell;
  said: Part[];
  shown: number | null;
  label: string;
  query: { [name: string]: string };
  table: Line[];
  /** Of a kept result: whether its rows have costs, and the sessions that have most of the figure that is asked for. */
  priced?: boolean;
  worst?: Loser[];
}

/** The four prices, in dollars a million tokens: input, cache read, cache write, output. */
export type Prices = [number, number, number, number];

/** How far a run is. */
export interface Progress {
  done: number;
  runs: number;
  part: number;
  left: number | null;
}

/** What Python says of the page when it is opened. */
export interface PageData {
  source: string;
  session: string;
  title: string;
  now: { [name: string]: string };
  /** The policy that reproduces the agent of the open session; "" where none is known. */
  own: string;
  local: boolean;
  meter: string;
  meters: string[];
  folder: string;
  /** Processes that a sweep has. */
  workers: number;
}
