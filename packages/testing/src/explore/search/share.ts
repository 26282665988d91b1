/** One of several equal parts of a search. */
export interface Share {
  /** The number of the part, from 0. */
  readonly index: number;
  readonly count: number;
}

/** The share of a process that runs the whole search. */
export const WHOLE: Share = { index: 0, count: 1 };
