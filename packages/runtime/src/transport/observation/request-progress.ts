import type {
  ObservedEnd,
  ObservedRequest,
  RequestProgress,
  TransportObserver,
} from '../request/transport-observer.js';

/** Returns the progress of a request for all observers; undefined if no observer follows the request. */
export function observed(
  observers: readonly TransportObserver[],
  request: () => ObservedRequest,
): RequestProgress | undefined {
  if (observers.length === 0) return undefined;
  const begun = request();
  const reported = observers.flatMap((observer) => observer.request?.(begun) ?? []);
  return reported.length > 1 ? all(reported) : reported[0];
}

function all(reported: readonly RequestProgress[]): RequestProgress {
  return {
    throttled: (waitedMs) => {
      for (const one of reported) one.throttled?.(waitedMs);
    },
    answered: (attempt) => {
      for (const one of reported) one.answered?.(attempt);
    },
    retried: (attempt, waitMs) => {
      for (const one of reported) one.retried?.(attempt, waitMs);
    },
    // The transport follows a stream to its end only if an observer has an `ended` method.
    ...(reported.some((one) => one.ended !== undefined) && {
      ended: (end: ObservedEnd): void => {
        for (const one of reported) one.ended?.(end);
      },
    }),
  };
}
