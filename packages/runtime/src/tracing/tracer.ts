import { messageOf } from '@kubewright/api/errors';
import type { Attributes, Span, SpanContext, SpanKind } from '@opentelemetry/api';

/** The global symbol under which all copies of `@opentelemetry/api` 1.x store the registered SDK. */
const REGISTERED = Symbol.for('opentelemetry.js.api.1');

type OpenTelemetry = typeof import('@opentelemetry/api');

/**
 * The maximum difference between the wall clock and the high-resolution time, in milliseconds. If the difference is greater, the
 * high-resolution time is adjusted.
 */
const MOST_DRIFT_MS = 20;

/** The properties of a new span. */
export interface SpanInit {
  readonly attributes?: Attributes;
  /** The spans that caused this span. The span links to them. */
  readonly links?: readonly SpanContext[];
  /** The start time, in the unit of `Tracer.now`. @default now */
  readonly startTime?: number;
  /** The kind of the span. @default INTERNAL */
  readonly kind?: keyof typeof SpanKind;
  /** Whether the span starts a new trace. @default the span is a child of the active span, if any */
  readonly root?: boolean;
}

/** Creates spans with `@opentelemetry/api`. */
export class Tracer {
  readonly #api: OpenTelemetry;
  #originMs = Date.now() - performance.now();

  constructor(api: OpenTelemetry) {
    this.#api = api;
  }

  /** Starts a span. Returns undefined if the SDK does not record this span. */
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
  end(span: Span): void {
    span.end(this.now());
  }
  /** Returns the wall time in milliseconds, with fractions so that short spans have a duration. */
  now(): number {
    const [wall, sinceStart] = [Date.now(), performance.now()];
    if (Math.abs(wall - this.#originMs - sinceStart) > MOST_DRIFT_MS) this.#originMs = wall - sinceStart;
    return this.#originMs + sinceStart;
  }
  /** Whether there is an active span, which would be the parent of a new span. */
  get isActive(): boolean {
    return this.#api.trace.getActiveSpan() !== undefined;
  }
  /**
   * Returns the ids of the active span, with the field names that OpenTelemetry uses in logs. Returns undefined without an active span.
   */
  activeIds(): { readonly trace_id: string; readonly span_id: string; readonly trace_flags: string } | undefined {
    const context = this.#api.trace.getActiveSpan()?.spanContext();
    if (context === undefined || !this.#api.isSpanContextValid(context)) return undefined;
    const { traceId, spanId, traceFlags } = context;
    return { trace_id: traceId, span_id: spanId, trace_flags: traceFlags.toString(16).padStart(2, '0') };
  }
  /** Calls `work` with the given span as the active span. */
  within<R>(span: Span, work: () => R): R {
    const { context, trace } = this.#api;
    return context.with(trace.setSpan(context.active(), span), work);
  }
  /** Sets the status of a span to failed, and records the error. Does not mask secrets in the error, so the caller must mask them. */
  fail(span: Span, error: unknown): void {
    const message = messageOf(error);
    if (error instanceof Error) span.recordException(error);
    span.setStatus({ code: this.#api.SpanStatusCode.ERROR, message });
  }
  /** Adds headers to a request, so that its receiver can continue the trace. */
  inject(span: Span, headers: Record<string, string | string[]>): void {
    const { context, trace, propagation } = this.#api;
    propagation.inject(trace.setSpan(context.active(), span), headers);
  }
}

/**
 * Returns the tracer of this process. Returns undefined if no OpenTelemetry SDK is registered. `@opentelemetry/api` is loaded only if an
 * SDK is registered. The program must register the SDK before it starts a manager.
 */
export async function openTracer(): Promise<Tracer | undefined> {
  const registered = (globalThis as { readonly [REGISTERED]?: { readonly trace?: unknown } })[REGISTERED];
  return registered?.trace === undefined ? undefined : new Tracer(await import('@opentelemetry/api'));
}
