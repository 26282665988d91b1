import type { Clock, Duration } from '@kubewright/api/clock';
import type { Logger } from '../log/logger.js';
import type { ClusterOptions } from './cluster-options.js';

/** What `new Manager` takes. */
export interface ManagerOptions extends ClusterOptions {
  /** Name of the Lease, or its options. Not part of this version: a manager warns and runs as the only replica. @default no election */
  readonly leaderElection?:
    | string
    | { readonly name: string; readonly namespace?: string; readonly duration?: Duration };
  /** How long the first objects of what is declared may take before `start` gives up; `false` waits for ever. @default '2m' */
  readonly syncTimeout?: Duration | false;
  /** How long running reconciles may take to end. @default '30s' */
  readonly gracePeriod?: Duration;
  /** Stop on these. @default ['SIGINT', 'SIGTERM'] */
  readonly signals?: readonly NodeJS.Signals[] | false;
  readonly clock?: Clock;
  readonly logger?: Logger;
}
