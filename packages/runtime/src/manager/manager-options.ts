import type { Clock, Duration } from '@kubewright/api/clock';
import type { LeaderElectionOptions } from '../election/leader-election-options.js';
import type { Logger } from '../log/logger.js';
import type { ClusterOptions } from './cluster-options.js';
import type { ControllerDefaults } from './controller-defaults.js';
import type { ManagerHooks } from './manager-hooks.js';
import type { SettingSources } from './settings/given-settings.js';

/** What `new Manager` takes. */
export interface ManagerOptions extends ClusterOptions {
  /**
   * Name of the Lease by which one of several replicas is elected, or more options of it. The others keep their caches and queues
   * ready meanwhile. A replica that loses the Lease stops at once, without a grace period, and `stopped` rejects with LEADERSHIP_LOST;
   * where the manager owns the process (see `signals`), that ends within a second, with exit code 75. @default no election
   */
  readonly leaderElection?: string | LeaderElectionOptions | false;
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
  /** What holds for every controller that does not say otherwise. @default that of each option */
  readonly controllers?: ControllerDefaults;
  /** Of which weight log lines have to be, where no `logger` is given. @default LOG_LEVEL of the environment, else 'info' */
  readonly logLevel?: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  /**
   * Where flags and variables of the environment are looked up that go before these options: `--grace-period=10s` or
   * KUBEWRIGHT_GRACE_PERIOD for `gracePeriod`, `--controller.NAME.concurrency=4` or KUBEWRIGHT_CONTROLLER_NAME_CONCURRENCY for that
   * of one controller. `manager.settings()` lists them. `false` takes the options as they are. @default those of the process
   */
  readonly settings?: SettingSources | false;
  readonly clock?: Clock;
  readonly logger?: Logger;
}
