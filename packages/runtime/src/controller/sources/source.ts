import type { ObjectKey } from '@kubewright/api';
import type { Clock, Duration } from '@kubewright/api/clock';

/** The options of a reconcile that a source requests. */
export interface EnqueueOptions {
  /** The priority; objects of higher priority are reconciled first. @default the priority of the object */
  readonly priority?: number;
  /** The minimum delay of the reconcile. @default '0s' */
  readonly after?: Duration;
  /** The reason, for log and metrics, in addition to the name of the source. @default none */
  readonly reason?: string;
}

/** The functions with which a source requests reconciles and reports its work and its errors. */
export interface SourceTarget {
  /** Requests a reconcile. An invalid key is logged and counted, and nothing is thrown. */
  enqueue(key: ObjectKey, options?: EnqueueOptions): void;
  /**
   * Registers work that continues after `start`, such as reading a stream. On stop, the controller waits for the end of the work. If the
   * work rejects, the controller logs the error with the name of the source and becomes unready.
   */
  track(work: Promise<unknown>): void;
  /** Registers work that leads to `enqueue`, so that tests wait for its end. A rejection is logged and counted. */
  busy(work: Promise<unknown>): void;
  /** Logs and counts an error that does not end the source. */
  failed(error: unknown): void;
  /** The clock of the manager. */
  readonly clock: Clock;
}

/**
 * A trigger of reconciles other than the kinds of the cluster: a message queue, the webhook of a service, the objects of another cluster.
 * Created by `sourceOf` and `kindSource`, or implemented by the operator.
 */
export interface Source {
  /** The name of the source in logs, causes and metrics. Unique within a controller. */
  readonly name: string;
  /**
   * Starts the source before the first reconcile. Must return, or resolve, after the start; register work that continues with `track`. The
   * signal is aborted when the source must stop. If the method throws, the controller does not start.
   */
  start(target: SourceTarget, signal: AbortSignal): void | Promise<void>;
  /** Resolves when the source has delivered all initial items. The first reconcile waits for this. The signal ends the wait. */
  synced?(signal: AbortSignal): Promise<void>;
  /** Why the source currently does not work, for readiness; undefined if the source works. */
  readonly problem?: string | undefined;
}
