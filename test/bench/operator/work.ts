import type { LoadKind } from '../load/objects.js';

/** The names of the figures that a measurement produces. */
export type Figures = Readonly<Record<string, number>>;

/** What a measured program does. Programs in all languages receive it as JSON in their first argument. */
export interface Work {
  readonly mode: 'sync' | 'latency' | 'churn' | 'requests' | 'reconciles' | 'reads' | 'pages' | 'queue' | 'start';
  readonly kind?: LoadKind;
  /** The number of objects of the kind on the load server. */
  readonly objects?: number;
  /** The number of measured events, requests, reads or reconciles. */
  readonly count?: number;
  /** The number of events, requests or reconciles before the measurement, in which V8 compiles the code. */
  readonly warmUp?: number;
  /** Events per second. */
  readonly rate?: number;
  readonly concurrency?: number;
  readonly verb?: 'get' | 'patch';
  /** The number of kinds of the operator, for `start`. */
  readonly kinds?: number;
  /** The duration of `churn`, or the time between the start and the measurement of the memory, in seconds. */
  readonly seconds?: number;
}

/** A work with the addresses of the load server. */
export interface AssignedWork extends Work {
  /** The address of the API. The path contains the number of objects. */
  readonly server: string;
  readonly ca: string;
  /** The address of the control server. */
  readonly control: string;
}
