import { formatKey } from '../../cache/store/object-key.js';
import type { Logger } from '../../log/logger.js';
import type { ControllerMetrics, TriggerErrorOrigin } from '../../metrics/controller-metrics.js';
import { logFailure } from '../../transport/sending/server-outage.js';

/** The number of trigger errors by origin. */
export type TriggerErrorCounts = Readonly<Record<TriggerErrorOrigin, number>>;

/** One trigger error. */
export interface TriggerError {
  /** The origin of the error: a function of the watch, an owner reference, or the output of a watch or a source. */
  readonly origin: TriggerErrorOrigin;
  /** The log message: what failed, and the consequence. */
  readonly message: string;
  readonly error: unknown;
  /** The object that the error concerns. */
  readonly object?: unknown;
  readonly source?: string;
}

const MOST_REPORTED_ONCE = 1000;

/** Counts and logs errors of triggers, so that they do not affect other triggers. */
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
  tell({ origin, message, error, object, source }: TriggerError): void {
    this.#counts[origin]++;
    this.#metrics.triggerFailed(origin);
    const about = {
      ...(object !== undefined && { object: describeObject(object) }),
      ...(source !== undefined && { source }),
    };
    const fields = { controller: this.#controller, ...about, error };
    logFailure(this.#logger, error, { level: 'error', message, fields });
  }
  /** Counts and logs only the first error with an `id`. */
  tellOnce(id: string, failure: TriggerError): void {
    if (this.#reportedOnce.has(id)) return;
    if (this.#reportedOnce.size < MOST_REPORTED_ONCE) this.#reportedOnce.add(id);
    this.tell(failure);
  }
}

/** Returns the kind and key of an object for messages, such as 'Disk default/a'. Accepts any value. */
export function describeObject(value: unknown): string {
  const { kind, metadata } = (value ?? {}) as { readonly kind?: unknown; readonly metadata?: unknown };
  const { name, namespace } = (metadata ?? {}) as { readonly name?: unknown; readonly namespace?: unknown };
  if (typeof name !== 'string') return value === undefined ? 'nothing' : 'something that is not an object';
  const key = formatKey({ name, namespace: typeof namespace === 'string' ? namespace : undefined });
  return typeof kind === 'string' ? `${kind} ${key}` : key;
}
