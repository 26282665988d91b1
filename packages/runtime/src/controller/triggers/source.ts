import type { ObjectKey } from '@kubewright/api';
import type { Clock, Duration } from '@kubewright/api/clock';

/** How and why a source asks for a reconcile. */
export interface EnqueueOptions {
  /** Objects of a higher number go first. @default that of the object */
  readonly priority?: number;
  /** Not before so long. @default '0s' */
  readonly after?: Duration;
  /** What happened, for log and metrics; the name of the source is told as well. @default none */
  readonly reason?: string;
}

/** What a source is given to work with. */
export interface SourceTarget {
  /** Asks for a reconcile. A key that makes no sense is logged and counted, and nothing is thrown. */
  enqueue(key: ObjectKey, options?: EnqueueOptions): void;
  /**
   * Tells of work that goes on after `start`, such as the reading of a stream: the controller waits for its end when it stops, and
   * where it fails, logs the error with the name of the source, and is no longer ready.
   */
  track(work: Promise<unknown>): void;
  /** Tells of work that leads to `enqueue` when it ends, so that tests wait for it. What it rejects with is logged and counted. */
  busy(work: Promise<unknown>): void;
  /** Logs and counts something that went wrong and did not end the source. */
  failed(error: unknown): void;
  /** The clock of the manager. */
  readonly clock: Clock;
}

/**
 * Something beside the kinds of a cluster that tells when objects are to be reconciled: a queue of messages, a webhook of a service, the
 * objects of another cluster. Made by `sourceOf` and `kindSource`, or by yourself.
 */
export interface Source {
  /** How logs, causes and metrics call it; of one controller no two have the same. */
  readonly name: string;
  /**
   * Begins to tell; before the first reconcile. Has to return, or resolve, once it has begun: what goes on after is told by `track`.
   * The signal is aborted when the source shall end. What it throws keeps the controller from starting.
   */
  start(target: SourceTarget, signal: AbortSignal): void | Promise<void>;
  /** Resolves when all that is there at the beginning was told; the first reconcile waits for it. The signal ends the wait. */
  synced?(signal: AbortSignal): Promise<void>;
  /** Why it cannot tell at present, for readiness; undefined while it can. */
  readonly problem?: string | undefined;
}
