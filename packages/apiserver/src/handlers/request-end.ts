import type { Clock } from '@kubewright/api/clock';
import { failure } from '../registry/requests/status-errors.js';
import type { RequestInfo } from './request-info.js';

/** The events that can end a request before the server answers. */
export interface RequestEndOptions {
  readonly clock: Clock;
  /** The time of the monotonic clock at which the request times out, in milliseconds. Undefined for a request without a time limit. */
  readonly deadlineMs: number | undefined;
  readonly info: RequestInfo | undefined;
  /** Returns whether the client has disconnected. */
  readonly isAbandoned: () => boolean;
  /** Calls the listener once, when the client disconnects or when the answer is sent. */
  readonly onClose: (listener: () => void) => void;
}

/**
 * Returns a function that returns the signal of a request. The signal is aborted when the client disconnects, when the answer is sent, and
 * at the deadline. Its reason is an ApiError with status 504. Most requests do not wait, so the signal is created on the first call.
 */
export function requestSignal(options: RequestEndOptions): () => AbortSignal {
  let controller: AbortController | undefined;
  return () => (controller ??= startedController(options)).signal;
}

function startedController({ clock, deadlineMs, info, isAbandoned, onClose }: RequestEndOptions): AbortController {
  const controller = new AbortController();
  const end = (why: string): void => controller.abort(timeoutError(info, why));
  const timer =
    deadlineMs === undefined
      ? undefined
      : clock.schedule(Math.max(0, deadlineMs - clock.monotonicMs()), () => end('context deadline exceeded'));
  const close = (): void => {
    timer?.cancel();
    end('context canceled');
  };
  if (isAbandoned()) close();
  else onClose(close);
  return controller;
}

/**
 * Returns the 504 error for a request that ends early. As in a kube-apiserver, the error text for a write differs from the text for other
 * requests.
 */
function timeoutError(info: RequestInfo | undefined, why: string): Error {
  const isRead = info === undefined || info.verb === 'get' || info.verb === 'list';
  const limit = isRead ? 'the allotted timeout' : `requested timeout - ${why}`;
  const message = `Timeout: request did not complete within ${limit}`;
  return failure(504, 'Timeout', { message, details: {} });
}
