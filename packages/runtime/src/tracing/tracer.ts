import { messageOf } from '@kubewright/api/errors';
import type { Attributes, Span, SpanContext, SpanKind } from '@opentelemetry/api';

/** Under this name every copy of `@opentelemetry/api` 1.x keeps what was registered with it. */
const REGISTERED = Symbol.for('opentelemetry.js.api.1');

type OpenTelemetry = typeof import('@opentelemetry/api');

/** By how much the wall time may move away before the finer time is set after it. */
const MOST_DRIFT_MS = 20;

/** What a span begins with. */
export interface SpanInit {
  readonly attributes?: Attributes;
  /** What led to it. */
  readonly links?: readonly SpanContext[];
  /** Of `Tracer.now`. @default now */
  readonly startTime?: number;
  /** @default INTERNAL */
  readonly kind?: keyof typeof SpanKind;
  /** Begins a trace of its own. @default it is a part of the span that is active, if there is one */
  readonly root?: boolean;
}

/** Makes the spans of this package, through `@opentelemetry/api` alone. */
export class Tracer {
  readonly #api: OpenTelemetry;
  #originMs = Date.now() - performance.now();

  constructor(api: OpenTelemetry) {
    this.#api = api;
  }

  /** Begins a span; undefined where nobody records it. */
  begin(name: string, init: SpanInit = {}): Span | undefined {
    const { attributes, links = [], startTime = this.now(), kind = 'INTERNAL', root } = init;
    const span = this.#api.trace.getTracer('@kubewright/runtime').startSpan(name, {
      kind: this.#api.SpanKind[kind],
      links: links.map((context) => ({ context })),
      ...(attributes !== undefined && { attributes }),
      startTime,
      ...(root !== undefined && { root }),
    });
    return span.isRecording() ? span : undefined;
  }
  /** Ends a span. */
  end(span: Span): void {
    span.end(this.now());
  }
  /** The wall time in milliseconds and parts of them, so that short spans have a length. */
  now(): number {
    const [wall, sinceStart] = [Date.now(), performance.now()];
    if (Math.abs(wall - this.#originMs - sinceStart) > MOST_DRIFT_MS) this.#originMs = wall - sinceStart;
    return this.#originMs + sinceStart;
  }
  /** Whether there is a span of which another one would become a part. */
  get isActive(): boolean {
    return this.#api.trace.getActiveSpan() !== undefined;
  }
  /** Returns the IDs of the active span under the names that OpenTelemetry gives them in logs; undefined if no span is active. */
  activeIds(): { readonly trace_id: string; readonly span_id: string; readonly trace_flags: string } | undefined {
    const context = this.#api.trace.getActiveSpan()?.spanContext();
    if (context === undefined || !this.#api.isSpanContextValid(context)) return undefined;
    const { traceId, spanId, traceFlags } = context;
    return { trace_id: traceId, span_id: spanId, trace_flags: traceFlags.toString(16).padStart(2, '0') };
  }
  /** Does something as a part of the span. */
  within<R>(span: Span, work: () => R): R {
    const { context, trace } = this.#api;
    return context.with(trace.setSpan(context.active(), span), work);
  }
  /** Marks a span as failed. The error is recorded as it is: mask it before. */
  fail(span: Span, error: unknown): void {
    const message = messageOf(error);
    if (error instanceof Error) span.recordException(error);
    span.setStatus({ code: this.#api.SpanStatusCode.ERROR, message });
  }
  /** Adds the headers by which the receiver of a request goes on with the trace. */
  inject(span: Span, headers: Record<string, string | string[]>): void {
    const { context, trace, propagation } = this.#api;
    propagation.inject(trace.setSpan(context.active(), span), headers);
  }
}

/**
 * The tracer of this process; undefined where no OpenTelemetry SDK was registered, and then nothing of it is loaded. Register the SDK
 * before a manager is started.
 */
export async function openTracer(): Promise<Tracer | undefined> {
  const registered = (globalThis as { readonly [REGISTERED]?: { readonly trace?: unknown } })[REGISTERED];
  return registered?.trace === undefined ? undefined : new Tracer(await import('@opentelemetry/api'));
}
