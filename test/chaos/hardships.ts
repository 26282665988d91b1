import type { Scenario } from './scenario.js';
import { wholeNumbers } from './whole-numbers.js';

/** What makes a schedule hard, beside the faults of its requests and watches. */
export interface Hardships {
  /** Share of requests and watch events that something goes wrong with. */
  readonly rate: number;
  /** The longest that a request or an event is late. Long ones make the operator read what is long over, and write slowly. */
  readonly maxDelayMs: number;
  /** How often the server stops and starts again from its folder of data. */
  readonly restarts: number;
  /** How often somebody sets the wall clock, forwards or back. */
  readonly clockJumps: number;
  /** How many replicas of the operator contend for a lease. */
  readonly replicas: number;
  /** How often one of several replicas is cut off from the server for a while. */
  readonly partitions: number;
  /** The operator is a process of its own, on the real clock. */
  readonly child: boolean;
  /** How often that process is killed, wherever it is. */
  readonly kills: number;
  /** How often that process stands still while its users and its server go on. */
  readonly freezes: number;
}

/** One schedule in so many runs the operator in a process of its own. */
const CHILD_EVERY = 40;

/** Those of a seed. On the real clock every delay and every retry costs real time, so that they are few there. */
export function hardshipsOf(
  seed: number,
  { controllers, external }: Pick<Scenario, 'controllers' | 'external'>,
): Hardships {
  const random = wholeNumbers(seed * 7919);
  const isProgram = controllers === undefined;
  if (isProgram || (seed % CHILD_EVERY === 0 && external === undefined)) {
    return {
      rate: 0.02 + random(8) / 100,
      maxDelayMs: 20,
      restarts: isProgram && random(4) === 0 ? 1 : 0,
      clockJumps: 0,
      replicas: 1,
      partitions: 0,
      child: true,
      kills: random(3) === 0 ? 1 : 0,
      freezes: random(3) === 0 ? 1 : 0,
    };
  }
  const replicas = random(5) === 0 ? 2 : 1;
  return {
    rate: 0.05 + random(31) / 100,
    // A lease whose renewals come later than its deadline, as often as not, is nobody's for long.
    maxDelayMs: Math.min([20, 20, 2000, 30_000][random(4)] ?? 20, replicas > 1 ? 2000 : 30_000),
    restarts: random(4) === 0 ? 1 + random(3) : 0,
    clockJumps: random(3) === 0 ? 1 + random(3) : 0,
    replicas,
    partitions: replicas > 1 ? 1 + random(3) : 0,
    child: false,
    kills: 0,
    freezes: 0,
  };
}
