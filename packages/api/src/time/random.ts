import { randomUUID } from 'node:crypto';

/** A source of random values, for delays, names and uids. Not for secrets. Tests use a source that a seed determines. */
export interface Random {
  /** Returns a number from 0 (inclusive) to 1 (exclusive). Callers can pass this function without its object. */
  readonly number: () => number;
  /** Returns a UUID of version 4. */
  readonly uuid: () => string;
}

/** The random values of the system: `Math.random`, and UUIDs that are unique across machines. */
export const systemRandom: Random = Object.freeze({ number: () => Math.random(), uuid: () => randomUUID() });
