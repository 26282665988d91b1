import type { Clock, Duration } from '@kubewright/api/clock';
import type { Logger } from '../log/logger.js';
import type { ClusterOptions } from './cluster-options.js';
import type { ManagerHooks } from './manager-hooks.js';

/** What `new Manager` takes. */
export interface ManagerOptions extends ClusterOptions {
  /** Name of the Lease, or its options. Not part of this version: a manager warns and runs as the only replica. @default no election */
  readonly leaderElection?:
    | string
    | { readonly name: string; readonly namespace?: string; readonly duration?: Duration };
  /** How long the first objects of what is declared may take before `start` gives up; `false` waits for ever. @default '2m' */
  readonly syncTimeout?: Duration | false;
  /**
   * How long everything together may take to end when the manager stops. What runs on after that is left behind, and `stopped`
   * rejects with GRACE_PERIOD_OVER. '0s' does not wait, which is no error; `false` waits for ever. @default '30s'
   */
  readonly gracePeriod?: Duration | false;
  /**
   * Stop on these signals of the process; the next one does what it does without us. `false` leaves the process to the program: the
   * manager then neither listens to signals nor sets an exit code. @default ['SIGINT', 'SIGTERM']
   */
  readonly signals?: readonly NodeJS.Signals[] | false;
  /** What to call at the turning points of the manager's life; `manager.on` adds more. @default none */
  readonly hooks?: ManagerHooks;
  readonly clock?: Clock;
  readonly logger?: Logger;
}
