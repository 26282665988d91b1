import type { Span, SpanContext } from '@opentelemetry/api';
import type { Cause } from '../../queue/cause.js';
import { describeCause } from '../../queue/causes.js';
import { maskedThrown } from '../../log/masked-error.js';
import type { Tracer } from '../../tracing/tracer.js';
import type { Outcome } from '../reconciler/outcome.js';
import { outcomeName } from '../reconciler/outcome.js';
import type { ReconcileRun } from './reconcile-run.js';

/** The maximum number of events that are linked to one run. */
const MOST_EVENTS = 8;

/** The events that queued an object since its last reconcile. */
interface Received {
  readonly sinceMs: number;
  readonly events: SpanContext[];
}

/**
 * Records the traces of one controller. Each event that queues an object has a span. Each run has a trace that links to its events and
 * includes the queue time and the requests of the run. Does nothing if there is no tracer.
 */
export class RunTraces {
  readonly #tracer: Tracer | undefined;
  readonly #controller: string;
  readonly #kindName: string;
  readonly #received = new Map<string, Received>();
  readonly #spans = new WeakMap<ReconcileRun, Span>();

  constructor(options: { readonly name: string; readonly kindName: string }, tracer: Tracer | undefined) {
    this.#controller = options.name;
    this.#kindName = options.kindName;
    this.#tracer = tracer;
  }

  /** Records an event that queues the object. */
  received(id: string, cause: Cause): void {
    if (this.#tracer === undefined) return;
    const span = this.#tracer.begin(`event ${cause.kind}`, {
      root: true,
      kind: 'CONSUMER',
      attributes: { ...this.#about(id), 'kubewright.cause': describeCause(cause) },
    });
    if (span === undefined) return;
    this.#tracer.end(span);
    const known = this.#received.get(id);
    if (known === undefined) this.#received.set(id, { sinceMs: this.#tracer.now(), events: [span.spanContext()] });
    else if (known.events.length < MOST_EVENTS) known.events.push(span.spanContext());
  }

  /** Starts the span of a run. */
  begin(run: ReconcileRun): void {
    const tracer = this.#tracer;
    if (tracer === undefined) return;
    const { sinceMs, events = [] } = this.#received.get(run.id) ?? {};
    this.#received.delete(run.id);
    const { causes, attempt } = run.context;
    const span = tracer.begin(`reconcile ${this.#controller}`, {
      root: true,
      links: events,
      ...(sinceMs !== undefined && { startTime: sinceMs }),
      attributes: {
        ...this.#about(run.id),
        'kubewright.causes': causes.map(describeCause),
        'kubewright.attempt': attempt,
      },
    });
    if (span === undefined) return;
    this.#spans.set(run, span);
    if (sinceMs === undefined) return;
    const wait = tracer.within(span, () => tracer.begin('queue', { startTime: sinceMs }));
    if (wait !== undefined) tracer.end(wait);
  }
  /** Calls `work` within the span of the run. */
  within<R>(run: ReconcileRun, work: () => R): R {
    const span = this.#spans.get(run);
    return span === undefined || this.#tracer === undefined ? work() : this.#tracer.within(span, work);
  }
  /** Ends the span of the run. */
  end(run: ReconcileRun, outcome: Outcome): void {
    const span = this.#spans.get(run);
    if (span === undefined || this.#tracer === undefined) return;
    span.setAttribute('kubewright.outcome', outcomeName(outcome));
    if (outcome.kind === 'error') this.#tracer.fail(span, maskedThrown(outcome.error));
    this.#tracer.end(span);
  }
  /** Releases the state of a deleted object. */
  forget(id: string): void {
    this.#received.delete(id);
  }

  #about(id: string): Readonly<Record<string, string>> {
    return { 'kubewright.controller': this.#controller, 'kubewright.object': `${this.#kindName} ${id}` };
  }
}
