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
  /** The first message of each block of messages. */
  starts: number[];
  runs: Listed[];
  /** The step it opens at, "" for none in particular. */
  start: string;
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
