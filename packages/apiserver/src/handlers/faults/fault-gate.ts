import type { ApiError } from '@kubewright/api/errors';
import { failure } from '../../registry/requests/status-errors.js';
import type { FaultPlan, PlannedRequest, RequestFault, WatchFault } from './fault-plan.js';
import type { PlannedWrite } from './planned-write.js';
import type { RequestInfo } from '../request-info.js';

const reasons: Readonly<Record<number, readonly [reason: string, message: string]>> = {
  400: ['BadRequest', 'the request is invalid'],
  401: ['Unauthorized', 'Unauthorized'],
  403: ['Forbidden', 'the request is forbidden'],
  404: ['NotFound', 'the server could not find the requested resource'],
  409: ['Conflict', 'the object has been modified; please apply your changes to the latest version and try again'],
  410: ['Expired', 'The resourceVersion for the provided watch is too old.'],
  429: ['TooManyRequests', 'too many requests, please try again later'],
  500: ['InternalError', 'injected internal error'],
  503: ['ServiceUnavailable', 'the server is currently unable to handle the request'],
  504: ['Timeout', 'the request did not complete within the allotted timeout'],
};

/** Further properties of a planned request. */
interface AboutRequest {
  readonly id?: string | undefined;
  readonly query?: URLSearchParams | undefined;
  readonly write?: () => PlannedWrite | undefined;
}

/** Counts requests and watch events, and calls the fault plan for each of them. Without a plan, no faults occur. */
export class FaultGate {
  readonly #plan: FaultPlan;
  readonly #requests = new Map<string, number>();
  readonly #watches = new Map<string, number>();

  constructor(plan: FaultPlan = {}) {
    this.#plan = plan;
  }

  /**
   * Returns the planned fault of a new request, if any.
   * @param about the ID and the query of the request, and a function that describes a write @default the plan receives none of them
   */
  request(info: RequestInfo, { id, query, write = () => undefined }: AboutRequest = {}): RequestFault | undefined {
    const ordinal = next(this.#requests, `${info.verb} ${info.resource}`);
    const { verb, resource, subresource, namespace, name } = info;
    if (this.#plan.onRequest === undefined) return undefined;
    const planned: PlannedRequest = {
      verb,
      resource,
      ordinal,
      ...(subresource === undefined ? {} : { subresource }),
      ...(namespace === undefined ? {} : { namespace }),
      ...(name === undefined ? {} : { name }),
    };
    // Most plans do not read the description, so that it is only calculated on demand.
    Object.defineProperties(planned, { id: { value: id }, query: { value: query }, write: { get: write } });
    return this.#plan.onRequest(planned);
  }

  /**
   * Starts to count the events of a new watch. The caller must call the returned function before each event, with the version of the
   * change. The returned function returns the planned fault of the event, if any.
   */
  watch(resource: string, id?: string): (version?: string) => WatchFault | undefined {
    const watch = next(this.#watches, resource);
    let ordinal = 0;
    return (version) => {
      ordinal += 1;
      return this.#plan.onWatchEvent?.({ resource, watch, ordinal, version, id });
    };
  }
}

/** Returns the error of a planned status fault. */
export function plannedFailure({ code, retryAfterSeconds }: Extract<RequestFault, { kind: 'status' }>): ApiError {
  const [reason, message] = reasons[code] ?? ['', `injected error with status ${code}`];
  return failure(code, reason, {
    message,
    ...(retryAfterSeconds === undefined ? {} : { details: { retryAfterSeconds } }),
  });
}

function next(counts: Map<string, number>, key: string): number {
  const ordinal = (counts.get(key) ?? 0) + 1;
  counts.set(key, ordinal);
  return ordinal;
}
