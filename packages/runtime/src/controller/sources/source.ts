import type { ObjectKey } from '@kubewright/api';
import type { Clock, Duration } from '@kubewright/api/clock';

/** The options of a reconcile that a source requests. */
export interface EnqueueOptions {
  /** The priority of the reconcile. Objects with a higher priority are reconciled first. @default the priority of the object */
  readonly priority?: number;
  /** The minimum delay before the reconcile. @default '0s' */
  readonly after?: Duration;
  /** The reason of the reconcile, which logs and traces show in addition to the name of the source. @default none */
  readonly reason?: string;
}

/** What a source receives at its start: functions to request reconciles and to report work and errors. */
export interface SourceTarget {
  /** Requests a reconcile of an object. Never throws: an invalid key is logged and counted. */
  enqueue(key: ObjectKey, options?: EnqueueOptions): void;
  /**
   * Registers work that continues after `start`, such as reading a stream. When the controller stops, it waits for the end of this work. If
   * the work rejects, the controller logs the error with the name of the source and becomes unready.
   */
  track(work: Promise<unknown>): void;
  /**
   * Registers work that results in a call of `enqueue`. Tests wait for the end of this work. If the work rejects, the error is logged and
   * counted.
   */
  busy(work: Promise<unknown>): void;
  /** Logs and counts an error after which the source continues. */
  failed(error: unknown): void;
  /** The clock of the manager. */
  readonly clock: Clock;
}

/**
 * Triggers reconciles because of events that do not come from watches of this cluster, such as a message queue, a webhook or another
 * cluster. `sourceOf` and `kindSource` create sources. Operators can also implement this interface.
 */
export interface Source {
  /** The name of the source in logs, causes and traces. Must be unique within a controller. */
  readonly name: string;
  /**
   * Starts the source before the first reconcile. Must return, or resolve, when the source is started. Use `track` for work that continues.
   * When `signal` is aborted, the source must stop. If the method throws, the controller does not start.
   */
  start(target: SourceTarget, signal: AbortSignal): void | Promise<void>;
  /**
   * Resolves when the source has delivered all initial items. The controller starts to reconcile only then. Must reject when the signal is
   * aborted. If this method is missing, the source is synced after `start`.
   */
  synced?(signal: AbortSignal): Promise<void>;
  /** Why the source does not work at the moment. Readiness reports this text. Undefined if the source works. */
  readonly problem?: string | undefined;
}
