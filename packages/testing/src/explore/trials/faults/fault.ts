/** A disturbance of a trial that any cluster can cause, and that must not change the result. */
export type Fault =
  | CrashFault
  | RequestFailure
  | EventFault
  | SlowWatch
  | StaleReplica
  | ReversedLists
  | LostLease
  | LateStart
  | CallFailure
  | ClusterProblem;

/** The kinds of faults. */
export type FaultKind = Fault['kind'];

/** The kinds of faults, in the order in which the search tries them. */
export const FAULT_KINDS: readonly FaultKind[] = [
  'crash',
  'call',
  'event',
  'watch',
  'stale',
  'request',
  'order',
  'cluster',
  'lease',
  'clock',
];

/** Whether a text is a kind of faults. */
export function isFaultKind(text: string): text is FaultKind {
  return (FAULT_KINDS as readonly string[]).includes(text);
}

/**
 * The operator crashes directly before or after a write, or a call of an external system, and starts again.
 *
 * Every process can end at any time: it runs out of memory, its node fails, or a deployment replaces it.
 */
export type CrashFault = { readonly kind: 'crash'; readonly at: 'before' | 'after' } & (
  | { readonly write: string }
  | { readonly call: string }
);

/**
 * A request fails once.
 * - `conflict`: another client changes an annotation of the object directly before the write. If the operator requires the resourceVersion
 *   that it read, the server refuses the write with status 409.
 * - `throttled`: the server responds with status 429 and a `Retry-After` of 1 s, as API priority and fairness does under load.
 * - `error`: the server responds with status 500, as it does if etcd changes its leader.
 * - `unavailable`: the server responds with status 503, as it does while it shuts down.
 * - `lost`: the connection breaks after the server has executed the write, so that the operator does not know the result.
 */
export interface RequestFailure {
  readonly kind: 'request';
  /** The name of the write in the format of `writeNameText`, or the name of the read. */
  readonly request: string;
  readonly failure: 'conflict' | 'throttled' | 'error' | 'unavailable' | 'lost';
}

/**
 * The operator receives a change late, or not at all.
 * - `held`: the event, and all later events of the same watch, arrive after the operator has finished all work that does not need them.
 * - `dropped`: the watch does not send the held events, but ends with status 410, so that the operator lists the objects again. The
 *   operator never observes the state of the event if the object has changed in the meantime.
 *
 * The watches of different kinds are independent of each other, so that a cluster guarantees no order across kinds. The server may end a
 * watch with status 410 at any time, and a client that lists again observes only the newest state. One watch never reorders its events.
 */
export interface EventFault {
  readonly kind: 'event';
  /** The name of the change, see `ChangeNames`. */
  readonly change: string;
  readonly effect: 'held' | 'dropped';
}

/** Each event of the watches of a resource arrives late. As with `EventFault`, a cluster guarantees no order across kinds. */
export interface SlowWatch {
  readonly kind: 'watch';
  /** The plural name of the resource. */
  readonly resource: string;
}

/**
 * A restarted operator reads from an API server that is behind: lists return the state directly after the given change, and the watches
 * deliver the later changes after some time.
 *
 * With several API servers, the watch cache of each server follows etcd independently. A list with resourceVersion "0" is answered from
 * the watch cache without a check of its age, and a list with another resourceVersion from any state that is not older. A list without a
 * resourceVersion, a get, and a streaming list without a resourceVersion are always current, and so are the preconditions of writes. The
 * operator therefore observes this fault only on servers without streaming lists (by default Kubernetes 1.33, and versions before 1.32), or
 * after several streaming lists have failed. The trial uses such a server.
 */
export interface StaleReplica {
  readonly kind: 'stale';
  /** The name of the change, see `ChangeNames`. */
  readonly change: string;
}

/**
 * Lists and streaming lists return their objects in reverse order. The API does not define the order, and the order of a cached list also
 * depends on the order in which the objects were created.
 */
export interface ReversedLists {
  readonly kind: 'order';
}

/**
 * Another replica becomes the leader directly before a write, for example because the process of the operator did not get CPU time until
 * its Lease expired. The operator stops, and starts again as a candidate.
 */
export interface LostLease {
  readonly kind: 'lease';
  /** The name of the write in the format of `writeNameText`. */
  readonly write: string;
}

/** The trial runs at another time. The clock of a cluster can have any value. */
export interface LateStart {
  readonly kind: 'clock';
  /** The time at the start of the trial. */
  readonly start: string;
}

/**
 * A call of an external system fails once.
 * - `refused`: the system does not execute the call.
 * - `lost`: the system executes the call, but the operator gets an error, for example because of a timeout.
 */
export interface CallFailure {
  readonly kind: 'call';
  /** The name of the call, such as 'DnsApi.createZone #1'. */
  readonly call: string;
  readonly failure: 'refused' | 'lost';
}

/**
 * The cluster has a problem that an administrator solves after the operator has reacted to it.
 * - `no-nodes`: no node exists, so that Pods stay pending.
 * - `not-ready`: the containers of all Pods crash after they have started.
 * - `no-storage`: no StorageClass exists, so that PersistentVolumeClaims stay pending.
 * - `late-objects`: the objects of the option `objects`, such as a Secret, are created late.
 */
export interface ClusterProblem {
  readonly kind: 'cluster';
  readonly problem: 'no-nodes' | 'not-ready' | 'no-storage' | 'late-objects';
}

const FAILURES: Readonly<Record<RequestFailure['failure'], string>> = {
  conflict: 'another client changes the object directly before this write',
  throttled: 'the server responds once with status 429 to this request',
  error: 'the server responds once with status 500 to this request',
  unavailable: 'the server responds once with status 503 to this request',
  lost: 'the connection breaks after the server has executed this write',
};
const PROBLEMS: Readonly<Record<ClusterProblem['problem'], string>> = {
  'no-nodes': 'no node exists until the operator has reacted',
  'not-ready': 'the containers of all Pods crash until the operator has reacted',
  'no-storage': 'no StorageClass exists until the operator has reacted',
  'late-objects': 'the initial objects are created after the operator has reacted to their absence',
};

/** Returns a description of a fault in one line. */
export function describeFault(fault: Fault): string {
  switch (fault.kind) {
    case 'crash':
      return 'write' in fault
        ? `the operator crashes ${fault.at} this write, and starts again: ${fault.write}`
        : `the operator crashes ${fault.at} this call, and starts again: ${fault.call}`;
    case 'request':
      return `${FAILURES[fault.failure]}: ${fault.request}`;
    case 'event':
      return fault.effect === 'held'
        ? `the operator receives this change after all other work: ${fault.change}`
        : `the operator does not receive this change, and lists the objects again later: ${fault.change}`;
    case 'watch':
      return `the operator receives each change of ${fault.resource} after all other work`;
    case 'stale':
      return `the restarted operator first reads the state after this change: ${fault.change}`;
    case 'order':
      return 'lists return their objects in reverse order';
    case 'lease':
      return `another replica becomes the leader before this write: ${fault.write}`;
    case 'clock':
      return `the trial starts at ${fault.start}`;
    case 'call':
      return fault.failure === 'refused'
        ? `this call fails once: ${fault.call}`
        : `this call is executed, but returns an error: ${fault.call}`;
    case 'cluster':
      return PROBLEMS[fault.problem];
  }
}
