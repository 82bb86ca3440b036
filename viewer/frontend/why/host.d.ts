import type { Host } from "./types.js";

/** A message, and the words of it that a change keeps; `scrolls`: it may be scrolled out of sight. */
export interface KeptText {
  pool: number;
  text: string;
  scrolls: boolean;
}

/** What the panel needs of the debugger it stands in. */
export interface PanelHost extends Host {
  /** What the address holds of the picture: source, policy, settings, … */
  query: Record<string, string | number | null | undefined>;
  /** The step whose window is on show, of which Why tells: the cursor's, or the one before a compaction that has yet to replace it. */
  shownStep: number;
  /** What a live run adds; null for a file. */
  extension: object | null;
  /** Whether it is a part of a page that drives it. */
  hosted: boolean;
  /** Whether it is an exported file, which has no other settings than its own. */
  alone: boolean;
  /** Whether a picture that was asked for is still to come. */
  awaits: boolean;
  /** How often what came could not be shown. */
  failures: number;
  /** What the window marks: the message that has a text because of the change that is tried. */
  highlights: { set(change: { kept: KeptText | null }): void };
  /** The lost texts that are gone through, and which of them Why is about; null where it is about none. */
  lost?: { walk: { texts: { answered?: boolean }[]; at: number } | null };
  select(key: string | null): void;
  /** Keep a message of a live run through every compaction. */
  pin(pool: number): void;
  /** Open the same file with these settings, at this step or where the cursor is; Back returns. */
  apply(query: PanelHost["query"], step?: number): void;
}
