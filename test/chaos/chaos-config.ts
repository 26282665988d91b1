import type { Scenario } from './scenario.js';
import { wholeNumbers } from './whole-numbers.js';

/** The disruptions of a schedule, in addition to the faults of its requests and watches. */
export interface ChaosConfig {
  /** Share of requests and watch events with a fault. */
  readonly rate: number;
  /** Maximum delay of a request or an event in milliseconds. With long delays, the operator reads outdated states and writes late. */
  readonly maxDelayMs: number;
  /** Number of restarts of the server from its data folder. */
  readonly restarts: number;
  /** Number of wall clock changes, forwards or backwards. */
  readonly clockJumps: number;
  /** Number of replicas of the operator that compete for a lease. */
  readonly replicas: number;
  /** Number of times that a replica is temporarily disconnected from the server. */
  readonly partitions: number;
  /** Whether the operator runs in its own process, on the real clock. */
  readonly child: boolean;
  /** Number of times that the operator's own process is killed at an arbitrary point. */
  readonly kills: number;
  /** Number of times that the operator's own process is paused while the users and the server continue. */
  readonly pauses: number;
}

/** If the seed is a multiple of this number, the operator runs in its own process. */
const CHILD_EVERY = 40;

/**
 * Returns the chaos configuration for a seed. On the real clock, there are few faults, because every delay and every retry costs real time.
 */
export function chaosConfigOf(
  seed: number,
  { controllers, external }: Pick<Scenario, 'controllers' | 'external'>,
): ChaosConfig {
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
      pauses: random(3) === 0 ? 1 : 0,
    };
  }
  const replicas = random(5) === 0 ? 2 : 1;
  return {
    rate: 0.05 + random(31) / 100,
    // If renewals often arrive later than the deadline, no replica holds the lease for long.
    maxDelayMs: Math.min([20, 20, 2000, 30_000][random(4)] ?? 20, replicas > 1 ? 2000 : 30_000),
    restarts: random(4) === 0 ? 1 + random(3) : 0,
    clockJumps: random(3) === 0 ? 1 + random(3) : 0,
    replicas,
    partitions: replicas > 1 ? 1 + random(3) : 0,
    child: false,
    kills: 0,
    pauses: 0,
  };
}
