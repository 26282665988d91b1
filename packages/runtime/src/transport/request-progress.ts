import type { ObservedEnd, ObservedRequest, RequestProgress, TransportObserver } from './transport-observer.js';

/** Returns the progress of a request for all observers; undefined if no observer follows the request. */
export function observed(
  observers: readonly TransportObserver[],
  request: () => ObservedRequest,
): RequestProgress | undefined {
  if (observers.length === 0) return undefined;
  const begun = request();
  const told = observers.flatMap((observer) => observer.request?.(begun) ?? []);
  return told.length > 1 ? all(told) : told[0];
}

function all(told: readonly RequestProgress[]): RequestProgress {
  return {
    throttled: (waitedMs) => {
      for (const one of told) one.throttled?.(waitedMs);
    },
    answered: (attempt) => {
      for (const one of told) one.answered?.(attempt);
    },
    retried: (attempt, waitMs) => {
      for (const one of told) one.retried?.(attempt, waitMs);
    },
    // The transport follows a stream to its end only if an observer has an `ended` method.
    ...(told.some((one) => one.ended !== undefined) && {
      ended: (end: ObservedEnd): void => {
        for (const one of told) one.ended?.(end);
      },
    }),
  };
}
