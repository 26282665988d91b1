import { formatKey } from '../../cache/store/object-key.js';
import type { Logger } from '../../log/logger.js';
import type { ControllerMetrics, TriggerErrorOrigin } from '../../metrics/controller-metrics.js';
import { logFailure } from '../../transport/sending/server-outage.js';

/** The number of trigger errors by origin. */
export type TriggerErrorCounts = Readonly<Record<TriggerErrorOrigin, number>>;

/** An error of a predicate, mapper, reference or source. */
export interface TriggerError {
  /**
   * Where the error occurred: in a predicate, in a mapper, in the function of `references`, in an owner reference, in a source, or in a
   * change that a watch delivered.
   */
  readonly origin: TriggerErrorOrigin;
  /** The log message, which states what failed and how the controller continues. */
  readonly message: string;
  readonly error: unknown;
  /** The object for which the error occurred. */
  readonly object?: unknown;
  readonly source?: string;
}

const MOST_REPORTED_ONCE = 1000;

/** Counts and logs the errors of triggers. An error of one trigger does not affect other triggers. */
export class TriggerErrors {
  readonly #controller: string;
  readonly #logger: Logger;
  readonly #metrics: ControllerMetrics;
  readonly #counts = { predicate: 0, map: 0, references: 0, owner: 0, source: 0, change: 0 };
  readonly #reportedOnce = new Set<string>();

  constructor(controller: string, using: { readonly logger: Logger; readonly metrics: ControllerMetrics }) {
    this.#controller = controller;
    this.#logger = using.logger;
    this.#metrics = using.metrics;
  }

  get counts(): TriggerErrorCounts {
    return { ...this.#counts };
  }
  report({ origin, message, error, object, source }: TriggerError): void {
    this.#counts[origin]++;
    this.#metrics.triggerFailed(origin);
    const about = {
      ...(object !== undefined && { object: describeObject(object) }),
      ...(source !== undefined && { source }),
    };
    const fields = { controller: this.#controller, ...about, error };
    logFailure(this.#logger, error, { level: 'error', message, fields });
  }
  /**
   * Counts and logs an error, but only the first error with this `id`. Remembers the first 1000 ids; errors with further ids are always
   * reported.
   */
  reportOnce(id: string, failure: TriggerError): void {
    if (this.#reportedOnce.has(id)) return;
    if (this.#reportedOnce.size < MOST_REPORTED_ONCE) this.#reportedOnce.add(id);
    this.report(failure);
  }
}

/**
 * Returns the kind and key of an object for messages, such as 'Disk default/a'. Accepts any value, because the value may not be an object.
 */
export function describeObject(value: unknown): string {
  const { kind, metadata } = (value ?? {}) as { readonly kind?: unknown; readonly metadata?: unknown };
  const { name, namespace } = (metadata ?? {}) as { readonly name?: unknown; readonly namespace?: unknown };
  if (typeof name !== 'string') return value === undefined ? 'nothing' : 'something that is not an object';
  const key = formatKey({ name, namespace: typeof namespace === 'string' ? namespace : undefined });
  return typeof kind === 'string' ? `${kind} ${key}` : key;
}
