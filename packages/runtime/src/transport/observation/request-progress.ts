import type {
  ObservedEnd,
  ObservedRequest,
  RequestProgress,
  TransportObserver,
} from '../request/transport-observer.js';

/**
 * Calls the observers at the start of a request. Returns an object that passes the progress to all observers, or undefined if no observer
 * follows the request.
 */
export function observed(
  observers: readonly TransportObserver[],
  request: ObservedRequest,
): RequestProgress | undefined {
  const reported = observers.map((observer) => observer.request?.(request)).filter((one) => one !== undefined);
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
    // The transport tracks the end of a stream only if an observer has the method `ended`.
    ...(reported.some((one) => one.ended !== undefined) && {
      ended: (end: ObservedEnd): void => {
        for (const one of reported) one.ended?.(end);
      },
    }),
  };
}
