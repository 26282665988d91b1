import type { FaultPlan, PlannedRequest, RequestFault, WatchFault } from '@kubewright/apiserver';
import { randomNumbers } from './random-numbers.js';

/** The rate and the scope of the faults of a `faultSchedule`. */
export interface FaultScheduleOptions {
  /** The share of requests and of watch events with a fault, from 0 to 1. @default 0.05 */
  readonly rate?: number;
  /** The plural names of resources without faults. @default ['customresourcedefinitions'] */
  readonly sparing?: readonly string[];
  /** The longest delay of a request or an event, in milliseconds. @default 20 */
  readonly maxDelayMs?: number;
}

/** A fault plan that depends on a seed. The same seed causes the same fault on the same request, regardless of other activity. */
export interface FaultSchedule extends FaultPlan {
  /** The seed of all faults. */
  readonly seed: number;
  /** The injected faults in the order of their injection, one line each. */
  readonly injected: readonly string[];
  /** Stops injecting faults until `resume`. */
  pause(): void;
  /** Resumes injecting faults. */
  resume(): void;
}

const WRITES = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);

/**
 * Returns a plan with faults at random points: errors, conflicts, throttling, timeouts, broken connections before and after a write,
 * expired watches, duplicate events, and delays.
 *
 * @example
 * await using env = await TestEnvironment.start({ kinds: [Machine], faults: faultSchedule(7, { rate: 0.2 }) });
 */
export function faultSchedule(seed: number, options: FaultScheduleOptions = {}): FaultSchedule {
  const rate = options.rate ?? 0.05;
  const maxDelayMs = options.maxDelayMs ?? 20;
  const spared = new Set(options.sparing ?? ['customresourcedefinitions']);
  const injected: string[] = [];
  let paused = false;
  const strikes = (resource: string, random: () => number): boolean =>
    !paused && !spared.has(resource) && random() < rate;
  return {
    seed,
    injected,
    pause: () => {
      paused = true;
    },
    resume: () => {
      paused = false;
    },
    onRequest: (request) => {
      const random = randomNumbers(
        `${seed}/${request.verb}/${request.resource}/${request.subresource ?? ''}/${request.ordinal}`,
      );
      if (!strikes(request.resource, random)) return undefined;
      const fault = requestFault(request, random, maxDelayMs);
      injected.push(`${request.verb} ${request.resource} #${request.ordinal}: ${JSON.stringify(fault)}`);
      return fault;
    },
    onWatchEvent: (event) => {
      const random = randomNumbers(`${seed}/watch/${event.resource}/${event.watch}/${event.ordinal}`);
      if (!strikes(event.resource, random)) return undefined;
      const fault = watchFault(random, maxDelayMs);
      injected.push(`watch ${event.resource} #${event.watch}, event ${event.ordinal}: ${JSON.stringify(fault)}`);
      return fault;
    },
  };
}

function requestFault({ verb }: PlannedRequest, random: () => number, maxDelayMs: number): RequestFault {
  const write = WRITES.has(verb);
  const faults: readonly RequestFault[] = [
    { kind: 'status', code: 500 },
    { kind: 'status', code: 503 },
    { kind: 'status', code: 429, retryAfterSeconds: 1 },
    { kind: 'cut', after: 'none' },
    { kind: 'delay', ms: Math.ceil(random() * maxDelayMs) },
    write ? { kind: 'cut', after: 'write' } : { kind: 'cut', after: 'none' },
    { kind: 'status', code: 504, ...(write && { after: 'write' }) },
    write && verb !== 'create' ? { kind: 'status', code: 409 } : { kind: 'status', code: 500 },
  ];
  return pick(faults, random);
}

function watchFault(random: () => number, maxDelayMs: number): WatchFault {
  const faults: readonly WatchFault[] = [
    { kind: 'cut', midEvent: false },
    { kind: 'cut', midEvent: true },
    { kind: 'expire' },
    { kind: 'repeat' },
    { kind: 'delay', ms: Math.ceil(random() * maxDelayMs) },
  ];
  return pick(faults, random);
}

function pick<T>(from: readonly T[], random: () => number): T {
  return from[Math.floor(random() * from.length)] as T;
}
