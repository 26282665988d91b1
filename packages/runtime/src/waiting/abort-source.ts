import { setMaxListeners } from 'node:events';

/** A function or an object that is called when an `AbortSource` is aborted. */
export type AbortListener = (() => void) | { handleEvent(): void };

/**
 * The part of an `AbortSignal` that requests use. An `AbortSignal` is an `AbortSource`. The signal of a reconcile is a simpler one, because
 * creating an `AbortSignal` and its listener takes about as long as encoding a request.
 */
export interface AbortSource {
  readonly aborted: boolean;
  /** The reason of the abort. Undefined if the source is not aborted. */
  readonly reason: unknown;
  /** Throws the reason if the source is aborted. */
  throwIfAborted(): void;
  addEventListener(type: 'abort', listener: AbortListener, options?: { readonly once?: boolean }): void;
  removeEventListener(type: 'abort', listener: AbortListener): void;
}

/** Turns off the warning of Node.js about too many listeners, because each pending request adds a listener. */
export function allowListeners(source: AbortSource): void {
  if (source instanceof AbortSignal) setMaxListeners(0, source);
}
