import type { LaneData } from "../compare/board.js";
import type { GameFigure, LessonRow, Need, Scene, Step } from "../learn/types.js";

/** A run that the file holds. */
export interface Listed {
  tid: string;
  name: string;
}

/** A parameter that the file can be turned to, and which of its values it opens with. */
export interface Axis {
  name: string;
  unit: string;
  values: string[];
  at: number;
}

/** The block "head": what the file holds; docs/wire.md. */
export interface Head {
  version: 1;
  sid: string;
  /** The first message of each block of messages, by session. */
  starts: Record<string, number[]>;
  runs: Listed[];
  /** The step it opens at, "" for none in particular. */
  start: string;
  /** Whether it opens with the overview, whatever the step. */
  overview: boolean;
  /** The texts that are followed when it opens. */
  why: string[];
  /** The policy that recorded compactions are compared with, and its settings. */
  grid: {
    axes: Axis[];
    /** Positions that the policy refuses, and why. */
    refused: Record<string, string>;
  };
  rival: { policy?: string } & Record<string, string>;
}

/** The block "head" of a file of lanes; docs/wire.md. */
export interface LanesHead {
  version: 1;
  sid: string;
  lanes: LaneData[];
  /** The lane that the others are measured against, by its place. */
  base: number;
  /** How many messages have arrived where it opens, 0 for where the lanes first differ. */
  message: number;
  /** The texts that are followed when it opens. */
  why: string[];
  /** What was masked, and what is not in it. */
  notes: string[];
}

/** The block "head" of a lesson's file; docs/wire.md. */
export interface LessonHead {
  version: 1;
  lesson: LessonRow;
  steps: Record<string, Step>;
  /** The ids of a session and a run, with the scene that they show. */
  scenes: { scene: Pick<Scene, "source" | "policy" | "meter" | "settings" | "summaries">; sid: string; tid: string }[];
  /** The first message of each block of messages, of each session. */
  starts: Record<string, number[]>;
  /** The source of the session that its last step is about, "" for a sample. */
  own: string;
  /** What was masked in that session, and what of it is not in the file. */
  notes: string[];
}

/** What any choice on the board is scored by. */
export interface Sheet {
  room: number;
  stays: number;
  /** Figures that no choice changes. */
  facts: Record<string, number | string>;
  /** Of each condition what it asks for, its figure, what is missing, and whether it scores: before figures are filled in. */
  conditions: [string, string, string, boolean][];
  /** The names that each group shows, by their places in `needs`. */
  shows: number[][];
  needs: Need[];
  /** What each policy misses. */
  rivals: number[];
  figure: GameFigure;
}
